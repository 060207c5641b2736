package routing

import (
	"encoding/binary"
	"fmt"
	"slices"

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
	return appendPolyline(dst, line, precision, &encoded)
}

// appendPolyline is AppendPolyline with a table of its own.
func appendPolyline(dst []byte, line orb.LineString, precision int, table *encoding) []byte {
	var before geo.Coord
	for _, p := range line {
		c := geo.FromLonLat(p[0], p[1])
		if precision < 6 {
			c = geo.Coord{Lon: roundTenth(c.Lon), Lat: roundTenth(c.Lat)}
		}
		if cap(dst)-len(dst) < 2*maxEncoded {
			dst = slices.Grow(dst, 2*maxEncoded)
		}
		dst = table.append(dst, c.Lat-before.Lat)
		dst = table.append(dst, c.Lon-before.Lon)
		before = c
	}
	return dst
}

// roundTenth divides by ten, halves away from zero.
func roundTenth(v int32) int32 {
	if v < 0 {
		return int32((int64(v) - 5) / 10)
	}
	return int32((int64(v) + 5) / 10)
}

// encoding has the characters of zigzag-coded numbers below 1024, the first
// lowest, and their count in the highest byte. Looking up what most numbers are
// takes half the time of branches on the groups, which no processor foresees.
type encoding [1024]uint32

// maxEncoded is the capacity that encoding.append needs: seven groups and an
// escape, written four bytes at a time.
const maxEncoded = 12

// The encodings as they are, and as JSON has them: of all characters of the
// format ('?' to '~') only the backslash is escaped. It is always a last one.
var (
	encoded = makeEncoding(false)
	escaped = makeEncoding(true)
)

func makeEncoding(escape bool) (t encoding) {
	for v := range t {
		var text []byte
		for rest := v; ; rest >>= 5 {
			if rest >= 0x20 {
				text = append(text, byte(rest&0x1f|0x20)+63)
				continue
			}
			text = append(text, byte(rest)+63)
			break
		}
		if last := text[len(text)-1]; escape && last == '\\' {
			text = append(text, last)
		}
		for i, c := range text {
			t[v] |= uint32(c) << (8 * i)
		}
		t[v] |= uint32(len(text)) << 24
	}
	return t
}

// append appends a number to dst, whose capacity has room for maxEncoded bytes.
func (t *encoding) append(dst []byte, v int32) []byte {
	u := uint32(v<<1) ^ uint32(v>>31)
	for ; u >= uint32(len(t)); u >>= 5 {
		dst = append(dst, byte(u&0x1f|0x20)+63)
	}
	n := len(dst)
	binary.LittleEndian.PutUint32(dst[n:n+4], t[u])
	return dst[:n+int(t[u]>>24)]
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
