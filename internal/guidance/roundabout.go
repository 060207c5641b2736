package guidance

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// joinRoundabouts makes each way through a roundabout a step that enters it,
// and one that leaves it unless it is tiny, and counts the exits passed.
func (b *Builder) joinRoundabouts() {
	steps := b.steps
	first := 0
	for first < len(steps) && !steps[first].kind().Roundabout() {
		first++
	}
	if first == len(steps) {
		return
	}
	// A leg may begin on a roundabout.
	on := !steps[first].kind().EntersRoundabout()
	within := func(s *Step) bool {
		t := s.kind()
		switch {
		case on:
			on = !t.LeavesRoundabout()
			return true
		case t.EntersRoundabout():
			on = !t.LeavesRoundabout()
			return true
		}
		return false
	}
	for i := 0; i < len(steps); {
		if !within(&steps[i]) {
			i++
			continue
		}
		end := i + 1
		for end < len(steps) && within(&steps[end]) {
			end++
		}
		b.joinGroup(steps[i:end])
		i = end
	}
	b.compact()
}

// joinGroup joins steps on roundabouts that follow one another.
func (b *Builder) joinGroup(steps []Step) {
	for len(steps) > 0 {
		end := 0
		for end < len(steps)-1 && !steps[end].kind().LeavesRoundabout() {
			end++
		}
		b.joinPassage(steps[:end+1])
		steps = steps[end+1:]
	}
}

// joinPassage joins the steps of one roundabout.
func (b *Builder) joinPassage(steps []Step) {
	entry, last := &steps[0], &steps[len(steps)-1]
	if entry.kind().Rotary() {
		entry.RotaryName, entry.RotaryPronunciation = entry.Name, entry.Pronunciation
	}
	if !last.kind().LeavesRoundabout() {
		if entry.kind().RoundaboutTurn() {
			entry.setType(graph.EnterRoundabout)
		}
		absorbAll(steps)
		return
	}
	exit := 0
	for i := range steps {
		if t := steps[i].kind(); t.PassesExit() || t.LeavesRoundabout() {
			exit++
		}
	}
	last.Exit = exit
	if entry.kind().EntersRoundabout() {
		entry.Exit = exit
		if entry.kind().RoundaboutTurn() {
			entry.setModifier(graph.ModifierOf(geo.AngleBetween(b.inBearing(entry), b.outBearing(last))))
		}
		entry.Signs = last.Signs
	}
	if entry.kind().RoundaboutTurn() && entry.Mode == last.Mode {
		absorbAll(steps)
	} else {
		absorbAll(steps[:len(steps)-1])
	}
}

// absorbAll joins steps to the first one, but for the end of the leg.
func absorbAll(steps []Step) {
	for i := 1; i < len(steps); i++ {
		if steps[i].Waypoint == NoWaypoint {
			steps[0].absorb(&steps[i])
		}
	}
}
