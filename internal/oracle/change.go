package oracle

import (
	"math/rand/v2"

	"github.com/fourway-routing/fourway/graph"
)

// Change returns a copy of a graph in which some nodes are left at other costs,
// or not at all, and these nodes.
func Change(rng *rand.Rand, g *graph.Expanded, nodes int) (*graph.Expanded, graph.Bits) {
	x := &graph.Expanded{First: g.First, Arcs: append([]graph.Arc(nil), g.Arcs...)}
	changed := graph.MakeBits(g.NumNodes())
	for range nodes {
		v := rng.IntN(g.NumNodes())
		changed.Set(uint32(v))
		closed := rng.IntN(4) == 0
		for e := x.First[v]; e < x.First[v+1]; e++ {
			a := &x.Arcs[e]
			a.Weight, a.Duration = graph.Weight(rng.IntN(1000)), graph.Duration(rng.IntN(1000))
			if closed {
				a.Weight = graph.InvalidWeight
			}
		}
	}
	return x, changed
}
