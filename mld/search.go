package mld

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/heap"
	"github.com/fourway-routing/fourway/pool"
)

var _ graph.Searcher = (*Search)(nil)

// A label's Edge is the level of a clique, or 0, in the upper half, and in the
// lower half the number of the arc among those of the parent, or overClique. Its
// Parent is the slot of the parent; with seedParent set it is the index of a seed
// instead, and with climbParent set the place of a step of a climb.
const (
	overClique  = math.MaxUint16
	levelShift  = 16
	seedParent  = 1 << 31
	climbParent = 1 << 30
)

// pollEvery is the number of settled nodes between looks at the context.
const pollEvery = 256

// Search finds shortest paths in an Overlay by a search from both ends that
// leaves out the inside of all cells but those around the ends (Delling et al.,
// Customizable Route Planning, 2011). Of these it searches the small ones; from
// their borders it goes by the weights of climbs to those of the largest cells
// that the two ends do not share.
//
// A Search belongs to one goroutine at a time; any number of Searches may share
// the Overlay.
type Search struct {
	o      *Overlay
	q      *Cliques
	memory *pool.Allocator
	heaps  [2]*heap.TwoLevelHeap // forward, backward

	codes  []openCell // the cells of the seeds, each once
	climbs [2]climb   // forward, backward

	sources []graph.Seed // of From

	ok      bool
	found   graph.Found
	hops    []hop // the path found, first to last
	settled int
	spent   int // settled by searches before
	kept    kept

	descent descent
	table   tableScratch
	reach   reachScratch

	alternatives alternatives
}

// openCell is a cell with a seed: a search looks into it, unless it has climbed
// out of the cell, and only at levels above.
type openCell struct {
	code  uint64
	floor uint64 // bit of the level of the climb; 0 if there is none
}

// hop is an arc of a path, of the graph or of a clique.
type hop struct {
	from, to uint32
	edge     graph.EdgeID // if level is 0
	level    uint32       // of the clique
	weight   uint32
}

// NewSearch returns a Search whose working memory comes from the allocator: up to
// 28 bytes a border node, and what its searches need.
func (o *Overlay) NewSearch(memory *pool.Allocator) *Search {
	s := &Search{o: o, memory: memory}
	border := 0
	if len(o.cells.levels) > 0 {
		border = int(o.cells.levels[0].border)
	}
	for d := range s.heaps {
		s.heaps[d] = heap.NewTwoLevelHeap(memory, border)
	}
	s.codes = pool.Make[openCell](memory, 8)[:0]
	s.hops = pool.Make[hop](memory, 64)[:0]
	s.descent.init(memory, o.cells)
	s.SetExclude(0)
	return s
}

// Release gives the working memory back to the allocator. The Search is of no use
// afterwards.
func (s *Search) Release() {
	s.heaps[0].Release()
	s.heaps[1].Release()
	pool.Free(s.memory, s.codes)
	pool.Free(s.memory, s.hops)
	s.codes, s.hops = nil, nil
	s.descent.release()
	s.kept.release(s.memory)
	s.climbs[0].release(s.memory)
	s.climbs[1].release(s.memory)
	s.table.release(s.memory)
	s.reach.release(s.memory)
	s.alternatives.release(s.memory)
}

// SetExclude chooses the set of nodes that searches from now on keep out of: 0
// for none, i+1 for CustomizeOptions.Exclude[i]. The set is below NumSets.
func (s *Search) SetExclude(set int) { s.Use(s.o.Cliques(set)) }

// Use makes searches from now on use the Cliques, which are of the same Overlay.
func (s *Search) Use(q *Cliques) {
	if s.q != q {
		s.ok = false
		s.climbs[0].reached, s.climbs[1].reached = 0, 0
		s.descent.forget()
		s.Forget()
	}
	s.q = q
}

// Settled returns the number of nodes that the last search settled.
func (s *Search) Settled() int { return s.settled }

// Spent returns the number of nodes that all searches so far have settled, the one
// that runs included.
func (s *Search) Spent() int { return s.spent + s.settled }

func (s *Search) excludes(id uint32) bool { return s.q.excluded != nil && s.q.excluded.Get(id) }

// Shortest implements graph.Searcher.
func (s *Search) Shortest(ctx context.Context, sources, targets []graph.Seed) (f graph.Found, ok bool, err error) {
	s.climbs[0].again, s.climbs[1].again = false, false
	return s.search(ctx, sources, targets)
}

