package mld

import (
	"context"
	"math"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/heap"
)

// Limit bounds a search to all nodes. A field that is 0 does not.
type Limit struct {
	// Weight and Duration are the largest of a path.
	Weight   graph.Weight
	Duration graph.Duration
}

// Reach finds the path of least weight, and of least duration among those but for
// edges of no weight, from the best of the sources to the beginning of each node's
// segment, and calls visit for those within the limit by ascending weight. The
// paths have at least one edge: what lies on the segments of the sources
// themselves is the caller's. An error of visit ends the search and is returned;
// a done context ends it with an error that errors.Is the context's.
//
// It settles all nodes within the limit, for they are asked for; the overlay
// could not spare any.
func (s *Search) Reach(ctx context.Context, sources []graph.Seed, limit Limit, visit func(node graph.NodeID, c graph.Cell) error) error {
	s.ok, s.settled = false, 0
	if err := ctx.Err(); err != nil {
		return err
	}
	least, ok := s.shiftOf(sources)
	if !ok {
		return nil
	}
	if s.all == nil {
		s.all = heap.NewArrayHeap(s.memory, s.o.NumNodes())
	}
	c := s.o.cells
	r := reach{q: s.all, heaviest: int64(unreached) - 1, longest: maxDuration}
	if limit.Weight != 0 {
		r.heaviest = min(r.heaviest, int64(limit.Weight)-int64(least.weight))
	}
	if limit.Duration != 0 {
		r.longest = graph.Duration(max(-1, min(int64(maxDuration), int64(limit.Duration)-int64(least.duration))))
	}
	r.q.Clear()
	for i := range sources {
		if id := c.id[sources[i].Node]; !s.excludes(id) {
			s.expand(&r, id, least.less(&sources[i]))
		}
	}
	for r.within > 0 {
		slot := r.q.MinSlot()
		v, key := r.q.DeleteMin()
		s.settled++
		if s.settled%pollEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		data := r.q.At(slot).Data
		x := seeded{int64(key), graph.Duration(data.Parent), graph.Distance(data.Edge)}
		if x.duration <= r.longest {
			r.within--
			if err := visit(c.node[v], graph.Cell{
				Weight:   graph.Weight(x.weight + int64(least.weight)),
				Duration: graph.Duration(min(int64(x.duration)+int64(least.duration), maxDuration)),
				Distance: graph.Distance(max(0, min(int64(x.distance)+least.distance, math.MaxUint32))),
			}); err != nil {
				return err
			}
		}
		s.expand(&r, v, x)
	}
	return nil
}

// reach is a search to all nodes. Labels that take too long are expanded still,
// lest those of heavier paths take their place, until there are no others.
type reach struct {
	q        *heap.ArrayHeap
	heaviest int64
	longest  graph.Duration
	within   int // labels in the queue that do not take too long
}

func (s *Search) expand(r *reach, v uint32, x seeded) {
	c := s.o.cells
	for i := c.first[2*v]; i < c.first[2*v+1]; i++ {
		a := s.o.arcs[i]
		if a.Weight >= unreached || x.weight+int64(a.Weight) > r.heaviest || s.excludes(a.Head) {
			continue
		}
		y := x.plus(a.Weight, s.o.costs[c.edge[i]])
		label := heap.Label{Parent: uint32(y.duration), Edge: uint32(y.distance)}
		slot, ok := r.q.Find(a.Head)
		if !ok {
			r.q.Insert(a.Head, int32(y.weight), label)
			r.count(y.duration, 1)
			continue
		}
		old := r.q.At(slot)
		switch key := int64(old.Key); {
		case y.weight < key:
			r.count(graph.Duration(old.Data.Parent), -1)
			old.Data = label
			r.q.DecreaseKey(a.Head, int32(y.weight))
			r.count(y.duration, 1)
		case y.weight == key && !old.Removed() && y.duration < graph.Duration(old.Data.Parent):
			r.count(graph.Duration(old.Data.Parent), -1)
			old.Data = label
			r.count(y.duration, 1)
		}
	}
}

func (r *reach) count(duration graph.Duration, n int) {
	if duration <= r.longest {
		r.within += n
	}
}
