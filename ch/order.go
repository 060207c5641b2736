package ch

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/dissect"
)

// Order is a customizable contraction hierarchy: an order of the nodes that suits
// any metric, and all arcs that contraction in that order can need. Customize gives
// it weights. It is immutable and safe for concurrent use.
//
// Nodes are numbered by rank and arcs are listed as in a Hierarchy.
type Order struct {
	rank  []uint32 // by NodeID
	first []uint32
	arcs  []arc // their weights mean nothing
	// arcOf is the arc of each edge, or ofLoop and the rank for an edge from a node
	// to itself.
	arcOf []uint32
	// parts are the ranks where parts begin, and layers the parts where layers
	// begin, from the top down; each ends with the number of all. No arc joins
	// two parts of one layer.
	parts, layers []uint32

	// What follows is of use to customization alone, and made when that begins.
	indexed sync.Once
	fault   error // that makes customization impossible
	// tail is the lower end of each arc. Of the arcs whose upper end is r,
	// below[belowFirst[2r]:belowFirst[2r+1]] lead down, and those up to
	// belowFirst[2r+2] lead up to r.
	tail, below, belowFirst []uint32
	// edges[edgesFirst[r]:edgesFirst[r+1]] are the edges whose lower end is r.
	edges      []graph.EdgeID
	edgesFirst []uint32
}

const ofLoop = 1 << 31

// OrderOptions are the options of Dissect. The zero value is the default.
type OrderOptions struct {
	// Workers is the number of goroutines; 0 means one per processor. The result
	// does not depend on it.
	Workers int
	// Progress is called now and then with the number of junctions that have
	// their place and that of all, by one goroutine at a time.
	Progress func(done, total int)
}

// NumNodes returns the number of nodes of the graph.
func (o *Order) NumNodes() int { return len(o.rank) }

// NumArcs returns the number of arcs.
func (o *Order) NumArcs() int { return len(o.arcs) }

// smallPart is the number of search nodes of a part that is not dissected. Below
// a few dozen, the arcs grow fewer by some percent at most.
const smallPart = 4

// Dissect orders the nodes of a network by nested dissection (Dibbelt, Strasser
// and Wagner, Customizable Contraction Hierarchies, 2016). Cuts are those of the
// network of roads: the search nodes of the roads that a cut crosses, and their
// copies, separate the search graph (Buchhold, Wagner, Zeitz and Zündorf,
// Customizable Contraction Hierarchies with Turn Costs, 2020).
//
// The search graph is directed; an arc is there only if some path leads its way,
// not also for each arc the other way.
//
// A done context ends it with the context's error.
func Dissect(ctx context.Context, n *graph.Network, o OrderOptions) (*Order, error) {
	tree, err := dissect.Run(ctx, n, dissect.Options{Small: smallPart, Workers: o.Workers, Progress: o.Progress})
	if err != nil {
		return nil, fmt.Errorf("ch: dissect: %w", err)
	}
	return fillIn(ctx, n.EdgeFirst, n.EdgeHead, place(n, tree))
}

// placing says where the nodes belong.
type placing struct {
	part  []uint32 // by NodeID; parts of a layer are consecutive, from the top down
	layer []uint32 // by part
	ranks []uint32 // by NodeID: the order within parts; nil for that of the nodes
}

// place puts each node in the lowest part that has both ends of its road: a road
// that leads from one half to the other is of the separator.
func place(n *graph.Network, tree *dissect.Part) placing {
	type position struct {
		above *position
		layer uint32
		part  uint32
	}
	leaf := make([]*position, len(n.JunctionPlace))
	var all []*position
	var walk func(p *dissect.Part, above *position, layer uint32)
	walk = func(p *dissect.Part, above *position, layer uint32) {
		at := &position{above: above, layer: layer}
		all = append(all, at)
		for _, j := range p.Junctions {
			leaf[j] = at
		}
		for _, half := range p.Halves {
			if half != nil {
				walk(half, at, layer+1)
			}
		}
	}
	walk(tree, nil, 0)
	slices.SortStableFunc(all, func(a, b *position) int { return cmp.Compare(a.layer, b.layer) })
	s := placing{part: make([]uint32, n.NumNodes()), layer: make([]uint32, len(all))}
	for i, p := range all {
		p.part = uint32(i)
		s.layer[i] = p.layer
	}
	for v, arm := range n.NodeArm {
		a, b := leaf[n.ArmJunction[arm]], leaf[n.ArmJunction[arm.Twin()]]
		for a != b {
			if a.layer >= b.layer {
				a = a.above
			} else {
				b = b.above
			}
		}
		s.part[v] = a.part
	}
	return s
}

// fillIn makes the Order of a graph.
func fillIn(ctx context.Context, edgeFirst []graph.EdgeID, edgeHead []graph.NodeID, s placing) (*Order, error) {
	n := len(edgeFirst) - 1
	o := &Order{arcOf: make([]uint32, len(edgeHead))}
	o.number(s)
	f := filler{out: make([][]uint32, n), in: make([][]uint32, n)}
	for v, r := range o.rank {
		for e := edgeFirst[v]; e < edgeFirst[v+1]; e++ {
			f.add(r, o.rank[edgeHead[e]])
		}
	}
	if err := f.run(ctx); err != nil {
		return nil, err
	}
	if uint64(f.arcs) >= ofLoop {
		return nil, fmt.Errorf("%w: it needs %d arcs; ids are 32 bit", ErrGraph, f.arcs)
	}
	o.arcs = make([]arc, 0, f.arcs)
	o.first = make([]uint32, 1, 2*n+1)
	for r := range n {
		for _, list := range [][]uint32{f.out[r], f.in[r]} {
			for _, head := range list {
				o.arcs = append(o.arcs, arc{Head: head})
			}
			o.first = append(o.first, uint32(len(o.arcs)))
		}
	}
	for v, r := range o.rank {
		for e := edgeFirst[v]; e < edgeFirst[v+1]; e++ {
			o.arcOf[e] = o.find(r, o.rank[edgeHead[e]])
		}
	}
	return o, nil
}

