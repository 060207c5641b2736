package plot

import (
	"image"
	"image/draw"
	"image/png"
	"io"
	"math"
	"slices"
)

// WritePNG writes the map as a PNG file, with soft edges. It takes five bytes of memory a
// pixel.
func (m *Map) WritePNG(w io.Writer) error { return png.Encode(w, m.image()) }

func (m *Map) image() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, m.Width, m.Height))
	draw.Draw(img, img.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	r := raster{width: m.Width, height: m.Height, cover: make([]uint8, m.Width*m.Height)}
	for i := range m.shapes {
		s := &m.shapes[i]
		r.begin()
		if s.width > 0 {
			for k := range s.starts {
				r.line(s.path(k), s.width/2)
			}
		} else {
			r.area(s)
		}
		r.paint(img, s)
	}
	return img
}

// raster holds how much of each pixel a shape covers, as a part of 255. Of lines that
// overlap the one that covers most counts, so that they make one shape.
type raster struct {
	width, height int
	cover         []uint8
	dirty         image.Rectangle
	crossings     []float32
}

func (r *raster) begin() {
	for y := r.dirty.Min.Y; y < r.dirty.Max.Y; y++ {
		clear(r.cover[y*r.width+r.dirty.Min.X : y*r.width+r.dirty.Max.X])
	}
	r.dirty = image.Rectangle{}
}

// touch adds a rectangle to what is to be painted, cut to the picture, and returns it.
func (r *raster) touch(left, top, right, bottom float32) image.Rectangle {
	clip := func(v float32, most int) int { return int(min(max(v, 0), float32(most))) }
	b := image.Rect(clip(left, r.width), clip(top, r.height), clip(right+1, r.width), clip(bottom+1, r.height))
	r.dirty = r.dirty.Union(b)
	return b
}

// line covers what is nearer to a line than half its width.
func (r *raster) line(path []float32, half float32) {
	for i := 0; i+3 < len(path); i += 2 {
		r.segment(path[i], path[i+1], path[i+2], path[i+3], half)
	}
	if len(path) == 2 {
		r.segment(path[0], path[1], path[0], path[1], half)
	}
}

func (r *raster) segment(x0, y0, x1, y1, half float32) {
	reach := half + 1
	b := r.touch(min(x0, x1)-reach, min(y0, y1)-reach, max(x0, x1)+reach, max(y0, y1)+reach)
	dx, dy := x1-x0, y1-y0
	length := dx*dx + dy*dy
	for y := b.Min.Y; y < b.Max.Y; y++ {
		cy := float32(y) + 0.5
		from, to := b.Min.X, b.Max.X
		if dy != 0 {
			// The part of the line that is near enough to the row.
			a, z := (cy-reach-y0)/dy, (cy+reach-y0)/dy
			if a > z {
				a, z = z, a
			}
			a, z = max(a, 0), min(z, 1)
			if a > z {
				continue
			}
			xa, xz := x0+a*dx, x0+z*dx
			from = max(from, int(max(min(xa, xz)-reach, 0)))
			to = min(to, int(min(max(xa, xz)+reach, float32(r.width)))+1)
		}
		row := r.cover[y*r.width : (y+1)*r.width]
		for x := from; x < to; x++ {
			px, py := float32(x)+0.5-x0, cy-y0
			if length > 0 {
				share := min(max((px*dx+py*dy)/length, 0), 1)
				px, py = px-share*dx, py-share*dy
			}
			cover := half + 0.5 - float32(math.Sqrt(float64(px*px+py*py)))
			if cover <= 0 {
				continue
			}
			// A line thinner than a pixel covers no pixel whole.
			row[x] = max(row[x], uint8(255*min(cover, 1, 2*half)))
		}
	}
}

// rows is the number of lines on which the areas' part of a row of pixels is measured.
const rows = 4

// area covers what is within an odd number of rings.
func (r *raster) area(s *shape) {
	left, top := float32(math.Inf(1)), float32(math.Inf(1))
	right, bottom := -left, -top
	for i := 0; i < len(s.paths); i += 2 {
		left, right = min(left, s.paths[i]), max(right, s.paths[i])
		top, bottom = min(top, s.paths[i+1]), max(bottom, s.paths[i+1])
	}
	if left > right {
		return
	}
	b := r.touch(left, top, right, bottom)
	sides := sidesOf(s, float32(b.Min.Y), float32(b.Max.Y))
	part := make([]float32, r.width+1)
	var active []side
	next := 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		clear(part)
		for k := range rows {
			at := float32(y) + (float32(k)+0.5)/rows
			for next < len(sides) && sides[next].y0 <= at {
				active = append(active, sides[next])
				next++
			}
			active = slices.DeleteFunc(active, func(e side) bool { return e.y1 <= at })
			r.crossings = r.crossings[:0]
			for _, e := range active {
				r.crossings = append(r.crossings, e.x0+(at-e.y0)*e.slope)
			}
			slices.Sort(r.crossings)
			for i := 0; i+1 < len(r.crossings); i += 2 {
				fillSpan(part, max(r.crossings[i], 0), min(r.crossings[i+1], float32(r.width)))
			}
		}
		row := r.cover[y*r.width : (y+1)*r.width]
		for x := b.Min.X; x < b.Max.X; x++ {
			row[x] = uint8(min(255, part[x]*(255.0/rows)+0.5))
		}
	}
}

// side is one of an area, from the upper end down.
type side struct {
	x0, y0, y1 float32
	slope      float32
}

// sidesOf returns the sides of an area by their upper ends, but those out of sight.
func sidesOf(s *shape, top, bottom float32) []side {
	var sides []side
	for k := range s.starts {
		path := s.path(k)
		for i := 0; i+3 < len(path); i += 2 {
			x0, y0, x1, y1 := path[i], path[i+1], path[i+2], path[i+3]
			if y0 > y1 {
				x0, y0, x1, y1 = x1, y1, x0, y0
			}
			if y0 == y1 || y1 <= top || y0 >= bottom {
				continue
			}
			sides = append(sides, side{x0, y0, y1, (x1 - x0) / (y1 - y0)})
		}
	}
	slices.SortStableFunc(sides, func(a, b side) int {
		switch {
		case a.y0 < b.y0:
			return -1
		case a.y0 > b.y0:
			return 1
		}
		return 0
	})
	return sides
}

// fillSpan adds to each pixel of a row how much of it lies between two places.
func fillSpan(part []float32, from, to float32) {
	if from >= to {
		return
	}
	first, last := int(from), int(to)
	if first == last {
		part[first] += to - from
		return
	}
	part[first] += float32(first+1) - from
	for x := first + 1; x < last; x++ {
		part[x]++
	}
	part[last] += to - float32(last)
}

// paint puts the color where the shape is.
func (r *raster) paint(img *image.RGBA, s *shape) {
	alpha := uint32(s.color.A)
	for y := r.dirty.Min.Y; y < r.dirty.Max.Y; y++ {
		for x := r.dirty.Min.X; x < r.dirty.Max.X; x++ {
			cover := uint32(r.cover[y*r.width+x])
			if cover == 0 {
				continue
			}
			a := cover * alpha / 255
			pix := img.Pix[y*img.Stride+4*x:]
			for i, v := range [...]uint8{s.color.R, s.color.G, s.color.B} {
				pix[i] = uint8((uint32(pix[i])*(255-a) + uint32(v)*a + 127) / 255)
			}
		}
	}
}
