package routing

import (
	"cmp"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/guidance"
)

// namedRun is the time that a leg spends on a road.
type namedRun struct {
	name     guidance.Signs
	position int // of the first run with the name
	duration graph.Duration
}

// byName sorts runs on one road together, in driving order.
func byName(x, y namedRun) int {
	a, b := &x.name, &y.name
	switch {
	case a.Name != b.Name:
		return cmp.Compare(a.Name, b.Name)
	case a.Ref != b.Ref:
		return cmp.Compare(a.Ref, b.Ref)
	case a.Pronunciation != b.Pronunciation:
		return cmp.Compare(a.Pronunciation, b.Pronunciation)
	case a.Destinations != b.Destinations:
		return cmp.Compare(a.Destinations, b.Destinations)
	case a.Exits != b.Exits:
		return cmp.Compare(a.Exits, b.Exits)
	}
	return cmp.Compare(x.position, y.position)
}

// byDuration sorts the longest first.
func byDuration(x, y namedRun) int {
	if x.duration != y.duration {
		return cmp.Compare(y.duration, x.duration)
	}
	return cmp.Compare(x.position, y.position)
}

// summary names the two roads that a leg spends the most time on, in the order
// in which it takes them. Runs are those of a.guided.
func (a *assembler) summary(leg *legPath) string {
	n := a.data.net
	a.nameRuns(leg)
	longest := mergeNamed(a.names)
	slices.SortFunc(longest, byDuration)
	longest = longest[:min(len(longest), 2)]
	if len(longest) == 2 && longest[0].position > longest[1].position {
		longest[0], longest[1] = longest[1], longest[0]
	}
	out := a.text[:0]
	for _, r := range longest {
		shown := r.name.Name
		if shown == 0 {
			shown = r.name.Ref
		}
		if shown == 0 {
			continue
		}
		if len(out) > 0 {
			out = append(out, ", "...)
		}
		out = n.Strings.Append(out, shown)
	}
	a.text = out
	return string(out)
}

// nameRuns sets a.names to the roads of a leg, in driving order.
func (a *assembler) nameRuns(leg *legPath) {
	n := a.data.net
	a.names = a.names[:0]
	road := graph.RoadID(0) // of the last of a.names
	for i := range leg.runs {
		duration := a.guided.Runs[i].Duration
		if i == len(leg.runs)-1 && !leg.runs[i].walk {
			// The last segment counts up to the stop wherever the leg starts,
			// and not at all if it is only just reached.
			r := &leg.runs[i]
			index, _, _ := segment(n, r.arm, r.last)
			_, end := r.segment(leg.data.metric, r.last, index)
			duration -= end
			if part := leg.to.part.duration; part > 1 {
				duration += part
			} else if r.first == r.last {
				break
			}
		}
		if last := len(a.names) - 1; last >= 0 && n.ArmRoad[leg.runs[i].arm] == road {
			a.names[last].duration += duration
			continue
		}
		road = n.ArmRoad[leg.runs[i].arm]
		a.names = append(a.names, namedRun{guidance.SignsOf(&n.Roads[road]), i, duration})
	}
}

// mergeNamed joins runs with the same name, in place, and drops those without.
func mergeNamed(runs []namedRun) []namedRun {
	slices.SortFunc(runs, byName)
	merged := runs[:0]
	for _, r := range runs {
		if last := len(merged) - 1; last >= 0 && merged[last].name == r.name {
			merged[last].duration += r.duration
		} else if r.name != (guidance.Signs{}) {
			merged = append(merged, r)
		}
	}
	return merged
}
