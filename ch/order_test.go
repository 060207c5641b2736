package ch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/pool"
)

// anyOrder returns the Order of a graph in random order: each node is a part, and a
// layer, of its own, or all are one part.
func anyOrder(tb testing.TB, rng *rand.Rand, g *graph.Expanded) *Order {
	tb.Helper()
	n := g.NumNodes()
	s := placing{part: make([]uint32, n), layer: make([]uint32, 1, max(n, 1))}
	if rng.IntN(3) > 0 {
		s.layer = s.layer[:0]
		for i, p := range rng.Perm(n) {
			s.part[i] = uint32(p)
			s.layer = append(s.layer, uint32(i))
		}
	}
	heads := make([]graph.NodeID, len(g.Arcs))
	for e := range heads {
		heads[e] = g.Arcs[e].Head
	}
	o, err := fillIn(context.Background(), g.First, heads, s)
	require.NoError(tb, err)
	return o
}

// Any order must do, and all that a Hierarchy is asked for.
func TestCustomizedRandomNetworksAgainstOracle(t *testing.T) {
	networks := 200
	if testing.Short() {
		networks = 20
	}
	first := uint64(1)
	if *seedFlag != 0 {
		first, networks = *seedFlag, 1
	}
	memory := pool.New()
	for seed := first; seed < first+uint64(networks); seed++ {
		rng, g, exclude := randomCase(seed)
		o := anyOrder(t, rng, g)
		require.NoError(t, o.Verify())
		var barred graph.Bits
		if len(exclude) > 0 {
			barred = exclude[0]
		}
		h, err := o.Customize(t.Context(), g, CustomizeOptions{Workers: 1 + int(seed%3), Exclude: barred})
		require.NoError(t, err, "seed %d", seed)
		require.NoError(t, h.Verify(), "seed %d", seed)
		s := h.NewSearch(memory)
		for range 8 {
			sources := oracle.Spend(rng, oracle.RandomSeeds(rng, g, true))
			tree := oracle.Grow(g, barred, sources)
			var questions []oracle.Question
			for range 10 {
				targets := oracle.RandomSeeds(rng, g, false)
				if rng.IntN(4) == 0 {
					targets[0].Node = sources[rng.IntN(len(sources))].Node
				}
				questions = append(questions, oracle.Question{Sources: sources, Targets: targets, Want: tree.To(targets)})
				oracle.CheckShortest(t, g, barred, s, &questions[len(questions)-1], fmt.Sprint("-seed ", seed))
			}
			oracle.CheckFrom(t, g, barred, s, questions, fmt.Sprint("-seed ", seed))
			checkAlternatives(t, seed, g, barred, s, oracle.RandomSeeds(rng, g, true), oracle.RandomSeeds(rng, g, false), 3, looseRules)
			m, n := randomShape(rng)
			c := tableCase{T: t, seed: seed, sources: randomSets(rng, g, m, true), targets: randomSets(rng, g, n, false)}
			c.answer(s, g, barred)
			for _, way := range []tableWay{byRule, byBuckets, downward, upward} {
				c.check(s, way)
			}
		}
		tree := h.NewTree(memory)
		sources := oracle.RandomSeeds(rng, g, true)
		require.NoError(t, tree.Grow(t.Context(), sources, Limit{}))
		want := oracle.Grow(g, barred, sources)
		for v := range g.NumNodes() {
			if got := tree.At(graph.NodeID(v)); want.Weight[v] < int64(graph.InvalidWeight) {
				require.Equal(t, want.Weight[v], int64(got.Weight), "-seed %d: node %d", seed, v)
			}
		}
		tree.Release()
		s.Release()
	}
	require.Zero(t, memory.Live())
}

