package oracle

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
)

// bellmanFord is another way to what Grow finds.
func bellmanFord(g *graph.Expanded, barred graph.Bits, sources []graph.Seed) []int64 {
	n := g.NumNodes()
	bars := func(v graph.NodeID) bool { return barred != nil && barred.Get(uint32(v)) }
	weight := make([]int64, n)
	for v := range weight {
		weight[v] = Unreached
	}
	for changed := true; changed; {
		changed = false
		for v := range n {
			tail := graph.NodeID(v)
			if bars(tail) {
				continue
			}
			at := weight[v]
			for _, s := range sources {
				if s.Node == tail {
					at = min(at, int64(s.Weight))
				}
			}
			if at == Unreached {
				continue
			}
			for e := g.First[v]; e < g.First[v+1]; e++ {
				a := &g.Arcs[e]
				if a.Weight != graph.InvalidWeight && !bars(a.Head) && at+int64(a.Weight) < weight[a.Head] {
					weight[a.Head] = at + int64(a.Weight)
					changed = true
				}
			}
		}
	}
	return weight
}

func TestGrowAgainstBellmanFord(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 2))
		g := Random(rng, 1+rng.IntN(80))
		var barred graph.Bits
		if rng.IntN(2) == 0 {
			barred = graph.MakeBits(g.NumNodes())
			barred.Set(uint32(rng.IntN(g.NumNodes())))
		}
		sources := RandomSeeds(rng, g, true)
		require.Equal(t, bellmanFord(g, barred, sources), Grow(g, barred, sources).Weight, "seed %d", seed)
	}
}

func TestAnswers(t *testing.T) {
	//   0 -5-> 1 -5-> 3
	//   0 -4-> 2 -6-> 3
	//   3 -1-> 4
	g := Build([][]graph.Arc{
		{{Head: 1, Weight: 5, Duration: 1, Distance: 10}, {Head: 2, Weight: 4, Duration: 2, Distance: 20}},
		{{Head: 3, Weight: 5, Duration: 3, Distance: 30}},
		{{Head: 3, Weight: 6, Duration: 4, Distance: 40}},
		{{Head: 4, Weight: 1, Duration: 5, Distance: 50}},
		{},
	})
	seed := func(node graph.NodeID, w graph.Weight) graph.Seed {
		return graph.Seed{Node: node, Weight: w, Duration: graph.Duration(w), Distance: int64(w)}
	}
	tree := Grow(g, nil, []graph.Seed{seed(0, -2)})
	to := func(seeds ...graph.Seed) Answer { return tree.To(seeds) }
	require.Equal(t, Answer{Reached: true, Weight: 3, Unique: true, Duration: -1, Distance: 8}, to(seed(1, 0)))
	require.Equal(t, Answer{Reached: true, Weight: 8}, to(seed(3, 0)), "two paths")
	require.Equal(t, Answer{Reached: true, Weight: 1, Unique: true, Duration: 1, Distance: 1}, to(seed(0, 3)), "direct")
	require.Equal(t, Answer{Weight: Unreached}, to(seed(0, 1)), "behind")
	require.False(t, to(seed(1, 1), seed(2, 2)).Unique, "two targets")

	barred := graph.MakeBits(5)
	barred.Set(1)
	tree = Grow(g, barred, []graph.Seed{seed(0, -2)})
	require.Equal(t, Answer{Reached: true, Weight: 8, Unique: true, Duration: 4, Distance: 58}, to(seed(3, 0)))
	require.Equal(t, Answer{Weight: Unreached}, to(seed(1, 0)))
}

func TestCheckPath(t *testing.T) {
	g := Build([][]graph.Arc{{{Head: 1, Weight: 5}}, {{Head: 0, Weight: graph.InvalidWeight}, {Head: 2, Weight: 1}}, {}})
	at := func(node graph.NodeID, w graph.Weight) graph.Seed { return graph.Seed{Node: node, Weight: w} }
	p, err := CheckPath(g, nil, at(0, -1), at(2, 3), []graph.EdgeID{0, 2})
	require.NoError(t, err)
	require.Equal(t, Path{Weight: 8}, p)
	barred := graph.MakeBits(3)
	barred.Set(1)
	for name, c := range map[string]struct {
		barred graph.Bits
		source graph.Seed
		target graph.Seed
		edges  []graph.EdgeID
	}{
		"gap":          {nil, at(0, 0), at(2, 0), []graph.EdgeID{2}},
		"no such edge": {nil, at(0, 0), at(2, 0), []graph.EdgeID{9}},
		"closed":       {nil, at(1, 0), at(0, 0), []graph.EdgeID{1}},
		"wrong end":    {nil, at(0, 0), at(2, 0), []graph.EdgeID{0}},
		"barred":       {barred, at(0, 0), at(2, 0), []graph.EdgeID{0, 2}},
		"barred start": {barred, at(1, 0), at(2, 0), []graph.EdgeID{2}},
		"backward":     {nil, at(1, -2), at(1, 1), nil},
	} {
		_, err := CheckPath(g, c.barred, c.source, c.target, c.edges)
		require.Error(t, err, name)
	}
}
