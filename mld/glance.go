package mld

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/heap"
)

// glance is what the labels tell of the path over a candidate.
type glance struct {
	plateau uint32 // the most that its plateau may weigh
	// The most weight from where it leaves the shortest path to its return, and where
	// that is, before and behind the candidate.
	detour uint32
	ends   [2]parting
	// What it shares with the shortest path before and behind, and the whole.
	shared, duration int64
}

// parting is where a path and the shortest one part: in a hop from a node that is on
// both.
type parting struct {
	hop   hop    // of level 0 where no more is to be found out
	at    uint32 // the weight of the shortest path up to that node
	loose uint32 // weight that may be of both
}

// leastDetour is the least weight from where a path leaves the shortest one to its
// return.
func (g *glance) leastDetour() uint32 { return g.detour - g.ends[0].loose - g.ends[1].loose }

func (g *glance) promises(rules graph.AlternativeRules) bool {
	return float64(g.plateau) >= rules.Optimal*float64(g.leastDetour()) && float64(g.shared) <= rules.Shared*float64(g.duration)
}

// wanted returns the length of the plateau that is too little, and the one that is
// enough.
func (g *glance) wanted(rules graph.AlternativeRules) (least, enough uint32) {
	return uint32(rules.Optimal * float64(g.leastDetour())), uint32(rules.Optimal * float64(g.detour))
}

// glance looks at the labels around a candidate.
func (s *Search) glance(x candidate, sources []graph.Seed) glance {
	via := s.heaps[0].At(x.slot)
	slot, _ := s.heaps[1].Find(via.Node)
	g := glance{duration: s.durationTo(0, x.slot) + s.durationTo(1, slot)}
	s.glanceBack(&g, 0, via, x.weight, sources)
	s.glanceBack(&g, 1, s.heaps[1].At(slot), x.weight, sources)
	return g
}

// glanceBack follows a path from the candidate back to where the search in direction d
// began, or to the shortest path.
func (s *Search) glanceBack(g *glance, d int, via *heap.LabelRecord, weight uint32, sources []graph.Seed) {
	q := s.heaps[d]
	start := uint32(via.Key)
	on := true
	for r := via; ; {
		if r.Data.Parent&(seedParent|climbParent) != 0 {
			if on {
				g.plateau += start
			}
			if r.Data.Parent&climbParent != 0 {
				s.glanceDown(g, d, start, r)
				return
			}
			g.detour += start - uint32(r.Key)
			if c := s.o.cells; d == 0 { // behind the edge that leaves the source
				g.detour += s.o.arcs[c.first[2*c.id[sources[r.Data.Parent&^seedParent].Node]]+r.Data.Edge].Weight
			}
			return
		}
		slot := heap.Slot(r.Data.Parent)
		up := q.At(slot)
		if on {
			switch s.sumAt(up.Node) {
			case weight:
			case unreached: // the other search has not come so far
				g.plateau += start
				on = false
			default:
				g.plateau += start - uint32(up.Key)
				on = false
			}
		}
		if s.onShortest(d, up.Node, uint32(up.Key)) {
			s.part(g, d, start, uint32(up.Key), hop{from: up.Node, to: r.Node, level: r.Data.Edge >> levelShift, weight: uint32(r.Key - up.Key)})
			g.shared += s.durationTo(d, slot)
			return
		}
		r = up
	}
}

// glanceDown follows the path back along a climb, from its end r.
func (s *Search) glanceDown(g *glance, d int, start uint32, r *heap.LabelRecord) {
	c, k := s.o.cells, &s.climbs[d]
	at, id := r.Data.Parent&^climbParent, r.Node
	for l := k.top; l > climbFrom; l-- {
		x := &k.at(l)[at]
		at = x.from
		below, key := k.exits(c, d, l-1)[at], k.at(l - 1)[at].weight
		if below != id && s.onShortest(d, below, key) {
			s.part(g, d, start, key, hop{from: below, to: id, level: uint32(l), weight: x.weight - key})
			g.shared += s.durationOfClimb(d, l-1, at)
			return
		}
		id = below
	}
	slot, _ := k.queue.Find(id)
	for r := k.queue.At(slot); ; {
		if r.Data.Parent&seedParent != 0 {
			g.detour += start - uint32(r.Key)
			return
		}
		up := k.queue.At(heap.Slot(r.Data.Parent))
		if s.onShortest(d, up.Node, uint32(up.Key)) {
			s.part(g, d, start, uint32(up.Key), hop{from: up.Node, to: r.Node, level: r.Data.Edge >> levelShift, weight: uint32(r.Key - up.Key)})
			g.shared += s.durationOfStart(d, up)
			return
		}
		r = up
	}
}

// place is how far from the beginning of the shortest path a node of it is, by its label
// in direction d.
func (s *Search) place(d int, key uint32) uint32 {
	if d == 1 {
		return s.alternatives.visits.lightest - key
	}
	return key
}

func (s *Search) onShortest(d int, node, key uint32) bool {
	return s.alternatives.visits.first(node, s.place(d, key))
}

// part notes that the path parts from the shortest one in a hop, given away from the end
// of the search, behind the node with the key.
func (s *Search) part(g *glance, d int, start, key uint32, h hop) {
	if d == 1 {
		h.from, h.to = h.to, h.from
	}
	g.detour += start - key
	g.ends[d] = parting{hop: h, at: s.place(d, key)}
	if h.level != 0 {
		g.ends[d].loose = h.weight
	}
}

// settleDetour finds where in the hops of cliques the paths part, in small cells only if
// closely is set.
func (s *Search) settleDetour(g *glance, closely bool) {
	first := len(s.descent.hops)
	for d := range g.ends {
		x := &g.ends[d]
		for x.hop.level > climbFrom {
			s.refine(x.hop)
			s.follow(g, d, s.descent.hops[first:])
			s.descent.hops = s.descent.hops[:first]
		}
		if closely && x.hop.level != 0 {
			g.detour -= s.sharedWeight(d, x.hop)
			x.loose, x.hop.level = 0, 0
		}
	}
}

// follow takes off those hops that the shortest path has too, and parts in the next.
func (s *Search) follow(g *glance, d int, hops []hop) {
	x := &g.ends[d]
	x.hop.level, x.loose = 0, 0
	for i := range hops {
		h, far := inDirection(d, hops, i)
		at := x.at + h.weight
		if d == 1 {
			at = x.at - h.weight
		}
		if !s.alternatives.visits.first(far, at) {
			if x.hop = *h; h.level != 0 {
				x.loose = h.weight
			}
			return
		}
		g.detour -= h.weight
		x.at = at
	}
}

// sharedWeight returns the weight of the edges at the beginning of a hop, or with d = 1 at
// its end, that are of the shortest path.
func (s *Search) sharedWeight(d int, h hop) uint32 {
	a, c := &s.alternatives, s.o.cells
	a.piece = s.unpack(a.piece[:0], h)
	id, shared := h.from, uint32(0)
	if d == 1 {
		id = h.to
	}
	for i := range a.piece {
		e := a.piece[i]
		if d == 1 {
			e = a.piece[len(a.piece)-1-i]
		}
		if a.seen.Get(uint32(e))&1 == 0 {
			break
		}
		j := c.first[2*id+uint32(d)]
		for c.edge[j] != e {
			j++
		}
		shared += s.o.arcs[j].Weight
		id = s.o.arcs[j].Head
	}
	return shared
}
