package routing

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
)

// markPlainly is mark without the shortcut: every place is projected.
func markPlainly(line []geo.Coord, threshold uint64) []bool {
	needed := make([]bool, len(line))
	needed[0], needed[len(line)-1] = true, true
	var divide func(first, last int)
	divide = func(first, last int) {
		at, most := last, uint64(0)
		a, b := geo.ToMercator(line[first]), geo.ToMercator(line[last])
		for i := first + 1; i < last; i++ {
			p := geo.ToMercator(line[i])
			_, nearest := geo.ProjectPoint(a, b, p)
			if d := geo.SquaredDistance(p.Coord(), nearest.Coord()); d > most && d > threshold {
				at, most = i, d
			}
		}
		if most > threshold {
			needed[at] = true
			divide(first, at)
			divide(at, last)
		}
	}
	divide(0, len(line)-1)
	return needed
}

// wander draws a line like a road's, with places that repeat.
func wander(rng *rand.Rand, n int) []geo.Coord {
	line := []geo.Coord{{Lon: rng.Int32N(300e6) - 150e6, Lat: rng.Int32N(140e6) - 70e6}}
	heading := rng.Float64() * 7
	for len(line) < n {
		last := line[len(line)-1]
		heading += rng.NormFloat64() / 3
		step := rng.ExpFloat64() * 300
		if rng.IntN(10) == 0 {
			step = 0
		}
		line = append(line, geo.Coord{
			Lon: last.Lon + int32(step*math.Cos(heading)), Lat: last.Lat + int32(step*math.Sin(heading)),
		})
	}
	return line
}

func TestSimplifyAsPlainly(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var s simplifier
	for range 300 {
		line := wander(rng, 2+rng.IntN(200))
		if rng.IntN(4) == 0 {
			line = append(line, line[0]) // a loop
		}
		for zoom, threshold := range simplifyThreshold {
			s.mark(line, threshold)
			require.Equal(t, markPlainly(line, threshold), s.needed, "zoom %d", zoom)
		}
	}
}

func TestSimplify(t *testing.T) {
	var s simplifier
	line := []geo.Coord{{Lon: 0, Lat: 0}, {Lon: 1000, Lat: 503}, {Lon: 2000, Lat: 1000}, {Lon: 3000, Lat: 0}}
	require.Len(t, s.appendLine(nil, line, 18, false), 3)
	require.Len(t, s.appendLine(nil, line, 18, true), 2, "the last place is the next line's first")
	require.Len(t, s.appendLine(nil, line, 8, false), 2)
	require.Len(t, s.appendLine(nil, line[:2], 0, false), 2)
}

func TestFittedZoom(t *testing.T) {
	at := func(lon, lat float64) geo.Coord { return geo.FromLonLat(lon, lat) }
	require.Equal(t, 1, fittedZoom(at(7, 43), at(7, 43)), "a single place")
	require.Equal(t, 18, fittedZoom(at(7, 43), at(7.00001, 43.00001)))
	require.Equal(t, 3, fittedZoom(at(-180, -1), at(180, 1)))
	// The viewport is 2048 pixels wide: 0.1 degrees are 1/3600 of the world,
	// which is 2048 pixels wide at zoom 3.
	require.Equal(t, 14, fittedZoom(at(7, 0), at(7.1, 0)))
	require.Less(t, fittedZoom(at(7, 43), at(7.001, 43.3)), fittedZoom(at(7, 43), at(7.1, 43.001)))
}

func BenchmarkSimplify(b *testing.B) {
	line := wander(rand.New(rand.NewPCG(3, 4)), 2000)
	var s simplifier
	b.ReportAllocs()
	for b.Loop() {
		s.mark(line, simplifyThreshold[10])
	}
}
