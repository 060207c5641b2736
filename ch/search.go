package ch

import (
	"context"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/heap"
	"github.com/fourway-routing/fourway/pool"
)

var _ graph.Searcher = (*Search)(nil)

const (
	// seeded marks, as edge, a label that no arc led to; its parent is then the
	// index of the seed. Other labels have the slot of the parent.
	seeded = math.MaxUint32
	// pollEvery is the number of settled nodes between looks at the context.
	pollEvery = 2048
)

// Search finds shortest paths in a Hierarchy by a search upward from both ends
// with stall-on-demand (Geisberger et al., Contraction Hierarchies, 2008).
//
// A Search belongs to one goroutine at a time; any number of Searches may share
// the Hierarchy.
type Search struct {
	h      *Hierarchy
	memory *pool.Allocator
	heaps  [2]*heap.PairHeap // forward, backward

	// The core in use, if not that of set 0: the index of ranks below core.
	core      uint32
	coreFirst []uint32
	barred    graph.Bits
	loops     [2]*loops // of the core and of all other nodes

	// The sources of From, and whether the forward search from them can be gone
	// on with.
	sources []graph.Seed
	least   graph.Weight // of their weights
	forward bool

	ok      bool
	found   graph.Found
	packed  []uint32     // arcs of the path found, first to last
	edge    graph.EdgeID // the path found, if it is one edge from a node to itself
	stack   []uint32
	settled int
	spent   int // settled by searches before
	kept    kept

	table        tableScratch
	alternatives alternatives
}

// NewSearch returns a Search whose working memory comes from the allocator: 8
// bytes a node, and what its searches need.
func (h *Hierarchy) NewSearch(memory *pool.Allocator) *Search {
	s := &Search{h: h, memory: memory}
	s.heaps[0], s.heaps[1] = heap.NewPairHeaps(memory, h.NumNodes())
	s.packed = pool.Make[uint32](memory, 64)[:0]
	s.stack = pool.Make[uint32](memory, 64)[:0]
	s.SetExclude(0)
	return s
}

// Release gives the working memory back to the allocator. The Search is of no
// use afterwards.
func (s *Search) Release() {
	s.heaps[0].Release()
	s.heaps[1].Release()
	pool.Free(s.memory, s.packed)
	pool.Free(s.memory, s.stack)
	s.kept.release(s.memory)
	s.table.release(s.memory)
	s.alternatives.release(s.memory)
	s.packed, s.stack = nil, nil
}

// SetExclude chooses the set of nodes that searches from now on keep out of:
// 0 for none, i+1 for Options.Exclude[i]. The set is below h.NumSets.
func (s *Search) SetExclude(set int) {
	i := s.h.coreOf[set]
	s.loops = [2]*loops{&s.h.loops[i], &s.h.loops[0]}
	s.coreFirst, s.barred, s.core = s.h.cores[i].first, s.h.cores[i].barred, s.h.core
	if i == 0 {
		s.core = 0
		if s.h.barred != nil {
			s.coreFirst, s.barred, s.core = s.h.first, s.h.barred, uint32(s.h.NumNodes())
		}
	}
	s.Forget()
}

// Use makes searches from now on search another Hierarchy of the same Order, with
// nothing excluded that it does not exclude itself.
func (s *Search) Use(h *Hierarchy) {
	s.h = h
	s.SetExclude(0)
}

// Settled returns the number of nodes that the last search settled.
func (s *Search) Settled() int { return s.settled }

// Spent returns the number of nodes that all searches so far have settled, the one
// that runs included.
func (s *Search) Spent() int { return s.spent + s.settled }

// Shortest implements graph.Searcher.
func (s *Search) Shortest(ctx context.Context, sources, targets []graph.Seed) (f graph.Found, ok bool, err error) {
	s.forward = false
	return s.search(ctx, sources, targets, false)
}

// From implements graph.Searcher.
func (s *Search) From(sources []graph.Seed) { s.sources, s.forward = sources, false }

// To implements graph.Searcher. The search backward from the targets meets the
// labels that the calls before have left.
func (s *Search) To(ctx context.Context, targets []graph.Seed) (f graph.Found, ok bool, err error) {
	return s.search(ctx, s.sources, targets, true)
}

