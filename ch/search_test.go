package ch

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/internal/testmap"
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
	memory := pool.New()
	for seed := first; seed < first+uint64(networks); seed++ {
		rng, g, exclude := randomCase(seed)
		h, err := Contract(ctx, g, Options{Workers: 1 + int(seed%3), Exclude: exclude})
		require.NoError(t, err, "seed %d", seed)
		require.NoError(t, h.Verify(), "seed %d", seed)
		s := h.NewSearch(memory)
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
			}
			oracle.CheckFrom(t, g, barred, s, questions, fmt.Sprint("-seed ", seed))
		}
		s.Release()
	}
	t.Logf("%d pairs, %d with a path, %d of them tied", pairs, found, tied)
}

// floydWarshall returns the least weight of a path of at least one edge between
// all pairs of nodes that are not barred.
func floydWarshall(g *graph.Expanded, barred graph.Bits) [][]int64 {
	n := g.NumNodes()
	bars := func(v int) bool { return barred != nil && barred.Get(uint32(v)) }
	d := make([][]int64, n)
	for v := range d {
		d[v] = make([]int64, n)
		for u := range d[v] {
			d[v][u] = oracle.Unreached
		}
		for e := g.First[v]; e < g.First[v+1]; e++ {
			a := &g.Arcs[e]
			if a.Weight != graph.InvalidWeight && !bars(v) && !bars(int(a.Head)) {
				d[v][a.Head] = min(d[v][a.Head], int64(a.Weight))
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				if d[i][k] != oracle.Unreached && d[k][j] != oracle.Unreached {
					d[i][j] = min(d[i][j], d[i][k]+d[k][j])
				}
			}
		}
	}
	return d
}

// tinyGraph builds a graph of what bytes say: the number of nodes, the excluded
// ones, and an edge by three bytes.
func tinyGraph(data []byte) (*graph.Expanded, graph.Bits) {
	if len(data) < 2 {
		return oracle.Build(nil), nil
	}
	n := 1 + int(data[0]%8)
	barred := graph.Bits{uint64(data[1]) & uint64(1<<n-1)}
	out := make([][]graph.Arc, n)
	for data = data[2:]; len(data) >= 3; data = data[3:] {
		u, v := int(data[0])%n, int(data[1])%n
		out[u] = append(out[u], graph.Arc{Head: graph.NodeID(v), Weight: graph.Weight(data[2] % 8), Duration: graph.Duration(data[2]), Distance: 1})
	}
	return oracle.Build(out), barred
}

func checkTiny(t *testing.T, memory *pool.Allocator, data []byte) {
	g, set := tinyGraph(data)
	n := g.NumNodes()
	if n == 0 {
		return
	}
	h, err := Contract(context.Background(), g, Options{Workers: 1, Exclude: []graph.Bits{set}})
	require.NoError(t, err)
	require.NoError(t, h.Verify())
	s := h.NewSearch(memory)
	defer s.Release()
	for i, barred := range []graph.Bits{nil, set} {
		s.SetExclude(i)
		want := floydWarshall(g, barred)
		for u := range n {
			for v := range n {
				if barred != nil && (barred.Get(uint32(u)) || barred.Get(uint32(v))) {
					continue
				}
				// From the end of u to the start of v, so that a node is not
				// its own target without leaving it.
				source, target := graph.Seed{Node: graph.NodeID(u), Weight: -1}, graph.Seed{Node: graph.NodeID(v)}
				f, ok, err := s.Shortest(context.Background(), []graph.Seed{source}, []graph.Seed{target})
				require.NoError(t, err)
				require.Equal(t, want[u][v] != oracle.Unreached, ok, "from %d to %d of %v without %v", u, v, g, barred)
				if !ok {
					continue
				}
				require.Equal(t, want[u][v]-1, int64(f.Weight), "from %d to %d of %v without %v", u, v, g, barred)
				edges := s.Path(nil)
				require.NotEmpty(t, edges)
				p, err := oracle.CheckPath(g, barred, source, target, edges)
				require.NoError(t, err, "from %d to %d of %v without %v", u, v, g, barred)
				require.Equal(t, int64(f.Weight), p.Weight)
			}
		}
	}
}

