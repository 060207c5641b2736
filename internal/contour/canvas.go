package contour

import (
	"math"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/pool"
)

// Canvas is what outlines are drawn on. It belongs to one goroutine at a time and
// keeps its memory for the next drawing.
type Canvas struct {
	memory *pool.Allocator
	dots   []dot
	low    geo.Coord // bounds of the dots
	high   geo.Coord

	cell        float64 // meters
	width       int     // corners
	height      int
	lon, lat    float64 // micro-degrees of the first corner
	wide, tall  float64 // micro-degrees of a cell
	step        []uint8 // by corner: that of the marks at it; unmarked
	mark        []offset
	near        []offset // nearest mark of the steps drawn
	ring        []uint32 // by corner: the ring that crosses the edge to its right
	rings       uint32   // numbered so far
	first, past [2]int   // corners, x and y, that marks have been at
}

// dot is a place of a line that was added.
type dot struct {
	at    geo.Coord
	step  uint8
	begin bool // of a line
}

// offset leads from a corner to a mark, in parts of a cell.
type offset struct{ x, y int16 }

const (
	parts    = 64 // of a cell
	unmarked = math.MaxUint8
	// MaxSteps is the number of steps that a drawing may have.
	MaxSteps = unmarked
	// MaxCorners bounds the size of a grid, and with it memory: 20 bytes each.
	MaxCorners = 1 << 22
	// MaxMargin is the largest margin in cells.
	MaxMargin = 32
)

// nowhere is the offset to no mark: farther away than any.
var nowhere = offset{math.MaxInt16, math.MaxInt16}

// NewCanvas returns an empty Canvas whose memory comes from the allocator.
func NewCanvas(memory *pool.Allocator) *Canvas {
	c := &Canvas{memory: memory}
	c.Clear()
	return c
}

// Clear begins a new drawing.
func (c *Canvas) Clear() {
	c.dots = c.dots[:0]
	c.low = geo.Coord{Lon: math.MaxInt32, Lat: math.MaxInt32}
	c.high = geo.Coord{Lon: math.MinInt32, Lat: math.MinInt32}
}

// Begin begins a line that is marked at a step.
func (c *Canvas) Begin(step int, at geo.Coord) {
	c.add(dot{at, uint8(step), true})
}

// Line continues a line straight to a place.
func (c *Canvas) Line(step int, to geo.Coord) {
	c.add(dot{to, uint8(step), false})
}

func (c *Canvas) add(d dot) {
	c.low.Lon, c.low.Lat = min(c.low.Lon, d.at.Lon), min(c.low.Lat, d.at.Lat)
	c.high.Lon, c.high.Lat = max(c.high.Lon, d.at.Lon), max(c.high.Lat, d.at.Lat)
	c.dots = pool.Append(c.memory, c.dots, d)
}

// Size returns the extent of the lines from west to east, measured in their middle,
// and from south to north, in meters.
func (c *Canvas) Size() (width, height float64) {
	if len(c.dots) == 0 {
		return 0, 0
	}
	return float64(float64(c.high.Lon-c.low.Lon) * c.metersPerLon()), float64(float64(c.high.Lat-c.low.Lat) * metersPerLat)
}

// metersPerLat is the length of a micro-degree of latitude.
const metersPerLat = geo.EarthRadius * math.Pi / 180 / geo.Precision

// metersPerLon returns the length of a micro-degree of longitude in the middle of the
// lines.
func (c *Canvas) metersPerLon() float64 {
	middle := (float64(c.low.Lat) + float64(c.high.Lat)) / 2 / geo.Precision
	return max(metersPerLat*math.Cos(middle*math.Pi/180), 1e-6)
}

// Corners returns the number of corners that a grid of cells of a size in meters has,
// with room for a margin in cells.
func (c *Canvas) Corners(cell, margin float64) float64 {
	width, height := c.Size()
	around := float64(2*frame(margin) + 2)
	return (math.Floor(width/cell) + around) * (math.Floor(height/cell) + around)
}

// frame returns the number of cells beside what is marked.
func frame(margin float64) int { return int(math.Ceil(margin)) + 1 }

// Mark puts the lines on a grid of cells of a size in meters, with room for a margin in
// cells; see MaxCorners and MaxMargin.
func (c *Canvas) Mark(cell, margin float64) {
	c.cell = cell
	c.wide, c.tall = cell/c.metersPerLon(), cell/metersPerLat
	f := frame(margin)
	width, height := c.Size()
	c.width, c.height = int(width/cell)+2*f+2, int(height/cell)+2*f+2
	c.lon = float64(c.low.Lon) - float64(float64(f)*c.wide)
	c.lat = float64(c.low.Lat) - float64(float64(f)*c.tall)
	n := c.width * c.height
	c.step = pool.Grow(c.memory, c.step, n)
	c.mark = pool.Grow(c.memory, c.mark, n)
	c.near = pool.Grow(c.memory, c.near, n)
	c.ring = pool.Grow(c.memory, c.ring, n)
	for i := range c.step {
		c.step[i] = unmarked
	}
	for i := range c.near {
		c.near[i] = nowhere
	}
	clear(c.ring)
	c.rings = 0
	c.first, c.past = [2]int{c.width, c.height}, [2]int{}

	byWide, byTall := 1/c.wide, 1/c.tall
	var x, y float64
	for i := range c.dots {
		d := &c.dots[i]
		toX := float64((float64(d.at.Lon) - c.lon) * byWide)
		toY := float64((float64(d.at.Lat) - c.lat) * byTall)
		if !d.begin {
			// Lines are marked every half a cell.
			if n := int(2 * max(math.Abs(toX-x), math.Abs(toY-y))); n > 0 {
				for k := 1; k <= n; k++ {
					share := float64(k) / float64(n+1)
					c.put(d.step, x+float64(share*(toX-x)), y+float64(share*(toY-y)))
				}
			}
		}
		x, y = toX, toY
		c.put(d.step, x, y)
	}
}

// put marks the corner nearest to a place. Of marks at one corner that of the first
// step stays, and of these the nearest, the southernmost, the westernmost.
func (c *Canvas) put(step uint8, x, y float64) {
	cx, cy := int(x+0.5), int(y+0.5)
	i := cy*c.width + cx
	if step > c.step[i] {
		return
	}
	o := offset{int16(math.Floor((x - float64(cx)) * parts)), int16(math.Floor((y - float64(cy)) * parts))}
	if step == c.step[i] && !o.before(c.mark[i]) {
		return
	}
	c.step[i], c.mark[i] = step, o
}

func (o offset) length() int32 { return int32(o.x)*int32(o.x) + int32(o.y)*int32(o.y) }

func (o offset) before(p offset) bool {
	if a, b := o.length(), p.length(); a != b {
		return a < b
	}
	if o.y != p.y {
		return o.y < p.y
	}
	return o.x < p.x
}
