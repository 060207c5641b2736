package turns

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/junction"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
)

// A sliproad leaves a road before a crossing and joins the crossing road
// behind it:
//
//	        c
//	       /|
//	from--s-m--
//	        |
//
// where s is the junction, m the crossing on the main road, and c the target
// of the sliproad.

// assignSliproads marks the turns into sliproads.
func (w *Worker) assignSliproads(via nbg.EdgeID, roads []Road) {
	at := w.g.Edges[via].Head
	obvious := w.obviousBesideSliproad(via, roads)
	if obvious == 0 {
		return
	}
	main := roads[obvious]
	if !w.goesOn(via, main.Edge) {
		return
	}
	candidates := false
	for i := range roads {
		candidates = candidates || w.mayBeSliproad(&roads[i], &main)
	}
	if !candidates || w.tooFar(main.Edge) {
		return
	}
	crossing, ok := w.nextJunction(main.Edge, &w.mainAhead)
	if !ok || deadEnd(w.mainAhead) || crossing == at {
		return
	}
	found := false
	for i := 1; i < len(roads); i++ {
		if i != obvious-1 && i != (obvious+1)%len(roads) {
			continue
		}
		if w.sliproad(via, roads, i, obvious, crossing) {
			roads[i].Instruction = roads[i].Instruction.With(graph.TurnSliproad)
			found = true
		}
	}
	if found && main.Instruction.Type() == graph.TurnFork {
		w.demoteFork(via, &roads[obvious])
	}
}

// demoteFork names the main road where the other side of what looked like a
// fork is a sliproad.
func (w *Worker) demoteFork(via nbg.EdgeID, main *Road) {
	switch {
	case w.sameStreet(via, main) && main.bend() < 5:
		main.say(graph.TurnSuppressed, main.direction())
	case w.sameStreet(via, main):
		main.say(graph.TurnContinue, main.direction())
	case !w.Nameless(w.edge(main).Names):
		main.say(graph.TurnNewName, main.direction())
	default:
		main.Instruction = main.Instruction.With(graph.TurnSuppressed)
	}
}

// mayBeSliproad says whether a road leaves beside the main one.
func (w *Worker) mayBeSliproad(r, main *Road) bool {
	return r.Allowed && !r.Instruction.Type().Roundabout() && r.bend() <= 2*narrowTurn &&
		geo.AngularDeviation(main.Angle, r.Angle) > 0x1p-52 && !w.edge(r).Roundabout
}

// goesOn says whether an edge goes on as another: name, rank and mode.
func (w *Worker) goesOn(from, to nbg.EdgeID) bool {
	a, b := &w.g.Edges[from], &w.g.Edges[to]
	return sameClass(&a.Class, &b.Class) && a.Mode == b.Mode &&
		a.Names != 0 && b.Names != 0 && !w.NameChanges(a.Names, b.Names)
}

// obviousBesideSliproad returns the index of the obvious road, also where it
// seems to fork into itself and a sliproad; 0 if there is none.
func (w *Worker) obviousBesideSliproad(via nbg.EdgeID, roads []Road) int {
	if i := w.obvious(via, roads); i > 0 {
		return i
	}
	if len(roads) != 3 || roads[1].Instruction.Type() != graph.TurnFork || roads[2].Instruction.Type() != graph.TurnFork {
		return 0
	}
	at := w.g.Edges[via].Head
	first, ok1 := w.nextJunction(roads[1].Edge, &w.mainAhead)
	second, ok2 := w.nextJunction(roads[2].Edge, &w.slipAhead)
	switch {
	case !ok1 || !ok2 || deadEnd(w.mainAhead) || deadEnd(w.slipAhead):
		return 0
	case mayEndSliproad(w.mainAhead) && at != second:
		return 2
	case mayEndSliproad(w.slipAhead) && at != first:
		return 1
	}
	return 0
}

