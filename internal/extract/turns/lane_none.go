package turns

import (
	"slices"

	"github.com/fourway-routing/fourway/graph"
)

const (
	rightTags = graph.LaneSlightRight | graph.LaneRight | graph.LaneSharpRight
	leftTags  = graph.LaneSlightLeft | graph.LaneLeft | graph.LaneSharpLeft
)

// explainNone replaces the range of lanes without indication, which may serve
// any turn, by what the junction leaves for it.
func explainNone(lanes []laneRange, roads []Road) []laneRange {
	none := findTag(lanes, graph.LaneNone)
	if none == len(lanes) {
		return lanes
	}
	turns := countAllowed(roads)
	if roads[0].Allowed && lanes[len(lanes)-1].tag != graph.LaneUTurn {
		turns--
	}
	switch {
	case turns > len(lanes):
		lanes = spreadNone(lanes, none, turns, roads)
	case turns == len(lanes):
		renameNone(lanes, none, roads)
	case turns+1 == len(lanes):
		lanes = mergeNone(lanes, none)
	default:
		return lanes
	}
	sortLanes(lanes)
	return lanes
}

// rangeOfNone returns the roads, first to end, that the lanes without
// indication must serve where more turns are possible than lanes tell.
func rangeOfNone(lanes []laneRange, none, turns int, roads []Road) (first, end int) {
	missing := turns - len(lanes)
	count := 0
	add := func(i int) {
		if roads[i].Allowed {
			count++
		}
	}
	switch none {
	case 0:
		for i := 1; i < len(roads); i++ {
			if add(i); count > missing {
				return 1, i + 1
			}
		}
	case len(lanes) - 1:
		for i := len(roads) - 1; i > 0; i-- {
			if add(i); count > missing {
				return i, len(roads)
			}
		}
	default:
		first = 1
		for i := 1; i < len(roads); i++ {
			if add(i); count >= none {
				first = i + 1
				break
			}
		}
		count = 0
		for i := first; i < len(roads); i++ {
			if add(i); count > missing {
				return first, i + 1
			}
		}
	}
	return 0, 0
}

func spreadNone(lanes []laneRange, none, turns int, roads []Road) []laneRange {
	first, end := rangeOfNone(lanes, none, turns, roads)
	served := roads[first:end]
	l := lanes[none]
	tag := func(r *Road) graph.LaneMask { return tagOf[r.Instruction.Modifier()] }
	if countAllowed(served) > 1 && l.to > l.from {
		straight := slices.IndexFunc(served, func(r Road) bool { return r.Instruction.Modifier() == graph.Straight })
		if straight < 0 {
			return lanes
		}
		for i := range served {
			part := l
			if i < straight {
				part.to = l.from
			} else if i > straight {
				part.from = l.to
			}
			part.tag = tag(&served[i])
			lanes = append(lanes, part)
		}
	} else {
		for i := range served {
			if served[i].Allowed {
				lanes = append(lanes, laneRange{tag(&served[i]), l.from, l.to})
			}
		}
	}
	return slices.Delete(lanes, none, none+1)
}

// mergeNone gives the lanes without indication to their neighbors.
func mergeNone(lanes []laneRange, none int) []laneRange {
	l := lanes[none]
	switch {
	case len(lanes) == 1:
		return lanes
	case none == 0:
		lanes[1].from = l.from
	case none+1 == len(lanes):
		lanes[none-1].to = l.to
	case l.to-l.from <= 1:
		lanes[none-1].to, lanes[none+1].from = l.from, l.to
	default:
		return lanes
	}
	return slices.Delete(lanes, none, none+1)
}

// renameNone gives the lanes without indication the one that the junction lets
// expect at their side of the road.
func renameNone(lanes []laneRange, none int, roads []Road) {
	var right, through, left bool
	for i := range roads {
		if m := roads[i].Instruction.Modifier(); roads[i].Allowed {
			right = right || m.Rightward()
			through = through || m == graph.Straight
			left = left || m.Leftward()
		}
	}
	l := &lanes[none]
	var before, after *laneRange
	if none > 0 {
		before = &lanes[none-1]
	}
	if none+1 < len(lanes) {
		after = &lanes[none+1]
	}
	switch {
	case before == nil:
		if right && (after == nil || after.tag != graph.LaneSharpRight && after.tag != graph.LaneRight) {
			l.tag = graph.LaneRight
			if after != nil && after.tag == graph.LaneStraight {
				after.from, l.to = l.from, l.from
			}
		} else if through && (after == nil || after.tag != graph.LaneStraight) {
			l.tag = graph.LaneStraight
		}
	case after == nil:
		if left && before.tag != graph.LaneSharpLeft && before.tag != graph.LaneLeft {
			l.tag = graph.LaneLeft
			if before.tag == graph.LaneStraight {
				before.to, l.from = l.to, l.to
			}
		} else if through && before.tag != graph.LaneStraight {
			l.tag = graph.LaneStraight
		}
	case after.tag&leftTags != 0 && before.tag&rightTags != 0:
		l.tag = graph.LaneStraight
	}
}
