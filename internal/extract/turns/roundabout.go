package turns

import (
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
)

// roundaboutKind is the kind of roundabout that a junction lies on.
type roundaboutKind uint8

const (
	noRoundabout roundaboutKind = iota
	plainRoundabout
	// rotary has a name of its own.
	rotary
	// roundaboutTurn is so small, with so clear exits, that a driver takes it
	// for a crossing.
	roundaboutTurn
)

// enter, enterAtExit, touch and exit are the types of turns by kind.
var (
	enter       = [...]graph.TurnType{graph.TurnInvalid, graph.EnterRoundabout, graph.EnterRotary, graph.EnterRoundaboutTurn}
	enterAtExit = [...]graph.TurnType{graph.TurnInvalid, graph.EnterRoundaboutAtExit, graph.EnterRotaryAtExit, graph.EnterRoundaboutTurnAtExit}
	touch       = [...]graph.TurnType{graph.TurnInvalid, graph.TouchRoundabout, graph.TouchRotary, graph.TouchRoundaboutTurn}
	exit        = [...]graph.TurnType{graph.TurnInvalid, graph.ExitRoundabout, graph.ExitRotary, graph.ExitRoundaboutTurn}
)

// roundabout gathers what is seen on the way around.
type roundabout struct {
	junctions []nbg.NodeID
	names     []uint32 // labels of the roundabout that name different streets
	others    []uint32 // labels of roads that meet it
	bearings  []float64
}

func circular(e *nbg.Edge) bool { return e.Roundabout || e.Circular }

// roundaboutAt returns the kind of the roundabout that one is on, or may enter.
func (w *Worker) roundaboutAt(via nbg.EdgeID, roads []Road) roundaboutKind {
	in := &w.g.Edges[via]
	on := circular(in)
	for i := range roads {
		if out := w.edge(&roads[i]); circular(out) && !out.Reversed && roads[i].Allowed {
			on = true
		}
	}
	if !on {
		return noRoundabout
	}
	return w.roundaboutKind(in.Head)
}

// maxRadius bounds roundabouts, in meters, that may be taken for a crossing,
// and those that need no name even if they have one.
const maxRadius = 15

// roundaboutKind follows a roundabout around from a junction.
func (w *Worker) roundaboutKind(start nbg.NodeID) roundaboutKind {
	r := &w.round
	r.junctions, r.names, r.others = r.junctions[:0], r.names[:0], r.others[:0]
	var isRoundabout, isCircular bool
	first, end := w.g.Out(start)
	for e := first; e < end; e++ {
		isRoundabout = isRoundabout || w.g.Edges[e].Roundabout
		isCircular = isCircular || w.g.Edges[e].Circular
	}
	if isRoundabout == isCircular {
		return noRoundabout
	}
	const maxHops = 1000
	length := 0.0
	at := start
	for hops := 0; !slices.Contains(r.junctions, at); hops++ {
		if hops == maxHops {
			return noRoundabout
		}
		if w.g.Degree(at) > 2 {
			r.junctions = append(r.junctions, at)
		}
		e, ok := w.around(at, isRoundabout)
		if !ok {
			return noRoundabout
		}
		w.line = w.Trace(w.line[:0], e)
		length += geo.Length(w.line)
		if at = w.g.Edges[e].Head; at == start {
			break
		}
	}
	switch {
	case len(r.junctions) == 0:
		return noRoundabout
	case len(r.junctions) == 1 && isRoundabout:
		return roundaboutTurn
	}
	radius := length / (2 * math.Pi)
	if len(r.names) == 1 && (isCircular || radius > maxRadius && !slices.Contains(r.others, r.names[0])) {
		return rotary
	}
	switch {
	case isCircular:
		return noRoundabout
	case radius < maxRadius && w.clearExits():
		return roundaboutTurn
	}
	return plainRoundabout
}

