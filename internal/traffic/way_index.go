package traffic

import (
	"cmp"
	"slices"
	"sort"

	"github.com/fourway-routing/fourway/graph"
)

// wayIndex finds the segments of OSM ways. It takes eight bytes a segment and eight
// a way.
type wayIndex struct {
	net *graph.Network
	// order are the network's ways by id without sign: a way that chains take
	// in both directions is there twice.
	order []uint32
	// Segments by way: list[first[w]:first[w+1]], each in the stored direction of
	// its chain.
	first []uint32
	list  []segment
}

// newWayIndex returns the index of a network. It takes time linear in its size, but
// for sorting its ways.
func newWayIndex(n *graph.Network) *wayIndex {
	ways := n.Ways.Len()
	x := &wayIndex{net: n, order: make([]uint32, ways), first: make([]uint32, ways+1)}
	each := func(f func(way uint32, s segment)) {
		for c := range graph.ChainID(n.NumChains()) {
			for s := n.ChainFirst[c]; s+1 < n.ChainFirst[c+1]; s++ {
				if n.ChainPlaces[s] != n.ChainPlaces[s+1] {
					f(n.SegmentWay[s], segment{s, graph.ArmID(c) << 1})
				}
			}
		}
	}
	each(func(way uint32, _ segment) { x.first[way+1]++ })
	for w := range ways {
		x.order[w] = uint32(w)
		x.first[w+1] += x.first[w]
	}
	slices.SortFunc(x.order, func(a, b uint32) int { return cmp.Compare(x.id(a), x.id(b)) })
	next := slices.Clone(x.first)
	x.list = make([]segment, x.first[ways])
	each(func(way uint32, s segment) {
		x.list[next[way]] = s
		next[way]++
	})
	return x
}

// id returns the OSM id of a way.
func (x *wayIndex) id(way uint32) int64 {
	id := x.net.Ways.Get(way)
	return max(id, -id)
}

// segments appends the segments of a way in a direction.
func (x *wayIndex) segments(dst []segment, way DirectedWay) []segment {
	i := sort.Search(len(x.order), func(i int) bool { return x.id(x.order[i]) >= way.ID })
	for ; i < len(x.order) && x.id(x.order[i]) == way.ID; i++ {
		w := x.order[i]
		against := x.net.Ways.Get(w) < 0 // chains run against the way
		for _, s := range x.list[x.first[w]:x.first[w+1]] {
			if against != way.Backward {
				s.arm = s.arm.Twin()
			}
			dst = append(dst, s)
		}
	}
	return dst
}
