package trip

import (
	"cmp"
	"slices"

	"github.com/fourway-routing/fourway/pool"
)

// closure tells which stop can be reached from which, over others too.
type closure struct {
	stops, words int
	bits         []uint64
}

func (c *closure) row(i int) []uint64 { return c.bits[i*c.words:][:c.words] }

func (c *closure) reaches(i, j int) bool { return c.bits[i*c.words+j>>6]>>(j&63)&1 != 0 }

// newClosure follows Warshall (1962).
func newClosure(clock *clock, a *pool.Allocator, m Matrix) (closure, error) {
	n := m.Stops
	c := closure{stops: n, words: (n + 63) / 64}
	c.bits = pool.MakeZeroed[uint64](a, n*c.words)
	for i := range n {
		row := c.row(i)
		for j, cost := range m.Costs[i*n:][:n] {
			if cost != Unreachable || i == j {
				row[j>>6] |= 1 << (j & 63)
			}
		}
		if err := clock.spend(n); err != nil {
			return c, err
		}
	}
	for via := range n {
		more := c.row(via)
		for i := range n {
			if i != via && c.reaches(i, via) {
				row := c.row(i)
				for w := range row {
					row[w] |= more[w]
				}
				if err := clock.spend(c.words); err != nil {
					return c, err
				}
			}
		}
	}
	return c, nil
}

// checkConnected fails with a *NoTourError if reachability rules a tour out. In
// a matrix of shortest paths, where a stop that can be reached over others has a
// leg of its own, nothing else does.
func checkConnected(clock *clock, a *pool.Allocator, m Matrix, opt Options) error {
	c, err := newClosure(clock, a, m)
	defer pool.Free(a, c.bits)
	if err != nil {
		return err
	}
	fault := &NoTourError{Proven: true}
	source, destination := opt.Source.stop(), opt.Destination.stop()
	switch {
	case opt.Roundtrip:
		center := max(source, destination)
		if center < 0 {
			if center, err = c.largest(clock); err != nil {
				return err
			}
		}
		fault.compare(&c, center, center)
		if fault.empty() && min(source, destination) >= 0 && m.Costs[destination*m.Stops+source] == Unreachable && source != destination {
			fault.NotReached, fault.NotLeft = []int{source}, []int{destination}
		}
	default:
		fault.compare(&c, source, destination)
		if fault.empty() {
			if err := fault.branches(clock, &c); err != nil {
				return err
			}
		}
	}
	if fault.empty() {
		return nil
	}
	return fault
}

func (e *NoTourError) empty() bool { return len(e.NotReached)+len(e.NotLeft) == 0 }

// compare lists the stops that source does not reach and those that do not reach
// destination. -1: do not ask.
func (e *NoTourError) compare(c *closure, source, destination int) {
	for s := range c.stops {
		if source >= 0 && !c.reaches(source, s) {
			e.NotReached = append(e.NotReached, s)
		}
		if destination >= 0 && !c.reaches(s, destination) {
			e.NotLeft = append(e.NotLeft, s)
		}
	}
}

// component is a set of stops that reach one another.
type component struct {
	stop  int // its smallest
	size  int
	order int // number of stops reached: descends along legs between components
}

// components returns them by smallest stop.
func (c *closure) components(clock *clock) ([]component, error) {
	var all []component
next:
	for s := range c.stops {
		if err := clock.spend(c.stops + len(all)); err != nil {
			return nil, err
		}
		for i := range all {
			if d := all[i].stop; c.reaches(s, d) && c.reaches(d, s) {
				all[i].size++
				continue next
			}
		}
		order := 0
		for t := range c.stops {
			if c.reaches(s, t) {
				order++
			}
		}
		all = append(all, component{stop: s, size: 1, order: order})
	}
	return all, nil
}

// largest returns the smallest stop of the largest component, the first of equals.
func (c *closure) largest(clock *clock) (int, error) {
	all, err := c.components(clock)
	if err != nil {
		return 0, err
	}
	return slices.MaxFunc(all, func(x, y component) int {
		return cmp.Or(cmp.Compare(x.size, y.size), cmp.Compare(y.stop, x.stop))
	}).stop, nil
}

// branches lists the stops outside of the longest chain of components, counted
// in stops: one way cannot visit two branches that do not reach each other.
func (e *NoTourError) branches(clock *clock, c *closure) error {
	all, err := c.components(clock)
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(x, y component) int {
		return cmp.Or(cmp.Compare(y.order, x.order), cmp.Compare(x.stop, y.stop))
	})
	length := make([]int, len(all))
	before := make([]int, len(all))
	end := 0
	for i := range all {
		length[i], before[i] = all[i].size, -1
		for j := range i {
			if c.reaches(all[j].stop, all[i].stop) && length[j]+all[i].size > length[i] {
				length[i], before[i] = length[j]+all[i].size, j
			}
		}
		if length[i] > length[end] {
			end = i
		}
		if err := clock.spend(i); err != nil {
			return err
		}
	}
	if length[end] == c.stops {
		return nil
	}
	inside := make([]bool, c.stops)
	for i := end; i >= 0; i = before[i] {
		for s := range inside {
			inside[s] = inside[s] || c.reaches(s, all[i].stop) && c.reaches(all[i].stop, s)
		}
		if err := clock.spend(c.stops); err != nil {
			return err
		}
	}
	for s, in := range inside {
		if !in {
			e.NotReached = append(e.NotReached, s)
			e.NotLeft = append(e.NotLeft, s)
		}
	}
	return nil
}
