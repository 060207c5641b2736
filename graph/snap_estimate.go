package graph

import (
	"math"

	"github.com/fourway-routing/fourway/internal/geo"
)

// localMercator is Web Mercator around one place to the second order. It serves
// to pass over segments without projecting them.
type localMercator struct {
	lon, lat float64 // micro-degrees
	// linear and square are the derivatives of y by latitude: the first, and
	// half the second per micro-degree.
	linear, square float64
}

const (
	// localRange is how far, in micro-degrees of latitude, the approximation
	// is used, and localLatitude up to which latitude in degrees: the third
	// order is below a third of a micro-degree there.
	localRange    = 50_000
	localLatitude = 70
	// localError is more than an estimated distance can be too large, in
	// micro-degrees: the third order, and the rounding of both places.
	localError = 3
)

func newLocalMercator(c geo.Coord) localMercator {
	l := localMercator{lon: float64(c.Lon), lat: float64(c.Lat)}
	if c.Lat > localLatitude*geo.Precision || c.Lat < -localLatitude*geo.Precision {
		l.lat = math.NaN() // no estimate holds
		return l
	}
	const radian = math.Pi / 180 / geo.Precision
	sin, cos := math.Sincos(l.lat * radian)
	l.linear = 1 / cos
	l.square = sin / (cos * cos) / 2 * radian
	return l
}

// estimate returns the squared distance in micro-degrees from the place to the
// segment between a and b, at most localError in the distance too large. It is
// far too small for segments that are out of range.
func (l *localMercator) estimate(a, b geo.Coord) float64 {
	x1, x2 := float64(a.Lon)-l.lon, float64(b.Lon)-l.lon
	y1, y2 := float64(a.Lat)-l.lat, float64(b.Lat)-l.lat
	if !(math.Abs(y1) < localRange && math.Abs(y2) < localRange) {
		return l.estimateFar(x1, y1, x2, y2)
	}
	y1 *= l.linear + y1*l.square
	y2 *= l.linear + y2*l.square
	dx, dy := x2-x1, y2-y1
	// The nearest point is (x1, y1) + share * (dx, dy). No segment has both
	// zero.
	share := -(x1*dx + y1*dy) / (dx*dx + dy*dy)
	if share < 0 {
		share = 0
	} else if share > 1 {
		share = 1
	}
	x, y := x1+share*dx, y1+share*dy
	return x*x + y*y
}

// estimateFar goes by the bounds of the segment. A step of latitude is at least
// as long on the map.
func (l *localMercator) estimateFar(x1, y1, x2, y2 float64) float64 {
	x := max(min(x1, x2), -max(x1, x2), 0)
	y := max(min(y1, y2), -max(y1, y2), 0)
	if estimate := x*x + y*y; estimate > 0 {
		return estimate
	}
	return 0 // also where the place is too far north or south
}
