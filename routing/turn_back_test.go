package routing

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
)

// TestLegBackwards: where the next waypoint lies behind the last one, in the
// direction of arrival, the route drives round to it, however much the legs
// before have cost.
func TestLegBackwards(t *testing.T) {
	for _, test := range []struct {
		name, tags string
		meters     map[string][2]float64 // of the legs, by waypoints
	}{
		{"both ways", "highway=primary", map[string][2]float64{
			"521": {2000, 500}, "512": {2500, 500}, "612": {2000, 500}, "621": {2500, 500},
		}},
		{"one way", "highway=primary oneway=yes", map[string][2]float64{
			"521": {3000, 4500}, "512": {2500, 500}, "621": {2500, 4500}, "265": {2500, 4500},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := draw(t, testmap.Drawing{
				Map: `
					d-6-5-c
					|     |
					a-1-2-b`,
				Ways: []testmap.Row{{"a12bc56da", test.tags}},
				Cell: 500,
			})
			for points, meters := range test.meters {
				res := m.route(points, func(r *RouteRequest) { r.ContinueStraight = ContinueAlways })
				for i, want := range meters {
					require.InDelta(t, want, res.Routes[0].Legs[i].Distance, 10, "%s, leg %d", points, i)
				}
			}
		})
	}
}
