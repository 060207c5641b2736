package routing

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/oracle"
)

// reversed turns all edges of a graph around.
func reversed(g *graph.Expanded) *graph.Expanded {
	out := make([][]graph.Arc, g.NumNodes())
	for v := range out {
		for _, a := range g.Arcs[g.First[v]:g.First[v+1]] {
			head := a.Head
			a.Head = graph.NodeID(v)
			out[head] = append(out[head], a)
		}
	}
	return oracle.Build(out)
}

// piece is a segment of a road in a direction, as far as it is reached.
type piece struct {
	from, to orb.Point
	way      int64
}

// pieces returns the segments of roads, with what it takes to get to the end of each,
// or to its beginning if away is set.
func pieces(roads []ReachedRoad, away bool) map[piece]float64 {
	out := map[piece]float64{}
	for i := range roads {
		r := &roads[i]
		for k, way := range r.Ways {
			x := piece{r.Line[k], r.Line[k+1], way}
			cost := r.Costs[k+1]
			if away {
				cost = r.Costs[k]
			}
			if old, ok := out[x]; !ok || cost < old {
				out[x] = cost
			}
		}
	}
	return out
}

// oracleCost returns what a contour measures of the lightest path to or from the
// beginning of a node's segment; certain is false if there are several.
func oracleCost(a *oracle.Answer, by ContourUnit) (cost int64, certain bool) {
	switch by {
	case ContourDuration:
		return a.Duration, a.Unique
	case ContourDistance:
		return a.Distance, a.Unique
	}
	return a.Weight, true
}

// TestIsochroneIsAllThatIsReached compares with Dijkstra's algorithm, segment by
// segment, forward and, on the network turned around, backward.
func TestIsochroneIsAllThatIsReached(t *testing.T) {
	engines := andorras(t)
	e := engines[0]
	d := e.current.Load().dataset
	n, m := d.net, d.metric
	forth := graph.Expand(n, m)
	back := reversed(forth)
	rng := rand.New(rand.NewPCG(3, 9))
	rounds := 12
	if testing.Short() {
		rounds = 4
	}
	compared, doubtful := 0, 0
	for round := range rounds {
		r := IsochroneRequest{
			Coordinates: []orb.Point{somewhere(rng, e)}, Shapes: IsochroneRoads,
			Reverse: round%2 == 1, Unit: ContourUnit(round / 2 % 3),
		}
		if round%4 > 1 {
			r.Coordinates = append(r.Coordinates, somewhere(rng, e))
		}
		r.Contours = []float64{[]float64{240, 3000, 300}[r.Unit] * (0.5 + rng.Float64())}
		where := fmt.Sprintf("%+v", r)
		res, err := Isochrone(t.Context(), e, r)
		require.NoError(t, err, where)
		for _, other := range engines {
			// The answer does not depend on when the search asks others.
			s := other.Session()
			_, err := s.Isochrone(t.Context(), r)
			require.NoError(t, err, where)
			s.w.reach.patience = 5
			same, err := s.Isochrone(t.Context(), r)
			require.NoError(t, err, where)
			doubtful += len(s.w.reach.search.Doubtful())
			s.w.reach.patience = patience
			s.Close()
			require.Equal(t, res, same, "%s: %v", where, other.Info().Algorithm)
		}

		w := newWorkspace(d)
		require.NoError(t, w.snap(t.Context(), r.places(), exclusion{}))
		x := w.isochrones()
		x.begin(&r)
		for i := range w.stops {
			x.addSeeds(w.stops[i].far())
		}
		g := forth
		if r.Reverse {
			g = back
		}
		tree := oracle.Grow(g, nil, x.seeds)
		got := pieces(res.Roads, r.Reverse)
		limit := x.most()
		for v := range n.Originals {
			arm := n.NodeArm[v]
			onSeed := false
			for i := range x.seeds {
				onSeed = onSeed || n.NodeArm[x.seeds[i].Node] == arm
			}
			if onSeed || m.NodeWeight[v] == graph.InvalidWeight {
				continue // compared by TestIsochroneBesideTheCoordinate
			}
			at := []graph.Seed{{Node: graph.NodeID(v)}}
			if !r.Reverse {
				for _, c := range n.CopiesOf(graph.NodeID(v)) {
					at = append(at, graph.Seed{Node: c.Copy})
				}
			}
			found := tree.To(at)
			if !found.Reached && found.Weight == oracle.Unreached {
				continue
			}
			cost, certain := oracleCost(&found, r.Unit)
			if !certain {
				continue
			}
			for i := range segments(n, arm) {
				index, from, to := segment(n, arm, i)
				c, ok := x.segmentCost(arm&1, index)
				require.True(t, ok)
				way := n.Ways.Get(n.SegmentWay[index])
				if arm.Reverse() {
					way = -way
				}
				whole := piece{point(n.Coords[from]), point(n.Coords[to]), way}
				before, after := cost, cost+c
				if r.Reverse {
					before, after = cost, cost-c
				}
				switch least, most := min(before, after), max(before, after); {
				case whole.from == whole.to:
				case most <= limit:
					value := after
					if r.Reverse {
						value = before
					}
					reached, ok := got[whole]
					require.True(t, ok, "%s: segment %v", where, whole)
					require.LessOrEqual(t, reached, float64(value)/x.perUnit()+1e-9, where)
					compared++
				case least > limit:
					_, ok := got[whole]
					require.False(t, ok && !twice(n, arm, i), "%s: segment %v", where, whole)
				default:
					part := whole
					a, b := n.Coords[from], n.Coords[to]
					if r.Reverse {
						part.from = point(geo.Interpolate(float64(before-limit)/float64(before-after), a, b))
					} else {
						part.to = point(geo.Interpolate(float64(limit-before)/float64(after-before), a, b))
					}
					_, ok := got[part]
					require.True(t, ok, "%s: part %v of %v", where, part, whole)
					compared++
				}
				cost = after
			}
		}
	}
	require.Greater(t, compared, 200*rounds)
	require.Positive(t, doubtful)
}

// twice says whether another road has the same segment.
func twice(n *graph.Network, arm graph.ArmID, i int) bool {
	index, from, to := segment(n, arm, i)
	for k := range n.ChainPlaces[:len(n.ChainPlaces)-1] {
		a, b := n.ChainPlaces[k], n.ChainPlaces[k+1]
		if uint32(k) != index && (a == from && b == to || a == to && b == from) {
			return true
		}
	}
	return false
}
