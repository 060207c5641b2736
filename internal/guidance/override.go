package guidance

import "github.com/fourway-routing/fourway/graph"

// override tells what the map wants to be told, where the leg takes the path
// that it is meant for.
func (b *Builder) override() {
	g := &b.net.Guidance
	if len(g.Overrides) == 0 {
		return
	}
	for i := range b.steps {
		for _, o := range g.OverridesFrom(b.steps[i].arm) {
			end, ok := b.follows(i, g.OverrideArms[o.First:o.First+o.Count])
			if !ok {
				continue
			}
			at := b.net.Coords[o.Place]
			for k := i; k < end; k++ {
				s := &b.steps[k]
				if b.leg.Line[s.Begin] != at {
					continue
				}
				if s.Waypoint == NoWaypoint {
					s.override(&o)
				}
				break
			}
		}
	}
}

func (s *Step) override(o *graph.Override) {
	if o.Type != graph.KeepType {
		s.setType(o.Type)
	}
	if o.Modifier != graph.KeepModifier {
		s.setModifier(o.Modifier)
	}
}

// follows says whether the steps from i on lead along a path, and returns the
// one after its end. Several steps may be on one arm.
func (b *Builder) follows(i int, path []graph.ArmID) (end int, ok bool) {
	for ; i < len(b.steps) && len(path) > 0; i++ {
		switch arm := b.steps[i].arm; {
		case arm == path[0]:
			path = path[1:]
		case i == 0 || b.steps[i-1].arm != arm:
			return i, false
		}
	}
	return i, len(path) == 0
}
