package dissect

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/parallel"
)

// Groups bisects groups of the junctions of a network, each alone, as Run does all.
// Part.Junctions of the result for a group are places in the group. A junction is in
// one group at most.
func Groups(ctx context.Context, n *graph.Network, groups [][]uint32, o Options) ([]*Part, error) {
	g := makeRoads(n)
	if o.Loaded != nil {
		o.Loaded()
	}
	c := newCutter(g)
	workers := parallel.Workers(o.Workers)
	b := bisector{ctx: ctx, small: o.Small, tokens: make(chan struct{}, workers-1), progress: o.Progress}
	for _, group := range groups {
		b.total += len(group)
	}
	trees := make([]*Part, len(groups))
	for i, group := range groups {
		trees[i] = b.run(c.cut(group))
		if err := b.failure.Load(); err != nil {
			return nil, *err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return trees, nil
}

// cutter cuts groups of junctions out of roads.
type cutter struct {
	g      *roads
	vertex []uint32             // by JunctionID
	place  [directions][]uint32 // by vertex: in the orders
	local  []uint32             // by vertex: in the group, or none
}

const none = math.MaxUint32

func newCutter(g *roads) *cutter {
	c := &cutter{g: g, vertex: make([]uint32, g.size()), local: make([]uint32, g.size())}
	for v, j := range g.name {
		c.vertex[j] = uint32(v)
		c.local[v] = none
	}
	for d, order := range g.orders {
		c.place[d] = make([]uint32, len(order))
		for i, v := range order {
			c.place[d][v] = uint32(i)
		}
	}
	return c
}

// cut returns the roads between the junctions of a group, with their places in it for
// names.
func (c *cutter) cut(group []uint32) *roads {
	p := &roads{first: make([]uint32, 1, len(group)+1)}
	for i, j := range group {
		v := c.vertex[j]
		c.local[v] = uint32(i)
		p.name = append(p.name, uint32(i))
		p.weight = append(p.weight, c.g.weight[v])
	}
	var arcs []uint32 // in the whole
	at := map[uint32]uint32{}
	for _, j := range group {
		v := c.vertex[j]
		for a := c.g.first[v]; a < c.g.first[v+1]; a++ {
			if c.local[c.g.arcs[a].head] != none {
				at[a] = uint32(len(arcs))
				arcs = append(arcs, a)
			}
		}
		p.first = append(p.first, uint32(len(arcs)))
	}
	for _, a := range arcs {
		p.arcs = append(p.arcs, roadArc{c.local[c.g.arcs[a].head], at[c.g.arcs[a].twin]})
		p.capacity = append(p.capacity, c.g.capacity[a])
	}
	for d := range p.orders {
		order := make([]uint32, len(group))
		for i := range order {
			order[i] = uint32(i)
		}
		place := c.place[d]
		slices.SortFunc(order, func(a, b uint32) int {
			return cmp.Compare(place[c.vertex[group[a]]], place[c.vertex[group[b]]])
		})
		p.orders[d] = order
	}
	for _, j := range group {
		c.local[c.vertex[j]] = none
	}
	return p
}
