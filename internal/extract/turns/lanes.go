package turns

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
)

const mergeTags = graph.LaneMergeLeft | graph.LaneMergeRight

// assignLanes finds the lanes that serve the turns from an edge. They may be
// tagged on the edge or, where a crossing of split roads is really one, on the
// edge before it.
func (w *Worker) assignLanes(via nbg.EdgeID, roads []Road) {
	in := &w.g.Edges[via]
	if len(roads) == 1 || in.Roundabout {
		return
	}
	for i := range roads {
		if roads[i].Instruction.Type().Roundabout() {
			return
		}
	}
	w.lanes = w.lanesOf(w.lanes[:0], in.Lanes)
	switch {
	case len(roads) == 2 && in.Lanes != noLanes && in.Lanes == w.edge(&roads[1]).Lanes && roads[1].bend() < fuzzyAngle,
		in.Lanes != noLanes && len(w.lanes) == 0,
		len(w.lanes) == 1 && w.lanes[0].tag == graph.LaneNone:
		return
	}
	previous, ok := w.previousJunction(via, roads)
	if ok {
		w.earlierLanes = w.lanesOf(w.earlierLanes[:0], w.g.Edges[previous].Lanes)
		w.assign(previous, w.previous)
		if slip, main := w.besideSliproad(via, w.previous); slip != nil {
			w.assignSliproadLanes(in.Lanes, roads, slip, main)
			return
		}
	}
	if hasTag(w.lanes, mergeTags) || w.noLaneToTurnRound(roads) {
		return
	}
	if len(w.lanes) > 0 {
		w.assignOwnLanes(in.Lanes, roads)
	} else if in.Lanes == noLanes && ok {
		w.assignEarlierLanes(previous, roads)
	}
}

func (w *Worker) lanesOf(dst []laneRange, description uint32) []laneRange {
	if description == noLanes {
		return dst
	}
	return appendLanes(dst, w.g.LaneDescriptions[description])
}

// noLaneToTurnRound says whether there are lanes for all turns but the U-turn.
func (w *Worker) noLaneToTurnRound(roads []Road) bool {
	return roads[0].Allowed && len(w.lanes)+1 == countAllowed(roads) &&
		!hasTag(w.lanes, graph.LaneNone|graph.LaneLeft|graph.LaneSharpLeft|graph.LaneUTurn)
}

// assignOwnLanes matches the lanes of the road that one comes from.
func (w *Worker) assignOwnLanes(description uint32, roads []Road) {
	turns := countAllowed(roads)
	if roads[0].Allowed && matchesInOrder(roads, w.lanes) {
		expected := turns
		if !hasTag(w.lanes, graph.LaneUTurn) {
			expected++
		}
		if len(w.lanes) != expected && !hasTag(w.lanes, graph.LaneNone) {
			last := w.lanes[len(w.lanes)-1].to
			w.lanes = append(w.lanes, laneRange{graph.LaneUTurn, last, last})
		}
	}
	lanes := w.lanes
	if !w.simple(lanes, roads) {
		if len(lanes) < turns {
			return
		}
		lanes, _ = w.partition(lanes, roads)
		if len(lanes) != turns || !w.simple(lanes, roads) {
			return
		}
	}
	w.matchInOrder(roads, explainNone(lanes, roads), described{left: description})
}

// assignEarlierLanes matches the lanes of the road before a junction that was
// passed shortly before.
func (w *Worker) assignEarlierLanes(previous nbg.EdgeID, roads []Road) {
	lanes := w.earlierLanes
	if len(lanes) == 0 || hasTag(lanes, mergeTags) {
		return
	}
	switch {
	case len(w.previous) == 2:
		if !w.simple(lanes, roads) {
			return
		}
	case len(lanes) < countAllowed(w.previous):
		return
	default:
		_, lanes = w.partition(lanes, w.previous)
		sortLanes(lanes)
		if len(lanes) != countAllowed(roads) || !w.simple(lanes, roads) {
			return
		}
	}
	w.matchInOrder(roads, explainNone(lanes, roads), described{left: w.g.Edges[previous].Lanes})
}

