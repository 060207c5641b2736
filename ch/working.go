package ch

import (
	"context"
	"math"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// original marks, as second child, an arc that is a search edge of the graph;
// its first child is then the edge's id.
const original = math.MaxUint32

// maxWeight is the largest weight of a path; what is heavier does not exist.
const maxWeight = uint32(graph.InvalidWeight) - 1

// half is an arc as one of its ends lists it. Once that end is contracted the
// arc is final; those that a shortcut stands for are final before it, since
// they are listed at the node that it bypasses.
type half struct {
	node   uint32 // the other end
	weight uint32
	a, b   uint32 // ids of the arcs bypassed, or an EdgeID and original
}

// loop is the cheapest known way from a node back to itself over nodes that
// are already contracted; none has weight over maxWeight.
type loop struct {
	weight uint32
	a, b   uint32
}

// working is the graph under contraction: the nodes that still stand.
type working struct {
	out, in [][]half
	loops   []loop
	level   []uint32 // contracted nodes on the longest way down, by node
	names   []uint32 // NodeID, ascending
	// pools own the lists, node v's being pools[owner(v)]'s, so that workers
	// grow lists of different owners without a lock.
	pools []*pool.Allocator
}

func newWorking(n, workers int, kind pool.Kind) *working {
	g := &working{
		out:   make([][]half, n),
		in:    make([][]half, n),
		loops: make([]loop, n),
		level: make([]uint32, n),
		names: make([]uint32, n),
		pools: make([]*pool.Allocator, workers),
	}
	for i := range g.pools {
		g.pools[i] = pool.NewKind(kind)
	}
	for i := range g.loops {
		g.loops[i].weight = math.MaxUint32
	}
	return g
}

// kind returns where the memory comes from.
func (g *working) kind() pool.Kind { return g.pools[0].Kind() }

// owner returns the index of the pool, and of the worker, that v belongs to.
func (g *working) owner(v uint32) int { return int(v>>4) % len(g.pools) }

// blockMin is the capacity of the smallest block of a pool. Lists that start
// shorter lie side by side and move to a block when they grow: most never do.
const blockMin = 4

// load takes the arcs of x; of parallel arcs the first of the lightest stays.
func (g *working) load(ctx context.Context, x *graph.Expanded) error {
	n := x.NumNodes()
	for v := range g.names {
		g.names[v] = uint32(v)
	}
	degree := make([]uint32, n)
	short := 0 // arcs in short lists
	for v := range n {
		first, end := x.First[v], x.First[v+1]
		if d := int(end - first); d < blockMin {
			short += d
		}
		for e := first; e < end; e++ {
			degree[x.Arcs[e].Head]++
		}
	}
	for _, d := range degree {
		if d < blockMin {
			short += int(d)
		}
	}
	store := make([]half, short)
	for v, d := range degree {
		g.in[v] = g.list(uint32(v), int(d), &store)
	}
	place := make([]uint32, n) // of the arc to a head in the list in the making
	for v := range n {
		if v%loadPoll == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		tail := uint32(v)
		first, end := x.First[v], x.First[v+1]
		out := g.list(tail, int(end-first), &store)
		for e := first; e < end; e++ {
			arc := &x.Arcs[e]
			if arc.Weight == graph.InvalidWeight {
				continue
			}
			w := uint32(arc.Weight)
			if arc.Head == graph.NodeID(v) {
				if w < g.loops[v].weight {
					g.loops[v] = loop{w, uint32(e), original}
				}
				continue
			}
			h := half{uint32(arc.Head), w, uint32(e), original}
			if i := place[h.node]; int(i) < len(out) && out[i].node == h.node {
				if w < out[i].weight {
					out[i] = h
				}
				continue
			}
			place[h.node] = uint32(len(out))
			out = append(out, h)
		}
		g.out[v] = out
		for _, h := range out {
			g.in[h.node] = append(g.in[h.node], half{tail, h.weight, h.a, h.b})
		}
	}
	return nil
}

// loadPoll is the number of nodes loaded between looks at the context.
const loadPoll = 1 << 12

// list returns an empty list of v for n arcs, cut from store if it is short.
func (g *working) list(v uint32, n int, store *[]half) []half {
	if n >= blockMin {
		return pool.Make[half](g.pools[g.owner(v)], n)[:0]
	}
	l := (*store)[:0:n]
	*store = (*store)[n:]
	return l
}

// insert adds h to the list, or lets it replace a heavier parallel arc.
func insert(p *pool.Allocator, list []half, h half) []half {
	for i := range list {
		if list[i].node == h.node {
			if h.weight < list[i].weight {
				list[i] = h
			}
			return list
		}
	}
	if c := cap(list); len(list) == c && c < blockMin {
		block := pool.Make[half](p, blockMin)[:c+1]
		copy(block, list)
		block[c] = h
		return block
	}
	return pool.Append(p, list, h)
}

// remove takes the arc of node v from the list.
func remove(list []half, v uint32) []half {
	for i := range list {
		if list[i].node == v {
			list[i] = list[len(list)-1]
			return list[:len(list)-1]
		}
	}
	return list
}

// drop frees the lists of v.
func (g *working) drop(v uint32) {
	for _, lists := range [2][][]half{g.out, g.in} {
		if cap(lists[v]) >= blockMin {
			pool.Free(g.pools[g.owner(v)], lists[v])
		}
		lists[v] = nil
	}
}

// restrict returns the graph of the given nodes, ascending, which get new ids
// in that order. Smaller arrays keep what a search reads close together.
func (g *working) restrict(nodes []uint32, workers int) *working {
	local := make([]uint32, len(g.out))
	for i := range local {
		local[i] = absent
	}
	short := 0
	for i, v := range nodes {
		local[v] = uint32(i)
		for _, n := range [2]int{len(g.out[v]), len(g.in[v])} {
			if n < blockMin {
				short += n
			}
		}
	}
	r := newWorking(len(nodes), workers, g.kind())
	store := make([]half, short)
	take := func(i uint32, list []half) []half {
		own := r.list(i, len(list), &store)
		for _, h := range list {
			if h.node = local[h.node]; h.node != absent {
				own = append(own, h)
			}
		}
		return own
	}
	for i, v := range nodes {
		r.out[i], r.in[i] = take(uint32(i), g.out[v]), take(uint32(i), g.in[v])
		r.loops[i], r.level[i], r.names[i] = g.loops[v], g.level[v], g.names[v]
	}
	return r
}
