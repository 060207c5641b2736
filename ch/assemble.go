package ch

import (
	"fmt"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
)

// assemble numbers the nodes by rank and lays out the arcs. The graph is made again
// when memory is free for it.
func (b *builder) assemble(again func() *graph.Expanded) (*Hierarchy, error) {
	n := b.nodes
	h := &Hierarchy{edges: uint32(b.edges), coreOf: b.setOf}
	total := uint64(b.bottom.next)
	if len(b.cores) > 0 {
		h.core = uint32(len(b.cores[0].order))
	}
	for _, c := range b.cores {
		total += uint64(c.next - c.first)
	}
	if total >= math.MaxUint32 {
		return nil, fmt.Errorf("%w: it needs %d arcs; ids are 32 bit", ErrGraph, total)
	}
	h.rank = b.rank()
	h.first = make([]uint32, 2*n+1)
	h.arcs = make([]arc, total)
	h.cores = make([]core, len(b.sets))
	h.loops = make([]loops, len(b.sets))

	// Hot parts first: the positions that they get are what arcs refer to each
	// other by.
	l := layout{h: h}
	bottom := stratum{contracted: b.bottom, base: h.core}
	bottom.sort(h.rank, uint32(n))
	cores := make([]stratum, len(b.cores))
	for i, c := range b.cores {
		cores[i] = stratum{contracted: c, below: b.bottom}
		cores[i].sort(h.rank, h.core)
	}
	if len(cores) > 0 {
		l.place(&cores[0], h.first)
	}
	l.place(&bottom, h.first[2*h.core:])
	for i := 1; i < len(cores); i++ {
		h.cores[i].first = make([]uint32, 2*h.core+1)
		l.place(&cores[i], h.cores[i].first)
		h.cores[i].barred = graph.MakeBits(int(h.core))
		for v, r := range h.rank {
			if r < h.core && b.sets[i].Get(uint32(v)) {
				h.cores[i].barred.Set(r)
			}
		}
	}

	// Then what they stand for, after which only the order counts in which they
	// became final: that of lower nodes first, so that shortcuts over them are sums.
	h.child = make([]child, total)
	l.order = make([]uint32, 0, total)
	l.link(&bottom)
	for i := range cores {
		l.link(&cores[i])
	}
	h.sortFar()
	for _, c := range append(b.cores, b.bottom) {
		c.pages, c.spans = nil, nil
	}
	reclaim(n)
	if l.x = again(); l.x.NumNodes() != n || len(l.x.Arcs) != b.edges {
		return nil, fmt.Errorf("%w: it has other nodes or edges when it is made again", ErrGraph)
	}
	h.duration = make([]graph.Duration, total)
	h.distance = make([]graph.Distance, total)
	for _, a := range l.order {
		h.duration[a], h.distance[a] = l.cost(h.childOf(a))
	}
	for i := range cores {
		l.addLoops(&h.loops[i], &cores[i])
	}
	l.addLoops(&h.loops[0], &bottom)
	return h, nil
}

// rank numbers the nodes: the core's before the others, higher levels before
// lower ones, and within a level in the order of the graph.
func (b *builder) rank() []uint32 {
	n := b.nodes
	level := make([]uint32, n)
	raise := func(c *contracted, s span, above uint32) {
		for id := s.out; id < s.end; id++ {
			u := c.arc(id).node
			level[u] = max(level[u], above)
		}
	}
	for i, v := range b.bottom.order {
		raise(b.bottom, b.bottom.spans[i], level[v]+1)
	}
	order := slices.Sorted(slices.Values(b.bottom.order))
	core := 0
	if len(b.cores) > 0 {
		next := make([]int, len(b.cores)) // all have the order of the first, with gaps
		for _, v := range b.cores[0].order {
			for i, c := range b.cores {
				if at := next[i]; at < len(c.order) && c.order[at] == v {
					raise(c, c.spans[at], level[v]+1)
					next[i]++
				}
			}
		}
		order = slices.Concat(slices.Sorted(slices.Values(b.cores[0].order)), order)
		core = len(b.cores[0].order)
	}
	byLevel := func(x, y uint32) int { return int(level[y]) - int(level[x]) }
	slices.SortStableFunc(order[:core], byLevel)
	slices.SortStableFunc(order[core:], byLevel)
	rank := make([]uint32, n)
	for r, v := range order {
		rank[v] = uint32(r)
	}
	return rank
}

