package trip

import "github.com/fourway-routing/fourway/pool"

const (
	// kicksPerNode times the number of nodes, but at most maxKicks, is how often
	// a tour is disturbed and repaired.
	kicksPerNode = 10
	maxKicks     = 2000
	// movesPerNode bounds the moves that repair it, per node and disturbance. It
	// is far from what is needed: it only bounds the time of odd input.
	movesPerNode = 1000
	// window is the length of the piece of tour that is disturbed.
	window = 50
)

func kicks(m int) int { return min(kicksPerNode*m, maxKicks) }

// improve finds a good closed tour from node 0 and tells whether it is proven
// optimal. There are at least 8 nodes. It disturbs the tour the given number of
// times.
func improve[C cost](clock *clock, a *pool.Allocator, legs []C, cycle []int32, kicks int) (bool, error) {
	m := len(cycle)
	if err := insert(clock, a, legs, cycle); err != nil {
		return false, err
	}
	bound, err := assign(clock, a, legs, m)
	if err != nil {
		return false, err
	}
	d, err := newDescent(clock, a, legs, m)
	defer d.free(a)
	if err != nil {
		return false, err
	}
	best := newRoute(a, legs, m)
	defer best.free(a)

	d.moves = movesPerNode * m
	d.set(cycle)
	for _, v := range cycle {
		d.push(v)
	}
	if _, err := d.run(clock); err != nil {
		return false, err
	}
	best.copyFrom(&d.route)
	least := best.cost()
	rng := random(1)
	for range kicks {
		if least <= bound || d.moves == 0 {
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
	return least <= bound, nil
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
