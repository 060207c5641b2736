package guidance

import "github.com/fourway-routing/fourway/graph"

// joinSilent joins intersections without a maneuver to the step before, and
// words ends of roads that are no event because nothing came before.
func (b *Builder) joinSilent() {
	const minIntersections = 2
	last := 0
	for i := range b.steps {
		s := &b.steps[i]
		t := s.kind()
		if t == graph.TurnSuppressed {
			b.steps[last].absorb(s)
			continue
		}
		if t.Silent() {
			continue
		}
		if before := &b.steps[last]; t == graph.TurnEndOfRoad && before.numIntersections() < minIntersections {
			s.setType(graph.TurnPlain)
			if s.named() && !b.nameChanges(&before.Signs, &s.Signs) {
				s.setType(graph.TurnContinue)
			}
		}
		last = i
	}
	b.compact()
}
