package osmfile

import (
	"math"
	"strconv"
)

// Bounds of a valid position in units of 1e-7 degrees, the resolution of the OSM database.
const (
	maxLon7 = 180 * 1e7
	maxLat7 = 90 * 1e7
)

func onEarth(lon7, lat7 int64) bool {
	return lon7 >= -maxLon7 && lon7 <= maxLon7 && lat7 >= -maxLat7 && lat7 <= maxLat7
}

// MicroDegrees rounds a coordinate in 1e-7 degrees to micro-degrees exactly as OSRM does: there the coordinate becomes a
// float64 in degrees, is multiplied by 1e6 and rounded half away from zero. Where the last digit is a 5, the error of
// these two floating-point steps decides (1245 gives 124, 1275 gives 128), so that case takes the same steps.
func MicroDegrees(e7 int32) int32 {
	q := e7 / 10
	switch r := e7 - 10*q; {
	case r == 5 || r == -5:
		return int32(math.Round(float64(e7) / 1e7 * 1e6))
	case r > 5:
		return q + 1
	case r < -5:
		return q - 1
	}
	return q
}

// parseDegrees reads a decimal number of degrees as 1e-7 degrees, rounding half away from zero by the eighth decimal.
func parseDegrees(b []byte) (int64, bool) {
	i := 0
	negative := len(b) > 0 && b[0] == '-'
	if negative || len(b) > 0 && b[0] == '+' {
		i++
	}
	var v int64
	digits, decimals, point := 0, 0, false
	for ; i < len(b); i++ {
		c := b[i]
		switch {
		case c == '.' && !point:
			point = true
			continue
		case c < '0' || c > '9':
			return parseScientific(b)
		}
		digits++
		switch {
		case !point && v > maxLon7:
			// stays out of range
		case !point:
			v = 10*v + int64(c-'0')
		case decimals < 7:
			v = 10*v + int64(c-'0')
			decimals++
		case decimals == 7:
			if c >= '5' {
				v++
			}
			decimals++
		}
	}
	for ; decimals < 7; decimals++ {
		v *= 10
	}
	if negative {
		v = -v
	}
	return v, digits > 0
}

// parseScientific reads the rare other notations, like 1e-05.
func parseScientific(b []byte) (int64, bool) {
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil || math.IsNaN(v) {
		return 0, false
	}
	return int64(math.Round(max(-1000, min(1000, v)) * 1e7)), true
}

// parseInt reads a decimal integer without allocating.
func parseInt(b []byte) (int64, bool) {
	v, err := strconv.ParseInt(string(b), 10, 64)
	return v, err == nil
}
