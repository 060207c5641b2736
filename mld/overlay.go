package mld

import (
	"context"
	"fmt"
	"slices"

	"github.com/fourway-routing/fourway/graph"
)

// arc is the hot part of an arc: 8 bytes.
type arc struct {
	Head   uint32
	Weight uint32 // graph.InvalidWeight: closed
}

// cost is the cold part of an edge.
type cost struct {
	Duration graph.Duration
	Distance graph.Distance
}

// Overlay is a network in cells under one metric: the base arcs with their
// weights, and the Cliques of each set of excluded nodes. It is immutable and
// safe for concurrent use.
type Overlay struct {
	cells *Cells
	arcs  []arc  // parallel to Cells.head
	costs []cost // by EdgeID
	// The different Cliques; the first exclude nothing.
	cliques []*Cliques
	setOf   []uint32 // index into cliques by set
}

// Cliques are the weights of the paths between the border nodes of each cell that
// stay in the cell, under one metric and for one set of excluded nodes. They are
// immutable and safe for concurrent use.
type Cliques struct {
	overlay *Overlay
	// By clique and row: for entries, forward, and for exits, backward.
	weight [2][]uint32
	// What belongs to the paths, parallel to the forward weights.
	costs []cost
	// excluded, by id; nil for none.
	excluded graph.Bits
}

// CustomizeOptions are the options of Customize. The zero value is the default.
type CustomizeOptions struct {
	// Exclude are sets of nodes that a search can exclude: set i+1 of
	// Search.SetExclude excludes the nodes whose bit is set in Exclude[i].
	Exclude []graph.Bits
	// Workers is the number of goroutines; 0 means one per processor. The result
	// does not depend on it.
	Workers int
}

// Customize computes the Overlay of a network's cells for a metric: for each
// cell, from the lowest level up, and each pair of an entry and an exit, the path
// of least weight that stays in the cell, and of least duration among those
// (Delling, Goldberg, Pajor and Werneck, Customizable Route Planning, 2011).
//
// A done context ends it with the context's error.
func Customize(ctx context.Context, c *Cells, x *graph.Expanded, opt CustomizeOptions) (*Overlay, error) {
	o, err := newOverlay(c, x)
	if err != nil {
		return nil, err
	}
	words := len(graph.MakeBits(c.NumNodes()))
	sets := []graph.Bits{nil}
	o.setOf = []uint32{0}
	for i, set := range opt.Exclude {
		if len(set) != 0 && len(set) < words {
			return nil, fmt.Errorf("%w: excluded set %d has bits for %d nodes, the graph %d nodes", ErrGraph, i, 64*len(set), c.NumNodes())
		}
		own := c.translate(set)
		at := slices.IndexFunc(sets, func(s graph.Bits) bool { return slices.Equal(s, own) })
		if at < 0 {
			at = len(sets)
			sets = append(sets, own)
		}
		o.setOf = append(o.setOf, uint32(at))
	}
	for _, set := range sets {
		q, err := o.customize(ctx, set, workersOf(opt.Workers))
		if err != nil {
			return nil, err
		}
		o.cliques = append(o.cliques, q)
	}
	return o, nil
}

// Customize computes the Cliques for one more set of excluded nodes, by NodeID,
// for Search.Use. The Overlay stays as it is.
func (o *Overlay) Customize(ctx context.Context, excluded graph.Bits, workers int) (*Cliques, error) {
	if len(excluded) != 0 && len(excluded) < len(graph.MakeBits(o.cells.NumNodes())) {
		return nil, fmt.Errorf("%w: the excluded set has bits for %d nodes, the graph %d nodes", ErrGraph, 64*len(excluded), o.cells.NumNodes())
	}
	return o.customize(ctx, o.cells.translate(excluded), workersOf(workers))
}

// Cells returns the cells.
func (o *Overlay) Cells() *Cells { return o.cells }

// NumNodes returns the number of nodes of the graph.
func (o *Overlay) NumNodes() int { return o.cells.NumNodes() }

// NumSets returns the number of sets of excluded nodes, the empty set 0 included.
func (o *Overlay) NumSets() int { return len(o.setOf) }

// Cliques returns those of a set below NumSets.
func (o *Overlay) Cliques(set int) *Cliques { return o.cliques[o.setOf[set]] }

// translate returns a set by id; nil if it is empty.
func (c *Cells) translate(set graph.Bits) graph.Bits {
	if len(set) == 0 {
		return nil
	}
	own := graph.MakeBits(c.NumNodes())
	any := false
	for v, id := range c.id {
		if set.Get(uint32(v)) {
			own.Set(id)
			any = true
		}
	}
	if !any {
		return nil
	}
	return own
}

// newOverlay gives the arcs their weights.
func newOverlay(c *Cells, x *graph.Expanded) (*Overlay, error) {
	if len(x.First) != c.NumNodes()+1 || 2*len(x.Arcs) != len(c.head) {
		return nil, fmt.Errorf("%w: %d nodes and %d edges; the cells have %d and %d", ErrGraph,
			len(x.First)-1, len(x.Arcs), c.NumNodes(), len(c.head)/2)
	}
	o := &Overlay{cells: c, arcs: make([]arc, len(c.head)), costs: make([]cost, len(x.Arcs))}
	for e := range x.Arcs {
		a := &x.Arcs[e]
		if int64(a.Head) >= int64(c.NumNodes()) || a.Weight < 0 || a.Duration < 0 {
			return nil, fmt.Errorf("%w: edge %d has head %d of %d nodes, weight %d and duration %d", ErrGraph, e, a.Head, c.NumNodes(), a.Weight, a.Duration)
		}
		o.costs[e] = cost{min(a.Duration, graph.InvalidDuration-1), a.Distance}
	}
	for id := range c.node {
		for d := range 2 {
			for i := c.first[2*id+d]; i < c.first[2*id+d+1]; i++ {
				a := &x.Arcs[c.edge[i]]
				if d == 0 && c.id[a.Head] != c.head[i] {
					return nil, fmt.Errorf("%w: edge %d leads to node %d, in the cells to %d", ErrGraph, c.edge[i], a.Head, c.node[c.head[i]])
				}
				o.arcs[i] = arc{c.head[i], uint32(a.Weight)}
			}
		}
	}
	return o, nil
}
