package geo

import "math"

// MaxMercatorLatitude is the latitude in degrees where the square Web Mercator
// map ends.
const MaxMercatorLatitude = 85.051128779806592378

const (
	degreeToRadian = 0.017453292519943295769236907684886
	// approximateBelow is the latitude up to which the rational approximation
	// of LatitudeToY holds.
	approximateBelow = 70.0
)

var radianToDegree = 1 / float64Of(degreeToRadian)

// float64Of keeps an expression from being a constant, which Go would compute
// beyond float64's precision and round once: the yardstick is C++.
func float64Of(v float64) float64 { return v }

// ToMercator projects c to Web Mercator, in degrees of the equator: X is the
// longitude. Up to 70 degrees of latitude y is off by up to 4e-12.
func ToMercator(c Coord) Point {
	p := c.Point()
	return Point{p.X, approximateY(p.Y)}
}

// FromMercator returns the point of longitude and latitude in degrees that
// projects to p.
func FromMercator(p Point) Point { return Point{p.X, YToLatitude(p.Y)} }

// LatitudeToY projects a latitude to Web Mercator, both in degrees. Latitudes
// beyond [MaxMercatorLatitude] are taken as that.
func LatitudeToY(latitude float64) float64 {
	latitude = max(min(latitude, MaxMercatorLatitude), -MaxMercatorLatitude)
	f := math.Sin(degreeToRadian * latitude)
	return radianToDegree * 0.5 * math.Log((1+f)/(1-f))
}

// YToLatitude is the inverse of [LatitudeToY]; y is limited to ±180.
func YToLatitude(y float64) float64 {
	y = max(-180, min(180, y))
	return float64(radianToDegree*2*math.Atan(math.Exp(y*degreeToRadian))) - 90
}

// approximateY is LatitudeToY by a Padé approximant of order [11/11] of the
// inverse Gudermannian function; OSRM's coefficients, so that ties fall alike.
func approximateY(x float64) float64 {
	if !(x >= -approximateBelow && x <= approximateBelow) {
		return LatitudeToY(x)
	}
	p := -9.82938075991732185095509716e-23
	p = float64(p*x) + 2.09014225025314211415458228e-23
	p = float64(p*x) + 3.13524754818073129982475171e-17
	p = float64(p*x) - 2.24563810831776747318521450e-18
	p = float64(p*x) - 1.77274453235716299127325443e-12
	p = float64(p*x) + 6.31192702320492485752941578e-14
	p = float64(p*x) + 3.68188055470304769936079078e-08
	p = float64(p*x) - 6.62778508496089940141103135e-10
	p = float64(p*x) - 3.21291701673364717170998957e-04
	p = float64(p*x) + 2.34439410386997223035693483e-06
	p = float64(p*x) + 1.00000000000089108431373566e+00
	p = float64(p * x)
	q := -3.23083224835967391884404730e-28
	q = float64(q*x) - 8.72130728982012387640166055e-22
	q = float64(q*x) + 9.17695141954265959600965170e-23
	q = float64(q*x) + 9.32999229169156878168234191e-17
	q = float64(q*x) - 4.78446279888774903983338274e-18
	q = float64(q*x) - 3.30833288607921773936702558e-12
	q = float64(q*x) + 9.37468561198098681003717477e-14
	q = float64(q*x) + 5.18418724186576447072888605e-08
	q = float64(q*x) - 7.81802389685429267252612620e-10
	q = float64(q*x) - 3.72061271627251952928813333e-04
	q = float64(q*x) + 2.34439410398970701719081061e-06
	q = float64(q*x) + 1.00000000000000000000000000e+00
	return p / q
}
