package lua

import (
	"testing"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/profile"
)

// east has data about places east of Greenwich.
type east struct{}

func (east) Find(lon, _ float64, key string) any {
	if lon < 0 {
		return nil
	}
	return map[string]any{"side": "left", "answer": 42.0, "on": true}[key]
}

func TestLocationTags(t *testing.T) {
	p := open(t, Options{}, version4(`
function process_way(profile, way, result)
	result.name = tostring(way:get_location_tag('side'))
	result.forward_speed = way:get_location_tag('answer') or 1
	result.roundabout = way:get_location_tag('on') == true
end
function process_node(profile, node, result, relations)
	if node:get_location_tag('on') then
		result.barrier = true
	end
end`))
	w := newWorker(t, p)
	way := func(lon float64) profile.WayResult {
		var r profile.WayResult
		require.NoError(t, w.Way(&osm.Way{Nodes: osm.WayNodes{{ID: 1}, {ID: 2, Lon: lon, Lat: lon}}}, &r))
		return r
	}
	barriers := func(lon float64) int {
		var r profile.NodeResult
		require.NoError(t, w.Node(&osm.Node{Lon: lon, Tags: tags("a=b")}, &r))
		return len(r.Obstacles)
	}
	require.Equal(t, "nil", way(1).Name, "no data")
	require.Zero(t, barriers(1))
	w.(profile.LocationWorker).SetLocations(east{})
	at := way(1)
	require.Equal(t, "left", at.Name)
	require.Equal(t, 42.0, at.ForwardSpeed)
	require.True(t, at.Roundabout)
	require.Equal(t, 1, barriers(1))
	require.Equal(t, "nil", way(-1).Name)
	require.Equal(t, "nil", way(0).Name, "the place of the node is not known")
	require.Zero(t, barriers(-1))
	require.NoError(t, w.Way(&osm.Way{}, new(profile.WayResult)), "a way without nodes")
}
