package overpass

import (
	"slices"

	"github.com/fourway-routing/fourway/graph"
)

// set is a set of elements, each list ascending without duplicates. Sets share
// their lists, which are never changed.
type set struct {
	nodes []graph.PlaceID
	ways  []graph.WayIndex
}

func (s *set) len() int { return len(s.nodes) + len(s.ways) }

// elementBytes is the size of an element in a set.
const elementBytes = 4

// union returns the elements of both.
func (s set) union(o set) set {
	return set{unite(s.nodes, o.nodes), unite(s.ways, o.ways)}
}

// without returns the elements of s that are not in o.
func (s set) without(o set) set {
	return set{subtract(s.nodes, o.nodes), subtract(s.ways, o.ways)}
}

func unite[T ~uint32](a, b []T) []T {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	out := make([]T, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case a[0] > b[0]:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

func subtract[T ~uint32](a, b []T) []T {
	var out []T
	for _, v := range a {
		for len(b) > 0 && b[0] < v {
			b = b[1:]
		}
		if len(b) == 0 || b[0] != v {
			out = append(out, v)
		}
	}
	return out
}

// tidy sorts a list and drops its duplicates.
func tidy[T ~uint32](list []T) []T {
	slices.Sort(list)
	return slices.Compact(list)
}