func (s *Search) search(ctx context.Context, sources, targets []graph.Seed) (f graph.Found, ok bool, err error) {
	s.ok, s.found = false, graph.Found{Weight: graph.InvalidWeight}
	s.spent += s.settled
	s.hops, s.settled = s.hops[:0], 0
	if err := ctx.Err(); err != nil {
		return graph.Found{}, false, err
	}
	s.direct(sources, targets)
	if err := s.join(ctx, sources, targets); err != nil {
		s.ok = false
		return graph.Found{}, false, err
	}
	if !s.ok {
		return graph.Found{}, false, nil
	}
	return s.found, true, nil
}

// From implements graph.Searcher.
func (s *Search) From(sources []graph.Seed) { s.sources, s.climbs[0].reached = sources, 0 }

// To implements graph.Searcher. Searches to different cells have little in common:
// they share the climb from the sources.
func (s *Search) To(ctx context.Context, targets []graph.Seed) (f graph.Found, ok bool, err error) {
	s.climbs[0].again, s.climbs[1].again = true, false
	return s.search(ctx, s.sources, targets)
}

// direct considers the pieces from a source to a target behind it on one node.
func (s *Search) direct(sources, targets []graph.Seed) {
	for j := range targets {
		for i := range sources {
			if sources[i].Node != targets[j].Node || !sources[i].Precedes(&targets[j]) || s.excludes(s.o.cells.id[sources[i].Node]) {
				continue
			}
			if weight := int64(sources[i].Weight) + int64(targets[j].Weight); weight < int64(s.found.Weight) {
				s.ok, s.found = true, graph.Found{Source: i, Target: j, Weight: graph.Weight(weight)}
			}
		}
	}
}

// addCodes notes the cells of the seeds, of which a climb to level top, if that is
// not 0, has left the lower ones.
func (s *Search) addCodes(seeds []graph.Seed, top int) {
	for i := range seeds {
		id := s.o.cells.id[seeds[i].Node]
		if s.excludes(id) {
			continue
		}
		x := openCell{code: s.o.cells.code(id)}
		if top != 0 {
			x.floor = s.o.cells.levelBit(top)
			x.code &^= x.floor - 1
		}
		if !slices.Contains(s.codes, x) {
			s.codes = pool.Append(s.memory, s.codes, x)
		}
	}
}

// levelBit returns the lowest bit that codes have for a level.
func (c *Cells) levelBit(l int) uint64 {
	shift := 0
	for _, width := range c.widths[:l-1] {
		shift += int(width)
	}
	return 1 << shift
}

// least returns the least weight of the seeds; ok is false if there are none.
func (s *Search) least(seeds []graph.Seed) (least graph.Weight, ok bool) {
	for i := range seeds {
		if !s.excludes(s.o.cells.id[seeds[i].Node]) && (!ok || seeds[i].Weight < least) {
			least, ok = seeds[i].Weight, true
		}
	}
	return least, ok
}

// levelOf returns the level at which a search crosses the cell of a border node: the
// highest at which that is not the cell of a seed.
func levelOf(c *Cells, codes []openCell, id uint32) int {
	code := c.codes[c.leaf[id]]
	least := uint64(math.MaxUint64)
	for _, x := range codes {
		least = min(least, (code^x.code)|x.floor)
	}
	return int(c.levelOf[bits.Len64(least)])
}

// join looks for a path of at least one edge that is lighter than what was found
// so far. The forward search begins behind the edges that leave the sources, so
// that its labels are those of paths that have left their source.
func (s *Search) join(ctx context.Context, sources, targets []graph.Seed) error {
	forward, backward := s.heaps[0], s.heaps[1]
	forward.Clear()
	backward.Clear()
	leastSource, ok := s.least(sources)
	if !ok {
		return nil
	}
	leastTarget, ok := s.least(targets)
	if !ok {
		return nil
	}
	least := int64(leastSource) + int64(leastTarget)
	m := meeting{bound: uint32(max(min(int64(s.found.Weight)-least, int64(unreached)), 0))}

	for d := range s.climbs {
		if k := &s.climbs[d]; !k.again {
			k.reached = 0
		}
	}
	// Both climbs come first, for they use codes.
	up, source := s.climbTop(sources, targets)
	if up != 0 {
		if err := s.ascend(ctx, 0, sources, leastSource, source, up); err != nil {
			return err
		}
	}
	down, target := s.climbTop(targets, sources)
	if down != 0 {
		if err := s.ascend(ctx, 1, targets, leastTarget, target, down); err != nil {
			return err
		}
	}
	s.climbs[0].top, s.climbs[1].top = up, down
	s.codes = s.codes[:0]
	s.addCodes(sources, up)
	s.addCodes(targets, down)
	s.beginBackward(targets, leastTarget)
	s.beginForward(&m, sources, leastSource)
	if err := s.meet(ctx, &m); err != nil || !m.ok {
		return err
	}
	s.ok, s.found.Weight = true, graph.Weight(int64(m.bound)+least)
	s.pack(m.node, sources)
	return nil
}