func TestUpdateIsWhatCustomizeIs(t *testing.T) {
	for seed := uint64(1); seed <= 100; seed++ {
		rng, g, exclude := randomCase(seed)
		o := anyOrder(t, rng, g)
		options := CustomizeOptions{Workers: 1 + int(seed%3)}
		if len(exclude) > 0 {
			options.Exclude = exclude[0]
		}
		first, err := o.Customize(t.Context(), g, options)
		require.NoError(t, err)
		before, data, at := first, encoded(t, first), g
		for range 3 {
			x, changed := oracle.Change(rng, at, rng.IntN(5))
			h, err := o.Update(t.Context(), before, x, changed, options)
			require.NoError(t, err)
			require.NoError(t, h.Verify())
			want, err := o.Customize(t.Context(), x, options)
			require.NoError(t, err)
			require.Equal(t, encoded(t, want), encoded(t, h), "seed %d", seed)
			before, at = h, x
		}
		require.Equal(t, data, encoded(t, first), "what was before has not changed")
	}
}

func TestDelawareCustomized(t *testing.T) {
	d := openDelaware(t)
	o := d.dissected(t)
	require.NoError(t, o.Verify())
	require.Less(t, o.NumArcs(), 8*o.NumNodes())
	h, err := o.Customize(t.Context(), d.graph, CustomizeOptions{})
	require.NoError(t, err)
	require.NoError(t, h.Verify())
	alone, err := o.Customize(t.Context(), d.graph, CustomizeOptions{Workers: 1})
	require.NoError(t, err)
	require.Equal(t, alone.arcs, h.arcs)
	require.Equal(t, alone.child, h.child)
	rng := rand.New(rand.NewPCG(4, 4))
	a, b := d.hierarchy.NewSearch(pool.New()), h.NewSearch(pool.New())
	for range 500 {
		sources, targets := []graph.Seed{d.somewhere(rng, -1)}, []graph.Seed{d.somewhere(rng, 1)}
		want, wantOK, err := a.Shortest(t.Context(), sources, targets)
		require.NoError(t, err)
		got, ok, err := b.Shortest(t.Context(), sources, targets)
		require.NoError(t, err)
		require.Equal(t, wantOK, ok)
		require.Equal(t, want, got)
	}

	// Another Hierarchy of the same Order takes its place in a Search.
	for set, excluded := range d.exclude {
		barred, err := o.Customize(t.Context(), d.graph, CustomizeOptions{Exclude: excluded})
		require.NoError(t, err)
		a.SetExclude(set + 1)
		b.Use(barred)
		for range 50 {
			sources, targets := []graph.Seed{d.somewhere(rng, -1)}, []graph.Seed{d.somewhere(rng, 1)}
			want, wantOK, err := a.Shortest(t.Context(), sources, targets)
			require.NoError(t, err)
			got, ok, err := b.Shortest(t.Context(), sources, targets)
			require.NoError(t, err)
			require.Equal(t, wantOK, ok)
			require.Equal(t, want, got)
		}
	}
}