// number fills rank, parts and layers.
func (o *Order) number(s placing) {
	n := len(s.part)
	order := make([]uint32, n)
	for v := range order {
		order[v] = uint32(v)
	}
	slices.SortStableFunc(order, func(v, u uint32) int {
		if c := cmp.Compare(s.part[v], s.part[u]); c != 0 || s.ranks == nil {
			return c
		}
		return cmp.Compare(s.ranks[v], s.ranks[u])
	})
	o.rank = make([]uint32, n)
	last, layer := uint32(0), uint32(0)
	for r, v := range order {
		o.rank[v] = uint32(r)
		p := s.part[v]
		if r > 0 && p == last {
			continue
		}
		if r == 0 || s.layer[p] != layer {
			o.layers = append(o.layers, uint32(len(o.parts)))
		}
		o.parts = append(o.parts, uint32(r))
		last, layer = p, s.layer[p]
	}
	o.layers = append(o.layers, uint32(len(o.parts)))
	o.parts = append(o.parts, uint32(n))
}

// find returns what arcOf has for an edge from a rank to another.
func (o *Order) find(from, to uint32) uint32 {
	if from == to {
		return ofLoop + from
	}
	at, _ := o.search(listOf(from, to))
	return at
}

// listOf returns the list of first that has the arc between two ranks, and its head.
func listOf(from, to uint32) (i, head uint32) {
	if from > to {
		return 2 * from, to
	}
	return 2*to + 1, from
}

// search finds the arc of list i of first that has a head.
func (o *Order) search(i, head uint32) (a uint32, ok bool) {
	at, ok := slices.BinarySearchFunc(o.arcs[o.first[i]:o.first[i+1]], head, func(a arc, head uint32) int {
		return cmp.Compare(a.Head, head)
	})
	return o.first[i] + uint32(at), ok
}

// index makes what customization needs.
func (o *Order) index() {
	// Workers rely on it that no arc joins their parts.
	if o.fault = o.sound(); o.fault != nil {
		return
	}
	o.indexTails()
	o.indexEdges()
}

func (o *Order) indexTails() {
	n := len(o.rank)
	o.tail = make([]uint32, len(o.arcs))
	o.belowFirst = make([]uint32, 2*n+2)
	for i := range 2 * n {
		for a := o.first[i]; a < o.first[i+1]; a++ {
			o.tail[a] = uint32(i / 2)
			// What leads up from the lower end leads up to the upper one.
			o.belowFirst[2*int(o.arcs[a].Head)+1-i&1+1]++
		}
	}
	for i := range 2 * n {
		o.belowFirst[i+1] += o.belowFirst[i]
	}
	o.belowFirst = o.belowFirst[:2*n+1]
	o.below = make([]uint32, len(o.arcs))
	next := slices.Clone(o.belowFirst)
	for i := range 2 * n {
		for a := o.first[i]; a < o.first[i+1]; a++ {
			at := &next[2*o.arcs[a].Head+1-uint32(i)&1]
			o.below[*at] = a
			*at++
		}
	}
}

// indexEdges sorts the edges by their lower end.
func (o *Order) indexEdges() {
	lower := func(e int) uint32 {
		a := o.arcOf[e]
		if a >= ofLoop {
			return a - ofLoop
		}
		return o.tail[a]
	}
	o.edgesFirst = make([]uint32, len(o.rank)+1)
	for e := range o.arcOf {
		o.edgesFirst[lower(e)+1]++
	}
	for r := range o.rank {
		o.edgesFirst[r+1] += o.edgesFirst[r]
	}
	o.edges = make([]graph.EdgeID, len(o.arcOf))
	next := slices.Clone(o.edgesFirst)
	for e := range o.arcOf {
		at := &next[lower(e)]
		o.edges[*at] = graph.EdgeID(e)
		*at++
	}
}

// filler finds the arcs that contraction needs.
type filler struct {
	out, in [][]uint32 // upper ends by lower end
	arcs    int
}

func (f *filler) add(from, to uint32) {
	switch {
	case from > to:
		f.out[from] = unite(f.out[from], to)
	case from < to:
		f.in[to] = unite(f.in[to], from)
	}
}

// unite adds a number to a list. Doubles go before the list would grow.
func unite(list []uint32, x uint32) []uint32 {
	if len(list) == cap(list) && len(list) >= 16 {
		list = sorted(list)
		if 2*len(list) > cap(list) {
			list = slices.Grow(list, cap(list))
		}
	}
	return append(list, x)
}

// sorted sorts a list and leaves doubles out.
func sorted(list []uint32) []uint32 {
	slices.Sort(list)
	return slices.Compact(list)
}

// run contracts all nodes, the lowest first.
func (f *filler) run(ctx context.Context) error {
	for r := len(f.out) - 1; r >= 0; r-- {
		if r%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		f.out[r] = slices.Clip(sorted(f.out[r]))
		f.in[r] = slices.Clip(sorted(f.in[r]))
		f.arcs += len(f.out[r]) + len(f.in[r])
		for _, from := range f.in[r] {
			for _, to := range f.out[r] {
				f.add(from, to)
			}
		}
	}
	return nil
}
