package mld

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
)

// TestCellsNest: numbers name as many cells as there are, each within one of the next
// level.
func TestCellsNest(t *testing.T) {
	c := delaware(t).overlay.Cells()
	require.Positive(t, c.NumLevels())
	for l := 1; l <= c.NumLevels(); l++ {
		parent := map[uint64]uint64{}
		for v := range graph.NodeID(c.NumNodes()) {
			cell, up := c.Cell(v, l), uint64(0)
			if l < c.NumLevels() {
				up = c.Cell(v, l+1)
			}
			if known, ok := parent[cell]; ok {
				require.Equal(t, known, up)
			}
			parent[cell] = up
		}
		require.Len(t, parent, c.Stats(l).Cells)
	}
}
