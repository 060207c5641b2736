package turns

import (
	"math"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
)

// distinct is how many times as much as a candidate another road must bend.
const distinct = 2.0

// bent says whether a bend is much stronger than a candidate's.
func bent(bend, candidate float64) bool {
	return bend > distinct*candidate && math.Abs(bend-candidate) > fuzzyAngle/2
}

// obvious returns the index of the road on which everybody would go on without
// a word; 0 if there is none.
func (w *Worker) obvious(via nbg.EdgeID, roads []Road) int {
	switch len(roads) {
	case 1:
		return 0
	case 2:
		return 1
	}
	in := &w.g.Edges[via]
	valid := func(i int) int {
		if in.Roundabout != w.edge(&roads[i]).Roundabout {
			return 0
		}
		return i
	}
	// The road itself goes on.
	same := w.straightest(roads, func(r *Road) bool { return w.continuesName(in, w.edge(r)) })
	if same >= 0 && w.isDistinct(via, roads, same) {
		return valid(same)
	}
	// A road of no lower rank goes on.
	ranked := w.straightest(roads, func(r *Road) bool {
		c := &w.edge(r).Class
		return !lower(c, &in.Class) && !linkOf(c, &in.Class)
	})
	if ranked >= 0 && w.isDistinct(via, roads, ranked) {
		return valid(ranked)
	}
	any := w.straightest(roads, func(*Road) bool { return true })
	if any < 0 {
		return 0
	}
	straight := &roads[any]
	bend := straight.bend()
	ahead := 0
	for i := range roads {
		if roads[i].bend() <= 90 {
			ahead++
		}
	}
	class := &w.edge(straight).Class
	onlyAhead := bend <= 90 && ahead == 1
	if any != ranked && (bend <= groupAngle || onlyAhead) && !class.MayBeIgnored && w.isDistinct(via, roads, any) {
		return valid(any)
	}
	if motorway(class) && bend <= groupAngle && countAllowed(roads) == 1 {
		return valid(any)
	}
	// Where three roads of one name meet and one leads on.
	if len(roads) == 3 && countAllowed(roads) == 1 && w.allNamed(roads, in.Names) &&
		(geo.AngularDeviation(roads[1].Angle, 90) > narrowTurn || geo.AngularDeviation(roads[2].Angle, 270) > narrowTurn) {
		return valid(any)
	}
	return 0
}

// allNamed says whether all roads have a label that is not empty.
func (w *Worker) allNamed(roads []Road, label uint32) bool {
	if label == 0 {
		return false
	}
	for i := range roads {
		if w.edge(&roads[i]).Names != label {
			return false
		}
	}
	return true
}

// straightest returns the allowed road that bends least of those that pass, -1
// if there is none.
func (w *Worker) straightest(roads []Road, pass func(*Road) bool) int {
	best := -1
	for i := range roads {
		r := &roads[i]
		if r.Allowed && (best < 0 || r.bend() < roads[best].bend()) && pass(r) {
			best = i
		}
	}
	return best
}

// continuesName says whether a road goes on under its name without losing rank.
func (w *Worker) continuesName(in, out *nbg.Edge) bool {
	nameless := in.Names == 0 && !in.Class.MayBeIgnored || out.Names == 0 && !out.Class.MayBeIgnored
	return !nameless && (in.Names == 0) == (out.Names == 0) &&
		!lower(&out.Class, &in.Class) && !linkOf(&out.Class, &in.Class) &&
		!w.NameChanges(in.Names, out.Names)
}

// isDistinct says whether nobody would take another road for the candidate.
func (w *Worker) isDistinct(via nbg.EdgeID, roads []Road, candidate int) bool {
	similar := w.similarToWide
	if roads[candidate].bend() < groupAngle {
		similar = w.similarToNarrow
	}
	for i := 1; i < len(roads); i++ {
		if i != candidate && similar(via, roads, &roads[candidate], &roads[i]) {
			return false
		}
	}
	return true
}

// sideClass says whether a road, by its rank, is an aside to both others.
func sideClass(in, out, c *nbg.RoadClass) bool {
	fewer := c.Lanes > 0 && c.Lanes+1 < in.Lanes
	return lower(c, in) && lower(c, out) && fewer || linkOf(c, in) && linkOf(c, out)
}

