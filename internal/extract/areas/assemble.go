package areas

import (
	"cmp"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/polygon"
)

// MaxVertices bounds the segments that an area is assembled from. Whether they
// cross is found in at most the square of it.
const MaxVertices = 1 << 13

// Node is a node of a way.
type Node struct {
	ID int64
	At geo.Coord
}

// Area is a ring with holes: the rings of [polygon.Polygon] with the ids of
// their nodes.
type Area struct {
	Nodes []Node
	Ends  []uint32
}

// Polygon returns the shape of the area.
func (a *Area) Polygon() polygon.Polygon {
	p := polygon.Polygon{Vertices: make([]geo.Coord, len(a.Nodes)), Ends: a.Ends}
	for i := range a.Nodes {
		p.Vertices[i] = a.Nodes[i].At
	}
	return p
}

// Fault says why ways make no area.
type Fault uint8

// The faults.
const (
	None     Fault = iota
	Empty          // nothing is left of the ways
	Open           // rings are not closed
	Crossing       // segments cross, touch or overlap
	TooLarge       // more than MaxVertices segments, or half around the earth
)

// segment joins two nodes, the first being the lesser by place.
type segment [2]Node

func compare(a, b geo.Coord) int {
	return cmp.Or(cmp.Compare(a.Lon, b.Lon), cmp.Compare(a.Lat, b.Lat))
}

// Assemble joins ways to areas, ordered by their least places.
func Assemble(ways [][]Node) ([]Area, Fault) {
	segments, fault := segmentsOf(ways)
	if fault != None {
		return nil, fault
	}
	if crosses(segments) {
		return nil, Crossing
	}
	links, fault := link(segments)
	if fault != None {
		return nil, fault
	}
	return nest(trace(segments, links)), None
}

// segmentsOf returns the segments of ways, sorted. Those that two ways have are
// left out: areas that share a border are one.
func segmentsOf(ways [][]Node) ([]segment, Fault) {
	count := 0
	for _, w := range ways {
		count += max(0, len(w)-1)
	}
	if count > MaxVertices {
		return nil, TooLarge
	}
	all := make([]segment, 0, count)
	for _, w := range ways {
		for i := 1; i < len(w); i++ {
			s := segment{w[i-1], w[i]}
			switch c := compare(s[0].At, s[1].At); {
			case c == 0:
				continue
			case c > 0:
				s[0], s[1] = s[1], s[0]
			}
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b segment) int {
		return cmp.Or(compare(a[0].At, b[0].At), compare(a[1].At, b[1].At),
			cmp.Compare(a[0].ID, b[0].ID), cmp.Compare(a[1].ID, b[1].ID))
	})
	kept := all[:0]
	for _, s := range all {
		if n := len(kept); n > 0 && kept[n-1][0].At == s[0].At && kept[n-1][1].At == s[1].At {
			kept = kept[:n-1]
			continue
		}
		kept = append(kept, s)
	}
	if len(kept) == 0 {
		return nil, Empty
	}
	west, east := kept[0][0].At.Lon, int32(math.MinInt32)
	for _, s := range kept {
		east = max(east, s[1].At.Lon)
	}
	if int64(east)-int64(west) > 180*geo.Precision {
		return nil, TooLarge
	}
	return kept, None
}

// crosses says whether segments, which are sorted, meet anywhere but in their
// ends.
func crosses(segments []segment) bool {
	for i := range segments {
		a := &segments[i]
		south, north := min(a[0].At.Lat, a[1].At.Lat), max(a[0].At.Lat, a[1].At.Lat)
		for k := i + 1; k < len(segments); k++ {
			b := &segments[k]
			if b[0].At.Lon > a[1].At.Lon {
				break
			}
			if max(b[0].At.Lat, b[1].At.Lat) >= south && min(b[0].At.Lat, b[1].At.Lat) <= north && meet(a, b) {
				return true
			}
		}
	}
	return false
}

// meet says whether two different segments have more in common than an end.
func meet(a, b *segment) bool {
	b0, b1 := polygon.Side(a[0].At, a[1].At, b[0].At), polygon.Side(a[0].At, a[1].At, b[1].At)
	if b0 > 0 && b1 > 0 || b0 < 0 && b1 < 0 {
		return false
	}
	if b0 == 0 && b1 == 0 { // on one line, where places are sorted along it
		from, to := a[0].At, a[1].At
		if compare(b[0].At, from) > 0 {
			from = b[0].At
		}
		if compare(b[1].At, to) < 0 {
			to = b[1].At
		}
		return compare(from, to) < 0
	}
	a0, a1 := polygon.Side(b[0].At, b[1].At, a[0].At), polygon.Side(b[0].At, b[1].At, a[1].At)
	if a0 > 0 && a1 > 0 || a0 < 0 && a1 < 0 {
		return false
	}
	// They meet in one place: an end of both, or a crossing.
	return (a0 != 0 && a1 != 0) || (b0 != 0 && b1 != 0)
}

// end names an end of a segment: 2i for the lesser end of segment i, 2i+1 for the
// other.
type end uint32

func (e end) node(segments []segment) Node { return segments[e>>1][e&1] }
func (e end) other() end                   { return e ^ 1 }

