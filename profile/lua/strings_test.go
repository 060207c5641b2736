package lua

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// What Lua 5.4 prints for the same script.
func TestStrings(t *testing.T) {
	for _, trusted := range []bool{false, true} {
		require.Equal(t, `2	3	b	c
3	3
nil
1	0
2	2
4
3	3
key	value
7
nil
1	
(a(b)c)
THE (quick) fox
[hello] [world]	2
hxllo	1
x y	3
world hello	1
a1b2
{x}{y}
5	6	7
b=1,c=2
k$	%
`, printed(t, Options{Trusted: trusted}, `
print(('abc'):find('(b)(c)'))
print(('a.c'):find('c', 1, true))
print(('abc'):find('d'))
print((''):find(''))
print(('a.c'):find('.', 2, true))
print(('abc'):find('', 10) or ('abc'):find('', 4))
print(('abc'):find('c', -1))
print(('key = value'):match('^(%w+)%s*=%s*(%w+)$'))
print(#('x'):rep(3, '--'))
print(('x'):match('y'))
print(('abc'):find('^abc'), ('abc'):match('()c') and '' or nil)
print(('x(a(b)c)y'):match('%b()'))
print((('THE (quick) fox'):gsub('%f[%a](%l+)%f[%A]', '%0')))
print(('hello world'):gsub('%w+', '[%0]'))
print(('hello'):gsub('e', {e = 'x'}))
print(('x y '):gsub('%s', function() return '-' end, 1) == 'x-y ' and ('x y '):gsub('%s?$', ''), 3)
print(('hello world'):gsub('(%w+) (%w+)', '%2 %1'))
print((('a1b2'):gsub('%d', function(d) return nil end)))
print((('x,y,'):gsub('([^,]*),?', '{%1}')))
print(('abc567'):byte(4) - 48, 6, 7)
local t = {} for k, v in ('b=1, c=2'):gmatch('(%w+)=(%w+)') do t[#t + 1] = k .. '=' .. v end print(table.concat(t, ','))
print(('k$'):match('[%a$]+'), ('%%'):format())`), "trusted: %v", trusted)
	}
}

func TestPatternErrors(t *testing.T) {
	for pattern, want := range map[string]string{
		"%":     "ends with '%'",
		"[a":    "missing ']'",
		"[%":    "missing ']'",
		"(a":    "unfinished capture",
		"a)":    "invalid pattern capture",
		"%1":    "invalid capture index",
		"%b":    "missing arguments to '%b'",
		"%fa":   "missing '[' after '%f'",
		"(()":   "unfinished capture",
		"(a)%2": "invalid capture index",
	} {
		_, err := Open(write(t, "('a'):match("+quote(pattern)+")"), Options{})
		require.ErrorContains(t, err, want, pattern)
	}
	for source, want := range map[string]string{
		"('a'):match(('()'):rep(33))":                    "too many captures",
		"(('a'):rep(300)):match(('a?'):rep(300) .. 'b')": "too complex",
		"('a'):gsub('a', '%2')":                          "invalid capture index",
		"('a'):gsub('a', '%x')":                          "invalid use of '%'",
		"('a'):gsub('a', {a = {}})":                      "invalid replacement value",
		"('a'):gsub('a')":                                "string, function or table expected",
		"('a'):rep(1e18)":                                "too large",
		"table.concat({{}})":                             "invalid value (at index 1)",
	} {
		_, err := Open(write(t, source), Options{})
		require.ErrorContains(t, err, want, source)
	}
}

func quote(s string) string { return "'" + s + "'" }

func TestParseNumeral(t *testing.T) {
	for s, want := range map[string]float64{
		"1": 1, "010": 10, "0x10": 16, "1e3": 1000, ".5": 0.5, "5.": 5, " 7\v": 7, "-0x1": -1, "+5": 5, "0x.8": 0.5, "0x1p4": 16, "0X1.8": 1.5,
		"1e400": math.Inf(1), "0xffffffffffffffff": -1, "9223372036854775808": 1 << 63, "-1.5e-1": -0.15,
	} {
		n, ok := parseNumeral(s)
		require.True(t, ok, s)
		require.Equal(t, want, n, s)
	}
	for _, s := range []string{"", " ", "x", "0x", "1e", "inf", "nan", "Infinity", "1_0", "0b1", "--5", "- 1", "1 2", "0xg", "1.2.3", "+", "0x1_0"} {
		_, ok := parseNumeral(s)
		require.False(t, ok, s)
	}
}

func TestNewerLibraries(t *testing.T) {
	require.Equal(t, "2\t3\n3\n1\t1\t2\t3\n2\t3\t3\n5\tnil\tnil\ninteger\tfloat\tnil\n255\t-5\tnil\tnil\t10\n3\t2\nfalse\n", printed(t, Options{}, `
print(table.unpack({1, 2, 3}, 2))
print(table.pack(1, nil, 3).n)
local m = table.move({1, 2, 3}, 1, 3, 2) print(m[1], m[2], m[3], m[4])
m = table.move({1, 2, 3}, 2, 3, 1) print(m[1], m[2], m[3])
print(math.tointeger(5.0), math.tointeger(5.5), math.tointeger('5'))
print(math.type(1), math.type(1.5), math.type('1'))
print(tonumber('ff', 16), tonumber('-101', 2), tonumber('8', 8), tonumber(''), tonumber(' 010 '))
print(rawlen({1, 2, 3}), rawlen('ab'))
print(load('x =') ~= nil)
assert(load('return ...', '=name')(4) == 4 and load(function() if not done then done = true return 'return 1' end end)() == 1)
assert(tonumber(nil) == nil and tonumber({}) == nil and tonumber(5) == 5 and not pcall(tonumber) and not pcall(tonumber, '1', 99))`))
}
