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
	best    []float64 // by corner, meters from the start
	last    []float64 // by corner, meters to the end, infinite if it is not seen
	parent  []int32
	settled []bool
	bends   []uint32
}

// Shortest finds the shortest way between two places of a polygon with the given
// graph, and returns its length in meters and the vertices that it bends at, which
// are valid until the next call. There is none where holes that touch part the
// polygon.
func (f *Finder) Shortest(p *Polygon, g *Graph, from, to geo.Coord) (meters float64, bends []uint32, ok bool) {
	if p.Sees(from, to) {
		return geo.Distance(from, to), nil, true
	}
	k := len(g.Corners)
	f.best = slices.Grow(f.best[:0], k)[:k]
	f.last = slices.Grow(f.last[:0], k)[:k]
	f.parent = slices.Grow(f.parent[:0], k)[:k]
	f.settled = slices.Grow(f.settled[:0], k)[:k]
	for i, c := range g.Corners {
		f.best[i] = p.reach(from, c)
		f.last[i] = p.reach(to, c)
		f.parent[i], f.settled[i] = -1, false
	}
	// Few corners: looking through all for the nearest beats a queue.
	whole, end := math.Inf(1), int32(-1)
	for {
		at, least := -1, whole
		for i := range k {
			if !f.settled[i] && f.best[i] < least {
				at, least = i, f.best[i]
			}
		}
		if at < 0 {
			break
		}
		f.settled[at] = true
		if sum := least + f.last[at]; sum < whole {
			whole, end = sum, int32(at)
		}
		a := p.Vertices[g.Corners[at]]
		for _, head := range g.Heads[g.First[at]:g.First[at+1]] {
			if sum := least + geo.Distance(a, p.Vertices[g.Corners[head]]); sum < f.best[head] {
				f.best[head], f.parent[head] = sum, int32(at)
			}
		}
	}
	if end < 0 {
		return 0, nil, false
	}
	f.bends = f.bends[:0]
	for at := end; at >= 0; at = f.parent[at] {
		f.bends = append(f.bends, g.Corners[at])
	}
	slices.Reverse(f.bends)
	return whole, f.bends, true
}

// reach returns the distance in meters from a place to a vertex that a way from
// there can be bent around, infinite if there is no such way.
func (p *Polygon) reach(from geo.Coord, vertex uint32) float64 {
	v := p.Vertices[vertex]
	if before, after := p.neighbors(vertex); !passes(before, after, v, from) || !p.Sees(from, v) {
		return math.Inf(1)
	}
	return geo.Distance(from, v)
}
