package guidance

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// collapseSegregated joins the steps within a crossing of split roads with the
// one that leaves it, so that the crossing is one turn.
func (b *Builder) collapseSegregated() {
	if len(b.steps) <= 2 {
		return
	}
	last := len(b.steps) - 1
	current := 1
	for next := 2; next != last; next++ {
		c, n := &b.steps[current], &b.steps[next]
		switch {
		case c.segregated && n.segregated:
			if c.is(graph.TurnEndOfRoad) || n.is(graph.TurnEndOfRoad) {
				c.setType(graph.TurnEndOfRoad)
			}
			b.transferSigns(c, n)
			b.transferLanes(c, n)
			c.absorb(n)
		case c.segregated && !c.kind().Roundabout() && !n.kind().Roundabout():
			if reversed(b.inBearing(c), b.outBearing(n)) {
				c.Instruction = graph.MakeInstruction(graph.TurnContinue, graph.UTurn)
			} else {
				b.turnOverCrossing(&b.steps[b.previousTurn(current)], c, n)
			}
			b.transferSigns(c, n)
			c.absorb(n)
			c.segregated = false
		default:
			current = next
		}
	}
	b.compact()
}

// turnOverCrossing makes the instruction of a step that that of another, which
// leaves the crossing, is joined to.
func (b *Builder) turnOverCrossing(before, at, leaving *Step) {
	angle := geo.AngleBetween(float64(at.BearingBefore), float64(leaving.BearingAfter))
	direction := graph.ModifierOf(angle)
	straight := func() graph.TurnType {
		if b.sameName(before, leaving) {
			return graph.TurnSuppressed
		}
		return graph.TurnNewName
	}
	plain := leaving.is(graph.TurnPlain) || leaving.is(graph.TurnContinue) ||
		leaving.is(graph.TurnNewName) || leaving.is(graph.TurnSuppressed)
	slight := leaving.toward(graph.Straight) || leaving.toward(graph.SlightLeft) || leaving.toward(graph.SlightRight)
	switch {
	case at.is(graph.TurnEndOfRoad) || leaving.is(graph.TurnEndOfRoad):
		at.setType(graph.TurnEndOfRoad)
	case at.is(graph.TurnFork):
		return
	case direction == graph.Straight && plain && slight:
		at.setType(straight())
	case rather(angle) && at.numIntersections() == 1 && b.straightest(at) && b.straightest(leaving):
		at.Instruction = graph.MakeInstruction(straight(), graph.Straight)
		return
	case direction != graph.Straight && plain:
		at.setType(graph.TurnPlain)
	default:
		at.setType(leaving.kind())
	}
	at.setModifier(direction)
}

// rather says whether an angle is rather straight than not.
func rather(angle float64) bool { return angle >= 125 && angle <= 235 }

// straightest says whether no other road goes on straighter at the beginning of
// a step than the one that is taken.
func (b *Builder) straightest(s *Step) bool {
	x := b.front(s)
	in := b.inBearing(s)
	taken := geo.AngleBetween(in, b.outBearing(s))
	if !rather(taken) {
		return false
	}
	other, least := 360.0, 360.0
	for i := range x.count {
		if i == x.In || i == x.Out || !x.Entry(i) {
			continue
		}
		angle := geo.AngleBetween(in, b.bearingOf(x, i))
		if d := geo.AngularDeviation(angle, straightAngle); d < least {
			other, least = angle, d
		}
	}
	return geo.AngularDeviation(taken, other) <= 10 ||
		geo.AngularDeviation(taken, straightAngle) <= geo.AngularDeviation(other, straightAngle)
}

// reversed says whether a way that came in a direction goes back.
func reversed(in, out float64) bool {
	left := in - out
	if !(0 <= out && out <= in) {
		left = in + 360 - out
	}
	return geo.AngularDeviation(left, 180) <= 35
}

// transferSigns gives a step the names of another.
func (b *Builder) transferSigns(to, from *Step) {
	to.Signs = from.Signs
	to.RotaryName, to.RotaryPronunciation = from.RotaryName, from.RotaryPronunciation
}

// transferLanes gives a step the lanes of another.
func (b *Builder) transferLanes(to, from *Step) { b.front(to).Lanes = b.front(from).Lanes }
