package turns

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
)

// motorwayJunction says whether only motorways and ramps meet, at angles that
// one can drive fast.
func (w *Worker) motorwayJunction(via nbg.EdgeID, roads []Road) bool {
	from := motorway(&w.g.Edges[via].Class)
	onto := false
	for i := range roads {
		r := &roads[i]
		c := &w.edge(r).Class
		switch {
		case r.Allowed && r.bend() > 60:
			return false
		case motorway(c):
			onto = onto || r.Allowed
		case !ramp(c) && !(from && c.Link):
			return false
		}
	}
	return onto || from
}

func (w *Worker) assignMotorway(via nbg.EdgeID, roads []Road) {
	if motorway(&w.g.Edges[via].Class) {
		w.fromMotorway(via, roads)
		leaveByRamps(roads)
	} else {
		w.fromRamp(via, roads)
	}
}

// leaveByRamps tells ramps from those that lead onto a motorway.
func leaveByRamps(roads []Road) {
	for i := range roads {
		if r := &roads[i]; r.Instruction.Type() == graph.TurnOnRamp {
			r.Instruction = r.Instruction.With(graph.TurnOffRamp)
		}
	}
}

// onward returns the angle at which a motorway goes on; that of roads[0] if it
// does not.
func (w *Worker) onward(in *nbg.Edge, roads []Road) float64 {
	for i := range roads {
		r, out := &roads[i], w.edge(&roads[i])
		if r.Allowed && r.Angle != 0 && in.Names != 0 && out.Names != 0 &&
			motorway(&out.Class) && !w.NameChanges(in.Names, out.Names) {
			if r.Angle != roads[0].Angle {
				return r.Angle
			}
			break
		}
	}
	angle, least := roads[0].Angle, 180.0
	for i := range roads {
		if r := &roads[i]; motorway(&w.edge(r).Class) && r.bend() < least {
			angle, least = r.Angle, r.bend()
		}
	}
	return angle
}

func (w *Worker) fromMotorway(via nbg.EdgeID, roads []Road) {
	onward := w.onward(&w.g.Edges[via], roads)
	if onward == roads[0].Angle {
		w.motorwayEnds(via, roads)
		return
	}
	allowed := 0
	var motorways [4]int
	exits := 0
	for i := range roads {
		if !roads[i].Allowed {
			continue
		}
		allowed++
		if motorway(&w.edge(&roads[i]).Class) {
			if exits < len(motorways) {
				motorways[exits] = i
			}
			exits++
		}
	}
	switch {
	case exits == 0:
		for i := range roads {
			if r := &roads[i]; r.Allowed {
				r.say(graph.TurnSuppressed, r.direction())
			}
		}
	case exits == 1 || exits != allowed:
		w.passExits(via, roads, onward)
	case exits == 2:
		w.assignFork(via, &roads[motorways[1]], &roads[motorways[0]])
	case exits == 3:
		w.assignTripleFork(via, &roads[motorways[2]], &roads[motorways[1]], &roads[motorways[0]])
	default:
		w.motorwayFallback(roads)
	}
}

// passExits names the turns where a motorway goes on past exits.
func (w *Worker) passExits(via nbg.EdgeID, roads []Road, onward float64) {
	through := w.throughStreet(roads, 1)
	if len(roads) == 2 {
		w.sayObvious(2, via, through, &roads[1])
		return
	}
	for i := range roads {
		r := &roads[i]
		if !r.Allowed {
			continue
		}
		kind := graph.TurnPlain
		if c := &w.edge(r).Class; ramp(c) || c.Link {
			kind = graph.TurnOffRamp
		}
		switch {
		case r.Angle == onward:
			w.sayObvious(len(roads), via, through, r)
		case r.Angle < onward && r.Angle < 145:
			r.say(kind, graph.Right)
		case r.Angle < onward:
			r.say(kind, graph.SlightRight)
		case r.Angle > 215:
			r.say(kind, graph.Left)
		default:
			r.say(kind, graph.SlightLeft)
		}
	}
}

// motorwayEnds names the turns where no motorway goes on.
func (w *Worker) motorwayEnds(via nbg.EdgeID, roads []Road) {
	class := func(i int) *nbg.RoadClass { return &w.edge(&roads[i]).Class }
	pass := func(r *Road) { r.say(graph.TurnNone, r.direction()) }
	switch n := len(roads); {
	case n == 2:
		pass(&roads[1])
	case n == 3 && roads[1].Allowed && roads[2].Allowed:
		w.assignFork(via, &roads[2], &roads[1])
	case n == 3 && roads[1].Allowed:
		pass(&roads[1])
	case n == 3:
		pass(&roads[2])
	case n == 4 && sameClass(class(1), class(2)) && sameClass(class(2), class(3)):
		w.assignTripleFork(via, &roads[3], &roads[2], &roads[1])
	default:
		w.motorwayFallback(roads)
	}
}

func (w *Worker) fromRamp(via nbg.EdgeID, roads []Road) {
	allowed := countAllowed(roads)
	switch n := len(roads); {
	case n == 2 && allowed == 1:
		w.sayObvious(2, via, w.throughStreet(roads, 1), &roads[1])
	case n == 3 && allowed == 1:
		w.mergeFromRamp(via, roads)
	case n == 3:
		right, left := &roads[1], &roads[2]
		if motorway(&w.edge(right).Class) && !motorway(&w.edge(left).Class) {
			right.say(graph.TurnPlain, graph.SlightRight)
			left.say(graph.TurnContinue, graph.SlightLeft)
		} else {
			w.assignFork(via, left, right)
		}
	case n == 4:
		passed := false // the arriving part of the motorway
		for i := range roads {
			r := &roads[i]
			switch {
			case !motorway(&w.edge(r).Class):
				r.say(graph.TurnOffRamp, r.direction())
			case !r.Allowed:
				passed = true
			case passed:
				r.say(graph.TurnMerge, graph.SlightRight)
			default:
				r.say(graph.TurnMerge, graph.SlightLeft)
			}
		}
	default:
		w.motorwayFallback(roads)
	}
}

// mergeFromRamp names the turn where a ramp meets two roads, one of which may
// be entered.
func (w *Worker) mergeFromRamp(via nbg.EdgeID, roads []Road) {
	at, side := 1, graph.SlightLeft
	if !roads[1].Allowed {
		at, side = 2, graph.SlightRight
	}
	r := &roads[at]
	first, second := w.edge(&roads[1]).Names, w.edge(&roads[2]).Names
	switch {
	case !motorway(&w.edge(r).Class) || w.Nameless(first) || w.Nameless(second) || w.NameChanges(second, first):
		w.sayObvious(3, via, w.throughStreet(roads, at), r)
	case r.bend() < 2*narrowTurn:
		r.say(graph.TurnMerge, side)
	default:
		r.say(graph.TurnMerge, r.direction())
	}
}

// motorwayFallback names turns where nothing better is known.
func (w *Worker) motorwayFallback(roads []Road) {
	for i := range roads {
		r := &roads[i]
		if !r.Allowed {
			continue
		}
		m := graph.SlightRight
		if motorway(&w.edge(r).Class) {
			if r.Angle < straightAngle {
				m = graph.SlightLeft
			}
			r.say(graph.TurnMerge, m)
			continue
		}
		switch {
		case geo.AngularDeviation(r.Angle, straightAngle) < fuzzyAngle:
			m = graph.Straight
		case r.Angle > straightAngle:
			m = graph.SlightLeft
		}
		r.say(graph.TurnPlain, m)
	}
}
