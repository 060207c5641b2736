package mld

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/pool"
)

var looseRules = graph.AlternativeRules{Shared: 0.8, Optimal: 0.2, Candidates: 20}

func TestRandomAlternativesKeepTheRules(t *testing.T) {
	networks := 150
	if testing.Short() {
		networks = 20
	}
	first := uint64(1)
	if *seedFlag != 0 {
		first, networks = *seedFlag, 1
	}
	memory := pool.New()
	total := 0
	for seed := first; seed < first+uint64(networks); seed++ {
		rng, g, o, exclude := randomCase(t, seed)
		s := o.NewSearch(memory)
		for range 20 {
			set := rng.IntN(len(exclude) + 1)
			s.SetExclude(set)
			var barred graph.Bits
			if set > 0 {
				barred = exclude[set-1]
			}
			sources, targets := oracle.RandomSeeds(rng, g, true), oracle.RandomSeeds(rng, g, false)
			total += checkAlternatives(t, seed, g, barred, s, sources, targets, 3, looseRules)
		}
		s.Release()
	}
	require.Zero(t, memory.Live())
	t.Logf("%d alternatives", total)
}

// checkAlternatives checks paths and returns their number.
func checkAlternatives(t *testing.T, seed uint64, g *graph.Expanded, barred graph.Bits, s *Search, sources, targets []graph.Seed, n int, rules graph.AlternativeRules) int {
	t.Helper()
	want, ok, err := s.Shortest(t.Context(), sources, targets)
	require.NoError(t, err)
	shortest := s.Path(nil)
	count, err := s.Alternatives(t.Context(), sources, targets, n, rules)
	require.NoError(t, err)
	if !ok {
		require.Zero(t, count)
		return 0
	}
	require.Positive(t, count)
	require.LessOrEqual(t, count, n+1)
	f, edges := s.AlternativePath(0, nil)
	require.Equal(t, want, f)
	require.Equal(t, shortest, edges)
	p, err := oracle.CheckPath(g, barred, sources[f.Source], targets[f.Target], edges)
	require.NoError(t, err)
	longest := float64(p.Duration) * (1 + graph.AlternativeStretch(graph.Duration(max(0, p.Duration))))
	seen := [][]graph.EdgeID{edges}
	for i := 1; i < count; i++ {
		f, edges := s.AlternativePath(i, nil)
		require.GreaterOrEqual(t, f.Weight, want.Weight)
		a, err := oracle.CheckPath(g, barred, sources[f.Source], targets[f.Target], edges)
		require.NoError(t, err)
		require.Equal(t, a.Weight, int64(f.Weight))
		require.LessOrEqual(t, float64(a.Duration), longest, "-seed %d: %v to %v", seed, sources, targets)
		require.LessOrEqual(t, sharedWith(g, edges, shortest), rules.Shared+1e-9, "-seed %d: %v to %v", seed, sources, targets)
		for _, other := range seen {
			require.NotEqual(t, other, edges)
		}
		seen = append(seen, edges)
		nodes := []graph.NodeID{sources[f.Source].Node}
		for _, e := range edges {
			nodes = append(nodes, g.Arcs[e].Head)
		}
		slices.Sort(nodes)
		require.Len(t, slices.Compact(nodes), len(edges)+1, "-seed %d: %v to %v: a node twice", seed, sources, targets)
	}
	return count - 1
}

// sharedWith returns the part of a path's duration that another has too.
func sharedWith(g *graph.Expanded, edges, other []graph.EdgeID) float64 {
	total, shared := 0.0, 0.0
	for _, e := range edges {
		d := float64(g.Arcs[e].Duration)
		total += d
		if slices.Contains(other, e) {
			shared += d
		}
	}
	if total == 0 {
		return 1
	}
	return shared / total
}

// Pieces of an alternative as long as the rules ask for are shortest paths.
func TestAlternativesAreLocallyOptimal(t *testing.T) {
	g := testmap.Roads(3000, 4)
	o := overlayOf(t, g)
	s, pieces := o.NewSearch(pool.New()), o.NewSearch(pool.New())
	rng := rand.New(rand.NewPCG(2, 2))
	alternatives, checked := 0, 0
	for range 150 {
		sources := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
		targets := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
		count := checkAlternatives(t, 0, g, nil, s, sources, targets, 3, looseRules) + 1
		if count == 1 {
			continue
		}
		_, shortest := s.AlternativePath(0, nil)
		for i := 1; i < count; i++ {
			alternatives++
			_, edges := s.AlternativePath(i, nil)
			at := []int64{0}
			nodes := []graph.NodeID{sources[0].Node}
			from, to := int64(-1), int64(0)
			for _, e := range edges {
				at = append(at, at[len(at)-1]+int64(g.Arcs[e].Weight))
				nodes = append(nodes, g.Arcs[e].Head)
				if !slices.Contains(shortest, e) {
					to = at[len(at)-1]
					if from < 0 {
						from = at[len(at)-2]
					}
				}
			}
			length := int64(looseRules.Optimal * float64(to-from))
			for x := range nodes {
				y := x
				for y+1 < len(nodes) && at[y+1]-at[x] <= length {
					y++
				}
				if y == x {
					continue
				}
				f, ok, err := pieces.Shortest(t.Context(), []graph.Seed{{Node: nodes[x]}}, []graph.Seed{{Node: nodes[y]}})
				require.NoError(t, err)
				require.True(t, ok)
				require.Equal(t, at[y]-at[x], int64(f.Weight))
				checked++
			}
		}
	}
	t.Logf("%d alternatives, %d pieces", alternatives, checked)
	require.Greater(t, alternatives, 50)
}

