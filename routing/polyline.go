package routing

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/internal/geo"
)

// AppendPolyline appends line in Google's encoded polyline format with the
// given number of decimals, 5 or 6, to dst. Coordinates are taken as whole
// micro-degrees, and rounded half away from zero where decimals are fewer.
//
// The format: each number is the difference from the point before in units of
// 10^-precision degrees, latitude first, zigzag-coded (sign in the lowest bit)
// and cut into groups of five bits, lowest first, each group plus 63 being one
// character, with 32 added where more groups follow.
func AppendPolyline(dst []byte, line orb.LineString, precision int) []byte {
	scale := 1.0
	if precision < 6 {
		scale = 0.1
	}
	var lon, lat int32
	for _, p := range line {
		c := geo.FromLonLat(p[0], p[1])
		x := int32(math.Round(float64(c.Lon) * scale))
		y := int32(math.Round(float64(c.Lat) * scale))
		dst = appendVarint(dst, y-lat)
		dst = appendVarint(dst, x-lon)
		lon, lat = x, y
	}
	return dst
}

func appendVarint(dst []byte, v int32) []byte {
	u := uint32(v<<1) ^ uint32(v>>31)
	for ; u >= 0x20; u >>= 5 {
		dst = append(dst, byte(u&0x1f|0x20)+63)
	}
	return append(dst, byte(u)+63)
}

// DecodePolyline decodes a polyline of the given number of decimals, 5 or 6.
// The error names the byte at which s is malformed or leaves the range of
// 32-bit micro-degrees; that the points lie on the globe is not checked.
func DecodePolyline(s string, precision int) (orb.LineString, error) {
	scale := int64(1)
	if precision < 6 {
		scale = 10
	}
	line := make(orb.LineString, 0, len(s)/4)
	var lon, lat int64
	for i := 0; i < len(s); {
		start := i
		var err error
		var dy, dx int64
		if dy, i, err = varint(s, i); err != nil {
			return nil, err
		}
		if dx, i, err = varint(s, i); err != nil {
			return nil, err
		}
		lat += dy * scale
		lon += dx * scale
		if lat != int64(int32(lat)) || lon != int64(int32(lon)) {
			return nil, &polylineError{start, "coordinate out of range"}
		}
		line = append(line, point(geo.Coord{Lon: int32(lon), Lat: int32(lat)}))
	}
	return line, nil
}

// varint reads the number at s[i:] and returns where the next one starts.
func varint(s string, i int) (v int64, next int, err error) {
	var u uint64
	for shift := 0; ; shift += 5 {
		if i == len(s) {
			return 0, i, &polylineError{i, "ends inside a number"}
		}
		c := s[i] - 63 // below 63 it wraps to a large value
		if c > 0x3f {
			return 0, i, &polylineError{i, fmt.Sprintf("character %q", s[i])}
		}
		if shift > 30 {
			return 0, i, &polylineError{i, "number too long"}
		}
		i++
		u |= uint64(c&0x1f) << shift
		if c < 0x20 {
			return int64(u>>1) ^ -int64(u&1), i, nil
		}
	}
}

// polylineError says where a polyline is malformed.
type polylineError struct {
	Offset int
	what   string
}

func (e *polylineError) Error() string {
	return fmt.Sprintf("routing: polyline malformed at byte %d: %s", e.Offset, e.what)
}

// point returns the coordinate in degrees.
func point(c geo.Coord) orb.Point {
	lon, lat := c.LonLat()
	return orb.Point{lon, lat}
}
