package graph

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/pool"
)

// Within returns the phantoms of all admitted segments within a distance in
// meters, nearest first, then by chain; of one chain in the order of OSRM's index.
// o.HasRadius is not looked at. A coordinate that is not on earth has none. It is meant for distances of
// some kilometers: near the poles, or beyond hundreds of kilometers, segments at
// the edge may be missed. With o.Most there are at most so many, the nearest. A done
// context ends it with the context's error.
func (s *Snapper) Within(ctx context.Context, c geo.Coord, meters float64, o SnapOptions) ([]Phantom, error) {
	s.phantoms = s.phantoms[:0]
	if !s.begin(c, o, snapNearest) {
		return nil, nil
	}
	s.strict = true
	// OSRM projects the rounded place here, and the exact one elsewhere.
	s.point = geo.Point{X: float64(s.x) / geo.Precision, Y: float64(s.y) / geo.Precision}
	area := around(c, meters)
	looked := 0
	s.visit(&area, func(item *snapItem) bool {
		if looked++; looked%pollPhantoms == 0 && ctx.Err() != nil {
			return false
		}
		_, nearest := geo.ProjectPoint(geo.ToMercator(item.From), geo.ToMercator(item.To), s.point)
		if s.distanceTo(nearest.Coord()) > meters {
			return true
		}
		if own, reverse := s.admits(item); own || reverse {
			s.phantoms = pool.Append(s.alloc, s.phantoms, Phantom{})
			s.phantoms[len(s.phantoms)-1].fill(s.network, s.metric, item, geo.Project(item.From, item.To, c), c, own, reverse)
		}
		if o.Most > 0 && len(s.phantoms) >= 2*o.Most {
			s.sortPhantoms()
			s.phantoms = s.phantoms[:o.Most]
			// A place is rounded before it is measured here.
			meters = min(meters, s.phantoms[o.Most-1].SnapDistance+1)
			area = around(c, meters)
		}
		return true
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.sortPhantoms()
	if o.Most > 0 {
		s.phantoms = s.phantoms[:min(o.Most, len(s.phantoms))]
	}
	return s.phantoms, nil
}

// sortPhantoms sorts by distance, then by chain, then as OSRM does.
func (s *Snapper) sortPhantoms() {
	n := s.network
	key := func(p *Phantom) uint64 {
		i := n.ChainFirst[p.Chain] + p.Segment
		return osrmKey(n.Coords[n.ChainPlaces[i]], n.Coords[n.ChainPlaces[i+1]])
	}
	slices.SortFunc(s.phantoms, func(a, b Phantom) int {
		if c := cmp.Or(cmp.Compare(a.SnapDistance, b.SnapDistance), cmp.Compare(a.Chain, b.Chain)); c != 0 || a.Segment == b.Segment {
			return c
		}
		return cmp.Or(cmp.Compare(key(&a), key(&b)), cmp.Compare(a.Segment, b.Segment))
	})
}

// Segment is a segment of a chain, by its position in the stored order.
type Segment struct {
	Chain   ChainID
	Segment uint32
}

// AppendSegments appends the drivable segments whose bounds meet the given ones,
// ends included, sorted by chain and position.
func (s *Snapper) AppendSegments(dst []Segment, least, most geo.Coord) []Segment {
	if len(s.network.Index.items) == 0 {
		return dst
	}
	start := len(dst)
	s.visit(&snapBox{least.Lon, least.Lat, most.Lon, most.Lat}, func(item *snapItem) bool {
		dst = append(dst, Segment{item.Chain, item.position()})
		return true
	})
	slices.SortFunc(dst[start:], func(a, b Segment) int {
		return cmp.Or(cmp.Compare(a.Chain, b.Chain), cmp.Compare(a.Segment, b.Segment))
	})
	return dst
}

// around returns the bounds, in longitude and latitude, of what lies within a
// distance in meters.
func around(c geo.Coord, meters float64) snapBox {
	const metersPerDegree = 110567 // of latitude
	lat := meters / metersPerDegree
	lon := meters / (math.Cos(float64(c.Lat)/geo.Precision*(math.Pi/180)) * metersPerDegree)
	grow := func(at int32, degrees float64, limit int64) (int32, int32) {
		// Beyond a full circle only the fact counts.
		d := int64(math.Round(min(max(degrees, 0), 360) * geo.Precision))
		return int32(max(int64(at)-d, -limit)), int32(min(int64(at)+d, limit))
	}
	var b snapBox
	b.MinX, b.MaxX = grow(c.Lon, lon, 180*geo.Precision)
	b.MinY, b.MaxY = grow(c.Lat, lat, 90*geo.Precision)
	return b
}

// onMap returns the bounds that the boxes of what meets an area in longitude and
// latitude meet.
func (b *snapBox) onMap() snapBox {
	y := func(lat int32) int32 {
		return int32(math.Round(geo.LatitudeToY(float64(lat)/geo.Precision) * geo.Precision))
	}
	// One unit for the approximation of y that the boxes are made with.
	return snapBox{b.MinX, y(b.MinY) - 1, b.MaxX, y(b.MaxY) + 1}
}

// visit calls f for every item whose bounds meet an area in longitude and
// latitude, until it returns false. It may make the area smaller.
func (s *Snapper) visit(area *snapBox, f func(*snapItem) bool) {
	whole, onMap := *area, area.onMap()
	items, boxes := s.network.Index.items, s.network.Index.boxes
	s.queue = pool.Append(s.alloc, s.queue[:0], snapNode{})
	for len(s.queue) > 0 {
		top := s.queue[len(s.queue)-1]
		s.queue = s.queue[:len(s.queue)-1]
		level := int(top.level)
		if *area != whole {
			whole, onMap = *area, area.onMap()
		}
		if level < s.levels.leaf {
			first, end := s.levels.children(level, top.box)
			for b := first; b < end; b++ {
				if boxes[b].intersects(&onMap) {
					s.queue = pool.Append(s.alloc, s.queue, snapNode{box: b, level: top.level + 1})
				}
			}
			continue
		}
		first, end := s.levels.leafItems(top.box, len(items))
		for i := first; i < end; i++ {
			u, v := items[i].From, items[i].To
			bounds := snapBox{min(u.Lon, v.Lon), min(u.Lat, v.Lat), max(u.Lon, v.Lon), max(u.Lat, v.Lat)}
			if bounds.intersects(area) && !f(&items[i]) {
				return
			}
		}
	}
}
