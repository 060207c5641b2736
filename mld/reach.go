package mld

import (
	"context"
	"math"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/heap"
	"github.com/fourway-routing/fourway/pool"
)

// Limit bounds a search to all nodes. A field that is 0 does not.
type Limit struct {
	// Weight and Duration are the largest of a path.
	Weight   graph.Weight
	Duration graph.Duration
}

// Reach finds the path of least weight, and of least duration among those, from
// the best of the sources to the beginning of each node's segment, and calls visit
// for those within the limit by ascending weight. The paths have at least one
// edge: what lies on the segments of the sources themselves is the caller's. An
// error of visit ends the search and is returned; a done context ends it with an
// error that errors.Is the context's.
//
// It settles all nodes within the limit, for they are asked for; the overlay
// could not spare any. With a limit of the duration only, it goes on while any
// node of a heavy path, however short in time, may be within.
func (s *Search) Reach(ctx context.Context, sources []graph.Seed, limit Limit, visit func(node graph.NodeID, c graph.Cell) error) error {
	s.spent += s.settled
	s.ok, s.settled = false, 0
	if err := ctx.Err(); err != nil {
		return err
	}
	least, ok := s.shiftOf(sources)
	if !ok {
		return nil
	}
	r := &s.reach
	if r.queue == nil {
		r.queue = heap.NewArrayHeap(s.memory, s.o.NumNodes())
	}
	r.least, r.heaviest, r.longest = least, int64(unreached)-1, maxDuration
	if limit.Weight != 0 {
		r.heaviest = min(r.heaviest, int64(limit.Weight)-int64(least.weight))
	}
	if limit.Duration != 0 {
		r.longest = graph.Duration(max(-1, min(int64(maxDuration), int64(limit.Duration)-int64(least.duration))))
	}
	r.queue.Clear()
	r.again, r.settled, r.within = r.again[:0], r.settled[:0], 0
	for i := range sources {
		if id := s.o.cells.id[sources[i].Node]; !s.excludes(id) {
			s.expand(id, least.less(&sources[i]))
		}
	}
	return s.settleAll(ctx, visit)
}

// reachScratch is what Reach works with. Labels that take too long are expanded
// too, lest those of heavier paths take their place, until there are no others.
type reachScratch struct {
	queue    *heap.ArrayHeap // labels are a duration and a distance
	again    []heap.Slot     // to be expanded once more
	settled  []heap.Slot     // with the present weight
	least    shift
	heaviest int64
	longest  graph.Duration
	within   int // labels in the queue that do not take too long
}

func (r *reachScratch) release(memory *pool.Allocator) {
	if r.queue == nil {
		return
	}
	r.queue.Release()
	pool.Free(memory, r.again)
	pool.Free(memory, r.settled)
	*r = reachScratch{}
}

// settleAll runs the search and reports.
func (s *Search) settleAll(ctx context.Context, visit func(graph.NodeID, graph.Cell) error) error {
	r := &s.reach
	q := r.queue
	for {
		var slot heap.Slot
		if n := len(r.again); n > 0 {
			slot = r.again[n-1]
			r.again = r.again[:n-1]
		} else {
			done := r.within == 0
			if n := len(r.settled); n > 0 && (done || q.MinKey() > q.At(r.settled[0]).Key) {
				if err := s.report(visit); err != nil {
					return err
				}
			}
			if done {
				return nil
			}
			slot = q.MinSlot()
			q.DeleteMin()
			r.settled = pool.Append(s.memory, r.settled, slot)
			r.count(q.At(slot), -1)
			s.settled++
			if s.settled%pollEvery == 0 {
				if err := ctx.Err(); err != nil {
					return err
				}
			}
		}
		x := q.At(slot)
		s.expand(x.Node, seeded{int64(x.Key), graph.Duration(x.Data.Parent), graph.Distance(x.Data.Edge)})
	}
}

// report calls visit for the nodes settled with the present weight.
func (s *Search) report(visit func(graph.NodeID, graph.Cell) error) error {
	r := &s.reach
	for _, slot := range r.settled {
		x := r.queue.At(slot)
		if graph.Duration(x.Data.Parent) > r.longest {
			continue
		}
		if err := visit(s.o.cells.node[x.Node], graph.Cell{
			Weight:   graph.Weight(int64(x.Key) + int64(r.least.weight)),
			Duration: graph.Duration(min(int64(x.Data.Parent)+int64(r.least.duration), maxDuration)),
			Distance: graph.Distance(max(0, min(int64(x.Data.Edge)+r.least.distance, math.MaxUint32))),
		}); err != nil {
			return err
		}
	}
	r.settled = r.settled[:0]
	return nil
}

// expand relaxes the edges of a node.
func (s *Search) expand(id uint32, x seeded) {
	c, r := s.o.cells, &s.reach
	for i := c.first[2*id]; i < c.first[2*id+1]; i++ {
		a := s.o.arcs[i]
		if a.Weight >= unreached || x.weight+int64(a.Weight) > r.heaviest || s.excludes(a.Head) {
			continue
		}
		y := x.plus(a.Weight, s.o.costs[c.edge[i]])
		label := heap.Label{Parent: uint32(y.duration), Edge: uint32(y.distance)}
		slot, ok := r.queue.Find(a.Head)
		if !ok {
			slot = r.queue.Insert(a.Head, int32(y.weight), label)
			r.count(r.queue.At(slot), 1)
			continue
		}
		old := r.queue.At(slot)
		if key := int64(old.Key); y.weight > key || y.weight == key && label.Parent >= old.Data.Parent {
			continue
		}
		if old.Removed() {
			old.Data = label
			r.again = pool.Append(s.memory, r.again, slot)
			continue
		}
		r.count(old, -1)
		old.Data = label
		r.count(old, 1)
		r.queue.DecreaseKey(a.Head, int32(y.weight))
	}
}

func (r *reachScratch) count(x *heap.LabelRecord, n int) {
	if graph.Duration(x.Data.Parent) <= r.longest {
		r.within += n
	}
}
