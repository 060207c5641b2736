package mld

import (
	"context"
	"fmt"
	"slices"

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
	q, err := u.renew(ctx, o.cliques[0], o.cells.translate(changed), parallel.Workers(workers))
	if err != nil {
		return nil, err
	}
	u.setOf, u.cliques = []uint32{0}, []*Cliques{q}
	return u, nil
}

// renew makes Cliques of others that had other weights where nodes, by id, have
// changed. From the lowest level up, cells are customized that have such nodes, or a
// cell whose clique is not what it was.
func (o *Overlay) renew(ctx context.Context, before *Cliques, changed graph.Bits, workers int) (*Cliques, error) {
	c := o.cells
	q := &Cliques{overlay: o}
	q.costs = slices.Clone(before.costs)
	for d := range 2 {
		q.weight[d] = slices.Clone(before.weight[d])
		q.climb[d], q.climbCosts[d] = slices.Clone(before.climb[d]), slices.Clone(before.climbCosts[d])
	}
	dirty := c.around(changed)
	m := newCustomizer(q, workers, pool.FreeLists)
	for l := range c.levels {
		v := &c.levels[l]
		todo := dirty.list(l)
		if err := parallel.Each(ctx, workers, len(todo), func(worker, i int) error {
			m.compute(worker, l, int(todo[i]), &target{values: &q.values})
			return nil
		}); err != nil {
			return nil, err
		}
		if l+1 == len(c.levels) {
			break
		}
		for _, cell := range todo {
			from, to := v.cliqueFirst[cell], v.cliqueFirst[cell+1]
			if !slices.Equal(q.weight[0][from:to], before.weight[0][from:to]) || !slices.Equal(q.costs[from:to], before.costs[from:to]) {
				dirty.set(l+1, v.parent[cell])
			}
		}
	}
	return q, ctx.Err()
}
