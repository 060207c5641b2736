package mld

import (
	"errors"
	"fmt"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/file"
)

// A .cells file has these sections, for a graph of n nodes and c cells on l levels:
//
//	leaf    uint32 [n]  cell of level 1 by NodeID
//	counts  uint32 [l]  cells of each level
//	parent  uint32 [c]  cell of the next level, level by level; 0 at the highest
//
// The rest of Cells follows from it and the network.
const cellsVersion = 1

var cellsKind = file.Kind{'c', 'e', 'l', 'l'}

// Encode returns a writer of the file of the Cells, bound to the network with the
// given id.
func (c *Cells) Encode(network graph.ID) *file.Writer {
	s, counts := c.nested()
	return s.encode(network, counts)
}

// Encode returns a writer of the file of the Cells that the Division gives, bound to
// the network with the given id.
func (d *Division) Encode(network graph.ID) *file.Writer {
	if d.cells <= 1 {
		return d.encode(network, nil)
	}
	counts := []int{d.cells}
	for _, parent := range d.parent {
		counts = append(counts, int(parent[len(parent)-1])+1)
	}
	return d.encode(network, counts)
}

// encode is Encode, given the number of cells of each level.
func (s *nesting) encode(network graph.ID, cells []int) *file.Writer {
	counts := make([]uint32, len(cells))
	var parent []uint32
	for l, n := range cells {
		counts[l] = uint32(n)
		if l < len(s.parent) {
			parent = append(parent, s.parent[l]...)
		} else {
			parent = append(parent, make([]uint32, n)...)
		}
	}
	w := file.NewWriter(cellsKind, cellsVersion)
	w.Bind(network)
	file.Put(w, "leaf", s.leaf)
	file.Put(w, "counts", counts)
	file.Put(w, "parent", parent)
	return w
}

// DecodeCells makes the Cells of a network again from an open file, which it
// reads and checks as a whole and does not keep. Errors are of type
// *graph.FileError.
func DecodeCells(f *file.File, network *graph.NetworkFile) (*Cells, error) {
	if err := f.Expect(cellsKind, cellsVersion, network.ID()); err != nil {
		return nil, err
	}
	if err := f.Verify(); err != nil {
		return nil, err
	}
	return decodeCells(f, network.EdgeFirst, network.EdgeHead)
}

func decodeCells(f *file.File, first []graph.EdgeID, head []graph.NodeID) (*Cells, error) {
	s := sections{f: f}
	n := nesting{leaf: sized[uint32](&s, "leaf", len(first)-1), cells: 1}
	counts := get[uint32](&s, "counts")
	parent := slices.Clone(get[uint32](&s, "parent")) // which the Cells keep
	levels := make([]int, len(counts))
	for l, count := range counts {
		s.expect(count > 0 && int64(count) <= int64(len(parent)), "counts", "level %d has %d cells, of which %d are listed", l+1, count, len(parent))
		if s.err != nil {
			break
		}
		levels[l] = int(count)
		if l < len(counts)-1 {
			n.parent = append(n.parent, parent[:count])
		}
		parent = parent[count:]
	}
	if len(levels) > 0 {
		n.cells = levels[0]
	}
	s.expect(len(parent) == 0, "parent", "%d elements too many", len(parent))
	if s.err != nil {
		return nil, s.err
	}
	if err := n.check(levels); err != nil {
		return nil, f.Fault("leaf", 0, "%v", err)
	}
	c, err := newCells(first, head, n)
	if errors.Is(err, ErrGraph) {
		return nil, fmt.Errorf("%w; partition the network again", err)
	}
	return c, err
}
