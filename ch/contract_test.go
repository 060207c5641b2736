package ch

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/pool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// everyTenth returns the set of every tenth node, from the first on.
func everyTenth(n, first int) graph.Bits {
	set := graph.MakeBits(n)
	for v := first; v < n; v += 10 {
		set.Set(uint32(v))
	}
	return set
}

func encoded(t *testing.T, h *Hierarchy) []byte {
	t.Helper()
	var b bytes.Buffer
	_, err := h.Encode(graph.ID{1}, graph.ID{2}).WriteTo(&b)
	require.NoError(t, err)
	return b.Bytes()
}

func TestContractionIsTheSameOnAnyNumberOfWorkersAndAnyMemory(t *testing.T) {
	graphs := map[string]*graph.Expanded{
		"roads": testmap.Roads(20_000, 3),
		"grid":  uniformGrid(12),
	}
	for name, g := range graphs {
		t.Run(name, func(t *testing.T) {
			n := g.NumNodes()
			exclude := []graph.Bits{everyTenth(n, 3), nil, everyTenth(n, 7)}
			var want []byte
			for workers := 1; workers <= 4; workers++ {
				h, err := Contract(t.Context(), g, Options{Workers: workers, Memory: pool.Kind(workers - 1), Exclude: exclude})
				require.NoError(t, err)
				require.NoError(t, h.Verify())
				got := encoded(t, h)
				if want == nil {
					want = got
				}
				require.True(t, bytes.Equal(want, got), "%d workers", workers)
			}
		})
	}
}

func TestContractReportsProgress(t *testing.T) {
	g := testmap.Roads(5000, 1)
	n := g.NumNodes()
	last := 0
	progress := func(done, total int) {
		require.Equal(t, n, total)
		require.GreaterOrEqual(t, done, last)
		last = done
	}
	_, err := Contract(t.Context(), g, Options{Progress: progress})
	require.NoError(t, err)
	require.Equal(t, n, last)
	last = 0
	_, err = Contract(t.Context(), g, Options{Progress: progress, Exclude: []graph.Bits{everyTenth(n, 0)}})
	require.NoError(t, err)
	require.Equal(t, n, last)
}

