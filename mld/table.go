package mld

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/heap"
	"github.com/fourway-routing/fourway/pool"
)

var _ graph.ManyToMany = (*Search)(nil)

// rank orders paths by weight, above, and duration, below.
type rank uint64

func makeRank(weight uint32, duration graph.Duration) rank {
	return rank(weight)<<32 | rank(uint32(duration))
}

func (r rank) weight() uint32           { return uint32(r >> 32) }
func (r rank) duration() graph.Duration { return graph.Duration(uint32(r)) }

// Table implements graph.ManyToMany. Among paths of one weight the one of least
// duration counts.
//
// The sets of one side, the roots, are searched from on the whole overlay; those
// of the other, the leaves, each within its own cells, leaving their labels at
// the borders for the roots to find (Knopp, Sanders, Schultes, Schulz and Wagner,
// Computing Many-to-Many Shortest Paths Using Highway Hierarchies, 2007). A single
// root looks into the cells of the leaves itself instead if there are many in each.
func (s *Search) Table(ctx context.Context, sources, targets [][]graph.Seed, row func(source int, cells []graph.Cell) error) error {
	s.spent += s.settled
	s.ok, s.settled = false, 0
	t := &s.table
	t.init(s)
	if len(sources) == 0 {
		return ctx.Err()
	}
	// Columns have to be kept until all rows are complete.
	const maxKept = 1 << 22
	if n := len(targets); n == 1 && len(sources) > 1 || 2*n <= len(sources) && n*len(sources) <= maxKept {
		return s.columns(ctx, sources, targets, row)
	}
	if err := s.plant(ctx, 1, targets, sources); err != nil {
		return err
	}
	t.cells = pool.Grow(s.memory, t.cells, len(targets))
	for i := range sources {
		if err := s.harvest(ctx, 0, sources[i]); err != nil {
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

// columns is Table with the targets as roots.
func (s *Search) columns(ctx context.Context, sources, targets [][]graph.Seed, row func(int, []graph.Cell) error) error {
	t := &s.table
	if err := s.plant(ctx, 0, sources, targets); err != nil {
		return err
	}
	n := len(targets)
	t.cells = pool.Grow(s.memory, t.cells, n*len(sources))
	for j := range targets {
		if err := s.harvest(ctx, 1, targets[j]); err != nil {
			return err
		}
		for i := range sources {
			t.cells[i*n+j] = t.cell(i)
		}
	}
	for i := range sources {
		if err := row(i, t.cells[i*n:(i+1)*n:(i+1)*n]); err != nil {
			return err
		}
	}
	return nil
}

// tableScratch is what tables work with.
type tableScratch struct {
	opened marks
	single bool // whether the one root looks into the cells of the leaves
	// index numbers the nodes that have buckets; nothing is ever removed from it.
	index *heap.TwoLevelHeap
	laid  []laid
	// The buckets of number i are buckets[first[i]:first[i+1]].
	first   []uint32
	buckets []bucket
	again   []heap.Slot // to be expanded once more
	ends    []end       // the seeds of the leaves, by node
	codes   []uint64    // of the seeds of the leaves
	offset  []shift     // by leaf
	root    shift
	// The best path to each leaf so far, less the offsets.
	best     []rank
	distance []graph.Distance
	cells    []graph.Cell
}

// bucket is a label that a leaf has left at a node.
type bucket struct {
	leaf     uint32
	weight   uint32
	duration graph.Duration
	distance graph.Distance
}

// laid is a bucket before they are sorted.
type laid struct {
	slot heap.Slot
	bucket
}

// end is a seed of a leaf.
type end struct {
	node graph.NodeID
	leaf uint32
	seed graph.Seed
}

// harvestEvery is the number of settled nodes between looks whether the root has
// reached all leaves. Where there are no more leaves than that, each new path is a
// reason to look.
const harvestEvery = 64

func (t *tableScratch) init(s *Search) {
	if t.index == nil {
		border := 0
		if len(s.o.cells.levels) > 0 {
			border = int(s.o.cells.levels[0].border)
		}
		t.index = heap.NewTwoLevelHeap(s.memory, border)
		t.opened.init(s.memory, s.o.cells)
	}
	t.index.Clear()
	t.laid, t.again, t.ends = t.laid[:0], t.again[:0], t.ends[:0]
	t.codes, t.offset = t.codes[:0], t.offset[:0]
}

func (t *tableScratch) release(memory *pool.Allocator) {
	if t.index == nil {
		return
	}
	t.index.Release()
	t.opened.release(memory)
	pool.Free(memory, t.laid)
	pool.Free(memory, t.first)
	pool.Free(memory, t.buckets)
	pool.Free(memory, t.again)
	pool.Free(memory, t.ends)
	pool.Free(memory, t.codes)
	pool.Free(memory, t.offset)
	pool.Free(memory, t.best)
	pool.Free(memory, t.distance)
	pool.Free(memory, t.cells)
	*t = tableScratch{}
}

// begin puts seeds into a heap, or the heads of the edges behind them. What it puts
// in it also lays down as buckets of the leaf, unless that is noLeaf.
func (s *Search) begin(q *heap.TwoLevelHeap, d int, seeds []graph.Seed, least shift, leaf uint32, behind bool) {
	c := s.o.cells
	put := func(id uint32, x seeded) {
		if x.weight >= int64(unreached) {
			return
		}
		s.relaxTable(q, id, uint32(x.weight), uint32(x.duration), x.distance)
		if leaf != noLeaf {
			s.lay(id, bucket{leaf, uint32(x.weight), x.duration, x.distance})
		}
	}
	for i := range seeds {
		id := c.id[seeds[i].Node]
		if s.excludes(id) {
			continue
		}
		x := least.less(&seeds[i])
		if !behind {
			put(id, x)
			continue
		}
		for j := c.first[2*id]; j < c.first[2*id+1]; j++ {
			if a := s.o.arcs[j]; a.Weight < unreached && !s.excludes(a.Head) {
				put(a.Head, x.plus(a.Weight, s.o.costs[c.edge[j]]))
			}
		}
	}
}

const noLeaf = math.MaxUint32

// lay notes a bucket.
func (s *Search) lay(id uint32, b bucket) {
	t := &s.table
	slot, ok := t.index.Find(id)
	if !ok {
		slot = t.index.Insert(id, 0, heap.Label{})
	}
	t.laid = pool.Append(s.memory, t.laid, laid{slot, b})
}

// relaxTable gives a node a better label: a duration, with overCliqueBit, and a
// distance. A settled node that is reached sooner, over arcs of no weight, is
// noted in again.
func (s *Search) relaxTable(q *heap.TwoLevelHeap, id, next, parent uint32, distance graph.Distance) {
	slot, ok := q.Find(id)
	if !ok {
		q.Insert(id, int32(next), heap.Label{Parent: parent, Edge: uint32(distance)})
		return
	}
	r := q.At(slot)
	key := uint32(r.Key)
	if next > key || next == key && parent&^overCliqueBit >= r.Data.Parent&^overCliqueBit {
		return
	}
	r.Data = heap.Label{Parent: parent, Edge: uint32(distance)}
	if r.Removed() {
		s.table.again = pool.Append(s.memory, s.table.again, slot)
	} else {
		q.DecreaseKey(id, int32(next))
	}
}

// settle returns the next node to expand; ok is false if there is none.
func (s *Search) settle(q *heap.TwoLevelHeap) (slot heap.Slot, ok bool) {
	t := &s.table
	if n := len(t.again); n > 0 {
		slot = t.again[n-1]
		t.again = t.again[:n-1]
		return slot, true
	}
	if q.Empty() {
		return 0, false
	}
	s.settled++
	slot = q.MinSlot()
	q.DeleteMin()
	return slot, true
}

// plant lays the buckets of the leaves, which are searched from in direction d,
// given the roots, and sorts them.
func (s *Search) plant(ctx context.Context, d int, leaves, roots [][]graph.Seed) error {
	c, t := s.o.cells, &s.table
	t.single = len(roots) == 1 && s.openAll(leaves)
	base, spread, any := s.spreadOfAll(roots)
	for i, seeds := range leaves {
		if err := ctx.Err(); err != nil {
			return err
		}
		least, ok := s.shiftOf(seeds)
		t.offset = pool.Append(s.memory, t.offset, least)
		if !ok || !any {
			continue
		}
		top := 0 // highest level at which a root's cell differs
		for _, x := range seeds {
			id := c.id[x.Node]
			if s.excludes(id) {
				continue
			}
			t.ends = pool.Append(s.memory, t.ends, end{x.Node, uint32(i), x})
			t.codes = pool.Append(s.memory, t.codes, c.code(id))
			top = max(top, int(c.levelOf[bits.Len64((c.code(id)^base)|spread)]))
		}
		s.heaps[d].Clear()
		s.begin(s.heaps[d], d, seeds, least, uint32(i), d == 0)
		if !t.single && top > 0 {
			if err := s.plantOne(ctx, d, uint32(i), seeds, least, top); err != nil {
				return err
			}
		}
	}
	slices.SortStableFunc(t.ends, func(a, b end) int { return cmp.Compare(a.node, b.node) })
	s.sortBuckets()
	return nil
}

// openAll opens the cells of all leaves, and says whether a single root had better
// look into them: the more of them the leaves share, the better.
func (s *Search) openAll(leaves [][]graph.Seed) bool {
	c, t := s.o.cells, &s.table
	each := 0 // nodes that a search from a leaf settles
	for l := range c.levels[:min(len(c.levels), climbFrom)] {
		each += c.levels[l].meanMembers()
	}
	shared := 0
	t.opened.reset()
	for _, seeds := range leaves {
		for i := range seeds {
			if id := c.id[seeds[i].Node]; !s.excludes(id) {
				shared += t.opened.open(c, id)
			}
		}
	}
	return shared <= each*len(leaves)
}

// plantOne lays the buckets of a leaf, from which a search has begun, at the
// borders of its cells up to level top.
func (s *Search) plantOne(ctx context.Context, d int, leaf uint32, seeds []graph.Seed, least shift, top int) error {
	c, t, q := s.o.cells, &s.table, s.heaps[d]
	t.opened.reset()
	for i := range seeds {
		if id := c.id[seeds[i].Node]; !s.excludes(id) {
			t.opened.open(c, id)
		}
	}
	id, spread, _ := s.spreadOf(seeds)
	if top <= climbFrom || int(c.levelOf[bits.Len64(spread)]) >= climbFrom {
		return s.grow(ctx, q, d, leaf, top)
	}
	if err := s.grow(ctx, q, d, leaf, climbFrom); err != nil {
		return err
	}
	k := &s.climbs[d]
	k.prepare(s.memory, c, id, top)
	s.climbWithCosts(k, q, d, seeds, least)
	for l := climbFrom + 1; l <= top; l++ {
		exits := k.exits(c, d, l)
		for j, x := range k.at(l) {
			if x.weight < unreached && (d == 1 || !s.isSeed(exits[j], x, seeds, least)) {
				s.lay(exits[j], bucket{leaf, x.weight, x.duration, x.distance})
			}
		}
	}
	return nil
}

// climbWithCosts makes all steps of a climb in direction d from the labels of a
// search. Forward, seeds on exits count too, since the search began behind them.
func (s *Search) climbWithCosts(k *climb, q *heap.TwoLevelHeap, d int, seeds []graph.Seed, least shift) {
	c := s.o.cells
	k.begin(s.memory, c, q, d, true)
	if d == 0 {
		exits, steps := k.exits(c, d, climbFrom), k.at(climbFrom)
		for i := range seeds {
			id := c.id[seeds[i].Node]
			at, ok := slices.BinarySearch(exits, id)
			if x := least.less(&seeds[i]); ok && !s.excludes(id) && x.weight < int64(unreached) {
				if y := (step{uint32(x.weight), 0, x.duration, x.distance}); y.less(&steps[at]) {
					steps[at] = y
				}
			}
		}
	}
	for l := climbFrom + 1; l <= k.top; l++ {
		k.riseWithCosts(s.memory, s.q, d, l)
	}
}

// isSeed says whether a step is no better than a seed on its node. To leave a bucket
// there would join it with a root on the same node before it; the buckets behind
// the edges that leave the seed do instead.
func (s *Search) isSeed(id uint32, x step, seeds []graph.Seed, least shift) bool {
	for i := range seeds {
		if s.o.cells.id[seeds[i].Node] == id {
			if y := least.less(&seeds[i]); y.weight < int64(unreached) && !x.less(&step{weight: uint32(y.weight), duration: y.duration}) {
				return true
			}
		}
	}
	return false
}

// spreadOfAll returns the code of a root and all bits in which those of others differ
// from it.
func (s *Search) spreadOfAll(roots [][]graph.Seed) (base, spread uint64, any bool) {
	c := s.o.cells
	for _, seeds := range roots {
		for i := range seeds {
			id := c.id[seeds[i].Node]
			if s.excludes(id) {
				continue
			}
			if !any {
				base, any = c.code(id), true
			}
			spread |= c.code(id) ^ base
		}
	}
	return base, spread, any
}

// sortBuckets sorts the buckets by number of the node, by counting.
func (s *Search) sortBuckets() {
	t := &s.table
	n := len(t.index.Records())
	t.first = pool.Grow(s.memory, t.first, n+1)
	clear(t.first)
	for i := range t.laid {
		t.first[t.laid[i].slot]++
	}
	total := uint32(0)
	for i, k := range t.first {
		total += k
		t.first[i] = total
	}
	t.buckets = pool.Grow(s.memory, t.buckets, len(t.laid))
	for i := len(t.laid) - 1; i >= 0; i-- {
		at := &t.first[t.laid[i].slot]
		*at--
		t.buckets[*at] = t.laid[i].bucket
	}
}

// grow searches from a leaf within its cells of level top, and lays buckets at
// their borders and at those of the cells inside that have a seed, unless the leaf
// is noLeaf.
func (s *Search) grow(ctx context.Context, q *heap.TwoLevelHeap, d int, leaf uint32, top int) error {
	c, t := s.o.cells, &s.table
	poll := s.settled + pollEvery
	for {
		slot, ok := s.settle(q)
		if !ok {
			return nil
		}
		if s.settled >= poll {
			poll += pollEvery
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		r := q.At(slot)
		v, key, data := r.Node, uint32(r.Key), r.Data
		l := t.opened.levelOf(c, v)
		if l >= top {
			continue // out of the cell
		}
		if b := &c.levels[l]; leaf != noLeaf && v < b.border && b.rows[d][v].Across != 0 {
			s.lay(v, bucket{leaf, key, graph.Duration(data.Parent &^ overCliqueBit), graph.Distance(data.Edge)})
		}
		s.relaxAll(q, d, l, v, key, data)
	}
}

// relaxAll relaxes the arcs and, at level l > 0, the clique of a settled node.
func (s *Search) relaxAll(q *heap.TwoLevelHeap, d, l int, v, key uint32, data heap.Label) {
	c, cliques, arcs := s.o.cells, s.q, s.o.arcs
	duration, distance := graph.Duration(data.Parent&^overCliqueBit), graph.Distance(data.Edge)
	from, to := c.first[2*v+uint32(d)], c.first[2*v+uint32(d)+1]
	if l > 0 {
		level := &c.levels[l-1]
		r := &level.rows[d][v]
		to = from + uint32(r.Across)
		if data.Parent&overCliqueBit == 0 && r.N != 0 {
			heads := level.exits
			at, step := r.Clique, uint32(1) // of the forward weights
			if d == 1 {
				heads = level.entries
				cell := level.cell[v]
				first := level.cliqueFirst[cell]
				step = level.exitFirst[cell+1] - level.exitFirst[cell]
				at = first + (r.Clique-first)/uint32(r.N)
			}
			heads = heads[r.Heads:][:r.N]
			h, shift := cliques.home(uint32(l), v)
			at += shift
			for i, w := range h.weight[d][r.Clique+shift:][:len(heads)] {
				next := key + w
				if next >= unreached {
					continue
				}
				if slot, ok := q.Find(heads[i]); ok && uint32(q.At(slot).Key) < next {
					continue
				}
				k := &h.costs[at+uint32(i)*step]
				s.relaxTable(q, heads[i], next, uint32(addDurations(duration, k.Duration))|overCliqueBit, addDistances(distance, k.Distance))
			}
		}
	}
	for i := from; i < to; i++ {
		a := &arcs[i]
		next := key + a.Weight
		if next >= unreached || s.excludes(a.Head) {
			continue
		}
		k := &s.o.costs[c.edge[i]]
		s.relaxTable(q, a.Head, next, uint32(addDurations(duration, k.Duration)), addDistances(distance, k.Distance))
	}
}

// harvest searches from a root in direction d for the best path to each leaf.
func (s *Search) harvest(ctx context.Context, d int, seeds []graph.Seed) error {
	c, t := s.o.cells, &s.table
	n := len(t.offset)
	t.best = pool.Grow(s.memory, t.best, n)
	t.distance = pool.Grow(s.memory, t.distance, n)
	for i := range t.best {
		t.best[i] = unreachedPair
		if t.offset[i].empty {
			t.best[i] = 0 // nothing to wait for
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	least, ok := s.shiftOf(seeds)
	t.root = least
	if !ok {
		return nil
	}
	q := s.heaps[d]
	q.Clear()
	t.again = t.again[:0]
	s.harvestDirect(seeds)
	// With a single root the cells of the leaves are open already.
	if !t.single {
		t.opened.reset()
	}
	for i := range seeds {
		if id := c.id[seeds[i].Node]; !s.excludes(id) {
			t.opened.open(c, id)
		}
	}
	if top, id := s.rootTop(seeds); top == 0 {
		s.begin(q, d, seeds, least, noLeaf, d == 0)
	} else {
		k := &s.climbs[d]
		k.prepare(s.memory, c, id, top)
		k.queue.Clear()
		s.begin(k.queue, d, seeds, least, noLeaf, false)
		if err := s.grow(ctx, k.queue, d, noLeaf, climbFrom); err != nil {
			return err
		}
		s.climbWithCosts(k, k.queue, d, nil, least)
		t.opened.close(c, id, top)
		exits := k.exits(c, d, top)
		for i, x := range k.at(top) {
			if x.weight < unreached {
				s.relaxTable(q, exits[i], x.weight, uint32(x.duration)|overCliqueBit, x.distance)
			}
		}
	}
	poll := s.settled + pollEvery
	look := s.settled + harvestEvery
	worst := uint32(math.MaxUint32)
	for {
		slot, ok := s.settle(q)
		if !ok {
			return nil
		}
		r := q.At(slot)
		v, key, data := r.Node, uint32(r.Key), r.Data
		if s.settled >= poll {
			poll += pollEvery
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if s.settled >= look {
			look = s.settled + max(harvestEvery, n/4)
			worst = 0
			for _, b := range t.best {
				worst = max(worst, b.weight())
			}
		}
		if key > worst {
			return nil
		}
		if number, ok := t.index.Find(v); ok {
			duration, distance := graph.Duration(data.Parent&^overCliqueBit), graph.Distance(data.Edge)
			for i := range t.buckets[t.first[number]:t.first[number+1]] {
				b := &t.buckets[t.first[number]:][i]
				if weight := key + b.weight; weight <= t.best[b.leaf].weight() {
					if n <= harvestEvery {
						look = s.settled
					}
					t.offer(b.leaf, weight, addDurations(duration, b.duration), addDistances(distance, b.distance))
				}
			}
		}
		s.relaxAll(q, d, t.opened.levelOf(c, v), v, key, data)
	}
}

// rootTop is climbTop for a root and all leaves.
func (s *Search) rootTop(seeds []graph.Seed) (top int, id uint32) {
	c := s.o.cells
	if len(c.levels) <= climbFrom {
		return 0, 0
	}
	id, spread, ok := s.spreadOf(seeds)
	if !ok || int(c.levelOf[bits.Len64(spread)]) >= climbFrom {
		return 0, 0
	}
	least, code := ^uint64(0), c.code(id)
	for _, x := range s.table.codes {
		least = min(least, x^code)
	}
	if top = int(c.levelOf[bits.Len64(least)]); top <= climbFrom {
		return 0, 0
	}
	return top, id
}

// unreachedPair is the rank of a leaf that was not reached; the weight of a pair
// can exceed that of a label.
const unreachedPair = rank(math.MaxUint64)

func (t *tableScratch) offer(leaf, weight uint32, duration graph.Duration, distance graph.Distance) {
	if r := makeRank(weight, duration); r < t.best[leaf] {
		t.best[leaf], t.distance[leaf] = r, distance
	}
}

// harvestDirect considers the pieces from a source to a target behind it on one
// node.
func (s *Search) harvestDirect(seeds []graph.Seed) {
	t := &s.table
	for i := range seeds {
		x := &seeds[i]
		at, _ := slices.BinarySearchFunc(t.ends, x.Node, func(e end, node graph.NodeID) int { return cmp.Compare(e.node, node) })
		if s.excludes(s.o.cells.id[x.Node]) {
			continue
		}
		for ; at < len(t.ends) && t.ends[at].node == x.Node; at++ {
			e := &t.ends[at]
			if !x.Precedes(&e.seed) {
				continue
			}
			a, b := t.root.less(x), t.offset[e.leaf].less(&e.seed)
			if weight := a.weight + b.weight; weight < math.MaxUint32 {
				t.offer(e.leaf, uint32(weight), addDurations(a.duration, b.duration), addDistances(a.distance, b.distance))
			}
		}
	}
}

// cell returns the entry of the table for a leaf.
func (t *tableScratch) cell(leaf int) graph.Cell {
	b, x := t.best[leaf], &t.offset[leaf]
	weight := int64(b.weight()) + int64(t.root.weight) + int64(x.weight)
	if b == unreachedPair || x.empty || weight >= int64(graph.InvalidWeight) {
		return graph.Cell{Weight: graph.InvalidWeight, Duration: graph.InvalidDuration}
	}
	duration := int64(b.duration()) + int64(t.root.duration) + int64(x.duration)
	distance := int64(t.distance[leaf]) + t.root.distance + x.distance
	return graph.Cell{
		Weight:   graph.Weight(weight),
		Duration: graph.Duration(min(duration, maxDuration)),
		Distance: graph.Distance(max(0, min(distance, math.MaxUint32))),
	}
}
