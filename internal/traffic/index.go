package traffic

import (
	"math"
	"slices"
	"sort"
	"sync"

	"github.com/fourway-routing/fourway/graph"
)

// Index finds the segments of a network by the OSM nodes at their ends. It takes
// twelve bytes a segment and four and a half a place.
type Index struct {
	net *graph.Network
	// order are the places by OSM node, nil where that is their own order.
	order []graph.PlaceID
	// Nodes by the distance of their ids from the least: those of bucket b are
	// the places, in order, from buckets[b] to buckets[b+1].
	least   int64
	shift   uint
	buckets []uint32
	// Segments by their lower place: list[first[p]:first[p+1]].
	first []uint32
	list  []entry
	// ways is made when it is asked for first.
	ways func() *wayIndex
}

// entry is a segment between the place that lists it and a higher one.
type entry struct {
	hi      graph.PlaceID
	segment uint32
	chain   graph.ChainID
}

// NewIndex returns the index of a network. It takes time linear in its size.
func NewIndex(n *graph.Network) *Index {
	x := &Index{
		net: n, first: make([]uint32, len(n.Coords)+1),
		ways: sync.OnceValue(func() *wayIndex { return newWayIndex(n) }),
	}
	x.sortPlaces()
	x.fillBuckets()
	x.eachSegment(func(lo graph.PlaceID, _ entry) { x.first[lo+1]++ })
	for i := 1; i < len(x.first); i++ {
		x.first[i] += x.first[i-1]
	}
	x.list = make([]entry, x.first[len(x.first)-1])
	next := slices.Clone(x.first)
	x.eachSegment(func(lo graph.PlaceID, e entry) {
		x.list[next[lo]] = e
		next[lo]++
	})
	return x
}

// unit returns the units of weight in 1.
func (x *Index) unit() float64 { return math.Pow10(x.net.Properties.WeightPrecision) }

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

// bucketSize is the number of nodes of a bucket if ids are spread evenly.
const bucketSize = 8

// fillBuckets makes buckets.
func (x *Index) fillBuckets() {
	count := x.net.OSMNodes.Len()
	if count == 0 {
		return
	}
	x.least = x.osm(0)
	span := uint64(x.osm(count-1)) - uint64(x.least)
	for span>>x.shift > uint64(count/bucketSize) {
		x.shift++
	}
	x.buckets = make([]uint32, span>>x.shift+2)
	for i := range count {
		x.buckets[(uint64(x.osm(i))-uint64(x.least))>>x.shift+1]++
	}
	for b := 1; b < len(x.buckets); b++ {
		x.buckets[b] += x.buckets[b-1]
	}
}

// at returns the i-th place by OSM node.
func (x *Index) at(i int) graph.PlaceID {
	if x.order != nil {
		return x.order[i]
	}
	return graph.PlaceID(i)
}

// osm returns the i-th OSM node.
func (x *Index) osm(i int) int64 { return x.net.OSMNodes.Get(uint32(x.at(i))) }

// eachSegment calls f with the lower place of every segment that has a length; the
// others are the penalties of obstacles, which no traffic changes.
func (x *Index) eachSegment(f func(lo graph.PlaceID, e entry)) {
	n := x.net
	for c := range graph.ChainID(n.NumChains()) {
		for s := n.ChainFirst[c]; s+1 < n.ChainFirst[c+1]; s++ {
			if a, b := n.ChainPlaces[s], n.ChainPlaces[s+1]; a != b {
				f(min(a, b), entry{max(a, b), s, c})
			}
		}
	}
}

// place returns the place of an OSM node, or InvalidPlace.
func (x *Index) place(node int64) graph.PlaceID {
	b := (uint64(node) - uint64(x.least)) >> x.shift
	if len(x.buckets) == 0 || node < x.least || b >= uint64(len(x.buckets)-1) {
		return graph.InvalidPlace
	}
	end := int(x.buckets[b+1])
	i := int(x.buckets[b])
	i += sort.Search(end-i, func(k int) bool { return x.osm(i+k) >= node })
	if i == end || x.osm(i) != node {
		return graph.InvalidPlace
	}
	return x.at(i)
}

// segment is a segment in a direction.
type segment struct {
	index uint32 // in arrays by segment
	arm   graph.ArmID
}

// find returns the segment from one place to another.
func (x *Index) find(from, to graph.PlaceID) (s segment, ok bool) {
	if from == graph.InvalidPlace || to == graph.InvalidPlace {
		return s, false
	}
	for _, e := range x.list[x.first[min(from, to)]:x.first[min(from, to)+1]] {
		if e.hi == max(from, to) {
			s = segment{e.segment, graph.ArmID(e.chain) << 1}
			if x.net.ChainPlaces[e.segment] != from {
				s.arm++
			}
			return s, true
		}
	}
	return s, false
}
