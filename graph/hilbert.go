package graph

import (
	"slices"

	"github.com/fourway-routing/fourway/internal/geo"
)

// hilbertOrder is the number of bits of an axis: 2^29 micro-degrees are more
// than the earth's 360 degrees.
const hilbertOrder = 29

// hilbertKey returns how far along the Hilbert curve of an order, up to 32, a cell
// lies.
func hilbertKey(x, y uint32, order int) uint64 {
	var key uint64
	for bit := order - 1; bit >= 0; bit-- {
		rx, ry := x>>bit&1, y>>bit&1
		key = key<<2 | uint64(3*rx^ry)
		if ry == 0 { // turn the quadrant as the curve turns
			if rx == 1 {
				x, y = ^x, ^y
			}
			x, y = y, x
		}
	}
	return key
}

// hilbertKeyOf returns the key of the middle of an item in Web Mercator.
func hilbertKeyOf(i *snapItem) uint64 {
	c := geo.ToMercator(geo.Middle(i.From, i.To)).Coord()
	const half = 180 * geo.Precision
	cell := func(v int32) uint32 { return uint32(max(0, min(int64(v)+half, 1<<hilbertOrder-1))) }
	return hilbertKey(cell(c.Lon), cell(c.Lat), hilbertOrder)
}

// osrmKey returns the place of a segment in OSRM's index, which has it in another
// corner of a longer curve. Where one coordinate is nearest to several segments of a
// chain, OSRM takes the one that comes first there.
func osrmKey(from, to geo.Coord) uint64 {
	c := geo.Middle(from, to)
	y := int32(geo.LatitudeToY(float64(c.Lat)/geo.Precision) * geo.Precision)
	return hilbertKey(uint32(c.Lon+180*geo.Precision), uint32(y+90*geo.Precision), 32)
}

// sortHilbert sorts items along the Hilbert curve, keeping the order of those in
// one cell: a radix sort from the lowest digit.
func sortHilbert(items []snapItem) {
	type keyed struct {
		key  uint64
		item uint32
	}
	const (
		digitBits = 12
		digits    = 1 << digitBits
	)
	a, b := make([]keyed, len(items)), make([]keyed, len(items))
	for i := range items {
		a[i] = keyed{hilbertKeyOf(&items[i]), uint32(i)}
	}
	for shift := 0; shift < 2*hilbertOrder; shift += digitBits {
		var next [digits]uint32
		for i := range a {
			next[a[i].key>>shift%digits]++
		}
		if slices.Contains(next[:], uint32(len(a))) {
			continue // one digit for all
		}
		sum := uint32(0)
		for d, n := range next {
			next[d] = sum
			sum += n
		}
		for i := range a {
			d := a[i].key >> shift % digits
			b[next[d]] = a[i]
			next[d]++
		}
		a, b = b, a
	}
	sorted := make([]snapItem, len(items))
	for i := range a {
		sorted[i] = items[a[i].item]
	}
	copy(items, sorted)
}
