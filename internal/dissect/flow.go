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

// flow is the working memory of a maximum flow computation with many sources and
// sinks. Trees of what the flow leaves grow from both until they meet, and each
// path found damages them only where it fills an arc (Boykov and Kolmogorov, An
// Experimental Comparison of Min-Cut/Max-Flow Algorithms, 2004). Between the far
// ends of a road network there are few paths and each is long: to search the
// network anew for every one of them, as Dinitz does, takes most of the time.
type flow struct {
	first []uint32
	arcs  []roadArc
	left  []int32 // by arc, what the flow leaves of its capacity
	tree  []tree  // by vertex
	up    []uint32
	// Of a vertex whose way up is known to end at a root as of some path: the
	// steps it takes, and the number of the path.
	steps   []int32
	seen    []int32
	paths   int32
	after   []uint32 // by active vertex, the next one; itself for the last
	head    uint32   // first active vertex
	tail    uint32
	orphans []uint32
}

// tree says from where a vertex has been reached.
type tree uint8

const (
	free tree = iota
	fromSources
	toSinks
)

const (
	// Values of flow.up, else the arc to the parent.
	root   = 1<<32 - 1
	orphan = 1<<32 - 2

	nobody = 1<<32 - 1 // in flow.after, and for head and tail
)

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
	f.start(g, order[:ends], order[len(order)-ends:])
	value := int64(0)
	for f.head != nobody {
		v := f.head
		a, found := f.grow(v)
		if !found {
			f.passive()
			continue
		}
		if value += f.augment(a); hopeless(value) {
			return cut{}, false
		}
		f.adopt()
	}
	return f.even(value), true
}

// start makes roots of the ends. Those with other neighbors are active.
func (f *flow) start(g *roads, sources, sinks []uint32) {
	n := g.size()
	f.first, f.arcs = g.first, g.arcs
	f.left = resize(f.left, len(g.arcs))
	copy(f.left, g.capacity)
	f.tree, f.up, f.after = resize(f.tree, n), resize(f.up, n), resize(f.after, n)
	f.steps, f.seen = resize(f.steps, n), resize(f.seen, n)
	clear(f.tree)
	clear(f.seen)
	for v := range f.after {
		f.after[v] = nobody
	}
	f.paths, f.head, f.tail, f.orphans = 0, nobody, nobody, f.orphans[:0]
	for _, v := range sources {
		f.tree[v], f.up[v], f.steps[v] = fromSources, root, 0
	}
	for _, v := range sinks {
		f.tree[v], f.up[v], f.steps[v] = toSinks, root, 0
	}
	f.startAt(sources)
	f.startAt(sinks)
}

func (f *flow) startAt(ends []uint32) {
	for _, v := range ends {
		for a := f.first[v]; a < f.first[v+1]; a++ {
			if f.tree[f.arcs[a].head] != f.tree[v] {
				f.activate(v)
				break
			}
		}
	}
}

// activate puts v at the end of the active vertices.
func (f *flow) activate(v uint32) {
	if f.after[v] != nobody {
		return
	}
	f.after[v] = v
	if f.head == nobody {
		f.head = v
	} else {
		f.after[f.tail] = v
	}
	f.tail = v
}

// passive takes the first active vertex away.
func (f *flow) passive() {
	v := f.head
	if f.head = f.after[v]; f.head == v {
		f.head, f.tail = nobody, nobody
	}
	f.after[v] = nobody
}

// grow adds the free vertices next to v to its tree. If it meets the other one, it
// returns the arc from the sources' tree to the sinks'.
func (f *flow) grow(v uint32) (arc uint32, found bool) {
	own := f.tree[v]
	if own == free {
		return 0, false
	}
	steps, seen := f.steps[v], f.seen[v]
	for a := f.first[v]; a < f.first[v+1]; a++ {
		r := f.arcs[a]
		along := a
		if own == toSinks {
			along = r.twin
		}
		if f.left[along] == 0 {
			continue
		}
		switch u := r.head; f.tree[u] {
		case free:
			f.tree[u], f.up[u] = own, r.twin
			f.steps[u], f.seen[u] = steps+1, seen
			f.activate(u)
		case own:
			// A shorter way up.
			if f.seen[u] <= seen && f.steps[u] > steps+1 {
				f.up[u], f.steps[u], f.seen[u] = r.twin, steps+1, seen
			}
		default:
			return along, true
		}
	}
	return 0, false
}

