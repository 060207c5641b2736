package mld

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/dissect"
	"github.com/fourway-routing/fourway/internal/relate"
)

// Earlier is the partition of an earlier network of a region.
type Earlier struct {
	Network *graph.Network
	Cells   *Cells
	// Of is the node of Network that each node of the later one is, or
	// graph.InvalidNode.
	Of []graph.NodeID
}

// Inherited tells how a partition follows from an earlier one.
type Inherited struct {
	// Cells is the number of cells of all levels, and Recut that of the earlier ones
	// that were divided anew, each with the cells within it.
	Cells, Recut int
	// RecutNodes is the number of search nodes in those.
	RecutNodes int
	// Anew says why the whole network was partitioned anew; it is empty if the
	// earlier partition serves.
	Anew string
}

const (
	// A cell is divided anew that has grown beyond the largest of its level before
	// by more than one in so many nodes.
	growth = 10
	// Its parent is, if more search edges cross its border than before: by more than
	// one in so many, and by more than a few.
	borderGrowth = 4
	borderSlack  = 16
	// The whole is, if more than one in so many nodes are in such cells, or are new.
	tooMany = 4
)

// PartitionLike is Partition for a network that differs little from an earlier one:
// each node takes the cell that it had at every level, and a new one that of most of its
// neighbors. Cells that have grown too large or got much longer borders are divided
// anew. The numbers of cells and their borders stay near those of Partition as long as
// few roads change. Of Options, CellSizes only counts if all is divided anew.
func PartitionLike(ctx context.Context, n *graph.Network, e Earlier, o Options) (*Cells, Inherited, error) {
	d, report, err := DivideLike(ctx, n, e, o)
	if err != nil {
		return nil, report, err
	}
	c, err := newCells(n.EdgeFirst, n.EdgeHead, d.nesting)
	if errors.Is(err, ErrGraph) && report.Anew == "" {
		report = Inherited{Anew: err.Error()}
		c, err = Partition(ctx, n, o)
	}
	if c != nil {
		report.Cells = c.numCells()
	}
	return c, report, err
}

// DivideLike is PartitionLike that stops where the cells are known, as Divide does.
func DivideLike(ctx context.Context, n *graph.Network, e Earlier, o Options) (*Division, Inherited, error) {
	var report Inherited
	if len(e.Of) != n.NumNodes() || e.Cells.NumNodes() != e.Network.NumNodes() {
		return nil, report, fmt.Errorf("%w: %d nodes of %d are related to %d of %d", ErrGraph,
			len(e.Of), n.NumNodes(), e.Cells.NumNodes(), e.Network.NumNodes())
	}
	h := newHeir(n, &e)
	switch {
	case len(h.counts) == 0:
		report.Anew = "the earlier partition has no cells"
	case h.fresh > n.NumNodes()/tooMany:
		report.Anew = fmt.Sprintf("%d of %d search nodes are new", h.fresh, n.NumNodes())
	default:
		report.Cells = h.numCells()
		groups := h.faults(e.Network.EdgeFirst, e.Network.EdgeHead)
		for _, g := range groups {
			report.Recut++
			report.RecutNodes += len(g.nodes)
		}
		if report.RecutNodes > n.NumNodes()/tooMany {
			report.Anew = fmt.Sprintf("cells with %d of %d search nodes have grown or got longer borders", report.RecutNodes, n.NumNodes())
			break
		}
		if err := h.recut(ctx, groups, o); err != nil {
			return nil, report, err
		}
		return &Division{h.finish()}, report, nil
	}
	d, err := Divide(ctx, n, o)
	return d, report, err
}

// heir makes a nesting of an earlier one. The cells of a level are in any order, and
// some may be empty.
type heir struct {
	net    *graph.Network
	leaf   []uint32   // by node
	before []uint32   // by earlier node
	parent [][]uint32 // by level but the highest, by cell
	counts []int      // cells by level
	most   []int      // nodes of the largest earlier cell, by level
	fresh  int        // nodes without an earlier one
}

