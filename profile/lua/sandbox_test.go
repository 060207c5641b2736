package lua

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/profile"
)

func TestSandbox(t *testing.T) {
	require.Equal(t, "1\tnil\n", printed(t, Options{}, `
for _, name in ipairs{'io', 'os', 'debug', 'coroutine', 'dofile', 'loadfile', 'module', 'newproxy', 'setfenv', 'getfenv', 'collectgarbage'} do
	assert(_G[name] == nil, name)
end
assert(package.loadlib == nil and string.dump == nil)
package.path = '/etc/?'
assert(not pcall(require, 'hostname') and not pcall(require, '../x') and not pcall(require, '/etc/hostname'))
assert(getmetatable(obstacle_map) == 'obstacle_map' and not pcall(setmetatable, obstacle_map, {}))
print(1, nil)`))

	outside := filepath.Join(t.TempDir(), "outside.lua")
	require.NoError(t, os.WriteFile(outside, []byte("return 1"), 0o644))
	path := write(t, version4("assert(not pcall(require, 'link'))"))
	require.NoError(t, os.Symlink(outside, filepath.Join(filepath.Dir(path), "link.lua")))
	_, err := Open(path, Options{})
	require.NoError(t, err)
}

// Standard output and error are the program's: what scripts write there goes
// where print writes.
func TestOutputOfTrustedScripts(t *testing.T) {
	other := filepath.ToSlash(filepath.Join(t.TempDir(), "other.txt"))
	require.Equal(t, "a1\nb\nc d\ne\nfile\tfile\tclosed file\tnil\n", printed(t, Options{Trusted: true}, `
io.write('a', 1, '\n'):write('b\n')
io.stdout:write('c', ' ', 'd\n'):flush()
io.stderr:setvbuf('no')
io.stderr:write('e\n')
local f = io.output('`+other+`')
io.write('elsewhere')
io.close()
assert(io.type(io.output()) == 'closed file')
print(io.type(io.stdout), io.type(io.output(io.stdout)), io.type(f), io.type(5))
assert(not pcall(function() io.stdout:close() end) and not pcall(function() io.stdout:write({}) end))`))
	text, err := os.ReadFile(other)
	require.NoError(t, err)
	require.Equal(t, "elsewhere", string(text))
}

func TestTrusted(t *testing.T) {
	t.Setenv("FOURWAY_LUA_TEST", "here")
	elsewhere := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(elsewhere, "far.lua"), []byte("return 'far away'"), 0o644))
	require.Equal(t, "here 5far away\ttrue\n", printed(t, Options{Trusted: true}, `
io.write(os.getenv('FOURWAY_LUA_TEST'), ' ', 5)
package.path = package.path .. ';`+filepath.ToSlash(elsewhere)+`/?.lua'
assert(not pcall(os.exit))
local co = coroutine.wrap(function() coroutine.yield(true) end)
print(require('far'), co())`))
}

// Whatever takes time or memory is paid for.
func TestLimits(t *testing.T) {
	for _, source := range []string{
		"while true do end",
		"while true do pcall(function() while true do end end) end",
		"local function f() return f() end f()",
		"local s = 'x' while true do s = s .. s end",
		"local s = 'x' while true do s = table.concat({s, s}) end",
		"local s = 'x' while true do s = s:rep(2) end",
		"local s = 'x' while true do s = s:gsub('x', 'xx') end",
		"local s = 'x' while true do s = ('%s%s'):format(s, s) end",
		"local s = load('local s = \"x\" while true do s = s .. s end') s()",
		"('x'):rep(1e9)",
		"('x'):rep(2, ('y'):rep(1e7)):rep(2)",
		"('x'):rep(0, 'y'); ('%999999999d'):format(1)",
		"local s = ('a'):rep(60000) while true do s:upper() end",
		"local s = ('a'):rep(60000) while true do s:find('b', 1, true) end",
		"local t = {} for i = 1, 1e5 do t[i] = i end while true do table.sort(t) end",
		"local t = {} for i = 1, 1e5 do t[i] = i end while true do table.insert(t, 1, 0) end",
		"local t = {} for i = 1, 1e5 do t[i] = i end while true do local a = unpack(t) end",
		"local s = ('a'):rep(3000) s:find('.-.-.-.-.-b')",
		"local s = ('a'):rep(3000) s:find(('a*'):rep(20) .. 'b')",
		"local s = ('('):rep(1e6) while true do s:find('%b()') end",
		"local t = {} for i = 1, 1e9 do t[i] = i end",
		"table.move({}, 1, 1e12, 2)",
		"load(function() return 'x' end)",
		"setmetatable(_G, {__index = function(t, k) return t[k] end}) x = y",
		"for a in ('x'):gmatch('()') do while true do end end",
	} {
		start := time.Now()
		_, err := Open(write(t, source), Options{MaxInstructions: 1_000_000})
		require.Error(t, err, source)
		require.Less(t, time.Since(start), 5*time.Second, source)
	}
}

