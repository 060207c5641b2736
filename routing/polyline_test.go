package routing

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
)

// The example of the format's description.
var (
	exampleLine     = orb.LineString{{-120.2, 38.5}, {-120.95, 40.7}, {-126.453, 43.252}}
	examplePolyline = "_p~iF~ps|U_ulLnnqC_mqNvxq`@"
)

func TestPolylineExample(t *testing.T) {
	require.Equal(t, examplePolyline, string(AppendPolyline(nil, exampleLine, 5)))
	line, err := DecodePolyline(examplePolyline, 5)
	require.NoError(t, err)
	require.Equal(t, exampleLine, line)
}

func TestPolylineRoundsHalfAwayFromZero(t *testing.T) {
	for micro, want := range map[float64]float64{0.000005: 0.00001, -0.000005: -0.00001, 0.000004: 0, -0.000014: -0.00001, -0.000015: -0.00002} {
		line, err := DecodePolyline(string(AppendPolyline(nil, orb.LineString{{micro, -micro}}, 5)), 5)
		require.NoError(t, err)
		require.InDelta(t, want, line[0][0], 1e-9, micro)
		require.InDelta(t, -want, line[0][1], 1e-9, micro)
	}
}

func TestPolylineKeepsMicroDegrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	line := make(orb.LineString, 1000)
	for i := range line {
		line[i] = point(geo.Coord{Lon: rng.Int32N(360e6) - 180e6, Lat: rng.Int32N(180e6) - 90e6})
	}
	line[0], line[1] = orb.Point{-180, -90}, orb.Point{180, 90}
	got, err := DecodePolyline(string(AppendPolyline(nil, line, 6)), 6)
	require.NoError(t, err)
	require.Equal(t, line, got)
}

func TestPolylineMalformed(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		offset int
	}{
		"odd count":            {"_p~iF", 5},
		"ends inside a number": {"_p~iF~ps|", 9},
		"character":            {"_p~iF~p\x20|U", 7},
		"above the alphabet":   {"_p~iF~p\x7f|U", 7},
		"too long":             {"________?", 7},
		"out of range":         {"~~~~~~@~~~~~~@", 0},
	} {
		_, err := DecodePolyline(c.text, 5)
		var at *polylineError
		require.ErrorAs(t, err, &at, name)
		require.Equal(t, c.offset, at.Offset, name)
	}
}

func FuzzPolyline(f *testing.F) {
	f.Add(examplePolyline, true)
	f.Add("", false)
	f.Fuzz(func(t *testing.T, text string, six bool) {
		precision := 5
		if six {
			precision = 6
		}
		line, err := DecodePolyline(text, precision)
		if err != nil {
			return
		}
		again, err := DecodePolyline(string(AppendPolyline(nil, line, precision)), precision)
		require.NoError(t, err)
		require.Len(t, again, len(line))
		for i := range line {
			require.InDelta(t, line[i][0], again[i][0], 1e-9)
			require.InDelta(t, line[i][1], again[i][1], 1e-9)
		}
	})
}

func BenchmarkAppendPolyline(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	line := orb.LineString{{7, 43}}
	for range 999 {
		last := line[len(line)-1]
		line = append(line, orb.Point{last[0] + rng.Float64()*1e-3, last[1] + rng.Float64()*1e-3})
	}
	dst := make([]byte, 0, 1<<16)
	b.ReportAllocs()
	for b.Loop() {
		dst = AppendPolyline(dst[:0], line, 6)
	}
	b.ReportMetric(float64(len(line))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpoints/s")
}

func TestAppendDegrees(t *testing.T) {
	for micro, want := range map[int32]string{
		0: "0", -75527788: "-75.527788", 7410000: "7.41", 180e6: "180", -1: "-0.000001", 100000: "0.1", 10203: "0.010203",
		math.MaxInt32: "2147.483647", math.MinInt32: "-2147.483648",
	} {
		require.Equal(t, want, string(appendDegrees(nil, micro)))
	}
}