// similarToNarrow says whether a road could be taken for a candidate that
// bends little.
func (w *Worker) similarToNarrow(via nbg.EdgeID, roads []Road, candidate, road *Road) bool {
	in, out, other := &w.g.Edges[via], w.edge(candidate), w.edge(road)
	bend, otherBend := candidate.bend(), road.bend()
	if bend < narrowTurn && !road.Allowed {
		return false
	}
	laneFork := other.Class.Lanes > 0 && out.Class.Lanes == other.Class.Lanes &&
		int(in.Class.Lanes) == int(out.Class.Lanes)+int(other.Class.Lanes) &&
		geo.AngularDeviation(candidate.Angle, road.Angle) < groupAngle
	strong := bent(otherBend, bend)
	slightly := otherBend > 0.7*distinct*bend
	if !in.Restricted && !out.Restricted && other.Restricted && strong {
		return false
	}
	if in.Roundabout == out.Roundabout && in.Roundabout != other.Roundabout && bend < otherBend {
		return false
	}
	keeps, changes := !w.NameChanges(in.Names, out.Names), w.NameChanges(in.Names, other.Names)
	if (keeps || changes) && !laneFork && strong {
		return false
	}
	opposite := w.opposite(roads, road)
	across := geo.AngularDeviation(road.Angle, opposite.Angle)
	comesFromOpposite := !w.NameChanges(w.edge(opposite).Names, other.Names)
	crossing := len(roads) >= 4
	switch {
	case crossing && strong && (comesFromOpposite || across > straightAngle-narrowTurn):
		return false
	case crossing && keeps && changes && slightly && comesFromOpposite && across > straightAngle-fuzzyAngle:
		return false
	case !crossing && keeps && changes && strong && !laneFork && across > straightAngle-groupAngle:
		return false
	case in.Class.Priority > prioritySecondary && strong:
		return false
	case out.Class.Lanes > 0 && out.Class.Lanes == in.Class.Lanes && bend < fuzzyAngle && strong:
		return false
	}
	samePriority := in.Class.Priority == out.Class.Priority
	otherLower := out.Class.Priority < other.Class.Priority
	otherHigher := int(out.Class.Priority) > int(other.Class.Priority)+4
	switch {
	case samePriority && (otherLower || otherHigher) && keeps && slightly:
		return false
	case sideClass(&in.Class, &out.Class, &other.Class):
		return false
	case samePriority && group(&in.Class) < group(&other.Class) && changes && w.NameChanges(out.Names, other.Names):
		return false
	case samePriority && other.Class.Link:
		return false
	}
	return true
}

// opposite returns the road that lies most nearly across the junction.
func (w *Worker) opposite(roads []Road, road *Road) *Road {
	bearing := geo.ReverseBearing(road.Perceived)
	best := &roads[0]
	for i := range roads {
		if geo.AngularDeviation(roads[i].Perceived, bearing) < geo.AngularDeviation(best.Perceived, bearing) {
			best = &roads[i]
		}
	}
	return best
}

// similarToWide is similarToNarrow for a candidate that bends much.
func (w *Worker) similarToWide(via nbg.EdgeID, roads []Road, candidate, road *Road) bool {
	in, out, other := &w.g.Edges[via], w.edge(candidate), w.edge(road)
	if road.direction() != graph.Straight && sideClass(&in.Class, &out.Class, &other.Class) {
		return false
	}
	if road.bend() > distinct*candidate.bend() {
		return false
	}
	// The road one comes from may just have curved: judge by first meters.
	if geo.AngularDeviation(roads[0].Initial, roads[0].Perceived) > fuzzyAngle {
		from := geo.ReverseBearing(roads[0].Initial)
		bend := func(r *Road) float64 {
			return geo.AngularDeviation(geo.AngleBetween(from, r.Initial), straightAngle)
		}
		between := geo.AngleBetween(geo.ReverseBearing(road.Initial), candidate.Initial)
		if graph.ModifierOf(between) != graph.Straight && bend(road) > distinct*bend(candidate) {
			return false
		}
	}
	return true
}

// throughStreet says whether a road crosses the junction as one street: another
// road, nearly across, has its name and class.
func (w *Worker) throughStreet(roads []Road, index int) bool {
	road := w.edge(&roads[index])
	if road.Names == 0 {
		return false
	}
	for i := 1; i < len(roads); i++ {
		other := w.edge(&roads[i])
		if i != index && geo.AngularDeviation(roads[i].Angle, roads[index].Angle) > straightAngle-fuzzyAngle &&
			w.SameName(road.Names, other.Names) && sameClass(&road.Class, &other.Class) {
			return true
		}
	}
	return false
}
