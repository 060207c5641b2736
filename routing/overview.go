package routing

import (
	"math"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/internal/geo"
)

// A simplified overview shows as much of a route as a screen of 2048 by 1280
// pixels can when the whole route fits on it.
const (
	maxZoom        = 18
	minZoom        = 1
	tileSize       = 256.0
	viewportWidth  = 8 * tileSize
	viewportHeight = 5 * tileSize
)

// simplifyThreshold is, by zoom level, the square of the distance in
// micro-degrees from which a point is worth showing, a few pixels. The figures
// are OSRM's, so that lines are equal point for point.
var simplifyThreshold = [maxZoom + 1]uint64{
	49438476562500, 12359619140625, 3089903027344, 772475756836, 193118939209,
	48279515076, 12069878769, 3017414761, 754326225, 188567824,
	47141956, 11785489, 2944656, 736164, 184041,
	45796, 11449, 2809, 676,
}

// fittedZoom returns the largest zoom level, up to maxZoom, at which the
// rectangle between two places fits the viewport.
func fittedZoom(southWest, northEast geo.Coord) int {
	const world = tileSize * (1 << maxZoom) // pixels around the equator
	west, south := southWest.LonLat()
	east, north := northEast.LonLat()
	x := func(lon float64) float64 { return world / 2 * (1 + lon/180) }
	y := func(lat float64) float64 { return world / 2 * (1 - geo.LatitudeToY(lat)/180) }
	width := (x(east) - x(west)) / viewportWidth
	height := (y(south) - y(north)) / viewportHeight
	zoom := maxZoom - float64(max(math.Log(width), math.Log(height))*(1/math.Ln2))
	if math.IsInf(zoom, 0) || math.IsNaN(zoom) { // a single place
		return minZoom
	}
	return min(maxZoom, max(minZoom, int(zoom)))
}

// simplifier reduces lines by the algorithm of Douglas and Peucker (1973). Its
// memory is kept for the next line; it belongs to one goroutine.
type simplifier struct {
	projected []geo.Point
	rounded   []geo.Coord // projected
	needed    []bool
	ranges    [][2]int32
}

// appendLine appends the places of line that matter at a zoom level to dst;
// without the last one if open is set, since the next line begins with it.
func (s *simplifier) appendLine(dst orb.LineString, line []geo.Coord, zoom int, open bool) orb.LineString {
	s.mark(line, simplifyThreshold[zoom])
	if open {
		line = line[:len(line)-1]
	}
	for i, c := range line {
		if s.needed[i] {
			dst = append(dst, point(c))
		}
	}
	return dst
}

// mark sets needed by place of line.
func (s *simplifier) mark(line []geo.Coord, threshold uint64) {
	n := len(line)
	s.projected, s.rounded, s.needed = s.projected[:0], s.rounded[:0], s.needed[:0]
	for _, c := range line {
		p := geo.ToMercator(c)
		s.projected = append(s.projected, p)
		s.rounded = append(s.rounded, p.Coord())
		s.needed = append(s.needed, false)
	}
	s.needed[0], s.needed[n-1] = true, true
	s.ranges = append(s.ranges[:0], [2]int32{0, int32(n - 1)})
	for len(s.ranges) > 0 {
		r := s.ranges[len(s.ranges)-1]
		s.ranges = s.ranges[:len(s.ranges)-1]
		first, last := int(r[0]), int(r[1])
		farthest, most := s.farthest(first, last, threshold)
		if most > threshold {
			s.needed[farthest] = true
			s.ranges = append(s.ranges, [2]int32{r[0], int32(farthest)}, [2]int32{int32(farthest), r[1]})
		}
	}
}

// farthest returns the place between two others that is farthest from the
// straight line between them, and its squared distance; last and threshold if
// none is farther than that.
func (s *simplifier) farthest(first, last int, threshold uint64) (at int, most uint64) {
	at, most = last, threshold
	a, b := s.projected[first], s.projected[last]
	dx, dy := b.X-a.X, b.Y-a.Y
	length2 := dx*dx + dy*dy
	near2 := surelyNear(most)
	for i := first + 1; i < last; i++ {
		// Distances count between rounded places, as in OSRM. Most places
		// are so near that rounding cannot matter.
		px, py := s.projected[i].X-a.X, s.projected[i].Y-a.Y
		if dot := dx*px + dy*py; dot <= 0 {
			if px*px+py*py < near2 {
				continue
			}
		} else if dot >= length2 {
			if qx, qy := px-dx, py-dy; qx*qx+qy*qy < near2 {
				continue
			}
		} else if cross := dx*py - dy*px; cross*cross < near2*length2 {
			continue
		}
		_, nearest := geo.ProjectPoint(a, b, s.projected[i])
		if d := geo.SquaredDistance(s.rounded[i], nearest.Coord()); d > most {
			at, most = i, d
			near2 = surelyNear(most)
		}
	}
	return at, most
}

// surelyNear returns the squared distance in degrees up to which the squared
// distance between two places rounded to micro-degrees is not above most: the
// rounding moves each by up to half a diagonal.
func surelyNear(most uint64) float64 {
	distance := max(0, math.Sqrt(float64(most))-1.5) / geo.Precision
	return distance * distance
}

// bounds widens a rectangle to hold line.
func bounds(southWest, northEast geo.Coord, line []geo.Coord) (sw, ne geo.Coord) {
	for _, c := range line {
		southWest.Lon, southWest.Lat = min(southWest.Lon, c.Lon), min(southWest.Lat, c.Lat)
		northEast.Lon, northEast.Lat = max(northEast.Lon, c.Lon), max(northEast.Lat, c.Lat)
	}
	return southWest, northEast
}