func newHeir(n *graph.Network, e *Earlier) *heir {
	s, counts := e.Cells.nested()
	h := &heir{net: n, leaf: make([]uint32, n.NumNodes()), before: s.leaf, counts: counts}
	if len(counts) == 0 {
		return h
	}
	for _, parent := range s.parent {
		h.parent = append(h.parent, slices.Clip(parent)) // which is the Cells' own
	}
	for _, sizes := range h.sizes(s.leaf) {
		h.most = append(h.most, slices.Max(sizes))
	}
	for v, old := range e.Of {
		if old == graph.InvalidNode {
			h.fresh++
			continue
		}
		h.leaf[v] = s.leaf[old]
	}
	var near []uint32
	relate.Spread(e.Of, n.EdgeFirst, n.EdgeHead, func(v graph.NodeID, _ int, neighbors []graph.NodeID) {
		near = near[:0]
		for _, u := range neighbors {
			near = append(near, h.leaf[u])
		}
		h.leaf[v] = mostFrequent(near)
	})
	return h
}

// mostFrequent returns the value that most of a list have, of several the least; 0 for
// none. It sorts the list.
func mostFrequent(values []uint32) uint32 {
	slices.Sort(values)
	best, most := uint32(0), 0
	for i := 0; i < len(values); {
		end := i
		for end < len(values) && values[end] == values[i] {
			end++
		}
		if end-i > most {
			best, most = values[i], end-i
		}
		i = end
	}
	return best
}

func (h *heir) numCells() int {
	total := 0
	for _, n := range h.counts {
		total += n
	}
	return total
}

// sizes counts the nodes by level and cell, given their leaves.
func (h *heir) sizes(leaf []uint32) [][]int {
	sizes := make([][]int, len(h.counts))
	for l, cells := range h.counts {
		sizes[l] = make([]int, cells)
	}
	for _, c := range leaf {
		sizes[0][c]++
	}
	for l := range h.parent {
		for c, p := range h.parent[l] {
			sizes[l+1][p] += sizes[l][c]
		}
	}
	return sizes
}

// borders counts the edges across the borders of cells, by level and cell.
func (h *heir) borders(first []graph.EdgeID, head []graph.NodeID, leaf []uint32) [][]int {
	count := make([][]int, len(h.counts))
	for l, cells := range h.counts {
		count[l] = make([]int, cells)
	}
	for v, a := range leaf {
		for _, u := range head[first[v]:first[v+1]] {
			a, b := a, leaf[u]
			for l := 0; a != b; l++ {
				count[l][a]++
				count[l][b]++
				if l == len(h.parent) {
					break
				}
				a, b = h.parent[l][a], h.parent[l][b]
			}
		}
	}
	return count
}

// group is a cell to divide anew.
type group struct {
	level int
	cell  uint32
	nodes []graph.NodeID
}

// faults returns the cells to divide anew, none within another; edges are those of the
// earlier network.
func (h *heir) faults(edgeFirst []graph.EdgeID, edgeHead []graph.NodeID) []group {
	sizes := h.sizes(h.leaf)
	was := h.borders(edgeFirst, edgeHead, h.before)
	is := h.borders(h.net.EdgeFirst, h.net.EdgeHead, h.leaf)
	top := len(h.counts) - 1
	longer := func(l, c int) bool {
		more := is[l][c] - was[l][c]
		return more > borderSlack && more > was[l][c]/borderGrowth
	}
	bad := make([][]bool, top+1)
	for l, cells := range h.counts {
		bad[l] = make([]bool, cells)
	}
	// within is the group of each cell of a level, by number less 1; 0 for none.
	var groups []group
	var above []uint32
	for l := top; l >= 0; l-- {
		for c := range bad[l] {
			bad[l][c] = sizes[l][c] > h.most[l]+h.most[l]/growth || l == top && longer(l, c)
		}
		if l > 0 { // a longer border is mended from above
			for c, p := range h.parent[l-1] {
				bad[l][p] = bad[l][p] || longer(l-1, c)
			}
		}
		within := make([]uint32, h.counts[l])
		for c := range within {
			switch {
			case l < top && above[h.parent[l][c]] != 0:
				within[c] = above[h.parent[l][c]]
			case bad[l][c]:
				groups = append(groups, group{level: l, cell: uint32(c)})
				within[c] = uint32(len(groups))
			}
		}
		above = within
	}
	for v, c := range h.leaf {
		if g := above[c]; g != 0 {
			groups[g-1].nodes = append(groups[g-1].nodes, graph.NodeID(v))
		}
	}
	return groups
}

