package extract_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/profile"
	"github.com/fourway-routing/fourway/profile/lua"
)

// script opens a profile in Lua.
func script(t *testing.T, source string, o lua.Options) (p profile.Profile, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "tested.lua")
	require.NoError(t, os.WriteFile(path, []byte(source), 0o644))
	p, err := lua.Open(path, o)
	require.NoError(t, err)
	return p, path
}

// strolling is a script that lets one walk everywhere, with one function more.
func strolling(functions string) string {
	return `api_version = 4
local functions = {
	setup = function() return {relation_types = {'route'}} end,
	process_way = function(profile, way, result)
		result.forward_mode, result.backward_mode, result.forward_speed, result.backward_speed = 3, 3, 5, 5
		result.name = way:get_value_by_key('name')
	end,
}
` + functions + `
return functions`
}

// A fault of a script stops the extraction and tells the file, the line, the
// function and the element.
func TestFaultsOfScripts(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			a-b-c
			  |
			  d`,
		Ways:      []testmap.Row{{"abc", ""}, {"bd", ""}},
		Nodes:     []testmap.Row{{"b", "x=y"}},
		Relations: []testmap.Row{{"x=bd", "type=route"}},
	}
	data, err := d.OSM()
	require.NoError(t, err)
	b, abc := d.NodeID('b'), `extract: way 5`
	require.EqualValues(t, 2, b)
	for name, tc := range map[string]struct {
		source         string
		place          string
		line           int
		function, want string
		limit          bool
	}{
		"error in a way":      {strolling("functions.process_way = function(profile, way) error('odd ' .. way:id()) end"), abc, 9, "process_way", "odd 5", false},
		"way without end":     {strolling("functions.process_way = function() while true do end end"), abc, 9, "process_way", "too many instructions", true},
		"wrong type in a way": {strolling("functions.process_way = function(p, w, result) result.forward_speed = 'fast' end"), abc, 9, "process_way", "result.forward_speed must be a number, not a string", false},
		"unknown field":       {strolling("functions.process_way = function(p, w, result) result.forward_sped = 5 end"), abc, 9, "process_way", "result has no field forward_sped that can be set", false},
		"nil in a way":        {strolling("functions.process_way = function(p, w, result) result.name = w:get_value_by_key('none'):lower() end"), abc, 9, "process_way", "attempt to index a non-table object(nil)", false},
		"no process_way":      {strolling("functions.process_way = nil"), abc, 0, "", "there is no function process_way", false},
		"node":                {strolling("functions.process_node = function(p, node, result) if node:has_key('x') then result.barier = true end end"), "extract: node 2", 9, "process_node", "no field barier", false},
		"node without end":    {strolling("functions.process_node = function(p, node, result) repeat until false end"), "extract: node 1", 9, "process_node", "too many instructions", true},
		"relation":            {strolling("functions.process_relation = function(p, r) local x = 1 + r:get_value_by_key('type') end"), "extract: relation 7", 9, "process_relation", "cannot perform add operation", false},
		"segment":             {strolling("functions.process_segment = function(p, s) s.weight = s.colour.x end"), "extract: way 5 at node 1", 9, "process_segment", "attempt to index", false},
		"turn":                {strolling("functions.process_turn = function(p, turn) if turn.number_of_roads > 2 then turn.weight = nil end end"), "extract: turn at node 2", 9, "process_turn", "turn.weight must be a number, not a nil", false},
		"turn on the way":     {strolling("functions.process_turn = function(p, turn) turn.from = 5 end"), "extract: turn at node", 9, "process_turn", "turn has no field from that can be set", false},
		"turn without end":    {strolling("functions.process_turn = function(p, turn) while true do end end"), "extract: turn at node", 9, "process_turn", "too many instructions", true},
		"too old":             {"function way_function(way, result) result.x = 1 end", abc, 1, "way_function", "no field x", false},
		"too old turn":        {"function way_function(way, result) result.forward_mode, result.forward_speed, result.name = 1, 5, way:get_value_by_key('name') end\nfunction turn_function(angle) return 'x' end", "extract: turn at node 2", 0, "turn_function", "must return a number", false},
	} {
		t.Run(name, func(t *testing.T) {
			p, path := script(t, tc.source, lua.Options{MaxInstructions: 100_000})
			f, err := osmfile.OpenReaderAt(bytes.NewReader(data), int64(len(data)), "drawing")
			require.NoError(t, err)
			_, err = extract.Run(t.Context(), f, p, extract.Options{Workers: 2})
			require.ErrorContains(t, err, tc.place)
			require.ErrorContains(t, err, tc.want)
			var e *lua.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, []any{path, tc.line, tc.function}, []any{e.Path, e.Line, e.Function}, err)
			require.Equal(t, tc.limit, errors.Is(err, lua.ErrLimit))
		})
	}
}
