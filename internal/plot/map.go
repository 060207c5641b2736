package plot

import (
	"image/color"
	"math"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/internal/geo"
)

// MaxSide is the largest width and height of a Map in pixels.
const MaxSide = 8192

// Map is a drawing in Web Mercator: shapes one above the other, in the order in which
// they were added. Its memory grows with the corners of the shapes, those less than a
// quarter of a pixel from the one before left out. It belongs to one goroutine.
type Map struct {
	Width, Height int // pixels
	left, top     float64
	scale         float64 // pixels a degree
	shapes        []shape
}

// shape are lines or areas of one kind.
type shape struct {
	color  color.NRGBA
	width  float32 // of lines in pixels; 0 for areas
	paths  []float32
	starts []int // of lines or rings, in paths
}

// NewMap returns a map of a rectangle that is so many pixels wide, or, if it would be
// higher than MaxSide, less.
func NewMap(bounds orb.Bound, width int) *Map {
	const least = 1e-4 // of a degree, for a place by itself
	for i := range 2 {
		if d := least - (bounds.Max[i] - bounds.Min[i]); d > 0 {
			bounds.Min[i], bounds.Max[i] = bounds.Min[i]-d/2, bounds.Max[i]+d/2
		}
	}
	m := &Map{left: bounds.Min[0], top: geo.LatitudeToY(bounds.Max[1])}
	wide, tall := bounds.Max[0]-bounds.Min[0], m.top-geo.LatitudeToY(bounds.Min[1])
	width = min(max(width, 1), MaxSide)
	m.scale = min(float64(width)/wide, MaxSide/tall)
	m.Width = min(max(int(math.Round(wide*m.scale)), 1), MaxSide)
	m.Height = min(max(int(math.Round(tall*m.scale)), 1), MaxSide)
	return m
}

// Zoom returns the scale as that of a map whose world is 2^zoom tiles of 256 pixels
// wide.
func (m *Map) Zoom() float64 { return math.Log2(m.scale * 360 / 256) }

func (m *Map) place(p orb.Point) (x, y float32) {
	return float32((p[0] - m.left) * m.scale), float32((m.top - geo.LatitudeToY(p[1])) * m.scale)
}

// shapeOf returns a shape to add to: the last one, if it is of the kind.
func (m *Map) shapeOf(c color.NRGBA, width float32) *shape {
	if n := len(m.shapes); n > 0 && width > 0 && m.shapes[n-1].color == c && m.shapes[n-1].width == width {
		return &m.shapes[n-1]
	}
	m.shapes = append(m.shapes, shape{color: c, width: width})
	return &m.shapes[len(m.shapes)-1]
}

// Line adds a line of a width in pixels. Lines of one kind that are added one after the
// other do not show through one another.
func (m *Map) Line(line orb.LineString, c color.NRGBA, width float64) {
	if len(line) == 0 || width <= 0 {
		return
	}
	w := float32(width)
	left, top := float32(math.Inf(1)), float32(math.Inf(1))
	right, bottom := -left, -top
	s := m.shapeOf(c, w)
	start := len(s.paths)
	for i, p := range line {
		x, y := m.place(p)
		left, top, right, bottom = min(left, x), min(top, y), max(right, x), max(bottom, y)
		s.add(start, x, y, i == len(line)-1)
	}
	if right < -w || bottom < -w || left > float32(m.Width)+w || top > float32(m.Height)+w {
		s.paths = s.paths[:start] // not in the picture
		return
	}
	s.starts = append(s.starts, start)
}

// add adds a corner to a line that starts at an index, unless the one before it is as
// good.
func (s *shape) add(start int, x, y float32, last bool) {
	const fine = 0.25
	if n := len(s.paths); n > start && !last {
		if dx, dy := x-s.paths[n-2], y-s.paths[n-1]; dx*dx+dy*dy < fine*fine {
			return
		}
	}
	s.paths = append(s.paths, x, y)
}

// Area adds areas with holes.
func (m *Map) Area(areas orb.MultiPolygon, c color.NRGBA) {
	s := m.shapeOf(c, 0)
	for _, polygon := range areas {
		for _, ring := range polygon {
			start := len(s.paths)
			for i, p := range ring {
				x, y := m.place(p)
				s.add(start, x, y, i == len(ring)-1)
			}
			s.starts = append(s.starts, start)
		}
	}
}

// Dot adds a round mark of a width in pixels.
func (m *Map) Dot(at orb.Point, c color.NRGBA, width float64) {
	m.Line(orb.LineString{at, at}, c, width)
}

// path returns the corners of the i-th line or ring, x and y by turns.
func (s *shape) path(i int) []float32 {
	end := len(s.paths)
	if i+1 < len(s.starts) {
		end = s.starts[i+1]
	}
	return s.paths[s.starts[i]:end]
}