func TestAlternativesAreDeterministic(t *testing.T) {
	g := testmap.Roads(5000, 4)
	o := overlayOf(t, g)
	rng := rand.New(rand.NewPCG(2, 3))
	used := o.NewSearch(pool.New())
	for range 60 {
		sources := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
		targets := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
		fresh := o.NewSearch(pool.New())
		a, err := fresh.Alternatives(t.Context(), sources, targets, 3, looseRules)
		require.NoError(t, err)
		b, err := used.Alternatives(t.Context(), sources, targets, 3, looseRules)
		require.NoError(t, err)
		require.Equal(t, a, b)
		for i := range a {
			f, x := fresh.AlternativePath(i, nil)
			g, y := used.AlternativePath(i, nil)
			require.Equal(t, f, g)
			require.Equal(t, x, y)
		}
	}
}

func TestAlternativesEndWhenContextIsDone(t *testing.T) {
	g := testmap.Roads(20_000, 4)
	o := overlayOf(t, g)
	s := o.NewSearch(pool.New())
	for _, q := range randomQueries(g, 20) {
		f, ok, err := s.Shortest(t.Context(), q[:1], q[1:])
		require.NoError(t, err)
		if !ok || f.Weight < 1000 {
			continue
		}
		for looks := range 3 {
			count, err := s.Alternatives(&laterLook{Context: t.Context(), left: looks}, q[:1], q[1:], 3, looseRules)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Zero(t, count)
			require.Empty(t, s.Path(nil))
		}
		return
	}
	t.Fatal("no path")
}

func TestAlternativesAllocateNothing(t *testing.T) {
	g := testmap.Roads(20_000, 4)
	o := overlayOf(t, g)
	memory := pool.New()
	s := o.NewSearch(memory)
	queries := randomQueries(g, 50)
	edges := make([]graph.EdgeID, 0, g.NumNodes())
	ctx := t.Context()
	run := func() {
		for i := range queries {
			count, err := s.Alternatives(ctx, queries[i][:1], queries[i][1:], 3, looseRules)
			if err != nil {
				t.Fatal(err)
			}
			for j := range count {
				_, edges = s.AlternativePath(j, edges[:0])
			}
		}
	}
	run()
	require.Zero(t, testing.AllocsPerRun(3, run))
	s.Release()
	require.Zero(t, memory.Live())
}

// overlayOf cuts a graph into strips.
func overlayOf(t *testing.T, g *graph.Expanded) *Overlay {
	s := nesting{leaf: make([]uint32, g.NumNodes())}
	for v := range s.leaf {
		s.leaf[v] = uint32(v / 150)
	}
	s.cells = int(s.leaf[len(s.leaf)-1]) + 1
	for cells := s.cells; cells > 4; {
		parent := make([]uint32, cells)
		for c := range parent {
			parent[c] = uint32(c / 4)
		}
		s.parent = append(s.parent, parent)
		cells = int(parent[cells-1]) + 1
	}
	head := make([]graph.NodeID, len(g.Arcs))
	for e := range g.Arcs {
		head[e] = g.Arcs[e].Head
	}
	c, err := newCells(g.First, head, s)
	require.NoError(t, err)
	o, err := Customize(t.Context(), c, g, CustomizeOptions{})
	require.NoError(t, err)
	return o
}

// randomQueries returns pairs of a source and a target.
func randomQueries(g *graph.Expanded, n int) [][2]graph.Seed {
	rng := rand.New(rand.NewPCG(9, 9))
	queries := make([][2]graph.Seed, n)
	for i := range queries {
		for j := range queries[i] {
			queries[i][j].Node = graph.NodeID(rng.IntN(g.NumNodes()))
		}
	}
	return queries
}

// laterLook is a context that is done after so many looks.
type laterLook struct {
	context.Context
	left int
}

func (c *laterLook) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

func BenchmarkDelawareAlternatives(b *testing.B) {
	p := delaware(b)
	sources, targets := p.pairs(500)
	s := p.overlay.NewSearch(pool.New())
	edges := make([]graph.EdgeID, 0, p.expanded.NumNodes())
	best := make([]time.Duration, len(sources))
	i, found, candidates, settled := 0, 0, 0, 0
	b.ReportAllocs()
	for b.Loop() {
		at := i % len(sources)
		start := time.Now()
		count, err := s.Alternatives(b.Context(), sources[at], targets[at], 3, graph.AlternativeRulesFor(60_000))
		if err != nil {
			b.Fatal(err)
		}
		for j := range count {
			_, edges = s.AlternativePath(j, edges[:0])
		}
		if took := time.Since(start); i < len(sources) || took < best[at] {
			best[at] = took
		}
		found += count
		candidates += len(s.alternatives.candidates)
		settled += s.Settled()
		i++
	}
	best = best[:min(i, len(best))]
	slices.Sort(best)
	b.ReportMetric(float64(found)/float64(i), "paths/op")
	b.ReportMetric(float64(candidates)/float64(i), "candidates/op")
	b.ReportMetric(float64(settled)/float64(i), "settled/op")
	b.ReportMetric(float64(best[len(best)/2].Nanoseconds())/1000, "p50-µs")
	b.ReportMetric(float64(best[len(best)*99/100].Nanoseconds())/1000, "p99-µs")
}
