package mld

import (
	"context"
	"math"

	"github.com/fourway-routing/fourway/graph"
)

// unreached is the weight of what cannot be reached.
const unreached = uint32(graph.InvalidWeight)

// rank orders paths by weight, above, and duration, below. The sum of two ranks
// is the rank of both paths in a row, but for saturation.
type rank uint64

const (
	unreachedRank = rank(unreached) << 32
	maxDuration   = math.MaxInt32 - 1
)

func makeRank(weight uint32, duration graph.Duration) rank {
	return rank(weight)<<32 | rank(uint32(duration))
}

// plus returns the rank of two paths in a row, each with a duration of at most
// maxDuration, where that of both stays.
func (r rank) plus(s rank) rank {
	r += s
	if uint32(r) > maxDuration {
		r = r&^math.MaxUint32 | maxDuration
	}
	return r
}

func (r rank) weight() uint32           { return uint32(r >> 32) }
func (r rank) duration() graph.Duration { return graph.Duration(uint32(r)) }

// addDistances stays at the largest value where the sum does not fit.
func addDistances(a, b graph.Distance) graph.Distance {
	return graph.Distance(min(uint64(a)+uint64(b), math.MaxUint32))
}

// customize computes the cliques, level by level, all cells of a level at the
// same time.
func (o *Overlay) customize(ctx context.Context, excluded graph.Bits, workers int) (*Cliques, error) {
	n := o.cells.weights()
	q := &Cliques{overlay: o, costs: make([]cost, n), excluded: excluded}
	q.weight[0], q.weight[1] = make([]uint32, n), make([]uint32, n)
	scratch := make([]cellGraph, workers)
	for l := range o.cells.levels {
		cells := o.cells.levels[l].cells
		if err := parallel(ctx, workers, cells, func(worker, cell int) {
			g := &scratch[worker]
			g.load(q, l, cell)
			q.fill(g, l, cell)
		}); err != nil {
			return nil, err
		}
	}
	return q, ctx.Err()
}

// cellGraph is one cell with the local numbers of its members as ids, and a
// search in it. The arcs of v are arcs[first[v]:first[v+1]], those from inner[v]
// on being cliques of sub-cells.
type cellGraph struct {
	first, inner []uint32
	arcs         []cellArc

	label []cellLabel
	queue []uint64
}

type cellArc struct {
	rank     rank
	distance graph.Distance
	head     uint32
}

type cellLabel struct {
	rank     rank
	settled  rank // with what rank it was settled last
	distance graph.Distance
	clique   bool // reached by a clique, which makes that of its own cell vain
}

// load takes a cell, level l+1, from the cells and the cliques of the level
// below.
func (g *cellGraph) load(q *Cliques, l, cell int) {
	o := q.overlay
	c := o.cells
	v := &c.levels[l]
	members := v.members[v.memberFirst[cell]:v.memberFirst[cell+1]]
	g.first, g.inner, g.arcs = g.first[:0], g.inner[:0], g.arcs[:0]
	for _, id := range members {
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
			g.arcs = append(g.arcs, cellArc{makeRank(a.Weight, k.Duration), k.Distance, v.local[a.Head]})
		}
		g.inner = append(g.inner, uint32(len(g.arcs)))
		if l == 0 {
			continue
		}
		b := &c.levels[l-1]
		r := &b.rows[0][id]
		for i, head := range b.exits[r.Heads:][:r.N] {
			w := q.weight[0][r.Clique:][i]
			if w >= unreached || head == id {
				continue
			}
			k := &q.costs[r.Clique:][i]
			g.arcs = append(g.arcs, cellArc{makeRank(w, k.Duration), k.Distance, v.local[head]})
		}
	}
	g.first = append(g.first, uint32(len(g.arcs)))
}

// fill computes the clique of a cell that has been loaded.
func (q *Cliques) fill(g *cellGraph, l, cell int) {
	v := &q.overlay.cells.levels[l]
	exits := v.exits[v.exitFirst[cell]:v.exitFirst[cell+1]]
	entries := v.entries[v.entryFirst[cell]:v.entryFirst[cell+1]]
	at := int(v.cliqueFirst[cell])
	forward, backward, costs := q.weight[0][at:], q.weight[1][at:], q.costs[at:]
	for i, entry := range entries {
		row, rowCosts := forward[i*len(exits):][:len(exits)], costs[i*len(exits):][:len(exits)]
		if q.excluded != nil && q.excluded.Get(entry) {
			for j := range row {
				row[j], backward[j*len(entries)+i] = unreached, unreached
				rowCosts[j] = cost{graph.InvalidDuration, 0}
			}
			continue
		}
		g.grow(v.local[entry])
		for j, exit := range exits {
			x := &g.label[v.local[exit]]
			if x.rank >= unreachedRank {
				row[j], backward[j*len(entries)+i] = unreached, unreached
				rowCosts[j] = cost{graph.InvalidDuration, 0}
				continue
			}
			row[j], backward[j*len(entries)+i] = x.rank.weight(), x.rank.weight()
			rowCosts[j] = cost{x.rank.duration(), x.distance}
		}
	}
}

// grow finds the paths from a member to all others. A member that turns out to be
// reached better, over arcs of no weight, is settled again.
//
// The queue is a plain heap of weight and local id in one word. A member is put in
// again where package heap would decrease its key; with a few hundred members all
// in the nearest cache that takes less time (BenchmarkCellQueue).
func (g *cellGraph) grow(source uint32) {
	g.label = resize(g.label, len(g.first)-1)
	label := g.label
	for i := range label {
		label[i] = cellLabel{rank: unreachedRank, settled: unreachedRank}
	}
	label[source].rank = 0
	q := append(g.queue[:0], uint64(source))
	for len(q) > 0 {
		var top uint64
		top, q = pop(q)
		v := uint32(top)
		x := &label[v]
		if x.settled == x.rank {
			continue
		}
		x.settled = x.rank
		end := g.first[v+1]
		if x.clique {
			end = g.inner[v]
		}
		key, distance := x.rank, x.distance
		for i := g.first[v]; i < end; i++ {
			a := &g.arcs[i]
			y := &label[a.head]
			next := key.plus(a.rank)
			if next >= y.rank {
				continue
			}
			y.rank, y.distance, y.clique = next, addDistances(distance, a.distance), i >= g.inner[v]
			q = push(q, uint64(next.weight())<<32|uint64(a.head))
		}
	}
	g.queue = q
}

// push adds an entry to a binary heap.
func push(q []uint64, e uint64) []uint64 {
	i := len(q)
	q = append(q, e)
	for i > 0 {
		p := (i - 1) / 2
		if q[p] <= e {
			break
		}
		q[i] = q[p]
		i = p
	}
	q[i] = e
	return q
}

// pop removes the smallest entry of a heap that is not empty.
func pop(q []uint64) (uint64, []uint64) {
	top := q[0]
	n := len(q) - 1
	e := q[n]
	q = q[:n]
	i := 0
	for {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && q[c+1] < q[c] {
			c++
		}
		if e <= q[c] {
			break
		}
		q[i] = q[c]
		i = c
	}
	if n > 0 {
		q[i] = e
	}
	return top, q
}