// around returns the edge on which the roundabout goes on, if it is a simple
// one, and notes the names of roads.
func (w *Worker) around(at nbg.NodeID, isRoundabout bool) (next nbg.EdgeID, ok bool) {
	r := &w.round
	first, end := w.g.Out(at)
	parts := 0
	for e := first; e < end; e++ {
		if circular(&w.g.Edges[e]) {
			parts++
		}
	}
	if parts != 2 {
		return 0, false
	}
	for e := first; e < end; e++ {
		edge := &w.g.Edges[e]
		switch {
		case !edge.Reversed && edge.Roundabout == isRoundabout && edge.Circular != isRoundabout:
			if ok {
				return 0, false
			}
			if !w.Nameless(edge.Names) && !slices.ContainsFunc(r.names, func(name uint32) bool {
				return !w.NameChanges(name, edge.Names)
			}) {
				r.names = append(r.names, edge.Names)
			}
			next, ok = e, true
		case !circular(edge):
			r.others = append(r.others, edge.Names)
		}
	}
	return next, ok
}

// clearExits says whether a roundabout has few exits, at clearly different
// bearings.
func (w *Worker) clearExits() bool {
	r := &w.round
	if len(r.junctions) > 4 {
		return false
	}
	for _, n := range r.junctions {
		if w.g.Degree(n) > 3 {
			return false
		}
	}
	r.bearings = r.bearings[:0]
	for _, n := range r.junctions {
		for _, arm := range w.ArmsOf(n) {
			if !circular(&w.g.Edges[arm.Edge]) {
				r.bearings = append(r.bearings, arm.Perceived)
				break
			}
		}
	}
	slices.Sort(r.bearings)
	for i, b := range r.bearings {
		next := r.bearings[(i+1)%len(r.bearings)]
		if math.Abs(next-b) <= narrowTurn {
			return false
		}
	}
	return true
}

// assignRoundabout names turns at a roundabout.
func (w *Worker) assignRoundabout(kind roundaboutKind, via nbg.EdgeID, roads []Road) {
	if circular(&w.g.Edges[via]) {
		w.leaveRoundabout(kind, w.g.Edges[via].Head, roads)
	} else {
		w.enterRoundabout(kind, via, roads)
	}
}

func (w *Worker) leaveRoundabout(kind roundaboutKind, at nbg.NodeID, roads []Road) {
	exits, counted := 0, false
	first, end := w.g.Out(at)
	for e := first; e < end; e++ {
		if edge := &w.g.Edges[e]; !edge.Reversed {
			exits++
			counted = counted || !circular(edge) && !edge.Class.MayBeIgnored
		}
	}
	for i := range roads {
		r := &roads[i]
		out := w.edge(r)
		switch {
		case !circular(out):
			r.say(exit[kind], r.direction())
		case exits == 1 && len(roads) == 2:
			r.say(graph.TurnNone, graph.UTurn)
		case exits > 1 && (out.Class.MayBeIgnored || counted):
			r.say(graph.StayOnRoundabout, r.direction())
		default:
			r.say(graph.TurnSuppressed, r.direction())
		}
	}
}

func (w *Worker) enterRoundabout(kind roundaboutKind, via nbg.EdgeID, roads []Road) {
	in := &w.g.Edges[via]
	from := w.Tail(via)
	// Roads are passed in the order in which the roundabout turns.
	turn := func(i int) int { return i }
	if in.LeftHand {
		turn = func(i int) int { return len(roads) - 1 - i }
	}
	separate := false // one could leave before the entry
	for k := range roads {
		r := &roads[turn(k)]
		out := w.edge(r)
		if out.Reversed || !r.Allowed {
			continue
		}
		if circular(out) {
			break
		}
		if out.Head != from {
			separate = true
			break
		}
	}
	crossing := false
	for k := range roads {
		r := &roads[turn(k)]
		onto := circular(w.edge(r))
		if onto {
			crossing = !crossing
		}
		switch {
		case !r.Allowed:
		case onto && separate:
			r.say(enterAtExit[kind], r.direction())
		case onto:
			r.say(enter[kind], r.direction())
		case crossing && r.bend() < fuzzyAngle:
			w.sayObvious(len(roads), via, w.throughStreet(roads, turn(k)), r)
		default:
			r.say(touch[kind], r.direction())
		}
	}
}
