package ch

import (
	"context"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/heap"
	"github.com/fourway-routing/fourway/pool"
)

var _ graph.ManyToMany = (*Search)(nil)

// Table implements graph.ManyToMany. Among paths of one weight that the hierarchy
// has, the one of least duration counts.
//
// The search up from each of the targets leaves its labels at the nodes, in
// buckets, for the searches up from the sources to find (Knopp, Sanders, Schultes,
// Schulz and Wagner, Computing Many-to-Many Shortest Paths Using Highway
// Hierarchies, 2007). Where one side has few sets, and the other many, each of the
// few is swept down to all of the many instead, see sweepScratch.
func (s *Search) Table(ctx context.Context, sources, targets [][]graph.Seed, row func(source int, cells []graph.Cell) error) error {
	return s.tableBy(ctx, byRule, sources, targets, row)
}

func (s *Search) tableByBuckets(ctx context.Context, sources, targets [][]graph.Seed, row func(int, []graph.Cell) error) error {
	t := &s.table
	t.cells = pool.Grow(s.memory, t.cells, len(targets))
	if err := s.plant(ctx, targets); err != nil {
		return err
	}
	for i := range sources {
		if err := s.harvest(ctx, sources[i]); err != nil {
			return err
		}
		for j := range t.cells {
			t.cells[j] = t.cell(j)
		}
		if err := row(i, t.cells); err != nil {
			return err
		}
	}
	return nil
}

// unreached is more than the weight of any path, and of any pair of labels.
const unreached = math.MaxUint32

// tableScratch is what tables work with.
type tableScratch struct {
	spread
	sweep sweepScratch
	// index numbers the nodes that have buckets: where it is not stale, v is
	// nodes[index[v]].
	index []uint32 // by rank
	nodes []uint32
	laid  [][]laid // pages, of which the first are in use
	pages int
	// The buckets of number i are buckets[first[2i]:first[2i+2]], those from
	// first[2i+1] on being seeds.
	first   []uint32
	buckets []bucket
	costs   []cost  // parallel to buckets
	offset  []shift // by target
	// The best path to each target so far, less the offsets.
	best  []uint32
	via   []via
	whole []cost // of pieces on one node, and loops
	cells []graph.Cell
}

func (t *tableScratch) init(s *Search) {
	if t.index == nil {
		t.index = pool.MakeZeroed[uint32](s.memory, s.h.NumNodes())
	}
}

func (t *tableScratch) release(memory *pool.Allocator) {
	t.spread.release(memory)
	t.sweep.release(memory)
	pool.Free(memory, t.index)
	pool.Free(memory, t.nodes)
	for _, page := range t.laid {
		pool.Free(memory, page)
	}
	pool.Free(memory, t.first)
	pool.Free(memory, t.buckets)
	pool.Free(memory, t.costs)
	pool.Free(memory, t.offset)
	pool.Free(memory, t.best)
	pool.Free(memory, t.via)
	pool.Free(memory, t.whole)
	pool.Free(memory, t.cells)
	*t = tableScratch{}
}

// cost is what belongs to a weight.
type cost struct {
	duration graph.Duration
	distance graph.Distance
}

func (c cost) plus(d cost) cost {
	return cost{addDurations(c.duration, d.duration), addDistances(c.distance, d.distance)}
}

// bucket is a label that the search from a target has left at a node.
type bucket struct{ target, weight uint32 }

// laid is a bucket before they are sorted, into place 2i or 2i+1 of the node of
// number i.
type laid struct {
	place uint32
	bucket
	cost
}

// laidPage is the number of buckets of a page. Pages keep a large table from pausing
// to move them.
const laidPage = 1 << 14

// via is where a path was found: a bucket and the slot of a label; or, with slot
// none, an entry of whole.
type via struct{ at, slot uint32 }

// shift is what has been subtracted from the seeds of a set, so that none is
// negative.
type shift struct {
	weight   graph.Weight
	duration graph.Duration
	distance int64
}

// cost returns what belongs to a seed, less the shift.
func (x *shift) cost(seed *graph.Seed) cost {
	return cost{
		graph.Duration(min(int64(seed.Duration)-int64(x.duration), math.MaxInt32-1)),
		graph.Distance(min(seed.Distance-x.distance, math.MaxUint32)),
	}
}

