package ch

import (
	"errors"
	"fmt"

	"github.com/fourway-routing/fourway/graph"
)

// ErrCorrupt is wrapped by the errors for a Hierarchy that contradicts itself.
var ErrCorrupt = errors.New("ch: hierarchy is damaged; build it again")

// Verify checks every index of the Hierarchy, that shortcuts consist of arcs
// that meet at a lower node, and that their values are the sums. It takes time linear
// in the number of arcs.
func (h *Hierarchy) Verify() error {
	n := uint32(len(h.rank))
	seen := graph.MakeBits(len(h.rank))
	for v, r := range h.rank {
		if r >= n || seen.Get(r) {
			return fmt.Errorf("%w: node %d has rank %d, which is out of range or another's", ErrCorrupt, v, r)
		}
		seen.Set(r)
	}
	c := checker{h: h, tail: make([]uint32, len(h.arcs))}
	if err := c.index(h.first, n); err != nil {
		return err
	}
	for i := range h.cores {
		if len(h.cores[i].first) == 0 {
			continue
		}
		if err := c.index(h.cores[i].first, h.core); err != nil {
			return fmt.Errorf("core %d: %w", i, err)
		}
	}
	if int(c.next) != len(h.arcs) {
		return fmt.Errorf("%w: %d arcs are listed, there are %d", ErrCorrupt, c.next, len(h.arcs))
	}
	for a := range h.arcs {
		if err := c.arc(uint32(a)); err != nil {
			return err
		}
	}
	for i := range h.loops {
		if err := c.loops(&h.loops[i]); err != nil {
			return err
		}
	}
	return nil
}

// checker verifies a Hierarchy.
type checker struct {
	h    *Hierarchy
	next uint32
	// tail is the lower end of an arc, with the top bit set if the arc leads
	// down from its head.
	tail []uint32
}

const down = 1 << 31

func (c *checker) index(first []uint32, ranks uint32) error {
	if uint64(len(first)) != 2*uint64(ranks)+1 || first[0] != c.next {
		return fmt.Errorf("%w: index has the wrong size or start", ErrCorrupt)
	}
	for i, end := range first[1:] {
		if end < c.next || int(end) > len(c.tail) {
			return fmt.Errorf("%w: arcs of rank %d end at %d", ErrCorrupt, i/2, end)
		}
		for ; c.next < end; c.next++ {
			c.tail[c.next] = uint32(i/2) | uint32(i&1)*down
		}
	}
	return nil
}

// ends returns the tail and head of an arc in the direction of travel.
func (c *checker) ends(a uint32) (tail, head uint32) {
	tail, head = c.tail[a], c.h.arcs[a].head
	if tail&down != 0 {
		return head, tail &^ down
	}
	return tail, head
}

func (c *checker) arc(a uint32) error {
	tail, head := c.ends(a)
	if lower := c.tail[a] &^ down; c.h.arcs[a].head >= lower {
		return fmt.Errorf("%w: arc %d leads from rank %d to %d, not up", ErrCorrupt, a, lower, c.h.arcs[a].head)
	}
	if err := c.sum(c.h.child[a], tail, head, c.h.arcs[a].weight, c.h.duration[a], c.h.distance[a]); err != nil {
		return fmt.Errorf("arc %d: %w", a, err)
	}
	return nil
}

func (c *checker) loops(l *loops) error {
	for i, r := range l.rank {
		if int(r) >= len(c.h.rank) || i > 0 && r <= l.rank[i-1] {
			return fmt.Errorf("%w: loop %d is of rank %d", ErrCorrupt, i, r)
		}
		if err := c.sum(l.child[i], r, r, l.weight[i], l.duration[i], l.distance[i]); err != nil {
			return fmt.Errorf("loop %d: %w", i, err)
		}
	}
	return nil
}

// sum checks that the children of an arc or loop lead from tail to head over a
// lower node.
func (c *checker) sum(child [2]uint32, tail, head, weight uint32, duration graph.Duration, distance graph.Distance) error {
	if weight > maxWeight {
		return fmt.Errorf("%w: weight %d is out of range", ErrCorrupt, weight)
	}
	a, b := child[0], child[1]
	if b == original {
		return nil
	}
	h := c.h
	if int(a) >= len(h.arcs) || int(b) >= len(h.arcs) {
		return fmt.Errorf("%w: bypasses arcs %d and %d of %d", ErrCorrupt, a, b, len(h.arcs))
	}
	from, over := c.ends(a)
	via, to := c.ends(b)
	if from != tail || to != head || over != via || over <= max(from, to) {
		return fmt.Errorf("%w: from %d to %d, but bypasses arcs from %d to %d and from %d to %d", ErrCorrupt, tail, head, from, over, via, to)
	}
	if h.arcs[a].weight+h.arcs[b].weight != weight ||
		addDurations(h.duration[a], h.duration[b]) != duration || addDistances(h.distance[a], h.distance[b]) != distance {
		return fmt.Errorf("%w: is not the sum of the arcs %d and %d that it bypasses", ErrCorrupt, a, b)
	}
	return nil
}