// mayEndSliproad says whether a junction leaves no choice.
func mayEndSliproad(roads []Road) bool {
	return len(roads) == 3 && !roads[0].Allowed && !(roads[1].Allowed && roads[2].Allowed)
}

// nextJunction sets roads to the view of the next junction along an edge, and
// returns its node. It fails where there is none with a choice.
func (w *Worker) nextJunction(e nbg.EdgeID, roads *[]Road) (nbg.NodeID, bool) {
	e = w.PastDegreeTwo(e)
	*roads = appendRoads((*roads)[:0], w.Ahead(e, false))
	return w.g.Edges[e].Head, len(*roads) > 2
}

// passes says whether nothing but an obstacle, such as a signal, is at the
// place of a view.
func passes(view []junction.Turn) bool { return len(view) == 2 }

// tooFar says whether the next junction is so far that a sliproad cannot lead
// around it. It looks past signals only.
func (w *Worker) tooFar(e nbg.EdgeID) bool {
	limit := sliproadReach(&w.g.Edges[e].Class)
	start := w.Tail(e)
	length := 0.0
	for range maxSignals {
		w.line = w.Trace(w.line[:0], e)
		length += geo.Length(w.line)
		if w.g.Edges[e].Head == start {
			return false
		}
		view := w.Ahead(e, true)
		if !passes(view) {
			return false
		}
		if length > limit {
			return true
		}
		e = view[1].Edge
	}
	return false
}

// maxSignals ends walks that go in circles.
const maxSignals = 1000

// sliproadReach is how far a sliproad may lead, in meters, by the rank of a
// road.
func sliproadReach(c *nbg.RoadClass) float64 {
	const most = 250
	switch c.Priority {
	case priorityMotorway:
		return most * 1.0
	case priorityTrunk, priorityPrimary:
		return most * 0.8
	case prioritySecondary:
		return most * 0.6
	case priorityTertiary:
		return most * 0.5
	case priorityMainResidential:
		return most * 0.4
	case prioritySideResidential, priorityMotorwayLink, priorityTrunkLink, priorityPrimaryLink,
		prioritySecondaryLink, priorityTertiaryLink, priorityLinkRoad:
		return most * 0.3
	}
	return most * 0.1
}

// sliproad says whether roads[index] is a sliproad around the crossing on
// roads[obvious], whose view is w.mainAhead.
func (w *Worker) sliproad(via nbg.EdgeID, roads []Road, index, obvious int, crossing nbg.NodeID) bool {
	at := w.g.Edges[via].Head
	road, main := &roads[index], &roads[obvious]
	out := w.edge(road)
	left := index > obvious
	crossed := rightmost(w.mainAhead)
	if left {
		crossed = leftmost(w.mainAhead)
	}
	if w.edge(crossed).Reversed || out.Class.MayBeIgnored || out.Reversed || !w.mayBeSliproad(road, main) {
		return false
	}
	end := w.pastSignals(road.Edge)
	target := w.slipAhead
	if deadEnd(target) || len(target) < 3 || len(target) > 4 || !w.keepsModeTo(via, road, target) {
		return false
	}
	to := w.g.Edges[end].Head
	if to == at || to == crossing {
		return false
	}
	if len(target) == 4 && !w.endsOnSplitRoad(target, crossed, left, to) {
		return false
	}
	onto := w.obvious(end, target)
	if onto == 0 || target[onto].bend() > 2*narrowTurn || w.edge(&target[onto]).Roundabout {
		return false
	}
	if !w.hugs(road, crossed, left, at, crossing, end) || !w.validArea(&out.Class, at, crossing, to) {
		return false
	}
	for i := range target {
		if w.joins(road, main, &target[i], crossed, crossing) {
			return true
		}
	}
	return false
}

// pastSignals follows a sliproad to its end, sets w.slipAhead to the view
// there, and returns the edge that reached it.
func (w *Worker) pastSignals(e nbg.EdgeID) nbg.EdgeID {
	const maxHops = 10
	start := w.Tail(e)
	for hops := 1; ; hops++ {
		view := w.Ahead(e, true)
		if w.g.Edges[e].Head == start || !passes(view) || hops == maxHops {
			w.slipAhead = appendRoads(w.slipAhead[:0], view)
			return e
		}
		e = view[1].Edge
	}
}

