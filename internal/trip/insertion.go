package trip

import "github.com/fourway-routing/fourway/pool"

// place is where a node would enter the tour at the least extra cost.
type place[C cost] struct {
	extra C
	after int32 // node of the tour
}

// insert builds a closed tour by farthest insertion: of the nodes outside, the
// one whose cheapest place costs most enters next, there. Places are remembered;
// an insertion offers two new ones and spoils those of the nodes that wanted the
// leg which it replaced. Ties go to the smaller node and the earlier place.
func insert[C cost](clock *clock, a *pool.Allocator, legs []C, cycle []int32) error {
	m := len(cycle)
	next := pool.Make[int32](a, m)
	defer pool.Free(a, next)
	places := pool.Make[place[C]](a, m)
	defer pool.Free(a, places)
	outside := pool.Make[int32](a, m)
	defer pool.Free(a, outside)

	// The most expensive leg from the root begins the tour.
	far := int32(1)
	for v := 2; v < m; v++ {
		if legs[v]+legs[v*m] > legs[far]+legs[int(far)*m] {
			far = int32(v)
		}
	}
	next[0], next[far] = far, 0
	n := 0
	for v := int32(1); v < int32(m); v++ {
		if v != far {
			outside[n] = v
			n++
			places[v] = cheapest(legs, next, v)
		}
	}
	for ; n > 0; n-- {
		pick := 0
		for i, v := range outside[:n] {
			if places[v].extra > places[outside[pick]].extra {
				pick = i
			}
		}
		v := outside[pick]
		copy(outside[pick:n-1], outside[pick+1:n])
		before := places[v].after
		after := next[before]
		next[before], next[v] = v, after
		work := 2 * n
		for _, u := range outside[:n-1] {
			if places[u].after == before {
				places[u] = cheapest(legs, next, u)
				work += m - n
				continue
			}
			in := legs[int(u)*m:][:m]
			if extra := legs[int(before)*m+int(u)] + in[v] - legs[int(before)*m+int(v)]; extra < places[u].extra {
				places[u] = place[C]{extra, before}
			}
			if extra := legs[int(v)*m+int(u)] + in[after] - legs[int(v)*m+int(after)]; extra < places[u].extra {
				places[u] = place[C]{extra, v}
			}
		}
		if err := clock.spend(work); err != nil {
			return err
		}
	}
	v := int32(0)
	for i := range cycle {
		cycle[i] = v
		v = next[v]
	}
	return nil
}

// cheapest finds the best place for v in the tour through node 0.
func cheapest[C cost](legs []C, next []int32, v int32) place[C] {
	m := len(next)
	out := legs[int(v)*m:][:m]
	var best place[C]
	for from := int32(0); ; {
		to := next[from]
		extra := legs[int(from)*m+int(v)] + out[to] - legs[int(from)*m+int(to)]
		if from == 0 || extra < best.extra {
			best = place[C]{extra, from}
		}
		if from = to; from == 0 {
			return best
		}
	}
}
