package mld

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/fourway-routing/fourway/graph"
)

// Cells are the nested cells of a network, and its edge-expanded graph in the
// order of the cells. They do not depend on a metric. They are immutable and safe
// for concurrent use.
//
// Nodes have ids of their own: those with an edge across a border of the highest
// level come first, then the rest of those at a border of the level below, and so
// on; nodes of a kind are in the order of the cells. So the border nodes of a
// level are the ids below a bound.
type Cells struct {
	node []graph.NodeID // by id
	id   []uint32       // by NodeID
	// codes, by cell of level 1, have a field of bits for each level, the highest
	// level's in the highest bits: the number of the cell within the cell of the next
	// level.
	codes  []uint64
	widths []uint8 // bits of the field of each level
	// levelOf gives, by the number of bits in the exclusive or of two codes, the
	// highest level at which the cells differ; 0 if they do not.
	levelOf [65]uint8

	// The arcs out of id v are at first[2v] to first[2v+1], those into v at
	// first[2v+1] to first[2v+2], those across higher borders first.
	first []uint32
	edge  []graph.EdgeID // by arc

	topology topology // hash of the edges

	levels []level // levels[l-1] is level l
	// cellsBelow[l-1] is the number of cells of all levels below l.
	cellsBelow []uint32
	// leaf is the cell of level 1 of its border nodes.
	leaf []uint32
}

// level is a level of cells.
type level struct {
	border uint32 // ids below are those of border nodes
	cells  int
	// cell is the cell of each border node.
	cell []uint32
	// The border nodes that an edge across the border enters, or leaves, by cell
	// and ascending: entries[entryFirst[c]:entryFirst[c+1]].
	entryFirst, exitFirst []uint32
	entries, exits        []uint32
	// rows are those of the border nodes, forward and backward.
	rows [2][]row
	// The members of a cell are the border nodes of the level below in it, by cell and
	// sub-cell and ascending; at level 1 its own border nodes, and then all ids from
	// inner[c] to inner[c+1], which are no border nodes.
	memberFirst []uint32
	members     []uint32
	inner       []uint32 // nil above level 1
	// local is the place of each of those listed among the members of its cell.
	local []uint32
	// parent is the cell of the next level, by cell; nil at the highest level.
	parent []uint32
	// The cells of the level below are subFirst[c] to subFirst[c+1]; nil at
	// level 1.
	subFirst []uint32
	// cliqueFirst is the place of the first clique weight by cell.
	cliqueFirst []uint32
	// climbFirst is the place of the first climb weight by cell, forward and
	// backward; nil below climbFrom and at the highest level.
	climbFirst [2][]uint32
}

// climbFrom is the lowest level with climbs: the weights of the paths from the
// exits of a cell to those of its parent cell that stay in the parent (backward:
// to its entries from those of the parent). They spare a search the levels between
// its ends and the level where these differ. Below, the search is small, and the
// climbs would be many.
const climbFrom = 2

// row is what a search relaxes at a border node: the clique of its cell, and the
// arcs across the border. A clique has a weight for each pair of an entry and an
// exit.
type row struct {
	Heads  uint32 // place of the row's first head in exits (backward: entries)
	Clique uint32 // place of the row's first weight
	Arcs   uint32 // first arc
	N      uint16 // length of the row; 0 if it is no entry (backward: exit)
	Across uint16 // number of arcs across the border
}

// maxRow bounds the fields of a row.
const maxRow = math.MaxUint16

// code returns the code of the cells of an id.
func (c *Cells) code(id uint32) uint64 { return c.codes[c.leafOf(id)] }

// leafOf returns the cell of level 1 of an id; 0 if there are no levels.
func (c *Cells) leafOf(id uint32) uint32 {
	if int(id) < len(c.leaf) {
		return c.leaf[id]
	}
	return c.leafOfInner(id)
}

// leafOfInner is leafOf for what is no border node: the last cell whose first such
// node is not above it.
func (c *Cells) leafOfInner(id uint32) uint32 {
	if len(c.levels) == 0 {
		return 0
	}
	inner := c.levels[0].inner
	low, high := 0, len(inner)-1
	for high-low > 1 {
		if middle := (low + high) / 2; inner[middle] <= id {
			low = middle
		} else {
			high = middle
		}
	}
	return uint32(low)
}

