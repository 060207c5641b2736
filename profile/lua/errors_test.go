package lua

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/profile"
)

func TestOpenErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		source   string
		line     int
		function string
		message  string
	}{
		"syntax":            {"local x = 1\nx = = 2", 2, "", `syntax error near "="`},
		"unfinished":        {"function f(", 1, "", `syntax error near "(", where the file ends`},
		"unfinished block":  {"#!/bin/lua\nif x then\n\tf()\n\n", 3, "", "where the file ends"},
		"unfinished string": {"\nx = 'abc", 2, "", "unterminated string"},
		"unfinished remark": {"\n--[[ x\n", 2, "", "invalid multiline comment"},
		"running":           {"\n\nerror('odd')", 3, "", "odd"},
		"nil":               {"local t\nreturn t.x", 2, "", "attempt to index a non-table object"},
		"not a string":      {"error({})", 0, "", "table"},
		"future":            {"api_version = 5", 0, "", "api_version is 5, want 0 to 4"},
		"no functions":      {"api_version = 4", 0, "", "must return a table of functions"},
		"no setup":          {"api_version = 4 return {}", 0, "", "there must be a setup function"},
		"setup":             {"api_version = 2\nreturn {setup = function()\nerror('x') end}", 3, "setup", "x"},
		"no table":          {"api_version = 2 return {setup = function() end}", 0, "", "setup must return a table"},
		"source function":   {"api_version = 1 function source_function() x.y = 1 end", 1, "source_function", "attempt to index"},
		"vector":            {"api_version = 1 function get_restrictions(v) v:Add() end", 1, "get_restrictions", "string expected"},
		"precision":         {"api_version = 1 properties.weight_precision = 10", 0, "", "weight_precision is 10, want 0 to 9"},
		"matching speed":    {"api_version = 1 properties.max_speed_for_map_matching = -1", 0, "", "max_speed_for_map_matching is -1"},
		"walking speed":     {"api_version = 1 properties.area_walking_speed = 0", 0, "", "area_walking_speed is 0, want a number above 0"},
		"property":          {"properties.weight_name = {}", 1, "", "properties.weight_name must be a string, not a table"},
		"many classes":      {"api_version = 4 return {setup = function() return {classes = {'a','b','c','d','e','f','g','h'}} end}", 0, "", "there are 8 classes, want at most 7"},
		"excludable":        {"api_version = 4 return {setup = function() return {classes = {'a'}, excludable = {{'b'}}} end}", 0, "", `excludable: profile: no road class "b"`},
		"many excludable":   {"api_version = 4 return {setup = function() local s = {} for i = 1, 8 do s[i] = {} end return {excludable = s} end}", 0, "", "there are 8 excludable sets"},
		"area":              {"area_manager:init('x')", 1, "", `there is no way "x" of meshing areas`},
		"area too early":    {"area_manager:way(5)", 1, "", "the way that process_way was called for is expected"},
		"area of nothing":   {"area_manager:get_relations(5)", 1, "", "a node or way is expected"},
		"no function":       {"api_version = 4 return {setup = function() return {} end, process_way = 'x'}", 0, "", "process_way must be a function, not a string"},
		"setup no function": {"api_version = 4 return {setup = {}}", 0, "", "setup must be a function, not a table"},
		"properties":        {"api_version = 4 return {setup = function() return {properties = 'x'} end}", 0, "", "properties must be a table, not a string"},
		"weight name":       {"api_version = 4 return {setup = function() return {properties = {weight_name = 5}} end}", 0, "", "properties.weight_name must be a string, not a number"},
		"penalty":           {"api_version = 4 return {setup = function() return {properties = {u_turn_penalty = '5'}} end}", 0, "", "properties.u_turn_penalty must be a number, not a string"},
		"flag":              {"api_version = 4 return {setup = function() return {properties = {left_hand_driving = 1}} end}", 0, "", "properties.left_hand_driving must be a boolean, not a number"},
		"two faults":        {"api_version = 4 return {setup = function() return {properties = {left_hand_driving = 1, weight_precision = {}}} end}", 0, "", "properties.weight_precision must be a number, not a table"},
		"list":              {"api_version = 4 return {setup = function() return {restrictions = 'car'} end}", 0, "", "restrictions must be a table, not a string"},
		"sets":              {"api_version = 4 return {setup = function() return {excludable = {'toll'}} end}", 0, "", "excludable must hold tables of classes, not a string"},
		"no such module":    {"\nrequire('lib/nowhere')", 2, "", `module "lib/nowhere" is not found`},
		"deep":              {"local function f() return 1 + f() end f()", 1, "", "stack overflow"},
		"endless":           {"while true do end", 0, "", ErrLimit.Error()},
		"many results":      {"local t = {} for i = 1, 1000000 do t[i] = i end return unpack(t)", 0, "", "registry overflow"},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, tc.source)
			_, err := Open(path, Options{MaxInstructions: 10_000_000})
			var e *Error
			require.ErrorAs(t, err, &e)
			require.ErrorContains(t, err, tc.message)
			require.Equal(t, path, e.Path)
			if tc.line > 0 {
				require.Equal(t, tc.line, e.Line)
			}
			require.Equal(t, tc.function, e.Function)
		})
	}
}

