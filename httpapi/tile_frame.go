package httpapi

import (
	"math"

	"github.com/paulmach/orb"
)

// tileID names a tile of the Web Mercator map: x to the east and y to the south,
// both below 2^z.
type tileID struct{ x, y, z uint32 }

// tileSurplus is the part of a tile's side that is looked at beyond it: more
// than tileMargin.
const tileSurplus = 0.1

// bounds returns the rectangle that holds all that a tile shows.
func (t tileID) bounds() orb.Bound {
	tiles := float64(uint64(1) << t.z)
	lon := func(x float64) float64 { return min(max(x/tiles*360-180, -180), 180) }
	lat := func(y float64) float64 {
		return math.Atan(math.Sinh(math.Pi*(1-2*min(max(y/tiles, 0), 1)))) * (180 / math.Pi)
	}
	x, y := float64(t.x), float64(t.y)
	return orb.Bound{
		Min: orb.Point{lon(x - tileSurplus), lat(y + 1 + tileSurplus)},
		Max: orb.Point{lon(x + 1 + tileSurplus), lat(y - tileSurplus)},
	}
}

// tileFrame turns coordinates into places of a tile.
type tileFrame struct {
	left, top float64 // of the tile, the world being 1 wide
	scale     float64
}

func newTileFrame(t tileID) tileFrame {
	tiles := float64(uint64(1) << t.z)
	return tileFrame{left: float64(t.x) / tiles, top: float64(t.y) / tiles, scale: tiles * tileExtent}
}

func (f *tileFrame) place(p orb.Point) (x, y float64) {
	sin := math.Sin(p[1] * (math.Pi / 180))
	wx := p[0]/360 + 0.5
	wy := 0.5 - math.Log((1+sin)/(1-sin))/(4*math.Pi)
	return math.Round((wx - f.left) * f.scale), math.Round((wy - f.top) * f.scale)
}

const tileLeast, tileMost = -tileMargin, tileExtent + tileMargin

// inside returns a place, unless it is beyond the margin or on its edge.
func (f *tileFrame) inside(p orb.Point) (tilePoint, bool) {
	x, y := f.place(p)
	return tilePoint{int32(x), int32(y)}, x > tileLeast && x < tileMost && y > tileLeast && y < tileMost
}

// clip returns the part of a line that is not beyond the margin, unless it is
// no longer than a point (Liang and Barsky, A New Concept and Method for Line
// Clipping, 1984).
func (f *tileFrame) clip(a, b orb.Point) (from, to tilePoint, ok bool) {
	ax, ay := f.place(a)
	bx, by := f.place(b)
	dx, dy := bx-ax, by-ay
	enter, leave := 0.0, 1.0
	for _, side := range [...][2]float64{
		{-dx, ax - tileLeast}, {dx, tileMost - ax}, {-dy, ay - tileLeast}, {dy, tileMost - ay},
	} {
		toward, room := side[0], side[1]
		switch {
		case toward < 0:
			enter = max(enter, room/toward)
		case toward > 0:
			leave = min(leave, room/toward)
		case room < 0:
			return from, to, false
		}
	}
	if !(enter < leave) {
		return from, to, false
	}
	at := func(t float64) tilePoint {
		return tilePoint{int32(math.Round(ax + t*dx)), int32(math.Round(ay + t*dy))}
	}
	from, to = at(enter), at(leave)
	return from, to, from != to
}
