package geo

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// alike says whether two numbers differ in nothing but their last bits.
func alike(a, b float64) bool { return math.Abs(a-b) <= 1e-14*math.Abs(a) }

// TestGolden compares with the numbers that OSRM 26.8 computes. The C library's
// transcendental functions differ from Go's in the last bit now and then.
func TestGolden(t *testing.T) {
	f, err := os.Open("testdata/golden.txt")
	require.NoError(t, err)
	defer f.Close()
	lines := 0
	for s := bufio.NewScanner(f); s.Scan(); lines++ {
		var a, b, c, near, merc, mid Coord
		var dist, bearing, perp, share, angle, closest float64
		var ccw int
		_, err := fmt.Sscan(s.Text(), &a.Lon, &a.Lat, &b.Lon, &b.Lat, &c.Lon, &c.Lat,
			&dist, &bearing, &perp, &share, &near.Lon, &near.Lat, &merc.Lon, &merc.Lat,
			&angle, &closest, &ccw, &mid.Lon, &mid.Lat)
		require.NoError(t, err)
		require.True(t, alike(dist, Distance(a, b)), s.Text())
		require.True(t, alike(bearing, Bearing(a, b)), s.Text())
		require.Equal(t, merc, ToMercator(a).Coord(), s.Text())
		p := Project(a, b, c)
		require.Equal(t, near, p.Place, s.Text())
		require.True(t, alike(perp, p.Distance), s.Text())
		require.InDelta(t, share, p.Share, 1e-12, s.Text())
		require.InDelta(t, angle, Angle(a, b, c), 0.02, s.Text())
		require.True(t, alike(closest, DistanceToSegment(c, a, b)), s.Text())
		require.Equal(t, ccw == 1, CounterClockwise(a, b, c), s.Text())
		require.Equal(t, mid, Interpolate(share, a, b), s.Text())
	}
	require.NotZero(t, lines)
}

func TestDistanceAcrossTheDateLine(t *testing.T) {
	a, b := FromLonLat(179.999, 10), FromLonLat(-179.999, 10)
	c, d := FromLonLat(0, 10), FromLonLat(0.002, 10)
	require.InDelta(t, Distance(c, d), Distance(a, b), 1e-6)
	require.InDelta(t, 90, Bearing(a, b), 1e-9)
	require.InDelta(t, 270, Bearing(b, a), 1e-9)
}

func TestDistanceSymmetricAndNearHaversine(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 10000 {
		a := Coord{rng.Int32N(360e6+1) - 180e6, rng.Int32N(160e6) - 80e6}
		b := Coord{min(max(a.Lon+rng.Int32N(2e5)-1e5, -180e6), 180e6), a.Lat + rng.Int32N(2e5) - 1e5}
		require.Equal(t, Distance(a, b), Distance(b, a))
		h := Haversine(a, b)
		require.InDelta(t, h, Distance(a, b), 0.01*h+1e-9)
	}
}

func TestDistanceOfAnyInput(t *testing.T) {
	extremes := []int32{math.MinInt32, math.MinInt32 + 1, -180e6, -90e6, -1, 0, 1, 90e6, 180e6, math.MaxInt32}
	for _, lon := range extremes {
		for _, lat := range extremes {
			for _, lat2 := range extremes {
				a, b := Coord{lon, lat}, Coord{-lon, lat2}
				require.False(t, math.IsNaN(Distance(a, b)))
				require.False(t, math.IsNaN(Haversine(a, b)))
				bearing := Bearing(a, b)
				require.True(t, bearing >= 0 && bearing <= 360)
				Project(a, b, Coord{lat, lat2})
			}
		}
	}
}

func TestFromLonLat(t *testing.T) {
	for _, c := range []struct {
		lon, lat float64
		want     Coord
		valid    bool
	}{
		{0, 0, Coord{}, true},
		{13.4, 52.5, Coord{13400000, 52500000}, true},
		{0.0000005, -0.0000005, Coord{1, -1}, true},
		{0.0000004, -0.0000004, Coord{0, 0}, true},
		{180, 90, Coord{180e6, 90e6}, true},
		{-180, -90, Coord{-180e6, -90e6}, true},
		{180.000001, 0, Coord{180000001, 0}, false},
		{0, 90.000001, Coord{0, 90000001}, false},
		{0, -1000, Coord{0, -1000e6}, false},
		{1e300, 0, Coord{math.MinInt32, 0}, false},
		{0, math.NaN(), Coord{0, math.MinInt32}, false},
		{math.Inf(-1), 0, Coord{math.MinInt32, 0}, false},
	} {
		got := FromLonLat(c.lon, c.lat)
		require.Equal(t, c.want, got)
		require.Equal(t, c.valid, got.Valid(), got)
	}
}

// Rounding goes by a shortcut, which has to agree with math.Round.
func TestFixedRounds(t *testing.T) {
	check := func(degrees float64) {
		require.Equal(t, int32(math.Round(degrees*Precision)), fixed(degrees), degrees)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 100000 {
		check((rng.Float64() - 0.5) * 4000)
		half := (float64(rng.Int32N(360e6)-180e6) + 0.5) / Precision
		check(math.Nextafter(half, 0))
		check(half)
		check(math.Nextafter(half, 1000))
	}
	for _, micro := range []float64{0, 0.5, 1, 1.5, 2, 2.5, 1 << 20, 1<<31 - 2.5} {
		for _, near := range []float64{math.Nextafter(micro, -1), micro, math.Nextafter(micro, math.MaxInt32)} {
			check(near / Precision)
			check(-near / Precision)
		}
	}
}

func TestFixedPointRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100000 {
		c := Coord{rng.Int32N(360e6+1) - 180e6, rng.Int32N(180e6+1) - 90e6}
		require.Equal(t, c, FromLonLat(c.LonLat()))
	}
}

