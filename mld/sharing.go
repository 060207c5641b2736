package mld

import (
	"slices"

	"github.com/fourway-routing/fourway/heap"
)

// sharesMore says whether the path over a candidate shares more of its duration with the
// routes so far. Only what lies in cells that a route crosses too is looked into, and in
// small ones if closely is set.
func (s *Search) sharesMore(x candidate, g *glance, most float64, closely bool) bool {
	a, limit := &s.alternatives, most*float64(g.duration)
	shared := g.shared
	via := s.heaps[0].At(x.slot)
	slot, _ := s.heaps[1].Find(via.Node)
	lightest := a.visits.lightest
	for d, r := range [2]*heap.LabelRecord{via, s.heaps[1].At(slot)} {
		for r.Data.Parent&(seedParent|climbParent) == 0 {
			up := s.heaps[d].At(heap.Slot(r.Data.Parent))
			h := hop{from: up.Node, to: r.Node, level: r.Data.Edge >> levelShift, weight: uint32(r.Key - up.Key)}
			at := uint32(up.Key)
			if d == 1 {
				h.from, h.to = h.to, h.from
				at = lightest - at
			}
			if h.level == 0 {
				h.edge = s.o.cells.edge[s.o.cells.first[2*up.Node+uint32(d)]+r.Data.Edge]
			}
			if shared += s.sharedOf(h, closely); float64(shared) > limit {
				return true
			}
			if a.visits.first(up.Node, at) {
				break
			}
			r = up
		}
	}
	return false
}

// sharedOf returns the duration that a hop shares with the routes.
func (s *Search) sharedOf(h hop, closely bool) int64 {
	a, c, d := &s.alternatives, s.o.cells, &s.descent
	if a.visits.both(h.from, h.to, h.weight) {
		if h.level == 0 {
			return int64(s.o.costs[h.edge].Duration)
		}
		return s.durationOfClique(h.level, h.from, h.to)
	}
	if h.level == 0 || h.level <= climbFrom && !closely || !a.crossed.isOpen(int(h.level), c.levels[h.level-1].cell[h.from]) {
		return 0
	}
	shared := int64(0)
	if h.level <= climbFrom {
		a.piece = s.unpack(a.piece[:0], h)
		for _, e := range a.piece {
			if a.seen.Get(uint32(e)) != 0 {
				shared += int64(s.o.costs[e].Duration)
			}
		}
		return shared
	}
	first := len(d.hops)
	s.refine(h)
	for i := first; i < len(d.hops); i++ {
		shared += s.sharedOf(d.hops[i], closely)
	}
	d.hops = d.hops[:first]
	return shared
}

// durationOfClique returns how long a clique's path takes.
func (s *Search) durationOfClique(l, from, to uint32) int64 {
	v := &s.o.cells.levels[l-1]
	r := &v.rows[0][from]
	i, ok := slices.BinarySearch(v.exits[r.Heads:][:r.N], to)
	if !ok {
		return 0
	}
	home, shift := s.q.home(l, from)
	return int64(home.costs[r.Clique+shift+uint32(i)].Duration)
}

// durationOver returns how long the hop between two nodes of the search in direction d
// takes.
func (s *Search) durationOver(d int, up, node, edge uint32) int64 {
	c := s.o.cells
	switch l := edge >> levelShift; {
	case l == 0:
		return int64(s.o.costs[c.edge[c.first[2*up+uint32(d)]+edge]].Duration)
	case d == 0:
		return s.durationOfClique(l, up, node)
	default:
		return s.durationOfClique(l, node, up)
	}
}

// durationOfClimb returns how long the path of a climb takes up to one of its ends on
// a level.
func (s *Search) durationOfClimb(d, top int, end uint32) int64 {
	c, k := s.o.cells, &s.climbs[d]
	took := int64(0)
	for l := top; l > climbFrom; l-- {
		from := k.at(l)[end].from
		n := uint32(len(k.at(l)))
		x, at := s.q.climbs(d, l-1, k.cells[l-1-climbFrom])
		took += int64(x.climbCosts[d][at+from*n+end].Duration)
		end = from
	}
	slot, _ := k.queue.Find(k.exits(c, d, climbFrom)[end])
	return took + s.durationOfStart(d, k.queue.At(slot))
}

// durationOfStart returns how long the path to a node of the search takes that a climb
// begins with.
func (s *Search) durationOfStart(d int, r *heap.LabelRecord) int64 {
	took := int64(0)
	for r.Data.Parent&seedParent == 0 {
		up := s.climbs[d].queue.At(heap.Slot(r.Data.Parent))
		took += s.durationOver(d, up.Node, r.Node, r.Data.Edge)
		r = up
	}
	return took
}
