package geo

import "math"

// BearingWithin says whether bearing lies within ±tolerance of center, all in
// whole degrees and around the circle. Both ends count. A tolerance of 180 and
// more admits every bearing, a negative one none.
func BearingWithin(bearing, center, tolerance int) bool {
	if tolerance >= 180 {
		return true
	}
	if tolerance < 0 {
		return false
	}
	bearing, center = positive(bearing), positive(center)
	switch low, high := center-tolerance, center+tolerance; {
	case low < 0:
		return low+360 <= bearing || bearing <= high
	case high > 360:
		return low <= bearing || bearing <= high-360
	default:
		return low <= bearing && bearing <= high
	}
}

// positive maps degrees to 0 … 360; a negative multiple of 360 gives 360, as it
// does in OSRM.
func positive(degrees int) int {
	if degrees < 0 {
		return degrees%360 + 360
	}
	return degrees % 360
}

// ReverseBearing returns the opposite of a bearing.
func ReverseBearing(bearing float64) float64 {
	if bearing >= 180 {
		return bearing - 180
	}
	return bearing + 180
}

// AngleBetween returns the turn from one bearing into another, 0 … 360: 180 is
// straight on, below it lies right, above it left, 0 is a U-turn.
func AngleBetween(entry, exit float64) float64 {
	return math.Mod(entry-exit+540, 360)
}

// AngularDeviation returns the least difference of two angles or bearings,
// 0 … 180.
func AngularDeviation(a, b float64) float64 {
	d := math.Abs(a - b)
	return min(360-d, d)
}

// NormalizeAngle brings an angle into 0 … 360; both ends stay as they are.
func NormalizeAngle(angle float64) float64 {
	for angle < 0 {
		angle += 360
	}
	for angle > 360 {
		angle -= 360
	}
	return angle
}

// Angle returns the angle at b on the way from a over b to c in Web Mercator,
// 0 … 360: 180 is straight on, below it lies right. It is 180 where two
// neighboring places are the same. Its resolution is about a hundredth of a
// degree: the arc tangent is OSRM's table, so that decisions fall alike.
func Angle(a, b, c Coord) float64 {
	if a == b || b == c {
		return 180
	}
	y := func(c Coord) float64 {
		_, lat := c.LonLat()
		return LatitudeToY(lat)
	}
	yb := y(b)
	x1 := float64(a.Lon-b.Lon) / Precision
	x2 := float64(c.Lon-b.Lon) / Precision
	angle := (tableAtan2(y(c)-yb, x2) - tableAtan2(y(a)-yb, x1)) * 180 * (1 / math.Pi)
	for angle < 0 {
		angle += 360
	}
	return angle
}

const atanSteps = 4095

// atanTable has the arc tangent of i/atanSteps, truncated to units of
// 1/atanScale.
var atanTable = makeAtanTable()

// atanScale makes the arc tangent of 1 the largest uint16.
var atanScale = 4 * float64Of(1/math.Pi) * math.MaxUint16

func makeAtanTable() *[atanSteps + 1]uint16 {
	var t [atanSteps + 1]uint16
	for i := range t {
		t[i] = uint16(math.Atan(float64(i)/atanSteps) * atanScale)
	}
	t[atanSteps] = math.MaxUint16
	return &t
}

func tableAtan2(y, x float64) float64 {
	if math.Abs(x) < epsilon {
		if y >= 0 {
			return math.Pi / 2
		}
		return -math.Pi / 2
	}
	t := math.Abs(y) / math.Abs(x)
	steep := t > 1
	if steep {
		t = 1 / t
	}
	angle := float64(atanTable[uint(t*atanSteps)]) / atanScale
	switch {
	case steep && x < 0:
		angle = math.Pi/2 + angle
	case steep:
		angle = math.Pi/2 - angle
	case x < 0:
		angle = math.Pi - angle
	}
	if y < 0 {
		angle = -angle
	}
	return angle
}
