package extract_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/extracttest"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/profile/lua"
)

// The same cart by all versions of the interface: it goes 36 km/h, waits 5 s at
// signals, takes 7 s for sharp turns, and half as long again on the way north
// where a version has segments that can be changed.
const (
	cartWay = `
	result.name = way:get_value_by_key('name')
	result.forward_mode, result.backward_mode = mode.driving, mode.driving
	result.forward_speed, result.backward_speed = 36, 36
	result.duration = -1
	if way:has_tag('highway', 'private') then result.forward_restricted, result.backward_restricted = true, true end
`
	cartNode    = `if node:get_value_by_key('highway') == 'traffic_signals' then result.traffic_lights = true end`
	cartSegment = `if segment.source.lat < segment.target.lat then segment.duration, segment.weight = segment.duration * 1.5, segment.weight * 1.5 end`
	cartOldTurn = `
	turn.duration = math.abs(turn.angle) > 45 and turn.turn_type ~= turn_type.no_turn and 7 or 0
	if turn.direction_modifier == direction_modifier.u_turn then turn.duration = 20 end
	if turn.has_traffic_light then turn.duration = turn.duration + 5 end
	assert(turn.number_of_roads == nil and turn.source_road == nil)
`
	cartTurn = `
	turn.duration = math.abs(turn.angle) > 45 and (turn.number_of_roads > 2 or turn.is_u_turn) and 7 or 0
	if turn.is_u_turn then turn.duration = 20 end
	if turn.has_traffic_light then turn.duration = turn.duration + 5 end
	assert(turn.turn_type == nil and turn_type == nil and turn.source_road.speed >= 0)
`
	cartSetup = `function() return {properties = {weight_name = 'duration', u_turn_penalty = 20, traffic_signal_penalty = 5, force_split_edges = true}} end`
)

// cartTable is what scripts of version 2 and later return; more are further
// arguments of process_node and process_way.
func cartTable(version, more, turn string) string {
	return `api_version = ` + version + `
return {
	setup = ` + cartSetup + `,
	process_node = function(profile, node, result` + more + `) ` + cartNode + ` end,
	process_way = function(profile, way, result` + more + `) ` + cartWay + ` end,
	process_segment = function(profile, segment) ` + cartSegment + ` end,
	process_turn = function(profile, turn) ` + turn + ` end,
}`
}

var carts = map[string]string{
	"none": `
properties.u_turn_penalty, properties.traffic_signal_penalty = 20, 5
properties.weight_name = 'duration'
function node_function(node, result) ` + cartNode + ` end
function way_function(way, result) ` + cartWay + ` end
function turn_function(angle) return math.abs(angle) > 45 and 70 or 0 end
function segment_function(source, target, distance, duration) assert(source.lon and distance > 0 and duration > 0) end`,
	"0": `
api_version = 0
properties.u_turn_penalty, properties.traffic_signal_penalty = 20, 5
function node_function(node, result) ` + cartNode + ` end
function way_function(way, result) ` + cartWay + ` end
function turn_function(angle) return math.abs(angle) > 45 and 70 or 0 end`,
	"1": `
api_version = 1
properties.weight_name, properties.force_split_edges = 'duration', true
function source_function() assert(sources) end
function get_restrictions(list) list:Add('cart') end
function get_name_suffix_list(list) list:Add('Nord') end
function node_function(node, result) ` + cartNode + ` end
function way_function(way, result) ` + cartWay + ` end
function segment_function(segment) ` + cartSegment + ` end
function turn_function(turn) ` + cartOldTurn + ` end`,
	"2": cartTable("2", "", cartOldTurn),
	"3": cartTable("3", ", relations", "assert(not relations)"+cartOldTurn),
	"4": cartTable("4", ", relations", cartTurn),
}

