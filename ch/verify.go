package ch

import (
	"fmt"

	"github.com/fourway-routing/fourway/graph"
)

// Verify checks every index of the Hierarchy, that shortcuts consist of arcs
// that meet at a lower node, and that their values are the sums. It takes time linear
// in the number of arcs. Errors wrap graph.ErrCorrupt.
func (h *Hierarchy) Verify() error {
	n := uint32(len(h.rank))
	seen := graph.MakeBits(len(h.rank))
	for v, r := range h.rank {
		if r >= n || seen.Get(r) {
			return damaged("node %d has rank %d, which is out of range or another's", v, r)
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
		return damaged("%d arcs are listed, there are %d", c.next, len(h.arcs))
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

// damaged returns an error about a Hierarchy that contradicts itself.
func damaged(format string, args ...any) error {
	return fmt.Errorf("ch: %w: %w", fmt.Errorf(format, args...), graph.ErrCorrupt)
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
		return damaged("index has the wrong size or start")
	}
	for i, end := range first[1:] {
		if end < c.next || int(end) > len(c.tail) {
			return damaged("arcs of rank %d end at %d", i/2, end)
		}
		for ; c.next < end; c.next++ {
			c.tail[c.next] = uint32(i/2) | uint32(i&1)*down
		}
	}
	return nil
}

// ends returns the tail and head of an arc in the direction of travel.
func (c *checker) ends(a uint32) (tail, head uint32) {
	tail, head = c.tail[a], c.h.arcs[a].Head
	if tail&down != 0 {
		return head, tail &^ down
	}
	return tail, head
}

func (c *checker) arc(a uint32) error {
	tail, head := c.ends(a)
	if lower := c.tail[a] &^ down; c.h.arcs[a].Head >= lower {
		return damaged("arc %d leads from rank %d to %d, not up", a, lower, c.h.arcs[a].Head)
	}
	if err := c.sum(c.h.childOf(a), tail, head, c.h.arcs[a].Weight, c.h.duration[a], c.h.distance[a]); err != nil {
		return fmt.Errorf("arc %d: %w", a, err)
	}
	return nil
}

func (c *checker) loops(l *loops) error {
	for i, r := range l.rank {
		if int(r) >= len(c.h.rank) || i > 0 && r <= l.rank[i-1] {
			return damaged("loop %d is of rank %d", i, r)
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
	if weight == missing {
		return nil
	}
	if weight > maxWeight {
		return damaged("weight %d is out of range", weight)
	}
	a, b := child[0], child[1]
	h := c.h
	if b == original {
		if a >= h.edges {
			return damaged("is edge %d of %d", a, h.edges)
		}
		return nil
	}
	if int(a) >= len(h.arcs) || int(b) >= len(h.arcs) {
		return damaged("bypasses arcs %d and %d of %d", a, b, len(h.arcs))
	}
	from, over := c.ends(a)
	via, to := c.ends(b)
	if from != tail || to != head || over != via || over <= max(from, to) {
		return damaged("from %d to %d, but bypasses arcs from %d to %d and from %d to %d", tail, head, from, over, via, to)
	}
	if h.arcs[a].Weight+h.arcs[b].Weight != weight ||
		addDurations(h.duration[a], h.duration[b]) != duration || addDistances(h.distance[a], h.distance[b]) != distance {
		return damaged("is not the sum of the arcs %d and %d that it bypasses", a, b)
	}
	return nil
}
