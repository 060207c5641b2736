package routing

import (
	"cmp"
	"slices"

	"github.com/fourway-routing/fourway/graph"
)

// namedHop is a hop's share in the time that a leg spends on a road.
type namedHop struct {
	name     roadName
	position int // of the first hop with the name
	duration graph.Duration
}

// roadName is what makes a driver think of two roads as one.
type roadName struct {
	name, ref, pronunciation, destinations, exits graph.StringID
}

func (r *roadName) compare(o *roadName) int {
	return cmp.Or(
		cmp.Compare(r.name, o.name), cmp.Compare(r.ref, o.ref), cmp.Compare(r.pronunciation, o.pronunciation),
		cmp.Compare(r.destinations, o.destinations), cmp.Compare(r.exits, o.exits),
	)
}

func nameOf(r *graph.Road) roadName {
	return roadName{r.Name, r.Ref, r.Pronunciation, r.Destinations, r.Exits}
}

// summary names the two roads that a leg spends the most time on, in the order
// in which it takes them.
func (a *assembler) summary(leg *legPath) string {
	n, m := a.engine.net, a.engine.metric
	a.names = a.names[:0]
	road := graph.RoadID(0) // of the last of a.names
	for i := range leg.hops {
		h := &leg.hops[i]
		duration := h.duration
		if h.edge != graph.InvalidEdge {
			duration += graph.Duration(m.TurnDuration[h.edge])
		}
		if i == len(leg.hops)-1 {
			if duration = leg.to.part.duration; duration <= 1 {
				break // only just reached
			}
		}
		if last := len(a.names) - 1; last >= 0 && n.ArmRoad[h.arm] == road {
			a.names[last].duration += duration
			continue
		}
		road = n.ArmRoad[h.arm]
		a.names = append(a.names, namedHop{nameOf(&n.Roads[road]), i, duration})
	}
	slices.SortFunc(a.names, func(x, y namedHop) int {
		return cmp.Or(x.name.compare(&y.name), cmp.Compare(x.position, y.position))
	})
	merged := a.names[:0]
	for _, h := range a.names {
		if last := len(merged) - 1; last >= 0 && merged[last].name == h.name {
			merged[last].duration += h.duration
		} else {
			merged = append(merged, h)
		}
	}
	merged = slices.DeleteFunc(merged, func(h namedHop) bool { return h.name == roadName{} })
	slices.SortFunc(merged, func(x, y namedHop) int {
		return cmp.Or(cmp.Compare(y.duration, x.duration), cmp.Compare(x.position, y.position))
	})
	merged = merged[:min(len(merged), 2)]
	slices.SortFunc(merged, func(x, y namedHop) int { return cmp.Compare(x.position, y.position) })
	var out []byte
	for _, h := range merged {
		shown := h.name.name
		if shown == 0 {
			shown = h.name.ref
		}
		if shown == 0 {
			continue
		}
		if len(out) > 0 {
			out = append(out, ", "...)
		}
		out = n.Strings.Append(out, shown)
	}
	return string(out)
}
