package polygon

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
)

// random draws a polygon of about n vertices: a star around the middle, and
// stars as holes, on a coarse grid so that much is in line. Holes that meet the
// outer ring or one another are left out.
func random(rng *rand.Rand, n int) Polygon {
	const size = 400
	grid := []int32{1, 20, 50}[rng.IntN(3)]
	var rings [][]geo.Coord
	add := func(ring []geo.Coord) bool {
		if len(ring) < 3 || !simple(append(slices.Clone(rings), ring)) {
			return false
		}
		rings = append(rings, ring)
		return true
	}
	for !add(star(rng, geo.Coord{}, size, 3+rng.IntN(n), grid, false)) {
	}
	for range rng.IntN(n) {
		at := geo.Coord{Lon: rng.Int32N(2*size) - size, Lat: rng.Int32N(2*size) - size}
		hole := star(rng, at, size/3, 3+rng.IntN(4), grid, true)
		inside := true
		for k, r := range rings {
			for _, c := range hole {
				if at := RingLocate(r, c); k == 0 && at != Inside || k > 0 && at != Outside {
					inside = false
				}
			}
			if k > 0 {
				for _, c := range r {
					inside = inside && len(hole) > 2 && RingLocate(hole, c) == Outside
				}
			}
		}
		if inside {
			add(hole)
		}
	}
	var p Polygon
	for _, r := range rings {
		for _, c := range r {
			p.Vertices = append(p.Vertices, geo.Coord{Lon: c.Lon + 1e6, Lat: c.Lat + 1e6})
		}
		p.Ends = append(p.Ends, uint32(len(p.Vertices)))
	}
	return p
}

// star draws a ring around a place.
func star(rng *rand.Rand, at geo.Coord, size float64, n int, grid int32, clockwise bool) []geo.Coord {
	var ring []geo.Coord
	for i := range n {
		angle := (float64(i) + 0.8*rng.Float64()) / float64(n) * 2 * math.Pi
		r := size * (0.15 + 0.85*rng.Float64())
		c := geo.Coord{Lon: at.Lon + int32(r*math.Cos(angle)), Lat: at.Lat + int32(r*math.Sin(angle))}
		c.Lon, c.Lat = c.Lon/grid*grid, c.Lat/grid*grid
		if len(ring) == 0 || c != ring[len(ring)-1] && c != ring[0] {
			ring = append(ring, c)
		}
	}
	if clockwise {
		slices.Reverse(ring)
	}
	return ring
}

// simple says whether no two edges of rings meet but neighbors in their vertex,
// and no two neighbors lie on one another.
func simple(rings [][]geo.Coord) bool {
	type edge struct{ a, b geo.Coord }
	var edges []edge
	for _, r := range rings {
		for i, a := range r {
			edges = append(edges, edge{a, r[(i+1)%len(r)]})
		}
	}
	for i, e := range edges {
		for _, f := range edges[:i] {
			s, t := Side(e.a, e.b, f.a), Side(e.a, e.b, f.b)
			u, v := Side(f.a, f.b, e.a), Side(f.a, f.b, e.b)
			shared := e.a == f.b || e.b == f.a
			if e.a == f.a || e.b == f.b { // a vertex twice
				return false
			}
			if shared {
				common, p, q := e.a, e.b, f.a
				if e.b == f.a {
					common, p, q = e.b, e.a, f.b
				}
				if Side(common, p, q) == 0 && ahead(common, p, q) > 0 {
					return false
				}
				continue
			}
			if (s < 0) != (t < 0) && (u < 0) != (v < 0) && s != 0 && t != 0 && u != 0 && v != 0 {
				return false
			}
			for _, x := range []struct {
				side    int64
				a, b, c geo.Coord
			}{{s, e.a, e.b, f.a}, {t, e.a, e.b, f.b}, {u, f.a, f.b, e.a}, {v, f.a, f.b, e.b}} {
				if x.side == 0 && within(x.a, x.b, x.c) {
					return false
				}
			}
		}
	}
	return true
}

// somewhere returns a place of the polygon, often on its boundary.
func somewhere(rng *rand.Rand, p *Polygon) geo.Coord {
	for {
		c := geo.Coord{Lon: 1e6 + rng.Int32N(1000) - 500, Lat: 1e6 + rng.Int32N(1000) - 500}
		switch rng.IntN(8) {
		case 0:
			c = p.Vertices[rng.IntN(len(p.Vertices))]
		case 1:
			i := rng.IntN(len(p.Vertices))
			_, after := p.neighbors(uint32(i))
			c = geo.Middle(p.Vertices[i], after)
		}
		if p.Locate(c) != Outside {
			return c
		}
	}
}

