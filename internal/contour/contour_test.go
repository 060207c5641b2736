package contour

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/pool"
)

// TestOneMark: around one place there is one ring, of about the margin.
func TestOneMark(t *testing.T) {
	c := NewCanvas(pool.New())
	at := geo.FromLonLat(7.4, 43.7)
	c.Begin(0, at)
	c.Mark(10, 3)
	require.NoError(t, c.Draw(t.Context(), 0, 3))
	all := c.Polygons(3, 0)
	require.Len(t, all, 1)
	require.Len(t, all[0], 1)
	ring := all[0][0]
	require.Equal(t, ring[0], ring[len(ring)-1])
	for _, p := range ring {
		require.InDelta(t, 30, geo.Distance(at, geo.FromLonLat(p[0], p[1])), 5)
	}
}

// TestEdgeOfMap: outlines end at the poles and at the antimeridian.
func TestEdgeOfMap(t *testing.T) {
	for _, at := range []orb.Point{{179.99, 10}, {-179.99, -10}, {20, 89.99}, {20, -89.99}, {180, 90}} {
		c := NewCanvas(pool.New())
		c.Begin(0, geo.FromLonLat(at[0], at[1]))
		c.Mark(100_000, MaxMargin)
		require.NoError(t, c.Draw(t.Context(), 0, MaxMargin))
		all := c.Polygons(MaxMargin, 0)
		require.Len(t, all, 1)
		world := orb.Bound{Min: orb.Point{-180, -90}, Max: orb.Point{180, 90}}
		for _, p := range all[0][0] {
			require.True(t, world.Contains(p), p)
		}
		require.True(t, all.Bound().Contains(at), at)
	}
}

// square adds the outline of a square with sides of so many micro-degrees.
func square(c *Canvas, step int, low geo.Coord, side int32) {
	c.Begin(step, low)
	c.Line(step, geo.Coord{Lon: low.Lon + side, Lat: low.Lat})
	c.Line(step, geo.Coord{Lon: low.Lon + side, Lat: low.Lat + side})
	c.Line(step, geo.Coord{Lon: low.Lon, Lat: low.Lat + side})
	c.Line(step, low)
}

// TestHoles: a ring road has a hole, in which there may be another place with a hole.
func TestHoles(t *testing.T) {
	c := NewCanvas(pool.New())
	square(c, 0, geo.Coord{}, 10_000)
	square(c, 0, geo.Coord{Lon: 3000, Lat: 3000}, 4000)
	c.Mark(50, 2)
	require.NoError(t, c.Draw(t.Context(), 0, 2))
	all := c.Polygons(2, 0)
	require.Len(t, all, 2)
	for _, p := range all {
		require.Len(t, p, 2)
		require.Equal(t, orb.CCW, p[0].Orientation())
		require.Equal(t, orb.CW, p[1].Orientation())
	}
	check(t, all)
	inner := 4000*metersPerLat/50 - 4 // in cells
	require.Len(t, c.Polygons(2, inner*inner*1.1)[1], 1, "the inner hole is filled")
	require.Len(t, c.Polygons(2, inner*inner*1.1)[0], 2, "the outer one is larger")
}

// TestNothing: without marks there are no rings.
func TestNothing(t *testing.T) {
	c := NewCanvas(pool.New())
	c.Mark(50, 2)
	require.NoError(t, c.Draw(t.Context(), 0, 2))
	require.Empty(t, c.Polygons(2, 0))
	c.Begin(1, geo.Coord{})
	c.Mark(50, 2)
	require.NoError(t, c.Draw(t.Context(), 0, 2))
	require.Empty(t, c.Polygons(2, 0), "the only mark is of a later step")
	require.NoError(t, c.Draw(t.Context(), 1, 2))
	require.Len(t, c.Polygons(2, 0), 1)
}

func TestCanceled(t *testing.T) {
	c := NewCanvas(pool.New())
	square(c, 0, geo.Coord{}, 100_000)
	c.Mark(20, 2)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, c.Draw(ctx, 0, 2), context.Canceled)
}

// check holds polygons to what the package says of rings.
func check(t *testing.T, all orb.MultiPolygon) {
	t.Helper()
	type side struct {
		a, b orb.Point
		ring int
	}
	var sides []side
	ring := 0
	for _, p := range all {
		for k, r := range p {
			require.GreaterOrEqual(t, len(r), 4)
			require.Equal(t, r[0], r[len(r)-1])
			want := orb.CCW
			if k > 0 {
				want = orb.CW
				require.True(t, planar.RingContains(p[0], r[0]), "a hole lies outside")
			}
			require.Equal(t, want, r.Orientation())
			for i := range r[1:] {
				require.NotEqual(t, r[i], r[i+1])
				sides = append(sides, side{r[i], r[i+1], ring})
			}
			ring++
		}
	}
	seen := map[orb.Point]bool{}
	for _, s := range sides {
		require.False(t, seen[s.a], "rings meet in %v", s.a)
		seen[s.a] = true
	}
	for i := range sides {
		for k := range i {
			a, b := &sides[i], &sides[k]
			if a.a != b.b && a.b != b.a && cross(a.a, a.b, b.a, b.b) {
				require.Fail(t, "rings cross", "%v %v", a, b)
			}
		}
	}
}

func cross(a, b, c, d orb.Point) bool {
	area := func(a, b, c orb.Point) float64 { return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0]) }
	if max(a[0], b[0]) < min(c[0], d[0]) || max(c[0], d[0]) < min(a[0], b[0]) ||
		max(a[1], b[1]) < min(c[1], d[1]) || max(c[1], d[1]) < min(a[1], b[1]) {
		return false
	}
	return area(a, b, c)*area(a, b, d) <= 0 && area(c, d, a)*area(c, d, b) <= 0
}

