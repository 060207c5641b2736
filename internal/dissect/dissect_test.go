package dissect

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// grid returns a network of two-way streets in a grid.
func grid(side int) *graph.Network {
	n := &graph.Network{ChainFirst: []uint32{0}, EdgeFirst: []graph.EdgeID{0}}
	at := func(x, y int) graph.JunctionID { return graph.JunctionID(y*side + x) }
	street := func(a, b graph.JunctionID) {
		c := len(n.ArmNode)
		n.ChainPlaces = append(n.ChainPlaces, graph.PlaceID(a), graph.PlaceID(b))
		n.ChainFirst = append(n.ChainFirst, uint32(len(n.ChainPlaces)))
		n.ArmNode = append(n.ArmNode, graph.NodeID(c), graph.NodeID(c+1))
		n.ArmJunction = append(n.ArmJunction, a, b)
		n.NodeArm = append(n.NodeArm, graph.ArmID(c), graph.ArmID(c+1))
		n.EdgeFirst = append(n.EdgeFirst, 0, 0)
	}
	for y := range side {
		for x := range side {
			n.Coords = append(n.Coords, geo.Coord{Lon: int32(1000 * x), Lat: int32(1000 * y)})
			n.JunctionPlace = append(n.JunctionPlace, graph.PlaceID(at(x, y)))
			if x > 0 {
				street(at(x-1, y), at(x, y))
			}
			if y > 0 {
				street(at(x, y-1), at(x, y))
			}
		}
	}
	return n
}

// leaves returns the junctions of each part without halves.
func leaves(p *Part) [][]uint32 {
	if p.Halves[0] == nil {
		return [][]uint32{p.Junctions}
	}
	return append(leaves(p.Halves[0]), leaves(p.Halves[1])...)
}

func TestPartsCoverTheJunctionsOnce(t *testing.T) {
	n := grid(20)
	for _, small := range []int{1, 4, 100, 10_000} {
		var want [][]uint32
		for workers := 1; workers <= 3; workers++ {
			tree, err := Run(t.Context(), n, Options{Small: small, Workers: workers})
			require.NoError(t, err)
			parts := leaves(tree)
			all := slices.Sorted(slices.Values(slices.Concat(parts...)))
			require.Len(t, all, 400)
			require.Len(t, slices.Compact(all), 400)
			if want == nil {
				want = parts
			}
			require.Equal(t, want, parts, "%d workers", workers)
		}
	}
}

// A row of a grid has 16 streets to cut. Those near the rim count less.
func TestCutsAreShort(t *testing.T) {
	n := grid(16)
	tree, err := Run(t.Context(), n, Options{Small: 500})
	require.NoError(t, err)
	side := make([]bool, 256)
	for _, j := range slices.Concat(leaves(tree.Halves[0])...) {
		side[j] = true
	}
	cut := 0
	for c := range n.NumChains() {
		if side[n.ArmJunction[2*c]] != side[n.ArmJunction[2*c+1]] {
			cut++
		}
	}
	require.LessOrEqual(t, cut, 20)
}

func TestRunEndsWhenContextIsDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Run(ctx, grid(10), Options{Small: 4})
	require.ErrorIs(t, err, context.Canceled)
}

// The flow is that of the least cut, as found by trying all.
func TestMinimumIsTheLeastCut(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		g := randomRoads(rng, 4+rng.IntN(7))
		n := g.size()
		ends := 1 + rng.IntN(n/3)
		f := new(flow)
		c, ok := f.minimum(g, g.orders[0], ends, func(int64) bool { return false })
		require.True(t, ok)
		value, near, far := leastCut(g, ends)
		require.Equal(t, value, c.value)
		require.Equal(t, max(min(near, n-near), min(far, n-far)), c.part, "the more even one")
		require.Equal(t, c.value, capacity(g, c.side))
		for _, v := range g.orders[0][:ends] {
			require.Equal(t, c.side[g.orders[0][0]], c.side[v])
		}
	}
}

func randomRoads(rng *rand.Rand, n int) *roads {
	type street struct {
		a, b     uint32
		capacity int32
	}
	var streets []street
	for range 2 * n {
		a, b := uint32(rng.IntN(n)), uint32(rng.IntN(n))
		if a != b {
			streets = append(streets, street{a, b, 1 + int32(rng.IntN(3))})
		}
	}
	g := &roads{first: make([]uint32, n+1), name: make([]uint32, n), weight: make([]uint32, n)}
	for _, s := range streets {
		g.first[s.a+1]++
		g.first[s.b+1]++
	}
	for v := range n {
		g.first[v+1] += g.first[v]
	}
	g.arcs, g.capacity = make([]roadArc, 2*len(streets)), make([]int32, 2*len(streets))
	next := slices.Clone(g.first[:n])
	for _, s := range streets {
		i, j := next[s.a], next[s.b]
		next[s.a]++
		next[s.b]++
		g.arcs[i], g.arcs[j] = roadArc{s.b, j}, roadArc{s.a, i}
		g.capacity[i], g.capacity[j] = s.capacity, s.capacity
	}
	for _, v := range rng.Perm(n) {
		g.orders[0] = append(g.orders[0], uint32(v))
	}
	return g
}

func capacity(g *roads, side []bool) (value int64) {
	for v := range side {
		for a := g.first[v]; a < g.first[v+1]; a++ {
			if side[v] && !side[g.arcs[a].head] {
				value += int64(g.capacity[a])
			}
		}
	}
	return value
}

// leastCut returns the least value of a cut, and the vertices at the sources of that
// nearest to them, and at the sinks of that nearest to those.
func leastCut(g *roads, ends int) (least int64, near, far int) {
	n := g.size()
	least = 1 << 40
	for set := range 1 << n {
		side := make([]bool, n)
		for v := range side {
			side[v] = set>>v&1 == 1
		}
		fits := true
		for i := range ends {
			fits = fits && side[g.orders[0][i]] && !side[g.orders[0][n-1-i]]
		}
		if !fits {
			continue
		}
		value, sources := capacity(g, side), bits.OnesCount(uint(set))
		if value < least {
			least, near, far = value, n, n
		}
		if value == least {
			near, far = min(near, sources), min(far, n-sources)
		}
	}
	return least, near, far
}
