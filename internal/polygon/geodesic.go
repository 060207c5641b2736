package polygon

import (
	"math"
	"slices"

	"github.com/fourway-routing/fourway/internal/geo"
)

// Graph tells which corners of a polygon see one another such that a shortest
// way can lead from the one to the other and on.
type Graph struct {
	Corners []uint32 // indices of vertices, ascending
	First   []uint32 // by corner and one more: Heads[First[i]:First[i+1]] are seen by i
	Heads   []uint32 // positions in Corners
}

// NewGraph finds the graph of the corners of a polygon.
func (p *Polygon) NewGraph() Graph {
	g := Graph{Corners: p.AppendCorners(nil)}
	k := len(g.Corners)
	before, after := make([]geo.Coord, k), make([]geo.Coord, k)
	for i, c := range g.Corners {
		before[i], after[i] = p.neighbors(c)
	}
	heads := make([][]uint32, k)
	for i := range k {
		a := p.Vertices[g.Corners[i]]
		for j := i + 1; j < k; j++ {
			b := p.Vertices[g.Corners[j]]
			if passes(before[i], after[i], a, b) && passes(before[j], after[j], b, a) && p.Sees(a, b) {
				heads[i] = append(heads[i], uint32(j))
				heads[j] = append(heads[j], uint32(i))
			}
		}
	}
	g.First = make([]uint32, 1, k+1)
	for i := range heads {
		slices.Sort(heads[i])
		g.Heads = append(g.Heads, heads[i]...)
		g.First = append(g.First, uint32(len(g.Heads)))
	}
	return g
}

// passes says whether a way between a corner, given with the vertices beside it,
// and another place can be bent around the corner: what bends has the polygon's
// outside on one side only.
func passes(before, after, corner, place geo.Coord) bool {
	b, a := Side(corner, place, before), Side(corner, place, after)
	return b >= 0 && a >= 0 || b <= 0 && a <= 0
}

// Finder finds shortest ways. Its memory is kept for the next one; it belongs to
// one goroutine.
type Finder struct {
	best      []float64 // by corner, meters from the start
	parent    []int32
	settled   []bool
	from, end []float64
	bends     []uint32
}

// Shortest finds the shortest way between two places of a polygon with the given
// graph, and returns its length in meters and the vertices that it bends at, which
// are valid until the next call. There is none where holes that touch part the
// polygon.
func (f *Finder) Shortest(p *Polygon, g *Graph, from, to geo.Coord) (meters float64, bends []uint32, ok bool) {
	if p.Sees(from, to) {
		return geo.Distance(from, to), nil, true
	}
	f.from = p.AppendReach(f.from[:0], g, from)
	f.end = p.AppendReach(f.end[:0], g, to)
	f.Spread(p, g, f.from)
	meters, last := f.join(f.end)
	if last < 0 {
		return 0, nil, false
	}
	f.bends = f.bends[:0]
	for at := last; at >= 0; at = f.parent[at] {
		f.bends = append(f.bends, g.Corners[at])
	}
	slices.Reverse(f.bends)
	return meters, f.bends, true
}

// AppendReach appends the distances in meters from a place of the polygon to each
// corner of the graph that a way from there can be bent around, infinite if there
// is no straight way.
func (p *Polygon) AppendReach(dst []float64, g *Graph, from geo.Coord) []float64 {
	for _, c := range g.Corners {
		v := p.Vertices[c]
		distance := math.Inf(1)
		if before, after := p.neighbors(c); passes(before, after, v, from) && p.Sees(from, v) {
			distance = geo.Distance(from, v)
		}
		dst = append(dst, distance)
	}
	return dst
}

// Spread finds the shortest ways to all corners of a graph, from a place with the
// given reach, for Join.
func (f *Finder) Spread(p *Polygon, g *Graph, reach []float64) {
	k := len(g.Corners)
	f.best = append(f.best[:0], reach...)
	f.parent = slices.Grow(f.parent[:0], k)[:k]
	f.settled = slices.Grow(f.settled[:0], k)[:k]
	for i := range k {
		f.parent[i], f.settled[i] = -1, false
	}
	// Few corners: looking through all for the nearest beats a queue.
	for {
		at, least := -1, math.Inf(1)
		for i := range k {
			if !f.settled[i] && f.best[i] < least {
				at, least = i, f.best[i]
			}
		}
		if at < 0 {
			return
		}
		f.settled[at] = true
		a := p.Vertices[g.Corners[at]]
		for _, head := range g.Heads[g.First[at]:g.First[at+1]] {
			if sum := least + geo.Distance(a, p.Vertices[g.Corners[head]]); sum < f.best[head] {
				f.best[head], f.parent[head] = sum, int32(at)
			}
		}
	}
}

// Join returns the length in meters of the shortest way with a bend from the place
// that was last spread from to one with the given reach in the same graph, infinite
// if there is none.
func (f *Finder) Join(reach []float64) float64 {
	meters, _ := f.join(reach)
	return meters
}

// join returns the last corner of the way too, -1 if there is none.
func (f *Finder) join(reach []float64) (meters float64, last int32) {
	meters, last = math.Inf(1), -1
	for i, r := range reach {
		if sum := f.best[i] + r; sum < meters {
			meters, last = sum, int32(i)
		}
	}
	return meters, last
}