func TestTinyGraphsAgainstFloydWarshall(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	memory := pool.New()
	for range 3000 {
		data := make([]byte, 2+3*rng.IntN(30))
		for i := range data {
			data[i] = byte(rng.UintN(256))
		}
		checkTiny(t, memory, data)
		if t.Failed() {
			t.Fatalf("data %v", data)
		}
	}
}

func FuzzTinyGraphs(f *testing.F) {
	f.Add([]byte{3, 0, 0, 1, 0, 1, 2, 0, 2, 0, 0})          // a cycle of no weight
	f.Add([]byte{2, 0, 0, 0, 5, 0, 0, 3, 0, 1, 1, 1, 0, 1}) // loops
	f.Add([]byte{4, 2, 0, 1, 1, 1, 2, 1, 2, 3, 1, 0, 3, 7}) // the middle is barred
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 200 {
			return
		}
		checkTiny(t, pool.New(), data)
	})
}

// TestSameNode goes through the cases of source and target on one node, a ring
// of three nodes with a chord back.
func TestSameNode(t *testing.T) {
	g := oracle.Build([][]graph.Arc{
		{{Head: 1, Weight: 100}},
		{{Head: 2, Weight: 10}},
		{{Head: 0, Weight: 10}, {Head: 2, Weight: 7}},
	})
	h, err := Contract(t.Context(), g, Options{})
	require.NoError(t, err)
	s := h.NewSearch(pool.New())
	at := func(node graph.NodeID, w graph.Weight) graph.Seed { return graph.Seed{Node: node, Weight: w} }
	for name, c := range map[string]struct {
		sources, targets []graph.Seed
		want             graph.Found
		edges            []graph.EdgeID
	}{
		"ahead":             {[]graph.Seed{at(0, -20)}, []graph.Seed{at(0, 50)}, graph.Found{Weight: 30}, nil},
		"same place":        {[]graph.Seed{at(0, -20)}, []graph.Seed{at(0, 20)}, graph.Found{}, nil},
		"behind":            {[]graph.Seed{at(0, -50)}, []graph.Seed{at(0, 20)}, graph.Found{Weight: 90}, []graph.EdgeID{0, 1, 2}},
		"own edge":          {[]graph.Seed{at(2, -5)}, []graph.Seed{at(2, 1)}, graph.Found{Weight: 3}, []graph.EdgeID{3}},
		"other source":      {[]graph.Seed{at(0, -50), at(2, -5)}, []graph.Seed{at(0, 20)}, graph.Found{Source: 1, Weight: 25}, []graph.EdgeID{2}},
		"other target":      {[]graph.Seed{at(0, -50)}, []graph.Seed{at(0, 20), at(1, 0)}, graph.Found{Target: 1, Weight: 50}, []graph.EdgeID{0}},
		"two on the source": {[]graph.Seed{at(0, -50), at(0, -10)}, []graph.Seed{at(0, 20)}, graph.Found{Source: 1, Weight: 10}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f, ok, err := s.Shortest(t.Context(), c.sources, c.targets)
			require.NoError(t, err)
			require.True(t, ok)
			require.Equal(t, c.want, f)
			require.Equal(t, c.edges, s.Path(nil))
		})
	}
}

func TestSearchWithoutSeedsFindsNothing(t *testing.T) {
	h, err := Contract(t.Context(), testmap.Roads(1000, 1), Options{})
	require.NoError(t, err)
	s := h.NewSearch(pool.New())
	for _, c := range [][2][]graph.Seed{{}, {{{Node: 1}}, nil}, {nil, {{Node: 1}}}} {
		_, ok, err := s.Shortest(t.Context(), c[0], c[1])
		require.NoError(t, err)
		require.False(t, ok)
		require.Empty(t, s.Path(nil))
	}
}

