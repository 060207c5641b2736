package trip

import "github.com/fourway-routing/fourway/pool"

const (
	// kicksPerNode times the number of nodes, within limits, is how often a tour
	// is disturbed and repaired.
	kicksPerNode = 10
	minKicks     = 500
	maxKicks     = 5000
	// movesPerNode bounds the moves that repair it, per node. It is far beyond
	// what is needed: it only bounds the time of odd input.
	movesPerNode = 1000
	// window is the length of the piece of tour that is disturbed.
	window = 50
	// maxPriced is the number of nodes up to which the assignment problem is
	// solved: there it takes a small part of the time.
	maxPriced = 256
)

// kicks is the budget for m nodes.
func kicks(m int) int { return min(max(kicksPerNode*m, minKicks), maxKicks) }

// improve finds a good closed tour of at least 8 nodes from node 0, which it
// disturbs budget times, and tells whether it is proven optimal. It changes legs.
func improve[C cost](clock *clock, a *pool.Allocator, legs []C, cycle []int32, budget int) (bool, error) {
	m := len(cycle)
	priced := m <= maxPriced
	if err := insert(clock, a, legs, cycle); err != nil {
		return false, err
	}
	successor := pool.Make[int32](a, m)
	defer pool.Free(a, successor)
	if priced {
		if err := assign(clock, a, legs, successor); err != nil {
			return false, err
		}
	}
	d, err := newDescent(clock, a, legs, m)
	defer d.free(a)
	if err != nil {
		return false, err
	}
	best := newRoute(a, legs, m)
	defer best.free(a)

	d.moves = movesPerNode * m
	if err := d.descend(clock, cycle); err != nil {
		return false, err
	}
	best.copyFrom(&d.route)
	least := best.cost()
	if priced {
		if err := patch(clock, a, legs, successor); err != nil {
			return false, err
		}
		for i := range m - 1 {
			cycle[i+1] = successor[cycle[i]]
		}
		if err := d.descend(clock, cycle); err != nil {
			return false, err
		}
		if c := d.cost(); c < least {
			best.copyFrom(&d.route)
			least = c
		} else {
			d.copyFrom(&best)
		}
	}
	rng := random(1)
	for range budget {
		if least == 0 || d.moves == 0 {
			break
		}
		delta := d.kick(&rng)
		gain, err := d.run(clock)
		if err != nil {
			return false, err
		}
		if gain >= delta {
			least += delta - gain
			best.copyFrom(&d.route)
		} else {
			d.copyFrom(&best)
		}
	}
	for i, at := 0, best.at[0]; i < m; i, at = i+1, best.wrap(at+1) {
		cycle[i] = best.stops[at]
	}
	return least == 0, nil
}

// descend takes over an order and improves it from every node.
func (d *descent[C]) descend(clock *clock, order []int32) error {
	d.set(order)
	for _, v := range order {
		d.push(v)
	}
	_, err := d.run(clock)
	return err
}

// kick puts three successive segments in reverse order without turning them, a
// double bridge, and returns what that costs. Single moves do not undo it.
func (d *descent[C]) kick(rng *random) C {
	m := int32(len(d.stops))
	size := min(window, m-1)
	at := rng.below(m)
	// Cut lengths 1 to size into three.
	i := 1 + rng.below(size-2)
	j := 1 + rng.below(size-3)
	if j >= i {
		j++
	} else {
		i, j = j, i
	}
	k := j + 1 + rng.below(size-j)
	before := d.stops[d.wrap(at+m-1)]
	var places [6]int32
	for n, p := range [...]int32{0, i - 1, i, j - 1, j, k - 1} {
		places[n] = d.stops[d.wrap(at+p)]
	}
	after := d.stops[d.wrap(at+k)]
	a, b, c, e, f, g := places[0], places[1], places[2], places[3], places[4], places[5]
	delta := d.leg(before, f) + d.leg(g, c) + d.leg(e, a) + d.leg(b, after) -
		d.leg(before, a) - d.leg(b, c) - d.leg(e, f) - d.leg(g, after)
	d.exchange(at, i, j-i)
	d.exchange(d.at[c], j, k-j) // on the ring, the first exchange may have moved either segment
	d.sum()
	d.push(before)
	for _, v := range places {
		d.push(v)
	}
	d.push(after)
	return delta
}

// random is the xorshift generator of Marsaglia (2003).
type random uint64

// below returns a number from 0 to n-1.
func (r *random) below(n int32) int32 {
	x := *r
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	*r = x
	return int32(uint64(x>>32) * uint64(n) >> 32)
}