func TestContractEndsWhenContextIsDone(t *testing.T) {
	g := testmap.Roads(20_000, 1)
	stop := errors.New("enough")
	for _, after := range []int{0, 1, g.NumNodes() / 2, g.NumNodes()*95/100 - 1} {
		ctx, cancel := context.WithCancelCause(t.Context())
		h, err := Contract(ctx, g, Options{
			Workers: 2,
			Exclude: []graph.Bits{everyTenth(g.NumNodes(), 0)},
			Progress: func(done, _ int) {
				if done >= after {
					cancel(stop)
				}
			},
		})
		require.ErrorIs(t, err, context.Canceled, "after %d nodes", after)
		require.Nil(t, h)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Contract(ctx, g, Options{})
	require.ErrorIs(t, err, context.Canceled)
}

func TestContractRejectsMalformedGraphs(t *testing.T) {
	arcs := []graph.Arc{{Head: 1, Weight: 1}, {Head: 0, Weight: 1}}
	for name, g := range map[string]*graph.Expanded{
		"no index":        {},
		"late start":      {First: []graph.EdgeID{1, 2}, Arcs: arcs},
		"early end":       {First: []graph.EdgeID{0, 1, 1}, Arcs: arcs},
		"decreasing":      {First: []graph.EdgeID{0, 2, 1, 2}, Arcs: arcs},
		"head":            {First: []graph.EdgeID{0, 2}, Arcs: arcs},
		"negative weight": {First: []graph.EdgeID{0, 1, 2}, Arcs: []graph.Arc{{Head: 1, Weight: -1}, {}}},
	} {
		_, err := Contract(t.Context(), g, Options{})
		require.ErrorIs(t, err, ErrGraph, name)
	}
	_, err := Contract(t.Context(), testmap.Roads(1000, 1), Options{Exclude: []graph.Bits{make(graph.Bits, 1)}})
	require.ErrorIs(t, err, ErrGraph)
}

func TestContractTakesDegenerateGraphs(t *testing.T) {
	invalid := graph.Arc{Head: 0, Weight: graph.InvalidWeight}
	heavy := graph.Arc{Head: 1, Weight: math.MaxInt32 - 1}
	for name, g := range map[string]*graph.Expanded{
		"empty":         oracle.Build(nil),
		"one node":      oracle.Build(make([][]graph.Arc, 1)),
		"closed edge":   oracle.Build([][]graph.Arc{{invalid}}),
		"heaviest edge": oracle.Build([][]graph.Arc{{heavy}, {heavy, {Head: 2, Weight: math.MaxInt32 - 1}}, {{Head: 0, Weight: 1}}}),
	} {
		n := g.NumNodes()
		all := graph.MakeBits(n)
		for v := range n {
			all.Set(uint32(v))
		}
		h, err := Contract(t.Context(), g, Options{Exclude: []graph.Bits{all, nil}})
		require.NoError(t, err, name)
		require.NoError(t, h.Verify(), name)
		require.Equal(t, n, h.NumNodes(), name)
		require.Equal(t, 3, h.NumSets(), name)
	}
}

// uniformGrid returns the edge-expanded graph of side × side streets of equal
// blocks, where all edges weigh the same and nobody turns around.
func uniformGrid(side int) *graph.Expanded {
	type block struct{ x, y, dx, dy int }
	steps := [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}
	id := map[block]graph.NodeID{}
	var blocks []block
	for y := range side {
		for x := range side {
			for _, d := range steps {
				if tx, ty := x+d[0], y+d[1]; tx >= 0 && ty >= 0 && tx < side && ty < side {
					b := block{x, y, d[0], d[1]}
					id[b] = graph.NodeID(len(blocks))
					blocks = append(blocks, b)
				}
			}
		}
	}
	out := make([][]graph.Arc, len(blocks))
	for i, b := range blocks {
		for _, d := range steps {
			next, ok := id[block{b.x + b.dx, b.y + b.dy, d[0], d[1]}]
			if ok && (d[0] != -b.dx || d[1] != -b.dy) {
				out[i] = append(out[i], graph.Arc{Head: next, Weight: 144, Duration: 144, Distance: 10_000})
			}
		}
	}
	return oracle.Build(out)
}

// BenchmarkContract contracts road-like graphs, for growth, and the grid whose
// equal weights defeat the search for witnesses.
func BenchmarkContract(b *testing.B) {
	graphs := []struct {
		name string
		make func() *graph.Expanded
	}{
		{"roads/nodes=100k", func() *graph.Expanded { return testmap.Roads(100_000, 1) }},
		{"roads/nodes=300k", func() *graph.Expanded { return testmap.Roads(300_000, 1) }},
		{"roads/nodes=1M", func() *graph.Expanded { return testmap.Roads(1_000_000, 1) }},
		{"grid/side=34", func() *graph.Expanded { return uniformGrid(34) }},
	}
	for _, c := range graphs {
		b.Run("map="+c.name, func(b *testing.B) {
			g := c.make()
			b.ReportAllocs()
			arcs := 0
			for b.Loop() {
				h, err := Contract(b.Context(), g, Options{})
				require.NoError(b, err)
				arcs = h.NumArcs()
			}
			b.ReportMetric(float64(arcs)/float64(g.NumNodes()), "arcs/node")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*g.NumNodes()), "ns/node")
		})
	}
}

// TestContractMakesTheGraphAgain: it asks for the graph once more, and gets the same
// Hierarchy from it, or notices that it is another.
func TestContractMakesTheGraphAgain(t *testing.T) {
	g := oracle.Random(rand.New(rand.NewPCG(7, 7)), 200)
	want, err := Contract(t.Context(), g, Options{})
	require.NoError(t, err)
	times := 0
	h, err := Contract(t.Context(), g, Options{Again: func() *graph.Expanded {
		times++
		return &graph.Expanded{First: g.First, Arcs: slices.Clone(g.Arcs)}
	}})
	require.NoError(t, err)
	require.Equal(t, want, h)
	require.Equal(t, 1, times)

	_, err = Contract(t.Context(), g, Options{Again: func() *graph.Expanded {
		return &graph.Expanded{First: []graph.EdgeID{0}}
	}})
	require.ErrorIs(t, err, ErrGraph)
}