// link finds for each end of a segment the end that a ring goes on with at the
// same place. Where more than two segments meet, neighbors by angle are linked, so
// that rings touch but do not cross.
func link(segments []segment) ([]end, Fault) {
	ends := make([]end, 2*len(segments))
	for i := range ends {
		ends[i] = end(i)
	}
	slices.SortFunc(ends, func(a, b end) int {
		u, v := a.node(segments).At, b.node(segments).At
		if c := compare(u, v); c != 0 {
			return c
		}
		return compareAngles(u, a.other().node(segments).At, b.other().node(segments).At)
	})
	links := make([]end, len(ends))
	for i := 0; i < len(ends); i += 2 {
		if i+1 == len(ends) || ends[i].node(segments).At != ends[i+1].node(segments).At {
			return nil, Open
		}
		links[ends[i]], links[ends[i+1]] = ends[i+1], ends[i]
	}
	return links, None
}

// compareAngles orders the directions from v to a and to b counterclockwise from
// the east.
func compareAngles(v, a, b geo.Coord) int {
	if c := cmp.Compare(lower(v, a), lower(v, b)); c != 0 {
		return c
	}
	return -cmp.Compare(polygon.Side(v, a, b), 0)
}

// lower is 1 for directions of a half turn and more, else 0.
func lower(v, to geo.Coord) int {
	if to.Lat < v.Lat || to.Lat == v.Lat && to.Lon < v.Lon {
		return 1
	}
	return 0
}

// trace follows links around. A ring that comes by a place twice is cut there, so
// that all are simple.
func trace(segments []segment, links []end) [][]Node {
	var rings [][]Node
	used := make([]bool, len(segments))
	at := make(map[geo.Coord]int) // position in the ring at hand
	var ring []Node
	for i := range segments {
		if used[i] {
			continue
		}
		ring = ring[:0]
		for e := end(2 * i); !used[e>>1]; e = links[e.other()] {
			used[e>>1] = true
			n := e.node(segments)
			if k, ok := at[n.At]; ok {
				rings = append(rings, cut(at, ring[k:]))
				ring = ring[:k]
			}
			at[n.At] = len(ring)
			ring = append(ring, n)
		}
		rings = append(rings, cut(at, ring))
	}
	return rings
}

// cut takes a ring away from what is being traced.
func cut(at map[geo.Coord]int, ring []Node) []Node {
	for _, n := range ring {
		delete(at, n.At)
	}
	return slices.Clone(ring)
}

// nest makes areas of rings that do not cross: a ring inside an even number of
// others is the outside of an area, any other is a hole of the nearest ring around
// it.
func nest(rings [][]Node) []Area {
	for _, r := range rings {
		least := 0
		for i := range r {
			if compare(r[i].At, r[least].At) < 0 {
				least = i
			}
		}
		rotate(r, least)
	}
	slices.SortFunc(rings, func(a, b []Node) int {
		return cmp.Or(compare(a[0].At, b[0].At), compare(a[1].At, b[1].At))
	})
	shapes := make([][]geo.Coord, len(rings))
	for i, r := range rings {
		for _, n := range r {
			shapes[i] = append(shapes[i], n.At)
		}
	}
	around := make([][]int, len(rings)) // rings around each
	for i, shape := range shapes {
		for k, outer := range shapes {
			if k != i && surrounds(outer, shape) {
				around[i] = append(around[i], k)
			}
		}
	}
	var areas []Area
	for i, r := range rings {
		if len(around[i])%2 != 0 {
			continue
		}
		var a Area
		a.add(r, true)
		for k, hole := range rings {
			if len(around[k]) == len(around[i])+1 && slices.Contains(around[k], i) {
				a.add(hole, false)
			}
		}
		areas = append(areas, a)
	}
	return areas
}

// rotate makes the i-th node of a ring the first.
func rotate(ring []Node, i int) {
	slices.Reverse(ring[:i])
	slices.Reverse(ring[i:])
	slices.Reverse(ring)
}

// surrounds says whether a ring lies within another that it does not cross. The
// middle of an edge cannot lie on the other one; coordinates are doubled, and taken
// from a place nearby, for the middle to be whole and the numbers small.
func surrounds(outer, inner []geo.Coord) bool {
	a, b := inner[0], inner[1]
	middle := geo.Coord{Lon: b.Lon - a.Lon, Lat: b.Lat - a.Lat}
	inside := false
	u := twice(outer[len(outer)-1], a)
	for _, c := range outer {
		v := twice(c, a)
		if (u.Lat > middle.Lat) != (v.Lat > middle.Lat) && (polygon.Side(u, v, middle) > 0) == (v.Lat > u.Lat) {
			inside = !inside
		}
		u = v
	}
	return inside
}

// twice returns twice the way from one place to another.
func twice(c, from geo.Coord) geo.Coord {
	return geo.Coord{Lon: 2 * (c.Lon - from.Lon), Lat: 2 * (c.Lat - from.Lat)}
}

// add adds a ring, whose first node is the least, so that it runs counterclockwise
// or not.
func (a *Area) add(ring []Node, counterclockwise bool) {
	if (polygon.Side(ring[len(ring)-1].At, ring[0].At, ring[1].At) > 0) != counterclockwise {
		slices.Reverse(ring[1:])
	}
	a.Nodes = append(a.Nodes, ring...)
	a.Ends = append(a.Ends, uint32(len(a.Nodes)))
}
