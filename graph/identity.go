package graph

import (
	"slices"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/packed"
)

// WayIndex names an OSM way of Elements. Indices ascend with OSM ids.
type WayIndex uint32

// Ref is a node of a way: a place of the network or, from the number of places
// on, a node that the extract lacked; see Elements.Place and Elements.RefID.
type Ref uint32

// Elements are the OSM nodes and ways of a network, by id and by place, with
// their tags if these were kept. Nodes are the network's places: all that a way
// names which the vehicle can use, those that chains run through included.
// Elements are immutable and safe for concurrent use; those of a file die with
// it, and with them every slice that they return without copying.
type Elements struct {
	net      *Network
	wayIDs   packed.Ints // ascending
	wayFirst []uint32    // of wayRefs, by way
	wayRefs  []Ref
	missing  packed.Ints // ids of nodes that the extract lacks, ascending
	// Ways by place, each once, ascending.
	placeFirst []uint32
	placeWays  []WayIndex

	placeIndex boxIndex // of places
	wayIndex   boxIndex // of ways
	wayBoxes   []snapBox
	tags       tagTable
}

// ElementData is what Elements are made of.
type ElementData struct {
	// WayIDs are OSM way ids. Of ways with the same id the last counts.
	WayIDs []int64
	// WayFirst says where each way begins in Refs, with one more entry for the
	// end of the last. Refs are places, or InvalidPlace for the nodes that the
	// extract lacks, whose ids are Missing in the same order.
	WayFirst []uint32
	Refs     []PlaceID
	Missing  []int64
	// Tags, if there are any kept: the strings, the pairs of key and value, the
	// sets of pairs, and the sets of ways and of tagged nodes.
	Tags *TagData
}

// NewElements indexes the ways of a network. It takes what it is given by copy or
// for its own. The result depends on nothing but the arguments.
func NewElements(n *Network, d ElementData) *Elements {
	e := &Elements{net: n}
	order := make([]uint32, len(d.WayIDs))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		switch {
		case d.WayIDs[a] < d.WayIDs[b]:
			return -1
		case d.WayIDs[a] > d.WayIDs[b]:
			return 1
		}
		return int(int64(b) - int64(a)) // the last one first
	})
	order = slices.CompactFunc(order, func(a, b uint32) bool { return d.WayIDs[a] == d.WayIDs[b] })

	// The ids of missing nodes by their place among the references.
	missing := slices.Clone(d.Missing)
	slices.Sort(missing)
	missing = slices.Compact(missing)
	e.missing = packed.NewInts(missing)
	places := uint32(len(n.Coords))
	missingBefore := make([]uint32, len(d.WayIDs))
	count := uint32(0)
	for i := range d.WayIDs {
		missingBefore[i] = count
		for _, p := range d.Refs[d.WayFirst[i]:d.WayFirst[i+1]] {
			if p == InvalidPlace {
				count++
			}
		}
	}

	ids := make([]int64, len(order))
	e.wayFirst = make([]uint32, 1, len(order)+1)
	e.wayRefs = make([]Ref, 0, len(d.Refs))
	for i, w := range order {
		ids[i] = d.WayIDs[w]
		next := missingBefore[w]
		for _, p := range d.Refs[d.WayFirst[w]:d.WayFirst[w+1]] {
			r := Ref(p)
			if p == InvalidPlace {
				at, _ := slices.BinarySearch(missing, d.Missing[next])
				r = Ref(places + uint32(at))
				next++
			}
			e.wayRefs = append(e.wayRefs, r)
		}
		e.wayFirst = append(e.wayFirst, uint32(len(e.wayRefs)))
	}
	e.wayIDs = packed.NewInts(ids)
	e.tags = newTagTable(n, d.Tags, order)
	e.complete()
	return e
}

// complete adds what follows from the nodes of ways.
func (e *Elements) complete() {
	e.placeFirst, e.placeWays = e.waysByPlace()
	e.wayBoxes = e.boundWays()
	e.placeIndex = newBoxIndex(len(e.net.Coords), e.placeBox)
	e.wayIndex = newBoxIndex(len(e.wayBoxes), e.wayBox)
}

// waysByPlace lists the ways by place, by counting.
func (e *Elements) waysByPlace() (first []uint32, ways []WayIndex) {
	places := len(e.net.Coords)
	first = make([]uint32, places+1)
	last := make([]WayIndex, places) // the way that counted the place last, plus 1
	each := func(f func(p Ref, w WayIndex)) {
		clear(last)
		for w := range WayIndex(e.NumWays()) {
			for _, r := range e.Refs(w) {
				if int64(r) < int64(places) && last[r] != w+1 {
					last[r] = w + 1
					f(r, w)
				}
			}
		}
	}
	each(func(p Ref, _ WayIndex) { first[p+1]++ })
	for i := range places {
		first[i+1] += first[i]
	}
	ways = make([]WayIndex, first[places])
	next := slices.Clone(first)
	each(func(p Ref, w WayIndex) {
		ways[next[p]] = w
		next[p]++
	})
	return first, ways
}

