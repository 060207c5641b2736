package geo

import "math"

// epsilon is float64's distance from 1 to the next number.
const epsilon = 0x1p-52

// ProjectPoint returns the point of the straight segment from a to b that is
// nearest to p on the plane, and its share (0 … 1) of the way from a to b. A
// segment of no length gives a and 0.
func ProjectPoint(a, b, p Point) (share float64, nearest Point) {
	dx, dy := b.X-a.X, b.Y-a.Y
	dot := float64(dx*(p.X-a.X)) + float64(dy*(p.Y-a.Y))
	length2 := float64(dx*dx) + float64(dy*dy)
	if length2 < epsilon {
		return 0, a
	}
	share = dot / length2
	if share > 1 {
		share = 1
	} else if share < 0 {
		share = 0
	}
	rest := 1 - share
	return share, Point{
		float64(rest*a.X) + float64(b.X*share),
		float64(rest*a.Y) + float64(b.Y*share),
	}
}

// Projection is where a place meets a segment.
type Projection struct {
	Place Coord   // nearest on the segment, rounded to micro-degrees
	Share float64 // of the way from the segment's start to Place, 0 … 1
	// Distance from the place asked for to Place, in meters.
	Distance float64
}

// Project projects p on the segment from a to b. Nearest is judged in Web
// Mercator.
func Project(a, b, p Coord) Projection {
	share, nearest := ProjectPoint(ToMercator(a), ToMercator(b), ToMercator(p))
	place := FromMercator(nearest).Coord()
	return Projection{place, share, Distance(p, place)}
}

// DistanceToSegment returns the distance in meters between p and the segment
// from a to b. Nearest is judged on the plane of longitude and latitude.
func DistanceToSegment(p, a, b Coord) float64 {
	_, nearest := ProjectPoint(a.Point(), b.Point(), p.Point())
	return Distance(p, nearest.Coord())
}

// DistanceToLine returns the least [DistanceToSegment] of p to a line, and the
// largest number if the line has fewer than two places.
func DistanceToLine(p Coord, line []Coord) float64 {
	least := math.MaxFloat64
	for i := 1; i < len(line); i++ {
		least = min(least, DistanceToSegment(p, line[i-1], line[i]))
	}
	return least
}

// SignedArea returns the area of the triangle a, b, c in square degrees,
// positive if its corners run counter-clockwise.
func SignedArea(a, b, c Coord) float64 {
	lon1, lat1 := a.LonLat()
	lon2, lat2 := b.LonLat()
	lon3, lat3 := c.LonLat()
	return 0.5 * (float64(-lon2*lat1) + float64(lon3*lat1) + float64(lon1*lat2) -
		float64(lon3*lat2) - float64(lon1*lat3) + float64(lon2*lat3))
}

// CounterClockwise says whether a, b, c run counter-clockwise: c lies to the
// left of the line from a to b.
func CounterClockwise(a, b, c Coord) bool { return SignedArea(a, b, c) > 0 }
