package ch

import (
	"context"
	"math"
	"math/bits"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// tableWay is how a table is computed.
type tableWay int

const (
	byRule tableWay = iota
	byBuckets
	downward // a sweep down from each source
	upward   // the same against the direction of travel, from each target
)

const (
	// A table whose one side has at most sweptRoots sets, and the other at least
	// sweptShare times as many, may be swept.
	sweptRoots = 64
	sweptShare = 4
	// A search up from a set of seeds takes as long as a sweep of so many arcs.
	arcsASearch = 5000
	// maxKept bounds the cells that are kept because rows are complete at the end
	// only.
	maxKept = 1 << 22
	// sweepPoll is the number of steps between looks at the context in loops whose
	// steps are short, a power of two.
	sweepPoll = 1 << 13
)

// pollAt looks at the context now and then, given the number of a step.
func pollAt(ctx context.Context, step int) error {
	if step%sweepPoll != 0 {
		return nil
	}
	return ctx.Err()
}

// tableBy is Table by a given way.
func (s *Search) tableBy(ctx context.Context, way tableWay, sources, targets [][]graph.Seed, row func(source int, cells []graph.Cell) error) error {
	s.spent += s.settled
	s.ok, s.settled = false, 0
	s.table.init(s)
	if err := ctx.Err(); err != nil || len(sources) == 0 {
		return err
	}
	m, n := len(sources), len(targets)
	if way == byRule {
		way = byBuckets
		switch {
		case m <= sweptRoots && n >= sweptShare*m:
			way = downward
		case n <= sweptRoots && m >= sweptShare*n && m*n <= maxKept:
			way = upward
		}
		few, many, d := m, targets, 0
		if way == upward {
			few, many, d = n, sources, 1
		}
		if way != byBuckets {
			worth, err := s.selectArcs(ctx, d, many, len(many)*arcsASearch/max(few, 1))
			if err != nil {
				return err
			}
			if !worth {
				way = byBuckets
			}
		}
	} else if way != byBuckets {
		many, d := targets, 0
		if way == upward {
			many, d = sources, 1
		}
		if _, err := s.selectArcs(ctx, d, many, math.MaxInt); err != nil {
			return err
		}
	}
	switch way {
	case downward:
		return s.sweepDown(ctx, sources, targets, row)
	case upward:
		return s.sweepUp(ctx, sources, targets, row)
	}
	return s.tableByBuckets(ctx, sources, targets, row)
}

// sweepDown makes rows by a sweep from each source.
func (s *Search) sweepDown(ctx context.Context, sources, targets [][]graph.Seed, row func(int, []graph.Cell) error) error {
	t := &s.table
	t.cells = pool.Grow(s.memory, t.cells, len(targets))
	for i := range sources {
		if err := s.sweepFrom(ctx, 0, sources[i]); err != nil {
			return err
		}
		for j := range targets {
			if err := pollAt(ctx, j); err != nil {
				return err
			}
			t.cells[j] = s.sweptTo(sources[i], targets[j])
		}
		if err := row(i, t.cells); err != nil {
			return err
		}
	}
	return nil
}

// sweepUp makes columns by a sweep from each target.
func (s *Search) sweepUp(ctx context.Context, sources, targets [][]graph.Seed, row func(int, []graph.Cell) error) error {
	t := &s.table
	n := len(targets)
	t.cells = pool.Grow(s.memory, t.cells, n*len(sources))
	for j := range targets {
		if err := s.sweepFrom(ctx, 1, targets[j]); err != nil {
			return err
		}
		for i := range sources {
			if err := pollAt(ctx, i); err != nil {
				return err
			}
			t.cells[i*n+j] = s.sweptTo(targets[j], sources[i])
		}
	}
	for i := range sources {
		if err := row(i, t.cells[i*n:(i+1)*n:(i+1)*n]); err != nil {
			return err
		}
	}
	return nil
}

// sweepScratch is what sweeps work with (Delling, Goldberg, Nowatzyk and Werneck,
// PHAST, 2011, restricted as in Delling, Goldberg and Werneck, Faster Batched
// Shortest Paths in Road Networks, 2011): the part of the hierarchy above the sets
// of the many, its nodes numbered from the top as those with buckets are.
type sweepScratch struct {
	marked graph.Bits
	stack  []uint32
	first  []uint32 // of down, by number
	base   []uint32 // index of the first of these arcs in the hierarchy
	// down are the arcs that lead down to a node, Head being a number.
	down []arc
	// Labels by number; unswept is the weight of none. There is one more, for
	// excluded nodes.
	weight []uint32
	cost   []cost
}

const unswept = math.MaxInt32

func (w *sweepScratch) release(memory *pool.Allocator) {
	pool.Free(memory, w.marked)
	pool.Free(memory, w.stack)
	pool.Free(memory, w.first)
	pool.Free(memory, w.base)
	pool.Free(memory, w.down)
	pool.Free(memory, w.weight)
	pool.Free(memory, w.cost)
}

// against returns the range of the arcs of a node that lead down to it in
// direction d.
func (s *Search) against(d int, v uint32) (from, to uint32) {
	f := s.h.first
	if v < s.core {
		f = s.coreFirst
	}
	return f[2*v+1-uint32(d)], f[2*v+2-uint32(d)]
}

// selectArcs selects all that lies above the seeds, for sweeps in direction d; it
// gives up and says so where there are more arcs than the limit.
func (s *Search) selectArcs(ctx context.Context, d int, sets [][]graph.Seed, limit int) (ok bool, err error) {
	t := &s.table
	w := &t.sweep
	if w.marked == nil {
		w.marked = pool.MakeZeroed[uint64](s.memory, (s.h.NumNodes()+63)/64)
	}
	w.stack, t.nodes = w.stack[:0], t.nodes[:0]
	arcs := s.h.arcs
	count, nodes, top := 0, 0, uint32(0)
	push := func(rank uint32) {
		if !s.excluded(rank) && !w.marked.Get(rank) {
			w.marked.Set(rank)
			w.stack = pool.Append(s.memory, w.stack, rank)
			top = max(top, rank)
		}
	}
	poll := 0
	for i := 0; i < len(sets) && count <= limit && err == nil; i++ {
		for j := range sets[i] {
			push(s.h.rank[sets[i][j].Node])
		}
		for len(w.stack) > 0 && count <= limit {
			v := w.stack[len(w.stack)-1]
			w.stack = w.stack[:len(w.stack)-1]
			from, to := s.against(d, v)
			count += int(to - from)
			nodes++
			for k := from; k < to; k++ {
				push(arcs[k].Head)
			}
		}
		if nodes >= poll {
			poll = nodes + sweepPoll
			err = ctx.Err()
		}
	}
	// Number them from the top, and leave no mark.
	words := w.marked[:min(len(w.marked), int(top/64)+1)]
	for i, word := range words {
		for ; word != 0; word &= word - 1 {
			rank := uint32(64*i + bits.TrailingZeros64(word))
			t.index[rank] = uint32(len(t.nodes))
			t.nodes = pool.Append(s.memory, t.nodes, rank)
		}
		words[i] = 0
	}
	if err != nil || count > limit {
		return false, err
	}
	return true, s.copyArcs(ctx, d, count)
}

// copyArcs copies the arcs that lead down to the nodes selected.
func (s *Search) copyArcs(ctx context.Context, d, count int) error {
	t := &s.table
	w := &t.sweep
	n := len(t.nodes)
	w.first = pool.Grow(s.memory, w.first, n+1)
	w.base = pool.Grow(s.memory, w.base, n)
	w.weight = pool.Grow(s.memory, w.weight, n+1)
	w.cost = pool.Grow(s.memory, w.cost, n+1)
	w.down = pool.Grow(s.memory, w.down, count)[:0]
	for i, v := range t.nodes {
		if err := pollAt(ctx, i); err != nil {
			return err
		}
		from, to := s.against(d, v)
		w.first[i], w.base[i] = uint32(len(w.down)), from
		for k := from; k < to; k++ {
			a := s.h.arcs[k]
			if s.excluded(a.Head) {
				a.Head = uint32(n)
			} else {
				a.Head = t.index[a.Head]
			}
			w.down = append(w.down, a)
		}
	}
	w.first[n] = uint32(len(w.down))
	return nil
}

// sweepFrom labels the selected nodes, from the seeds.
func (s *Search) sweepFrom(ctx context.Context, d int, seeds []graph.Seed) error {
	t := &s.table
	w := &t.sweep
	if err := s.spreadUp(ctx, d, seeds); err != nil {
		return err
	}
	weight := w.weight
	for i := range weight {
		weight[i] = unswept
	}
	records := s.heaps[d].Records()
	for slot := range records {
		if k := t.spread.cost[slot]; k.duration != stalledCost {
			if at, ok := t.number(records[slot].Node); ok {
				weight[at], w.cost[at] = uint32(records[slot].Key), k
			}
		}
	}
	first := w.first
	for i := range t.nodes {
		if err := pollAt(ctx, i); err != nil {
			return err
		}
		from := first[i]
		down := w.down[from:first[i+1]]
		best, by := weight[i], -1
		for k := range down {
			a := &down[k]
			if next := weight[a.Head] + a.Weight; next < best {
				best, by = next, k
			} else if next == best && next != unswept && s.sooner(i, k, by) {
				by = k
			}
		}
		if by >= 0 {
			weight[i], w.cost[i] = best, s.sweptOver(i, by)
		}
	}
	s.settled += len(t.nodes)
	s.sweepSeeds(d)
	return nil
}

// sweptOver returns the cost of node i by its k-th arc.
func (s *Search) sweptOver(i, k int) cost {
	w := &s.table.sweep
	at := w.base[i] + uint32(k)
	return w.cost[w.down[w.first[i]+uint32(k)].Head].plus(cost{s.h.duration[at], s.h.distance[at]})
}

// sooner says whether the k-th arc of node i leads to it sooner than the arc by, or
// if that is negative, than its own label.
func (s *Search) sooner(i, k, by int) bool {
	old := s.table.sweep.cost[i]
	if by >= 0 {
		old = s.sweptOver(i, by)
	}
	return s.sweptOver(i, k).duration < old.duration
}

// sweepSeeds makes the labels of the nodes of the seeds those of paths of at least
// one arc.
func (s *Search) sweepSeeds(d int) {
	t := &s.table
	w := &t.sweep
	for slot := range t.again {
		x := &t.again[slot]
		r := &s.heaps[d].Records()[slot]
		if r.Data.Edge != seeded && t.spread.cost[slot].duration != stalledCost {
			*x = again{uint32(r.Key), t.spread.cost[slot]}
		}
		at, ok := t.number(r.Node)
		if !ok {
			continue
		}
		x.weight = min(x.weight, unswept)
		for k, a := range w.down[w.first[at]:w.first[at+1]] {
			if next := w.weight[a.Head] + a.Weight; next <= x.weight && next < unswept {
				if c := s.sweptOver(int(at), k); next < x.weight || c.duration < x.duration {
					*x = again{next, c}
				}
			}
		}
	}
	for slot := range t.again {
		if at, ok := t.number(s.heaps[d].Records()[slot].Node); ok {
			w.weight[at], w.cost[at] = t.again[slot].weight, t.again[slot].cost
		}
	}
}

// sweptTo returns the best path from the root that the last sweep was from to a
// set of those selected.
func (s *Search) sweptTo(root, set []graph.Seed) graph.Cell {
	t := &s.table
	w := &t.sweep
	best := noPath
	for i := range set {
		x := &set[i]
		rank := s.h.rank[x.Node]
		at, ok := t.number(rank)
		if !ok || s.excluded(rank) {
			continue
		}
		own := shift{x.Weight, x.Duration, x.Distance}
		if weight := w.weight[at]; weight != unswept {
			best = lighter(best, join(weight, w.cost[at], &t.least, &own))
		}
		for j := range root {
			y := &root[j]
			if y.Node != x.Node {
				continue
			}
			other := shift{y.Weight, y.Duration, y.Distance}
			if int64(x.Weight)+int64(y.Weight) >= 0 {
				best = lighter(best, join(0, cost{}, &other, &own))
			} else if l, k, ok := s.loopOf(rank); ok {
				best = lighter(best, join(l, k, &other, &own))
			}
		}
	}
	return best
}