func TestOpenFileErrors(t *testing.T) {
	_, err := Open(filepath.Join(t.TempDir(), "nowhere.lua"), Options{})
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = Open(filepath.Join(t.TempDir(), "none", "nowhere.lua"), Options{Trusted: true})
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = Open(write(t, "return"), Options{MaxInstructions: -1})
	require.ErrorContains(t, err, "MaxInstructions")
	large := make([]byte, maxSource+1)
	_, err = Open(write(t, string(large)), Options{})
	require.ErrorContains(t, err, "too large")
}

func TestWorkerErrors(t *testing.T) {
	p := open(t, Options{MaxInstructions: 100_000}, version4(`
function process_way(profile, way, result)
	local x = way:get_value_by_key('set')
	if x == 'loop' then while true do end end
	if x == 'class' then result.forward_classes['zeppelin'] = true return end
	if x == 'number class' then result.forward_classes[1] = true return end
	if x == 'classes' then result.forward_classes = 5 end
	if x == 'unknown' then result.colour = 'red' end
	if x == 'mode' then result.road_classification.width = 5 end
	if x == 'argument' then way.get_value_by_key('x') end
	if x == 'late' then late = result end
	if x then result[x] = 'text' end
end
function process_node() late.name = 'x' end
function process_turn(profile, turn) turn.weight = nil end
function process_segment(profile, segment) segment.duration = {} end`))
	w := newWorker(t, p)
	var r profile.WayResult
	for set, want := range map[string]string{
		"forward_speed": "result.forward_speed must be a number, not a string",
		"forward_mode":  "result.forward_mode must be a number, not a string",
		"class":         `a way has the class "zeppelin", which is not in the list classes of setup`,
		"number class":  "classes must be named by strings",
		"classes":       "result.forward_classes must be a table, not a number",
		"unknown":       "result has no field colour that can be set",
		"mode":          "road_classification has no field width that can be set",
		"argument":      "call methods with a colon",
		"loop":          "too many instructions",
	} {
		err := w.Way(&osm.Way{Tags: tags("set=" + set)}, &r)
		var e *Error
		require.ErrorAs(t, err, &e, set)
		require.Equal(t, "process_way", e.Function)
		require.ErrorContains(t, err, want)
		require.Equal(t, set == "loop", errors.Is(err, ErrLimit))
		require.NoError(t, w.Way(&osm.Way{}, &r), "the worker goes on")
	}
	require.NoError(t, w.Way(&osm.Way{Tags: tags("set=name")}, &r))
	require.Equal(t, "text", r.Name)
	require.ErrorContains(t, w.Way(&osm.Way{Tags: tags("set=late")}, &r), "late")
	require.ErrorContains(t, w.Node(&osm.Node{}, &profile.NodeResult{}), "only while the way is processed")
	require.ErrorContains(t, w.Turn(&profile.Turn{}), "turn.weight must be a number, not a nil")
	require.ErrorContains(t, w.Segment(&profile.Segment{}), "segment.duration must be a number, not a table")
}

