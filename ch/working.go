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
// list is final, and the arcs a and b that a shortcut stands for are final
// before it, since they are listed at the node that it bypasses.
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

// working is the graph under contraction. Lists of a node that still stands
// name standing nodes only; the lists of a contracted node stay as they were
// and become the arcs of the hierarchy.
type working struct {
	out, in [][]half
	loops   []loop
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

// load takes the arcs of x; of parallel arcs the first of the lightest stays.
func (g *working) load(x *graph.Expanded) {
	n := x.NumNodes()
	degree := make([]uint32, n)
	for v := range n {
		for e := x.First[v]; e < x.First[v+1]; e++ {
			if arc := &x.Arcs[e]; arc.Weight != graph.InvalidWeight {
				degree[arc.Head]++
			}
		}
	}
	for v, d := range degree {
		if d > 0 {
			g.in[v] = pool.Make[half](g.pools[g.owner(uint32(v))], int(d))[:0]
		}
	}
	for v := range n {
		tail := uint32(v)
		first, end := x.First[v], x.First[v+1]
		if first == end {
			continue
		}
		p := g.pools[g.owner(tail)]
		out := pool.Make[half](p, int(end-first))[:0]
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
