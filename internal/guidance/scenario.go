package guidance

import (
	"math"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

const (
	straightAngle = 180.0
	narrowTurn    = 40.0
)

// The scenarios below are named for three steps: the one prior to a place, the
// one that enters it, and the one that leaves it. What is cheap to ask and seldom
// true comes first.

// undisturbed says whether the step passes nothing but signals.
func (b *Builder) undisturbed(s *Step) bool {
	for i := s.first + 1; i < s.end; i++ {
		if b.intersections[i].count != 2 {
			return false
		}
	}
	return true
}

func (b *Builder) shortAndUndisturbed(s *Step) bool {
	return s.Distance <= b.net.Properties.MaxCollapseDistance && b.undisturbed(s)
}

// goodUTurn says whether two steps may be joined as far as U-turns go: one may
// be a U-turn only if the other is a change of name.
func goodUTurn(first, second *Step) bool {
	return !first.toward(graph.UTurn) && !second.toward(graph.UTurn) ||
		first.is(graph.TurnNewName) && second.toward(graph.UTurn) ||
		second.is(graph.TurnNewName) && first.toward(graph.UTurn)
}

// joinable says whether two steps may be joined at all.
func joinable(entering, leaving *Step) bool {
	return !entering.kind().Roundabout() && !leaving.kind().Roundabout() &&
		entering.Waypoint == NoWaypoint && leaving.Waypoint == NoWaypoint &&
		entering.Mode == leaving.Mode && goodUTurn(entering, leaving)
}

// joinable3 is joinable for three steps.
func joinable3(prior, entering, leaving *Step) bool {
	return !prior.kind().Roundabout() && !entering.kind().Roundabout() && !leaving.kind().Roundabout() &&
		prior.Mode == entering.Mode && entering.Mode == leaving.Mode &&
		(goodUTurn(prior, entering) || goodUTurn(entering, leaving))
}

func (b *Builder) turnAngle(s *Step) float64 {
	return geo.AngleBetween(b.inBearing(s), b.outBearing(s))
}

// maneuver says whether something is told at the step.
func (s *Step) maneuver() bool { return !s.is(graph.TurnNone) && !s.is(graph.TurnSuppressed) }

func (s *Step) plainStraight() bool {
	return (s.is(graph.TurnPlain) || s.is(graph.TurnContinue)) && s.toward(graph.Straight)
}

// staggered says whether a road is crossed by a quick left and right.
func (b *Builder) staggered(prior, entering, leaving *Step) bool {
	const most = 3.0 // meters
	if entering.kind().EntersRoundabout() || leaving.kind().EntersRoundabout() ||
		entering.Distance >= most || prior.Mode != entering.Mode || !b.undisturbed(entering) {
		return false
	}
	right := func(angle float64) bool { return angle > 45 && angle < 135 }
	left := func(angle float64) bool { return angle > 225 && angle < 315 }
	in, out := b.turnAngle(entering), b.turnAngle(leaving)
	return (left(in) && right(out) || right(in) && left(out)) &&
		!(prior.Mode == leaving.Mode && entering.Mode != leaving.Mode)
}

// turnsBack says whether two turns are one U-turn.
func (b *Builder) turnsBack(prior, entering, leaving *Step) bool {
	if !entering.is(graph.TurnPlain) && !entering.is(graph.TurnContinue) && !entering.is(graph.TurnEndOfRoad) ||
		!joinable3(prior, entering, leaving) || !reversed(b.inBearing(entering), b.outBearing(leaving)) || !b.sameName(prior, leaving) {
		return false
	}
	return b.shortAndUndisturbed(entering) || b.linkRoad(prior, entering, leaving) ||
		b.front(leaving).allowed() == 1 && b.undisturbed(entering)
}

// linkRoad says whether a step is a short nameless road between named ones.
func (b *Builder) linkRoad(before, s, after *Step) bool {
	return s.Distance <= 2*b.net.Properties.MaxCollapseDistance && s.Name == 0 &&
		before.Name != 0 && after.Name != 0 && b.undisturbed(s)
}

// nameReturns says whether the name changes and then changes back.
func (b *Builder) nameReturns(prior, entering, leaving *Step) bool {
	straight := func(s *Step) bool { return s.is(graph.TurnPlain) && s.toward(graph.Straight) }
	return (entering.is(graph.TurnNewName) || straight(entering)) &&
		joinable3(prior, entering, leaving) &&
		(leaving.is(graph.TurnNewName) || straight(leaving) ||
			leaving.is(graph.TurnSuppressed) && leaving.Signs == Signs{}) &&
		(prior.Signs == leaving.Signs || b.sameName(prior, leaving))
}

// nameBeforeManeuver says whether the name changes right before a maneuver.
func (b *Builder) nameBeforeManeuver(prior, entering, leaving *Step) bool {
	return (entering.is(graph.TurnNewName) || entering.plainStraight()) && leaving.maneuver() &&
		joinable3(prior, entering, leaving) && b.shortAndUndisturbed(entering)
}

// bendBeforeManeuver says whether a silent bend goes right before a maneuver.
func (b *Builder) bendBeforeManeuver(entering, leaving *Step) bool {
	return silentBend(entering) && leaving.maneuver() && joinable(entering, leaving) && b.shortAndUndisturbed(entering) &&
		b.front(entering).allowed() > 1 && sameSide(entering, leaving)
}

func silentBend(s *Step) bool { return s.is(graph.TurnSuppressed) && !s.toward(graph.Straight) }

// sameSide says whether two turns lead to the same side; straight on is on both.
func sameSide(x, y *Step) bool {
	left := func(s *Step) bool { return s.toward(graph.Straight) || s.modifier().Leftward() }
	right := func(s *Step) bool { return s.toward(graph.Straight) || s.modifier().Rightward() }
	return left(x) && left(y) || right(x) && right(y)
}

// straightBetweenTurns says whether two turns belong together though a road is
// crossed in between, in the middle.
func (b *Builder) straightBetweenTurns(entering, center, leaving *Step) bool {
	limit := 0.8 * b.net.Properties.MaxCollapseDistance
	if !entering.is(graph.TurnPlain) && !entering.is(graph.TurnContinue) ||
		!leaving.is(graph.TurnPlain) && !leaving.is(graph.TurnContinue) && !leaving.is(graph.TurnOnRamp) ||
		!center.is(graph.TurnSuppressed) || !center.toward(graph.Straight) ||
		entering.Distance >= limit || center.Distance >= limit || !joinable3(entering, center, leaving) {
		return false
	}
	short, long := min(entering.Distance, center.Distance), max(entering.Distance, center.Distance)
	if long >= 5 && !(short/long > 0.75) {
		return false
	}
	angle := geo.AngleBetween(b.inBearing(entering), b.outBearing(leaving))
	return angle > narrowTurn && angle < 360-narrowTurn
}

// nameAfterManeuver says whether the name changes right after a maneuver.
func (b *Builder) nameAfterManeuver(entering, leaving *Step) bool {
	if !entering.maneuver() || !joinable(entering, leaving) {
		return false
	}
	newName := leaving.is(graph.TurnNewName)
	near := entering.Distance <= 1.5*b.net.Properties.MaxCollapseDistance
	return b.shortAndUndisturbed(entering) && (newName || leaving.plainStraight()) ||
		near && newName && (leaving.toward(graph.Straight) || b.front(leaving).allowed() == 1)
}

// bendAfterManeuver says whether a silent bend goes right after a maneuver.
func (b *Builder) bendAfterManeuver(entering, leaving *Step) bool {
	return silentBend(leaving) && entering.maneuver() && joinable(entering, leaving) && b.shortAndUndisturbed(entering) &&
		sameSide(entering, leaving)
}

// nameAfterSilence says whether the name changes right after an intersection.
func (b *Builder) nameAfterSilence(entering, leaving *Step) bool {
	return leaving.is(graph.TurnNewName) && entering.is(graph.TurnSuppressed) && joinable(entering, leaving) &&
		entering.Distance < 0.25*b.net.Properties.MaxCollapseDistance
}

// choicelessAfterTurn says whether right after a turn there is only one way on.
func (b *Builder) choicelessAfterTurn(entering, leaving *Step) bool {
	return !leaving.is(graph.TurnSuppressed) && !entering.toward(graph.Straight) && b.front(leaving).allowed() == 1 &&
		joinable(entering, leaving) && b.shortAndUndisturbed(entering)
}

// twiceChoiceless says whether there is only one way on at two intersections
// after a turn.
func (b *Builder) twiceChoiceless(entering, leaving *Step) bool {
	return entering.numIntersections() == 2 && b.front(leaving).allowed() == 1 &&
		b.intersections[entering.end-1].allowed() == 1 && joinable(entering, leaving) &&
		entering.Distance < 1.5*b.net.Properties.MaxCollapseDistance
}

// choicelessAfterStraight says whether soon after going straight on there is
// only one way on.
func (b *Builder) choicelessAfterStraight(entering, leaving *Step) bool {
	return entering.plainStraight() && b.front(leaving).allowed() == 1 && joinable(entering, leaving) &&
		entering.Distance <= 2*b.net.Properties.MaxCollapseDistance && b.undisturbed(entering)
}

// totalAngle is the angle of two turns in one, or that of the first where they
// do not belong together.
func (b *Builder) totalAngle(entry, exit *Step) float64 {
	if entry.Begin > exit.Begin {
		entry, exit = exit, entry
	}
	in, out := b.turnAngle(entry), b.turnAngle(exit)
	total := geo.AngleBetween(b.inBearing(entry), b.outBearing(exit))
	switch {
	case math.Abs(geo.AngularDeviation(total, straightAngle)) < 0.5*narrowTurn:
		return in
	case entry.Distance < b.net.Properties.MaxCollapseDistance,
		in <= 185 && out <= 185, in >= 175 && out >= 175:
		return total
	}
	return in
}