// besideSliproad returns the sliproad of a junction and its main road, if an
// edge is one of them.
func (w *Worker) besideSliproad(via nbg.EdgeID, roads []Road) (slip, main *Road) {
	for i := range roads {
		if roads[i].Instruction.Type() != graph.TurnSliproad {
			continue
		}
		if beside := besideRoad(roads, i); via == roads[i].Edge || via == beside.Edge {
			// The first sliproad counts, even if it is another.
			for k := range roads {
				if roads[k].Instruction.Type() == graph.TurnSliproad {
					return &roads[k], besideRoad(roads, k)
				}
			}
		}
	}
	return nil, nil
}

// besideRoad returns the neighbor of a road that is not the one one comes from,
// the nearer of two.
func besideRoad(roads []Road, i int) *Road {
	switch {
	case i+1 == len(roads):
		return &roads[i-1]
	case i == 1:
		return &roads[2]
	case geo.AngularDeviation(roads[i].Angle, roads[i-1].Angle) < geo.AngularDeviation(roads[i].Angle, roads[i+1].Angle):
		return &roads[i-1]
	}
	return &roads[i+1]
}

// assignSliproadLanes shows the lanes of a road and its sliproad as one.
func (w *Worker) assignSliproadLanes(description uint32, roads []Road, slip, main *Road) {
	left, right := w.edge(main).Lanes, w.edge(slip).Lanes
	if left == noLanes || right == noLanes {
		return
	}
	if main.Angle <= slip.Angle {
		left, right = right, left
	}
	if description == left {
		beside := uint8(min(len(w.g.LaneDescriptions[right]), 255))
		for i := range w.lanes {
			w.lanes[i].from += beside
			w.lanes[i].to += beside
		}
	}
	w.matchInOrder(roads, w.lanes, described{left, right})
}

// simple says whether lanes correspond to the turns of a junction without
// regard to the next one.
func (w *Worker) simple(lanes []laneRange, roads []Road) bool {
	if len(lanes) == 0 {
		return false
	}
	if len(roads) == 2 {
		merging := 0
		for i := range lanes {
			if lanes[i].tag&mergeTags != 0 {
				merging++
			}
		}
		return merging+1 >= len(lanes)
	}
	front, last := lanes[0].tag, lanes[len(lanes)-1].tag
	turns := countAllowed(roads)
	back := roads[0].Allowed
	if turns < len(lanes) && !back && last == graph.LaneUTurn {
		turns++
	}
	switch {
	case turns+2 <= len(lanes),
		turns+1 == len(lanes) && front != graph.LaneNone && last != graph.LaneNone,
		turns > len(lanes) && !hasTag(lanes, graph.LaneNone),
		turns > len(lanes) && back && !hasTag(lanes, graph.LaneUTurn) &&
			(last == graph.LaneLeft || last == graph.LaneSharpLeft):
		return false
	}
	var matched uint64
	count, hasNone := 0, false
	for i := range lanes {
		tag := lanes[i].tag
		if tag == graph.LaneNone {
			hasNone = true
			continue
		}
		best := 0
		switch {
		case tag != graph.LaneUTurn || len(lanes) == 1:
			best = bestMatch(tag, roads, 0)
		case i+1 == len(lanes):
			best = bestUTurn(lanes[i-1].tag, roads)
		case i == 0:
			best = bestUTurn(lanes[1].tag, roads)
		}
		r := &roads[best]
		outer := best == 0 || best+1 == len(roads)
		if best >= 64 || matched>>best&1 != 0 || !fits(tag, r.Instruction) ||
			!r.Allowed && !(outer && !w.edge(r).Reversed) {
			return false
		}
		matched |= 1 << best
		count++
	}
	return count == len(lanes) || count+1 == len(lanes) && hasNone
}

// maxPartition is the number of lanes up to which they are split.
const maxPartition = 16

// split says by lane range whether it serves turns of a junction, and of the next
// one straight on.
type split struct {
	here, ahead [maxPartition]bool
	countHere   int
	countAhead  int
	through     int // the range that leads straight on; the number of ranges if none does
}