// beginBackward puts the targets into the heap, or the entries that the climb from
// them has led to.
func (s *Search) beginBackward(targets []graph.Seed, least graph.Weight) {
	q, c, k := s.heaps[1], s.o.cells, &s.climbs[1]
	if k.top != 0 {
		entries := k.exits(c, 1, k.top)
		for i, x := range k.at(k.top) {
			if x.weight < unreached {
				q.Relax(entries[i], int32(x.weight), climbLabel(i, k.top))
			}
		}
		return
	}
	for i := range targets {
		id := c.id[targets[i].Node]
		weight := int64(targets[i].Weight) - int64(least)
		if weight < int64(unreached) && !s.excludes(id) {
			q.Relax(id, int32(weight), heap.Label{Parent: seedParent | uint32(i)})
		}
	}
}

// climbLabel is the label of step i of a climb: what it led to needs no clique.
func climbLabel(i, top int) heap.Label {
	return heap.Label{Parent: climbParent | uint32(i), Edge: uint32(top)<<levelShift | overClique}
}

// beginForward puts the heads of the edges that leave the sources into the heap,
// or the exits that the climb from them has led to.
func (s *Search) beginForward(m *meeting, sources []graph.Seed, least graph.Weight) {
	c, k := s.o.cells, &s.climbs[0]
	if k.top != 0 {
		exits := k.exits(c, 0, k.top)
		for i, x := range k.at(k.top) {
			if x.weight < m.bound {
				s.relax(m, 0, exits[i], x.weight, climbLabel(i, k.top))
			}
		}
		return
	}
	for i := range sources {
		id := c.id[sources[i].Node]
		if s.excludes(id) {
			continue
		}
		from := c.first[2*id]
		for j, a := range s.o.arcs[from:c.first[2*id+1]] {
			weight := int64(sources[i].Weight) - int64(least) + int64(a.Weight)
			if weight < int64(m.bound) && a.Weight < unreached && !s.excludes(a.Head) {
				s.relax(m, 0, a.Head, uint32(weight), heap.Label{Parent: seedParent | uint32(i), Edge: uint32(j)})
			}
		}
	}
}

// meeting is the best meeting of the two searches so far.
type meeting struct {
	bound uint32 // weight of the best path
	node  uint32
	ok    bool
}

// relax gives a node, reached in direction d, a lighter label. Where the rest of
// a path by way of it would exceed the bound it does not: another node of the
// path has then met the other search.
func (s *Search) relax(m *meeting, d int, id, next uint32, label heap.Label) {
	q, other := s.heaps[d], s.heaps[1-d]
	slot, known := q.Find(id)
	if known && uint32(q.At(slot).Key) <= next {
		return
	}
	if o, ok := other.Find(id); ok {
		if total := next + uint32(other.At(o).Key); total < m.bound {
			*m = meeting{total, id, true}
		} else if !other.Empty() && next+uint32(other.MinKey()) >= m.bound {
			return
		}
	} else if other.Empty() || next+uint32(other.MinKey()) >= m.bound {
		return
	}
	if !known {
		q.Insert(id, int32(next), label)
		return
	}
	q.At(slot).Data = label
	q.DecreaseKey(id, int32(next))
}

