package mld

import (
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/heap"
	"github.com/fourway-routing/fourway/pool"
)

// Path implements graph.Searcher.
func (s *Search) Path(dst []graph.EdgeID) []graph.EdgeID {
	if !s.ok {
		return dst
	}
	return s.unpackAll(dst, s.hops)
}

// unpackAll appends the edges that hops stand for.
func (s *Search) unpackAll(dst []graph.EdgeID, hops []hop) []graph.EdgeID {
	for _, h := range hops {
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
	s.refine(h)
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

// refine puts the hops of a clique's path, or a climb's, on the stack: those over the
// cells of the level below, or arcs.
func (s *Search) refine(h hop) {
	if h.level <= climbFrom || !s.walk(h) {
		s.descend(h)
	}
}

// descent is what unpacking works with.
type descent struct {
	memory *pool.Allocator
	hops   []hop           // a stack
	queue  *heap.ArrayHeap // of the members of a cell

	// The cache: places are found by hash, and taken by the latest; their edges
	// are pieces of one buffer, and all are dropped when that is full.
	places []place
	edges  []graph.EdgeID
}

type place struct {
	from, to uint32
	level    uint32 // 0: free
	first, n uint32
}

const (
	cachePlaces = 1 << 13
	cacheEdges  = 1 << 17
)

func (d *descent) init(memory *pool.Allocator, c *Cells) {
	d.memory = memory
	d.hops = pool.Make[hop](memory, 64)[:0]
	d.queue = heap.NewArrayHeap(memory, c.mostMembers())
}

func (d *descent) release() {
	pool.Free(d.memory, d.hops)
	d.queue.Release()
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
	c, arcs, cliques, q := s.o.cells, s.o.arcs, s.q, d.queue
	v := &c.levels[h.level-1]
	var below *level
	if h.level > 1 {
		below = &c.levels[h.level-2]
	}
	cell := v.cell[min(h.from, h.to)] // of a climb, one end is at the border
	members := v.roster(cell)
	source, target := members.number(h.from), members.number(h.to)
	excluded, most := cliques.excluded, h.weight
	q.Clear()
	q.Insert(source, 0, heap.Label{})
	for !q.Empty() {
		slot := q.MinSlot()
		local, k := q.DeleteMin()
		if local == target {
			break
		}
		key := uint32(k)
		id := members.id(local)
		first, to := c.first[2*id], c.first[2*id+1]
		from := first
		if id < v.border {
			from += uint32(v.rows[0][id].Across)
		}
		if below != nil {
			r := &below.rows[0][id]
			to = first + uint32(r.Across)
			if r.N != 0 && q.At(slot).Data.Edge>>levelShift == 0 {
				heads := below.exits[r.Heads:][:r.N]
				label := heap.Label{Parent: uint32(slot), Edge: (h.level-1)<<levelShift | overClique}
				home, shift := cliques.home(h.level-1, id)
				for i, w := range home.weight[0][r.Clique+shift:][:len(heads)] {
					if next := key + w; next <= most {
						q.Relax(members.number(heads[i]), int32(next), label)
					}
				}
			}
		}
		for i := from; i < to; i++ {
			a := &arcs[i]
			if next := key + a.Weight; next <= most && (excluded == nil || !excluded.Get(a.Head)) {
				q.Relax(members.number(a.Head), int32(next), heap.Label{Parent: uint32(slot), Edge: i - first})
			}
		}
	}
	begin := len(d.hops)
	slot, ok := q.Find(target)
	if !ok {
		return // the clique is damaged
	}
	for slot != 0 {
		r := q.At(slot)
		slot = heap.Slot(r.Data.Parent)
		p := q.At(slot)
		from := members.id(p.Node)
		x := hop{from: from, to: members.id(r.Node), level: r.Data.Edge >> levelShift, weight: uint32(r.Key - p.Key)}
		if x.level == 0 {
			x.edge = c.edge[c.first[2*from]+r.Data.Edge]
		}
		d.hops = pool.Append(d.memory, d.hops, x)
	}
	slices.Reverse(d.hops[begin:])
}
