package mld

import (
	"context"
	"math/bits"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/parallel"
	"github.com/fourway-routing/fourway/pool"
)

// customizeSet computes the Cliques for a set of excluded nodes, by id. Most cells are
// far from all of them: only those are customized that have such nodes, or a cell
// whose clique is not what it is without the set.
func (o *Overlay) customizeSet(ctx context.Context, excluded graph.Bits, workers int, memory pool.Kind) (*Cliques, error) {
	if len(o.cliques) == 0 {
		return o.customize(ctx, workers, memory)
	}
	base := o.cliques[0]
	if excluded == nil {
		return base, nil
	}
	c := o.cells
	q := &Cliques{overlay: o, base: base, excluded: excluded}
	q.own.clique = slices.Repeat([]uint32{shared}, c.numCells())
	for d := range q.own.climb {
		q.own.climb[d] = slices.Clone(q.own.clique)
	}
	dirty := c.around(excluded)
	m := newCustomizer(q, workers, memory)
	for l := range c.levels {
		todo := dirty.list(l)
		s := newScratch(c, l, todo)
		if err := parallel.Each(ctx, workers, len(todo), func(worker, i int) error {
			m.compute(worker, l, int(todo[i]), &s.targets[i])
			return nil
		}); err != nil {
			return nil, err
		}
		for i, cell := range todo {
			if q.keepClique(l, cell, &s.targets[i]) && l+1 < len(c.levels) {
				dirty.set(l+1, c.levels[l].parent[cell])
			}
			q.keepClimbs(l, cell, &s.targets[i])
		}
	}
	return q, ctx.Err()
}

// scratch holds the values of some cells of a level.
type scratch struct {
	values
	targets []target // by cell
}

func newScratch(c *Cells, l int, cells []uint32) *scratch {
	s := &scratch{targets: make([]target, len(cells))}
	v := &c.levels[l]
	weights, climbs := uint32(0), [2]uint32{}
	for i, cell := range cells {
		t := &s.targets[i]
		t.values = &s.values
		t.clique = v.cliqueFirst[cell] - weights
		weights += v.cliqueFirst[cell+1] - v.cliqueFirst[cell]
		if l < climbFrom {
			continue
		}
		for d := range climbs {
			first := c.levels[l-1].climbFirst[d]
			from, to := first[v.subFirst[cell]], first[v.subFirst[cell+1]]
			t.climb[d] = from - climbs[d]
			climbs[d] += to - from
		}
	}
	s.values = makeValues(int(weights), [2]int{int(climbs[0]), int(climbs[1])})
	return s
}

// keepClique takes a clique of level l+1 over unless it is the base's, and says
// whether it did.
func (q *Cliques) keepClique(l int, cell uint32, t *target) bool {
	c := q.overlay.cells
	first, end := c.levels[l].cliqueFirst[cell], c.levels[l].cliqueFirst[cell+1]
	from, to := first-t.clique, end-t.clique
	if slices.Equal(t.weight[0][from:to], q.base.weight[0][first:end]) && slices.Equal(t.costs[from:to], q.base.costs[first:end]) {
		return false
	}
	q.own.clique[c.cellsBelow[l]+cell] = uint32(len(q.costs))
	for d := range q.weight {
		q.weight[d] = append(q.weight[d], t.weight[d][from:to]...)
	}
	q.costs = append(q.costs, t.costs[from:to]...)
	return true
}

// keepClimbs takes those climbs of the sub-cells of a cell of level l+1 over that are
// not the base's.
func (q *Cliques) keepClimbs(l int, cell uint32, t *target) {
	if l < climbFrom {
		return
	}
	c := q.overlay.cells
	v, below := &c.levels[l], &c.levels[l-1]
	for sub := v.subFirst[cell]; sub < v.subFirst[cell+1]; sub++ {
		for d := range 2 {
			first, end := below.climbFirst[d][sub], below.climbFirst[d][sub+1]
			from, to := first-t.climb[d], end-t.climb[d]
			if slices.Equal(t.values.climb[d][from:to], q.base.climb[d][first:end]) && slices.Equal(t.climbCosts[d][from:to], q.base.climbCosts[d][first:end]) {
				continue
			}
			q.own.climb[d][c.cellsBelow[l-1]+sub] = uint32(len(q.climb[d]))
			q.climb[d] = append(q.climb[d], t.values.climb[d][from:to]...)
			q.climbCosts[d] = append(q.climbCosts[d], t.climbCosts[d][from:to]...)
		}
	}
}

// dirtyCells are cells, by level, that are to be customized.
type dirtyCells []graph.Bits

func (d dirtyCells) set(l int, cell uint32) { d[l].Set(cell) }

// list returns the cells of level l+1, ascending.
func (d dirtyCells) list(l int) []uint32 {
	var cells []uint32
	for i, word := range d[l] {
		for word != 0 {
			cells = append(cells, uint32(64*i+bits.TrailingZeros64(word)))
			word &= word - 1
		}
	}
	return cells
}

// around marks the cells that have arcs of the nodes, by id: an arc from a node at the
// border of one cell can be an arc of the cell around it.
func (c *Cells) around(nodes graph.Bits) dirtyCells {
	dirty := make(dirtyCells, len(c.levels))
	for l := range c.levels {
		dirty[l] = graph.MakeBits(c.levels[l].cells)
	}
	if len(dirty) == 0 {
		return nil
	}
	for i, word := range nodes {
		for word != 0 {
			id := uint32(64*i + bits.TrailingZeros64(word))
			word &= word - 1
			cell := c.leafOf(id)
			dirty.set(0, cell)
			for l := 0; l+1 < len(c.levels) && id < c.levels[l].border; l++ {
				cell = c.levels[l].parent[cell]
				dirty.set(l+1, cell)
			}
		}
	}
	return dirty
}
