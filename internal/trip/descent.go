package trip

import "github.com/fourway-routing/fourway/pool"

// descent improves a route until no move from any queued node does.
type descent[C cost] struct {
	route[C]
	near   neighbors[C]
	queue  []int32 // ring of nodes that may begin a move
	head   int
	len    int
	queued []bool
	moves  int // budget
}

// move is an improvement of a route.
type move[C cost] struct {
	gain C
	kind uint8
	// The n nodes from place at, and the k after them.
	at, n, k int32
}

const (
	none     uint8 = iota
	exchange       // n and k swap
	reversal       // n turn round
	carry          // n turn round and swap with k
)

func newDescent[C cost](clock *clock, a *pool.Allocator, legs []C, m int) (descent[C], error) {
	near, err := newNeighbors(clock, a, legs, m)
	return descent[C]{
		route:  newRoute(a, legs, m),
		near:   near,
		queue:  pool.Make[int32](a, m),
		queued: pool.MakeZeroed[bool](a, m),
	}, err
}

func (d *descent[C]) free(a *pool.Allocator) {
	d.route.free(a)
	d.near.free(a)
	pool.Free(a, d.queue)
	pool.Free(a, d.queued)
}

// push queues a node.
func (d *descent[C]) push(v int32) {
	if d.queued[v] {
		return
	}
	d.queued[v] = true
	i := d.head + d.len
	if i >= len(d.queue) {
		i -= len(d.queue)
	}
	d.queue[i] = v
	d.len++
}

func (d *descent[C]) pop() int32 {
	v := d.queue[d.head]
	if d.head++; d.head == len(d.queue) {
		d.head = 0
	}
	d.len--
	d.queued[v] = false
	return v
}

// run returns what the route became cheaper.
func (d *descent[C]) run(clock *clock) (C, error) {
	var gain C
	for d.len > 0 && d.moves > 0 {
		v := d.pop()
		for d.moves > 0 {
			mv := d.best(v)
			if err := clock.spend(d.near.each * d.near.each); err != nil {
				return gain, err
			}
			if mv.kind == none {
				break
			}
			d.apply(mv)
			gain += mv.gain
			d.moves--
			if err := clock.spend(2 * len(d.stops)); err != nil {
				return gain, err
			}
		}
	}
	return gain, nil
}

// apply makes a move and queues the nodes whose legs it changed.
func (d *descent[C]) apply(mv move[C]) {
	ends := [...]int32{mv.at - 1, mv.at, mv.at + mv.n - 1, mv.at + mv.n, mv.at + mv.n + mv.k - 1, mv.at + mv.n + mv.k}
	m := int32(len(d.stops))
	for _, i := range ends {
		if i < 0 {
			i += m
		}
		d.push(d.stops[d.wrap(i)])
	}
	switch mv.kind {
	case exchange:
		d.exchange(mv.at, mv.n, mv.k)
	case reversal:
		d.reverse(mv.at, mv.n)
	case carry:
		d.reverse(mv.at, mv.n)
		d.exchange(mv.at, mv.n, mv.k)
	}
	d.sum()
}

// best returns the best move that begins at node v.
func (d *descent[C]) best(v int32) move[C] {
	var best move[C]
	d.exchanges(v, &best)
	d.reversals(v, &best)
	d.carries(v, &best)
	return best
}

// exchanges tries to replace the legs v-b, c-w and e-f of v b…c w…e f by v-w, c-f
// and e-b. As the gain of each improving move has a leg to begin with such that
// partial sums are positive, both loops end at the first that is not.
func (d *descent[C]) exchanges(v int32, best *move[C]) {
	first := d.wrap(d.at[v] + 1)
	b := d.stops[first]
	old := d.leg(v, b)
	for _, near := range d.near.from(v) {
		gain := old - near.cost
		if gain <= 0 {
			return
		}
		w := near.node
		n := d.span(first, d.at[w])
		if n == 0 {
			continue
		}
		c := d.previous(w)
		gain += d.leg(c, w)
		for _, near := range d.near.from(c) {
			part := gain - near.cost
			if part <= 0 {
				break
			}
			f := near.node
			k := d.span(first, d.at[f]) - n
			if k <= 0 {
				continue
			}
			e := d.previous(f)
			if total := part + d.leg(e, f) - d.leg(e, b); total > best.gain {
				*best = move[C]{total, exchange, first, n, k}
			}
		}
	}
}

// reversals tries to turn a segment round so that v is followed by a near node,
// or preceded by one.
func (d *descent[C]) reversals(v int32, best *move[C]) {
	// v b…w x becomes v w…b x.
	at := d.at[v]
	b := d.next(v)
	first := d.wrap(at + 1)
	old := d.leg(v, b)
	for _, near := range d.near.from(v) {
		gain := old - near.cost
		if gain <= 0 {
			break
		}
		w := near.node
		x := d.next(w)
		if x == v || w == b {
			continue
		}
		gain += d.leg(w, x) - d.leg(b, x) - d.turning(first, d.at[w])
		if gain > best.gain {
			*best = move[C]{gain, reversal, first, d.span(at, d.at[w]), 0}
		}
	}
	// x w…b v becomes x b…w v.
	b = d.previous(v)
	last := d.at[b]
	old = d.leg(b, v)
	for _, near := range d.near.to(v) {
		gain := old - near.cost
		if gain <= 0 {
			break
		}
		w := near.node
		x := d.previous(w)
		if x == v || w == b {
			continue
		}
		gain += d.leg(x, w) - d.leg(x, b) - d.turning(d.at[w], last)
		if gain > best.gain {
			*best = move[C]{gain, reversal, d.at[w], d.span(d.at[w], at), 0}
		}
	}
}

// longest is the length of the longest segment that is moved and turned round.
const longest = 3

// carries tries to move a short segment that begins or ends with v elsewhere,
// turned round, next to a node near to v.
func (d *descent[C]) carries(v int32, best *move[C]) {
	m := int32(len(d.stops))
	at := d.at[v]
	for n := int32(2); n <= min(longest, m-3); n++ {
		// Of p v…y q, the segment goes between w and x: w y…v x.
		last := d.wrap(at + n - 1)
		y, p, q := d.stops[last], d.previous(v), d.stops[d.wrap(last+1)]
		old := d.leg(p, v) + d.leg(y, q) - d.leg(p, q) - d.turning(at, last)
		for _, near := range d.near.from(v) {
			if near.cost >= old {
				break
			}
			x := near.node
			if d.span(at, d.at[x]) <= n {
				continue
			}
			w := d.previous(x)
			if gain := old + d.leg(w, x) - d.leg(w, y) - near.cost; gain > best.gain {
				*best = d.moved(at, n, d.at[x], gain)
			}
		}
		// Of p y…v q, likewise: w v…y x.
		first := d.wrap(at + m - n + 1)
		y, p, q = d.stops[first], d.stops[d.wrap(first+m-1)], d.next(v)
		old = d.leg(p, y) + d.leg(v, q) - d.leg(p, q) - d.turning(first, at)
		for _, near := range d.near.to(v) {
			if near.cost >= old {
				break
			}
			w := near.node
			x := d.next(w)
			if d.span(first, d.at[x]) <= n {
				continue
			}
			if gain := old + d.leg(w, x) - near.cost - d.leg(y, x); gain > best.gain {
				*best = d.moved(first, n, d.at[x], gain)
			}
		}
	}
}

// moved is the move of n nodes from place at, turned round, to before place x.
func (d *descent[C]) moved(at, n, x int32, gain C) move[C] {
	return move[C]{gain, carry, at, n, d.span(at, x) - n}
}
