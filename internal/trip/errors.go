package trip

import (
	"fmt"
	"strings"
)

// InputError tells that the matrix or the options make no sense.
type InputError struct {
	// Index is where the fault lies: a cell of Matrix.Costs or a stop; -1 if it
	// is no single one.
	Index   int
	Message string
}

// Error returns the message.
func (e *InputError) Error() string { return "trip: " + e.Message }

// NoTourError tells that no order visits all stops. It names the stops to leave
// out so that the others can be visited: those outside of a largest set that
// can. Indices ascend. A stop may stand in both lists.
type NoTourError struct {
	// NotReached are the stops that cannot be reached from the others (of a way
	// with a fixed source: from the source).
	NotReached []int
	// NotLeft are the stops from which the others (of a way with a fixed
	// destination: the destination) cannot be reached.
	NotLeft []int
	// Proven is true if certainly no order exists. It is false only if costs are
	// not those of shortest paths (a leg is missing although the way over another
	// stop exists), there are more than ExactStops stops, and none was found;
	// the lists then hold the ends of missing legs of the best attempt.
	Proven bool
}

// Error names the stops.
func (e *NoTourError) Error() string {
	var b strings.Builder
	b.WriteString("trip: no order visits all stops")
	if !e.Proven {
		b.Reset()
		b.WriteString("trip: found no order that visits all stops")
	}
	sep := ": "
	for _, l := range []struct {
		stops []int
		fault string
	}{{e.NotReached, "cannot be reached"}, {e.NotLeft, "cannot be left"}} {
		if len(l.stops) > 0 {
			b.WriteString(sep + list(l.stops) + " " + l.fault)
			sep = "; "
		}
	}
	b.WriteString("; leave them out")
	return b.String()
}

// list writes the first indices of stops.
func list(stops []int) string {
	const most = 10
	var b strings.Builder
	b.WriteString("stop")
	if len(stops) > 1 {
		b.WriteByte('s')
	}
	for i, s := range stops {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(stops)-most)
			break
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %d", s)
	}
	return b.String()
}
