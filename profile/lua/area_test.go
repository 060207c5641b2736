package lua

import (
	"testing"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/profile"
)

func TestAreas(t *testing.T) {
	p := open(t, Options{}, version4(`
function setup()
	area_manager:init('visgraph+dijkstra')
	return {properties = {area_walking_speed = 1.2, area_emit_visibility_graph = true}}
end
function process_way(profile, way, result)
	if way:has_true_tag('area') then area_manager:way(way) return end
	local of = area_manager:get_relations(way)
	if #of > 0 then result.name = 'of ' .. of[1] end
end
function process_node(profile, node, result)
	result.barrier = #area_manager:get_relations(node) > 0
end
function process_relation(profile, relation, relations)
	if relation:has_tag('highway', 'pedestrian') then area_manager:relation(relation) end
end`))
	require.InDelta(t, 1.2, p.Properties().AreaWalkingSpeed, 0)
	require.True(t, p.Properties().AreaVisibilityGraph)
	w := newWorker(t, p).(profile.RelationWorker)

	relation := func(text string) bool {
		r := profile.RelationResult{Area: true}
		require.NoError(t, w.Relation(&osm.Relation{Tags: tags(text)}, &r))
		return r.Area
	}
	require.True(t, relation("type=multipolygon, highway=pedestrian"))
	require.False(t, relation("type=multipolygon, highway=footway"))
	require.False(t, relation("type=site, highway=pedestrian"), "areas are multipolygons")

	w.SetAreas(profile.NewRelations([]*osm.Relation{{
		ID: 5, Members: osm.Members{{Type: osm.TypeWay, Ref: 7}, {Type: osm.TypeNode, Ref: 8}},
	}}))
	var r profile.WayResult
	way := func(text string, nodes ...osm.NodeID) *profile.WayResult {
		way := &osm.Way{ID: 7, Tags: tags(text)}
		for _, id := range nodes {
			way.Nodes = append(way.Nodes, osm.WayNode{ID: id})
		}
		require.NoError(t, w.Way(way, &r))
		return &r
	}
	require.True(t, way("area=yes", 1, 2, 3, 1).Area)
	require.False(t, way("area=yes", 1, 2, 3).Area, "open ways are none")
	require.False(t, way("area=yes").Area)
	require.False(t, way("", 1, 2, 3, 1).Area)
	require.Equal(t, "of 5", r.Name)
	var n profile.NodeResult
	require.NoError(t, w.Node(&osm.Node{ID: 8}, &n))
	require.Len(t, n.Obstacles, 1)
	require.NoError(t, w.Node(&osm.Node{ID: 9}, &n))
	require.Empty(t, n.Obstacles)
}

// What is no relation being processed is no area.
func TestAreaErrors(t *testing.T) {
	for name, source := range map[string]string{
		"stored": `function process_relation(profile, relation, relations) area_manager:relation(relations:relation(5)) end`,
		"a way":  `function process_relation(profile, relation, relations) area_manager:way(relation) end`,
	} {
		w := newWorker(t, open(t, Options{}, version4(source))).(profile.RelationWorker)
		w.SetRelations(profile.NewRelations([]*osm.Relation{{ID: 5}}))
		var e *Error
		require.ErrorAs(t, w.Relation(&osm.Relation{ID: 6}, &profile.RelationResult{}), &e, name)
		require.Contains(t, e.Message, "is expected", name)
	}
}