// NumNodes returns the number of nodes.
func (c *Cells) NumNodes() int { return len(c.node) }

// NumLevels returns the number of levels; it is 0 for a small network.
func (c *Cells) NumLevels() int { return len(c.levels) }

// Cell returns a number that names the cell of a node among those of a level,
// 1 … NumLevels. Numbers are not dense.
func (c *Cells) Cell(node graph.NodeID, l int) uint64 {
	return c.code(c.id[node]) / c.levelBit(l)
}

// LevelStats describes a level.
type LevelStats struct {
	Cells  int
	Border int // border nodes, which are entries, exits or both
	// Entries and Exits are sums over the cells; Weights is that of their
	// products, the number of weights in a metric.
	Entries, Exits int
	Weights        int
}

// Stats describes a level, 1 … NumLevels.
func (c *Cells) Stats(l int) LevelStats {
	v := &c.levels[l-1]
	s := LevelStats{Cells: v.cells, Border: int(v.border), Entries: len(v.entries), Exits: len(v.exits)}
	for i := range v.cells {
		s.Weights += int(v.entryFirst[i+1]-v.entryFirst[i]) * int(v.exitFirst[i+1]-v.exitFirst[i])
	}
	return s
}

// ends returns the exits of a cell in direction 0, and the entries in direction 1.
func (v *level) ends(direction int, cell uint32) []uint32 {
	if direction == 0 {
		return v.exits[v.exitFirst[cell]:v.exitFirst[cell+1]]
	}
	return v.entries[v.entryFirst[cell]:v.entryFirst[cell+1]]
}

// meanMembers returns the mean number of members of a cell.
func (v *level) meanMembers() int {
	n := len(v.members)
	if v.inner != nil {
		n += int(v.inner[v.cells] - v.inner[0])
	}
	return n / v.cells
}

// roster numbers the members of a cell: first those listed, then the others.
type roster struct {
	listed []uint32 // ids
	local  []uint32 // of the level
	bound  uint32   // ids below are listed
	shift  uint32   // how much less than its id the number of another is
	n      uint32
}

func (v *level) roster(cell uint32) roster {
	listed := v.members[v.memberFirst[cell]:v.memberFirst[cell+1]]
	r := roster{listed: listed, local: v.local, bound: math.MaxUint32, n: uint32(len(listed))}
	if v.inner != nil {
		r.bound, r.shift = v.border, v.inner[cell]-r.n
		r.n += v.inner[cell+1] - v.inner[cell]
	}
	return r
}

// id returns the id of the member with a number.
func (r *roster) id(number uint32) uint32 {
	if int(number) < len(r.listed) {
		return r.listed[number]
	}
	return number + r.shift
}

// number is the inverse of id.
func (r *roster) number(id uint32) uint32 {
	if id < r.bound {
		return r.local[id]
	}
	return id - r.shift
}

// climbs returns the number of climb weights in a direction.
func (c *Cells) climbs(direction int) int {
	if len(c.levels) <= climbFrom {
		return 0
	}
	v := &c.levels[len(c.levels)-2]
	return int(v.climbFirst[direction][v.cells])
}

// weights returns the number of weights of all cliques.
func (c *Cells) weights() int {
	if len(c.levels) == 0 {
		return 0
	}
	last := &c.levels[len(c.levels)-1]
	return int(last.cliqueFirst[last.cells])
}

// numCells returns the number of cells of all levels.
func (c *Cells) numCells() int {
	if len(c.levels) == 0 {
		return 0
	}
	return int(c.cellsBelow[len(c.levels)-1]) + c.levels[len(c.levels)-1].cells
}

// countCells fills cellsBelow.
func (c *Cells) countCells() {
	c.cellsBelow = make([]uint32, len(c.levels))
	for l := 1; l < len(c.levels); l++ {
		c.cellsBelow[l] = c.cellsBelow[l-1] + uint32(c.levels[l-1].cells)
	}
}