// stays tells by a method of its own whether a line stays in the polygon: between
// the places where it meets edges, the middle of each piece has to lie in it.
// Fractions are exact, on a scale common to all.
func stays(p *Polygon, from, to geo.Coord) bool {
	if from == to {
		return true
	}
	type cut struct{ num, den int64 } // share of the way from → to
	cuts := []cut{{0, 1}, {1, 1}}
	first := uint32(0)
	for _, end := range p.Ends {
		for i := first; i < end; i++ {
			_, b := p.around(i, first, end)
			a := p.Vertices[i]
			if Side(from, to, a) == 0 {
				cuts = append(cuts, cut{ahead(from, to, a), ahead(from, to, to)})
			}
			s, t := Side(from, to, a), Side(from, to, b)
			if s < 0 && t > 0 || s > 0 && t < 0 {
				u, v := Side(a, b, from), Side(a, b, to)
				if u != v {
					cuts = append(cuts, cut{u, u - v})
				}
			}
		}
		first = end
	}
	at := func(c cut) float64 { return float64(c.num) / float64(c.den) }
	slices.SortFunc(cuts, func(a, b cut) int {
		switch d := at(a) - at(b); {
		case d < 0:
			return -1
		case d > 0:
			return 1
		}
		return 0
	})
	for i := 1; i < len(cuts); i++ {
		s, t := at(cuts[i-1]), at(cuts[i])
		if s < 0 || t > 1 || t-s < 1e-12 {
			continue
		}
		m := (s + t) / 2
		x := float64(from.Lon) + m*float64(to.Lon-from.Lon)
		y := float64(from.Lat) + m*float64(to.Lat-from.Lat)
		if !p.nearly(x, y) {
			return false
		}
	}
	return true
}

// nearly says whether a place lies in the polygon or as good as on its boundary.
func (p *Polygon) nearly(x, y float64) bool {
	inside := false
	first := uint32(0)
	for _, end := range p.Ends {
		for i := first; i < end; i++ {
			_, b := p.around(i, first, end)
			ax, ay := float64(p.Vertices[i].Lon), float64(p.Vertices[i].Lat)
			bx, by := float64(b.Lon), float64(b.Lat)
			share := ((x-ax)*(bx-ax) + (y-ay)*(by-ay)) / ((bx-ax)*(bx-ax) + (by-ay)*(by-ay))
			share = max(0, min(1, share))
			if math.Hypot(ax+share*(bx-ax)-x, ay+share*(by-ay)-y) < 1e-7 {
				return true
			}
			if (ay > y) != (by > y) && x < ax+(bx-ax)*(y-ay)/(by-ay) {
				inside = !inside
			}
		}
		first = end
	}
	return inside
}

func TestSeesWhatStaysInside(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		p := random(rng, 12)
		for range 60 {
			a, b := somewhere(rng, &p), somewhere(rng, &p)
			require.Equal(t, stays(&p, a, b), p.Sees(a, b), "%v: %v to %v", p, a, b)
			require.Equal(t, p.Sees(a, b), p.Sees(b, a), "%v: %v to %v", p, a, b)
		}
	}
}

// shortest is the length of the shortest way by all vertices that see one another.
func shortest(p *Polygon, from, to geo.Coord) float64 {
	nodes := append(slices.Clone(p.Vertices), from, to)
	n := len(nodes)
	d := make([][]float64, n)
	for i := range d {
		d[i] = make([]float64, n)
		for j := range d[i] {
			d[i][j] = math.Inf(1)
			if p.Sees(nodes[i], nodes[j]) {
				d[i][j] = geo.Distance(nodes[i], nodes[j])
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				d[i][j] = min(d[i][j], d[i][k]+d[k][j])
			}
		}
	}
	return d[n-2][n-1]
}

func TestShortestIsShortest(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var f Finder
	bent := 0
	for range 100 {
		p := random(rng, 14)
		g := p.NewGraph()
		for range 4 {
			a, b := somewhere(rng, &p), somewhere(rng, &p)
			meters, bends, ok := f.Shortest(&p, &g, a, b)
			require.True(t, ok)
			require.InDelta(t, shortest(&p, a, b), meters, 1e-6, "%v: %v to %v", p, a, b)
			at, sum := a, 0.0
			for _, i := range bends {
				require.True(t, p.Sees(at, p.Vertices[i]))
				sum += geo.Distance(at, p.Vertices[i])
				at = p.Vertices[i]
			}
			require.True(t, p.Sees(at, b))
			require.InDelta(t, meters, sum+geo.Distance(at, b), 1e-9)
			bent += len(bends)
		}
	}
	require.Greater(t, bent, 100)
}

