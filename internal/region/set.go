package region

import (
	"cmp"
	"slices"

	"github.com/tidwall/rtree"
)

// Set is a set of features with the area that each covers. Read adds to it;
// after that it is safe for concurrent use.
type Set struct {
	index    rtree.RTreeG[uint32] // of polygons
	polygons []polygon
	features []map[string]any
}

// NumFeatures returns the number of features.
func (s *Set) NumFeatures() int { return len(s.features) }

// NumPolygons returns the number of polygons of the features.
func (s *Set) NumPolygons() int { return len(s.polygons) }

// Value returns a property of a feature: a string, float64 or bool, and nil if
// there is none or it is something else.
func (s *Set) Value(feature int, key string) any {
	switch v := s.features[feature][key].(type) {
	case string, float64, bool:
		return v
	}
	return nil
}

// AppendAt appends the features at a place, in the order in which they were read.
func (s *Set) AppendAt(dst []int, lon, lat float64) []int {
	start := len(dst)
	at := [2]float64{lon, lat}
	s.index.Search(at, at, func(_, _ [2]float64, i uint32) bool {
		if p := &s.polygons[i]; p.contains(lon, lat) {
			dst = append(dst, p.feature)
		}
		return true
	})
	found := dst[start:]
	slices.Sort(found)
	return dst[:start+len(slices.Compact(found))]
}

// Find returns a property at a place, that of the first feature there which has
// it, and nil if none has.
func (s *Set) Find(lon, lat float64, key string) any {
	var buf [8]int
	for _, feature := range s.AppendAt(buf[:0], lon, lat) {
		if v := s.Value(feature, key); v != nil {
			return v
		}
	}
	return nil
}

// vertex is a corner of a ring: longitude and latitude.
type vertex [2]float64

// edge is a side of a ring.
type edge [2]vertex

// polygon is an area. Its edges are listed by the bands of latitude that they
// touch.
type polygon struct {
	feature  int
	min, max vertex
	bands    [][]edge
}

const (
	edgesOfBand = 10
	maxBands    = 1 << 16
)

// newPolygon makes a polygon of rings, of which at least one has a corner.
func newPolygon(feature int, rings [][]vertex) polygon {
	var edges []edge
	p := polygon{feature: feature, min: vertex{360, 360}, max: vertex{-360, -360}}
	for _, ring := range rings {
		for i, v := range ring {
			edges = append(edges, edge{v, ring[(i+1)%len(ring)]})
			for k := range v {
				p.min[k], p.max[k] = min(p.min[k], v[k]), max(p.max[k], v[k])
			}
		}
	}
	p.bands = make([][]edge, max(1, min(len(edges)/edgesOfBand, maxBands)))
	for _, e := range edges {
		for b := p.band(min(e[0][1], e[1][1])); b <= p.band(max(e[0][1], e[1][1])); b++ {
			p.bands[b] = append(p.bands[b], e)
		}
	}
	return p
}

// band returns the band of a latitude within the polygon's.
func (p *polygon) band(lat float64) int {
	height := p.max[1] - p.min[1]
	if height <= 0 {
		return 0
	}
	return max(0, min(int((lat-p.min[1])/height*float64(len(p.bands))), len(p.bands)-1))
}

// contains tells whether a place within the polygon's bounds is inside.
func (p *polygon) contains(lon, lat float64) bool {
	inside := false
	for _, e := range p.bands[p.band(lat)] {
		a, b := e[0], e[1]
		if a[1] > b[1] {
			a, b = b, a
		}
		if lat < a[1] || lat > b[1] {
			continue
		}
		// Where is the place, seen from the lower end of the edge to the upper?
		side := cmp.Compare((lon-a[0])*(b[1]-a[1]), (b[0]-a[0])*(lat-a[1]))
		switch {
		case side == 0 && min(a[0], b[0]) <= lon && lon <= max(a[0], b[0]):
			return true
		case side < 0 && lat < b[1]:
			inside = !inside
		}
	}
	return inside
}
