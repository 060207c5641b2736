package osmfile

import "math"

// Bounds of a valid position in units of 1e-7 degrees, the resolution of the OSM database.
const (
	maxLon7 = 180 * 1e7
	maxLat7 = 90 * 1e7
)

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
