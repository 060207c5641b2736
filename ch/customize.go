package ch

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/parallel"
)

// CustomizeOptions are the options of Order.Customize and Order.Update. The zero
// value is the default.
type CustomizeOptions struct {
	// Workers is the number of goroutines; 0 means one per processor. The result
	// does not depend on it.
	Workers int
	// Exclude is a set of nodes that searches keep out of.
	Exclude graph.Bits
}

// Customize returns the Hierarchy of a graph that has the Order's edges, and any
// weights: each arc gets the least weight of a way over lower nodes, from the bottom
// up (Dibbelt, Strasser and Wagner, Customizable Contraction Hierarchies, 2016,
// section 7, basic customization). Arcs for which there is a lighter way over higher
// nodes stay: with directed arcs they are but a few percent.
//
// The result depends on the graph and the set alone. A done context ends the
// customization with the context's error.
func (o *Order) Customize(ctx context.Context, x *graph.Expanded, opt CustomizeOptions) (*Hierarchy, error) {
	c, err := o.customizer(x, opt)
	if err != nil {
		return nil, err
	}
	m := o.NumArcs()
	c.h = &Hierarchy{
		edges: uint32(len(o.arcOf)), rank: o.rank, first: o.first,
		arcs:     make([]arc, m),
		duration: make([]graph.Duration, m), distance: make([]graph.Distance, m),
		cores: make([]core, 1), coreOf: []uint32{0}, barred: c.barred,
	}
	c.child = make([][2]uint32, m)
	return c.run(ctx)
}

// Update returns the Hierarchy of a graph of which another was the Hierarchy before
// the edges that leave the changed nodes got other values. It is what Customize
// returns, and takes time for what depends on the changes, besides a copy.
// opt.Exclude is that of the Hierarchy before.
func (o *Order) Update(ctx context.Context, before *Hierarchy, x *graph.Expanded, changed graph.Bits, opt CustomizeOptions) (*Hierarchy, error) {
	c, err := o.customizer(x, opt)
	if err != nil {
		return nil, err
	}
	if len(before.arcs) != o.NumArcs() || len(before.loops) != 1 || !slices.Equal(before.barred, c.barred) ||
		!slices.Equal(before.rank, o.rank) || !slices.Equal(before.first, o.first) {
		return nil, fmt.Errorf("%w: the hierarchy to be updated is of another order or set", ErrGraph)
	}
	if len(changed) < len(graph.MakeBits(o.NumNodes())) {
		return nil, fmt.Errorf("%w: the changed set has bits for %d nodes, the graph %d nodes", ErrGraph, 64*len(changed), o.NumNodes())
	}
	h := *before
	h.arcs, c.child = slices.Clone(h.arcs), h.children()
	h.duration, h.distance = slices.Clone(h.duration), slices.Clone(h.distance)
	c.h, c.before = &h, before
	for i, r := range h.loops[0].rank {
		l := &h.loops[0]
		c.loops[r] = loopCost{l.weight[i], l.child[i], l.duration[i], l.distance[i]}
	}
	c.dirty = makeMarks(o.NumNodes())
	for v := range o.rank {
		if !changed.Get(uint32(v)) {
			continue
		}
		for e := x.First[v]; e < x.First[v+1]; e++ {
			if a := o.arcOf[e]; a >= ofLoop {
				c.dirty.set(a - ofLoop)
			} else {
				c.dirty.set(o.tail[a])
			}
		}
	}
	return c.run(ctx)
}

// marks are bits that several goroutines may set.
type marks []atomic.Uint64

func makeMarks(n int) marks { return make(marks, (n+63)/64) }

func (m marks) set(i uint32) {
	if bit := uint64(1) << (i % 64); m[i/64].Load()&bit == 0 {
		m[i/64].Or(bit)
	}
}

func (m marks) get(i uint32) bool { return m[i/64].Load()>>(i%64)&1 != 0 }

// customizer gives an Order weights.
type customizer struct {
	order  *Order
	x      *graph.Expanded
	h      *Hierarchy
	child  [][2]uint32 // by arc, as Hierarchy.childOf
	barred graph.Bits  // by rank; nil for none
	loops  []loopCost  // by rank
	before *Hierarchy  // or nil
	dirty  marks       // ranks to work on, if there is a Hierarchy before
	// scratch has, for each worker, the arcs between the rank at work and others,
	// by rank.
	scratch [][]between
	// broken is set if an arc is missing that contraction needs.
	broken atomic.Bool
}

