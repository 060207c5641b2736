package mld

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/parallel"
	"github.com/fourway-routing/fourway/pool"
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
	arcs  []arc  // parallel to Cells.edge
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
	values
	// base are the Cliques that exclude nothing, and hold what is the same here; nil
	// for these themselves.
	base *Cliques
	own  places
	// excluded, by id; nil for none.
	excluded graph.Bits
}

// values are weights and costs, of all cells or of some.
type values struct {
	// By clique and row: for entries, forward, and for exits, backward.
	weight [2][]uint32
	// What belongs to the paths, parallel to the forward weights.
	costs []cost
	// The climbs by direction, see climbFrom; from climbFirst on there is a row for each
	// exit (backward: entry) of the cell.
	climb      [2][]uint32
	climbCosts [2][]cost
}

func makeValues(weights int, climbs [2]int) values {
	x := values{costs: make([]cost, weights)}
	for d := range 2 {
		x.weight[d] = make([]uint32, weights)
		x.climb[d], x.climbCosts[d] = make([]uint32, climbs[d]), make([]cost, climbs[d])
	}
	return x
}

// places tell, for the cells of all levels, from the lowest on, where what a cell has
// of its own begins; shared if it has nothing.
type places struct {
	clique []uint32
	climb  [2][]uint32
}

// shared is the place of what is the base's.
const shared = math.MaxUint32

// home returns the Cliques that hold the clique of a border node's cell on level l,
// and what is to be added to its places there.
func (q *Cliques) home(l, id uint32) (*Cliques, uint32) {
	if q.base == nil {
		return q, 0
	}
	return q.ownHome(l, id)
}

func (q *Cliques) ownHome(l, id uint32) (*Cliques, uint32) {
	c := q.overlay.cells
	v := &c.levels[l-1]
	cell := v.cell[id]
	if at := q.own.clique[c.cellsBelow[l-1]+cell]; at != shared {
		return q, at - v.cliqueFirst[cell]
	}
	return q.base, 0
}

// climbs returns the values that hold the climbs of a cell of level l in a direction,
// and where they begin.
func (q *Cliques) climbs(d, l int, cell uint32) (*values, uint32) {
	c := q.overlay.cells
	if q.base != nil {
		if at := q.own.climb[d][c.cellsBelow[l-1]+cell]; at != shared {
			return &q.values, at
		}
		q = q.base
	}
	return &q.values, c.levels[l-1].climbFirst[d][cell]
}

// CustomizeOptions are the options of Customize. The zero value is the default.
type CustomizeOptions struct {
	// Exclude are sets of nodes that a search can exclude: set i+1 of
	// Search.SetExclude excludes the nodes whose bit is set in Exclude[i].
	Exclude []graph.Bits
	// Workers is the number of goroutines; 0 means one per processor. The result
	// does not depend on it.
	Workers int
	// Memory is where the workers' heaps have their memory from. The default is
	// the fastest; the others are there to be compared with it.
	Memory pool.Kind
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
		q, err := o.customizeSet(ctx, set, parallel.Workers(opt.Workers), opt.Memory)
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
	return o.customizeSet(ctx, o.cells.translate(excluded), parallel.Workers(workers), pool.FreeLists)
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
	n, edges := c.NumNodes(), len(c.edge)/2
	if len(x.First) != n+1 || len(x.Arcs) != edges || x.First[0] != 0 || int64(x.First[n]) != int64(edges) {
		return nil, fmt.Errorf("%w: it has not the %d nodes and %d edges of the cells", ErrGraph, n, edges)
	}
	o := &Overlay{cells: c, arcs: make([]arc, len(c.edge)), costs: make([]cost, edges)}
	tail := make([]uint32, edges) // by EdgeID, the id
	t := newTopology(n, edges)
	for v := range n {
		if x.First[v] > x.First[v+1] || int64(x.First[v+1]) > int64(edges) {
			return nil, fmt.Errorf("%w: First decreases after node %d", ErrGraph, v)
		}
		t.node(int(x.First[v+1] - x.First[v]))
		for e := x.First[v]; e < x.First[v+1]; e++ {
			a := &x.Arcs[e]
			if int64(a.Head) >= int64(n) || a.Weight < 0 || a.Duration < 0 {
				return nil, fmt.Errorf("%w: edge %d has head %d of %d nodes, weight %d and duration %d", ErrGraph, e, a.Head, n, a.Weight, a.Duration)
			}
			t.edge(a.Head)
			tail[e] = c.id[v]
			o.costs[e] = cost{min(a.Duration, maxDuration), a.Distance}
		}
	}
	if t != c.topology {
		return nil, fmt.Errorf("%w: its edges are not those of the cells", ErrGraph)
	}
	for id := range n {
		for i := c.first[2*id]; i < c.first[2*id+1]; i++ {
			a := &x.Arcs[c.edge[i]]
			o.arcs[i] = arc{c.id[a.Head], uint32(a.Weight)}
		}
		for i := c.first[2*id+1]; i < c.first[2*id+2]; i++ {
			e := c.edge[i]
			o.arcs[i] = arc{tail[e], uint32(x.Arcs[e].Weight)}
		}
	}
	return o, nil
}
