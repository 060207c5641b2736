package trip

import (
	"math/bits"
	"slices"

	"github.com/fourway-routing/fourway/pool"
)

// width is the length of a row of the dynamic program: an entry for each node but
// the root, and a power of two, so that a masked index needs no bounds check.
const width = 16

// exact finds the cheapest closed tour from node 0, and among equals the
// lexicographically greatest, as OSRM does, by the dynamic program of Held and Karp,
// run from the end: row S of rest, S being a set of nodes without the root, holds for
// each member the cost of a path from it over the other members to the root. Subsets
// have smaller numbers, so rows are filled in ascending order. legs has at most
// width+1 rows.
func exact[C cost](clock *clock, a *pool.Allocator, legs []C, cycle []int32) error {
	m := len(cycle)
	k := m - 1
	cycle[0] = 0
	if k == 0 {
		return nil
	}
	never := slices.Max(legs)*C(m) + 1
	var home [width]C
	var to [width][width]C
	for i := range k {
		home[i] = legs[(i+1)*m]
		copy(to[i][:], legs[(i+1)*m+1:][:k])
	}
	rest := pool.Make[C](a, width<<k)
	defer pool.Free(a, rest)
	for set := 1; set < 1<<k; set++ {
		if err := clock.spend(width * k); err != nil {
			return err
		}
		row := (*[width]C)(rest[set*width:])
		for i := range row {
			row[i] = never // also keeps a member from following itself
		}
		var members [width]uint8
		n := 0
		for s := uint(set); s != 0; s &= s - 1 {
			members[n%width] = uint8(bits.TrailingZeros(s))
			n++
		}
		if n == 1 {
			row[members[0]%width] = home[members[0]%width]
			continue
		}
		for _, i := range members[:n] {
			next := (*[width]C)(rest[(set^1<<(i%width))*width:])
			costs := &to[i%width]
			best := never
			for _, j := range members[:n] {
				best = min(best, costs[j%width]+next[j%width])
			}
			row[i%width] = best
		}
	}
	set := 1<<k - 1
	from := legs[1:m]
	for at := 1; at < m; at++ {
		best, choice := never, 0
		for i, c := range from {
			if set>>i&1 != 0 && c+rest[set*width+i] <= best {
				best, choice = c+rest[set*width+i], i
			}
		}
		cycle[at] = int32(choice + 1)
		set ^= 1 << choice
		from = to[choice][:k]
	}
	return nil
}
