package mld

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/pool"
)

var seedFlag = flag.Uint64("seed", 0, "seed of the one random network to check, 0 for the usual ones")

// randomNesting returns nested cells of a random graph: squares of its plane, of
// which some nodes are elsewhere, or any nodes.
func randomNesting(rng *rand.Rand, nodes int) nesting {
	side := 1
	for side*side < nodes {
		side++
	}
	square := 1 + rng.IntN(side)
	across := (side + square - 1) / square
	s := nesting{leaf: make([]uint32, nodes), cells: across * across}
	astray := []float64{0, 0, 0.05, 1}[rng.IntN(4)]
	for v := range s.leaf {
		s.leaf[v] = uint32(v/side/square*across + v%side/square)
		if rng.Float64() < astray {
			s.leaf[v] = uint32(rng.IntN(s.cells))
		}
	}
	for cells := s.cells; cells > 1 && rng.IntN(5) > 0; {
		parent := make([]uint32, cells)
		for c := 1; c < cells; c++ {
			parent[c] = parent[c-1]
			if rng.IntN(3) == 0 {
				parent[c]++
			}
		}
		s.parent = append(s.parent, parent)
		cells = int(parent[cells-1]) + 1
	}
	return s
}

// randomCase is a random network in cells, with sets of excluded nodes.
func randomCase(t testing.TB, seed uint64) (*rand.Rand, *graph.Expanded, *Overlay, []graph.Bits) {
	rng := rand.New(rand.NewPCG(seed, 1))
	nodes := 1 + rng.IntN(400)
	if rng.IntN(4) == 0 {
		nodes = 1 + rng.IntN(12)
	}
	g := oracle.Random(rng, nodes)
	exclude := make([]graph.Bits, rng.IntN(4))
	for i := range exclude {
		if rng.IntN(5) == 0 {
			continue
		}
		exclude[i] = graph.MakeBits(nodes)
		for range rng.IntN(nodes/5 + 1) {
			exclude[i].Set(uint32(rng.IntN(nodes)))
		}
	}
	head := make([]graph.NodeID, len(g.Arcs))
	for e := range g.Arcs {
		head[e] = g.Arcs[e].Head
	}
	c, err := newCells(g.First, head, randomNesting(rng, nodes))
	require.NoError(t, err, "seed %d", seed)
	o, err := Customize(context.Background(), c, g, CustomizeOptions{Exclude: exclude, Workers: 1 + int(seed%3)})
	require.NoError(t, err, "seed %d", seed)
	return rng, g, o, exclude
}

func TestRandomNetworksAgainstOracle(t *testing.T) {
	const pairsATree, treesANetwork = 10, 20
	networks := 500
	if testing.Short() {
		networks = 50
	}
	first := uint64(1)
	if *seedFlag != 0 {
		first, networks = *seedFlag, 1
	}
	pairs, tied, found, levels, climbed := 0, 0, 0, 0, 0
	for seed := first; seed < first+uint64(networks); seed++ {
		rng, g, o, exclude := randomCase(t, seed)
		levels += o.Cells().NumLevels()
		s := o.NewSearch(pool.New())
		for range treesANetwork {
			set := rng.IntN(len(exclude) + 1)
			s.SetExclude(set)
			var barred graph.Bits
			if set > 0 {
				barred = exclude[set-1]
			}
			sources := oracle.Spend(rng, oracle.RandomSeeds(rng, g, true))
			tree := oracle.Grow(g, barred, sources)
			var questions []oracle.Question
			for range pairsATree {
				targets := oracle.RandomSeeds(rng, g, false)
				if rng.IntN(4) == 0 {
					targets[0].Node = sources[rng.IntN(len(sources))].Node
				}
				want := tree.To(targets)
				pairs++
				if want.Reached {
					found++
					if !want.Unique {
						tied++
					}
				}
				questions = append(questions, oracle.Question{Sources: sources, Targets: targets, Want: want})
				oracle.CheckShortest(t, g, barred, s, &questions[len(questions)-1], fmt.Sprint("-seed ", seed))
				climbed += sign(s.climbs[0].top) + sign(s.climbs[1].top)
			}
			oracle.CheckFrom(t, g, barred, s, questions, fmt.Sprint("-seed ", seed))
		}
		s.Release()
	}
	t.Logf("%d pairs, %d with a path, %d of them tied; %d climbs; %.1f levels", pairs, found, tied, climbed, float64(levels)/float64(networks))
}
