package mld

import (
	"context"
	"math/bits"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/heap"
	"github.com/fourway-routing/fourway/pool"
)

// climb leads from seeds, all in one cell of level climbFrom, to the exits
// (backward: entries) of a cell around it that has none of the other seeds: by a
// search in the small cell, and from there by the weights of the climbs, level by
// level.
type climb struct {
	queue *heap.TwoLevelHeap // of the search; nil before the first
	top   int                // level of the large cell; 0 if there is no climb
	cells []uint32           // by level less climbFrom
	first []uint32           // place of the first step by level less climbFrom
	steps []step             // for each exit of each of the cells, up to level reached
	// With again set, the next search is from the same seeds as the last, so that
	// it goes on with what there is up to the level reached, 0 if that is nothing.
	again   bool
	reached int
}

// step is the label of an exit.
type step struct {
	weight   uint32
	from     uint32 // place among the exits of the cell below
	duration graph.Duration
	distance graph.Distance
}

func (x step) less(y *step) bool {
	return x.weight < y.weight || x.weight == y.weight && x.duration < y.duration
}

func (k *climb) release(memory *pool.Allocator) {
	if k.queue == nil {
		return
	}
	k.queue.Release()
	pool.Free(memory, k.cells)
	pool.Free(memory, k.first)
	pool.Free(memory, k.steps)
	*k = climb{}
}

// prepare sets top and finds the cells around a node. It begins a climb anew.
func (k *climb) prepare(memory *pool.Allocator, c *Cells, id uint32, top int) {
	k.top, k.reached = top, 0
	if k.queue == nil {
		k.queue = heap.NewTwoLevelHeap(memory, int(c.levels[0].border))
	}
	cell := c.leafOf(id)
	for l := range climbFrom - 1 {
		cell = c.levels[l].parent[cell]
	}
	k.cells = append(pool.Grow(memory, k.cells, len(c.levels))[:0], cell)
	for l := climbFrom; l < len(c.levels); l++ {
		k.cells = append(k.cells, c.levels[l-1].parent[k.cells[l-climbFrom]])
	}
}

// at returns the steps of a level.
func (k *climb) at(l int) []step { return k.steps[k.first[l-climbFrom]:k.first[l-climbFrom+1]] }

// exits returns the exits of the cell of a level, in direction d.
func (k *climb) exits(c *Cells, d, l int) []uint32 {
	return c.levels[l-1].ends(d, k.cells[l-climbFrom])
}

// within returns the highest level of which all ends that were reached are no farther
// than a weight; 0 if there is none.
func (k *climb) within(weight uint32) int {
	for l := k.top; l >= climbFrom; l-- {
		if !slices.ContainsFunc(k.at(l), func(x step) bool { return x.weight > weight && x.weight < unreached }) {
			return l
		}
	}
	return 0
}

// begin makes the steps of level climbFrom from the labels of a search in
// direction d. If costs is set these are a duration and a distance.
func (k *climb) begin(memory *pool.Allocator, c *Cells, q *heap.TwoLevelHeap, d int, costs bool) {
	k.first = append(pool.Grow(memory, k.first, len(c.levels)+1)[:0], 0)
	k.steps = k.steps[:0]
	for _, exit := range k.exits(c, d, climbFrom) {
		x := step{weight: unreached}
		if slot, ok := q.Find(exit); ok {
			r := q.At(slot)
			x.weight = uint32(r.Key)
			if costs {
				x.duration, x.distance = graph.Duration(r.Data.Parent&^overCliqueBit), graph.Distance(r.Data.Edge)
			}
		}
		k.steps = pool.Append(memory, k.steps, x)
	}
	k.first = append(k.first, uint32(len(k.steps)))
}

// rise makes the steps of level l from those of the level below.
func (k *climb) rise(memory *pool.Allocator, q *Cliques, d, l int) {
	n := len(k.exits(q.overlay.cells, d, l))
	begin := len(k.steps)
	k.steps = pool.Grow(memory, k.steps, begin+n)
	to := k.steps[begin:]
	for j := range to {
		to[j] = step{weight: unreached}
	}
	x, at := q.climbs(d, l-1, k.cells[l-1-climbFrom])
	for i, y := range k.at(l - 1) {
		if y.weight < unreached {
			for j, w := range x.climb[d][at:][:n] {
				if next := y.weight + w; next < to[j].weight {
					to[j] = step{weight: next, from: uint32(i)}
				}
			}
		}
		at += uint32(n)
	}
	k.first = append(k.first, uint32(len(k.steps)))
}

// riseWithCosts is rise with durations, which break ties, and distances.
func (k *climb) riseWithCosts(memory *pool.Allocator, q *Cliques, d, l int) {
	n := len(k.exits(q.overlay.cells, d, l))
	begin := len(k.steps)
	k.steps = pool.Grow(memory, k.steps, begin+n)
	to := k.steps[begin:]
	for j := range to {
		to[j] = step{weight: unreached}
	}
	x, at := q.climbs(d, l-1, k.cells[l-1-climbFrom])
	for _, y := range k.at(l - 1) {
		if y.weight < unreached {
			for j, w := range x.climb[d][at:][:n] {
				next := y.weight + w
				if next > to[j].weight || next >= unreached {
					continue
				}
				z := &x.climbCosts[d][int(at)+j]
				duration := addDurations(y.duration, z.Duration)
				if next < to[j].weight || duration < to[j].duration {
					to[j] = step{next, 0, duration, addDistances(y.distance, z.Distance)}
				}
			}
		}
		at += uint32(n)
	}
	k.first = append(k.first, uint32(len(k.steps)))
}