// A script that has nothing to say of ways cannot be meant.
func TestMissingWay(t *testing.T) {
	var r profile.WayResult
	for source, want := range map[string]string{
		"":                "there is no function way_function; newer scripts set api_version",
		"api_version = 1": "there is no function way_function",
		"api_version = 2 return {setup = function() return {} end}":                                "there is no function process_way in the table",
		"api_version = 4 return {setup = function() return {} end, way_function = function() end}": "there is no function process_way in the table",
	} {
		err := newWorker(t, open(t, Options{}, source)).Way(&osm.Way{}, &r)
		var e *Error
		require.ErrorAs(t, err, &e)
		require.ErrorContains(t, err, want)
	}
}

// Names that look misspelled are told once, but are no errors: scripts have
// names of their own.
func TestMisspelled(t *testing.T) {
	source := `
api_version = 4
return {
	setup = function()
		return {
			properties = {weigth_name = 'x', use_turn_restriction = true, process_call_tagless_node = false, max_angle = 30, u_turn_penalty = 1},
			exludable = {}, speeds = {}, kinds = {}, restrictions = {},
		}
	end,
	process_trun = function() end, process_way = function() end, helper = 5,
}`
	want := "nothing reads process_trun; is process_turn meant?\n" +
		"nothing reads exludable; is excludable meant?\n" +
		"nothing reads properties.weigth_name; is weight_name meant?\n" +
		"nothing reads properties.use_turn_restriction; is use_turn_restrictions meant?\n"
	var out bytes.Buffer
	path := write(t, source)
	p, err := Open(path, Options{Output: &out})
	require.NoError(t, err)
	require.Equal(t, want, strings.ReplaceAll(out.String(), "lua: "+path+": ", ""))
	for range 3 {
		newWorker(t, p)
	}
	require.Equal(t, 4, strings.Count(out.String(), "\n"))
	_, err = Open(path, Options{Output: broken{}})
	require.ErrorIs(t, err, errBroken)
}

var errBroken = errors.New("broken pipe")

// broken takes nothing.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestEditDistance(t *testing.T) {
	for words, want := range map[[2]string]int{
		{"", ""}: 0, {"abc", ""}: 3, {"", "ab"}: 2, {"turn", "trun"}: 1, {"turn", "torn"}: 1, {"turn", "turns"}: 1, {"kitten", "sitting"}: 3,
	} {
		require.Equal(t, want, editDistance(words[0], words[1]), words)
	}
}

// A worker whose interpreter has panicked stays broken.
func TestBrokenInterpreter(t *testing.T) {
	w := newWorker(t, open(t, Options{}, version4("function process_way() end"))).(*worker)
	state := w.state
	w.state = nil
	var r profile.WayResult
	err := w.Way(&osm.Way{}, &r)
	require.ErrorContains(t, err, "the interpreter failed")
	w.state = state
	require.Equal(t, err, w.Way(&osm.Way{}, &r))
}

func TestModuleErrors(t *testing.T) {
	path := write(t, "require('lib/a')", "lib/a.lua", "return require('lib.b')", "lib/b.lua", "\n\nerror('deep down')")
	_, err := Open(path, Options{})
	var e *Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, filepath.Join(filepath.Dir(path), "lib", "b.lua"), e.Path)
	require.Equal(t, 3, e.Line)
	require.Contains(t, e.Traceback, "stack traceback")

	_, err = Open(write(t, "require('a')", "a.lua", "x = = 1"), Options{})
	require.ErrorContains(t, err, "syntax error")
	_, err = Open(write(t, "require('a')", "a.lua", "require('a')"), Options{})
	require.ErrorContains(t, err, "requires itself")
}
