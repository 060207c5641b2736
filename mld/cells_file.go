package mld

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/file"
)

// A .cells file has these sections, for a graph of n nodes and c cells on l levels:
//
//	leaf    bytes       cell of level 1 by NodeID: of each run of equal ones the
//	                    length, and how much more the cell is than the one before, as
//	                    varints of package encoding/binary, unsigned and signed
//	counts  uint32 [l]  cells of each level
//	parent  uint32 [c]  cell of the next level, level by level; 0 at the highest
//
// The rest of Cells follows from it and the network.
const cellsVersion = 2

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
	file.Put(w, "leaf", appendRuns(nil, s.leaf))
	file.Put(w, "counts", counts)
	file.Put(w, "parent", parent)
	return w
}

// appendRuns appends the runs of equal values.
func appendRuns(dst []byte, values []uint32) []byte {
	last := uint32(0)
	for i := 0; i < len(values); {
		n := i
		for n < len(values) && values[n] == values[i] {
			n++
		}
		dst = binary.AppendUvarint(dst, uint64(n-i))
		dst = binary.AppendVarint(dst, int64(values[i])-int64(last))
		i, last = n, values[i]
	}
	return dst
}

// readRuns is the inverse of appendRuns; it says whether the runs fill the values.
func readRuns(values []uint32, runs []byte) bool {
	last := int64(0)
	for len(runs) > 0 {
		n, k := binary.Uvarint(runs)
		if k <= 0 || n == 0 || n > uint64(len(values)) {
			return false
		}
		runs = runs[k:]
		more, k := binary.Varint(runs)
		if last += more; k <= 0 || last < 0 || last > math.MaxUint32 {
			return false
		}
		runs = runs[k:]
		for i := range values[:n] {
			values[i] = uint32(last)
		}
		values = values[n:]
	}
	return len(values) == 0
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
	n := nesting{leaf: make([]uint32, len(first)-1), cells: 1}
	s.expect(readRuns(n.leaf, get[byte](&s, "leaf")), "leaf", "runs are not of %d nodes", len(n.leaf))
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
