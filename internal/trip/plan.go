package trip

import "fmt"

// cost is the number type of a computation. Both have their own machine code, so
// the narrow one has twice the matrix in the caches.
type cost interface{ int32 | int64 }

// plan turns a problem of any ends into one of a closed tour: node 0 is the root,
// the others are stops that may stand anywhere, ascending.
type plan struct {
	stops, nodes int
	round        bool
	// first and last are the stops that the root stands for: the order begins and
	// ends with them. -1: none.
	first, last int
	// The legs that leave the root are those of stop out, the legs that enter it
	// those of stop in. -1: they cost nothing.
	out, in int
}

func newPlan(m Matrix, opt Options) (plan, error) {
	n := m.Stops
	switch {
	case n < 1:
		return plan{}, &InputError{-1, "there are no stops"}
	case n > MaxStops:
		return plan{}, &InputError{-1, fmt.Sprintf("%d stops are more than %d", n, MaxStops)}
	case len(m.Costs) != n*n:
		return plan{}, &InputError{-1, fmt.Sprintf("%d costs for %d stops: expected %d", len(m.Costs), n, n*n)}
	}
	p := plan{stops: n, nodes: n, round: opt.Roundtrip, first: opt.Source.stop(), last: opt.Destination.stop()}
	for _, end := range []int{p.first, p.last} {
		if end < -1 || end >= n {
			return plan{}, &InputError{end, fmt.Sprintf("an end is fixed at stop %d: there are stops 0 to %d", end, n-1)}
		}
	}
	if p.first >= 0 && p.first == p.last {
		if n > 1 {
			return plan{}, &InputError{p.first, fmt.Sprintf("source and destination are both stop %d: leave one of them open", p.first)}
		}
		p.last = -1
	}
	switch {
	case p.first >= 0 && p.last >= 0:
		p.nodes--
		p.out, p.in = p.first, p.last
	case p.round:
		p.first = max(p.first, p.last, 0)
		p.last = -1
		p.in, p.out = p.first, p.first
	case p.first >= 0:
		p.out, p.in = p.first, -1
	case p.last >= 0:
		p.out, p.in = -1, p.last
	default:
		p.nodes++
		p.out, p.in = -1, -1
	}
	return p, nil
}

// ended tells whether the root stands for stop s.
func (p *plan) ended(s int) bool { return s == p.first || s == p.last }

// reduce fills the matrix of the closed tour; its diagonal is zero.
func reduce[C cost](clock *clock, p plan, m Matrix, penalty C, legs []C) error {
	n := m.Stops
	clear(legs[:p.nodes])
	node := 0
	for s := -1; s < n; s++ {
		from := s
		if s < 0 {
			from = p.out
		} else if p.ended(s) {
			continue
		}
		row := legs[node*p.nodes:][:p.nodes]
		if from < 0 {
			node++ // the row is clear
			continue
		}
		costs := m.Costs[from*n:][:n]
		row[0] = 0
		if p.in >= 0 {
			row[0] = leg(costs[p.in], penalty)
		}
		at := 1
		for to, c := range costs {
			if !p.ended(to) {
				row[at] = leg(c, penalty)
				at++
			}
		}
		row[node] = 0
		node++
		if err := clock.spend(n); err != nil {
			return err
		}
	}
	return nil
}

func leg[C cost](c int32, penalty C) C {
	if c == Unreachable {
		return penalty
	}
	return C(c)
}

// order turns a closed tour of nodes, which begins at the root, into stops.
func (p *plan) order(cycle []int32) []int {
	order := make([]int, 0, p.stops)
	if p.first >= 0 {
		order = append(order, p.first)
	}
	low, high := p.first, p.last
	if high >= 0 && low > high {
		low, high = high, low
	}
	for _, v := range cycle[1:] {
		s := int(v) - 1
		if low >= 0 && s >= low {
			s++
		}
		if high >= 0 && s >= high {
			s++
		}
		order = append(order, s)
	}
	if p.last >= 0 {
		order = append(order, p.last)
	}
	return order
}
