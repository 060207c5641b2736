package mld

import "github.com/fourway-routing/fourway/pool"

// marks are the cells that a search opens, those with a seed, or that a route crosses.
type marks struct {
	first []uint32 // place of the first cell by level
	stamp []uint32 // the present one, where open
	now   uint32
}

func (m *marks) init(memory *pool.Allocator, c *Cells) {
	m.first = pool.Make[uint32](memory, len(c.levels)+1)
	m.first[0] = 0
	for l := range c.levels {
		m.first[l+1] = m.first[l] + uint32(c.levels[l].cells)
	}
	m.stamp = pool.MakeZeroed[uint32](memory, int(m.first[len(c.levels)]))
}

func (m *marks) release(memory *pool.Allocator) {
	pool.Free(memory, m.first)
	pool.Free(memory, m.stamp)
}

// reset closes all cells.
func (m *marks) reset() {
	m.now++
	if m.now == 0 {
		clear(m.stamp)
		m.now = 1
	}
}

// open opens the cells of a node, and returns about how many nodes a search has to
// settle more.
func (m *marks) open(c *Cells, id uint32) int {
	if len(c.levels) == 0 {
		return 0
	}
	cost := 0
	cell := c.leafOf(id)
	for l := range c.levels {
		v := &c.levels[l]
		if stamp := &m.stamp[m.first[l]+cell]; *stamp != m.now {
			*stamp = m.now
			cost += v.meanMembers()
		}
		if l+1 < len(c.levels) {
			cell = v.parent[cell]
		}
	}
	return cost
}

// isOpen says whether a cell is open.
func (m *marks) isOpen(l int, cell uint32) bool { return m.stamp[m.first[l-1]+cell] == m.now }

// close closes the cells of a node up to a level.
func (m *marks) close(c *Cells, id uint32, top int) {
	cell := c.leafOf(id)
	for l := range top {
		m.stamp[m.first[l]+cell] = 0
		if l+1 < len(c.levels) {
			cell = c.levels[l].parent[cell]
		}
	}
}

// levelOf returns the level of the largest closed cell of a node that a search
// has reached; 0 if there is none.
func (m *marks) levelOf(c *Cells, id uint32) int {
	for l := len(c.levels); l > 0; l-- {
		if v := &c.levels[l-1]; id < v.border && m.stamp[m.first[l-1]+v.cell[id]] != m.now {
			return l
		}
	}
	return 0
}
