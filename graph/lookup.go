package graph

import (
	"context"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/internal/geo"
)

// Box is a rectangle of longitude and latitude, its edges included. One whose
// west is east of its east crosses the date line.
type Box struct {
	Min, Max geo.Coord // southwest and northeast
}

// parts returns the rectangles that do not cross the date line, and how many.
func (b Box) parts() (p [2]snapBox, n int) {
	if b.Min.Lat > b.Max.Lat {
		return p, 0
	}
	if b.Min.Lon <= b.Max.Lon {
		p[0] = snapBox{b.Min.Lon, b.Min.Lat, b.Max.Lon, b.Max.Lat}
		return p, 1
	}
	const half = 180 * geo.Precision
	p[0] = snapBox{-half, b.Min.Lat, b.Max.Lon, b.Max.Lat}
	p[1] = snapBox{b.Min.Lon, b.Min.Lat, half, b.Max.Lat}
	return p, 2
}

// VisitNodesIn calls visit with the nodes in a rectangle, in no particular order,
// until it fails. It returns that error, or the context's.
func (e *Elements) VisitNodesIn(ctx context.Context, box Box, visit func(PlaceID) error) error {
	return eachPart(box, func(part snapBox) error {
		return visitWithin(ctx, &e.placeIndex, part, func(p PlaceID) error {
			if !part.holds(e.net.Coords[p]) {
				return nil
			}
			return visit(p)
		})
	})
}

// VisitWaysIn is VisitNodesIn for the ways that have a node in a rectangle or cross
// it. A rectangle over the date line may have a way twice.
func (e *Elements) VisitWaysIn(ctx context.Context, box Box, visit func(WayIndex) error) error {
	return eachPart(box, func(part snapBox) error {
		return visitWithin(ctx, &e.wayIndex, part, func(w WayIndex) error {
			if !e.crosses(w, &part) {
				return nil
			}
			return visit(w)
		})
	})
}

// VisitNodesAround is VisitNodesIn for the nodes within a distance in meters of a
// place, along the great circle of geo.Haversine.
func (e *Elements) VisitNodesAround(ctx context.Context, center geo.Coord, radius float64, visit func(PlaceID) error) error {
	return e.VisitNodesIn(ctx, boxAround(center, radius), func(p PlaceID) error {
		if geo.Haversine(center, e.net.Coords[p]) > radius {
			return nil
		}
		return visit(p)
	})
}

// VisitWaysAround is VisitWaysIn for the ways that come within a distance in meters
// of a place: the distance to the nearest point of their segments, these taken as
// straight in longitude and latitude.
func (e *Elements) VisitWaysAround(ctx context.Context, center geo.Coord, radius float64, visit func(WayIndex) error) error {
	return eachPart(boxAround(center, radius), func(part snapBox) error {
		return visitWithin(ctx, &e.wayIndex, part, func(w WayIndex) error {
			if !e.wayBoxes[w].intersects(&part) || !e.comesNear(w, center, radius) {
				return nil
			}
			return visit(w)
		})
	})
}

func eachPart(box Box, visit func(snapBox) error) error {
	parts, n := box.parts()
	for i := range n {
		if err := visit(parts[i]); err != nil {
			return err
		}
	}
	return nil
}

// AppendNodesIn appends the nodes in a rectangle, in ascending order. It fails with
// the context's error alone, and then appends nothing.
func (e *Elements) AppendNodesIn(ctx context.Context, dst []PlaceID, box Box) ([]PlaceID, error) {
	start := len(dst)
	err := e.VisitNodesIn(ctx, box, func(v PlaceID) error {
		dst = append(dst, v)
		return nil
	})
	return gathered(dst, start, err)
}

// AppendWaysIn appends the ways of VisitWaysIn, each once, in ascending order. Errors
// are those of AppendNodesIn.
func (e *Elements) AppendWaysIn(ctx context.Context, dst []WayIndex, box Box) ([]WayIndex, error) {
	start := len(dst)
	err := e.VisitWaysIn(ctx, box, func(v WayIndex) error {
		dst = append(dst, v)
		return nil
	})
	return gathered(dst, start, err)
}

// AppendNodesAround appends the nodes of VisitNodesAround in ascending order. Errors
// are those of AppendNodesIn.
func (e *Elements) AppendNodesAround(ctx context.Context, dst []PlaceID, center geo.Coord, radius float64) ([]PlaceID, error) {
	start := len(dst)
	err := e.VisitNodesAround(ctx, center, radius, func(v PlaceID) error {
		dst = append(dst, v)
		return nil
	})
	return gathered(dst, start, err)
}

// AppendWaysAround appends the ways of VisitWaysAround, each once, in ascending order.
// Errors are those of AppendNodesIn.
func (e *Elements) AppendWaysAround(ctx context.Context, dst []WayIndex, center geo.Coord, radius float64) ([]WayIndex, error) {
	start := len(dst)
	err := e.VisitWaysAround(ctx, center, radius, func(v WayIndex) error {
		dst = append(dst, v)
		return nil
	})
	return gathered(dst, start, err)
}

// gathered puts what was appended from start on in ascending order, each once, or drops
// it after an error.
func gathered[T ~uint32](dst []T, start int, err error) ([]T, error) {
	if err != nil {
		return dst[:start], err
	}
	slices.Sort(dst[start:])
	return dst[:start+len(slices.Compact(dst[start:]))], nil
}

