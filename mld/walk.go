package mld

import (
	"slices"

	"github.com/fourway-routing/fourway/pool"
)

// walk finds the hops of a clique or climb whose level is above climbFrom, without a
// search, and puts them on the stack: the climbs tell how far it is from each exit
// in the cell to the exit where the path ends (backward: to each entry from the
// entry where it begins). It gives up, and says so, where arcs of no weight lead it
// around in a circle.
func (s *Search) walk(h hop) bool {
	c := s.o.cells
	w := walker{s: s, below: h.level - 1, outer: &c.levels[h.level-1], inner: &c.levels[h.level-2]}
	at, goal := h.from, h.to
	if goal >= w.outer.border || w.outer.rows[0][goal].Across == 0 {
		w.d = 1
		at, goal = goal, at
	}
	w.cell = w.outer.cell[goal]
	ends := w.outer.ends(w.d, w.cell)
	place, ok := slices.BinarySearch(ends, goal)
	if !ok {
		return false
	}
	w.goal, w.place, w.n = goal, uint32(place), uint32(len(ends))
	d := &s.descent
	begin := len(d.hops)
	left := h.weight
	for at != goal {
		if len(d.hops)-begin > int(w.outer.memberFirst[w.cell+1]-w.outer.memberFirst[w.cell]) {
			d.hops = d.hops[:begin]
			return false
		}
		x, rest, ok := w.cross(at, left)
		if !ok {
			x, rest, ok = w.pass(at, left)
		}
		if !ok {
			d.hops = d.hops[:begin]
			return false
		}
		x.from = at
		at, left = x.to, rest
		if w.d == 1 {
			x.from, x.to = x.to, x.from
		}
		d.hops = pool.Append(d.memory, d.hops, x)
	}
	if w.d == 1 {
		slices.Reverse(d.hops[begin:])
	}
	return true
}

// walker walks through a cell along its sub-cells.
type walker struct {
	s            *Search
	d            int
	below        uint32 // the inner level
	outer, inner *level
	cell         uint32 // of the outer level
	goal         uint32
	place, n     uint32 // of the goal among the ends of the cell
}

// cross returns a hop over an arc between two sub-cells to where less is left.
func (w *walker) cross(at, left uint32) (x hop, rest uint32, ok bool) {
	c, q := w.s.o.cells, w.s.q
	r := &w.inner.rows[w.d][at]
	from, to := r.Arcs, r.Arcs+uint32(r.Across)
	if at < w.outer.border {
		from += uint32(w.outer.rows[w.d][at].Across)
	}
	for i := from; i < to; i++ {
		a := &w.s.o.arcs[i]
		if a.Weight > left || q.excluded != nil && q.excluded.Get(a.Head) {
			continue
		}
		if rest := left - a.Weight; w.from(a.Head) == rest {
			return hop{to: a.Head, edge: c.edge[i], weight: a.Weight}, rest, true
		}
	}
	return hop{}, 0, false
}

// pass returns a hop through a sub-cell.
func (w *walker) pass(at, left uint32) (x hop, rest uint32, ok bool) {
	r := &w.inner.rows[w.d][at]
	if r.N == 0 {
		return hop{}, 0, false
	}
	sub := w.inner.cell[at]
	climb := w.climb(sub)
	h, shift := w.s.q.home(w.below, at)
	weights := h.weight[w.d][r.Clique+shift:]
	for i, end := range w.inner.ends(w.d, sub) {
		weight, rest := weights[i], climb[uint32(i)*w.n]
		if end != at && weight < unreached && rest < unreached && weight+rest == left {
			return hop{to: end, level: w.below, weight: weight}, rest, true
		}
	}
	return hop{}, 0, false
}

// climb returns the weights from the ends of a sub-cell to the goal, each n after the
// one before.
func (w *walker) climb(sub uint32) []uint32 {
	x, at := w.s.q.climbs(w.d, int(w.below), sub)
	return x.climb[w.d][at+w.place:]
}

// from returns how much is left at a member.
func (w *walker) from(id uint32) uint32 {
	if id == w.goal {
		return 0
	}
	sub := w.inner.cell[id]
	ends := w.inner.ends(w.d, sub)
	climb := w.climb(sub)
	r := &w.inner.rows[w.d][id]
	if r.N == 0 {
		i, ok := slices.BinarySearch(ends, id)
		if !ok {
			return unreached
		}
		return climb[uint32(i)*w.n]
	}
	least := unreached
	h, shift := w.s.q.home(w.below, id)
	for i, weight := range h.weight[w.d][r.Clique+shift:][:r.N] {
		least = min(least, weight+climb[uint32(i)*w.n])
	}
	return least
}
