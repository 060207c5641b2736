package mld

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/pool"
)

func TestUpdateIsWhatCustomizeIs(t *testing.T) {
	check := func(t *testing.T, rng *rand.Rand, g *graph.Expanded, o *Overlay, nodes int) {
		first, data := o, o.Encode(graph.ID{1}, graph.ID{2}).ID()
		for range 2 {
			x, changed := oracle.Change(rng, g, nodes)
			got, err := o.Update(t.Context(), x, changed, 1+rng.IntN(3))
			require.NoError(t, err)
			want, err := Customize(t.Context(), o.Cells(), x, CustomizeOptions{})
			require.NoError(t, err)
			require.Equal(t, want.Encode(graph.ID{1}, graph.ID{2}).ID(), got.Encode(graph.ID{1}, graph.ID{2}).ID())
			g, o = x, got
		}
		require.Equal(t, data, first.Encode(graph.ID{1}, graph.ID{2}).ID(), "what was before has not changed")
	}
	t.Run("random", func(t *testing.T) {
		for seed := uint64(1); seed <= 30; seed++ {
			rng, g, o, _ := randomCase(t, seed)
			check(t, rng, g, o, rng.IntN(5))
		}
	})
	t.Run("delaware", func(t *testing.T) {
		p := delaware(t)
		rng := rand.New(rand.NewPCG(2, 2))
		check(t, rng, p.expanded, p.overlay, 30)
	})
}

func TestUpdateRejectsWhatDoesNotFit(t *testing.T) {
	_, g, o, _ := randomCase(t, 3)
	_, err := o.Update(t.Context(), g, graph.MakeBits(g.NumNodes())[:0], 1)
	require.ErrorIs(t, err, ErrGraph)
	_, err = o.Update(t.Context(), &graph.Expanded{First: []graph.EdgeID{0}}, graph.MakeBits(g.NumNodes()), 1)
	require.ErrorIs(t, err, ErrGraph)
}

func TestSearchesAfterAnUpdate(t *testing.T) {
	for seed := uint64(1); seed <= 40; seed++ {
		rng, g, o, _ := randomCase(t, seed)
		x, changed := oracle.Change(rng, g, 3)
		o, err := o.Update(t.Context(), x, changed, 2)
		require.NoError(t, err)
		require.NoError(t, o.Verify())
		s := o.NewSearch(pool.New())
		for range 20 {
			sources, targets := oracle.RandomSeeds(rng, g, true), oracle.RandomSeeds(rng, g, false)
			q := oracle.Question{Sources: sources, Targets: targets, Want: oracle.Grow(x, nil, sources).To(targets)}
			oracle.CheckShortest(t, x, nil, s, &q, "")
		}
	}
}

func BenchmarkDelawareUpdate(b *testing.B) {
	p := delaware(b)
	rng := rand.New(rand.NewPCG(9, 9))
	for name, nodes := range map[string]int{"node": 1, "1%": p.expanded.NumNodes() / 100} {
		x, changed := oracle.Change(rng, p.expanded, nodes)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := p.overlay.Update(b.Context(), x, changed, 0)
				require.NoError(b, err)
			}
		})
	}
}
