package region

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"github.com/stretchr/testify/require"
)

// starRing is a ring with many corners around a place.
func starRing(rng *rand.Rand, corners int, at orb.Point, size float64) orb.Ring {
	var ring orb.Ring
	for i := range corners {
		angle := float64(i) / float64(corners) * 2 * math.Pi
		r := size * (0.1 + 0.9*rng.Float64())
		ring = append(ring, orb.Point{at[0] + r*math.Cos(angle), at[1] + r*math.Sin(angle)})
	}
	return append(ring, ring[0])
}

// A line touches where one of its ends is inside or an edge is crossed.
func TestTouchesAgainstAllEdges(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	touching := 0
	for range 60 {
		p := orb.Polygon{starRing(rng, 3+rng.IntN(300), orb.Point{5, 50}, 2)}
		if rng.IntN(2) == 0 {
			p = append(p, starRing(rng, 3+rng.IntN(20), orb.Point{5, 50}, 0.2))
		}
		s := NewShape(p)
		require.Equal(t, p.Bound(), s.Bound())
		for range 500 {
			from := orb.Point{2 + 6*rng.Float64(), 47 + 6*rng.Float64()}
			to := orb.Point{from[0] + rng.NormFloat64()*0.3, from[1] + rng.NormFloat64()*0.3}
			want := planar.PolygonContains(p, from) || planar.PolygonContains(p, to)
			for _, ring := range p {
				for i := range ring[1:] {
					want = want || crosses(vertex(ring[i]), vertex(ring[i+1]), from, to)
				}
			}
			require.Equal(t, want, s.Touches(from, to))
			if want {
				touching++
			}
		}
	}
	require.Greater(t, touching, 1000)
}

func TestTouchesAtTheRim(t *testing.T) {
	square := func(lo, hi float64) orb.Ring { return orb.Ring{{lo, lo}, {hi, lo}, {hi, hi}, {lo, hi}, {lo, lo}} }
	s := NewShape(orb.Polygon{square(0, 9), square(3, 6)})
	for _, tc := range []struct {
		from, to orb.Point
		want     bool
	}{
		{orb.Point{-1, 5}, orb.Point{10, 5}, true},    // right through
		{orb.Point{-1, 0}, orb.Point{0, 0}, true},     // at a corner
		{orb.Point{-1, -1}, orb.Point{10, -1}, false}, // beside
		{orb.Point{4, 4}, orb.Point{5, 5}, false},     // in the hole
		{orb.Point{4, 4}, orb.Point{6, 5}, true},      // to the hole's rim
		{orb.Point{4, 4}, orb.Point{7, 5}, true},      // out of the hole
		{orb.Point{-2, 9}, orb.Point{-1, 9}, false},   // in line with an edge
		{orb.Point{-2, 9}, orb.Point{11, 9}, true},    // along an edge
		{orb.Point{1, 1}, orb.Point{1, 1}, true},      // no line at all
		{orb.Point{4.5, 4.5}, orb.Point{4.5, 4.5}, false},
	} {
		require.Equal(t, tc.want, s.Touches(tc.from, tc.to), "%v", tc)
		require.Equal(t, tc.want, s.Touches(tc.to, tc.from), "%v", tc)
	}
	require.False(t, NewShape(nil).Touches(orb.Point{}, orb.Point{}))
	require.False(t, new(Shape).Touches(orb.Point{}, orb.Point{}))
}

// Memory is linear in the corners also where every edge goes from south to north.
func TestShapeOfLongEdges(t *testing.T) {
	const teeth = 20_000
	var comb orb.Ring
	for i := range teeth {
		lon := float64(i) / teeth
		comb = append(comb, orb.Point{lon, 0}, orb.Point{lon + 0.5/teeth, 1})
	}
	comb = append(comb, orb.Point{1, -1}, orb.Point{0, -1}, comb[0])
	s := NewShape(orb.Polygon{comb})
	require.LessOrEqual(t, len(s.edges), (bandsOfEdge+2)*len(comb))
	for i := range 100 {
		lon := float64(i*teeth/100) / teeth
		gap := orb.Point{lon, 0.9}
		require.False(t, s.Touches(gap, gap), "between teeth %v", gap)
		tooth := orb.Point{lon + 0.5/teeth, 0.9}
		require.True(t, s.Touches(tooth, tooth), "in a tooth %v", tooth)
		require.True(t, s.Touches(gap, tooth))
	}
}

func BenchmarkTouches(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := NewShape(orb.Polygon{starRing(rng, 1000, orb.Point{0, 0}, 1)})
	from, to := orb.Point{-1, -0.9}, orb.Point{-0.999, -0.9}
	for b.Loop() {
		s.Touches(from, to)
	}
}