// shiftOf returns the least values of the seeds that are not excluded.
func (s *Search) shiftOf(seeds []graph.Seed) (least shift, ok bool) {
	for i := range seeds {
		x := &seeds[i]
		if s.excluded(s.h.rank[x.Node]) {
			continue
		}
		if !ok {
			least, ok = shift{x.Weight, x.Duration, x.Distance}, true
			continue
		}
		least.weight = min(least.weight, x.Weight)
		least.duration = min(least.duration, x.Duration)
		least.distance = min(least.distance, x.Distance)
	}
	return least, ok
}

// spread is what a search up from a set of seeds has found besides the labels in
// its heap.
type spread struct {
	least shift
	// cost is by slot; that of a stalled label has the duration stalledCost.
	cost []cost
	// again are, by slot of a seed, the lightest labels of other paths to its
	// node, which the seed hides.
	again []again
}

type again struct {
	weight uint32
	cost
}

const stalledCost = graph.Duration(-1)

func (x *spread) release(memory *pool.Allocator) {
	pool.Free(memory, x.cost)
	pool.Free(memory, x.again)
}

// spreadUp searches up from the seeds in direction d, as far as there are nodes.
func (s *Search) spreadUp(ctx context.Context, d int, seeds []graph.Seed) error {
	q, x := s.heaps[d], &s.table.spread
	q.Clear()
	x.cost, x.again = x.cost[:0], x.again[:0]
	least, ok := s.shiftOf(seeds)
	x.least = least
	if !ok {
		return nil
	}
	for i := range seeds {
		rank := s.h.rank[seeds[i].Node]
		weight := int64(seeds[i].Weight) - int64(least.weight)
		if s.excluded(rank) || weight >= math.MaxInt32 {
			continue
		}
		k := least.cost(&seeds[i])
		label := heap.Label{Parent: uint32(i), Edge: seeded}
		slot, ok := q.Find(rank)
		if !ok {
			q.Insert(rank, int32(weight), label)
			x.cost = pool.Append(s.memory, x.cost, k)
			x.again = pool.Append(s.memory, x.again, again{weight: unreached})
			continue
		}
		if r := q.At(slot); weight < int64(r.Key) || weight == int64(r.Key) && k.duration < x.cost[slot].duration {
			r.Data = label
			x.cost[slot] = k
			q.DecreaseKey(rank, int32(weight))
		}
	}
	first, arcs := s.h.first, s.h.arcs
	poll := s.settled + pollEvery
	for !q.Empty() {
		slot := q.MinSlot()
		v, k := q.DeleteMin()
		s.settled++
		if s.settled == poll {
			poll += pollEvery
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		f := first
		if v < s.core {
			f = s.coreFirst
		}
		f = f[2*v : 2*v+3 : 2*v+3]
		up, down := arcs[f[0]:f[1]], arcs[f[1]:f[2]]
		if d == 1 {
			up, down = down, up
		}
		if stalled(q, down, k) {
			x.cost[slot].duration = stalledCost
			continue
		}
		if l := q.At(slot).Data; l.Edge != seeded {
			x.cost[slot] = s.costOver(l)
		}
		key, from := uint32(k), f[d]
		for i := range up {
			a := &up[i]
			next := key + a.Weight
			if next >= math.MaxInt32 || s.excluded(a.Head) {
				continue
			}
			label := heap.Label{Parent: uint32(slot), Edge: from + uint32(i)}
			to, ok := q.Find(a.Head)
			if !ok {
				q.Insert(a.Head, int32(next), label)
				x.cost = pool.Append(s.memory, x.cost, cost{})
				continue
			}
			if r := q.At(to); next < uint32(r.Key) {
				r.Data = label
				q.DecreaseKey(a.Head, int32(next))
			} else if next == uint32(r.Key) || r.Data.Edge == seeded {
				s.tie(r, to, next, label)
			}
		}
	}
	return nil
}

// costOver returns the cost of a label that an arc has led to.
func (s *Search) costOver(l heap.Label) cost {
	return s.table.spread.cost[l.Parent].plus(cost{s.h.duration[l.Edge], s.h.distance[l.Edge]})
}

// tie takes note of a label no lighter than that of the node already: one of less
// duration, or of a path that leads to a seed.
func (s *Search) tie(r *heap.LabelRecord, slot heap.Slot, weight uint32, label heap.Label) {
	x := &s.table.spread
	k := s.costOver(label)
	if r.Data.Edge == seeded {
		if y := &x.again[slot]; weight < y.weight || weight == y.weight && k.duration < y.duration {
			*y = again{weight, k}
		}
	} else if !r.Removed() && k.duration < s.costOver(r.Data).duration {
		r.Data = label
	}
}

// number returns the number of a node that has buckets.
func (t *tableScratch) number(rank uint32) (uint32, bool) {
	i := t.index[rank]
	return i, int(i) < len(t.nodes) && t.nodes[i] == rank
}

// plant searches from the targets and lays their buckets.
func (s *Search) plant(ctx context.Context, targets [][]graph.Seed) error {
	t := &s.table
	t.nodes, t.pages, t.offset = t.nodes[:0], 0, t.offset[:0]
	for i := range targets {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.spreadUp(ctx, 1, targets[i]); err != nil {
			return err
		}
		least := t.least
		t.offset = pool.Append(s.memory, t.offset, least)
		for j := range targets[i] {
			x := &targets[i][j]
			rank := s.h.rank[x.Node]
			if weight := int64(x.Weight) - int64(least.weight); weight < math.MaxInt32 && !s.excluded(rank) {
				s.lay(rank, 1, bucket{uint32(i), uint32(weight)}, least.cost(x))
			}
		}
		records := s.heaps[1].Records()
		for slot := range records {
			r := &records[slot]
			switch k := t.spread.cost[slot]; {
			case k.duration == stalledCost:
			case r.Data.Edge != seeded:
				s.lay(r.Node, 0, bucket{uint32(i), uint32(r.Key)}, k)
			case t.again[slot].weight != unreached:
				s.lay(r.Node, 0, bucket{uint32(i), t.again[slot].weight}, t.again[slot].cost)
			}
		}
	}
	return s.sortBuckets(ctx)
}

// lay notes a bucket, of a seed or not.
func (s *Search) lay(rank, seed uint32, b bucket, k cost) {
	t := &s.table
	at, ok := t.number(rank)
	if !ok {
		at = uint32(len(t.nodes))
		t.index[rank] = at
		t.nodes = pool.Append(s.memory, t.nodes, rank)
	}
	if t.pages == 0 || len(t.laid[t.pages-1]) == laidPage {
		if t.pages == len(t.laid) {
			t.laid = append(t.laid, pool.Make[laid](s.memory, laidPage))
		}
		t.laid[t.pages] = t.laid[t.pages][:0]
		t.pages++
	}
	page := &t.laid[t.pages-1]
	*page = append(*page, laid{2*at + seed, b, k})
}

// sortBuckets sorts the buckets by place, by counting.
func (s *Search) sortBuckets(ctx context.Context) error {
	t := &s.table
	t.first = pool.Grow(s.memory, t.first, 2*len(t.nodes)+1)
	clear(t.first)
	count := 0
	for _, page := range t.laid[:t.pages] {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range page {
			t.first[page[i].place]++
		}
		count += len(page)
	}
	total := uint32(0)
	for i, k := range t.first {
		total += k
		t.first[i] = total
	}
	t.buckets = pool.Grow(s.memory, t.buckets[:0], count)
	t.costs = pool.Grow(s.memory, t.costs[:0], count)
	for j := t.pages - 1; j >= 0; j-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		page := t.laid[j]
		for i := len(page) - 1; i >= 0; i-- {
			x := &page[i]
			at := t.first[x.place] - 1
			t.first[x.place] = at
			t.buckets[at], t.costs[at] = x.bucket, x.cost
		}
	}
	return nil
}