// between are the arcs to a rank and from it.
type between struct{ to, from uint32 }

// loopCost is the way from a node back to itself, as Hierarchy lists it.
type loopCost struct {
	weight   uint32
	child    [2]uint32
	duration graph.Duration
	distance graph.Distance
}

// missing is the weight of an arc without a way, which no search takes.
const missing = maxWeight + 1

// noWay is the child of an arc or loop of weight missing.
var noWay = [2]uint32{0, original}

func (o *Order) customizer(x *graph.Expanded, opt CustomizeOptions) (*customizer, error) {
	if err := check(x, Options{Exclude: []graph.Bits{opt.Exclude}}); err != nil {
		return nil, err
	}
	o.indexed.Do(o.index)
	if o.fault != nil {
		return nil, o.fault
	}
	if err := o.fits(x); err != nil {
		return nil, err
	}
	c := &customizer{order: o, x: x, loops: make([]loopCost, o.NumNodes())}
	for r := range c.loops {
		c.loops[r] = loopCost{weight: missing, child: noWay}
	}
	if len(opt.Exclude) > 0 {
		c.barred = graph.MakeBits(o.NumNodes())
		for v, r := range o.rank {
			if opt.Exclude.Get(uint32(v)) {
				c.barred.Set(r)
			}
		}
	}
	workers := parallel.Workers(opt.Workers)
	for range workers {
		c.scratch = append(c.scratch, make([]between, o.NumNodes()))
	}
	return c, nil
}

// fits returns an error if a graph has other edges than the Order.
func (o *Order) fits(x *graph.Expanded) error {
	if x.NumNodes() != o.NumNodes() || len(x.Arcs) != len(o.arcOf) {
		return fmt.Errorf("%w: %d nodes and %d edges, the order has %d and %d", ErrGraph,
			x.NumNodes(), len(x.Arcs), o.NumNodes(), len(o.arcOf))
	}
	for v, r := range o.rank {
		for e := x.First[v]; e < x.First[v+1]; e++ {
			if !o.joins(o.arcOf[e], r, o.rank[x.Arcs[e].Head]) {
				return fmt.Errorf("%w: edge %d leads from node %d to %d, in the order elsewhere", ErrGraph, e, v, x.Arcs[e].Head)
			}
		}
	}
	return nil
}

// joins says whether an arc, or what arcOf has for a loop, leads from a rank to
// another.
func (o *Order) joins(a, from, to uint32) bool {
	switch {
	case from == to:
		return a == ofLoop+from
	case from > to:
		return o.first[2*from] <= a && a < o.first[2*from+1] && o.arcs[a].Head == to
	}
	return o.first[2*to+1] <= a && a < o.first[2*to+2] && o.arcs[a].Head == from
}