// newCells numbers the nodes and lays out the levels.
func newCells(first []graph.EdgeID, head []graph.NodeID, s nesting) (*Cells, error) {
	n := len(first) - 1
	if uint64(n) >= math.MaxUint32/2 || uint64(len(head)) >= math.MaxUint32/2 {
		return nil, fmt.Errorf("%w: %d nodes and %d edges are too many; ids are 32 bit", ErrGraph, n, len(head))
	}
	b := cellsBuilder{Cells: new(Cells), edges: head, edgeFirst: first, nesting: s}
	b.topology = newTopology(n, len(head))
	for v := range n {
		b.topology.node(int(first[v+1] - first[v]))
		for _, u := range head[first[v]:first[v+1]] {
			b.topology.edge(u)
		}
	}
	if err := b.encode(); err != nil {
		return nil, err
	}
	b.countCells()
	b.number()
	if err := b.connect(); err != nil {
		return nil, err
	}
	b.fill()
	if err := b.makeRows(); err != nil {
		return nil, err
	}
	if err := b.makeClimbs(); err != nil {
		return nil, err
	}
	return b.Cells, nil
}

// cellsBuilder makes Cells.
type cellsBuilder struct {
	*Cells
	nesting   nesting
	edgeFirst []graph.EdgeID
	edges     []graph.NodeID
	highest   []uint8 // by NodeID: highest level at whose border it is
	numLevels int
}

// setWidths fills levelOf, given the bits of a code for each level.
func (c *Cells) setWidths() {
	at := 1
	for l, width := range c.widths {
		for range width {
			c.levelOf[at] = uint8(l + 1)
			at++
		}
	}
}

// encode makes the codes of the cells of the lowest level.
func (b *cellsBuilder) encode() error {
	if b.nesting.cells <= 1 {
		b.codes = make([]uint64, 1)
		return nil
	}
	b.numLevels = len(b.nesting.parent) + 1
	b.levels = make([]level, b.numLevels)
	b.codes = make([]uint64, b.nesting.cells)
	up := identity(b.nesting.cells) // ancestor of each lowest cell at the level
	cells := b.nesting.cells
	shift := 0
	for l := range b.numLevels {
		b.levels[l].cells = cells
		// The number within the parent, by cell.
		within := identity(cells)
		if l < b.numLevels-1 {
			parent := b.nesting.parent[l]
			for c := 1; c < cells; c++ {
				if parent[c] == parent[c-1] {
					within[c] = within[c-1] + 1
				} else {
					within[c] = 0
				}
			}
		}
		width := bits.Len32(slices.Max(within))
		if shift+width > 64 {
			return fmt.Errorf("%w: the cells do not fit in codes of 64 bits; use fewer levels", ErrGraph)
		}
		for i := range b.codes {
			b.codes[i] |= uint64(within[up[i]]) << shift
		}
		b.widths = append(b.widths, uint8(width))
		shift += width
		if l == b.numLevels-1 {
			break
		}
		parent := b.nesting.parent[l]
		for i := range up {
			up[i] = parent[up[i]]
		}
		cells = int(parent[cells-1]) + 1
		subFirst := make([]uint32, cells+1)
		for _, p := range parent {
			subFirst[p+1]++
		}
		b.levels[l+1].subFirst = sum(subFirst)
		b.levels[l].parent = parent
	}
	b.setWidths()
	return nil
}

// sum turns counts, of which entry i+1 is that of list i, into the places where
// the lists begin.
func sum(counts []uint32) []uint32 {
	for i := 1; i < len(counts); i++ {
		counts[i] += counts[i-1]
	}
	return counts
}

func identity(n int) []uint32 {
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = uint32(i)
	}
	return ids
}

// differ returns the highest level at which the cells of two nodes differ.
func (b *cellsBuilder) differ(v, u graph.NodeID) uint8 {
	return b.levelOf[bits.Len64(b.codes[b.nesting.leaf[v]]^b.codes[b.nesting.leaf[u]])]
}

