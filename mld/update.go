package mld

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/parallel"
	"github.com/fourway-routing/fourway/pool"
)

// Update returns the Overlay of a graph that is the same as before but for the
// values of edges that leave the changed nodes. It is what Customize returns without
// sets of excluded nodes, for which there is the method Customize, and takes time
// for the cells of these nodes, besides a copy.
//
// A done context ends it with the context's error.
func (o *Overlay) Update(ctx context.Context, x *graph.Expanded, changed graph.Bits, workers int) (*Overlay, error) {
	if len(changed) < len(graph.MakeBits(o.NumNodes())) {
		return nil, fmt.Errorf("%w: the changed set has bits for %d nodes, the graph %d nodes", ErrGraph, 64*len(changed), o.NumNodes())
	}
	u, err := newOverlay(o.cells, x)
	if err != nil {
		return nil, err
	}
	q, err := u.renew(ctx, o.cliques[0], changed, parallel.Workers(workers))
	if err != nil {
		return nil, err
	}
	u.setOf, u.cliques = []uint32{0}, []*Cliques{q}
	return u, nil
}

// renew makes Cliques of others that had other weights where nodes have changed.
// From the lowest level up, cells are customized that have such nodes, or a cell
// whose clique is not what it was.
func (o *Overlay) renew(ctx context.Context, before *Cliques, changed graph.Bits, workers int) (*Cliques, error) {
	q := &Cliques{overlay: o, costs: slices.Clone(before.costs)}
	for d := range 2 {
		q.weight[d] = slices.Clone(before.weight[d])
		q.climb[d], q.climbCosts[d] = slices.Clone(before.climb[d]), slices.Clone(before.climbCosts[d])
	}
	dirty := o.cells.around(changed)
	scratch := make([]*cellGraph, workers)
	for l := range o.cells.levels {
		v := &o.cells.levels[l]
		var todo []uint32
		for cell := range dirty[l] {
			if dirty[l][cell].Load() {
				todo = append(todo, uint32(cell))
			}
		}
		if err := parallel.Each(ctx, workers, len(todo), func(worker, i int) error {
			if scratch[worker] == nil {
				scratch[worker] = newCellGraph(o.cells, pool.FreeLists)
			}
			cell := int(todo[i])
			g := scratch[worker]
			g.load(q, l, cell)
			q.fill(g, l, cell)
			if l >= climbFrom {
				q.fillClimbs(g, l, cell)
			}
			from, to := v.cliqueFirst[cell], v.cliqueFirst[cell+1]
			if l+1 < len(dirty) && !(slices.Equal(q.weight[0][from:to], before.weight[0][from:to]) &&
				slices.Equal(q.costs[from:to], before.costs[from:to])) {
				dirty[l+1][v.parent[cell]].Store(true)
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return q, ctx.Err()
}

// around marks, by level, the cells that have arcs of the changed nodes: an arc from
// a node at the border of one cell can be an arc of the cell around it.
func (c *Cells) around(changed graph.Bits) [][]atomic.Bool {
	dirty := make([][]atomic.Bool, len(c.levels))
	for l := range c.levels {
		dirty[l] = make([]atomic.Bool, c.levels[l].cells)
	}
	if len(dirty) == 0 {
		return nil
	}
	for v, id := range c.id {
		if !changed.Get(uint32(v)) {
			continue
		}
		cell := c.leaf[id]
		dirty[0][cell].Store(true)
		for l := 0; l+1 < len(c.levels) && id < c.levels[l].border; l++ {
			cell = c.levels[l].parent[cell]
			dirty[l+1][cell].Store(true)
		}
	}
	return dirty
}
