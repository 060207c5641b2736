package graph

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tidwall/rtree"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/pool"
)

// mercatorLine is a segment in Web Mercator.
type mercatorLine struct{ x1, y1, x2, y2 float64 }

// squared returns the squared distance of a point.
func (l *mercatorLine) squared(x, y float64) float64 {
	dx, dy := l.x2-l.x1, l.y2-l.y1
	t := 0.0
	if d := dx*dx + dy*dy; d > 0 {
		t = max(0, min(1, ((x-l.x1)*dx+(y-l.y1)*dy)/d))
	}
	return square(x-l.x1-t*dx) + square(y-l.y1-t*dy)
}

func square(v float64) float64 { return v * v }

// mercatorLines puts the drivable segments of a network in an R-tree of another
// making.
func mercatorLines(n *Network) *rtree.RTreeG[mercatorLine] {
	var tree rtree.RTreeG[mercatorLine]
	for c := range n.NumChains() {
		if n.ArmNode[2*c] == InvalidNode && n.ArmNode[2*c+1] == InvalidNode || !n.ChainStart.Get(uint32(c)) {
			continue
		}
		for s := n.ChainFirst[c]; s+1 < n.ChainFirst[c+1]; s++ {
			a, b := n.Coords[n.ChainPlaces[s]].Point(), n.Coords[n.ChainPlaces[s+1]].Point()
			l := mercatorLine{a.X, geo.LatitudeToY(a.Y), b.X, geo.LatitudeToY(b.Y)}
			tree.Insert(
				[2]float64{min(l.x1, l.x2), min(l.y1, l.y2)},
				[2]float64{max(l.x1, l.x2), max(l.y1, l.y2)}, l)
		}
	}
	return &tree
}

// nearestLines returns the squared distances of the k nearest segments.
func nearestLines(tree *rtree.RTreeG[mercatorLine], x, y float64, k int) []float64 {
	var found []float64
	tree.Nearby(func(lo, hi [2]float64, l mercatorLine, item bool) float64 {
		if item {
			return l.squared(x, y)
		}
		return square(max(lo[0]-x, 0, x-hi[0])) + square(max(lo[1]-y, 0, y-hi[1]))
	}, func(_, _ [2]float64, _ mercatorLine, dist float64) bool {
		found = append(found, dist)
		return len(found) < k
	})
	return found
}

// TestSnapAgainstRTree compares distances with a library's R-tree.
func TestSnapAgainstRTree(t *testing.T) {
	o := delaware
	o.chains, o.oneWay, o.small = 5000, 0, 0
	n, m := randomMap(rand.New(rand.NewPCG(5, 5)), o)
	tree := mercatorLines(n)
	s := NewSnapper(n, m, pool.New())
	rng := rand.New(rand.NewPCG(6, 6))
	const k = 5
	for range 500 {
		c := geo.Coord{Lon: o.center.Lon + rng.Int32N(o.size) - o.size/2, Lat: o.center.Lat + rng.Int32N(o.size) - o.size/2}
		p := c.Point()
		y := geo.LatitudeToY(p.Y)
		want := nearestLines(tree, p.X, y, k)
		got := nearest(t, s, c, k, SnapOptions{})
		require.Len(t, got, len(want))
		for i := range got {
			q := got[i].Place.Point()
			have := math.Sqrt(square(q.X-p.X) + square(geo.LatitudeToY(q.Y)-y))
			require.InDelta(t, math.Sqrt(want[i]), have, 3e-6, "place %v, result %d", c, i)
		}
	}
}

// BenchmarkNearestRTree is BenchmarkNearest's counterpart: the library's tree
// answers with segments and distances alone.
func BenchmarkNearestRTree(b *testing.B) {
	n, _ := delawareSizedMap(b)
	tree := mercatorLines(n)
	rng := rand.New(rand.NewPCG(3, 3))
	points := make([][2]float64, 4096)
	for i := range points {
		p := geo.Coord{
			Lon: delaware.center.Lon + rng.Int32N(delaware.size) - delaware.size/2,
			Lat: delaware.center.Lat + rng.Int32N(delaware.size) - delaware.size/2,
		}.Point()
		points[i] = [2]float64{p.X, geo.LatitudeToY(p.Y)}
	}
	i := 0
	for b.Loop() {
		p := points[i%len(points)]
		nearestLines(tree, p[0], p[1], 1)
		i++
	}
}
