package ch

import (
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

func TestRandomTreesAgainstOracle(t *testing.T) {
	networks := 300
	if testing.Short() {
		networks = 30
	}
	first := uint64(1)
	if *seedFlag != 0 {
		first, networks = *seedFlag, 1
	}
	memory := pool.New()
	reached, unique := 0, 0
	for seed := first; seed < first+uint64(networks); seed++ {
		rng, g, exclude := randomCase(seed)
		h, err := Contract(t.Context(), g, Options{Workers: 1, Exclude: exclude})
		require.NoError(t, err, "seed %d", seed)
		tree := h.NewTree(memory)
		most := 0
		for i := range g.Arcs {
			if w := g.Arcs[i].Weight; w != graph.InvalidWeight {
				most = max(most, int(w))
			}
		}
		for range 6 {
			set := rng.IntN(len(exclude) + 1)
			tree.SetExclude(set)
			var barred graph.Bits
			if set > 0 {
				barred = exclude[set-1]
			}
			sources := oracle.RandomSeeds(rng, g, true)
			want := oracle.Grow(g, barred, sources)
			limit := Limit{}
			if rng.IntN(2) == 0 {
				limit.Weight = 1 + graph.Weight(rng.IntN(10*most+1))
			}
			if rng.IntN(3) == 0 {
				limit.Duration = 1 + graph.Duration(rng.IntN(5000))
			}
			require.NoError(t, tree.Grow(t.Context(), sources, limit))
			for v := range g.NumNodes() {
				node := graph.NodeID(v)
				got := tree.At(node)
				w := want.Weight[v]
				switch {
				case w == oracle.Unreached || limit.Weight != 0 && w > int64(limit.Weight):
					require.Equal(t, noPath, got, "-seed %d: %v to %d, %v", seed, sources, v, limit)
				case got.Weight == graph.InvalidWeight:
					require.NotZero(t, limit.Duration, "-seed %d: %v to %d", seed, sources, v)
				default:
					reached++
					require.Equal(t, w, int64(got.Weight), "-seed %d: %v to %d", seed, sources, v)
					if limit.Duration != 0 {
						require.LessOrEqual(t, got.Duration, limit.Duration)
					}
				}
			}
			for range 20 {
				targets := oracle.RandomSeeds(rng, g, false)
				if rng.IntN(4) == 0 {
					targets[0].Node = sources[0].Node
				}
				got, answer := tree.To(targets), want.To(targets)
				if limit != (Limit{}) {
					continue
				}
				require.Equal(t, answer.Reached, got.Weight != graph.InvalidWeight)
				if answer.Reached {
					require.Equal(t, answer.Weight, int64(got.Weight), "-seed %d: %v to %v", seed, sources, targets)
				}
				if answer.Unique {
					unique++
					require.Equal(t, answer.Duration, int64(got.Duration), "-seed %d: %v to %v", seed, sources, targets)
					require.Equal(t, max(0, answer.Distance), int64(got.Distance), "-seed %d: %v to %v", seed, sources, targets)
				}
			}
		}
		tree.Release()
	}
	require.Zero(t, memory.Live())
	t.Logf("%d nodes reached, %d unique paths", reached, unique)
}

func TestTreeIsEmptyAfterAnError(t *testing.T) {
	g := testmap.Roads(20_000, 1)
	h, err := Contract(t.Context(), g, Options{})
	require.NoError(t, err)
	tree := h.NewTree(pool.New())
	sources := []graph.Seed{{Node: 7}}
	for looks := range 4 {
		require.ErrorIs(t, tree.Grow(&laterLook{Context: t.Context(), left: looks}, sources, Limit{}), context.DeadlineExceeded)
		require.Equal(t, noPath, tree.At(9))
		require.Equal(t, noPath, tree.To(sources))
	}
}

func TestTreeAllocatesNothing(t *testing.T) {
	g := testmap.Roads(20_000, 1)
	h, err := Contract(t.Context(), g, Options{})
	require.NoError(t, err)
	tree := h.NewTree(pool.New())
	sources := []graph.Seed{{Node: 7}, {Node: 12, Weight: 3}}
	ctx := t.Context()
	run := func() {
		if tree.Grow(ctx, sources, Limit{}) != nil || tree.At(9) == noPath || tree.To(sources) == noPath {
			t.Fatal("no tree")
		}
	}
	run()
	require.Zero(t, testing.AllocsPerRun(3, run))
}

func BenchmarkDelawareTree(b *testing.B) {
	d := openDelaware(b)
	rng := rand.New(rand.NewPCG(6, 1))
	places := d.places(rng, 100, -1)
	tree := d.hierarchy.NewTree(pool.New())
	for _, minutes := range []graph.Duration{0, 10} {
		b.Run(fmt.Sprintf("minutes=%d", minutes), func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				// The weight of a car is in tenths of a second too.
				if err := tree.Grow(b.Context(), places[i%len(places)], Limit{Weight: graph.Weight(600 * minutes)}); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}
