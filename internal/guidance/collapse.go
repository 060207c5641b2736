package guidance

import "github.com/fourway-routing/fourway/graph"

// collapse joins turns that a driver takes for one.
func (b *Builder) collapse() {
	for i := 1; i+1 < len(b.steps); i++ {
		s := &b.steps[i]
		switch t := s.kind(); {
		case t.EntersRoundabout() || t.PassesExit() || t == graph.TurnNone:
			continue
		case t == graph.TurnSliproad:
			b.collapseSliproad(i)
			continue
		}
		if b.steps[b.nextTurn(i)].Waypoint != NoWaypoint {
			return
		}
		b.collapseAt(i)
	}
}

// collapseAt joins a turn to its neighbors if they belong together.
func (b *Builder) collapseAt(i int) {
	p := b.previousTurn(i)
	prior, s, next := &b.steps[p], &b.steps[i], &b.steps[b.nextTurn(i)]
	if s.Mode != next.Mode {
		return
	}
	switch {
	case b.staggered(prior, s, next):
		s.Instruction = graph.MakeInstruction(graph.TurnNewName, graph.Straight)
		if b.sameName(prior, next) {
			s.setType(graph.TurnSuppressed)
		}
		b.join(s, next)
	case b.turnsBack(prior, s, next):
		b.joinUTurn(s, next)
	case b.nameReturns(prior, s, next):
		s.absorb(next)
		prior.absorb(s)
	case b.nameBeforeManeuver(prior, s, next) || b.bendBeforeManeuver(s, next):
		b.combine(prior, next, s)
		prior.absorb(s)
	case b.nameAfterManeuver(s, next) || b.nameAfterSilence(s, next) || b.bendAfterManeuver(s, next) ||
		b.choicelessAfterTurn(s, next) || b.choicelessAfterStraight(s, next):
		b.combine(prior, s, next)
		b.join(s, next)
	case b.straightBetweenTurns(prior, s, next):
		farBack := &b.steps[b.previousTurn(p)]
		prior.absorb(s)
		b.combine(farBack, prior, next)
		b.join(prior, next)
	}
	if next := &b.steps[b.nextTurn(i)]; b.twiceChoiceless(s, next) {
		b.combine(prior, s, next)
		b.join(s, next)
	}
	if prior.Waypoint == NoWaypoint && !s.empty() && b.turnsBack(&b.steps[b.previousTurn(p)], prior, s) {
		b.joinUTurn(prior, s)
	}
}

// join joins a step to the one before, which takes over its names.
func (b *Builder) join(s, next *Step) {
	b.transferSigns(s, next)
	s.absorb(next)
}

func (b *Builder) joinUTurn(s, next *Step) {
	s.Instruction = graph.MakeInstruction(graph.TurnContinue, graph.UTurn)
	b.join(s, next)
}

// collapseSliproad joins a sliproad with the turn at its end.
func (b *Builder) collapseSliproad(i int) {
	s := &b.steps[i]
	k := b.nextTurn(i)
	for next := &b.steps[k]; next.is(graph.TurnSuppressed) && b.isSignal(next); next = &b.steps[k] {
		s.absorb(next)
		k = b.nextTurn(k)
	}
	next := &b.steps[k]
	s.setType(graph.TurnPlain)
	if next.Waypoint != NoWaypoint {
		return
	}
	if b.sameName(&b.steps[b.previousTurn(i)], next) {
		s.setType(graph.TurnContinue)
	}
	s.setModifier(graph.ModifierOf(b.totalAngle(s, next)))
	b.transferLanes(s, next)
	b.join(s, next)
}

// isSignal says whether nothing but a signal is at the beginning of a step.
func (b *Builder) isSignal(s *Step) bool {
	x := b.front(s)
	return x.count == 2 && x.allowed() == 1
}

// combine makes the instruction of a step that of the turn at it together with
// another one next to it.
func (b *Builder) combine(prior, at, other *Step) {
	direction := at.modifier()
	if !at.is(graph.TurnFork) && !at.is(graph.TurnMerge) {
		direction = graph.ModifierOf(b.totalAngle(at, other))
	}
	same := b.sameName(prior, other)
	noTurn := func(s *Step) bool { return s.is(graph.TurnNewName) || s.plainStraight() }
	switch {
	case noTurn(other) || noTurn(at) || at.is(graph.TurnSuppressed):
		switch {
		case at.is(graph.TurnSuppressed) && direction == graph.Straight:
			at.setType(graph.TurnNewName)
		case at.is(graph.TurnSuppressed) && same:
			at.setType(graph.TurnContinue)
		case at.is(graph.TurnSuppressed),
			at.is(graph.TurnNewName) && other.is(graph.TurnSuppressed) && direction != graph.Straight,
			at.is(graph.TurnContinue) && !same:
			at.setType(graph.TurnPlain)
		case at.is(graph.TurnPlain) && !other.is(graph.TurnSuppressed) && same:
			at.setType(graph.TurnContinue)
		}
	case other.is(graph.TurnOnRamp):
		at.setType(graph.TurnOnRamp)
	case at.is(graph.TurnPlain) && other.is(graph.TurnPlain) && same:
		at.setType(graph.TurnContinue)
	case at.is(graph.TurnContinue) && other.is(graph.TurnPlain) && !same:
		at.setType(graph.TurnPlain)
	}
	at.setModifier(direction)
}