// number gives the nodes their ids.
func (b *cellsBuilder) number() {
	n := len(b.edgeFirst) - 1
	b.highest = make([]uint8, n)
	for v := range graph.NodeID(n) {
		for e := b.edgeFirst[v]; e < b.edgeFirst[v+1]; e++ {
			u := b.edges[e]
			l := b.differ(v, u)
			b.highest[v] = max(b.highest[v], l)
			b.highest[u] = max(b.highest[u], l)
		}
	}
	// Sort by highest level, then cell, by counting.
	cells := max(b.nesting.cells, 1)
	key := func(v int) int { return (b.numLevels-int(b.highest[v]))*cells + int(b.nesting.leaf[v]) }
	counts := make([]uint32, (b.numLevels+1)*cells+1)
	for v := range n {
		counts[key(v)+1]++
	}
	sum(counts)
	for l := range b.levels {
		b.levels[l].border = counts[(b.numLevels-l)*cells]
	}
	b.node = make([]graph.NodeID, n)
	b.id = make([]uint32, n)
	b.leaf = make([]uint32, n)
	for v := range n {
		k := key(v)
		id := counts[k]
		counts[k]++
		b.id[v] = id
		b.node[id] = graph.NodeID(v)
		b.leaf[id] = b.nesting.leaf[v]
	}
}

// connect lists the arcs at both ends.
func (b *cellsBuilder) connect() error {
	n := len(b.node)
	b.first = make([]uint32, 2*n+1)
	count := b.first[1:]
	for id, v := range b.node {
		count[2*id] += uint32(b.edgeFirst[v+1] - b.edgeFirst[v])
	}
	for _, u := range b.edges {
		count[2*b.id[u]+1]++
	}
	for i, k := range count {
		if k > maxRow {
			return fmt.Errorf("%w: node %d has %d edges; the most is %d", ErrGraph, b.node[i/2], k, maxRow)
		}
	}
	sum(b.first)
	b.edge = make([]graph.EdgeID, 2*len(b.edges))
	next := slices.Clone(b.first)
	// Higher borders first: a pass for each level over what is left.
	put := func(l uint8) {
		for v := range graph.NodeID(n) {
			if b.highest[v] < l {
				continue
			}
			from := b.id[v]
			for e := b.edgeFirst[v]; e < b.edgeFirst[v+1]; e++ {
				u := b.edges[e]
				if b.differ(v, u) != l {
					continue
				}
				to := b.id[u]
				i, j := next[2*from], next[2*to+1]
				next[2*from]++
				next[2*to+1]++
				b.edge[i], b.edge[j] = e, e
			}
		}
	}
	for l := b.numLevels; l >= 0; l-- {
		put(uint8(l))
		if l == 0 {
			break
		}
		// What has been put so far is across borders of level l.
		v := &b.levels[l-1]
		for d := range v.rows {
			v.rows[d] = make([]row, v.border)
			for id := range v.rows[d] {
				f := b.first[2*id+d]
				v.rows[d][id] = row{Arcs: f, Across: uint16(next[2*id+d] - f)}
			}
		}
	}
	return nil
}

// fill lists the border nodes and members of all cells.
func (b *cellsBuilder) fill() {
	up := identity(b.nesting.cells)
	for l := range b.levels {
		v := &b.levels[l]
		v.cell = make([]uint32, v.border)
		for id := range v.cell {
			v.cell[id] = up[b.leaf[id]]
		}
		v.entryFirst, v.entries = v.list(1)
		v.exitFirst, v.exits = v.list(0)

		if l == 0 {
			v.memberFirst, v.members = b.listBy(int(v.border), v.cells, func(id int) uint32 { return b.leaf[id] })
			v.inner = make([]uint32, v.cells+1)
			for _, cell := range b.leaf[v.border:] {
				v.inner[cell+1]++
			}
			v.inner[0] = v.border
			sum(v.inner)
		} else {
			// Members by sub-cell are members by cell, in order.
			below := &b.levels[l-1]
			subFirst, members := b.listBy(int(below.border), below.cells, func(id int) uint32 { return below.cell[id] })
			v.members = members
			v.memberFirst = make([]uint32, v.cells+1)
			for c := range v.memberFirst {
				v.memberFirst[c] = subFirst[v.subFirst[c]]
			}
		}
		v.local = make([]uint32, len(v.members))
		for c := range v.cells {
			for i, id := range v.members[v.memberFirst[c]:v.memberFirst[c+1]] {
				v.local[id] = uint32(i)
			}
		}
		if l < b.numLevels-1 {
			for i := range up {
				up[i] = b.nesting.parent[l][up[i]]
			}
		}
	}
	b.leaf = nil
	if b.numLevels > 0 {
		b.leaf = b.levels[0].cell
	}
}