// meet runs both searches until no path lighter than the bound can turn up.
func (s *Search) meet(ctx context.Context, m *meeting) error {
	c, cliques, arcs := s.o.cells, s.q, s.o.arcs
	excluded := cliques.excluded
	border := uint32(0)
	if len(c.levels) > 0 {
		border = c.levels[0].border
	}
	for {
		forward, backward := s.heaps[0], s.heaps[1]
		if forward.Empty() || backward.Empty() {
			return nil
		}
		f, b := uint32(forward.MinKey()), uint32(backward.MinKey())
		if f+b >= m.bound {
			return nil
		}
		d := 0
		if b < f {
			d = 1
		}
		q := s.heaps[d]
		slot := q.MinSlot()
		v, k := q.DeleteMin()
		key := uint32(k)
		s.settled++
		if s.settled%pollEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		edge := q.At(slot).Data.Edge
		l := edge >> levelShift
		clique := l != 0
		if !clique && v < border {
			l = uint32(levelOf(c, s.codes, v))
		}
		var from, to uint32
		if l == 0 {
			from, to = c.first[2*v+uint32(d)], c.first[2*v+uint32(d)+1]
		} else {
			level := &c.levels[l-1]
			r := &level.rows[d][v]
			from = r.Arcs
			to = from + uint32(r.Across)
			if !clique && r.N != 0 {
				heads := level.exits
				if d == 1 {
					heads = level.entries
				}
				heads = heads[r.Heads:][:r.N]
				label := heap.Label{Parent: uint32(slot), Edge: l<<levelShift | overClique}
				h, shift := cliques.home(l, v)
				for i, w := range h.weight[d][r.Clique+shift:][:len(heads)] {
					if next := key + w; next < m.bound {
						s.relax(m, d, heads[i], next, label)
					}
				}
			}
		}
		for i := from; i < to; i++ {
			a := &arcs[i]
			if next := key + a.Weight; next < m.bound && (excluded == nil || !excluded.Get(a.Head)) {
				s.relax(m, d, a.Head, next, heap.Label{Parent: uint32(slot), Edge: i - from})
			}
		}
	}
}

// pack notes the hops of the path that meets at the node, and its ends.
func (s *Search) pack(node uint32, sources []graph.Seed) {
	s.hops = s.hops[:0]
	c := s.o.cells
	q, slot := s.tail(0, node)
	for {
		r := q.At(slot)
		if r.Data.Parent&seedParent != 0 {
			s.found.Source = int(r.Data.Parent &^ seedParent)
			if q == s.heaps[0] {
				from := c.id[sources[s.found.Source].Node]
				s.addHop(from, r.Node, c.first[2*from], r.Data.Edge, 0)
			}
			break
		}
		if r.Data.Parent&climbParent != 0 {
			q, slot = s.packClimb(0, r)
			continue
		}
		slot = heap.Slot(r.Data.Parent)
		p := q.At(slot)
		s.addHop(p.Node, r.Node, c.first[2*p.Node], r.Data.Edge, r.Key-p.Key)
	}
	slices.Reverse(s.hops)
	q, slot = s.tail(1, node)
	for {
		r := q.At(slot)
		if r.Data.Parent&seedParent != 0 {
			s.found.Target = int(r.Data.Parent &^ seedParent)
			return
		}
		if r.Data.Parent&climbParent != 0 {
			q, slot = s.packClimb(1, r)
			continue
		}
		slot = heap.Slot(r.Data.Parent)
		p := q.At(slot)
		s.addHop(r.Node, p.Node, c.first[2*p.Node+1], r.Data.Edge, r.Key-p.Key)
	}
}

// tail returns the label of a node in direction d.
func (s *Search) tail(d int, node uint32) (*heap.TwoLevelHeap, heap.Slot) {
	slot, _ := s.heaps[d].Find(node)
	return s.heaps[d], slot
}

// packClimb notes the hops of a climb from its end, and returns the label where it
// began.
func (s *Search) packClimb(d int, r *heap.LabelRecord) (*heap.TwoLevelHeap, heap.Slot) {
	k := &s.climbs[d]
	id, at := r.Node, r.Data.Parent&^climbParent
	for l := k.top; l > climbFrom; l-- {
		x := k.at(l)[at]
		at = x.from
		below := k.exits(s.o.cells, d, l-1)[at]
		if below != id {
			h := hop{from: below, to: id, level: uint32(l), weight: x.weight - k.at(l - 1)[at].weight}
			if d == 1 {
				h.from, h.to = h.to, h.from
			}
			s.hops = pool.Append(s.memory, s.hops, h)
		}
		id = below
	}
	slot, _ := k.queue.Find(id)
	return k.queue, slot
}

// addHop appends a hop whose arc, if it is one, is among those from first on.
func (s *Search) addHop(from, to, first, edge uint32, weight int32) {
	h := hop{from: from, to: to, level: edge >> levelShift, weight: uint32(weight)}
	if h.level == 0 {
		h.edge = s.o.cells.edge[first+edge]
	}
	s.hops = pool.Append(s.memory, s.hops, h)
}
