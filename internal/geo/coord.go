package geo

import "math"

// Coord is a place on earth in fixed point: micro-degrees of longitude and
// latitude (WGS 84). Valid are ±180,000,000 and ±90,000,000.
type Coord struct {
	Lon, Lat int32
}

// Precision is the number of Coord units in a degree.
const Precision = 1e6

// FromLonLat returns the coordinate nearest to the given degrees, halves away
// from zero. A number beyond int32 or not a number gives a coordinate that is not
// [Coord.Valid].
func FromLonLat(lon, lat float64) Coord {
	return Coord{fixed(lon), fixed(lat)}
}

// almostHalf is the number before one half. Added to any number of less than 52
// bits it rounds it, which one half does not for almostHalf itself.
const almostHalf = 0.5 - 0x1p-54

func fixed(degrees float64) int32 {
	v := float64(degrees * Precision)
	v += math.Copysign(almostHalf, v)
	if !(v > math.MinInt32 && v < math.MaxInt32) {
		return math.MinInt32
	}
	return int32(v)
}

// Valid says whether the coordinate lies on earth.
func (c Coord) Valid() bool {
	return c.Lon >= -180*Precision && c.Lon <= 180*Precision &&
		c.Lat >= -90*Precision && c.Lat <= 90*Precision
}

// LonLat returns the coordinate in degrees.
func (c Coord) LonLat() (lon, lat float64) {
	return float64(c.Lon) / Precision, float64(c.Lat) / Precision
}

// Point returns the coordinate in degrees.
func (c Coord) Point() Point {
	return Point{float64(c.Lon) / Precision, float64(c.Lat) / Precision}
}

// Point is a place on a plane. Depending on the function the plane is longitude
// and latitude in degrees, or Web Mercator in degrees of the equator.
type Point struct {
	X, Y float64
}

// Coord returns the coordinate nearest to a point in degrees.
func (p Point) Coord() Coord { return FromLonLat(p.X, p.Y) }

// Interpolate returns the place at the given share (0 … 1) of the straight line
// from a to b, truncated towards zero.
func Interpolate(share float64, a, b Coord) Coord {
	return Coord{
		int32(float64(a.Lon) + float64(share*float64(b.Lon-a.Lon))),
		int32(float64(a.Lat) + float64(share*float64(b.Lat-a.Lat))),
	}
}

// Middle returns the place halfway between a and b, truncated towards zero.
func Middle(a, b Coord) Coord {
	return Coord{
		int32((int64(a.Lon) + int64(b.Lon)) / 2),
		int32((int64(a.Lat) + int64(b.Lat)) / 2),
	}
}

// SquaredDistance returns the squared distance between a and b on the plane of
// their units.
func SquaredDistance(a, b Coord) uint64 {
	dx := int64(a.Lon) - int64(b.Lon)
	dy := int64(a.Lat) - int64(b.Lat)
	return uint64(dx*dx) + uint64(dy*dy)
}
