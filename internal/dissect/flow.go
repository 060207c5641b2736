package dissect

// roads is an undirected graph of junctions in the plane, as bisection takes it.
// Arcs come in pairs, one at each end; neither loops nor ids beyond the graph.
type roads struct {
	first    []uint32
	arcs     []roadArc
	capacity []int32 // by arc
	// orders list the vertices along each direction.
	orders [directions][]uint32
	name   []uint32 // of each vertex in the graph that this one is part of
	weight []uint32 // search nodes of each vertex
}

type roadArc struct{ head, twin uint32 }

func (g *roads) size() int { return len(g.name) }

// nodes returns the number of search nodes.
func (g *roads) nodes() int {
	total := 0
	for _, w := range g.weight {
		total += int(w)
	}
	return total
}

// flow is the working memory of a maximum flow computation (Dinitz, 1970) with
// many sources and sinks.
type flow struct {
	first []uint32
	arcs  []roadArc
	left  []int32 // by arc, what a flow leaves of its capacity
	end   []bool  // by vertex, whether it is a sink
	blank []int32 // depth before the search: 0 for sources, or unseen
	depth []int32 // by vertex: steps from the sources, or unseen
	next  []uint32
	queue []uint32
	path  []uint32
	rim   []uint32 // sources with a neighbor that is none
}

const unseen = -1

// resize returns a slice of length n with any content.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}

// cut is a partition of the vertices in two.
type cut struct {
	value int64 // capacity between the parts
	part  int   // vertices of the smaller part
	side  []bool
}

// minimum finds the least cut between the first and the last ends vertices of
// the order; it gives up, and says so, as soon as hopeless says that for the flow
// so far. Of the cut nearest to the sources and that nearest to the sinks it
// returns the more even one.
func (f *flow) minimum(g *roads, order []uint32, ends int, hopeless func(value int64) bool) (c cut, ok bool) {
	n := g.size()
	f.first, f.arcs = g.first, g.arcs
	f.left = resize(f.left, len(g.arcs))
	copy(f.left, g.capacity)
	f.end, f.blank = resize(f.end, n), resize(f.blank, n)
	f.depth, f.next = resize(f.depth, n), resize(f.next, n)
	clear(f.end)
	for v := range f.blank {
		f.blank[v] = unseen
	}
	for _, v := range order[:ends] {
		f.blank[v] = 0
	}
	for _, v := range order[len(order)-ends:] {
		f.end[v] = true
	}
	f.rim = f.rim[:0]
	for _, v := range order[:ends] {
		for i := g.first[v]; i < g.first[v+1]; i++ {
			if f.blank[g.arcs[i].head] != 0 {
				f.rim = append(f.rim, v)
				break
			}
		}
	}
	value := int64(0)
	for f.layer() {
		if value += f.block(hopeless, value); hopeless(value) {
			return cut{}, false
		}
	}
	return f.even(order, ends, value), true
}

// layer computes the depth of the vertices down to the first sinks, and says
// whether there are any.
func (f *flow) layer() bool {
	copy(f.depth, f.blank)
	q := append(f.queue[:0], f.rim...)
	found := false
	for i := 0; i < len(q); i++ {
		v := q[i]
		d := f.depth[v] + 1
		if found && d > f.depth[q[len(q)-1]] {
			break // deeper than the first sinks
		}
		first, end := f.first[v], f.first[v+1]
		arcs, left := f.arcs[first:end], f.left[first:end]
		for i := range arcs {
			u := arcs[i].head
			if left[i] == 0 || f.depth[u] != unseen {
				continue
			}
			f.depth[u] = d
			q = append(q, u)
			found = found || f.end[u]
		}
	}
	f.queue = q
	return found
}

// block adds paths of the layered graph until it has no more, or the flow is
// hopeless.
func (f *flow) block(hopeless func(int64) bool, before int64) int64 {
	copy(f.next, f.first)
	added := int64(0)
	for _, source := range f.rim {
		path := f.path[:0]
		v := source
		for {
			if f.end[v] {
				least := f.left[path[0]]
				for _, a := range path {
					least = min(least, f.left[a])
				}
				keep := len(path)
				for i := len(path) - 1; i >= 0; i-- {
					a := path[i]
					f.left[a] -= least
					f.left[f.arcs[a].twin] += least
					if f.left[a] == 0 {
						keep = i
					}
				}
				added += int64(least)
				if hopeless(before + added) {
					f.path = path
					return added
				}
				v = f.arcs[f.arcs[path[keep]].twin].head
				path = path[:keep]
				continue
			}
			deeper := false
			for ; f.next[v] < f.first[v+1]; f.next[v]++ {
				a := f.next[v]
				u := f.arcs[a].head
				if f.left[a] != 0 && f.depth[u] == f.depth[v]+1 {
					path = append(path, a)
					v = u
					deeper = true
					break
				}
			}
			if deeper {
				continue
			}
			f.depth[v] = unseen // leads nowhere
			if len(path) == 0 {
				break
			}
			last := path[len(path)-1]
			path = path[:len(path)-1]
			v = f.arcs[f.arcs[last].twin].head
			f.next[v]++
		}
		f.path = path
	}
	return added
}

// even returns the more even of the two cuts at the ends, given a maximum flow:
// depth tells what the sources still reach.
func (f *flow) even(order []uint32, ends int, value int64) cut {
	n := len(f.depth)
	side := make([]bool, n)
	near := 0
	for v := range side {
		if f.depth[v] != unseen {
			side[v] = true
			near++
		}
	}
	if 2*near >= n {
		return cut{value, n - near, side}
	}
	// The cut at the sinks leaves the sources more.
	q := f.queue[:0]
	for _, v := range order[len(order)-ends:] {
		f.depth[v] = 0
		q = append(q, v)
	}
	const behind = -2
	for _, v := range q {
		f.depth[v] = behind
	}
	for i := 0; i < len(q); i++ {
		for a := f.first[q[i]]; a < f.first[q[i]+1]; a++ {
			u := f.arcs[a].head
			if f.left[f.arcs[a].twin] != 0 && f.depth[u] != behind {
				f.depth[u] = behind
				q = append(q, u)
			}
		}
	}
	f.queue = q
	if far := len(q); min(near, n-near) < min(far, n-far) {
		for v := range side {
			side[v] = f.depth[v] != behind
		}
		return cut{value, min(far, n-far), side}
	}
	return cut{value, min(near, n-near), side}
}
