package mld

import (
	"context"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/heap"
	"github.com/fourway-routing/fourway/internal/parallel"
	"github.com/fourway-routing/fourway/pool"
)

// unreached is the weight of what cannot be reached.
const unreached = uint32(graph.InvalidWeight)

// maxDuration is the largest duration.
const maxDuration = math.MaxInt32 - 1

// addDurations and addDistances stay at the largest value where the sum does not
// fit.
func addDurations(a, b graph.Duration) graph.Duration {
	return graph.Duration(min(int64(a)+int64(b), maxDuration))
}

func addDistances(a, b graph.Distance) graph.Distance {
	return graph.Distance(min(uint64(a)+uint64(b), math.MaxUint32))
}

// customize computes the cliques that exclude nothing, level by level, all cells of a
// level at the same time.
func (o *Overlay) customize(ctx context.Context, workers int, memory pool.Kind) (*Cliques, error) {
	c := o.cells
	q := &Cliques{overlay: o, values: makeValues(c.weights(), [2]int{c.climbs(0), c.climbs(1)})}
	m := newCustomizer(q, workers, memory)
	for l := range c.levels {
		if err := parallel.Each(ctx, workers, c.levels[l].cells, func(worker, cell int) error {
			m.compute(worker, l, cell, &target{values: &q.values})
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return q, ctx.Err()
}

// customizer computes Cliques.
type customizer struct {
	q      *Cliques
	memory pool.Kind
	graphs []*cellGraph // by worker
}

func newCustomizer(q *Cliques, workers int, memory pool.Kind) *customizer {
	return &customizer{q, memory, make([]*cellGraph, workers)}
}

// target is where the values of a cell go: to the places that they have in all
// cliques, less these.
type target struct {
	*values
	clique uint32
	climb  [2]uint32
}

// compute computes the clique of a cell of level l+1, and the climbs of its
// sub-cells.
func (m *customizer) compute(worker, l, cell int, to *target) {
	g := m.graphs[worker]
	if g == nil {
		g = newCellGraph(m.q.overlay.cells, m.memory)
		m.graphs[worker] = g
	}
	g.load(m.q, l, cell)
	m.q.fill(g, l, cell, to)
	if l >= climbFrom {
		m.q.fillClimbs(g, l, cell, to)
	}
}

// cellGraph is one cell with the local numbers of its members as ids, and a
// search in it. The arcs of v are arcs[first[v]:first[v+1]], those from inner[v]
// on being cliques of sub-cells.
type cellGraph struct {
	first, inner []uint32
	arcs         []cellArc

	queue *heap.ArrayHeap
	again []heap.Slot // to be expanded once more
}

type cellArc struct {
	head     uint32
	weight   uint32
	duration graph.Duration
	distance graph.Distance
}

func newCellGraph(c *Cells, memory pool.Kind) *cellGraph {
	return &cellGraph{queue: heap.NewArrayHeap(pool.NewKind(memory), c.mostMembers())}
}

// mostMembers returns the number of members of the largest cell.
func (c *Cells) mostMembers() int {
	most := uint32(0)
	for l := range c.levels {
		for cell := range uint32(c.levels[l].cells) {
			r := c.levels[l].roster(cell)
			most = max(most, r.n)
		}
	}
	return int(most)
}

// load takes a cell, level l+1, from the cells and the cliques of the level
// below.
func (g *cellGraph) load(q *Cliques, l, cell int) {
	o := q.overlay
	c := o.cells
	v := &c.levels[l]
	members := v.roster(uint32(cell))
	g.first, g.inner, g.arcs = g.first[:0], g.inner[:0], g.arcs[:0]
	for i := range members.n {
		id := members.id(i)
		g.first = append(g.first, uint32(len(g.arcs)))
		from, to := c.first[2*id], c.first[2*id+1]
		if id < v.border {
			from += uint32(v.rows[0][id].Across)
		}
		if l > 0 {
			r := &c.levels[l-1].rows[0][id]
			to = r.Arcs + uint32(r.Across)
		}
		for i := from; i < to; i++ {
			a := &o.arcs[i]
			if a.Weight >= unreached || q.excluded != nil && q.excluded.Get(a.Head) {
				continue
			}
			k := &o.costs[c.edge[i]]
			g.arcs = append(g.arcs, cellArc{members.number(a.Head), a.Weight, k.Duration, k.Distance})
		}
		g.inner = append(g.inner, uint32(len(g.arcs)))
		if l == 0 {
			continue
		}
		b := &c.levels[l-1]
		r := &b.rows[0][id]
		if r.N == 0 {
			continue
		}
		h, shift := q.home(uint32(l), id)
		weights, costs := h.weight[0][r.Clique+shift:], h.costs[r.Clique+shift:]
		for i, head := range b.exits[r.Heads:][:r.N] {
			w := weights[i]
			if w >= unreached || head == id {
				continue
			}
			k := &costs[i]
			g.arcs = append(g.arcs, cellArc{members.number(head), w, k.Duration, k.Distance})
		}
	}
	g.first = append(g.first, uint32(len(g.arcs)))
}

// fill computes the clique of a cell that has been loaded, and the climbs down
// from it.
func (q *Cliques) fill(g *cellGraph, l, cell int, to *target) {
	v := &q.overlay.cells.levels[l]
	exits, entries := v.ends(0, uint32(cell)), v.ends(1, uint32(cell))
	at := v.cliqueFirst[cell] - to.clique
	forward, backward, costs := to.weight[0][at:], to.weight[1][at:], to.costs[at:]
	for i, entry := range entries {
		g.growFrom(q, v, entry)
		for j, exit := range exits {
			k := i*len(exits) + j
			forward[k], costs[k] = g.found(v.local[exit])
			backward[j*len(entries)+i] = forward[k]
		}
		if l >= climbFrom {
			q.takeClimbs(g, l, cell, 1, i, len(entries), to)
		}
	}
}

// fillClimbs computes the climbs up to a cell that has been loaded.
func (q *Cliques) fillClimbs(g *cellGraph, l, cell int, to *target) {
	v := &q.overlay.cells.levels[l]
	g.reverse()
	exits := v.ends(0, uint32(cell))
	for i, exit := range exits {
		g.growFrom(q, v, exit)
		q.takeClimbs(g, l, cell, 0, i, len(exits), to)
	}
}

// takeClimbs notes what the search from end i of n has found.
func (q *Cliques) takeClimbs(g *cellGraph, l, cell, d, i, n int, to *target) {
	v := &q.overlay.cells.levels[l]
	below := &q.overlay.cells.levels[l-1]
	for sub := v.subFirst[cell]; sub < v.subFirst[cell+1]; sub++ {
		at := int(below.climbFirst[d][sub]-to.climb[d]) + i
		for _, end := range below.ends(d, sub) {
			to.values.climb[d][at], to.climbCosts[d][at] = g.found(v.local[end])
			at += n
		}
	}
}

// growFrom is grow from a border node; an excluded one reaches nothing.
func (g *cellGraph) growFrom(q *Cliques, v *level, id uint32) {
	if q.excluded != nil && q.excluded.Get(id) {
		g.queue.Clear()
		return
	}
	g.grow(v.local[id])
}

// found returns the weight and cost of a member.
func (g *cellGraph) found(local uint32) (uint32, cost) {
	slot, ok := g.queue.Find(local)
	if !ok {
		return unreached, cost{graph.InvalidDuration, 0}
	}
	x := g.queue.At(slot)
	return uint32(x.Key), cost{graph.Duration(x.Data.Parent &^ overCliqueBit), graph.Distance(x.Data.Edge)}
}

// reverse turns all arcs around.
func (g *cellGraph) reverse() {
	n := len(g.inner)
	first, inner := make([]uint32, n+1), make([]uint32, n)
	for v := range n {
		for i := g.first[v]; i < g.first[v+1]; i++ {
			head := g.arcs[i].head
			first[head+1]++
			if i < g.inner[v] {
				inner[head]++
			}
		}
	}
	sum(first)
	next, nextInner := slices.Clone(first), make([]uint32, n)
	for v := range n {
		inner[v] += first[v]
		nextInner[v] = inner[v]
	}
	arcs := make([]cellArc, len(g.arcs))
	for v := range n {
		for i := g.first[v]; i < g.first[v+1]; i++ {
			a := g.arcs[i]
			at := &next[a.head]
			if i >= g.inner[v] {
				at = &nextInner[a.head]
			}
			a.head = uint32(v)
			arcs[*at] = a
			*at++
		}
	}
	g.first, g.inner, g.arcs = first, inner, arcs
}

// overCliqueBit marks the duration in a label where a clique led to the node: the
// clique of its own cell is vain then.
const overCliqueBit = 1 << 31

// grow finds the paths from a member to all others. The heap's order is that of
// weight; a member that turns out to be reached sooner, over arcs of no weight, is
// expanded again. The labels are a duration, with overCliqueBit, and a distance.
func (g *cellGraph) grow(source uint32) {
	q := g.queue
	q.Clear()
	q.Insert(source, 0, heap.Label{})
	for {
		var slot heap.Slot
		if n := len(g.again); n > 0 {
			slot = g.again[n-1]
			g.again = g.again[:n-1]
		} else if q.Empty() {
			return
		} else {
			slot = q.MinSlot()
			q.DeleteMin()
		}
		x := q.At(slot)
		v, key := x.Node, uint32(x.Key)
		duration, distance := graph.Duration(x.Data.Parent&^overCliqueBit), graph.Distance(x.Data.Edge)
		first, inner, end := g.first[v], g.inner[v], g.first[v+1]
		if x.Data.Parent&overCliqueBit != 0 {
			end = inner
		}
		for i := first; i < end; i++ {
			a := &g.arcs[i]
			next := key + a.weight
			if next >= unreached {
				continue
			}
			parent := uint32(addDurations(duration, a.duration))
			if i >= inner {
				parent |= overCliqueBit
			}
			y, ok := q.Find(a.head)
			if !ok {
				q.Insert(a.head, int32(next), heap.Label{Parent: parent, Edge: uint32(addDistances(distance, a.distance))})
				continue
			}
			r := q.At(y)
			old := uint32(r.Key)
			if next > old || next == old && parent&^overCliqueBit >= r.Data.Parent&^overCliqueBit {
				continue
			}
			r.Data = heap.Label{Parent: parent, Edge: uint32(addDistances(distance, a.distance))}
			if r.Removed() {
				g.again = append(g.again, y)
			} else {
				q.DecreaseKey(a.head, int32(next))
			}
		}
	}
}
