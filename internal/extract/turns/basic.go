package turns

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
)

// basicType tells ramps, turns on the same road, and other turns apart.
func (w *Worker) basicType(via nbg.EdgeID, r *Road) graph.TurnType {
	in, out := &w.g.Edges[via], w.edge(r)
	switch {
	case !ramp(&in.Class) && ramp(&out.Class):
		return graph.TurnOnRamp
	case w.sameStreet(via, r):
		return graph.TurnContinue
	}
	return graph.TurnPlain
}

// sameStreet says whether a road has the name of the one that one comes from.
func (w *Worker) sameStreet(via nbg.EdgeID, r *Road) bool {
	in, out := &w.g.Edges[via], w.edge(r)
	return !w.Nameless(in.Names) && !w.Nameless(out.Names) && !w.NameChanges(in.Names, out.Names)
}

// basic names a turn by its angle and basic type.
func (w *Worker) basic(via nbg.EdgeID, r *Road) { r.say(w.basicType(via, r), r.direction()) }

// basicToward names a turn by its basic type.
func (w *Worker) basicToward(via nbg.EdgeID, r *Road, m graph.Modifier) {
	r.say(w.basicType(via, r), m)
}

// sayObvious names the turn into an obvious road, of a junction with so many
// roads. Through says that it belongs to a street that crosses here.
func (w *Worker) sayObvious(roads int, via nbg.EdgeID, through bool, r *Road) {
	r.Instruction = w.obviousInstruction(roads, via, through, r)
}

func (w *Worker) obviousInstruction(roads int, via nbg.EdgeID, through bool, r *Road) graph.Instruction {
	in, out := &w.g.Edges[via], w.edge(r)
	kind := w.basicType(via, r)
	direction := r.direction()
	quiet := graph.TurnSuppressed
	switch {
	case in.Mode != out.Mode:
		quiet = graph.TurnNotification
	case roads == 2 && in.Classes == out.Classes:
		quiet = graph.TurnNone
	}
	switch {
	case kind == graph.TurnOnRamp:
		return graph.MakeInstruction(kind, direction)
	case geo.AngularDeviation(r.Angle, 0) < 0.01:
		return graph.MakeInstruction(graph.TurnContinue, graph.UTurn)
	case kind == graph.TurnContinue || !w.NameChanges(in.Names, out.Names):
		return graph.MakeInstruction(quiet, direction)
	case !through && in.Mode != out.Mode:
		return graph.MakeInstruction(graph.TurnNotification, direction)
	case !through:
		return graph.MakeInstruction(graph.TurnNewName, direction)
	case motorway(&out.Class):
		// Traffic to merge with comes from the other side.
		if r.Angle > straightAngle {
			return graph.MakeInstruction(graph.TurnMerge, graph.SlightRight)
		}
		return graph.MakeInstruction(graph.TurnMerge, graph.SlightLeft)
	case ramp(&in.Class) && ramp(&out.Class):
		if in.Mode != out.Mode {
			return graph.MakeInstruction(graph.TurnNotification, direction)
		}
		return graph.MakeInstruction(graph.TurnSuppressed, direction)
	}
	// A slight turn onto a street that crosses is straight on, unless the
	// next junction is so close that both will be told as one.
	const close = 60.0 // meters
	if r.bend() < narrowTurn && geo.Distance(w.g.Coords[in.Head], w.g.Coords[out.Head]) > close {
		direction = graph.Straight
	}
	return graph.MakeInstruction(graph.TurnPlain, direction)
}

// assignFork names the turns into two roads of a fork.
func (w *Worker) assignFork(via nbg.EdgeID, left, right *Road) {
	w.forkSide(via, left, right, graph.SlightLeft)
	w.forkSide(via, right, left, graph.SlightRight)
}

func (w *Worker) forkSide(via nbg.EdgeID, r, other *Road, m graph.Modifier) {
	minor, otherMinor := w.edge(r).Class.MayBeIgnored, w.edge(other).Class.MayBeIgnored
	switch {
	case otherMinor && !minor:
		r.say(w.quietType(via, r), m)
	case minor && !otherMinor:
		r.say(graph.TurnPlain, m)
	default:
		r.say(graph.TurnFork, m)
	}
}

// quietType says nothing unless the mode of travel changes.
func (w *Worker) quietType(via nbg.EdgeID, r *Road) graph.TurnType {
	if w.g.Edges[via].Mode != w.edge(r).Mode {
		return graph.TurnNotification
	}
	return graph.TurnSuppressed
}

// assignTripleFork names the turns into three roads of a fork, as far as they
// are allowed.
func (w *Worker) assignTripleFork(via nbg.EdgeID, left, center, right *Road) {
	switch {
	case left.Allowed && center.Allowed && right.Allowed:
		left.say(graph.TurnFork, graph.SlightLeft)
		center.say(graph.TurnFork, graph.Straight)
		if center.bend() < noTurn && !w.differs(via, center.Edge) {
			center.say(w.quietType(via, center), graph.Straight)
		}
		right.say(graph.TurnFork, graph.SlightRight)
	case left.Allowed && right.Allowed:
		w.assignFork(via, left, right)
	case left.Allowed && center.Allowed:
		w.assignFork(via, left, center)
	case right.Allowed && center.Allowed:
		w.assignFork(via, center, right)
	default:
		for _, r := range [...]*Road{left, center, right} {
			if r.Allowed {
				w.basic(via, r)
			}
		}
	}
}

// differs says whether anything that an answer shows changes between edges.
func (w *Worker) differs(from, to nbg.EdgeID) bool {
	a, b := &w.g.Edges[from], &w.g.Edges[to]
	return a.Reversed != b.Reversed || !sameClass(&a.Class, &b.Class) ||
		a.Roundabout != b.Roundabout || a.Circular != b.Circular ||
		a.StartPoint != b.StartPoint || a.Restricted != b.Restricted ||
		a.Split != b.Split || w.oneWay(a) != w.oneWay(b) ||
		a.Names != b.Names || a.Classes != b.Classes || a.Mode != b.Mode || a.LeftHand != b.LeftHand
}

func (w *Worker) oneWay(e *nbg.Edge) bool { return e.Reversed || w.g.Edges[e.Twin].Reversed }
