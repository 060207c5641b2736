package ch

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/internal/testmap"
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

// New nodes come just below the lowest of their neighbors, those without any last.
func TestRanksFor(t *testing.T) {
	h := &Hierarchy{rank: []uint32{2, 0, 1}}
	const no = graph.InvalidNode
	// 0 → 1 → 2, 3 → 0, 4 → 3 and 5 alone; 6 is where 1 is.
	of := []graph.NodeID{0, 1, 2, no, no, no, 1}
	first, head := []graph.EdgeID{0, 1, 2, 2, 3, 4, 4, 4}, []graph.NodeID{1, 2, 0, 3}
	require.Equal(t, []uint32{3, 0, 2, 4, 5, 6, 1}, h.RanksFor(of, first, head))
	require.Equal(t, []uint32{3, 0, 2, 4, 5, 6, 1}, (&Order{rank: h.rank}).RanksFor(of, first, head))
	same := h.Ranks()
	require.Equal(t, h.rank, same)
	same[0] = 9
	require.EqualValues(t, 2, h.rank[0], "a copy")
}

func TestRanksThatAreNone(t *testing.T) {
	g := oracle.Build([][]graph.Arc{{{Head: 1, Weight: 1}}, {}, {}})
	for _, ranks := range [][]uint32{{}, {0, 1}, {0, 1, 3}, {0, 1, 1}} {
		_, err := Contract(t.Context(), g, Options{Ranks: ranks})
		require.ErrorIs(t, err, ErrGraph)
		_, err = OrderBy(t.Context(), networkOf(g), ranks)
		require.ErrorIs(t, err, ErrGraph)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Contract(ctx, g, Options{Ranks: []uint32{0, 1, 2}})
	require.ErrorIs(t, err, context.Canceled)
}

// The order that priorities have made gives about the same hierarchy again, on any
// number of workers the same.
func TestRanksOfAContraction(t *testing.T) {
	g := testmap.Roads(10_000, 3)
	exclude := []graph.Bits{everyTenth(g.NumNodes(), 3)}
	fresh, err := Contract(t.Context(), g, Options{Exclude: exclude})
	require.NoError(t, err)
	var want []byte
	for workers := 1; workers <= 3; workers++ {
		h, err := Contract(t.Context(), g, Options{Exclude: exclude, Ranks: fresh.Ranks(), Workers: workers, Memory: pool.Kind(workers)})
		require.NoError(t, err)
		require.InEpsilon(t, fresh.NumArcs(), h.NumArcs(), 0.05)
		got := encoded(t, h)
		if want == nil {
			want = got
		}
		require.True(t, bytes.Equal(want, got), "%d workers", workers)
	}
}

func TestOrderByTheRanksOfAnOrder(t *testing.T) {
	d := openDelaware(t)
	before := d.dissected(t)
	of := make([]graph.NodeID, d.network.NumNodes())
	for v := range of {
		of[v] = graph.NodeID(v)
	}
	o, err := OrderBy(t.Context(), d.network, before.RanksFor(of, d.network.EdgeFirst, d.network.EdgeHead))
	require.NoError(t, err)
	require.Equal(t, before.NumArcs(), o.NumArcs())
	require.LessOrEqual(t, len(o.layers), len(before.layers), "customization waits no more often")
	require.NoError(t, o.Verify())
}