func TestMercatorRoundTrip(t *testing.T) {
	for lat := int32(-85e6); lat <= 85e6; lat += 12345 {
		c := Coord{1, lat}
		require.Equal(t, c, FromMercator(ToMercator(c)).Coord())
		require.InDelta(t, LatitudeToY(float64(lat)/Precision), ToMercator(c).Y, 1e-10)
	}
	require.InDelta(t, 180, LatitudeToY(90), 1e-9)
	require.Equal(t, LatitudeToY(MaxMercatorLatitude), LatitudeToY(89))
}

func TestCentimeters(t *testing.T) {
	for _, c := range []struct {
		meters float64
		want   uint32
	}{
		{0, 0},
		{0.004, 0},
		{0.005, 1},
		{0.125, 13},
		{1, 100},
		{-3, 0},
		{42949672.95, math.MaxUint32},
		{1e20, math.MaxUint32},
		{math.NaN(), 0},
	} {
		require.Equal(t, c.want, Centimeters(c.meters), c.meters)
	}
}

func TestProjectDegenerate(t *testing.T) {
	a := FromLonLat(7.4, 43.7)
	p := Project(a, a, FromLonLat(7.5, 43.7))
	require.Equal(t, a, p.Place)
	require.Zero(t, p.Share)
	require.Equal(t, math.MaxFloat64, DistanceToLine(a, []Coord{a}))
	require.Zero(t, Length([]Coord{a}))
}

func TestBearingWithin(t *testing.T) {
	for _, c := range []struct {
		bearing, center, tolerance int
		want                       bool
	}{
		{45, 45, 10, true},
		{35, 45, 10, true},
		{34, 45, 10, false},
		{55, 45, 10, true},
		{56, 45, 10, false},
		{5, 5, 10, true},
		{-6, 5, 10, false},
		{354, 5, 10, false},
		{355, 5, 10, true},
		{-2, 355, 10, true},
		{6, 355, 10, false},
		{5, 355, 10, true},
		{355, -2, 10, true},
		{0, 0, 0, true},
		{359, 0, 0, false},
		{0, 360, 0, true},
		{180, 0, 179, false},
		{180, 0, 180, true},
		{1, 1, -1, false},
		{360, 0, 0, true},
		{360, 350, 10, false},
		{359, 350, 10, true},
	} {
		require.Equal(t, c.want, BearingWithin(c.bearing, c.center, c.tolerance), c)
	}
}

func TestAngles(t *testing.T) {
	require.Equal(t, 180.0, ReverseBearing(0))
	require.Equal(t, 0.0, ReverseBearing(180))
	require.Equal(t, 90.0, ReverseBearing(270))
	require.Equal(t, 180.0, AngleBetween(0, 0))
	require.Equal(t, 135.0, AngleBetween(0, 45))
	require.Equal(t, 270.0, AngleBetween(90, 0))
	require.Equal(t, 0.0, AngleBetween(90, 270))
	require.Equal(t, 20.0, AngularDeviation(350, 10))
	require.Equal(t, 180.0, AngularDeviation(0, 180))
	require.Equal(t, 350.0, NormalizeAngle(-370))
	require.Equal(t, 360.0, NormalizeAngle(720))

	o := Coord{}
	south, north, east := Coord{0, -1000}, Coord{0, 1000}, Coord{1000, 0}
	require.InDelta(t, 180, Angle(south, o, north), 0.03)
	require.InDelta(t, 90, Angle(south, o, east), 0.03)
	require.Equal(t, 180.0, Angle(o, o, east))
}

func TestAtanTable(t *testing.T) {
	require.Equal(t, uint16(0x14), atanTable[1])
	require.Equal(t, uint16(0x3d), atanTable[3])
	require.Equal(t, uint16(0xfff4), atanTable[atanSteps-1])
	for i := 1; i <= atanSteps; i++ {
		require.Less(t, atanTable[i-1], atanTable[i])
	}
}

func TestMiddle(t *testing.T) {
	require.Equal(t, Coord{1, -1}, Middle(Coord{0, 0}, Coord{3, -3}))
	require.Equal(t, Coord{math.MaxInt32, 0}, Middle(Coord{math.MaxInt32, 0}, Coord{math.MaxInt32, 0}))
}

func BenchmarkDistance(b *testing.B) {
	p, q := FromLonLat(7.41, 43.73), FromLonLat(7.42, 43.74)
	sum := 0.0
	for b.Loop() {
		sum += Distance(p, q)
	}
	require.NotZero(b, sum)
}

func BenchmarkToMercator(b *testing.B) {
	p := FromLonLat(7.41, 43.73)
	sum := 0.0
	for b.Loop() {
		sum += ToMercator(p).Y
	}
	require.NotZero(b, sum)
}

func BenchmarkProject(b *testing.B) {
	u, v, p := FromLonLat(7.41, 43.73), FromLonLat(7.42, 43.74), FromLonLat(7.415, 43.739)
	sum := 0.0
	for b.Loop() {
		sum += Project(u, v, p).Distance
	}
	require.NotZero(b, sum)
}
