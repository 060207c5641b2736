package mld

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/dissect"
)

// Options are the options of Partition. The zero value is the default.
type Options struct {
	// CellSizes are the most search nodes that a cell of each level has, ascending;
	// nil means 256 and eight more, each four times the one below. A level of one cell, or with the
	// cells of the level below, is left out.
	CellSizes []int
	// Workers is the number of goroutines; 0 means one per processor. The result
	// does not depend on it.
	Workers int
	// Loaded, if set, is called once, when the network has been read for the most
	// part, so that the owner of its mapped file may give memory back.
	Loaded func()
	// Progress is called now and then with the number of junctions that are in
	// their cell and that of all, by one goroutine at a time.
	Progress func(done, total int)
}

// ErrGraph is wrapped by the errors for a graph that cannot be partitioned or
// customized.
var ErrGraph = errors.New("mld: graph is malformed")

var defaultCellSizes = []int{1 << 8, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24}

// Division says which cells of a network hold which nodes. It is immutable.
type Division struct{ nesting }

// Partition divides a network into nested cells with few nodes at their borders.
// The junctions are bisected again and again by inertial flow (Schild and Sommer,
// On Balanced Separators in Road Networks, 2015), with a minimum cut for each of
// a few directions. The search nodes of a chain, copies included, follow the
// junction at one of its ends.
//
// A done context ends it with the context's error.
func Partition(ctx context.Context, n *graph.Network, o Options) (*Cells, error) {
	d, err := Divide(ctx, n, o)
	if err != nil {
		return nil, err
	}
	return newCells(n.EdgeFirst, n.EdgeHead, d.nesting)
}

// Divide is Partition that stops where the cells are known, which is all that their
// file holds, and takes less memory.
func Divide(ctx context.Context, n *graph.Network, o Options) (*Division, error) {
	sizes := o.CellSizes
	if sizes == nil {
		sizes = defaultCellSizes
	}
	for i, size := range sizes {
		if size < 1 || i > 0 && size <= sizes[i-1] {
			return nil, fmt.Errorf("mld: cell sizes %v are not ascending from 1", sizes)
		}
	}
	if len(sizes) == 0 {
		return nil, errors.New("mld: no cell sizes")
	}
	tree, err := dissect.Run(ctx, n, dissect.Options{Small: sizes[0], Workers: o.Workers, Loaded: o.Loaded, Progress: o.Progress})
	if err != nil {
		return nil, fmt.Errorf("mld: partition: %w", err)
	}
	nested := nest(tree, sizes, len(n.JunctionPlace))
	nested.leaf = assign(n, nested.leaf)
	return &Division{nested}, nil
}

// nesting says which cells contain which: cells of each level are numbered so
// that those within a cell of the next level are consecutive.
type nesting struct {
	leaf []uint32 // cell of the lowest level, by vertex or node
	// parent gives the cell of the next level by cell, for each level but the
	// highest.
	parent [][]uint32
	cells  int // of the lowest level
}

// nest makes cells of the highest parts of the tree that are small enough.
func nest(tree *dissect.Part, sizes []int, vertices int) nesting {
	s, count := nestAll(tree, sizes, vertices)
	s.simplify(count)
	return s
}

// nestAll is nest with all levels, and the number of cells of each.
func nestAll(tree *dissect.Part, sizes []int, vertices int) (s nesting, count []uint32) {
	levels := len(sizes)
	s = nesting{leaf: make([]uint32, vertices), parent: make([][]uint32, levels-1)}
	count = make([]uint32, levels)
	var walk func(n *dissect.Part, below int)
	walk = func(n *dissect.Part, below int) { // levels from below on are set
		for below > 0 && (n.Nodes <= sizes[below-1] || n.Halves[0] == nil) {
			below--
			if below < levels-1 {
				s.parent[below] = append(s.parent[below], count[below+1]-1)
			}
			count[below]++
		}
		if n.Halves[0] == nil {
			for _, v := range n.Junctions {
				s.leaf[v] = count[0] - 1
			}
			return
		}
		walk(n.Halves[0], below)
		walk(n.Halves[1], below)
	}
	walk(tree, levels)
	s.cells = int(count[0])
	return s, count
}

// simplify leaves out levels that divide nothing.
func (s *nesting) simplify(count []uint32) {
	for l := len(count) - 1; l > 0; l-- {
		if count[l] == 1 {
			s.parent = s.parent[:l-1]
			count = count[:l]
		} else {
			break
		}
	}
	for l := len(count) - 2; l >= 0; l-- {
		if count[l] != count[l+1] {
			continue
		}
		// The same cells: level l+1 takes the place of l.
		s.parent = slices.Delete(s.parent, l, l+1)
		count = slices.Delete(count, l, l+1)
	}
}

// assign returns the cell by search node, given that of each junction. A chain
// across a border belongs, in each direction, where it begins. That makes one exit,
// and as many entries as go on at its end; where it begins at the end of one other
// chain, it belongs where it ends, which makes one entry.
func assign(n *graph.Network, junction []uint32) []uint32 {
	degree := dissect.Degrees(n)
	cell := make([]uint32, n.NumNodes())
	for v, arm := range n.NodeArm {
		from, to := n.ArmJunction[arm], n.ArmJunction[arm.Twin()]
		if degree[from] == 2 && degree[to] > 2 {
			from = to
		}
		cell[v] = junction[from]
	}
	return cell
}
