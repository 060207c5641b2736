package polygon

import "github.com/fourway-routing/fourway/internal/geo"

// Polygon is a ring, and holes in it. The rings do not repeat their first
// vertex. The inside lies to the left of each edge: the outer ring runs
// counterclockwise, holes run clockwise. Edges do not cross and do not overlap;
// rings may touch one another in vertices.
type Polygon struct {
	Vertices []geo.Coord // of all rings, the outer one first
	// Ends are where rings end in Vertices.
	Ends []uint32
}

// Place says where a place lies.
type Place uint8

// The places.
const (
	Outside Place = iota
	Inside
	OnEdge
	OnVertex
)

// Side tells on which side of the line from a to b a place lies: above 0 on
// the left, below 0 on the right, 0 on the line.
func Side(a, b, c geo.Coord) int64 {
	return (int64(b.Lon)-int64(a.Lon))*(int64(c.Lat)-int64(a.Lat)) -
		(int64(b.Lat)-int64(a.Lat))*(int64(c.Lon)-int64(a.Lon))
}

// ahead is the scalar product of the ways from v to a and to b.
func ahead(v, a, b geo.Coord) int64 {
	return (int64(a.Lon)-int64(v.Lon))*(int64(b.Lon)-int64(v.Lon)) +
		(int64(a.Lat)-int64(v.Lat))*(int64(b.Lat)-int64(v.Lat))
}

// within says whether c, which lies on the line through a and b, lies between
// them or is one of them.
func within(a, b, c geo.Coord) bool { return ahead(c, a, b) <= 0 }

// Locate says where a place lies.
func (p *Polygon) Locate(at geo.Coord) Place {
	inside := false
	first := uint32(0)
	for _, end := range p.Ends {
		switch RingLocate(p.Vertices[first:end], at) {
		case Inside:
			inside = !inside
		case OnEdge:
			return OnEdge
		case OnVertex:
			return OnVertex
		}
		first = end
	}
	if inside {
		return Inside
	}
	return Outside
}

// RingLocate says where a place lies as to a ring, whichever way that runs.
func RingLocate(ring []geo.Coord, at geo.Coord) Place {
	inside := false
	a := ring[len(ring)-1]
	for _, b := range ring {
		if b == at {
			return OnVertex
		}
		// A ray to the east counts edges once, at their lower end.
		if (a.Lat > at.Lat) != (b.Lat > at.Lat) {
			side := Side(a, b, at)
			if side == 0 {
				return OnEdge
			}
			if (side > 0) == (b.Lat > a.Lat) {
				inside = !inside
			}
		} else if a.Lat == at.Lat && b.Lat == at.Lat && within(a, b, at) {
			if a == at {
				return OnVertex
			}
			return OnEdge
		}
		a = b
	}
	if inside {
		return Inside
	}
	return Outside
}

// neighbors returns the vertices before and after the i-th.
func (p *Polygon) neighbors(i uint32) (before, after geo.Coord) {
	first := uint32(0)
	for _, end := range p.Ends {
		if i < end {
			return p.around(i, first, end)
		}
		first = end
	}
	return geo.Coord{}, geo.Coord{}
}

func (p *Polygon) around(i, first, end uint32) (before, after geo.Coord) {
	b, a := i-1, i+1
	if i == first {
		b = end - 1
	}
	if a == end {
		a = first
	}
	return p.Vertices[b], p.Vertices[a]
}

// opens says whether the way from v towards a place starts inside, v being a
// vertex between two others.
func opens(before, v, after, to geo.Coord) bool {
	left, right := Side(before, v, to), Side(v, after, to)
	switch turn := Side(before, v, after); {
	case turn > 0:
		return left >= 0 && right >= 0
	case turn < 0:
		return left >= 0 || right >= 0
	}
	return left >= 0
}

// Sees says whether the straight line between two places of the polygon stays
// in it. It may touch the boundary.
func (p *Polygon) Sees(from, to geo.Coord) bool { return p.sees(from, to, true) }

// sees is Sees; unless through is set, there must be no vertex between the
// places.
func (p *Polygon) sees(from, to geo.Coord, through bool) bool {
	if from == to {
		return true
	}
	first := uint32(0)
	for _, end := range p.Ends {
		a := p.Vertices[end-1]
		sideA := Side(from, to, a)
		for i := first; i < end; i++ {
			b := p.Vertices[i]
			sideB := Side(from, to, b)
			if sideB == 0 && within(from, to, b) {
				if !through && b != from && b != to {
					return false
				}
				before, after := p.around(i, first, end)
				if b != from && !opens(before, b, after, from) || b != to && !opens(before, b, after, to) {
					return false
				}
			}
			if sideA < 0 && sideB > 0 || sideA > 0 && sideB < 0 {
				// The edge lies across the line. An end on it must look inside.
				f, t := Side(a, b, from), Side(a, b, to)
				if f < 0 && t >= 0 || f >= 0 && t < 0 {
					return false
				}
			}
			a, sideA = b, sideB
		}
		first = end
	}
	return true
}

// AppendCorners appends the indices of the vertices at which the polygon takes
// more than a straight angle.
func (p *Polygon) AppendCorners(dst []uint32) []uint32 {
	first := uint32(0)
	for _, end := range p.Ends {
		for i := first; i < end; i++ {
			before, after := p.around(i, first, end)
			if Side(before, p.Vertices[i], after) < 0 {
				dst = append(dst, i)
			}
		}
		first = end
	}
	return dst
}

// AppendVisible appends those of the vertices with the given indices that a
// place of the polygon sees.
func (p *Polygon) AppendVisible(dst []uint32, from geo.Coord, of []uint32) []uint32 {
	for _, i := range of {
		if p.Sees(from, p.Vertices[i]) {
			dst = append(dst, i)
		}
	}
	return dst
}

// Sights returns the pairs of the given vertices that see one another with no
// vertex in between, each pair once, in the order of the list.
func (p *Polygon) Sights(of []uint32) [][2]uint32 {
	var pairs [][2]uint32
	for k, i := range of {
		for _, j := range of[k+1:] {
			if a, b := p.Vertices[i], p.Vertices[j]; a == b || p.sees(a, b, false) {
				pairs = append(pairs, [2]uint32{i, j})
			}
		}
	}
	return pairs
}
