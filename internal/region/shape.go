package region

import (
	"slices"

	"github.com/paulmach/orb"
)

// Shape is a polygon made ready for many questions. It is safe for concurrent use;
// the zero Shape touches nothing.
type Shape struct{ polygon }

// NewShape returns the shape of a polygon whose rings end as they begin, in time
// and memory linear in its corners.
func NewShape(p orb.Polygon) *Shape {
	count := 0
	for _, ring := range p {
		count += len(ring)
	}
	corners, ends := make([]vertex, 0, count), make([]int, 0, len(p))
	for _, ring := range p {
		for _, c := range ring {
			corners = append(corners, vertex(c))
		}
		ends = append(ends, len(corners))
	}
	if count == 0 {
		return &Shape{}
	}
	return &Shape{newPolygon(0, corners, ends)}
}

// Bound returns the rectangle around the shape.
func (s *Shape) Bound() orb.Bound {
	return orb.Bound{Min: orb.Point(s.min), Max: orb.Point(s.max)}
}

// Touches says whether a straight line has a point in the shape or on its rim.
func (s *Shape) Touches(from, to orb.Point) bool {
	if len(s.edges) == 0 || !overlap(from, to, s.min, s.max) {
		return false
	}
	if s.contains(from[0], from[1]) || s.contains(to[0], to[1]) {
		return true
	}

	first, last := s.band(min(from[1], to[1])), s.band(max(from[1], to[1]))
	return slices.ContainsFunc(s.edges[s.bands[first]:s.bands[last+1]], func(e uint32) bool {
		return crosses(s.corners[e], s.corners[e+1], from, to)
	})
}

// overlap says whether the rectangles around two lines have a point in common.
func overlap[P, Q ~[2]float64](a, b P, c, d Q) bool {
	for k := range 2 {
		if max(a[k], b[k]) < min(c[k], d[k]) || max(c[k], d[k]) < min(a[k], b[k]) {
			return false
		}
	}
	return true
}

// crosses says whether two lines have a point in common.
func crosses(a, b vertex, c, d orb.Point) bool {
	if !overlap(a, b, c, d) {
		return false
	}
	return side(a, b, vertex(c))*side(a, b, vertex(d)) <= 0 && side(vertex(c), vertex(d), a)*side(vertex(c), vertex(d), b) <= 0
}

// side is positive for a place to the left of the line from a to b.
func side(a, b, c vertex) float64 { return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0]) }
