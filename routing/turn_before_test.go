package routing

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
)

// TestTurnBehindStop: a leg that turns around at a dead end behind its start, and
// stops between the two, stays one leg.
func TestTurnBehindStop(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			    d
			    |
			a---b--1--c
			    |
			    e`,
		Ways: []testmap.Row{{"ab"}, {"bc"}, {"db"}, {"be"}},
	}
	for _, algorithm := range []Algorithm{CH, MLD, CCH} {
		m := drawWith(t, d, Options{Algorithm: algorithm})
		for points, meters := range map[string][]float64{
			"ab1a": {200, 450, 350},
			"ab1d": {200, 450, 350},
			"db1e": {200, 450, 350},
		} {
			res := m.route(points, func(r *RouteRequest) { r.ContinueStraight = ContinueAlways })
			for i, want := range meters {
				require.InDelta(t, want, res.Routes[0].Legs[i].Distance, 1, "%v %s, leg %d", algorithm, points, i)
			}
		}
	}
}
