package trip

import "github.com/fourway-routing/fourway/pool"

// reach is the number of near nodes that a move tries for a leg.
const reach = 10

// neighbors lists for each node the nodes that are cheapest to go to, and those
// that are cheapest to come from, ties by number.
type neighbors struct {
	each    int
	out, in []int32
}

func newNeighbors[C cost](clock *clock, a *pool.Allocator, legs []C, m int) (neighbors, error) {
	n := neighbors{each: min(reach, m-1)}
	n.out = pool.Make[int32](a, m*n.each)
	n.in = pool.Make[int32](a, m*n.each)
	for v := range m {
		nearest(n.out[v*n.each:][:n.each], legs[v*m:], 1, v, m)
		nearest(n.in[v*n.each:][:n.each], legs[v:], m, v, m)
		if err := clock.spend(4 * m); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (n *neighbors) free(a *pool.Allocator) {
	pool.Free(a, n.out)
	pool.Free(a, n.in)
}

func (n *neighbors) from(v int32) []int32 { return n.out[int(v)*n.each:][:n.each] }

func (n *neighbors) to(v int32) []int32 { return n.in[int(v)*n.each:][:n.each] }

// nearest fills list with the nodes w of least costs[w*stride] but v, of m.
func nearest[C cost](list []int32, costs []C, stride, v, m int) {
	n := 0
	for w := range m {
		c := costs[w*stride]
		if w == v || n == len(list) && c >= costs[int(list[n-1])*stride] {
			continue
		}
		if n < len(list) {
			n++
		}
		i := n - 1
		for ; i > 0 && c < costs[int(list[i-1])*stride]; i-- {
			list[i] = list[i-1]
		}
		list[i] = int32(w)
	}
}
