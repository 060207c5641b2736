package ch

import (
	"context"
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/pool"
)

var seedFlag = flag.Uint64("seed", 0, "seed of the one random network to check, 0 for the usual ones")

// randomCase is a random network with sets of excluded nodes.
func randomCase(seed uint64) (*rand.Rand, *graph.Expanded, []graph.Bits) {
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
	return rng, g, exclude
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
	ctx := t.Context()
	pairs, tied, found := 0, 0, 0
	for seed := first; seed < first+uint64(networks); seed++ {
		rng, g, exclude := randomCase(seed)
		h, err := Contract(ctx, g, Options{Workers: 1 + int(seed%3), Exclude: exclude})
		require.NoError(t, err, "seed %d", seed)
		require.NoError(t, h.Verify(), "seed %d", seed)
		s := h.NewSearch(pool.New())
		for range treesANetwork {
			set := rng.IntN(len(exclude) + 1)
			s.SetExclude(set)
			var barred graph.Bits
			if set > 0 {
				barred = exclude[set-1]
			}
			sources := oracle.RandomSeeds(rng, g, true)
			tree := oracle.Grow(g, barred, sources)
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
				checkPair(t, seed, g, barred, s, sources, targets, want)
			}
		}
		s.Release()
	}
	t.Logf("%d pairs, %d with a path, %d of them tied", pairs, found, tied)
}

func checkPair(t *testing.T, seed uint64, g *graph.Expanded, barred graph.Bits, s *Search, sources, targets []graph.Seed, want oracle.Answer) {
	t.Helper()
	got, ok, err := s.Shortest(context.Background(), sources, targets)
	require.NoError(t, err)
	if ok != want.Reached || ok && int64(got.Weight) != want.Weight {
		t.Fatalf("-seed %d: from %v to %v: found %v %v, want %+v", seed, sources, targets, ok, got, want)
	}
	edges := s.Path(nil)
	if !ok {
		require.Empty(t, edges)
		return
	}
	p, err := oracle.CheckPath(g, barred, sources[got.Source], targets[got.Target], edges)
	require.NoError(t, err, "-seed %d: from %v to %v", seed, sources, targets)
	require.Equal(t, want.Weight, p.Weight, "-seed %d: from %v to %v: path %v", seed, sources, targets, edges)
	if want.Unique {
		require.Equal(t, want.Duration, p.Duration, "-seed %d: duration from %v to %v", seed, sources, targets)
		require.Equal(t, want.Distance, p.Distance, "-seed %d: distance from %v to %v", seed, sources, targets)
	}
}
