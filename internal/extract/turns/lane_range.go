package turns

import (
	"slices"

	"github.com/fourway-routing/fourway/graph"
)

// LaneUse says which lanes serve a turn: Count of them, of which First is the
// rightmost, counted from the right. The lanes are those of description Left
// and, where a sliproad belongs to the road, those of description Right beside
// them. Count is 0 where nothing is known of lanes.
type LaneUse struct {
	Left, Right  uint32
	Count, First uint8
}

// described are the lanes of one road, or those of two side by side.
type described struct{ left, right uint32 }

// Descriptions that are none.
const (
	noLanes     = 0 // the way has no tag
	unreadLanes = 1 // it is not understood
)

// laneRange is an indication and the lanes that have it, from … to, counted
// from the right.
type laneRange struct {
	tag      graph.LaneMask
	from, to uint8
}

// tagOf is the indication of a direction.
var tagOf = [...]graph.LaneMask{
	graph.LaneUTurn, graph.LaneSharpRight, graph.LaneRight, graph.LaneSlightRight,
	graph.LaneStraight, graph.LaneSlightLeft, graph.LaneLeft, graph.LaneSharpLeft,
}

// tagOrder is the order of indications from right to left.
func tagOrder(tag graph.LaneMask) int {
	if i := slices.Index(tagOf[1:], tag); i >= 0 {
		return i
	}
	return len(tagOf)
}

func (a laneRange) less(b laneRange) bool {
	switch {
	case a.from != b.from:
		return a.from < b.from
	case a.to != b.to:
		return a.to < b.to
	case a.tag == b.tag:
		return false
	case a.tag == graph.LaneUTurn:
		return a.from == 0
	case b.tag == graph.LaneUTurn:
		return b.from != 0
	}
	return tagOrder(a.tag) < tagOrder(b.tag)
}

func sortLanes(lanes []laneRange) {
	for i := 1; i < len(lanes); i++ {
		for k := i; k > 0 && lanes[k].less(lanes[k-1]); k-- {
			lanes[k], lanes[k-1] = lanes[k-1], lanes[k]
		}
	}
}

// appendLanes appends the ranges of a description, from right to left; nothing
// if they overlap in a way that no road has.
func appendLanes(dst []laneRange, description []graph.LaneMask) []laneRange {
	if len(description) > 255 {
		return dst
	}
	base := len(dst)
	for i, mask := range description {
		lane := uint8(len(description) - 1 - i)
		for tag := graph.LaneNone; tag <= graph.LaneMergeRight; tag <<= 1 {
			if mask&tag == 0 {
				continue
			}
			k := slices.IndexFunc(dst[base:], func(l laneRange) bool { return l.tag == tag })
			if k < 0 {
				dst = append(dst, laneRange{tag, lane, lane})
			} else {
				dst[base+k].from = lane
			}
		}
	}
	lanes := dst[base:]
	sortLanes(lanes)
	for i := 1; i < len(lanes); i++ {
		if i+1 < len(lanes) && lanes[i].tag == graph.LaneUTurn || lanes[i-1].to > lanes[i].from {
			return dst[:base]
		}
	}
	return dst
}

// findTag returns the index of the first range with one of the tags, or the
// number of ranges.
func findTag(lanes []laneRange, tags graph.LaneMask) int {
	for i := range lanes {
		if lanes[i].tag&tags != 0 {
			return i
		}
	}
	return len(lanes)
}

func hasTag(lanes []laneRange, tags graph.LaneMask) bool { return findTag(lanes, tags) < len(lanes) }
