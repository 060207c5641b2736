package ch

import (
	"fmt"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
)

// assemble numbers the nodes by rank and lays out the arcs.
func (b *builder) assemble() (*Hierarchy, error) {
	n := b.x.NumNodes()
	h := &Hierarchy{edges: uint32(len(b.x.Arcs)), core: uint32(len(b.nodes)), coreOf: b.setOf}
	h.rank = b.rank()

	nodeOf := make([]uint32, n) // by rank
	for v, r := range h.rank {
		nodeOf[r] = uint32(v)
	}
	same := identity(n)
	bottom := stratum{contracted: b.bottom, local: same, global: same}
	total := uint64(b.bottom.next)
	local := make([]uint32, n)
	for i, v := range b.nodes {
		local[v] = uint32(i)
	}
	strata := make([]stratum, len(b.cores))
	for i, c := range b.cores {
		own := c.next - c.first
		total += uint64(own)
		strata[i] = stratum{contracted: c, local: local, global: b.nodes, lower: b.bottom}
	}
	if total >= math.MaxUint32 {
		return nil, fmt.Errorf("%w: it needs %d arcs; ids are 32 bit", ErrGraph, total)
	}
	h.first = make([]uint32, 2*n+1)
	h.arcs = make([]arc, total)
	h.child = make([][2]uint32, total)
	h.duration = make([]graph.Duration, total)
	h.distance = make([]graph.Distance, total)
	h.cores = make([]core, len(b.sets))
	h.loops = make([]loops, len(b.sets))
	l := layout{h: h, x: b.x}

	// Hot parts first: the positions that they get are what arcs refer to each
	// other by.
	for r, v := range nodeOf {
		s := &bottom
		if uint32(r) < h.core {
			s = &strata[0]
		}
		l.place(s, s.local[v], h.first[2*r:])
	}
	h.first[2*n] = l.next
	for i := 1; i < len(strata); i++ {
		k := &h.cores[i]
		k.first = make([]uint32, 2*h.core+1)
		k.barred = graph.MakeBits(int(h.core))
		for r, v := range nodeOf[:h.core] {
			l.place(&strata[i], local[v], k.first[2*r:])
			if b.sets[i].Get(v) {
				k.barred.Set(uint32(r))
			}
		}
		k.first[2*h.core] = l.next
	}

	// Then the cold parts, lower nodes first: shortcuts over them are sums.
	for _, v := range slices.Backward(nodeOf[h.core:]) {
		l.fill(&bottom, v)
	}
	for i := range strata {
		for _, v := range slices.Backward(nodeOf[:h.core]) {
			l.fill(&strata[i], local[v])
		}
	}

	for i := range strata {
		for r, v := range nodeOf[:h.core] {
			l.addLoop(&h.loops[i], &strata[i], uint32(r), local[v])
		}
	}
	for r, v := range nodeOf[h.core:] {
		l.addLoop(&h.loops[0], &bottom, h.core+uint32(r), v)
	}
	return h, nil
}

func identity(n int) []uint32 {
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = uint32(i)
	}
	return ids
}

// rank numbers the nodes: the core's before the others, higher levels before
// lower ones, and within a level in the order of the graph.
func (b *builder) rank() []uint32 {
	n := b.x.NumNodes()
	level := b.level
	if len(b.cores) > 0 {
		for _, i := range b.cores[0].order {
			above := level[b.nodes[i]] + 1
			for _, c := range b.cores {
				for id := c.spans[i].out; id < c.spans[i].end; id++ {
					u := b.nodes[c.arc(id).node]
					level[u] = max(level[u], above)
				}
			}
		}
	}
	order := make([]uint32, 0, n)
	order = append(order, b.nodes...)
	inCore := graph.MakeBits(n)
	for _, v := range b.nodes {
		inCore.Set(v)
	}
	for v := range uint32(n) {
		if !inCore.Get(v) {
			order = append(order, v)
		}
	}
	byLevel := func(x, y uint32) int { return int(level[y]) - int(level[x]) }
	slices.SortStableFunc(order[:len(b.nodes)], byLevel)
	slices.SortStableFunc(order[len(b.nodes):], byLevel)
	rank := make([]uint32, n)
	for r, v := range order {
		rank[v] = uint32(r)
	}
	return rank
}

// stratum is a contracted graph whose arcs are to become a Hierarchy's.
type stratum struct {
	*contracted
	local  []uint32 // id in the graph by NodeID
	global []uint32 // NodeID by id in the graph
	// lower has the arcs whose ids are below first.
	lower *contracted
}

// position returns the position of the arc with the id, which place noted where
// its head was.
func (s *stratum) position(id uint32) uint32 {
	if id < s.first {
		return s.lower.arc(id).node
	}
	return s.arc(id).node
}

// layout writes the arcs of a Hierarchy.
type layout struct {
	h    *Hierarchy
	x    *graph.Expanded
	next uint32
	run  []uint64
}

// place writes the hot part of the arcs of v, ascending by head, and sets the two
// entries of the index.
func (l *layout) place(s *stratum, v uint32, first []uint32) {
	p := s.spans[v]
	first[0] = l.next
	l.placeRun(s, p.out, p.in)
	first[1] = l.next
	l.placeRun(s, p.in, p.end)
}

func (l *layout) placeRun(s *stratum, from, end uint32) {
	run := l.run[:0]
	for id := from; id < end; id++ {
		run = append(run, uint64(l.h.rank[s.global[s.arc(id).node]])<<32|uint64(id-s.first))
	}
	slices.Sort(run)
	for _, x := range run {
		a := s.arc(s.first + uint32(x))
		l.h.arcs[l.next] = arc{uint32(x >> 32), a.weight}
		a.node = l.next
		l.next++
	}
	l.run = run
}

// fill writes the cold part of the arcs of v.
func (l *layout) fill(s *stratum, v uint32) {
	h := l.h
	for id := s.spans[v].out; id < s.spans[v].end; id++ {
		a := s.arc(id)
		h.child[a.node], h.duration[a.node], h.distance[a.node] = l.compose(s, a.a, a.b)
	}
}

// compose returns the cold part of an arc or loop.
func (l *layout) compose(s *stratum, a, b uint32) ([2]uint32, graph.Duration, graph.Distance) {
	if b == original {
		edge := &l.x.Arcs[a]
		return [2]uint32{a, original}, edge.Duration, edge.Distance
	}
	a, b = s.position(a), s.position(b)
	h := l.h
	return [2]uint32{a, b}, addDurations(h.duration[a], h.duration[b]), addDistances(h.distance[a], h.distance[b])
}

func (l *layout) addLoop(to *loops, s *stratum, rank, v uint32) {
	k := s.loops[v]
	if k.weight > maxWeight {
		return
	}
	child, duration, distance := l.compose(s, k.a, k.b)
	to.rank = append(to.rank, rank)
	to.weight = append(to.weight, k.weight)
	to.child = append(to.child, child)
	to.duration = append(to.duration, duration)
	to.distance = append(to.distance, distance)
}

// addDurations and addDistances stay at the largest value where the sum does
// not fit.
func addDurations(a, b graph.Duration) graph.Duration {
	return graph.Duration(min(int64(a)+int64(b), math.MaxInt32-1))
}

func addDistances(a, b graph.Distance) graph.Distance {
	return graph.Distance(min(uint64(a)+uint64(b), math.MaxUint32))
}
