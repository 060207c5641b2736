package region

import (
	"cmp"
	"math"
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

// polygon is an area. Its rings stand one behind the other, each with its first
// corner at the end again: edge i leads from corner i to corner i+1, but for the last
// corners of rings.
type polygon struct {
	feature  int
	min, max vertex
	corners  []vertex
	// The edges that touch a band of latitude: edges[bands[b]:bands[b+1]].
	bands []uint32
	edges []uint32
}

const (
	edgesOfBand = 10
	bandsOfEdge = 8 // on average, at most about that
	maxBands    = 1 << 16
)

// newPolygon makes a polygon of the corners of rings, of which each ends as it
// begins; ends are where the rings end.
func newPolygon(feature int, corners []vertex, ends []int) polygon {
	p := polygon{feature: feature, min: vertex{360, 360}, max: vertex{-360, -360}, corners: corners}
	for _, v := range corners {
		for k := range v {
			p.min[k], p.max[k] = min(p.min[k], v[k]), max(p.max[k], v[k])
		}
	}
	p.bands = make([]uint32, p.bandsFor(ends)+1)
	each := func(f func(band int, edge uint32)) {
		first := 0
		for _, end := range ends {
			for i := first; i < end-1; i++ {
				a, b := corners[i][1], corners[i+1][1]
				for band := p.band(min(a, b)); band <= p.band(max(a, b)); band++ {
					f(band, uint32(i))
				}
			}
			first = end
		}
	}
	each(func(band int, _ uint32) { p.bands[band+1]++ })
	for b := 1; b < len(p.bands); b++ {
		p.bands[b] += p.bands[b-1]
	}
	p.edges = make([]uint32, p.bands[len(p.bands)-1])
	next := slices.Clone(p.bands)
	each(func(band int, edge uint32) {
		p.edges[next[band]] = edge
		next[band]++
	})
	return p
}

// bandsFor returns the number of bands for the edges of rings. It is small where many
// edges are long from south to north and thus in many bands.
func (p *polygon) bandsFor(ends []int) int {
	count := min(len(p.corners)/edgesOfBand, maxBands)
	climb, first := 0.0, 0
	for _, end := range ends {
		for i := first; i < end-1; i++ {
			climb += math.Abs(p.corners[i+1][1] - p.corners[i][1])
		}
		first = end
	}
	if most := bandsOfEdge * float64(len(p.corners)) * (p.max[1] - p.min[1]); float64(count)*climb > most {
		count = int(most / climb)
	}
	return max(1, count)
}

// band returns the band of a latitude within the polygon's.
func (p *polygon) band(lat float64) int {
	height := p.max[1] - p.min[1]
	if height <= 0 {
		return 0
	}
	count := len(p.bands) - 1
	return max(0, min(int((lat-p.min[1])/height*float64(count)), count-1))
}

// contains tells whether a place within the polygon's bounds is inside.
func (p *polygon) contains(lon, lat float64) bool {
	inside := false
	band := p.band(lat)
	for _, e := range p.edges[p.bands[band]:p.bands[band+1]] {
		a, b := p.corners[e], p.corners[e+1]
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
