package oracle

import (
	"math/rand/v2"
	"slices"

	"github.com/fourway-routing/fourway/graph"
)

// Random returns a random graph, the same for the same state of rng: nodes in a
// plane joined to near ones, some of them one way, with dead ends, closed edges,
// closed nodes, edges of no weight and cycles of no weight, parallel edges, and
// edges from a node to itself. Weights are small or great, by graph, so that
// ties are common in one and rare in another; duration and distance are not
// proportional to them.
func Random(rng *rand.Rand, nodes int) *graph.Expanded {
	side := 1
	for side*side < nodes {
		side++
	}
	most := []int32{1, 3, 20, 10_000}[rng.IntN(4)]
	free := []float64{0, 0.05, 0.4}[rng.IntN(3)]
	degree := 0.5 + 2*rng.Float64()
	out := make([][]graph.Arc, nodes)
	link := func(u, v int) {
		a := graph.Arc{Head: graph.NodeID(v), Weight: graph.Weight(1 + rng.Int32N(most))}
		if rng.Float64() < free {
			a.Weight = 0
		}
		a.Duration = graph.Duration(rng.Int32N(1000))
		a.Distance = graph.Distance(rng.Int32N(100_000))
		if rng.IntN(50) == 0 {
			a.Weight = graph.InvalidWeight
		}
		out[u] = append(out[u], a)
		if rng.IntN(20) == 0 {
			a.Weight = graph.Weight(rng.Int32N(most + 1)) // a parallel edge
			a.Duration++
			out[u] = append(out[u], a)
		}
	}
	for range int(degree * float64(nodes)) {
		u := rng.IntN(nodes)
		v := u
		switch rng.IntN(30) {
		case 0: // to itself
		case 1: // anywhere
			v = rng.IntN(nodes)
		default:
			x, y := u%side+rng.IntN(5)-2, u/side+rng.IntN(5)-2
			if x < 0 || x >= side || y < 0 || y*side+x >= nodes {
				continue
			}
			v = y*side + x
		}
		link(u, v)
		if rng.IntN(3) > 0 {
			link(v, u)
		}
	}
	for range nodes / 40 {
		arcs := out[rng.IntN(nodes)]
		for i := range arcs {
			arcs[i].Weight = graph.InvalidWeight
		}
	}
	return Build(out)
}

// Build makes a graph of lists of edges by tail.
func Build(out [][]graph.Arc) *graph.Expanded {
	g := &graph.Expanded{First: make([]graph.EdgeID, 1, len(out)+1), Arcs: slices.Concat(out...)}
	n := 0
	for _, arcs := range out {
		n += len(arcs)
		g.First = append(g.First, graph.EdgeID(n))
	}
	return g
}

// RandomSeeds returns one to four seeds near a node, with negative weights if
// they are to be sources.
func RandomSeeds(rng *rand.Rand, g *graph.Expanded, source bool) []graph.Seed {
	n := g.NumNodes()
	near := rng.IntN(n)
	seeds := make([]graph.Seed, 1+rng.IntN(4))
	for i := range seeds {
		s := &seeds[i]
		v := (near + rng.IntN(3)) % n
		s.Node = graph.NodeID(v)
		most := graph.Weight(0)
		for e := g.First[v]; e < g.First[v+1]; e++ {
			if w := g.Arcs[e].Weight; w != graph.InvalidWeight {
				most = max(most, w)
			}
		}
		s.Weight = graph.Weight(rng.Int32N(int32(most) + 1))
		s.Duration = graph.Duration(rng.Int32N(100))
		s.Distance = int64(rng.Int32N(10_000))
		if source {
			s.Weight, s.Duration, s.Distance = -s.Weight, -s.Duration, -s.Distance
		}
	}
	return seeds
}

// Spend lets some of the sources have cost something before the search, as those
// of a later leg have.
func Spend(rng *rand.Rand, sources []graph.Seed) []graph.Seed {
	if rng.IntN(3) == 0 {
		for i := range sources {
			s := &sources[i]
			s.Spent = graph.Weight(rng.Int32N(60))
			s.Weight += s.Spent
		}
	}
	return sources
}
