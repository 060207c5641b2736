package contour

import (
	"math"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/internal/geo"
)

// Corners of a cell are numbered counter-clockwise from the south-west, and edges from
// the south one. With the inside on its left, a line that enters a cell by an edge
// leaves it by next, given which corners are inside, as bits.
const noEdge = 4

var next = [16][4]uint8{
	0b0001: {3, noEdge, noEdge, noEdge},
	0b0010: {noEdge, 0, noEdge, noEdge},
	0b0011: {noEdge, 3, noEdge, noEdge},
	0b0100: {noEdge, noEdge, 1, noEdge},
	0b0101: {1, noEdge, 3, noEdge},
	0b0110: {noEdge, noEdge, 0, noEdge},
	0b0111: {noEdge, noEdge, 3, noEdge},
	0b1000: {noEdge, noEdge, noEdge, 2},
	0b1001: {2, noEdge, noEdge, noEdge},
	0b1010: {noEdge, 2, noEdge, 0},
	0b1011: {noEdge, 2, noEdge, noEdge},
	0b1100: {noEdge, noEdge, noEdge, 1},
	0b1101: {1, noEdge, noEdge, noEdge},
	0b1110: {noEdge, noEdge, noEdge, 0},
}

// outline is a drawing of one step in the making.
type outline struct {
	*Canvas
	limit  int32   // square of the margin in parts
	margin float64 // in parts
	points []orb.Point
	rings  []tracedRing
	base   uint32 // number of the first ring
}

type tracedRing struct {
	first, past int // of points
	hole        bool
	area        float64 // in cells
	left        int     // westernmost corner whose edge to the right a hole leaves the inside by
}

// Polygons returns the places whose distance to the marks drawn is the margin in cells
// at most, south to north by their southernmost row. Holes smaller than an area in
// cells are filled.
func (c *Canvas) Polygons(margin, leastHole float64) orb.MultiPolygon {
	o := outline{Canvas: c, margin: margin * parts, base: c.rings + 1}
	o.limit = int32(o.margin * o.margin)
	f := frame(margin)
	low, high := max(c.first[1]-f, 0), min(c.past[1]+f, c.height)
	left, right := max(c.first[0]-f, 0), min(c.past[0]+f, c.width-1)
	for y := low; y < high; y++ {
		row := c.near[y*c.width : (y+1)*c.width]
		inside := row[left].length() <= o.limit
		for x := left; x < right; x++ {
			was := inside
			inside = row[x+1].length() <= o.limit
			if was && !inside && c.ring[y*c.width+x] < o.base {
				o.trace(x, y)
			}
		}
	}
	return o.assemble(leastHole)
}

func (o *outline) inside(i int) uint8 {
	if o.near[i].length() <= o.limit {
		return 1
	}
	return 0
}

// trace follows the ring that crosses the edge to the right of a corner upward.
func (o *outline) trace(x, y int) {
	o.Canvas.rings++
	r := tracedRing{first: len(o.points), left: -1}
	edge := uint8(0)
	startX, startY := x, y
	var area, lastX, lastY, beginX, beginY float64
	for {
		i := y*o.width + x
		px, py := float64(x), float64(y)
		switch edge {
		case 0:
			o.ring[i] = o.Canvas.rings
			px += o.share(i, i+1)
			if r.left < 0 || x < r.left%o.width {
				r.left = i
			}
		case 1:
			px, py = px+1, py+o.share(i+1, i+1+o.width)
		case 2:
			o.ring[i+o.width] = o.Canvas.rings
			px, py = px+o.share(i+o.width, i+o.width+1), py+1
		case 3:
			py += o.share(i, i+o.width)
		}
		if len(o.points) == r.first {
			beginX, beginY = px, py
		} else {
			area += float64(lastX*py) - float64(px*lastY)
		}
		lastX, lastY = px, py
		o.add(r.first, o.place(px, py))
		bits := o.inside(i) | o.inside(i+1)<<1 | o.inside(i+o.width+1)<<2 | o.inside(i+o.width)<<3
		switch next[bits][edge] {
		case 0:
			edge, y = 2, y-1
		case 1:
			edge, x = 3, x+1
		case 2:
			edge, y = 0, y+1
		case 3:
			edge, x = 1, x-1
		}
		if edge == 0 && x == startX && y == startY {
			break
		}
	}
	area += float64(lastX*beginY) - float64(beginX*lastY)
	o.close(&r)
	r.past, r.area, r.hole = len(o.points), math.Abs(area)/2, area < 0
	o.rings = append(o.rings, r)
}

// share returns how far the line is from one corner to its neighbor, one of which is
// inside. It keeps away from both, so that rings do not meet where places are rounded.
func (o *outline) share(from, to int) float64 {
	a, b := distance(o.near[from]), distance(o.near[to])
	return min(max((o.margin-a)/(b-a), 0.05), 0.95)
}

func distance(o offset) float64 {
	if o == nowhere {
		return reach
	}
	return math.Sqrt(float64(o.length()))
}

// place returns a place of the grid to the nearest micro-degree: of what is beyond a
// pole or the antimeridian, the nearest on the map.
func (o *outline) place(x, y float64) orb.Point {
	return orb.Point{onMap(o.lon+float64(x*o.wide), 180), onMap(o.lat+float64(y*o.tall), 90)}
}

func onMap(microDegrees, most float64) float64 {
	return min(max(math.Round(microDegrees)/geo.Precision, -most), most)
}

// add appends a point to a ring, in the place of the last one if that lies on the
// straight line to it along the grid.
func (o *outline) add(first int, p orb.Point) {
	if n := len(o.points); n-first >= 2 && straight(o.points[n-2], o.points[n-1], p) {
		o.points[n-1] = p
		return
	}
	o.points = append(o.points, p)
}

// straight says whether the middle one of three points adds nothing.
func straight(a, b, c orb.Point) bool {
	return a[0] == b[0] && b[0] == c[0] || a[1] == b[1] && b[1] == c[1]
}

// close makes the last point of a ring the first one again.
func (o *outline) close(r *tracedRing) {
	n := len(o.points)
	ring := o.points[r.first:n]
	if k := len(ring); k > 3 && straight(ring[k-2], ring[k-1], ring[0]) {
		ring = ring[:k-1]
	}
	if k := len(ring); k > 3 && straight(ring[k-1], ring[0], ring[1]) {
		ring = append(ring[:0], ring[1:]...)
	}
	o.points = append(o.points[:r.first+len(ring)], ring[0])
}

// assemble puts holes into their polygons.
func (o *outline) assemble(leastHole float64) orb.MultiPolygon {
	var all orb.MultiPolygon
	number := make([]int, len(o.rings)) // of polygons
	for i := range o.rings {
		if r := &o.rings[i]; !r.hole {
			number[i] = len(all)
			all = append(all, orb.Polygon{o.line(r)})
		}
	}
	for i := range o.rings {
		if r := &o.rings[i]; r.hole && r.area >= leastHole {
			k := number[o.owner(i)]
			all[k] = append(all[k], o.line(r))
		}
	}
	return all
}

func (o *outline) line(r *tracedRing) orb.Ring { return orb.Ring(o.points[r.first:r.past:r.past]) }

// owner returns the ring around the place that a hole is in. To the left of the
// westernmost edge of the hole the inside ends at that ring, or at another hole that
// reaches further west.
func (o *outline) owner(i int) int {
	for o.rings[i].hole {
		at := o.rings[i].left
		for o.near[at].length() <= o.limit {
			at--
		}
		i = int(o.ring[at] - o.base)
	}
	return i
}