// A limit holds for trusted scripts that are given one, and nothing else does.
func TestLimitOfTrustedScripts(t *testing.T) {
	o := Options{Trusted: true, MaxInstructions: 100_000}
	p := open(t, o, version4(`
function process_way(profile, way, result)
	result.name = ('x'):rep(100000)
	assert(#load('return ("y"):rep(70000) .. "z"')() == 70001)
	while way:has_key('forever') do end
end`))
	require.Len(t, way(t, p, "").Name, 100_000)
	err := newWorker(t, p).Way(&osm.Way{Tags: tags("forever=yes")}, &profile.WayResult{})
	require.ErrorIs(t, err, ErrLimit)
	p = open(t, Options{Trusted: true}, version4("function process_way() for i = 1, 2e7 do end end"))
	require.NoError(t, newWorker(t, p).Way(&osm.Way{}, &profile.WayResult{}))
}

// Scripts may watch over their global variables and inherit functions.
func TestMetatables(t *testing.T) {
	p := open(t, Options{}, `
local base = {
	setup = function() return {} end,
	process_way = function(profile, way, result) result.name = 'base' end,
}
api_version = 4
setmetatable(_G, {__index = function(t, k) error('unknown ' .. k) end, __newindex = function() error('closed') end})
return setmetatable({}, {__index = base})`)
	require.Equal(t, "base", way(t, p, "").Name)
	for _, version := range []string{"0", "1", "2", "4"} {
		path := write(t, "api_version = "+version+`
setmetatable(_G, {__index = function(t, k) error('unknown ' .. k) end, __newindex = function() error('closed') end})
return setmetatable({}, {__index = function(t, k) error('no ' .. k) end})`)
		_, err := Open(path, Options{})
		if version < "2" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, "no setup")
		}
	}
}

func TestConcatenation(t *testing.T) {
	const source = `
local function two() return 'x', 'y' end
local function rest(...) return 'a' .. ... end
print(1 .. 2 .. 'x', two() .. two(), rest('b', 'c'), 'a' .. two())
local t = setmetatable({}, {__concat = function(a, b) return type(a) .. type(b) end})
print(t .. 1, 'x' .. t, t .. t)
print(pcall(function() return 'x' .. nil end))
local s = ''
for i = 1, 3 do s = s .. (i .. ',') end
print(s, #(s .. s), -('1' .. '2'), ({'k' .. 1})[1])
print(load('return x .. y', 'chunk', 't', {x = 1, y = 2})())`
	want := "12x\txx\tab\tax\ntablenumber\tstringtable\ttabletable\n"
	for _, trusted := range []bool{false, true} {
		out := printed(t, Options{Trusted: trusted}, source)
		require.Contains(t, out, want)
		require.Contains(t, out, "1,2,3,\t12\t-12\tk1\n12\n")
		require.Contains(t, out, "false\t")
	}
}

func TestOutputIsShared(t *testing.T) {
	var out bytes.Buffer
	p := open(t, Options{Output: &out}, version4("function process_way() print('x') end"))
	done := make(chan error)
	for range 4 {
		go func() {
			w, err := p.NewWorker()
			for n := 0; n < 50 && err == nil; n++ {
				err = w.Way(&osm.Way{}, &profile.WayResult{})
			}
			done <- err
		}()
	}
	for range 4 {
		require.NoError(t, <-done)
	}
	require.Equal(t, bytes.Repeat([]byte("x\n"), 200), out.Bytes())
}