// keepsModeTo says whether the mode of travel stays the same over a sliproad.
func (w *Worker) keepsModeTo(via nbg.EdgeID, road *Road, target []Road) bool {
	mode := w.edge(road).Mode
	for i := range target {
		if target[i].Allowed {
			return w.g.Edges[via].Mode == mode && w.edge(&target[i]).Mode == mode
		}
	}
	return false
}

// endsOnSplitRoad says whether a sliproad ends where a split road crosses: both
// carriageways of the crossed road lead from the crossing to its target.
func (w *Worker) endsOnSplitRoad(target []Road, crossed *Road, left bool, to nbg.NodeID) bool {
	if len(w.mainAhead) < 3 || to != w.edge(crossed).Head {
		return false
	}
	beside := &w.mainAhead[2]
	if left {
		beside = &w.mainAhead[len(w.mainAhead)-2]
	}
	for i := range target {
		r := &target[i]
		if w.edge(r).Head == w.edge(beside).Head && (r.direction() == graph.SharpRight || r.direction() == graph.SharpLeft) {
			return true
		}
	}
	return false
}

// hugs says whether a sliproad curves toward the road that it joins.
func (w *Worker) hugs(road, crossed *Road, left bool, at, crossing nbg.NodeID, end nbg.EdgeID) bool {
	const (
		minLength = 3.0  // meters of main road, below which nothing can be said
		minAngle  = 40.0 // of the crossing
	)
	w.line = w.Trace(w.line[:0], end)
	line := w.line
	if len(line) < 2 {
		return false
	}
	line[0] = w.g.Coords[at]
	if geo.Distance(w.g.Coords[at], w.g.Coords[crossing]) < minLength {
		return true
	}
	last := len(line) - 1
	for _, c := range line[1:last] {
		if geo.CounterClockwise(line[0], c, line[last]) != left {
			return false
		}
	}
	return crossed.bend() <= 180-minAngle || w.edge(road).Class.Link
}

// validArea says whether the triangle of sliproad and crossing is neither too
// small nor too large.
func (w *Worker) validArea(c *nbg.RoadClass, at, crossing, to nbg.NodeID) bool {
	const minArea = 3.0
	reach := sliproadReach(c)
	coords := w.g.Coords
	area := geo.Distance(coords[at], coords[crossing]) * geo.Distance(coords[crossing], coords[to]) / 2
	return area >= minArea && area <= reach*reach
}

// joins says whether a road at the end of a sliproad leads to the crossing, as
// the road that was meant to be reached.
func (w *Worker) joins(road, main, r, crossed *Road, crossing nbg.NodeID) bool {
	out, onto := w.edge(road), w.edge(r)
	known := false
	for i := range w.mainAhead {
		known = known || !w.NameChanges(w.edge(&w.mainAhead[i]).Names, onto.Names)
	}
	if !known {
		return false
	}
	mainName := w.edge(main).Names
	if !out.Class.Link && !w.Nameless(out.Names) && !w.Nameless(mainName) && !w.Nameless(onto.Names) &&
		w.NameChanges(mainName, out.Names) && w.NameChanges(out.Names, onto.Names) {
		return false // a street of its own
	}
	if out.Class.Link && onto.Class.Link {
		return false
	}
	if onto.Head == crossing {
		return true
	}
	if onto.Head == w.edge(crossed).Head && geo.AngleBetween(r.Perceived, crossed.Perceived) < fuzzyAngle &&
		(r.direction() == graph.SharpRight || r.direction() == graph.SharpLeft) {
		return true
	}
	view := w.Ahead(r.Edge, false)
	return passes(view) && w.g.Edges[view[1].Edge].Head == crossing
}
