package mld

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// Path implements graph.Searcher.
func (s *Search) Path(dst []graph.EdgeID) []graph.EdgeID {
	if !s.ok {
		return dst
	}
	for _, h := range s.hops {
		if h.level == 0 {
			dst = append(dst, h.edge)
		} else {
			dst = s.unpack(dst, h)
		}
	}
	return dst
}

// unpack appends the edges of a clique's path.
func (s *Search) unpack(dst []graph.EdgeID, h hop) []graph.EdgeID {
	if h.from == h.to {
		return dst
	}
	d := &s.descent
	if edges, ok := d.cached(h); ok {
		return append(dst, edges...)
	}
	start, first := len(dst), len(d.hops)
	s.descend(h)
	for i := first; i < len(d.hops); i++ {
		if x := d.hops[i]; x.level == 0 {
			dst = append(dst, x.edge)
		} else {
			dst = s.unpack(dst, x)
		}
	}
	d.hops = d.hops[:first]
	d.keep(h, dst[start:])
	return dst
}

// descent is what unpacking works with.
type descent struct {
	memory *pool.Allocator
	hops   []hop // a stack
	labels []innerLabel
	queue  []uint64

	// The cache: places are found by hash, and taken by the latest; their edges
	// are pieces of one buffer, and all are dropped when that is full.
	places []place
	edges  []graph.EdgeID
}

// innerLabel is the label of a member of a cell.
type innerLabel struct {
	weight uint32
	parent uint32 // local
	edge   uint32 // of the parent, as in a heap.Label
}

type place struct {
	from, to uint32
	level    uint32 // 0: free
	first, n uint32
}

const (
	cachePlaces = 1 << 11
	cacheEdges  = 1 << 16
)

func (d *descent) init(memory *pool.Allocator) {
	d.memory = memory
	d.hops = pool.Make[hop](memory, 64)[:0]
	d.labels = pool.Make[innerLabel](memory, 256)[:0]
	d.queue = pool.Make[uint64](memory, 256)[:0]
}

func (d *descent) release() {
	pool.Free(d.memory, d.hops)
	pool.Free(d.memory, d.labels)
	pool.Free(d.memory, d.queue)
	pool.Free(d.memory, d.places)
	pool.Free(d.memory, d.edges)
	*d = descent{}
}

// forget drops the cache.
func (d *descent) forget() {
	clear(d.places)
	d.edges = d.edges[:0]
}

func (d *descent) place(h hop) *place {
	x := (uint64(h.from)<<32 | uint64(h.to)) * 0x9e3779b97f4a7c15
	return &d.places[(x>>40^uint64(h.level))%cachePlaces]
}

func (d *descent) cached(h hop) ([]graph.EdgeID, bool) {
	if d.places == nil {
		return nil, false
	}
	p := d.place(h)
	if p.from != h.from || p.to != h.to || p.level != h.level {
		return nil, false
	}
	return d.edges[p.first:][:p.n], true
}

func (d *descent) keep(h hop, edges []graph.EdgeID) {
	if len(edges) > cacheEdges/16 {
		return
	}
	if d.places == nil {
		d.places = pool.MakeZeroed[place](d.memory, cachePlaces)
		d.edges = pool.Make[graph.EdgeID](d.memory, cacheEdges)[:0]
	}
	if len(d.edges)+len(edges) > cacheEdges {
		d.forget()
	}
	*d.place(h) = place{h.from, h.to, h.level, uint32(len(d.edges)), uint32(len(edges))}
	d.edges = append(d.edges, edges...)
}

// descend finds the path of a clique again, by a search in its cell that crosses
// the sub-cells over their cliques, and puts its hops on the stack.
func (s *Search) descend(h hop) {
	d := &s.descent
	c, arcs, q := s.o.cells, s.o.arcs, s.q
	v := &c.levels[h.level-1]
	var below *level
	if h.level > 1 {
		below = &c.levels[h.level-2]
	}
	cell := v.cell[h.from]
	members := v.members[v.memberFirst[cell]:v.memberFirst[cell+1]]
	d.labels = pool.Grow(d.memory, d.labels, len(members))
	labels := d.labels
	for i := range labels {
		labels[i].weight = unreached
	}
	source, target := v.local[h.from], v.local[h.to]
	labels[source] = innerLabel{}
	queue := append(d.queue[:0], uint64(source))
	for len(queue) > 0 {
		var top uint64
		top, queue = pop(queue)
		local, key := uint32(top), uint32(top>>32)
		if local == target {
			break
		}
		x := labels[local]
		if x.weight != key {
			continue
		}
		id := members[local]
		from, to := c.first[2*id], c.first[2*id+1]
		first := from
		if id < v.border {
			from += uint32(v.rows[0][id].Across)
		}
		if below != nil {
			r := &below.rows[0][id]
			to = first + uint32(r.Across)
			if x.edge>>levelShift == 0 && r.N != 0 {
				heads := below.exits[r.Heads:][:r.N]
				for i, w := range q.weight[0][r.Clique:][:len(heads)] {
					y := v.local[heads[i]]
					if next := key + w; next < labels[y].weight {
						labels[y] = innerLabel{next, local, (h.level-1)<<levelShift | overClique}
						queue = d.push(queue, uint64(next)<<32|uint64(y))
					}
				}
			}
		}
		for i := from; i < to; i++ {
			a := &arcs[i]
			y := v.local[a.Head]
			if next := key + a.Weight; next < labels[y].weight && !s.excludes(a.Head) {
				labels[y] = innerLabel{next, local, i - first}
				queue = d.push(queue, uint64(next)<<32|uint64(y))
			}
		}
	}
	d.queue = queue
	if labels[target].weight == unreached {
		return // the clique is damaged
	}

	begin := len(d.hops)
	for at := target; at != source && len(d.hops)-begin < len(members); at = labels[at].parent {
		x := &labels[at]
		from := members[x.parent]
		y := hop{from: from, to: members[at], level: x.edge >> levelShift}
		if y.level == 0 {
			y.edge = c.edge[c.first[2*from]+x.edge]
		}
		d.hops = pool.Append(d.memory, d.hops, y)
	}
	for i, j := begin, len(d.hops)-1; i < j; i, j = i+1, j-1 {
		d.hops[i], d.hops[j] = d.hops[j], d.hops[i]
	}
}

// push is the function push with pooled memory.
func (d *descent) push(q []uint64, e uint64) []uint64 {
	if len(q) == cap(q) {
		d.queue = q
		d.queue = pool.Grow(d.memory, d.queue, len(q)+1)[:len(q)]
		q = d.queue
	}
	return push(q, e)
}
