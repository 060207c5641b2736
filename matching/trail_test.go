package matching

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// TestStandStill holds the ways of vehicles that fall back all the time to the
// places that they lead from and to.
func TestStandStill(t *testing.T) {
	city, err := cityOnce()
	require.NoError(t, err)
	memory := pool.New()
	snapper := graph.NewSnapper(city.net, city.metric, memory)
	m := New(city.net, city.metric, city.hierarchy.NewSearch(memory), memory)
	rng := rand.New(rand.NewPCG(13, 14))
	moved, unknown, ways := 0, 0, 0
	for range 20 {
		deviation := []float64{3, 8}[rng.IntN(2)]
		trace := city.trace(snapper, city.drive(rng, 150, 8, deviation), deviation, 4*deviation, 0)
		trace.Model = Model{Beta: deviation, Outlier: 5, Hold: 3}
		matches, err := m.Match(t.Context(), trace)
		require.NoError(t, err)
		at := func(match *Match, k int) *graph.Phantom {
			s := match.Steps[match.Steps[k].At]
			return &trace.Points[s.Point].Candidates[s.Candidate]
		}
		for i := range matches {
			match := &matches[i]
			for k, s := range match.Steps {
				require.GreaterOrEqual(t, s.At, k)
				require.Equal(t, at(match, k).Place, at(match, s.At).Place, "who moves there stays there")
				if s.At > k {
					moved++
				}
			}
			for k, way := range match.Ways {
				ways++
				if !way.Known {
					unknown++
					continue
				}
				from, to := at(match, k), at(match, k+1)
				length := int64(to.Distance[way.To]) - int64(from.Distance[way.From])
				v := from.Nodes[way.From]
				for _, e := range way.Edges {
					require.True(t, e >= city.net.EdgeFirst[v] && e < city.net.EdgeFirst[v+1])
					length += int64(city.metric.NodeDistance[v])
					v = city.net.EdgeHead[e]
				}
				require.Equal(t, city.net.NodeArm[to.Nodes[way.To]], city.net.NodeArm[v])
				require.GreaterOrEqual(t, length, int64(-rounding))
			}
		}
	}
	require.Greater(t, moved, 200)
	require.Less(t, unknown*100, ways)
}

// TestFarIsNotStill: a long step is none that stands still, however much a long step
// may differ from its way.
func TestFarIsNotStill(t *testing.T) {
	trace := Trace{WeightPerSecond: 1e6, Model: Model{Beta: 5, Stretch: 0.1, Hold: 3}}
	// Along a road of one node, a second candidate of the last point lies behind the first point.
	road := func(meters, distance float64) graph.Phantom {
		p := spot(0, distance)
		p.Weight[0], p.Distance[0] = graph.Weight(meters), graph.Distance(100*meters)
		return p
	}
	for _, at := range []float64{0, 600} {
		trace.Points = append(trace.Points, Point{
			Place: east(at), Deviation: 5, Candidates: []graph.Phantom{road(at+100, 3)},
		})
	}
	behind := road(95, 0)
	trace.Points[1].Candidates = append(trace.Points[1].Candidates, behind)
	w := &world{meters: [][]float64{{0}}}
	m := New(&graph.Network{NodeArm: make([]graph.ArmID, 1)}, nil, w, pool.New())
	matches, err := m.Match(t.Context(), trace)
	require.NoError(t, err)
	require.Equal(t, 0, matches[0].Steps[1].Candidate)

	// Where it has hardly moved, it stands still.
	trace.Points[1].Place = east(3)
	trace.Points[1].Candidates[0] = behind
	trace.Points[1].Candidates = trace.Points[1].Candidates[:1]
	matches, err = m.Match(t.Context(), trace)
	require.NoError(t, err)
	require.Equal(t, []Step{{0, 0, 1, 0}, {1, 0, 1, 0}}, matches[0].Steps)
	require.Equal(t, []Way{{Known: true}}, matches[0].Ways)
}