// Searches of a customized Hierarchy need no memory once they have had it, whichever
// Hierarchy of the Order they go by.
func TestCustomizedSearchesDoNotAllocate(t *testing.T) {
	d := openDelaware(t)
	o := d.dissected(t)
	h, err := o.Customize(t.Context(), d.graph, CustomizeOptions{})
	require.NoError(t, err)
	x, changed := oracle.Change(rand.New(rand.NewPCG(7, 7)), d.graph, 100)
	updated, err := o.Update(t.Context(), h, x, changed, CustomizeOptions{})
	require.NoError(t, err)
	memory := pool.New()
	s := h.NewSearch(memory)
	rng := rand.New(rand.NewPCG(8, 8))
	var sources, targets [][]graph.Seed
	for range 30 {
		sources = append(sources, []graph.Seed{d.somewhere(rng, -1)})
		targets = append(targets, []graph.Seed{d.somewhere(rng, 1)})
	}
	ctx := t.Context()
	edges := make([]graph.EdgeID, 0, d.graph.NumNodes())
	run := func() {
		for i := range sources {
			s.Use(h)
			if i%2 == 0 {
				s.Use(updated)
			}
			if _, _, err := s.Shortest(ctx, sources[i], targets[i]); err != nil {
				t.Fatal(err)
			}
			edges = s.Path(edges[:0])
		}
		if err := s.Table(ctx, sources, targets, func(int, []graph.Cell) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	run()
	require.Zero(t, testing.AllocsPerRun(3, run))
	s.Release()
	require.Zero(t, memory.Live())
}

func TestCustomizeRejectsOtherGraphs(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	g := oracle.Random(rng, 50)
	o := anyOrder(t, rng, g)
	h, err := o.Customize(t.Context(), g, CustomizeOptions{})
	require.NoError(t, err)
	fresh := func() *graph.Expanded {
		return &graph.Expanded{First: append([]graph.EdgeID(nil), g.First...), Arcs: append([]graph.Arc(nil), g.Arcs...)}
	}
	for name, change := range map[string]func(x *graph.Expanded){
		"node more": func(x *graph.Expanded) { x.First = append(x.First, x.First[len(x.First)-1]) },
		"edge more": func(x *graph.Expanded) { x.Arcs = append(x.Arcs, x.Arcs[0]); x.First[len(x.First)-1]++ },
		"weight":    func(x *graph.Expanded) { x.Arcs[0].Weight = -1 },
		"head": func(x *graph.Expanded) {
			for e := range x.Arcs {
				x.Arcs[e].Head = (x.Arcs[e].Head + 1) % graph.NodeID(g.NumNodes())
			}
		},
		"tail": func(x *graph.Expanded) {
			for v := 1; v < len(x.First)-1; v++ {
				x.First[v] = x.First[len(x.First)-1]
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := fresh()
			change(x)
			_, err := o.Customize(t.Context(), x, CustomizeOptions{})
			require.ErrorIs(t, err, ErrGraph)
			_, err = o.Update(t.Context(), h, x, graph.MakeBits(x.NumNodes()), CustomizeOptions{})
			require.ErrorIs(t, err, ErrGraph)
		})
	}
	_, err = o.Customize(t.Context(), g, CustomizeOptions{Exclude: make(graph.Bits, 1)[:0:0]})
	require.NoError(t, err)
	none := graph.MakeBits(50)
	_, err = o.Update(t.Context(), h, g, none, CustomizeOptions{Exclude: everyTenth(50, 1)})
	require.ErrorIs(t, err, ErrGraph, "the hierarchy excludes nothing")
	_, err = o.Update(t.Context(), h, g, none[:0], CustomizeOptions{})
	require.ErrorIs(t, err, ErrGraph, "the changed set is too small")
	other, err := Contract(t.Context(), g, Options{})
	require.NoError(t, err)
	_, err = o.Update(t.Context(), other, g, none, CustomizeOptions{})
	require.ErrorIs(t, err, ErrGraph)
}

func TestCustomizationEndsWhenContextIsDone(t *testing.T) {
	d := openDelaware(t)
	o := d.dissected(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Dissect(ctx, d.network, OrderOptions{})
	require.ErrorIs(t, err, context.Canceled)
	_, err = o.Customize(ctx, d.graph, CustomizeOptions{})
	require.ErrorIs(t, err, context.Canceled)
}

func TestDissectReportsProgress(t *testing.T) {
	d := openDelaware(t)
	last, total := 0, len(d.network.JunctionPlace)
	_, err := Dissect(t.Context(), d.network, OrderOptions{Progress: func(done, n int) {
		require.Equal(t, total, n)
		require.Greater(t, done, last)
		last = done
	}})
	require.NoError(t, err)
	require.Equal(t, total, last)
}

func BenchmarkDelawareCustomize(b *testing.B) {
	d := openDelaware(b)
	o := d.dissected(b)
	h, err := o.Customize(b.Context(), d.graph, CustomizeOptions{})
	require.NoError(b, err)
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			_, err := o.Customize(b.Context(), d.graph, CustomizeOptions{})
			require.NoError(b, err)
		}
	})
	rng := rand.New(rand.NewPCG(9, 9))
	for name, nodes := range map[string]int{"node": 1, "1%": d.graph.NumNodes() / 100} {
		x, changed := oracle.Change(rng, d.graph, nodes)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := o.Update(b.Context(), h, x, changed, CustomizeOptions{})
				require.NoError(b, err)
			}
		})
	}
}