// harvest finds the best paths from a source to the targets.
func (s *Search) harvest(ctx context.Context, seeds []graph.Seed) error {
	t := &s.table
	n := len(t.offset)
	t.best = pool.Grow(s.memory, t.best, n)
	t.via = pool.Grow(s.memory, t.via, n)
	for i := range t.best {
		t.best[i] = unreached
	}
	t.whole = t.whole[:0]
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.spreadUp(ctx, 0, seeds); err != nil {
		return err
	}
	s.harvestSeeds(seeds)
	best := t.best
	records := s.heaps[0].Records()
	for slot := range records {
		if t.spread.cost[slot].duration == stalledCost {
			continue
		}
		r := &records[slot]
		at, ok := t.number(r.Node)
		if !ok {
			continue
		}
		from, to := t.first[2*at], t.first[2*at+2]
		if r.Data.Edge == seeded {
			to = t.first[2*at+1]
			if y := &t.again[slot]; y.weight != unreached {
				for i := to; i < t.first[2*at+2]; i++ {
					s.offerWhole(t.buckets[i].target, y.weight+t.buckets[i].weight, y.cost.plus(t.costs[i]))
				}
			}
		}
		key := uint32(r.Key)
		run := t.buckets[from:to]
		for i := range run {
			b := &run[i]
			if weight := key + b.weight; weight <= best[b.target] {
				t.offer(b.target, weight, via{from + uint32(i), uint32(slot)})
			}
		}
	}
	return nil
}

