package graph

import (
	"cmp"
	"slices"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/polygon"
	"github.com/fourway-routing/fourway/pool"
)

// InArea returns the open area that a coordinate lies in, of several the first from
// which there is a way out, and a phantom for every way out: at each vertex of the
// area that the coordinate sees and that matters to ways through the area, and
// there on each admitted segment that ends at the vertex. One can start on it in
// the direction that leaves the vertex, and stop in the other; the straight line to
// the vertex is the phantom's Walk. Of the options only exclusion and AnySegment
// count: who stands in an area has no road beside them. ok is false if the
// coordinate lies in no area.
func (s *Snapper) InArea(c geo.Coord, o SnapOptions) (area AreaID, phantoms []Phantom, ok bool) {
	s.phantoms = s.phantoms[:0]
	a := &s.network.Areas
	s.around = a.AppendAround(s.around[:0], c)
	if len(s.around) == 0 || !s.begin(c, SnapOptions{AnySegment: o.AnySegment, Exclude: o.Exclude}, snapNearest) {
		return 0, nil, false
	}
	s.strict = true
	for _, area := range s.around {
		shape := a.Shape(area)
		for _, gate := range a.Gates(area) {
			if vertex := shape.Vertices[gate]; shape.Sees(c, vertex) {
				s.addAt(vertex, a.Walk(area, geo.Distance(c, vertex), s.network.Properties.WeightPrecision))
			}
		}
		if len(s.phantoms) > 0 {
			return area, s.phantoms, true
		}
	}
	return 0, nil, false
}

// addAt adds the phantoms at a place where segments end.
func (s *Snapper) addAt(at geo.Coord, walk Walk) {
	first := len(s.phantoms)
	s.visit(&snapBox{at.Lon, at.Lat, at.Lon, at.Lat}, func(item *snapItem) bool {
		if item.From != at && item.To != at {
			return true
		}
		own, reverse := s.admits(item)
		if !own && !reverse {
			return true
		}
		share := 0.0
		if item.To == at {
			share = 1
		}
		var p Phantom
		p.fill(s.network, s.metric, item, geo.Projection{Place: at, Share: share}, s.input, own, reverse)
		leaving := item.arm() & 1
		if item.To == at {
			leaving ^= 1
		}
		p.Target[leaving], p.Source[leaving^1] = false, false
		p.InArea, p.Walk = true, walk
		if p.Source[leaving] || p.Target[leaving^1] {
			s.phantoms = pool.Append(s.alloc, s.phantoms, p)
		}
		return true
	})
	slices.SortFunc(s.phantoms[first:], func(a, b Phantom) int {
		return cmp.Or(cmp.Compare(a.Chain, b.Chain), cmp.Compare(a.Segment, b.Segment))
	})
}

// WithinArea finds the shortest way between two coordinates within one open area,
// and returns its length in meters, and the vertices of the area that it bends at,
// which are valid until the finder's next use. ok is false if they do not lie in
// one, or there is no way.
func (a *Areas) WithinArea(f *polygon.Finder, area AreaID, from, to geo.Coord) (meters float64, bends []uint32, ok bool) {
	shape, g := a.Shape(area), a.Graph(area)
	return f.Shortest(&shape, &g, from, to)
}
