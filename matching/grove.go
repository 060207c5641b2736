package matching

import (
	"math/bits"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// keptSteps is the number of steps that a tree is kept for without use: a
// candidate that is missing at one point may be there again at the next.
const keptSteps = 4

// grove holds the trees of a trace.
type grove struct {
	trees   []tree
	alive   int      // the others are spare
	now     int      // number of the step
	index   []uint32 // hash table of trees alive: number + 1, 0 for none
	settled int
	spent   int // settled for traces before
}

// reset forgets all trees.
func (g *grove) reset() {
	g.spent += g.settled
	g.alive, g.now, g.settled = 0, 0, 0
}

func (g *grove) free(memory *pool.Allocator) {
	for i := range g.trees {
		g.trees[i].free(memory)
	}
	pool.Free(memory, g.index)
	*g = grove{}
}

// begin begins a step: trees that have not been used for long become spare.
func (g *grove) begin(memory *pool.Allocator) {
	g.now++
	for i := 0; i < g.alive; {
		if g.now-g.trees[i].used > keptSteps {
			g.alive--
			g.trees[i], g.trees[g.alive] = g.trees[g.alive], g.trees[i]
			continue
		}
		i++
	}
	g.rehash(memory, max(64, len(g.index)))
}

// rehash makes the index one of a size, a power of two.
func (g *grove) rehash(memory *pool.Allocator, size int) {
	for size < 2*(g.alive+1) {
		size *= 2
	}
	g.index = pool.Grow(memory, g.index, size)
	clear(g.index)
	for i := range g.alive {
		g.index[g.place(g.trees[i].root)] = uint32(i) + 1
	}
}

// place returns where in the index a root is or belongs.
func (g *grove) place(root graph.NodeID) uint {
	mask := uint(len(g.index) - 1)
	at := uint(uint32(root)*0x9e3779b1) >> (32 - bits.Len(mask))
	for g.index[at] != 0 && g.trees[g.index[at]-1].root != root {
		at = (at + 1) & mask
	}
	return at
}

// treeOf returns the number of the tree of a search node, valid until the next
// step.
func (g *grove) treeOf(r *roads, root graph.NodeID) uint32 {
	at := g.place(root)
	if i := g.index[at]; i != 0 {
		g.trees[i-1].used = g.now
		return i - 1
	}
	if g.alive == len(g.trees) {
		g.trees = append(g.trees, tree{})
	}
	t := &g.trees[g.alive]
	t.plant(r, root)
	t.used = g.now
	g.alive++
	g.index[at] = uint32(g.alive)
	if 2*g.alive > len(g.index) {
		g.rehash(r.memory, 2*len(g.index))
	}
	return uint32(g.alive - 1)
}