// augment fills the path over the arc between the trees and returns what it adds.
// What hung on arcs that are full now are orphans.
func (f *flow) augment(arc uint32) int64 {
	source, sink := f.arcs[f.arcs[arc].twin].head, f.arcs[arc].head
	least := f.left[arc]
	for v := source; f.up[v] != root; {
		r := f.arcs[f.up[v]]
		least = min(least, f.left[r.twin])
		v = r.head
	}
	for v := sink; f.up[v] != root; {
		a := f.up[v]
		least = min(least, f.left[a])
		v = f.arcs[a].head
	}
	f.left[arc] -= least
	f.left[f.arcs[arc].twin] += least
	for v := source; f.up[v] != root; {
		a := f.up[v]
		r := f.arcs[a]
		f.left[a] += least
		if f.left[r.twin] -= least; f.left[r.twin] == 0 {
			f.up[v] = orphan
			f.orphans = append(f.orphans, v)
		}
		v = r.head
	}
	for v := sink; f.up[v] != root; {
		a := f.up[v]
		r := f.arcs[a]
		f.left[r.twin] += least
		if f.left[a] -= least; f.left[a] == 0 {
			f.up[v] = orphan
			f.orphans = append(f.orphans, v)
		}
		v = r.head
	}
	f.paths++
	return int64(least)
}

// adopt finds parents for the orphans, or sets them free.
func (f *flow) adopt() {
	for i := 0; i < len(f.orphans); i++ {
		v := f.orphans[i]
		own := f.tree[v]
		parent, least := uint32(orphan), int32(1<<31-1)
		for a := f.first[v]; a < f.first[v+1]; a++ {
			u := f.arcs[a].head
			if f.tree[u] != own || f.left[f.toward(own, a)] == 0 {
				continue
			}
			if steps, ok := f.rooted(u); ok && steps < least {
				parent, least = a, steps
			}
		}
		if parent != orphan {
			f.up[v], f.steps[v], f.seen[v] = parent, least+1, f.paths
			continue
		}
		f.tree[v] = free
		for a := f.first[v]; a < f.first[v+1]; a++ {
			r := f.arcs[a]
			u := r.head
			if f.tree[u] != own {
				continue
			}
			if f.left[f.toward(own, a)] != 0 {
				f.activate(u)
			}
			if f.up[u] == r.twin {
				f.up[u] = orphan
				f.orphans = append(f.orphans, u)
			}
		}
	}
	f.orphans = f.orphans[:0]
}

// toward returns the arc on which flow reaches the vertex where a begins, if the
// sources' tree, or leaves it, if the sinks' tree comes to it over a.
func (f *flow) toward(own tree, a uint32) uint32 {
	if own == fromSources {
		return f.arcs[a].twin
	}
	return a
}

// rooted says whether the way up from v ends at a root, and after how many steps.
func (f *flow) rooted(v uint32) (steps int32, ok bool) {
	u := v
	for f.seen[u] != f.paths {
		switch f.up[u] {
		case orphan:
			return 0, false
		case root:
			f.seen[u] = f.paths
		default:
			u = f.arcs[f.up[u]].head
			steps++
		}
	}
	steps += f.steps[u]
	for u, left := v, steps; f.seen[u] != f.paths; left-- {
		f.seen[u], f.steps[u] = f.paths, left
		u = f.arcs[f.up[u]].head
	}
	return steps, true
}

// even returns the more even of the two cuts at the ends, given a maximum flow:
// the trees are what the sources still reach, and what still reaches the sinks.
func (f *flow) even(value int64) cut {
	n, near, far := len(f.tree), 0, 0
	for _, t := range f.tree {
		switch t {
		case fromSources:
			near++
		case toSinks:
			far++
		}
	}
	side := make([]bool, n)
	if 2*near < n && min(near, n-near) < min(far, n-far) {
		for v, t := range f.tree {
			side[v] = t != toSinks
		}
		return cut{value, min(far, n-far), side}
	}
	for v, t := range f.tree {
		side[v] = t == fromSources
	}
	return cut{value, min(near, n-near), side}
}
