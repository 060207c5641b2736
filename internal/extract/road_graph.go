package extract

import (
	"slices"

	"github.com/fourway-routing/fourway/graph"
)

// arc is a road as it leaves a place. Every road has an arc at both its ends;
// where it cannot be driven that way, the arc is reversed and has the values
// of the other direction.
type arc struct {
	// head is the other end; as chains form it moves away, while next stays
	// the place beside the arc's own.
	head, next graph.PlaceID
	// Of the segment up to next.
	weight   graph.Weight
	duration graph.Duration
	length   graph.Distance
	note     uint32
	flags    roadFlags
	// way is the index of the way, shifted left; bit 0 is set against the
	// order of its nodes.
	way uint32
}

// roadGraph is the network of places. Arcs of p are arcs[first[p]:first[p+1]],
// sorted by next.
type roadGraph struct {
	first []uint32
	arcs  []arc
	// compressed are the places inside chains; their arcs count no more.
	compressed graph.Bits
	passages   []passage
	passageAt  map[graph.PlaceID]int32 // index of passages
}

// passage is what an obstacle inside a chain costs.
type passage struct {
	at graph.PlaceID
	// near is the neighbor of at from which direction 0 comes.
	near     graph.PlaceID
	weight   [2]graph.Weight
	duration [2]graph.Duration
}

// out returns the range of the arcs that leave p.
func (g *roadGraph) out(p graph.PlaceID) (first, end uint32) {
	if g.compressed.Get(uint32(p)) {
		return 0, 0
	}
	return g.first[p], g.first[p+1]
}

// find returns the arc from p to head, or noArc.
func (g *roadGraph) find(p, head graph.PlaceID) uint32 {
	first, end := g.out(p)
	for a := first; a < end; a++ {
		if g.arcs[a].head == head {
			return a
		}
	}
	return noArc
}

const noArc = 1<<32 - 1

// pair returns the arc from a place to its neighbor, and another one: inside a
// chain, the one that leads on.
func (g *roadGraph) pair(at, neighbor graph.PlaceID) (back, onward uint32) {
	for a := g.first[at]; a < g.first[at+1]; a++ {
		if g.arcs[a].next == neighbor {
			back = a
		} else {
			onward = a
		}
	}
	return back, onward
}

// passage returns the cost of passing a place from one neighbor: in that
// direction and in the other.
func (g *roadGraph) passage(at, from graph.PlaceID) (p *passage, dir int) {
	i, ok := g.passageAt[at]
	if !ok {
		return nil, 0
	}
	p = &g.passages[i]
	if p.near != from {
		dir = 1
	}
	return p, dir
}

// measure returns length and duration of the chain that leaves a place along
// an arc, in its direction or, if inward, in the other.
func (g *roadGraph) measure(from graph.PlaceID, a uint32, inward bool) (length graph.Distance, duration graph.Duration) {
	for prev := from; ; {
		at := g.arcs[a].next
		back, onward := g.pair(at, prev)
		length += g.arcs[a].length
		if inward {
			duration += g.arcs[back].duration
		} else {
			duration += g.arcs[a].duration
		}
		if !g.compressed.Get(uint32(at)) {
			return length, duration
		}
		if p, dir := g.passage(at, prev); p != nil {
			if inward {
				dir = 1 - dir
			}
			duration += p.duration[dir]
		}
		prev, a = at, onward
	}
}

// newRoadGraph joins segments to a graph, using of several between the same
// places only the cheapest in each direction.
func (x *extraction) newRoadGraph(s *segments) *roadGraph {
	n := len(s.first) - 1
	g := &roadGraph{first: make([]uint32, n+1), compressed: graph.MakeBits(n), passageAt: make(map[graph.PlaceID]int32)}
	numPairs := 0
	eachPair(s, func(lo graph.PlaceID, list []segment) {
		g.first[lo+1]++
		g.first[list[0].hi+1]++
		numPairs++
	})
	for i := range n {
		g.first[i+1] += g.first[i]
	}
	g.arcs = make([]arc, 2*numPairs)
	next := slices.Clone(g.first[:n])
	// Pairs come in ascending order of lo, then hi, so each place's arcs are
	// filled in the order of their neighbors.
	put := func(tail, head graph.PlaceID, seg *segment, extra roadFlags) {
		a := &g.arcs[next[tail]]
		next[tail]++
		w := &x.wayPass.ways[seg.way]
		d := &w.dir[seg.kind.direction()]
		*a = arc{
			head: head, next: head,
			weight: graph.Weight(seg.weight), duration: graph.Duration(seg.duration), length: seg.length,
			note: d.note, flags: w.flags&wayMask | extra,
			way: seg.way << 1,
		}
		if d.restricted {
			a.flags |= flagRestricted
		}
		if (tail < head) != (seg.kind&segmentAlong != 0) {
			a.way |= 1
		}
	}
	eachPair(s, func(lo graph.PlaceID, list []segment) {
		hi := list[0].hi
		up, down := cheapest(list)
		used := 2
		switch {
		case up == down:
			put(lo, hi, &list[up], accessBoth)
			put(hi, lo, &list[up], accessBoth)
			used = 1
		case down < 0:
			put(lo, hi, &list[up], accessOne)
			put(hi, lo, &list[up], accessOne|flagReversed)
			used = 1
		case up < 0:
			put(lo, hi, &list[down], accessOne|flagReversed)
			put(hi, lo, &list[down], accessOne)
			used = 1
		default:
			put(lo, hi, &list[up], accessSplit)
			put(hi, lo, &list[down], accessSplit)
		}
		x.report.Dropped.ParallelSegments += len(list) - used
	})
	x.report.Segments = numPairs
	return g
}

// eachPair calls f with the segments between each pair of places.
func eachPair(s *segments, f func(lo graph.PlaceID, list []segment)) {
	for lo := range len(s.first) - 1 {
		list := s.list[s.first[lo]:s.first[lo+1]]
		for len(list) > 0 {
			end := 1
			for end < len(list) && list[end].hi == list[0].hi {
				end++
			}
			f(graph.PlaceID(lo), list[:end])
			list = list[end:]
		}
	}
}
