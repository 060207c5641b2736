package geo

import "math"

// ruler measures near one latitude as if the earth were flat there. The method
// is Mapbox' cheap ruler: meters per degree from the radii of curvature of the
// WGS 84 ellipsoid.
type ruler struct {
	kx, ky float64 // meters per degree of longitude, latitude
}

const (
	numRulers = 1800
	// rulerBand is the height of a ruler's band of latitude in micro-degrees.
	rulerBand = 90 * Precision / numRulers
)

// rulers are by band of |latitude|, each made for the middle of its band.
var rulers = makeRulers()

func makeRulers() *[numRulers]ruler {
	var rs [numRulers]ruler
	for i := range rs {
		rs[i] = newRuler(rulerBand * (float64(i) + 0.5) / Precision)
	}
	return &rs
}

func newRuler(latitude float64) ruler {
	// Variables, since Go computes constants beyond float64's precision.
	radius, flattening, degree := 6378.137, 298.257223563, float64Of(math.Pi)/180
	flattening = 1 / flattening
	e2 := flattening * (2 - flattening)
	scale := degree * radius * 1000
	cos := math.Cos(latitude * degree)
	w2 := 1 / (1 - float64(e2*(1-float64(cos*cos))))
	w := math.Sqrt(w2)
	return ruler{
		kx: scale * w * cos,
		ky: scale * w * w2 * (1 - e2),
	}
}

// rulerFor returns the ruler for the mean latitude of a and b.
func rulerFor(a, b Coord) *ruler {
	lat := (int64(a.Lat) + int64(b.Lat)) / 2
	if lat < 0 {
		lat = -lat
	}
	band := uint(max(lat-1, 0)) / rulerBand
	return &rulers[min(band, numRulers-1)]
}

// delta returns the way from a to b in meters east and north, the shorter way
// around the earth.
func (r *ruler) delta(a, b Point) (dx, dy float64) {
	lon := b.X - a.X
	if lon > 180 || lon < -180 {
		lon = math.Remainder(lon, 360)
	}
	return lon * r.kx, (b.Y - a.Y) * r.ky
}

// Distance returns the distance between a and b in meters. It is meant for
// places up to some hundred kilometers apart.
func Distance(a, b Coord) float64 {
	return rulerFor(a, b).distance(a.Point(), b.Point())
}

func (r *ruler) distance(a, b Point) float64 {
	dx, dy := r.delta(a, b)
	return math.Sqrt(float64(dx*dx) + float64(dy*dy))
}

// Bearing returns the direction from a to b in degrees clockwise from north,
// 0 … 360, and 0 if they are the same place.
func Bearing(a, b Coord) float64 {
	dx, dy := rulerFor(a, b).delta(a.Point(), b.Point())
	bearing := math.Atan2(dx, dy) / (float64Of(math.Pi) / 180)
	if bearing < 0 {
		bearing += 360
	}
	return bearing
}

// Centimeters rounds meters to whole centimeters, halves away from zero. What
// does not fit gives 0 or the largest number.
func Centimeters(meters float64) uint32 {
	cm := math.Round(meters * 100)
	switch {
	case cm >= math.MaxUint32:
		return math.MaxUint32
	case cm > 0:
		return uint32(cm)
	}
	return 0
}

// DistanceCM returns [Distance] in whole centimeters, as the graph keeps it.
func DistanceCM(a, b Coord) uint32 { return Centimeters(Distance(a, b)) }

// EarthRadius is the mean radius of the earth in meters.
const EarthRadius = 6371008.771415

// Haversine returns the great-circle distance between a and b on a sphere of
// [EarthRadius], in meters. It holds for any two places.
func Haversine(a, b Coord) float64 {
	degree := math.Pi / 180
	lonA, latA := a.LonLat()
	lonB, latB := b.LonLat()
	sinLat := math.Sin((latB - latA) * degree / 2)
	sinLon := math.Sin((lonB - lonA) * degree / 2)
	cos := math.Cos(latA*degree) * math.Cos(latB*degree)
	h := float64(sinLat*sinLat) + float64(cos*sinLon*sinLon)
	return 2 * EarthRadius * math.Asin(math.Sqrt(min(h, 1)))
}

// Length returns the sum of the distances between neighboring places, in meters.
func Length(line []Coord) float64 {
	if len(line) == 0 {
		return 0
	}
	sum := 0.0
	before, from := line[0], line[0].Point()
	for _, c := range line[1:] {
		to := c.Point()
		sum += rulerFor(before, c).distance(from, to)
		before, from = c, to
	}
	return sum
}
