package ch

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/pool"
)

func randomRanks(rng *rand.Rand, n int) []uint32 {
	ranks := make([]uint32, n)
	for v, r := range rng.Perm(n) {
		ranks[v] = uint32(r)
	}
	return ranks
}

func networkOf(g *graph.Expanded) *graph.Network {
	n := &graph.Network{EdgeFirst: g.First, NodeArm: make([]graph.ArmID, g.NumNodes())}
	for e := range g.Arcs {
		n.EdgeHead = append(n.EdgeHead, g.Arcs[e].Head)
	}
	return n
}

// Any ranks must do, for both kinds of hierarchy.
func TestGivenRanksAgainstOracle(t *testing.T) {
	networks := 100
	if testing.Short() {
		networks = 15
	}
	memory := pool.New()
	for seed := uint64(1); seed <= uint64(networks); seed++ {
		rng, g, exclude := randomCase(seed)
		ranks := randomRanks(rng, g.NumNodes())
		contracted, err := Contract(t.Context(), g, Options{Exclude: exclude, Ranks: ranks, Workers: 1 + int(seed%3)})
		require.NoError(t, err)
		o, err := OrderBy(t.Context(), networkOf(g), ranks)
		require.NoError(t, err)
		require.NoError(t, o.Verify(), "seed %d", seed)
		customized, err := o.Customize(t.Context(), g, CustomizeOptions{Workers: 1 + int(seed%3)})
		require.NoError(t, err, "seed %d", seed)
		for i, h := range []*Hierarchy{contracted, customized} {
			require.NoError(t, h.Verify(), "seed %d", seed)
			for set := range h.NumSets() {
				var barred graph.Bits
				if set > 0 {
					barred = exclude[set-1]
				}
				s := h.NewSearch(memory)
				s.SetExclude(set)
				for range 10 {
					sources, targets := oracle.RandomSeeds(rng, g, true), oracle.RandomSeeds(rng, g, false)
					q := oracle.Question{Sources: sources, Targets: targets, Want: oracle.Grow(g, barred, sources).To(targets)}
					oracle.CheckShortest(t, g, barred, s, &q, fmt.Sprintf("seed %d, hierarchy %d, set %d", seed, i, set))
				}
				s.Release()
			}
		}
	}
}