func (s *Search) search(ctx context.Context, sources, targets []graph.Seed, shared bool) (f graph.Found, ok bool, err error) {
	s.ok, s.found = false, graph.Found{Weight: graph.InvalidWeight}
	s.spent += s.settled
	s.packed, s.settled = s.packed[:0], 0
	s.edge = graph.InvalidEdge
	if err := ctx.Err(); err != nil {
		return graph.Found{}, false, err
	}
	returns := s.joinOnNodes(sources, targets)
	const all = graph.InvalidNode
	err = s.join(ctx, selection{sources, all, all}, selection{targets, all, all}, shared)
	if returns {
		err = s.joinReturns(ctx, sources, targets, err)
		s.forward = false
	}
	if err != nil {
		s.ok = false
		return graph.Found{}, false, err
	}
	if !s.ok {
		return graph.Found{}, false, nil
	}
	return s.found, true, nil
}

// joinOnNodes considers the pairs of a source and a target on one node: the
// direct piece, or the loop where the target is before the source. It says
// whether there was a pair of that last kind.
func (s *Search) joinOnNodes(sources, targets []graph.Seed) (returns bool) {
	for j := range targets {
		for i := range sources {
			if sources[i].Node != targets[j].Node {
				continue
			}
			rank := s.h.rank[sources[i].Node]
			if s.excluded(rank) {
				continue
			}
			weight := int64(sources[i].Weight) + int64(targets[j].Weight)
			if sources[i].Precedes(&targets[j]) {
				if weight < int64(s.found.Weight) {
					s.ok, s.found = true, graph.Found{Source: i, Target: j, Weight: graph.Weight(weight)}
					s.packed, s.edge = s.packed[:0], graph.InvalidEdge
				}
				continue
			}
			returns = true
			l := s.loops[1]
			if rank < s.core {
				l = s.loops[0]
			}
			at, ok := slices.BinarySearch(l.rank, rank)
			if !ok {
				continue
			}
			weight += int64(l.weight[at])
			if weight < int64(s.found.Weight) {
				s.ok, s.found = true, graph.Found{Source: i, Target: j, Weight: graph.Weight(weight)}
				s.packed, s.edge = s.packed[:0], graph.InvalidEdge
				if c := l.child[at]; c[1] == original {
					s.edge = graph.EdgeID(c[0])
				} else {
					s.packed = pool.Append(s.memory, pool.Append(s.memory, s.packed, c[0]), c[1])
				}
			}
		}
	}
	return returns
}

// joinReturns repairs what join misses where a target is before a source on one
// node. There the label of the seed, though no path ends with it, hides the
// heavier ones of paths from other sources, or to other targets.
func (s *Search) joinReturns(ctx context.Context, sources, targets []graph.Seed, err error) error {
	const all = graph.InvalidNode
	for i := range sources {
		node := sources[i].Node
		here := func(x graph.Seed) bool { return x.Node == node }
		if slices.IndexFunc(sources, here) < i || !slices.ContainsFunc(targets, here) {
			continue
		}
		if err == nil {
			err = s.join(ctx, selection{sources, all, node}, selection{targets, node, all}, false)
		}
		if err == nil {
			err = s.join(ctx, selection{sources, node, all}, selection{targets, all, node}, false)
		}
	}
	return err
}

// selection are the seeds on the node only, or on all but the node except;
// InvalidNode stands for no such node.
type selection struct {
	seeds        []graph.Seed
	only, except graph.NodeID
}

func (l *selection) has(node graph.NodeID) bool {
	return node != l.except && (l.only == graph.InvalidNode || node == l.only)
}

func (s *Search) excluded(rank uint32) bool { return rank < s.core && s.barred.Get(rank) }

// seed clears a heap and puts the seeds in, their weights less the least, which
// it returns; ok is false if there are none.
func (s *Search) seed(q *heap.PairHeap, l *selection) (least graph.Weight, ok bool) {
	q.Clear()
	for i := range l.seeds {
		if l.has(l.seeds[i].Node) && !s.excluded(s.h.rank[l.seeds[i].Node]) && (!ok || l.seeds[i].Weight < least) {
			least, ok = l.seeds[i].Weight, true
		}
	}
	for i := range l.seeds {
		x := &l.seeds[i]
		rank := s.h.rank[x.Node]
		if !l.has(x.Node) || s.excluded(rank) {
			continue
		}
		if weight := int64(x.Weight) - int64(least); weight < math.MaxInt32 {
			q.Relax(rank, int32(weight), heap.Label{Parent: uint32(i), Edge: seeded})
		}
	}
	return least, ok
}