// list lists the border nodes with arcs across the border in a direction, by
// cell.
func (v *level) list(direction int) (first, ids []uint32) {
	rows := v.rows[direction]
	first = make([]uint32, v.cells+1)
	for id := range rows {
		if rows[id].Across != 0 {
			first[v.cell[id]+1]++
		}
	}
	sum(first)
	ids = make([]uint32, first[v.cells])
	next := slices.Clone(first)
	for id := range rows {
		if rows[id].Across != 0 {
			c := v.cell[id]
			ids[next[c]] = uint32(id)
			next[c]++
		}
	}
	return first, ids
}

// listBy lists the ids below n by cell.
func (b *cellsBuilder) listBy(n, cells int, cell func(id int) uint32) (first, ids []uint32) {
	first = make([]uint32, cells+1)
	for id := range n {
		first[cell(id)+1]++
	}
	sum(first)
	ids = make([]uint32, n)
	next := slices.Clone(first)
	for id := range n {
		c := cell(id)
		ids[next[c]] = uint32(id)
		next[c]++
	}
	return first, ids
}

// makeRows places the cliques.
func (b *cellsBuilder) makeRows() error {
	total := uint64(0)
	for l := range b.levels {
		v := &b.levels[l]
		v.cliqueFirst = make([]uint32, v.cells+1)
		for c := range v.cells {
			v.cliqueFirst[c] = uint32(total)
			entries := v.entries[v.entryFirst[c]:v.entryFirst[c+1]]
			exits := v.exits[v.exitFirst[c]:v.exitFirst[c+1]]
			if len(entries) > maxRow || len(exits) > maxRow {
				return fmt.Errorf("%w: a cell has %d entries and %d exits; the most is %d", ErrGraph, len(entries), len(exits), maxRow)
			}
			for i, id := range entries {
				r := &v.rows[0][id]
				r.Heads, r.N = v.exitFirst[c], uint16(len(exits))
				r.Clique = uint32(total) + uint32(i*len(exits))
			}
			for i, id := range exits {
				r := &v.rows[1][id]
				r.Heads, r.N = v.entryFirst[c], uint16(len(entries))
				r.Clique = uint32(total) + uint32(i*len(entries))
			}
			total += uint64(len(entries)) * uint64(len(exits))
			if total >= math.MaxUint32 {
				return fmt.Errorf("%w: the borders are so long that cliques do not fit; use smaller cells", ErrGraph)
			}
		}
		v.cliqueFirst[v.cells] = uint32(total)
	}
	return nil
}

// topology is a hash of the edges of a graph (FNV-1a, by 32 bit words).
type topology uint64

func newTopology(nodes, edges int) topology {
	t := topology(0xcbf29ce484222325)
	t.add(uint32(nodes))
	t.add(uint32(edges))
	return t
}

func (t *topology) add(word uint32)        { *t = (*t ^ topology(word)) * 0x100000001b3 }
func (t *topology) node(edges int)         { t.add(uint32(edges)) }
func (t *topology) edge(head graph.NodeID) { t.add(uint32(head)) }

// makeClimbs places the climbs.
func (b *cellsBuilder) makeClimbs() error {
	var total [2]uint64
	for l := climbFrom - 1; l < len(b.levels)-1; l++ {
		v, above := &b.levels[l], &b.levels[l+1]
		for d := range total {
			v.climbFirst[d] = make([]uint32, v.cells+1)
			for cell, parent := range v.parent {
				v.climbFirst[d][cell] = uint32(total[d])
				total[d] += uint64(len(v.ends(d, uint32(cell)))) * uint64(len(above.ends(d, parent)))
				if total[d] >= math.MaxUint32 {
					return fmt.Errorf("%w: the borders are so long that climbs do not fit; use smaller cells", ErrGraph)
				}
			}
			v.climbFirst[d][v.cells] = uint32(total[d])
		}
	}
	return nil
}
