package lua

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What Lua 5.4 prints for the same script.
func TestUTF8(t *testing.T) {
	require.Equal(t, "aé€😀\n"+
		"4\t3\t0\tnil\t1\n"+
		"97\t233\t8364\n"+
		"8364\n"+
		"1\t2\t4\t7\t11\tnil\n"+
		"7\t4\tnil\t2\n"+
		"1 97,2 233,4 8364,7 128512,\n"+
		"a|é|€|😀|\n"+
		"1\n", printed(t, Options{}, `
local s = utf8.char(97, 233, 8364, 128512)
print(s)
print(utf8.len(s), utf8.len(s, 2), utf8.len(''), utf8.len('\xff'))
print(utf8.codepoint(s, 1, 4))
print(utf8.codepoint(s, 4))
print(utf8.offset(s, 1), utf8.offset(s, 2), utf8.offset(s, 3), utf8.offset(s, 4), utf8.offset(s, 5), utf8.offset(s, 6))
print(utf8.offset(s, -1), utf8.offset(s, -2), utf8.offset(s, -5), utf8.offset(s, 0, 3))
local t = '' for p, c in utf8.codes(s) do t = t .. p .. ' ' .. c .. ',' end print(t)
t = '' for c in s:gmatch(utf8.charpattern) do t = t .. c .. '|' end print(t)
assert(not pcall(utf8.codepoint, '\xff') and not pcall(utf8.len, 'a', 5) and not pcall(utf8.offset, s, 1, 3) and not pcall(utf8.codes))
assert(not pcall(function() for _ in utf8.codes('a\xff') do end end))
print(utf8.len('a', 1, 1))`))
}

func TestPairs(t *testing.T) {
	require.Equal(t, "1 x,\na 5,\nfalse\ntrue\ttrue\n", printed(t, Options{}, `
local function list(t) local s = '' for k, v in pairs(t) do s = s .. k .. ' ' .. v .. ',' end return s end
print(list({'x'}))
print(list(setmetatable({}, {__pairs = function(t) return function(_, k) if not k then return 'a', 5 end end, t, nil end})))
print((pcall(pairs)))
print(math.huge == 1e308 * 10, -math.huge < -1e308)`))
}
