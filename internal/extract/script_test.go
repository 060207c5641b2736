package extract_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/extracttest"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/profile/lua"
)

// A profile in Lua sees all that the extractor tells: tags, relations, the
// obstacles at the nodes of a turn and the segments.
func TestProfileInLua(t *testing.T) {
	path := filepath.Join(t.TempDir(), "signed.lua")
	require.NoError(t, os.WriteFile(path, []byte(`
api_version = 4
return {
	setup = function()
		return {
			properties = {weight_name = 'effort', force_split_edges = true},
			relation_types = {'route'},
			classes = {'signed'},
		}
	end,
	process_node = function(profile, node, result)
		if node:has_key('stile') then
			obstacle_map:add(node, Obstacle.new(obstacle_type.gate, obstacle_direction.none, 30, 0))
		end
	end,
	process_way = function(profile, way, result, relations)
		result.forward_mode, result.backward_mode = mode.walking, mode.walking
		result.forward_speed, result.backward_speed = 3.6, 3.6
		result.forward_rate, result.backward_rate = 1, 1
		result.name = way:get_value_by_key('name')
		if #relations:get_relations(way) > 0 then
			result.forward_classes['signed'], result.backward_classes['signed'] = true, true
		end
		if way:has_key('closed') then result.forward_mode = mode.inaccessible end
	end,
	process_segment = function(profile, segment)
		if segment.source.lat < segment.target.lat then segment.weight = segment.weight * 2 end
	end,
	process_turn = function(profile, turn)
		for _, o in ipairs(obstacle_map:get(turn.from, turn.via, obstacle_type.gate)) do
			turn.duration = turn.duration + o.duration
		end
		if turn.number_of_roads > 2 and math.abs(turn.angle) > 45 then turn.duration = turn.duration + 4 end
	end,
}`), 0o644))
	p, err := lua.Open(path, lua.Options{})
	require.NoError(t, err)
	m := extracttest.Extract(t, testmap.Drawing{
		Map: `
			    e
			    |
			a-b-c-d
			    |
			    f`,
		Ways:      []testmap.Row{{"abc", ""}, {"cd", ""}, {"ce", ""}, {"cf", "closed=yes"}},
		Nodes:     []testmap.Row{{"b", "stile=yes"}},
		Relations: []testmap.Row{{"x=ce", "type=route"}, {"x=cd", "type=site"}},
	}, p, extract.Options{})
	can(t, m, map[string]bool{"abcd": true, "dcba": true, "abce": true, "abcf": false, "fce": true})
	length := func(path string) float64 {
		c, ok := m.Drive(path)
		require.True(t, ok, path)
		return float64(c.Distance) / 100
	}
	cost := func(path string) (seconds, effort float64) {
		c, ok := m.Drive(path)
		require.True(t, ok, path)
		return float64(c.Duration) / 10, float64(c.Weight) / 10
	}
	seconds, effort := cost("abcd")
	require.InDelta(t, length("abcd")+30, seconds, 1, "the stile takes half a minute")
	require.InDelta(t, length("abcd"), effort, 1)
	seconds, effort = cost("dce")
	require.InDelta(t, length("dce")+4, seconds, 1)
	require.InDelta(t, length("dc")+2*length("ce"), effort, 1, "climbing costs double")
	_, effort = cost("ecd")
	require.InDelta(t, length("ecd"), effort, 1)
	for road, want := range map[string]graph.ClassMask{"ce": 1, "ec": 1, "cd": 0} {
		require.Equal(t, want, m.Network.Roads[m.Network.ArmRoad[m.Network.NodeArm[m.Node(road)]]].Classes, road)
	}
}
