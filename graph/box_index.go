package graph

import (
	"context"

	"github.com/fourway-routing/fourway/internal/geo"
)

// boxIndex finds numbered things by the rectangles, of longitude and latitude,
// that bound them: a static R-tree as SnapIndex is, of numbers alone.
type boxIndex struct {
	order []uint32 // along the Hilbert curve
	boxes []snapBox
}

// newBoxIndex indexes n things; those with an empty box are found by nothing.
func newBoxIndex(n int, box func(uint32) snapBox) boxIndex {
	x := boxIndex{order: make([]uint32, n)}
	keys := make([]uint64, n)
	for i := range x.order {
		x.order[i] = uint32(i)
		b := box(uint32(i))
		const half = 180 * geo.Precision
		cell := func(lo, hi int32) uint32 { return uint32(max(0, (int64(lo)+int64(hi))/2+half)) }
		keys[i] = hilbertKey(cell(b.MinX, b.MaxX), cell(b.MinY, b.MaxY), hilbertOrder)
	}
	sortByKey(x.order, keys)
	x.boxes = boundOrder(x.order, box)
	return x
}

// sortByKey sorts numbers by their keys, keeping the order of those with equal ones: a
// radix sort from the lowest digit.
func sortByKey(order []uint32, keys []uint64) {
	const (
		digitBits = 11
		digits    = 1 << digitBits
	)
	from, to := order, make([]uint32, len(order))
	for shift := 0; shift < 2*hilbertOrder; shift += digitBits {
		var next [digits]uint32
		for _, i := range from {
			next[keys[i]>>shift%digits]++
		}
		sum := uint32(0)
		for d, n := range next {
			next[d] = sum
			sum += n
		}
		for _, i := range from {
			d := keys[i] >> shift % digits
			to[next[d]] = i
			next[d]++
		}
		from, to = to, from
	}
	if len(order) > 0 && &from[0] != &order[0] {
		copy(order, from)
	}
}

// boundOrder returns the boxes of the tree over an order.
func boundOrder(order []uint32, box func(uint32) snapBox) []snapBox {
	levels := makeSnapLevels(len(order))
	if len(order) == 0 {
		return nil
	}
	boxes := newSnapBoxes(&levels)
	for i, v := range order {
		boxes[int(levels.start[levels.leaf])+i/snapFanOut].merge(box(v))
	}
	raiseSnapBoxes(&levels, boxes)
	return boxes
}

// pollLookups is the number of boxes opened between looks at the context.
const pollLookups = 1 << 10

// visitWithin calls visit with the things whose leaf the box meets, in the order of the
// index, until it fails.
func visitWithin[T ~uint32](ctx context.Context, x *boxIndex, box snapBox, visit func(T) error) error {
	if err := ctx.Err(); err != nil || len(x.order) == 0 {
		return err
	}
	levels := makeSnapLevels(len(x.order))
	// A path down has less than snapFanOut siblings a level still to open.
	var stack [maxSnapLevels * snapFanOut]struct {
		box   uint32
		level int
	}
	n, opened := 0, 0
	push := func(b uint32, level int) {
		if x.boxes[b].intersects(&box) {
			stack[n].box, stack[n].level = b, level
			n++
		}
	}
	push(0, 0)
	for n > 0 {
		n--
		at := stack[n]
		if opened++; opened%pollLookups == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if at.level < levels.leaf {
			first, end := levels.children(at.level, at.box)
			for b := first; b < end; b++ {
				push(b, at.level+1)
			}
			continue
		}
		first, end := levels.leafItems(at.box, len(x.order))
		for _, v := range x.order[first:end] {
			if err := visit(T(v)); err != nil {
				return err
			}
		}
	}
	return nil
}