// partition splits lanes into those that serve turns of a junction and those
// that serve turns of the next one straight on, as where a split road crosses.
// The results are valid until the next partition.
func (w *Worker) partition(lanes []laneRange, roads []Road) (here, ahead []laneRange) {
	straight := closest(roads, straightAngle)
	if !roads[straight].Allowed || len(lanes) > maxPartition {
		return lanes, nil
	}
	e := roads[straight].Edge
	w.next = appendRoads(w.next[:0], w.Ahead(e, false))
	w.assign(e, w.next)
	s, ok := splitLanes(lanes, roads, w.next, straight)
	if !ok {
		return lanes, nil
	}
	turnsAhead := countAllowed(w.next)
	s.shareNone(lanes, countAllowed(roads), turnsAhead)

	// What leads on to the next junction is straight on here.
	widen := func(l laneRange) laneRange {
		for i := range lanes {
			if s.ahead[i] {
				l.from, l.to = min(l.from, lanes[i].from), max(l.to, lanes[i].to)
			}
		}
		return l
	}
	w.first, w.second = w.first[:0], w.second[:0]
	for i := range lanes {
		if s.ahead[i] {
			w.second = append(w.second, lanes[i])
		}
		l := lanes[i]
		if i == s.through {
			l = widen(l)
		}
		if s.here[i] {
			w.first = append(w.first, l)
		}
	}
	if s.through == len(lanes) && turnsAhead > 0 && s.countAhead == turnsAhead {
		w.first = append(w.first, widen(laneRange{graph.LaneStraight, 255, 0}))
		sortLanes(w.first)
	}
	return w.first, w.second
}

// splitLanes finds for each lane the junction whose turns it serves: the one of
// roads, or the next one on the way straight on. It fails where a lane serves
// neither. Lanes without an indication are left out.
func splitLanes(lanes []laneRange, roads, next []Road, straight int) (s split, ok bool) {
	s.through = len(lanes)
	for i := range lanes {
		tag := lanes[i].tag
		if tag&(graph.LaneNone|graph.LaneUTurn) != 0 {
			continue
		}
		at, then := bestMatch(tag, roads, 0), bestMatch(tag, next, 0)
		if roads[at].Allowed && fits(tag, roads[at].Instruction) {
			s.here[i] = true
			if at == straight {
				s.through = i
			}
		}
		if next[then].Allowed && fits(tag, next[then].Instruction) &&
			(!s.here[i] || tag == graph.LaneStraight || mismatch(tag, &roads[at]) > mismatch(tag, &next[then])) {
			s.here[i] = s.here[i] && tag == graph.LaneStraight
			s.ahead[i] = true
		}
		if !s.here[i] && !s.ahead[i] {
			return s, false
		}
		if s.here[i] {
			s.countHere++
		}
		if s.ahead[i] {
			s.countAhead++
		}
	}
	return s, true
}

// shareNone adds the lanes without an indication where turns are left for them.
func (s *split) shareNone(lanes []laneRange, turnsHere, turnsAhead int) {
	none := findTag(lanes, graph.LaneNone)
	if none == len(lanes) {
		return
	}
	if s.through == len(lanes) {
		s.through = none
	}
	if s.countHere <= turnsHere {
		s.here[none] = true
	}
	if s.countAhead <= turnsAhead {
		s.ahead[none] = true
		s.countAhead++
	}
}

// previousJunction finds the junction right before an edge, on the way straight
// back, and sets w.previous to its roads as one sees them who comes from there.
// It returns the edge by which one does.
func (w *Worker) previousJunction(via nbg.EdgeID, roads []Road) (nbg.EdgeID, bool) {
	const close = 30.0 // meters
	g := w.g
	w.line = w.Trace(w.line[:0], via)
	if geo.Length(w.line) > close {
		return 0, false
	}
	v := w.Tail(via)
	back := roads[0].Edge
	if g.Edges[back].Head != v {
		return 0, false
	}
	w.previous = appendRoads(w.previous[:0], w.Ahead(back, true))
	straight := &w.previous[closest(w.previous, straightAngle)]
	if straight.bend() > groupAngle {
		return 0, false
	}
	onward := straight.Edge
	e := w.Ahead(onward, true)[0].Edge
	if g.Edges[e].Head != v || g.Edges[e].Reversed {
		return 0, false
	}
	w.previous = appendRoads(w.previous[:0], w.Ahead(e, false))
	for i := range w.previous {
		if w.previous[i].Edge == via {
			return e, true
		}
	}
	return 0, false
}