// boxAround returns the rectangle around a circle.
func boxAround(center geo.Coord, radius float64) Box {
	if !(radius >= 0) {
		return Box{geo.Coord{Lat: 1}, geo.Coord{}} // holds nothing
	}
	const degree = math.Pi / 180
	lon, lat := center.LonLat()
	angle := radius / geo.EarthRadius
	// A little more, for rounding.
	half := angle/degree + 2/geo.Precision
	south, north := max(lat-half, -90), min(lat+half, 90)
	// Where the circle is widest, by the sine rule of the right triangle with the
	// pole; a circle around a pole has all longitudes.
	west, east := -180.0, 180.0
	if ratio := math.Sin(min(angle, math.Pi/2)) / math.Cos(lat*degree); lat+half < 90 && lat-half > -90 && ratio < 1 {
		width := math.Asin(ratio)/degree + 2/geo.Precision
		if width < 180 {
			west, east = lon-width, lon+width
			if west < -180 {
				west += 360
			}
			if east > 180 {
				east -= 360
			}
		}
	}
	return Box{geo.FromLonLat(west, south), geo.FromLonLat(east, north)}
}

func (b *snapBox) holds(c geo.Coord) bool {
	return c.Lon >= b.MinX && c.Lon <= b.MaxX && c.Lat >= b.MinY && c.Lat <= b.MaxY
}

// crosses says whether a way has a point in a box.
func (e *Elements) crosses(w WayIndex, box *snapBox) bool {
	own := &e.wayBoxes[w]
	if !own.intersects(box) {
		return false
	}
	if own.MinX >= box.MinX && own.MaxX <= box.MaxX && own.MinY >= box.MinY && own.MaxY <= box.MaxY {
		return true
	}
	before := InvalidPlace
	for _, r := range e.Refs(w) {
		p, ok := e.Place(r)
		if !ok {
			before = InvalidPlace
			continue
		}
		c := e.net.Coords[p]
		if box.holds(c) || before != InvalidPlace && segmentMeets(e.net.Coords[before], c, box) {
			return true
		}
		before = p
	}
	return false
}

// segmentMeets says whether a straight segment has a point in a box, exactly: their
// bounds meet, and the corners of the box are not all on one side of the line.
func segmentMeets(a, b geo.Coord, box *snapBox) bool {
	bounds := snapBox{min(a.Lon, b.Lon), min(a.Lat, b.Lat), max(a.Lon, b.Lon), max(a.Lat, b.Lat)}
	if !bounds.intersects(box) {
		return false
	}
	dx, dy := int64(b.Lon)-int64(a.Lon), int64(b.Lat)-int64(a.Lat)
	side := func(x, y int32) int64 {
		return dx*(int64(y)-int64(a.Lat)) - dy*(int64(x)-int64(a.Lon))
	}
	left, right := false, false
	for _, s := range [...]int64{side(box.MinX, box.MinY), side(box.MaxX, box.MinY), side(box.MaxX, box.MaxY), side(box.MinX, box.MaxY)} {
		left, right = left || s >= 0, right || s <= 0
	}
	return left && right
}

// comesNear says whether a way comes within a distance of a place.
func (e *Elements) comesNear(w WayIndex, center geo.Coord, radius float64) bool {
	before := InvalidPlace
	for _, r := range e.Refs(w) {
		p, ok := e.Place(r)
		if !ok {
			before = InvalidPlace
			continue
		}
		c := e.net.Coords[p]
		if geo.Haversine(center, c) <= radius {
			return true
		}
		if before != InvalidPlace && geo.Haversine(center, nearestOn(e.net.Coords[before], c, center)) <= radius {
			return true
		}
		before = p
	}
	return false
}

// nearestOn returns the place of the segment from a to b that is nearest to p, on the
// plane that touches the earth at p.
func nearestOn(a, b, p geo.Coord) geo.Coord {
	scale := math.Cos(float64(p.Lat) / geo.Precision * (math.Pi / 180))
	flat := func(c geo.Coord) geo.Point {
		lon := float64(c.Lon - p.Lon)
		if math.Abs(lon) > 180*geo.Precision {
			lon = math.Remainder(lon, 360*geo.Precision)
		}
		return geo.Point{X: lon * scale, Y: float64(c.Lat - p.Lat)}
	}
	share, _ := geo.ProjectPoint(flat(a), flat(b), geo.Point{})
	return geo.Interpolate(share, a, b)
}

// NodeIn says whether a node is in a rectangle.
func (e *Elements) NodeIn(p PlaceID, box Box) bool {
	parts, n := box.parts()
	for i := range n {
		if parts[i].holds(e.net.Coords[p]) {
			return true
		}
	}
	return false
}

// WayIn says whether a way has a node in a rectangle or crosses it.
func (e *Elements) WayIn(w WayIndex, box Box) bool {
	parts, n := box.parts()
	for i := range n {
		if e.crosses(w, &parts[i]) {
			return true
		}
	}
	return false
}

// NodeNear says whether a node is within a distance in meters of a place.
func (e *Elements) NodeNear(p PlaceID, center geo.Coord, radius float64) bool {
	return geo.Haversine(center, e.net.Coords[p]) <= radius
}

// WayNear says whether a way comes within a distance in meters of a place.
func (e *Elements) WayNear(w WayIndex, center geo.Coord, radius float64) bool {
	return e.comesNear(w, center, radius)
}
