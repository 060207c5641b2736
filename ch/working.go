package ch

import (
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
	loops   []loop // of contracted nodes too
	// pools own the lists, node v's being pools[owner(v)]'s, so that workers
	// grow lists of different owners without a lock.
	pools []*pool.Allocator
}

func newWorking(n, workers int) *working {
	g := &working{
		out:   make([][]half, n),
		in:    make([][]half, n),
		loops: make([]loop, n),
		pools: make([]*pool.Allocator, workers),
	}
	for i := range g.pools {
		g.pools[i] = pool.New()
	}
	for i := range g.loops {
		g.loops[i].weight = math.MaxUint32
	}
	return g
}

// owner returns the index of the pool, and of the worker, that v belongs to.
func (g *working) owner(v uint32) int { return int(v>>4) % len(g.pools) }

// blockMin is the capacity of the smallest block of a pool. Lists that start
// shorter lie side by side and move to a block when they grow: most never do.
const blockMin = 4

// load takes the arcs of x; of parallel arcs the first of the lightest stays.
func (g *working) load(x *graph.Expanded) {
	n := x.NumNodes()
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
	list := func(v uint32, n int) []half {
		if n >= blockMin {
			return pool.Make[half](g.pools[g.owner(v)], n)[:0]
		}
		l := store[:0:n]
		store = store[n:]
		return l
	}
	for v, d := range degree {
		g.in[v] = list(uint32(v), int(d))
	}
	for v := range n {
		tail := uint32(v)
		first, end := x.First[v], x.First[v+1]
		p := g.pools[g.owner(tail)]
		out := list(tail, int(end-first))
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
			out = insert(p, out, half{uint32(arc.Head), w, uint32(e), original})
		}
		g.out[v] = out
		for _, h := range out {
			g.in[h.node] = append(g.in[h.node], half{tail, h.weight, h.a, h.b})
		}
	}
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

// restrict returns the graph of the nodes, ascending, which their place becomes
// the id of. No other node stands. The graph is for copying only.
func (g *working) restrict(nodes []uint32) *working {
	local := make([]uint32, len(g.out))
	for i, v := range nodes {
		local[v] = uint32(i)
	}
	arcs := 0
	for _, v := range nodes {
		arcs += len(g.out[v]) + len(g.in[v])
	}
	r := newWorking(len(nodes), 0)
	store := make([]half, arcs)
	take := func(list []half) []half {
		own := store[:len(list):len(list)]
		store = store[len(list):]
		for i, h := range list {
			h.node = local[h.node]
			own[i] = h
		}
		return own
	}
	for i, v := range nodes {
		r.out[i], r.in[i], r.loops[i] = take(g.out[v]), take(g.in[v]), g.loops[v]
	}
	return r
}

// copy returns a copy of the graph without the excluded nodes, whose lists are
// empty there. excluded may be nil.
func (g *working) copy(excluded graph.Bits, workers int) *working {
	c := newWorking(len(g.out), workers)
	take := func(p *pool.Allocator, list []half) []half {
		own := pool.Make[half](p, len(list))[:0]
		for _, h := range list {
			if excluded == nil || !excluded.Get(h.node) {
				own = append(own, h)
			}
		}
		return own
	}
	for i := range g.out {
		v := uint32(i)
		if excluded != nil && excluded.Get(v) {
			continue
		}
		p := c.pools[c.owner(v)]
		c.out[v], c.in[v], c.loops[v] = take(p, g.out[v]), take(p, g.in[v]), g.loops[v]
	}
	return c
}
