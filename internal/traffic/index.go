package traffic

import (
	"slices"
	"sort"

	"github.com/fourway-routing/fourway/graph"
)

// Index finds the segments of a network by the OSM nodes at their ends. It takes
// eight bytes a segment and four a place.
type Index struct {
	net *graph.Network
	// order are the places by OSM node, nil where that is their own order.
	order []graph.PlaceID
	// Segments by their lower place: list[first[p]:first[p+1]].
	first []uint32
	list  []entry
}

// entry is a segment between the place that lists it and a higher one.
type entry struct {
	hi      graph.PlaceID
	segment uint32
}

// NewIndex returns the index of a network. It takes time linear in its size.
func NewIndex(n *graph.Network) *Index {
	x := &Index{net: n, first: make([]uint32, len(n.Coords)+1)}
	x.sortPlaces()
	x.eachSegment(func(lo, _ graph.PlaceID, _ uint32) { x.first[lo+1]++ })
	for i := 1; i < len(x.first); i++ {
		x.first[i] += x.first[i-1]
	}
	x.list = make([]entry, x.first[len(x.first)-1])
	next := slices.Clone(x.first)
	x.eachSegment(func(lo, hi graph.PlaceID, segment uint32) {
		x.list[next[lo]] = entry{hi, segment}
		next[lo]++
	})
	return x
}

// sortPlaces makes order, for the networks that need it.
func (x *Index) sortPlaces() {
	osm := &x.net.OSMNodes
	sorted := true
	for i := uint32(1); sorted && i < uint32(osm.Len()); i++ {
		sorted = osm.Get(i-1) < osm.Get(i)
	}
	if sorted {
		return
	}
	x.order = make([]graph.PlaceID, osm.Len())
	for i := range x.order {
		x.order[i] = graph.PlaceID(i)
	}
	slices.SortFunc(x.order, func(a, b graph.PlaceID) int {
		if osm.Get(uint32(a)) < osm.Get(uint32(b)) {
			return -1
		}
		return 1
	})
}

// eachSegment calls f with every segment that has a length; the others are the
// penalties of obstacles, which no traffic changes.
func (x *Index) eachSegment(f func(lo, hi graph.PlaceID, segment uint32)) {
	n := x.net
	for c := range n.NumChains() {
		for s := n.ChainFirst[c]; s+1 < n.ChainFirst[c+1]; s++ {
			if a, b := n.ChainPlaces[s], n.ChainPlaces[s+1]; a != b {
				f(min(a, b), max(a, b), s)
			}
		}
	}
}

// place returns the place of an OSM node, or InvalidPlace.
func (x *Index) place(node int64) graph.PlaceID {
	osm := &x.net.OSMNodes
	at := func(i int) graph.PlaceID {
		if x.order != nil {
			return x.order[i]
		}
		return graph.PlaceID(i)
	}
	i := sort.Search(osm.Len(), func(i int) bool { return osm.Get(uint32(at(i))) >= node })
	if i == osm.Len() || osm.Get(uint32(at(i))) != node {
		return graph.InvalidPlace
	}
	return at(i)
}

// find returns the segment from one place to another, and the direction of its
// chain in which it leads there.
func (x *Index) find(from, to graph.PlaceID) (segment uint32, direction int, ok bool) {
	if from == graph.InvalidPlace || to == graph.InvalidPlace {
		return 0, 0, false
	}
	for _, e := range x.list[x.first[min(from, to)]:x.first[min(from, to)+1]] {
		if e.hi != max(from, to) {
			continue
		}
		if x.net.ChainPlaces[e.segment] != from {
			direction = 1
		}
		return e.segment, direction, true
	}
	return 0, 0, false
}

// chain returns the chain that a segment is part of.
func (x *Index) chain(segment uint32) graph.ChainID {
	first := x.net.ChainFirst
	return graph.ChainID(sort.Search(len(first), func(i int) bool { return first[i] > segment }) - 1)
}
