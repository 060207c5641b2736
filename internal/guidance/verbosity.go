package guidance

import "github.com/fourway-routing/fourway/graph"

// shortName is the length in meters below which a name is not worth a step.
const shortName = 105.0

// reduceVerbosity joins steps that only tell a new name to the one before, if
// the name is none or does not last.
func (b *Builder) reduceVerbosity() {
	previous := 0
	for i := 1; b.steps[i].Waypoint == NoWaypoint; i++ {
		s, before := &b.steps[i], &b.steps[previous]
		if !s.is(graph.TurnNewName) || b.front(s).Lanes.Count > 0 || before.Mode != s.Mode ||
			s.Distance >= shortName && !b.sameName(before, s) {
			previous = i
			continue
		}
		before.absorb(s)
	}
	b.compact()
}