// recut divides cells anew.
func (h *heir) recut(ctx context.Context, groups []group, o Options) error {
	if len(groups) == 0 {
		return nil
	}
	// A node belongs to a junction as in assign. Two groups may want a junction: the
	// first has it, and the second does with the rest.
	degree := dissect.Degrees(h.net)
	junctionOf := func(v graph.NodeID) graph.JunctionID {
		arm := h.net.NodeArm[v]
		from, to := h.net.ArmJunction[arm], h.net.ArmJunction[arm.Twin()]
		if degree[from] == 2 && degree[to] > 2 {
			return to
		}
		return from
	}
	place := make([]uint32, len(h.net.JunctionPlace)) // in its group, plus 1
	owner := make([]uint32, len(h.net.JunctionPlace))
	junctions := make([][]uint32, len(groups))
	for i := range groups {
		for _, v := range groups[i].nodes {
			if j := junctionOf(v); place[j] == 0 {
				junctions[i] = append(junctions[i], uint32(j))
				place[j], owner[j] = uint32(len(junctions[i])), uint32(i)
			}
		}
	}
	trees, err := dissect.Groups(ctx, h.net, junctions, dissect.Options{
		Small: h.most[0], Workers: o.Workers, Loaded: o.Loaded, Progress: o.Progress,
	})
	if err != nil {
		return fmt.Errorf("mld: partition: %w", err)
	}
	for i := range groups {
		h.graft(&groups[i], trees[i], len(junctions[i]), func(v graph.NodeID) (uint32, bool) {
			j := junctionOf(v)
			return place[j] - 1, owner[j] == uint32(i)
		})
	}
	return nil
}

// graft puts the cells of a tree in the place of a cell. vertex returns the junction of
// a node in the tree, if it is there.
func (h *heir) graft(g *group, tree *dissect.Part, vertices int, vertex func(graph.NodeID) (uint32, bool)) {
	if vertices == 0 {
		return // it stays as it is, since others have what it is made of
	}
	s, count := nestAll(tree, h.most[:g.level+1], vertices)
	for l := range g.level + 1 {
		offset := 0
		if l < g.level {
			offset = h.counts[l+1]
		}
		for c := range int(count[l]) {
			switch {
			case l < g.level:
				h.parent[l] = append(h.parent[l], uint32(offset)+s.parent[l][c])
			case l < len(h.parent):
				h.parent[l] = append(h.parent[l], h.parent[l][g.cell])
			}
		}
	}
	first := uint32(h.counts[0])
	for l := range g.level + 1 {
		h.counts[l] += int(count[l])
	}
	for _, v := range g.nodes {
		if at, ok := vertex(v); ok {
			h.leaf[v] = first + s.leaf[at]
		}
	}
}

// finish numbers the cells so that those within a cell are consecutive, and leaves
// empty ones out.
func (h *heir) finish() nesting {
	levels := len(h.counts)
	used := make([][]bool, levels)
	for l, cells := range h.counts {
		used[l] = make([]bool, cells)
	}
	for _, c := range h.leaf {
		used[0][c] = true
	}
	for l := range h.parent {
		for c, p := range h.parent[l] {
			used[l+1][p] = used[l+1][p] || used[l][c]
		}
	}
	s := nesting{parent: make([][]uint32, levels-1)}
	count := make([]uint32, levels)
	var above []uint32 // new numbers of the level above
	for l := levels - 1; l >= 0; l-- {
		var cells []uint32
		for c, ok := range used[l] {
			if ok {
				cells = append(cells, uint32(c))
			}
		}
		if l < levels-1 {
			slices.SortStableFunc(cells, func(a, b uint32) int {
				return cmp.Compare(above[h.parent[l][a]], above[h.parent[l][b]])
			})
			for _, c := range cells {
				s.parent[l] = append(s.parent[l], above[h.parent[l][c]])
			}
		}
		number := make([]uint32, h.counts[l])
		for i, c := range cells {
			number[c] = uint32(i)
		}
		count[l] = uint32(len(cells))
		above = number
	}
	s.leaf = make([]uint32, len(h.leaf))
	for v, c := range h.leaf {
		s.leaf[v] = above[c]
	}
	s.cells = int(count[0])
	s.simplify(count)
	return s
}