// stratum is a contracted graph whose arcs are to become a Hierarchy's.
type stratum struct {
	*contracted
	below *contracted // has the arcs whose ids are smaller than those here
	base  uint32      // first rank
	// by has the places in the order by rank less base, absent for a rank that
	// is excluded.
	by []uint32
}

const absent = math.MaxUint32

// sort fills by for the ranks up to end.
func (s *stratum) sort(rank []uint32, end uint32) {
	s.by = make([]uint32, end-s.base)
	for i := range s.by {
		s.by[i] = absent
	}
	for i, v := range s.order {
		s.by[rank[v]-s.base] = uint32(i)
	}
}

// position returns the position of the arc with the id, which place noted where
// its head was.
func (s *stratum) position(id uint32) uint32 {
	if id < s.contracted.first {
		return s.below.arc(id).node
	}
	return s.arc(id).node
}

// layout writes the arcs of a Hierarchy.
type layout struct {
	h    *Hierarchy
	x    *graph.Expanded
	next uint32
	run  []uint64
	// order are the positions of the arcs that are linked, in the order in which
	// they became final.
	order []uint32
}

// place writes the hot part of the arcs, by rank, and an index of them.
func (l *layout) place(s *stratum, first []uint32) {
	for r, at := range s.by {
		first[2*r], first[2*r+1] = l.next, l.next
		if at != absent {
			p := s.spans[at]
			l.placeRun(s, p.out, p.in)
			first[2*r+1] = l.next
			l.placeRun(s, p.in, p.end)
		}
	}
	first[2*len(s.by)] = l.next
}

// placeRun writes the hot part of the arcs with the ids, ascending by head.
func (l *layout) placeRun(s *stratum, from, end uint32) {
	run := l.run[:0]
	for id := from; id < end; id++ {
		run = append(run, uint64(l.h.rank[s.arc(id).node])<<32|uint64(id))
	}
	slices.Sort(run)
	for _, x := range run {
		a := s.arc(uint32(x))
		l.h.arcs[l.next] = arc{uint32(x >> 32), a.weight}
		a.node = l.next
		l.next++
	}
	l.run = run
}

// link notes what arcs and loops stand for, by position.
func (l *layout) link(s *stratum) {
	for id := s.contracted.first; id < s.contracted.next; id++ {
		a := s.arc(id)
		l.h.setChild(a.node, s.children(a.a, a.b))
		l.order = append(l.order, a.node)
	}
	for i := range s.contracted.loops {
		k := &s.contracted.loops[i]
		c := s.children(k.a, k.b)
		k.a, k.b = c[0], c[1]
	}
}

// children returns what an arc or loop stands for, given ids, by position.
func (s *stratum) children(a, b uint32) [2]uint32 {
	if b == original {
		return [2]uint32{a, original}
	}
	return [2]uint32{s.position(a), s.position(b)}
}

// cost returns the cost of what stands for an edge or two arcs.
func (l *layout) cost(c [2]uint32) (graph.Duration, graph.Distance) {
	a, b := c[0], c[1]
	if b == original {
		edge := &l.x.Arcs[a]
		return edge.Duration, edge.Distance
	}
	h := l.h
	return addDurations(h.duration[a], h.duration[b]), addDistances(h.distance[a], h.distance[b])
}

// addLoops adds the loops, by rank.
func (l *layout) addLoops(to *loops, s *stratum) {
	all := s.contracted.loops
	slices.SortFunc(all, func(x, y nodeLoop) int { return int(l.h.rank[x.node]) - int(l.h.rank[y.node]) })
	for _, k := range all {
		child := [2]uint32{k.a, k.b}
		duration, distance := l.cost(child)
		to.rank = append(to.rank, l.h.rank[k.node])
		to.weight = append(to.weight, k.weight)
		to.child = append(to.child, child)
		to.duration = append(to.duration, duration)
		to.distance = append(to.distance, distance)
	}
}

// addDurations and addDistances stay at the largest value where the sum does
// not fit.
func addDurations(a, b graph.Duration) graph.Duration {
	return graph.Duration(min(int64(a)+int64(b), math.MaxInt32-1))
}

func addDistances(a, b graph.Distance) graph.Distance {
	return graph.Distance(min(uint64(a)+uint64(b), math.MaxUint32))
}
