package trip

import "github.com/fourway-routing/fourway/pool"

// route is a closed tour in an array that is read as a ring.
type route[C cost] struct {
	legs  []C     // the matrix
	stops []int32 // nodes in order
	at    []int32 // place of each node in stops
	// turned[i] is what the legs up to place i would cost more in the other
	// direction. turned[len(stops)] includes the closing leg.
	turned []C
	spare  []int32
}

func newRoute[C cost](a *pool.Allocator, legs []C, m int) route[C] {
	return route[C]{
		legs:   legs,
		stops:  pool.Make[int32](a, m),
		at:     pool.Make[int32](a, m),
		turned: pool.Make[C](a, m+1),
		spare:  pool.Make[int32](a, m),
	}
}

func (r *route[C]) free(a *pool.Allocator) {
	pool.Free(a, r.stops)
	pool.Free(a, r.at)
	pool.Free(a, r.turned)
	pool.Free(a, r.spare)
}

func (r *route[C]) leg(from, to int32) C { return r.legs[int(from)*len(r.stops)+int(to)] }

// wrap returns a place that is less than a round beyond the end.
func (r *route[C]) wrap(i int32) int32 {
	if m := int32(len(r.stops)); i >= m {
		return i - m
	}
	return i
}

func (r *route[C]) next(v int32) int32 { return r.stops[r.wrap(r.at[v]+1)] }

func (r *route[C]) previous(v int32) int32 {
	return r.stops[r.wrap(r.at[v]+int32(len(r.stops))-1)]
}

// span returns the number of legs from place i on to place j.
func (r *route[C]) span(i, j int32) int32 {
	return r.wrap(j - i + int32(len(r.stops)))
}

// turning returns what the legs from place i on to place j would cost more in
// the other direction.
func (r *route[C]) turning(i, j int32) C {
	if i <= j {
		return r.turned[j] - r.turned[i]
	}
	return r.turned[len(r.stops)] - r.turned[i] + r.turned[j]
}

// set takes over an order.
func (r *route[C]) set(order []int32) {
	copy(r.stops, order)
	for i, v := range r.stops {
		r.at[v] = int32(i)
	}
	r.sum()
}

// copyFrom makes r the same tour as o.
func (r *route[C]) copyFrom(o *route[C]) {
	copy(r.stops, o.stops)
	copy(r.at, o.at)
	copy(r.turned, o.turned)
}

// sum computes turned.
func (r *route[C]) sum() {
	m := len(r.stops)
	turned := C(0)
	v := r.stops[0]
	for i, w := range r.stops[1:] {
		r.turned[i] = turned
		turned += r.legs[int(w)*m+int(v)] - r.legs[int(v)*m+int(w)]
		v = w
	}
	r.turned[m-1] = turned
	w := r.stops[0]
	r.turned[m] = turned + r.legs[int(w)*m+int(v)] - r.legs[int(v)*m+int(w)]
}

func (r *route[C]) cost() (sum C) {
	v := r.stops[len(r.stops)-1]
	for _, w := range r.stops {
		sum += r.leg(v, w)
		v = w
	}
	return sum
}

// reverse turns round the n stops from place i. The caller calls sum.
func (r *route[C]) reverse(i, n int32) {
	j := r.wrap(i + n - 1)
	for range n / 2 {
		v, w := r.stops[i], r.stops[j]
		r.stops[i], r.stops[j] = w, v
		r.at[w], r.at[v] = i, j
		i = r.wrap(i + 1)
		j = r.wrap(j + int32(len(r.stops)) - 1)
	}
}

// exchange swaps the n stops from place i with the k stops after them. The
// caller calls sum.
func (r *route[C]) exchange(i, n, k int32) {
	// On the ring, three segments swap in whichever pair is moved: leave the
	// longest where it is.
	rest := int32(len(r.stops)) - n - k
	switch max(n, k, rest) {
	case rest:
	case n:
		i, n, k = r.wrap(i+n), k, rest
	default:
		i, n, k = r.wrap(r.wrap(i+n)+k), rest, n
	}
	from := i
	for j := range n {
		r.spare[j] = r.stops[from]
		from = r.wrap(from + 1)
	}
	for range k {
		v := r.stops[from]
		r.stops[i], r.at[v] = v, i
		i, from = r.wrap(i+1), r.wrap(from+1)
	}
	for _, v := range r.spare[:n] {
		r.stops[i], r.at[v] = v, i
		i = r.wrap(i + 1)
	}
}