// join looks for a path lighter than the one found so far. With shared set, the
// forward search goes on where the last such one stopped.
func (s *Search) join(ctx context.Context, sources, targets selection, shared bool) error {
	forward, backward := s.heaps[0], s.heaps[1]
	leastSource, ok := s.least, true
	if !shared || !s.forward {
		if leastSource, ok = s.seed(forward, &sources); !ok {
			return nil
		}
		s.least, s.forward = leastSource, shared
	}
	leastTarget, ok := s.seed(backward, &targets)
	if !ok {
		return nil
	}
	least := int64(leastSource) + int64(leastTarget)
	bound := min(int64(s.found.Weight)-least, math.MaxInt32)
	if bound <= 0 {
		return nil
	}
	weight, node, err := s.climb(ctx, int32(bound), shared)
	if err != nil || node == none {
		return err
	}
	s.ok, s.found.Weight = true, graph.Weight(int64(weight)+least)
	s.pack(node)
	return nil
}

// none is no rank.
const none = math.MaxUint32

// climb runs both searches until no path lighter than the best, or than bound,
// can turn up, and returns the rank where the halves of the best path meet. With
// shared set, the forward search keeps what exceeds the bound, for another target.
func (s *Search) climb(ctx context.Context, bound int32, shared bool) (weight int32, node uint32, err error) {
	first, coreFirst, arcs := s.h.first, s.coreFirst, s.h.arcs
	core, barred := s.core, s.barred
	forward, backward := s.heaps[0], s.heaps[1]
	node = none
	poll := s.settled + pollEvery
	for {
		d, q, other := 0, forward, backward
		if forward.Empty() {
			if backward.Empty() {
				break
			}
			d, q, other = 1, backward, forward
		} else if !backward.Empty() && backward.MinKey() < forward.MinKey() {
			d, q, other = 1, backward, forward
		}
		if q.MinKey() >= bound {
			break
		}
		slot := q.MinSlot()
		v, key := q.DeleteMin()
		s.settled++
		if s.settled == poll {
			poll += pollEvery
			if err := ctx.Err(); err != nil {
				s.forward = false
				return 0, none, err
			}
		}
		if o, ok := other.Find(v); ok {
			if r := other.At(o); uint32(key)+uint32(r.Key) < uint32(bound) && (r.Data.Edge != seeded || q.At(slot).Data.Edge != seeded) {
				bound, node = key+r.Key, v
			}
		}
		f := first
		if v < core {
			f = coreFirst
		}
		f = f[2*v : 2*v+3 : 2*v+3]
		up, down := arcs[f[0]:f[1]], arcs[f[1]:f[2]]
		limit := uint32(bound)
		if d == 1 {
			up, down = down, up
		} else if shared {
			limit = math.MaxInt32
		}
		if stalled(q, down, key) {
			continue
		}
		from := f[d]
		for i := range up {
			a := &up[i]
			if next := uint32(key) + a.Weight; next < limit && (a.Head >= core || !barred.Get(a.Head)) {
				q.Relax(a.Head, int32(next), heap.Label{Parent: uint32(slot), Edge: from + uint32(i)})
			}
		}
	}
	return bound, node, nil
}

// stalled says whether an arc from a higher node that the search has reached
// leads to the node no heavier than key: then a lightest path need not pass the
// node on its way up.
func stalled(q *heap.PairHeap, down []arc, key int32) bool {
	for _, a := range down {
		if slot, ok := q.Find(a.Head); ok && uint32(q.At(slot).Key)+a.Weight <= uint32(key) {
			return true
		}
	}
	return false
}

// pack notes the arcs of the path that meets at the node, and its ends.
func (s *Search) pack(node uint32) {
	s.packed, s.edge = s.packed[:0], graph.InvalidEdge
	slot, _ := s.heaps[0].Find(node)
	label := s.heaps[0].At(slot).Data
	for label.Edge != seeded {
		s.packed = pool.Append(s.memory, s.packed, label.Edge)
		label = s.heaps[0].At(heap.Slot(label.Parent)).Data
	}
	s.found.Source = int(label.Parent)
	slices.Reverse(s.packed)
	slot, _ = s.heaps[1].Find(node)
	label = s.heaps[1].At(slot).Data
	for label.Edge != seeded {
		s.packed = pool.Append(s.memory, s.packed, label.Edge)
		label = s.heaps[1].At(heap.Slot(label.Parent)).Data
	}
	s.found.Target = int(label.Parent)
}