// harvestSeeds considers the pairs of a source and a target on one node: the
// direct piece, or the loop where the target is before the source.
func (s *Search) harvestSeeds(seeds []graph.Seed) {
	t := &s.table
	for i := range seeds {
		x := &seeds[i]
		rank := s.h.rank[x.Node]
		at, ok := t.number(rank)
		if !ok || s.excluded(rank) {
			continue
		}
		own := t.least.cost(x)
		for j := t.first[2*at+1]; j < t.first[2*at+2]; j++ {
			b := &t.buckets[j]
			weight := int64(x.Weight) - int64(t.least.weight) + int64(b.weight)
			k := own.plus(t.costs[j])
			if weight+int64(t.least.weight)+int64(t.offset[b.target].weight) < 0 {
				w, c, ok := s.loopOf(rank)
				if !ok {
					continue
				}
				weight += int64(w)
				k = k.plus(c)
			}
			if weight < unreached {
				s.offerWhole(b.target, uint32(weight), k)
			}
		}
	}
}

// loopOf returns the cheapest way from a node back to itself over lower nodes.
func (s *Search) loopOf(rank uint32) (uint32, cost, bool) {
	l := s.loops[1]
	if rank < s.core {
		l = s.loops[0]
	}
	at, ok := slices.BinarySearch(l.rank, rank)
	if !ok {
		return 0, cost{}, false
	}
	return l.weight[at], cost{l.duration[at], l.distance[at]}, true
}

// offer considers a path for a target.
func (t *tableScratch) offer(target, weight uint32, v via) {
	if weight == t.best[target] && t.costOf(v).duration >= t.costOf(t.via[target]).duration {
		return
	}
	t.best[target], t.via[target] = weight, v
}

// offerWhole considers a path for a target that no pair of a label and a bucket
// stands for.
func (s *Search) offerWhole(target, weight uint32, k cost) {
	t := &s.table
	if weight > t.best[target] {
		return
	}
	t.whole = pool.Append(s.memory, t.whole, k)
	t.offer(target, weight, via{uint32(len(t.whole) - 1), none})
}

func (t *tableScratch) costOf(v via) cost {
	if v.slot == none {
		return t.whole[v.at]
	}
	return t.spread.cost[v.slot].plus(t.costs[v.at])
}

// cell returns the entry of the table for a target.
func (t *tableScratch) cell(target int) graph.Cell {
	if t.best[target] == unreached {
		return noPath
	}
	return join(t.best[target], t.costOf(t.via[target]), &t.least, &t.offset[target])
}

var noPath = graph.Cell{Weight: graph.InvalidWeight, Duration: graph.InvalidDuration}

// join returns the entry for a path, whose ends have been shifted.
func join(weight uint32, k cost, a, b *shift) graph.Cell {
	sum := int64(weight) + int64(a.weight) + int64(b.weight)
	if sum >= int64(graph.InvalidWeight) {
		return noPath
	}
	duration := int64(k.duration) + int64(a.duration) + int64(b.duration)
	distance := int64(k.distance) + a.distance + b.distance
	return graph.Cell{
		Weight:   graph.Weight(sum),
		Duration: graph.Duration(min(duration, math.MaxInt32-1)),
		Distance: graph.Distance(max(0, min(distance, math.MaxUint32))),
	}
}