// line is what a drawing is made of.
type line struct {
	step   int
	places []geo.Coord
}

// hold draws lines in some steps, and holds the outlines to what must be true of them.
func hold(t *testing.T, lines []line, steps int, cell, margin float64) {
	t.Helper()
	c := NewCanvas(pool.New())
	for _, l := range lines {
		c.Begin(l.step, l.places[0])
		for _, p := range l.places[1:] {
			c.Line(l.step, p)
		}
	}
	if c.Corners(cell, margin) > 1<<16 {
		return
	}
	c.Mark(cell, margin)
	var before orb.MultiPolygon
	for step := range steps {
		require.NoError(t, c.Draw(t.Context(), step, margin))
		all := c.Polygons(margin, 0)
		check(t, all)
		meters := func(a geo.Coord, p orb.Point) float64 {
			b := geo.FromLonLat(p[0], p[1])
			return math.Hypot(float64(a.Lon-b.Lon)*c.metersPerLon(), float64(a.Lat-b.Lat)*metersPerLat)
		}
		for _, l := range lines {
			if l.step > step {
				continue
			}
			for i, p := range l.places {
				for share := range 8 {
					at := p
					if i > 0 {
						at = geo.Interpolate(float64(share)/8, l.places[i-1], p)
					}
					require.True(t, planar.MultiPolygonContains(all, orb.Point{float64(at.Lon) / 1e6, float64(at.Lat) / 1e6}), "%v is not inside", at)
				}
			}
		}
		for _, p := range all {
			for _, r := range p {
				for _, corner := range r {
					near := math.Inf(1)
					for _, l := range lines {
						if l.step > step {
							continue
						}
						for i, at := range l.places {
							near = min(near, meters(at, corner))
							if i > 0 {
								for share := range 256 {
									near = min(near, meters(geo.Interpolate(float64(share)/256, l.places[i-1], at), corner))
								}
							}
						}
					}
					require.LessOrEqual(t, near, cell*(margin+1.5), "%v is far from all lines", corner)
				}
			}
		}
		for _, p := range before {
			for _, r := range p {
				for _, corner := range r {
					// A corner may lie on a side of the larger outline, rounded to either side.
					ok := planar.MultiPolygonContains(all, corner) || onRim(all, corner)
					require.True(t, ok, "%v of step %d is not in step %d", corner, step-1, step)
				}
			}
		}
		before = all
	}
}

func onRim(all orb.MultiPolygon, at orb.Point) bool {
	for _, p := range all {
		for _, r := range p {
			for i := range r[1:] {
				if planar.DistanceFromSegment(r[i], r[i+1], at) < 2e-6 {
					return true
				}
			}
		}
	}
	return false
}

func TestRandomLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	rounds := 25
	if testing.Short() {
		rounds = 6
	}
	for range rounds {
		const steps = 3
		var lines []line
		extent := int32(500 + rng.IntN(8000))
		base := geo.FromLonLat(rng.Float64()*300-150, rng.Float64()*160-80)
		for range 1 + rng.IntN(12) {
			l := line{step: rng.IntN(steps)}
			for range 1 + rng.IntN(5) {
				l.places = append(l.places, geo.Coord{Lon: base.Lon + rng.Int32N(extent), Lat: base.Lat + rng.Int32N(extent)})
			}
			lines = append(lines, l)
		}
		hold(t, lines, steps, 10+rng.Float64()*30, 2+rng.Float64()*3)
	}
}

func FuzzOutline(f *testing.F) {
	f.Add([]byte("abcdefghijklmnopqrstuvwxyzabcdefghijkl"), uint8(10), uint8(2))
	f.Add([]byte{0, 0, 0, 0, 0, 1, 255, 255, 0, 0, 0, 2, 0, 0, 255, 255}, uint8(30), uint8(5))
	f.Fuzz(func(t *testing.T, data []byte, cell, margin uint8) {
		const steps = 2
		var lines []line
		for len(data) >= 5 && len(lines) < 8 {
			x, y := int32(binary.LittleEndian.Uint16(data))>>3, int32(binary.LittleEndian.Uint16(data[2:]))>>3
			at := geo.Coord{Lon: 6_000_000 + x, Lat: 45_000_000 + y}
			if len(lines) == 0 || data[4]&2 != 0 {
				lines = append(lines, line{step: int(data[4] & 1)})
			}
			l := &lines[len(lines)-1]
			l.places = append(l.places, at)
			data = data[5:]
		}
		if len(lines) == 0 {
			return
		}
		hold(t, lines, steps, 20+float64(cell), 2+float64(margin%64)/16)
	})
}

// BenchmarkOutline draws streets of a town.
func BenchmarkOutline(b *testing.B) {
	c := NewCanvas(pool.New())
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		at := geo.FromLonLat(6+rng.NormFloat64()*0.1, 45+rng.NormFloat64()*0.1)
		c.Begin(0, at)
		c.Line(0, geo.Coord{Lon: at.Lon + rng.Int32N(2000), Lat: at.Lat + rng.Int32N(2000)})
	}
	width, height := c.Size()
	cell := max(width, height) / 400
	b.ReportAllocs()
	for b.Loop() {
		c.Mark(cell, 2)
		_ = c.Draw(context.Background(), 0, 2)
		_ = c.Polygons(2, 12)
	}
}
