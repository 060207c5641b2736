package ch

import (
	"cmp"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// shortcut is an arc that the contraction of a node makes necessary, by places
// in the node's lists: from the node of in[from] to that of out[to].
type shortcut struct {
	from, to uint32
	weight   uint32
}

// mark is what a witness search knows of a node; stale unless run matches.
type mark struct {
	run    uint32 // search that reached the node
	weight uint32
	target uint32 // search that the node is a target of
	limit  uint32 // greatest weight of a witness
}

// worker is the workspace of one goroutine of a contraction.
type worker struct {
	pool  *pool.Allocator
	marks []mark
	run   uint32
	queue queue
	// Of the node being simulated: by place in its out list, the arc's weight
	// less that of the lightest other arc to the same node, and the places with
	// the greatest such reach first.
	reach []int64
	order []uint32
	// found are the shortcuts of the nodes that the worker simulated in this
	// round.
	found []shortcut
}

func newWorker(n int, kind pool.Kind) *worker {
	p := pool.NewKind(kind)
	return &worker{pool: p, marks: pool.MakeZeroed[mark](p, n)}
}

// search looks for the shortcuts that contracting v makes necessary and
// appends them to found. Witnesses may not go through v, nor through nodes in
// avoid. batch holds nodes contracted together with v. Those with smaller ids
// count as contracted before it: a witness through them must be strictly
// lighter, which a surcharge of one for each makes sure of. So of the paths that
// justify each other's absence at least one is kept, even where edges of no
// weight make cycles of no weight. Each of the searches settles at most so many
// nodes.
func (w *worker) search(g *working, v uint32, avoid, batch graph.Bits, most int) {
	in, out := g.in[v], g.out[v]
	if len(in) == 0 || len(out) == 0 {
		return
	}
	w.measure(g, v)
	scans := most * min(scansOfSearch, scansOfNode/len(in))
	for from := range in {
		w.searchFrom(g, v, uint32(from), avoid, batch, most, scans)
	}
}

// Around a junction of very many roads a search looks at as many arcs as it settles
// nodes, times as many. So the arcs looked at are bounded too, for each node that a
// search may settle: those of one search, and of all that simulate a node. Elsewhere
// it takes a fifth of that.
const (
	scansOfSearch = 64
	scansOfNode   = 2048
)

// unreachable is less than any reach: no other arc leads to the node.
const unreachable = math.MinInt64 / 2

// measure fills reach and order. The last arc of a witness has some weight, so
// that nodes farther away than the path's without it need not be settled.
func (w *worker) measure(g *working, v uint32) {
	out := g.out[v]
	w.reach = pool.Grow(w.pool, w.reach[:0], len(out))
	w.order = pool.Grow(w.pool, w.order[:0], len(out))
	for i := range out {
		reach := int64(unreachable)
		for _, h := range g.in[out[i].node] {
			if h.node != v {
				reach = max(reach, -int64(h.weight))
			}
		}
		if reach != unreachable {
			reach += int64(out[i].weight)
		}
		w.reach[i], w.order[i] = reach, uint32(i)
	}
	reach := w.reach
	slices.SortFunc(w.order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(reach[b], reach[a]), cmp.Compare(a, b))
	})
}

// searchFrom is search for the arc in[from] of v: one search for all targets.
func (w *worker) searchFrom(g *working, v, from uint32, avoid, batch graph.Bits, most, scans int) {
	arc := &g.in[v][from]
	source, first := arc.node, arc.weight
	out, order, reach := g.out[v], w.order, w.reach
	w.run++
	if w.run == 0 {
		clear(w.marks)
		w.run = 1
	}
	run, marks := w.run, w.marks

	open, bound := 0, uint32(0) // targets without a witness, and their greatest limit
	for i := range out {
		h := &out[i]
		limit := first + h.weight
		if h.node == source {
			if limit < g.loops[source].weight && limit <= maxWeight {
				w.found = pool.Append(w.pool, w.found, shortcut{from, uint32(i), limit})
			}
			continue
		}
		if limit > maxWeight {
			continue
		}
		m := &marks[h.node]
		m.target, m.limit = run, limit
		bound = max(bound, limit)
		open++
	}
	if open == 0 {
		return
	}
	// No node farther away than the radius needs to be settled. It is the
	// greatest reach of an open target, that of order[far].
	far := w.farthest(out, 0)
	radius := int64(first) + reach[order[far]]

	// The node itself is no way around it.
	marks[v].run, marks[v].weight = run, 0
	marks[source].run, marks[source].weight = run, 0
	q := w.queue[:0]
	settled := 0
	node, weight := source, uint32(0)
search:
	for int64(weight) <= radius {
		for _, h := range g.out[node] {
			next := weight + h.weight
			if next > bound {
				continue
			}
			m := &marks[h.node]
			if m.run == run && m.weight <= next {
				continue
			}
			if m.target == run && next <= m.limit {
				// A witness. The target may still lead to others.
				m.target = 0
				open--
				if open == 0 {
					break search
				}
				if h.node == out[order[far]].node {
					far = w.farthest(out, far+1)
					radius = int64(first) + reach[order[far]]
				}
			}
			m.run, m.weight = run, next
			if int64(next) > radius || avoid != nil && avoid.Get(h.node) {
				continue
			}
			if batch != nil && h.node < v && batch.Get(h.node) {
				next++
			}
			q.push(w.pool, uint64(next)<<32|uint64(h.node))
		}
		settled++
		scans -= len(g.out[node])
		if settled == most || scans <= 0 {
			break
		}
		for {
			if len(q) == 0 {
				break search
			}
			x := q.pop()
			node, weight = uint32(x), uint32(x>>32)
			// A surcharge makes the word heavier than the mark.
			if m := &marks[node]; weight == m.weight || batch != nil && weight == m.weight+1 && node < v && batch.Get(node) {
				break
			}
		}
	}
	if w.pool.Kind() == pool.Dropping {
		pool.Free(w.pool, q)
		q = nil
	}
	w.queue = q
	for i := range out {
		m := &marks[out[i].node]
		if m.target == run {
			w.found = pool.Append(w.pool, w.found, shortcut{from, uint32(i), m.limit})
			m.target = 0
		}
	}
}

// farthest returns the first place in order, from the given one on, of an open
// target; there is one.
func (w *worker) farthest(out []half, from int) int {
	for w.marks[out[w.order[from]].node].target != w.run {
		from++
	}
	return from
}
