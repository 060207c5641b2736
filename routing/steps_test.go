package routing

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStepsTakeFewAllocations: the parts of a leg's steps lie together, however
// many there are.
func TestStepsTakeFewAllocations(t *testing.T) {
	e := andorra(t)
	rng := rand.New(rand.NewPCG(12, 13))
	session := e.Session()
	defer session.Close()
	for range 10 {
		r := someRequest(rng, e, 2)
		r.Annotations, r.NoHints, r.SkipWaypoints, r.Steps, r.Overview = 0, true, true, true, OverviewFull
		var res *RouteResponse
		route := func() {
			var err error
			if res, err = session.Route(t.Context(), r); err != nil {
				require.ErrorIs(t, err, ErrNoRoute)
			}
		}
		if route(); res == nil {
			continue
		}
		// The response, its routes and their line; for a leg its line, the
		// summary, the steps with their texts, intersections, bearings, entries,
		// lanes with their words, and the line of the arrival.
		require.LessOrEqual(t, testing.AllocsPerRun(5, route), float64(4+10*len(res.Routes[0].Legs)))
	}
}

// Neighboring steps share the place where they meet, and what a caller appends to
// one does not reach the next.
func TestStepsShareTheirLine(t *testing.T) {
	e := andorra(t)
	rng := rand.New(rand.NewPCG(14, 15))
	r := someRequest(rng, e, 2)
	r.Steps, r.Overview = true, OverviewFull
	res, err := Route(t.Context(), e, r)
	require.NoError(t, err)
	for _, leg := range res.Routes[0].Legs {
		for i := range leg.Steps[:len(leg.Steps)-1] {
			line, next := leg.Steps[i].Geometry, leg.Steps[i+1].Geometry
			require.Equal(t, line[len(line)-1], next[0])
			require.Equal(t, len(line), cap(line))
		}
	}
}
