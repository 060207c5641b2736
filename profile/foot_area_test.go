package profile

import (
	"testing"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
)

func TestFootAreas(t *testing.T) {
	p, err := NewFoot(FootOptions{Areas: true})
	require.NoError(t, err)
	require.InDelta(t, 1.4, p.Properties().AreaWalkingSpeed, 0)
	worker, err := p.NewWorker()
	require.NoError(t, err)
	w := worker.(RelationWorker)
	ring := osm.WayNodes{{ID: 1}, {ID: 2}, {ID: 3}, {ID: 1}}
	for _, c := range []struct {
		tags     string
		nodes    osm.WayNodes
		area     bool
		walkable bool
	}{
		{"highway=pedestrian, area=yes", ring, true, false},
		{"highway=pedestrian, area=1", ring, true, false},
		{"highway=pedestrian, area=yes", ring[:3], false, true},
		{"highway=pedestrian", ring, false, true},
		{"highway=footway, area=yes", ring, false, true},
		{"highway=pedestrian, osm:virtual=yes", ring[:2], false, true},
	} {
		var r WayResult
		require.NoError(t, w.Way(&osm.Way{Tags: parseTags(c.tags), Nodes: c.nodes}, &r))
		require.Equal(t, c.area, r.Area, c.tags)
		require.Equal(t, c.walkable, r.ForwardMode == graph.ModeWalking, c.tags)
	}
	for tags, want := range map[string]bool{
		"type=multipolygon, highway=pedestrian": true,
		"type=multipolygon, highway=footway":    false,
		"type=route, highway=pedestrian":        false,
	} {
		var r RelationResult
		require.NoError(t, w.Relation(&osm.Relation{Tags: parseTags(tags)}, &r))
		require.Equal(t, want, r.Area, tags)
	}

	p, err = NewFoot(FootOptions{Areas: true, Speed: 3.6})
	require.NoError(t, err)
	require.InDelta(t, 1, p.Properties().AreaWalkingSpeed, 0)

	p, err = NewFoot(FootOptions{})
	require.NoError(t, err)
	worker, err = p.NewWorker()
	require.NoError(t, err)
	require.NotImplements(t, (*RelationWorker)(nil), worker, "others are spared a pass over the file")
}

// A square to avoid is not crossed.
func TestAreasToAvoid(t *testing.T) {
	p, err := NewFoot(FootOptions{Areas: true, Tuning: Tuning{Avoid: []string{"surface=sand"}}})
	require.NoError(t, err)
	w, err := p.NewWorker()
	require.NoError(t, err)
	for tags, want := range map[string]bool{"highway=pedestrian, area=yes": true, "highway=pedestrian, area=yes, surface=sand": false} {
		var r WayResult
		require.NoError(t, w.Way(&osm.Way{Tags: parseTags(tags), Nodes: osm.WayNodes{{ID: 1}, {ID: 2}, {ID: 1}}}, &r))
		require.Equal(t, want, r.Area)
		require.False(t, r.Routable(true))
		var found RelationResult
		rel := &osm.Relation{Tags: append(parseTags(tags), osm.Tag{Key: "type", Value: "multipolygon"})}
		require.NoError(t, w.(RelationWorker).Relation(rel, &found))
		require.Equal(t, want, found.Area)
	}
}