func TestVersionsOfScripts(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			    e
			    |
			a-b-c-d
			    |
			    f`,
		Ways:  []testmap.Row{{"abc", ""}, {"cd", ""}, {"ec", ""}, {"cf", ""}},
		Nodes: []testmap.Row{{"b", "highway=traffic_signals"}},
	}
	for version, source := range carts {
		t.Run(version, func(t *testing.T) {
			p, _ := script(t, source, lua.Options{})
			m := extracttest.Extract(t, d, p, extract.Options{})
			north, back := 1.5, 20.0
			if version == "none" || version == "0" {
				north, back = 1, 0 // dead ends are free
			}
			meters := func(road string) float64 {
				c, ok := m.Drive(road)
				require.True(t, ok)
				return float64(c.Distance) / 100
			}
			for path, want := range map[string]float64{
				"abcd": meters("abcd")/10 + 5,
				"dcba": meters("dcba")/10 + 5,
				"abce": meters("abc")/10 + 5 + 7 + meters("ce")/10*north,
				"abcf": meters("abcf")/10 + 5 + 7,
				"fce":  (meters("fc") + meters("ce")) / 10 * north,
				"cdc":  2*meters("cd")/10 + back,
			} {
				c, ok := m.Drive(path)
				require.True(t, ok, path)
				require.InDelta(t, want, float64(c.Duration)/10, 0.25, path)
				require.Equal(t, graph.Weight(c.Duration), c.Weight, path)
			}
		})
	}
}

// A trusted script may stand on another one in a folder that it names, and
// change what that one does; what both print comes out in one place.
func TestScriptOnTopOfAnother(t *testing.T) {
	base := filepath.Join(t.TempDir(), "base")
	require.NoError(t, os.MkdirAll(filepath.Join(base, "lib"), 0o755))
	for name, text := range map[string]string{
		"cart.lua":      "local speed = require('lib/speed')\nprint('cart')\n" + strings.ReplaceAll(carts["4"], "result.forward_speed, result.backward_speed = 36, 36", "result.forward_speed, result.backward_speed = speed.usual, speed.usual"),
		"lib/speed.lua": "return {usual = 36}",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(base, name), []byte(text), 0o644))
	}
	var out bytes.Buffer
	p, _ := script(t, `
package.path = '`+filepath.ToSlash(base)+`/?.lua;' .. package.path
local functions = require('cart')
local setup, way_before = functions.setup, functions.process_way
functions.setup = function()
	local profile = setup()
	profile.properties.weight_name = 'distance'
	profile.slow = 2
	return profile
end
functions.process_way = function(profile, way, result, relations)
	way_before(profile, way, result, relations)
	result.forward_speed = result.forward_speed / profile.slow
	result.forward_rate, result.backward_rate = 1, 1
	io.write('way ', way:id(), '\n')
end
return functions`, lua.Options{Trusted: true, Output: &out})
	d := testmap.Drawing{Map: `a-b`, Ways: []testmap.Row{{"ab", ""}}}
	m := extracttest.Extract(t, d, p, extract.Options{})
	forward, _ := m.Drive("ab")
	backward, _ := m.Drive("ba")
	require.InDelta(t, 200, float64(forward.Duration), 2)
	require.InDelta(t, 100, float64(backward.Duration), 2)
	require.InDelta(t, 1000, float64(forward.Weight), 10, "tenths of a meter")
	require.Equal(t, "distance", m.Network.Properties.WeightName)
	require.Contains(t, out.String(), "cart\n")
	require.Contains(t, out.String(), "way 3\n")
}

// Segments are weighed by the heights in a raster.
func TestRasterInScripts(t *testing.T) {
	folder := t.TempDir()
	// Two columns of one hundredth of a degree, the eastern one higher.
	require.NoError(t, os.WriteFile(filepath.Join(folder, "height.asc"), []byte("0 100\n0 100\n"), 0o644))
	path := filepath.Join(folder, "hill.lua")
	require.NoError(t, os.WriteFile(path, []byte(`api_version = 4
return {
	setup = function()
		return {
			properties = {force_split_edges = true, weight_name = 'climb'},
			heights = raster:load('height.asc', 0.999, 1.006, 0.995, 1.005, 2, 2),
		}
	end,
	process_way = function(profile, way, result)
		result.forward_mode, result.backward_mode, result.forward_speed, result.backward_speed = mode.walking, mode.walking, 3.6, 3.6
		result.forward_rate, result.backward_rate = 1, 1
	end,
	process_segment = function(profile, segment)
		local from = raster:query(profile.heights, segment.source.lon, segment.source.lat)
		local to = raster:interpolate(profile.heights, segment.target.lon, segment.target.lat)
		assert(from.datum ~= from.invalid_data() and to.datum ~= to.invalid_data())
		segment.weight = 1000 + to.datum - from.datum
	end,
}`), 0o644))
	p, err := lua.Open(path, lua.Options{})
	require.NoError(t, err)
	d := testmap.Drawing{Map: `a-----b`, Ways: []testmap.Row{{"ab", ""}}, Cell: 200}
	m := extracttest.Extract(t, d, p, extract.Options{})
	up, _ := m.Drive("ab")
	down, _ := m.Drive("ba")
	require.Greater(t, up.Weight, graph.Weight(10_000))
	require.Less(t, down.Weight, graph.Weight(10_000))
}

// Each worker of a script keeps results of its own; what they come to does not
// depend on how many there are.
func TestScriptsByManyWorkers(t *testing.T) {
	var town bytes.Buffer
	require.NoError(t, testmap.City(&town, 2000, 3))
	p, _ := script(t, strings.ReplaceAll(carts["4"], "result.duration = -1", `
	if way:has_true_tag('oneway') then result.backward_mode = mode.inaccessible end
	if way:get_value_by_key('highway') == 'residential' then result.forward_speed, result.backward_speed = 20, 20 end`), lua.Options{})
	run := func(workers int) *extract.Result {
		f, err := osmfile.OpenReaderAt(bytes.NewReader(town.Bytes()), int64(town.Len()), "town")
		require.NoError(t, err)
		r, err := extract.Run(t.Context(), f, p, extract.Options{Workers: workers})
		require.NoError(t, err)
		return r
	}
	one := run(1)
	require.Greater(t, one.Network.NumNodes(), 1000)
	for _, workers := range []int{2, 5} {
		require.True(t, equal(one, run(workers)), "%d workers", workers)
	}
}