// boundWays returns the bounds of the nodes of each way that are there.
func (e *Elements) boundWays() []snapBox {
	boxes := make([]snapBox, e.NumWays())
	for w := range boxes {
		boxes[w] = emptySnapBox
		for _, r := range e.Refs(WayIndex(w)) {
			if p, ok := e.Place(r); ok {
				boxes[w].merge(e.placeBox(uint32(p)))
			}
		}
	}
	return boxes
}

func (e *Elements) placeBox(p uint32) snapBox {
	c := e.net.Coords[p]
	return snapBox{c.Lon, c.Lat, c.Lon, c.Lat}
}

func (e *Elements) wayBox(w uint32) snapBox { return e.wayBoxes[w] }

// NumNodes returns the number of nodes, which are the PlaceIDs below it.
func (e *Elements) NumNodes() int { return len(e.net.Coords) }

// NumWays returns the number of ways, which are the WayIndexes below it.
func (e *Elements) NumWays() int { return e.wayIDs.Len() }

// Network returns the network that the elements are of.
func (e *Elements) Network() *Network { return e.net }

// FindNode returns the node with an OSM id. It does not allocate.
func (e *Elements) FindNode(id int64) (PlaceID, bool) {
	i, ok := findSorted(&e.net.OSMNodes, id)
	return PlaceID(i), ok
}

// FindWay returns the way with an OSM id. It does not allocate.
func (e *Elements) FindWay(id int64) (WayIndex, bool) {
	i, ok := findSorted(&e.wayIDs, id)
	return WayIndex(i), ok
}

// NodeID returns the OSM id of a node.
func (e *Elements) NodeID(p PlaceID) int64 { return e.net.OSMNodes.Get(uint32(p)) }

// WayID returns the OSM id of a way.
func (e *Elements) WayID(w WayIndex) int64 { return e.wayIDs.Get(uint32(w)) }

// Refs returns the nodes of a way in its order, without copying.
func (e *Elements) Refs(w WayIndex) []Ref { return e.wayRefs[e.wayFirst[w]:e.wayFirst[w+1]] }

// Place returns the node that a reference is to; ok is false if the extract lacked it.
func (e *Elements) Place(r Ref) (p PlaceID, ok bool) {
	if int64(r) >= int64(len(e.net.Coords)) {
		return InvalidPlace, false
	}
	return PlaceID(r), true
}

// RefID returns the OSM id of the node that a reference is to.
func (e *Elements) RefID(r Ref) int64 {
	if p, ok := e.Place(r); ok {
		return e.NodeID(p)
	}
	return e.missing.Get(uint32(r) - uint32(len(e.net.Coords)))
}

// WaysOf returns the ways that a node is on, ascending, without copying.
func (e *Elements) WaysOf(p PlaceID) []WayIndex {
	return e.placeWays[e.placeFirst[p]:e.placeFirst[p+1]]
}

// AppendWayNodes appends the OSM ids of a way's nodes in its order.
func (e *Elements) AppendWayNodes(dst []int64, w WayIndex) []int64 {
	for _, r := range e.Refs(w) {
		dst = append(dst, e.RefID(r))
	}
	return dst
}

// AppendWayCoords appends the coordinates of a way's nodes in its order, but for
// those that the extract lacked.
func (e *Elements) AppendWayCoords(dst []geo.Coord, w WayIndex) []geo.Coord {
	for _, r := range e.Refs(w) {
		if p, ok := e.Place(r); ok {
			dst = append(dst, e.net.Coords[p])
		}
	}
	return dst
}

// WayBounds returns the corners of the least rectangle around the nodes of a way;
// ok is false if the extract lacked all of them.
func (e *Elements) WayBounds(w WayIndex) (lo, hi geo.Coord, ok bool) {
	b := &e.wayBoxes[w]
	return geo.Coord{Lon: b.MinX, Lat: b.MinY}, geo.Coord{Lon: b.MaxX, Lat: b.MaxY}, b.MinX <= b.MaxX
}

// findSorted returns the first index of a value in an ascending array: a binary search
// over blocks, whose least element is their first, and a scan of one.
func findSorted(p *packed.Ints, v int64) (uint32, bool) {
	lo, hi := 0, len(p.Blocks)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if p.Blocks[mid].Base <= v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return 0, false
	}
	first := (lo - 1) * packed.BlockLen
	for i := first; i < min(first+packed.BlockLen, p.Len()); i++ {
		if p.Get(uint32(i)) == v {
			return uint32(i), true
		}
	}
	return 0, false
}