// climbTop returns the level to which a search from the seeds can climb, and a
// seed's id; 0 if it cannot.
func (s *Search) climbTop(seeds, others []graph.Seed) (top int, id uint32) {
	c := s.o.cells
	if len(c.levels) <= climbFrom {
		return 0, 0
	}
	base, spread, ok := s.spreadOf(seeds)
	if !ok || int(c.levelOf[bits.Len64(spread)]) >= climbFrom {
		return 0, 0
	}
	least := ^uint64(0)
	for i := range others {
		if x := c.id[others[i].Node]; !s.excludes(x) {
			least = min(least, c.code(x)^c.code(base))
		}
	}
	if top = int(c.levelOf[bits.Len64(least)]); top <= climbFrom {
		return 0, 0
	}
	return top, base
}

// spreadOf returns the id of a seed and all bits in which the codes of others
// differ from its code; ok is false if there is none.
func (s *Search) spreadOf(seeds []graph.Seed) (id uint32, spread uint64, ok bool) {
	c := s.o.cells
	for i := range seeds {
		x := c.id[seeds[i].Node]
		if s.excludes(x) {
			continue
		}
		if !ok {
			id, ok = x, true
		}
		spread |= c.code(x) ^ c.code(id)
	}
	return id, spread, ok
}

// ascend climbs from the seeds, whose least weight is given, in direction d.
func (s *Search) ascend(ctx context.Context, d int, seeds []graph.Seed, least graph.Weight, id uint32, top int) error {
	k := &s.climbs[d]
	if k.reached == 0 {
		if err := s.beginClimb(ctx, d, seeds, least, id, top); err != nil {
			return err
		}
	}
	for k.top = top; k.reached < top; k.reached++ {
		k.rise(s.memory, s.q, d, k.reached+1)
	}
	return nil
}

// beginClimb makes the steps of level climbFrom.
func (s *Search) beginClimb(ctx context.Context, d int, seeds []graph.Seed, least graph.Weight, id uint32, top int) error {
	c, k := s.o.cells, &s.climbs[d]
	k.prepare(s.memory, c, id, top)
	k.queue.Clear()
	s.codes = s.codes[:0]
	for i := range seeds {
		x := c.id[seeds[i].Node]
		weight := int64(seeds[i].Weight) - int64(least)
		if s.excludes(x) || weight >= int64(unreached) {
			continue
		}
		k.queue.Relax(x, int32(weight), heap.Label{Parent: seedParent | uint32(i)})
	}
	s.addCodes(seeds, 0)
	if err := s.searchLocally(ctx, k.queue, d, len(k.exits(c, d, climbFrom))); err != nil {
		return err
	}
	k.begin(s.memory, c, k.queue, d, false)
	k.reached = climbFrom
	return nil
}

// searchLocally searches in the cell of level climbFrom of the seeds, until it has
// all of the exits, or entries, that there are.
func (s *Search) searchLocally(ctx context.Context, q *heap.TwoLevelHeap, d, exits int) error {
	c, cliques, arcs := s.o.cells, s.q, s.o.arcs
	border, outer := c.levels[0].border, &c.levels[climbFrom-1]
	for !q.Empty() && exits > 0 {
		slot := q.MinSlot()
		v, k := q.DeleteMin()
		key := uint32(k)
		s.settled++
		if s.settled%pollEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		l := q.At(slot).Data.Edge >> levelShift
		clique := l != 0
		if !clique && v < border {
			l = uint32(levelOf(c, s.codes, v))
		}
		if l >= climbFrom {
			continue // out of the cell
		}
		if v < outer.border && outer.rows[d][v].Across != 0 {
			exits--
		}
		from, to := c.first[2*v+uint32(d)], c.first[2*v+uint32(d)+1]
		if l != 0 {
			level := &c.levels[l-1]
			r := &level.rows[d][v]
			to = from + uint32(r.Across)
			if !clique && r.N != 0 {
				heads := level.exits
				if d == 1 {
					heads = level.entries
				}
				heads = heads[r.Heads:][:r.N]
				label := heap.Label{Parent: uint32(slot), Edge: l<<levelShift | overClique}
				h, shift := cliques.home(l, v)
				q.RelaxRow(heads, h.weight[d][r.Clique+shift:], key, unreached-1, label)
			}
		}
		for i := from; i < to; i++ {
			a := &arcs[i]
			if next := key + a.Weight; next < unreached && !s.excludes(a.Head) {
				q.Relax(a.Head, int32(next), heap.Label{Parent: uint32(slot), Edge: i - from})
			}
		}
	}
	return nil
}

// mostEnds returns the most exits, or entries, that a cell has.
func (c *Cells) mostEnds() int {
	most := uint32(0)
	for l := range c.levels {
		for _, first := range [...][]uint32{c.levels[l].entryFirst, c.levels[l].exitFirst} {
			for i := 1; i < len(first); i++ {
				most = max(most, first[i]-first[i-1])
			}
		}
	}
	return int(most)
}
