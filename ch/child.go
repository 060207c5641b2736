package ch

import (
	"encoding/binary"
	"slices"
)

// child is what an arc stands for: the EdgeID and 0, or the position of the first of the
// two arcs of a shortcut, in the direction of travel, and how far before it the other
// one is. Both are listed at the node bypassed, so that this is mostly little; farAway
// stands for more. The first four bytes are little-endian.
type child [5]byte

const farAway = 255

// farChild is the other arc of a shortcut where it is far away.
type farChild struct{ Arc, Other uint32 }

// childOf returns the two arcs that a shortcut stands for, first to last in the
// direction of travel, or the EdgeID and original.
func (h *Hierarchy) childOf(a uint32) [2]uint32 {
	c := &h.child[a]
	first, away := binary.LittleEndian.Uint32(c[:4]), uint32(c[4])
	if away == farAway {
		return [2]uint32{first, h.farChildOf(a, first)}
	}
	if away == 0 {
		return [2]uint32{first, original}
	}
	return [2]uint32{first, first - away}
}

// farChildOf returns the other arc of a shortcut that is far away, and the first one if
// it is not listed.
func (h *Hierarchy) farChildOf(a, first uint32) uint32 {
	i, ok := slices.BinarySearchFunc(h.far, a, func(f farChild, a uint32) int { return int(f.Arc) - int(a) })
	if !ok {
		return first // contains itself, which is noticed
	}
	return h.far[i].Other
}

// setChild notes what an arc stands for. The far ones need to be sorted afterwards.
func (h *Hierarchy) setChild(a uint32, arcs [2]uint32) {
	c := &h.child[a]
	binary.LittleEndian.PutUint32(c[:4], arcs[0])
	switch away := arcs[0] - arcs[1]; {
	case arcs[1] == original:
		c[4] = 0
	case away > 0 && away < farAway:
		c[4] = byte(away)
	default:
		c[4] = farAway
		h.far = append(h.far, farChild{a, arcs[1]})
	}
}

func (h *Hierarchy) sortFar() {
	slices.SortFunc(h.far, func(a, b farChild) int { return int(a.Arc) - int(b.Arc) })
}

// setChildren notes what all arcs stand for.
func (h *Hierarchy) setChildren(arcs [][2]uint32) {
	h.child, h.far = make([]child, len(arcs)), nil
	for a := range arcs {
		h.setChild(uint32(a), arcs[a])
	}
}

// children is the inverse of setChildren.
func (h *Hierarchy) children() [][2]uint32 {
	all := make([][2]uint32, len(h.child))
	for a := range all {
		all[a] = h.childOf(uint32(a))
	}
	return all
}
