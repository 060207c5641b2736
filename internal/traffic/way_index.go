package traffic

import (
	"cmp"
	"slices"
	"sort"

	"github.com/fourway-routing/fourway/graph"
)

// WayIndex finds the segments of OSM ways. It takes eight bytes a segment and eight
// a way. It is safe for concurrent use.
type WayIndex struct {
	net *graph.Network
	// order are the network's ways by id without sign: a way that chains take
	// in both directions is there twice.
	order []uint32
	// Segments by way: list[first[w]:first[w+1]], each with the arm of its chain
	// that runs as the way has it in the network.
	first []uint32
	list  []segment
}

// NewWayIndex returns the index of a network. It takes time linear in its size, but
// for sorting its ways.
func NewWayIndex(n *graph.Network) *WayIndex {
	ways := n.Ways.Len()
	x := &WayIndex{net: n, order: make([]uint32, ways), first: make([]uint32, ways+1)}
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
func (x *WayIndex) id(way uint32) int64 {
	id := x.net.Ways.Get(way)
	return max(id, -id)
}

// Way changes every segment of an OSM way in one direction: in that of its nodes, or
// against it if the id is negated. It returns how many segments there are that can
// be driven.
func (u *Updater) Way(x *WayIndex, way int64, s Speed, source uint8) int {
	id := max(way, -way)
	changed := 0
	for i := sort.Search(len(x.order), func(i int) bool { return x.id(x.order[i]) >= id }); i < len(x.order) && x.id(x.order[i]) == id; i++ {
		w := x.order[i]
		for _, at := range x.list[x.first[w]:x.first[w+1]] {
			if x.net.Ways.Get(w) != way {
				at.arm = at.arm.Twin()
			}
			if u.change(at, s, source) {
				changed++
			}
		}
	}
	return changed
}
