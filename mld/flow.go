package mld

// roads is an undirected graph of junctions in the plane, as bisection takes it.
// Arcs come in pairs, one at each end; neither loops nor ids beyond the graph.
type roads struct {
	first []uint32
	arcs  []roadArc
	// orders list the vertices along each direction.
	orders [directions][]uint32
	name   []uint32 // of each vertex in the graph that this one is part of
	weight []uint32 // search nodes of each vertex
	degree []int32  // ends of chains at each vertex; nil in a part
}

type roadArc struct {
	head, twin uint32
	capacity   int32
}

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
	g        *roads
	residual []int32 // by arc
	end      []int8  // by vertex: sourceEnd, sinkEnd, or 0
	depth    []int32 // by vertex: steps from the sources, or unseen
	next     []uint32
	queue    []uint32
	path     []uint32
	rim      []uint32 // sources with a neighbor that is none
}

const (
	sourceEnd = 1
	sinkEnd   = 2
	unseen    = -1
)

func (f *flow) reset(g *roads) {
	f.g = g
	n := g.size()
	f.residual = resize(f.residual, len(g.arcs))
	f.end = resize(f.end, n)
	f.depth = resize(f.depth, n)
	f.next = resize(f.next, n)
}

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
func (f *flow) minimum(order []uint32, ends int, hopeless func(value int64) bool) (c cut, ok bool) {
	g := f.g
	for i := range g.arcs {
		f.residual[i] = g.arcs[i].capacity
	}
	clear(f.end)
	for _, v := range order[:ends] {
		f.end[v] = sourceEnd
	}
	for _, v := range order[len(order)-ends:] {
		f.end[v] = sinkEnd
	}
	f.rim = f.rim[:0]
	for _, v := range order[:ends] {
		for i := g.first[v]; i < g.first[v+1]; i++ {
			if f.end[g.arcs[i].head] != sourceEnd {
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
	g := f.g
	for i := range f.depth {
		f.depth[i] = unseen
	}
	q := f.queue[:0]
	for _, v := range f.rim {
		f.depth[v] = 0
		q = append(q, v)
	}
	found := false
	for i := 0; i < len(q); i++ {
		v := q[i]
		d := f.depth[v] + 1
		if found && d > f.depth[q[len(q)-1]] {
			break // deeper than the first sinks
		}
		for a := g.first[v]; a < g.first[v+1]; a++ {
			u := g.arcs[a].head
			if f.residual[a] == 0 || f.depth[u] != unseen || f.end[u] == sourceEnd {
				continue
			}
			f.depth[u] = d
			q = append(q, u)
			found = found || f.end[u] == sinkEnd
		}
	}
	f.queue = q
	return found
}

// block adds paths of the layered graph until it has no more, or the flow is
// hopeless.
func (f *flow) block(hopeless func(int64) bool, before int64) int64 {
	g := f.g
	copy(f.next, g.first[:g.size()])
	added := int64(0)
	for _, source := range f.rim {
		path := f.path[:0]
		v := source
		for {
			if f.end[v] == sinkEnd {
				least := f.residual[path[0]]
				for _, a := range path {
					least = min(least, f.residual[a])
				}
				keep := len(path)
				for i := len(path) - 1; i >= 0; i-- {
					a := path[i]
					f.residual[a] -= least
					f.residual[g.arcs[a].twin] += least
					if f.residual[a] == 0 {
						keep = i
					}
				}
				added += int64(least)
				if hopeless(before + added) {
					f.path = path
					return added
				}
				v = g.arcs[g.arcs[path[keep]].twin].head
				path = path[:keep]
				continue
			}
			deeper := false
			for ; f.next[v] < g.first[v+1]; f.next[v]++ {
				a := f.next[v]
				u := g.arcs[a].head
				if f.residual[a] != 0 && f.depth[u] == f.depth[v]+1 {
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
			v = g.arcs[g.arcs[last].twin].head
			f.next[v]++
		}
		f.path = path
	}
	return added
}

// even returns the more even of the two cuts at the ends, given a maximum flow:
// depth tells what the sources still reach.
func (f *flow) even(order []uint32, ends int, value int64) cut {
	g := f.g
	n := g.size()
	side := make([]bool, n)
	near := 0
	for v := range side {
		if f.depth[v] != unseen || f.end[v] == sourceEnd {
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
		for a := g.first[q[i]]; a < g.first[q[i]+1]; a++ {
			u := g.arcs[a].head
			if f.residual[g.arcs[a].twin] != 0 && f.depth[u] != behind {
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