// run customizes the ranks that are dirty, from the bottom up. Parts of one layer
// are worked on at the same time.
func (c *customizer) run(ctx context.Context) (*Hierarchy, error) {
	o := c.order
	for i := len(o.layers) - 2; i >= 0; i-- {
		from := o.layers[i]
		const atOnce = 16 // parts, which are small where there are many
		err := parallel.Pieces(ctx, len(c.scratch), int(o.layers[i+1]-from), atOnce, func(worker, first, end int) error {
			low, high := o.parts[int(from)+first], o.parts[int(from)+end]
			for r := high; r > low; r-- {
				if c.before == nil || c.dirty.get(r-1) {
					c.rank(c.scratch[worker], r-1)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if c.broken.Load() {
		return nil, damaged("arcs of the order are missing")
	}
	c.h.setChildren(c.child)
	c.h.loops = []loops{c.listLoops()}
	return c.h, nil
}

// rank gives the arcs up from a rank, and those down to it, the least weights over
// lower nodes, whose arcs have theirs.
func (c *customizer) rank(scratch []between, r uint32) {
	o, arcs, child := c.order, c.h.arcs, c.child
	first, middle, end := o.first[2*r], o.first[2*r+1], o.first[2*r+2]
	for a := first; a < end; a++ {
		arcs[a], child[a] = arc{o.arcs[a].Head, missing}, noWay
	}
	loop := loopCost{weight: missing, child: noWay}
	if c.barred == nil || !c.barred.Get(r) {
		c.load(r, &loop)
	}
	for a := first; a < middle; a++ {
		scratch[o.arcs[a].Head].to = a
	}
	for a := middle; a < end; a++ {
		scratch[o.arcs[a].Head].from = a
	}
	// What scratch has of other ranks is out of these ranges.
	ups, downs := middle-first, end-middle
	down, up, last := o.belowFirst[2*r], o.belowFirst[2*r+1], o.belowFirst[2*r+2]
	for _, a := range o.below[down:up] { // r to v, then v to w
		weight := arcs[a].Weight
		if weight >= missing {
			continue
		}
		v := o.tail[a]
		from := o.first[2*v]
		for i, b := range arcs[from:o.first[2*v+1]] {
			sum := weight + b.Weight
			if b.Head >= r {
				if b.Head == r && sum < loop.weight {
					loop.weight, loop.child = sum, [2]uint32{a, from + uint32(i)}
				}
				break
			}
			to := scratch[b.Head].to
			if to-first >= ups {
				c.broken.Store(true)
				return
			}
			if sum < arcs[to].Weight {
				arcs[to].Weight, child[to] = sum, [2]uint32{a, from + uint32(i)}
			}
		}
	}
	for _, b := range o.below[up:last] { // w to v, then v to r
		weight := arcs[b].Weight
		if weight >= missing {
			continue
		}
		v := o.tail[b]
		begin := o.first[2*v+1]
		for i, a := range arcs[begin:o.first[2*v+2]] {
			if a.Head >= r {
				break
			}
			from := scratch[a.Head].from
			if from-middle >= downs {
				c.broken.Store(true)
				return
			}
			if a.Weight+weight < arcs[from].Weight {
				arcs[from].Weight, child[from] = a.Weight+weight, [2]uint32{begin + uint32(i), b}
			}
		}
	}
	for a := first; a < end; a++ {
		c.h.duration[a], c.h.distance[a] = c.sum(child[a], arcs[a].Weight)
	}
	loop.duration, loop.distance = c.sum(loop.child, loop.weight)
	c.loops[r] = loop
	if c.before != nil {
		c.spread(r)
	}
}

// load gives the arcs of a rank, and its loop, the costs of edges.
func (c *customizer) load(r uint32, loop *loopCost) {
	o := c.order
	for _, e := range o.edges[o.edgesFirst[r]:o.edgesFirst[r+1]] {
		weight := uint32(c.x.Arcs[e].Weight)
		if weight > maxWeight {
			continue
		}
		a, child := o.arcOf[e], [2]uint32{uint32(e), original}
		if a >= ofLoop {
			if weight < loop.weight {
				loop.weight, loop.child = weight, child
			}
			continue
		}
		if weight < c.h.arcs[a].Weight && (c.barred == nil || !c.barred.Get(o.arcs[a].Head)) {
			c.h.arcs[a].Weight, c.child[a] = weight, child
		}
	}
}

// sum returns the duration and distance of an arc or loop.
func (c *customizer) sum(child [2]uint32, weight uint32) (graph.Duration, graph.Distance) {
	a, b := child[0], child[1]
	switch {
	case weight >= missing:
		return 0, 0
	case b == original:
		return c.x.Arcs[a].Duration, c.x.Arcs[a].Distance
	}
	return addDurations(c.h.duration[a], c.h.duration[b]), addDistances(c.h.distance[a], c.h.distance[b])
}

// spread marks the ranks whose arcs may depend on those of a rank, if these are
// other than before.
func (c *customizer) spread(r uint32) {
	o, h, old := c.order, c.h, c.before
	first, end := o.first[2*r], o.first[2*r+2]
	if slices.Equal(h.arcs[first:end], old.arcs[first:end]) &&
		slices.Equal(h.duration[first:end], old.duration[first:end]) &&
		slices.Equal(h.distance[first:end], old.distance[first:end]) {
		return
	}
	for _, a := range h.arcs[first:end] {
		c.dirty.set(a.Head)
	}
}

// listLoops lists the loops by rank.
func (c *customizer) listLoops() (l loops) {
	for r := range c.loops {
		k := &c.loops[r]
		if k.weight > maxWeight {
			continue
		}
		l.rank = append(l.rank, uint32(r))
		l.weight = append(l.weight, k.weight)
		l.child = append(l.child, k.child)
		l.duration = append(l.duration, k.duration)
		l.distance = append(l.distance, k.distance)
	}
	return l
}
