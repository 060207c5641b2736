package trip

import "github.com/fourway-routing/fourway/pool"

// reach is the number of near nodes that a move tries for a leg.
const reach = 10

// neighbor is a node with the cost of the leg to or from it.
type neighbor[C cost] struct {
	node int32
	cost C
}

// neighbors lists for each node the nodes that are cheapest to go to, and those
// that are cheapest to come from, ties by number.
type neighbors[C cost] struct {
	each    int
	out, in []neighbor[C]
}

func newNeighbors[C cost](clock *clock, a *pool.Allocator, legs []C, m int) (neighbors[C], error) {
	n := neighbors[C]{each: min(reach, m-1)}
	n.out = pool.Make[neighbor[C]](a, m*n.each)
	n.in = pool.Make[neighbor[C]](a, m*n.each)
	for v := range m {
		nearest(n.out[v*n.each:][:n.each], legs[v*m:], 1, v, m)
		nearest(n.in[v*n.each:][:n.each], legs[v:], m, v, m)
		if err := clock.spend(4 * m); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (n *neighbors[C]) free(a *pool.Allocator) {
	pool.Free(a, n.out)
	pool.Free(a, n.in)
}

func (n *neighbors[C]) from(v int32) []neighbor[C] { return n.out[int(v)*n.each:][:n.each] }

func (n *neighbors[C]) to(v int32) []neighbor[C] { return n.in[int(v)*n.each:][:n.each] }

// nearest fills list with the nodes w of least costs[w*stride] but v, of m.
func nearest[C cost](list []neighbor[C], costs []C, stride, v, m int) {
	n := 0
	for w := range m {
		c := costs[w*stride]
		if w == v || n == len(list) && c >= list[n-1].cost {
			continue
		}
		if n < len(list) {
			n++
		}
		i := n - 1
		for ; i > 0 && c < list[i-1].cost; i-- {
			list[i] = list[i-1]
		}
		list[i] = neighbor[C]{int32(w), c}
	}
}