func TestLocate(t *testing.T) {
	p := Polygon{
		Vertices: []geo.Coord{
			{Lon: 0, Lat: 0},
			{Lon: 10, Lat: 0},
			{Lon: 10, Lat: 10},
			{Lon: 0, Lat: 10},
			{Lon: 4, Lat: 4},
			{Lon: 4, Lat: 6},
			{Lon: 6, Lat: 6},
			{Lon: 6, Lat: 4},
		},
		Ends: []uint32{4, 8},
	}
	for _, c := range []struct {
		at   geo.Coord
		want Place
	}{
		{geo.Coord{Lon: 1, Lat: 1}, Inside},
		{geo.Coord{Lon: 1, Lat: 4}, Inside},
		{geo.Coord{Lon: 5, Lat: 5}, Outside},
		{geo.Coord{Lon: 11, Lat: 5}, Outside},
		{geo.Coord{Lon: 5, Lat: -1}, Outside},
		{geo.Coord{Lon: -1, Lat: 10}, Outside},
		{geo.Coord{Lon: 0, Lat: 5}, OnEdge},
		{geo.Coord{Lon: 5, Lat: 10}, OnEdge},
		{geo.Coord{Lon: 4, Lat: 5}, OnEdge},
		{geo.Coord{Lon: 5, Lat: 6}, OnEdge},
		{geo.Coord{Lon: 0, Lat: 0}, OnVertex},
		{geo.Coord{Lon: 10, Lat: 10}, OnVertex},
		{geo.Coord{Lon: 6, Lat: 4}, OnVertex},
	} {
		require.Equal(t, c.want, p.Locate(c.at), "%v", c.at)
	}
}

// Holes that touch part what lies on either side, but for the way through the
// place where they touch.
func TestTouchingHoles(t *testing.T) {
	p := Polygon{
		Vertices: []geo.Coord{
			{Lon: 0, Lat: 0},
			{Lon: 100, Lat: 0},
			{Lon: 100, Lat: 100},
			{Lon: 0, Lat: 100},
			{Lon: 50, Lat: 50},
			{Lon: 40, Lat: 90},
			{Lon: 60, Lat: 90},
			{Lon: 50, Lat: 50},
			{Lon: 60, Lat: 10},
			{Lon: 40, Lat: 10},
		},
		Ends: []uint32{4, 7, 10},
	}
	require.True(t, p.Sees(geo.Coord{Lon: 10, Lat: 50}, geo.Coord{Lon: 90, Lat: 50}))
	require.False(t, p.Sees(geo.Coord{Lon: 10, Lat: 51}, geo.Coord{Lon: 90, Lat: 50}))
	require.False(t, p.Sees(geo.Coord{Lon: 50, Lat: 95}, geo.Coord{Lon: 50, Lat: 5}))
}

func TestSightsSkipNothing(t *testing.T) {
	// b lies between a and c, so that the two need not be joined.
	p := Polygon{
		Vertices: []geo.Coord{{Lon: 0, Lat: 0}, {Lon: 50, Lat: 0}, {Lon: 100, Lat: 0}, {Lon: 100, Lat: 100}, {Lon: 0, Lat: 100}},
		Ends:     []uint32{5},
	}
	require.Equal(t, [][2]uint32{{0, 1}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}, p.Sights([]uint32{0, 1, 2, 3}))
	require.Empty(t, p.AppendCorners(nil))
}

func TestShortestDoesNotAllocate(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	p := random(rng, 40)
	g := p.NewGraph()
	var f Finder
	places := make([]geo.Coord, 20)
	for i := range places {
		places[i] = somewhere(rng, &p)
	}
	all := func() {
		for _, a := range places {
			for _, b := range places {
				f.Shortest(&p, &g, a, b)
			}
		}
	}
	all()
	require.Zero(t, testing.AllocsPerRun(3, all))
}

func BenchmarkPolygon(b *testing.B) {
	for _, n := range []int{20, 100} {
		rng := rand.New(rand.NewPCG(7, 8))
		p := random(rng, n)
		for len(p.Vertices) < n {
			p = random(rng, n)
		}
		g := p.NewGraph()
		name := fmt.Sprintf("vertices=%d/corners=%d", len(p.Vertices), len(g.Corners))
		from, to := somewhere(rng, &p), somewhere(rng, &p)
		var f Finder
		b.Run("shortest/"+name, func(b *testing.B) {
			for b.Loop() {
				f.Shortest(&p, &g, from, to)
			}
		})
		b.Run("graph/"+name, func(b *testing.B) {
			for b.Loop() {
				p.NewGraph()
			}
		})
	}
}
