package mld

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/file"
)

func encodedCells(t testing.TB, c *Cells) []byte {
	t.Helper()
	var b bytes.Buffer
	_, err := c.Encode(graph.ID{1}).WriteTo(&b)
	require.NoError(t, err)
	return b.Bytes()
}

// heads returns where the edges of a graph lead.
func heads(g *graph.Expanded) []graph.NodeID {
	head := make([]graph.NodeID, len(g.Arcs))
	for e := range g.Arcs {
		head[e] = g.Arcs[e].Head
	}
	return head
}

// Cells from a file give the same overlay as those that were written.
func TestFileHoldsTheCells(t *testing.T) {
	for seed := uint64(1); seed <= 40; seed++ {
		_, g, o, exclude := randomCase(t, seed)
		f, err := file.Decode("test.cells", encodedCells(t, o.Cells()))
		require.NoError(t, err)
		c, err := decodeCells(f, g.First, heads(g))
		require.NoError(t, err, "seed %d", seed)
		again, err := Customize(t.Context(), c, g, CustomizeOptions{Exclude: exclude})
		require.NoError(t, err)
		require.Equal(t, encoded(t, o), encoded(t, again), "seed %d", seed)
	}
}

// Sections that contradict each other or the network give errors.
func TestCellsThatDoNotFit(t *testing.T) {
	first, head := []graph.EdgeID{0, 1, 2, 2}, []graph.NodeID{1, 2}
	for name, c := range map[string]struct{ leaf, counts, parent []uint32 }{
		"other network":    {leaf: []uint32{0, 0}},
		"leaf beyond":      {leaf: []uint32{0, 1, 2}, counts: []uint32{2}, parent: []uint32{0, 0}},
		"leaf of no level": {leaf: []uint32{0, 0, 1}},
		"no cells":         {leaf: []uint32{0, 0, 0}, counts: []uint32{0}},
		"too many cells":   {leaf: []uint32{0, 0, 0}, counts: []uint32{4}},
		"parent short":     {leaf: []uint32{0, 1, 2}, counts: []uint32{3, 2}, parent: []uint32{0, 0, 1, 0}},
		"parent long":      {leaf: []uint32{0, 1, 2}, counts: []uint32{3, 2}, parent: []uint32{0, 0, 1, 0, 0, 0}},
		"parent beyond":    {leaf: []uint32{0, 1, 2}, counts: []uint32{3, 2}, parent: []uint32{0, 1, 2, 0, 0}},
		"parent mixed":     {leaf: []uint32{0, 1, 2}, counts: []uint32{3, 2}, parent: []uint32{0, 1, 0, 0, 0}},
		"parent first":     {leaf: []uint32{0, 1, 2}, counts: []uint32{3, 2}, parent: []uint32{1, 1, 1, 0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			w := file.NewWriter(cellsKind, cellsVersion)
			file.Put(w, "leaf", appendRuns(nil, c.leaf))
			file.Put(w, "counts", c.counts)
			file.Put(w, "parent", c.parent)
			var b bytes.Buffer
			_, err := w.WriteTo(&b)
			require.NoError(t, err)
			f, err := file.Decode("test.cells", b.Bytes())
			require.NoError(t, err)
			_, err = decodeCells(f, first, head)
			var fault *graph.FileError
			require.ErrorAs(t, err, &fault)
			require.ErrorIs(t, err, graph.ErrCorrupt)
		})
	}
}

func TestRuns(t *testing.T) {
	for _, values := range [][]uint32{nil, {5}, {0, 0, 7, 7, 7, 3, math.MaxUint32, 0}} {
		runs := appendRuns(nil, values)
		again := make([]uint32, len(values))
		require.True(t, readRuns(again, runs))
		require.ElementsMatch(t, values, again)
		require.Equal(t, len(values) == 0, readRuns(nil, runs))
		require.False(t, readRuns(make([]uint32, len(values)+1), runs))
		for n := range runs {
			require.False(t, readRuns(again, runs[:n]))
		}
	}
	for _, runs := range [][]byte{{0, 0}, {1, 1}, {1, 0xff}, {0xff}, {1, 0xfe, 0xff, 0xff, 0xff, 0xff, 1}} {
		require.False(t, readRuns(make([]uint32, 1), runs)) // no run, below 0, cut off, beyond 32 bits
	}
}
