package turns

import (
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// fits says whether lanes with an indication may serve a turn.
func fits(tag graph.LaneMask, i graph.Instruction) bool {
	t, m := i.Type(), i.Modifier()
	merge := t == graph.TurnMerge
	switch {
	case tag == graph.LaneUTurn:
		return m.Leftward() || m == graph.UTurn
	case tag == graph.LaneStraight:
		slight := m == graph.SlightLeft || m == graph.SlightRight
		return m == graph.Straight || t == graph.TurnSuppressed || t == graph.TurnNewName ||
			t == graph.StayOnRoundabout || t.EntersRoundabout() ||
			slight && (t == graph.TurnFork || t == graph.TurnContinue)
	case tag == graph.LaneRight || tag == graph.LaneSlightRight || tag == graph.LaneSharpRight:
		if merge {
			return m.Leftward()
		}
		return t.LeavesRoundabout() || m.Rightward()
	case tag == graph.LaneLeft || tag == graph.LaneSlightLeft || tag == graph.LaneSharpLeft:
		if merge {
			return m.Rightward()
		}
		return t == graph.StayOnRoundabout || m.Leftward()
	}
	return false
}

// mismatch is by how many degrees a turn is off what lanes with an indication
// let expect.
func mismatch(tag graph.LaneMask, r *Road) float64 {
	ideal := [...]float64{0, 35, 90, 135, 180, 225, 270, 315}
	m := slices.Index(tagOf[:], tag)
	switch {
	case tag == graph.LaneMergeLeft || tag == graph.LaneMergeRight:
		m = int(graph.Straight)
	case m < 0:
		m = int(graph.UTurn)
	}
	return geo.AngularDeviation(ideal[m], r.Angle)
}

// bestMatch returns the index of the road, from first on, that lanes with an
// indication serve best.
func bestMatch(tag graph.LaneMask, roads []Road, first int) int {
	best := first
	for i := first + 1; i < len(roads); i++ {
		a, b := &roads[i], &roads[best]
		fa, fb := fits(tag, a.Instruction), fits(tag, b.Instruction)
		switch {
		case fa != fb:
			if fa {
				best = i
			}
		case a.Allowed != b.Allowed:
			if a.Allowed {
				best = i
			}
		case mismatch(tag, a) < mismatch(tag, b):
			best = i
		}
	}
	return best
}

// bestUTurn returns the index of the road that lanes for turning round serve,
// if the lanes beside them have an indication.
func bestUTurn(neighbor graph.LaneMask, roads []Road) int {
	at := bestMatch(neighbor, roads, 0)
	if at+1 == len(roads) {
		return 0
	}
	return bestMatch(graph.LaneUTurn, roads, at)
}

// matchesInOrder says whether lanes and turns correspond one by one.
func matchesInOrder(roads []Road, lanes []laneRange) bool {
	lane := 0
	if len(lanes) > 0 && lanes[0].tag == graph.LaneUTurn && roads[0].Allowed {
		lane = 1
	}
	for i := 1; i < len(roads) && lane < len(lanes); i++ {
		if !roads[i].Allowed {
			continue
		}
		if tag := lanes[lane].tag; !fits(tag, roads[i].Instruction) || bestMatch(tag, roads, 0) != i {
			return false
		}
		lane++
	}
	return lane == len(lanes) || lane+1 == len(lanes) && lanes[lane].tag == graph.LaneUTurn
}

// matchInOrder gives the turns their lanes, if they correspond one by one.
func (w *Worker) matchInOrder(roads []Road, lanes []laneRange, d described) {
	if len(lanes) == 0 || !matchesInOrder(roads, lanes) {
		return
	}
	use := func(r *Road, l laneRange) {
		r.Lanes = LaneUse{Left: d.left, Right: d.right, Count: l.to - l.from + 1, First: l.from}
	}
	turnRound := func(r *Road) {
		r.say(graph.TurnContinue, graph.UTurn)
		use(r, lanes[len(lanes)-1])
	}
	back := &roads[0]
	oneWay := w.edge(back).Reversed
	lane, first := 0, 1
	if lanes[0].tag == graph.LaneUTurn {
		if !back.Allowed {
			return
		}
		if oneWay {
			// One turns round into the other carriageway.
			if !roads[1].Allowed || roads[1].Instruction.Modifier() != graph.SharpRight {
				return
			}
			back, first = &roads[1], 2
		}
		turnRound(back)
		lane = 1
	}
	for i := first; i < len(roads) && lane < len(lanes); i++ {
		if roads[i].Allowed {
			use(&roads[i], lanes[lane])
			lane++
		}
	}
	if lane+1 != len(lanes) || lanes[lane].tag != graph.LaneUTurn {
		return
	}
	back = &roads[0]
	if oneWay {
		back = &roads[len(roads)-1]
		if !back.Allowed || back.Instruction.Modifier() != graph.SharpLeft {
			return
		}
	}
	turnRound(back)
}
