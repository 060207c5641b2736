package batch

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"
)

// sortByPlace sorts so that what is near on the globe is near in the list, and so
// that the order depends on nothing but what is in the list.
func sortByPlace[T any](list []T, place func(*T) *Place) {
	type keyed struct {
		key  uint64
		item T
	}
	keys := make([]keyed, len(list))
	for i := range list {
		keys[i] = keyed{hilbert(place(&list[i]).Coordinate), list[i]}
	}
	slices.SortStableFunc(keys, func(a, b keyed) int {
		if c := cmp.Compare(a.key, b.key); c != 0 {
			return c
		}
		p, q := place(&a.item), place(&b.item)
		return cmp.Or(cmp.Compare(p.ID, q.ID), cmp.Compare(p.Coordinate[0], q.Coordinate[0]), cmp.Compare(p.Coordinate[1], q.Coordinate[1]))
	})
	for i := range keys {
		list[i] = keys[i].item
	}
}

// gridBits is the number of bits of a coordinate of the grid that the curve fills:
// its squares are 40 meters wide at the equator.
const gridBits = 20

// hilbert returns how far along a Hilbert curve over the globe a coordinate lies.
func hilbert(p orb.Point) uint64 {
	x, y := gridded(p[0], 360), gridded(p[1], 180)
	key := uint64(0)
	for bit := gridBits - 1; bit >= 0; bit-- {
		a, b := x>>bit&1, y>>bit&1
		key = key<<2 | (3*a ^ b)
		if b == 0 { // turn the quarter
			if a == 1 {
				x, y = ^x, ^y
			}
			x, y = y, x
		}
	}
	return key
}

// gridded returns the position on the grid of one of the degrees around 0 that
// there are.
func gridded(degrees, all float64) uint64 {
	f := (degrees/all + 0.5) * (1 << gridBits)
	if math.IsNaN(f) {
		return 0
	}
	return uint64(min(max(f, 0), 1<<gridBits-1))
}