func TestSearchEndsWhenContextIsDone(t *testing.T) {
	g := uniformGrid(20)
	h, err := Contract(t.Context(), g, Options{})
	require.NoError(t, err)
	s := h.NewSearch(pool.New())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, ok, err := s.Shortest(ctx, []graph.Seed{{Node: 0}}, []graph.Seed{{Node: 9}})
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, ok)
	require.Empty(t, s.Path(nil))

	// In the middle, where a search is long: half of the nodes are sources of
	// great weight, so that none meets the targets soon.
	big := testmap.Roads(60_000, 1)
	h, err = Contract(t.Context(), big, Options{})
	require.NoError(t, err)
	s = h.NewSearch(pool.New())
	var sources, targets []graph.Seed
	for v := range big.NumNodes() {
		seed := graph.Seed{Node: graph.NodeID(v), Weight: graph.Weight(v % 1000)}
		if v%2 == 0 {
			sources = append(sources, seed)
		} else if v%97 == 0 {
			seed.Weight += 1_000_000
			targets = append(targets, seed)
		}
	}
	_, ok, err = s.Shortest(&secondLook{Context: t.Context()}, sources, targets)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.False(t, ok)
	require.Less(t, s.Settled(), 10_000)
}

// secondLook is a context that is done when looked at for the second time.
type secondLook struct {
	context.Context
	looks int
}

func (c *secondLook) Err() error {
	if c.looks++; c.looks > 1 {
		return context.DeadlineExceeded
	}
	return nil
}

// Searches of one Search follow each other without a trace of the last one.
func TestSearchesAreIndependent(t *testing.T) {
	g := testmap.Roads(5000, 2)
	h, err := Contract(t.Context(), g, Options{Exclude: []graph.Bits{everyTenth(g.NumNodes(), 0)}})
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 1))
	used := h.NewSearch(pool.New())
	for range 300 {
		set := rng.IntN(2)
		from := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
		to := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
		fresh := h.NewSearch(pool.New())
		fresh.SetExclude(set)
		used.SetExclude(set)
		a, okA, errA := fresh.Shortest(t.Context(), from, to)
		b, okB, errB := used.Shortest(t.Context(), from, to)
		require.NoError(t, errA)
		require.NoError(t, errB)
		require.Equal(t, okA, okB)
		require.Equal(t, a, b)
		require.Equal(t, fresh.Path(nil), used.Path(nil))
		require.Equal(t, fresh.Settled(), used.Settled())
	}
}

func TestSearchAllocatesNothing(t *testing.T) {
	g := testmap.Roads(20_000, 1)
	h, err := Contract(t.Context(), g, Options{})
	require.NoError(t, err)
	memory := pool.New()
	s := h.NewSearch(memory)
	queries := randomQueries(g, 200)
	edges := make([]graph.EdgeID, 0, g.NumNodes())
	ctx := t.Context()
	run := func() {
		for i := range queries {
			_, ok, err := s.Shortest(ctx, queries[i][:1], queries[i][1:])
			if err != nil || !ok && len(s.Path(nil)) > 0 {
				t.Fatal(err)
			}
			edges = s.Path(edges[:0])
		}
	}
	run()
	require.Zero(t, testing.AllocsPerRun(5, run))
	s.Release()
	require.Zero(t, memory.Live())
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

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{100_000, 300_000} {
		g := testmap.Roads(n, 1)
		h, err := Contract(b.Context(), g, Options{})
		require.NoError(b, err)
		queries := randomQueries(g, 1000)
		edges := make([]graph.EdgeID, 0, g.NumNodes())
		for _, unpack := range []bool{false, true} {
			b.Run(fmt.Sprintf("map=roads/nodes=%dk/unpack=%v", n/1000, unpack), func(b *testing.B) {
				s := h.NewSearch(pool.New())
				b.ReportAllocs()
				i, settled, length := 0, 0, 0
				for b.Loop() {
					q := &queries[i%len(queries)]
					i++
					_, _, err := s.Shortest(b.Context(), q[:1], q[1:])
					require.NoError(b, err)
					settled += s.Settled()
					if unpack {
						edges = s.Path(edges[:0])
						length += len(edges)
					}
				}
				b.ReportMetric(float64(settled)/float64(b.N), "settled/op")
				if unpack {
					b.ReportMetric(float64(length)/float64(b.N), "edges/op")
				}
			})
		}
	}
}
