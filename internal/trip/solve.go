package trip

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/pool"
)

const (
	// Unreachable is the cost of a leg that does not exist. It equals
	// graph.InvalidDuration and graph.InvalidWeight.
	Unreachable int32 = math.MaxInt32

	// ExactStops is the number of stops up to which tours are optimal: as many as
	// the dynamic program has room for if both ends are free.
	ExactStops = width

	// MaxStops is the largest number of stops.
	MaxStops = 1 << 12
)

// Matrix holds the cost of the leg from each stop to each other.
type Matrix struct {
	Stops int // at least 1
	// Costs[i*Stops+j] is the cost from stop i to stop j: 0 or more, or
	// Unreachable. Cells from a stop to itself are not read.
	Costs []int32
}

// End says which stop comes first or last. The zero value leaves it open.
type End struct{ place int }

// At fixes an end at the stop with index i.
func At(i int) End { return End{i + 1} }

// stop returns the index of the stop, -1 if the end is open.
func (e End) stop() int { return e.place - 1 }

// Options say what kind of tour is wanted. The zero value is a way that begins
// and ends anywhere.
type Options struct {
	// Roundtrip asks for a tour that returns to its first stop, which is then not
	// repeated in Order but counted in Cost.
	Roundtrip bool
	// Source and Destination are the first and the last stop. A round trip with
	// both fixed goes from Source over all others to Destination and returns
	// from there. With only Source fixed it begins there, with only Destination
	// fixed likewise (it ends where it begins), and with neither at stop 0.
	// They may be one stop only if there is no other.
	Source, Destination End
	// Allocator provides scratch memory, all of which is returned. Optional.
	Allocator *pool.Allocator
}

// Tour is an order of visits.
type Tour struct {
	Order []int // every stop once
	// Cost is the sum of the legs, that from the last stop to the first included
	// in a round trip.
	Cost int64
	// Proven tells that no order costs less. It is always set for up to
	// ExactStops stops.
	Proven bool
}

// Solve finds the cheapest order, or, for more than [ExactStops] stops, a good
// one. It fails with a *[NoTourError] if there is none, an *[InputError], or, if
// ctx is done, an error that errors.Is the context's.
func Solve(ctx context.Context, m Matrix, opt Options) (Tour, error) {
	p, err := newPlan(m, opt)
	if err != nil {
		return Tour{}, err
	}
	a := opt.Allocator
	if a == nil {
		a = pool.New()
	}
	clock := clock{ctx: ctx}
	if err := clock.check(); err != nil {
		return Tour{}, err
	}
	limit, gaps, err := scan(&clock, m)
	if err != nil {
		return Tour{}, err
	}
	if gaps {
		if err := checkConnected(&clock, a, m, opt); err != nil {
			return Tour{}, err
		}
	}
	// A missing leg costs more than any tour without one, so the best tour has as
	// few of them as possible.
	penalty := int64(p.nodes)*limit + 1
	worst := penalty
	if gaps {
		worst *= int64(p.nodes)
	}
	// Sums over a tour and differences of two of them fit the narrow type.
	if worst <= math.MaxInt32/4 {
		return solve[int32](&clock, a, p, m, int32(penalty))
	}
	return solve(&clock, a, p, m, penalty)
}

// solve works on costs of type C, which holds four times the worst tour.
func solve[C cost](clock *clock, a *pool.Allocator, p plan, m Matrix, penalty C) (Tour, error) {
	legs := pool.Make[C](a, p.nodes*p.nodes)
	defer pool.Free(a, legs)
	cycle := pool.Make[int32](a, p.nodes)
	defer pool.Free(a, cycle)
	if err := reduce(clock, p, m, penalty, legs); err != nil {
		return Tour{}, err
	}
	var proven bool
	var err error
	if m.Stops <= ExactStops {
		proven, err = true, exact(clock, a, legs, cycle)
	} else {
		proven, err = improve(clock, a, legs, cycle, kicks(p.nodes))
	}
	if err != nil {
		return Tour{}, err
	}
	t := Tour{Order: p.order(cycle), Proven: proven}
	if err := t.sum(m, p); err != nil {
		return t, err
	}
	t.turn(m, p)
	return t, nil
}

// turn chooses between a round trip and its reverse that costs the same: the one
// whose second stop is later among the stops, as OSRM does.
func (t *Tour) turn(m Matrix, p plan) {
	n := len(t.Order)
	if !p.round || p.last >= 0 || n < 3 || t.Order[1] > t.Order[n-1] {
		return
	}
	reverse := int64(0)
	for i, to := range t.Order {
		c := m.Costs[t.Order[(i+1)%n]*n+to]
		if c == Unreachable {
			return
		}
		reverse += int64(c)
	}
	if reverse == t.Cost {
		slices.Reverse(t.Order[1:])
	}
}

// sum fills in the cost. It fails if a leg is missing.
func (t *Tour) sum(m Matrix, p plan) error {
	n := len(t.Order)
	var missing *NoTourError
	for i, from := range t.Order {
		if i == n-1 && (!p.round || n == 1) {
			break
		}
		to := t.Order[(i+1)%n]
		c := m.Costs[from*n+to]
		if c == Unreachable {
			if missing == nil {
				missing = &NoTourError{Proven: t.Proven}
			}
			missing.NotReached = append(missing.NotReached, to)
			missing.NotLeft = append(missing.NotLeft, from)
			continue
		}
		t.Cost += int64(c)
	}
	if missing == nil {
		return nil
	}
	*t = Tour{}
	slices.Sort(missing.NotReached)
	slices.Sort(missing.NotLeft)
	return missing
}

// scan returns the largest cost and whether legs are missing.
func scan(clock *clock, m Matrix) (limit int64, gaps bool, err error) {
	n := m.Stops
	for i := range n {
		for j, c := range m.Costs[i*n : (i+1)*n] {
			switch {
			case i == j:
			case c < 0:
				return 0, false, &InputError{i*n + j, fmt.Sprintf("the cost from stop %d to stop %d is negative (%d)", i, j, c)}
			case c == Unreachable:
				gaps = true
			default:
				limit = max(limit, int64(c))
			}
		}
		if err := clock.spend(n); err != nil {
			return 0, false, err
		}
	}
	return limit, gaps, nil
}
