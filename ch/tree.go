package ch

import (
	"context"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// Limit bounds a Tree. A field that is 0 does not.
type Limit struct {
	// Weight and Duration are the largest of a path.
	Weight   graph.Weight
	Duration graph.Duration
}

// Tree finds the lightest paths from some sources to all nodes of a Hierarchy: by
// a search up from the sources, and then one look at each node from the top down,
// in the order of memory (Delling, Goldberg, Nowatzyk and Werneck, PHAST:
// Hardware-Accelerated Shortest Path Trees, 2011). Its time hardly depends on the
// limit: for a small part of a large graph, a search by mld.Search.Reach is less
// work.
//
// A Tree belongs to one goroutine at a time; any number may share the Hierarchy.
type Tree struct {
	search  *Search
	memory  *pool.Allocator
	sources []graph.Seed // not its own
	limit   Limit
	// Labels by rank, less the shift of the search; unswept is the weight of none.
	weight []uint32
	cost   []cost
}

// NewTree returns a Tree whose working memory comes from the allocator: 20 bytes a
// node, and what its search needs.
func (h *Hierarchy) NewTree(memory *pool.Allocator) *Tree {
	t := &Tree{search: h.NewSearch(memory), memory: memory}
	t.weight = pool.Make[uint32](memory, h.NumNodes())
	t.cost = pool.Make[cost](memory, h.NumNodes())
	t.forget()
	return t
}

// Release gives the working memory back to the allocator. The Tree is of no use
// afterwards.
func (t *Tree) Release() {
	t.search.Release()
	pool.Free(t.memory, t.weight)
	pool.Free(t.memory, t.cost)
	t.weight, t.cost = nil, nil
}

// SetExclude chooses the set of nodes that the Tree keeps out of, as
// Search.SetExclude does. What it has grown is forgotten.
func (t *Tree) SetExclude(set int) {
	t.search.SetExclude(set)
	t.forget()
}

// forget removes all labels.
func (t *Tree) forget() {
	t.sources = nil
	for i := range t.weight {
		t.weight[i] = unswept
	}
}

// Grow finds the path of least weight, and of least duration among those that the
// hierarchy has, from the best of the sources to each node. The sources must not
// change before the next call. A done context ends it with an error that errors.Is
// the context's; the Tree is then empty.
//
// The limit is for the sum that At and To return. A node whose lightest path takes
// too long counts as beyond it, even if a heavier path does not.
func (t *Tree) Grow(ctx context.Context, sources []graph.Seed, limit Limit) error {
	t.forget()
	if err := t.grow(ctx, sources, limit); err != nil {
		t.forget()
		return err
	}
	return nil
}

func (t *Tree) grow(ctx context.Context, sources []graph.Seed, limit Limit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s := t.search
	s.settled = 0
	if err := s.spreadUp(ctx, 0, sources); err != nil {
		return err
	}
	t.sources, t.limit = sources, limit
	x := &s.table.spread
	records := s.heaps[0].Records()
	if len(records) == 0 {
		return nil
	}
	for slot := range records {
		if k := x.cost[slot]; k.duration != stalledCost {
			t.weight[records[slot].Node], t.cost[records[slot].Node] = uint32(records[slot].Key), k
		}
	}
	// A lighter label than the bound leads to none heavier than it.
	bound := uint32(unswept)
	if limit.Weight != 0 {
		bound = uint32(max(0, min(int64(limit.Weight)-int64(x.least.weight)+1, unswept)))
	}
	if err := t.sweep(ctx, bound); err != nil {
		return err
	}
	t.returns(bound)
	return nil
}

// sweep labels all nodes with what is lighter than the bound.
func (t *Tree) sweep(ctx context.Context, bound uint32) error {
	s, weight := t.search, t.weight
	arcs := s.h.arcs
	for v := range uint32(len(weight)) {
		if err := pollAt(ctx, int(v)); err != nil {
			return err
		}
		if s.excluded(v) {
			continue
		}
		from, to := s.against(0, v)
		best, by := weight[v], uint32(none)
		if best >= bound {
			best = bound
		}
		down := arcs[from:to]
		for k := range down {
			a := &down[k]
			if next := weight[a.Head] + a.Weight; next < best {
				best, by = next, from+uint32(k)
			} else if next == best && next < bound && t.sooner(v, from+uint32(k), by) {
				by = from + uint32(k)
			}
		}
		if by != none {
			weight[v], t.cost[v] = best, t.over(by)
		} else if weight[v] >= bound {
			weight[v] = unswept
		}
	}
	s.settled += len(weight)
	return nil
}

// over returns the cost of the lower end of an arc by way of it.
func (t *Tree) over(a uint32) cost {
	h := t.search.h
	return t.cost[h.arcs[a].Head].plus(cost{h.duration[a], h.distance[a]})
}

// sooner says whether an arc leads to a node sooner than the arc by, or if that is
// none, than the node's label.
func (t *Tree) sooner(v, a, by uint32) bool {
	old := t.cost[v]
	if by != none {
		old = t.over(by)
	}
	return t.over(a).duration < old.duration
}

// returns makes the labels of the nodes of the sources those of paths of at least
// one arc.
func (t *Tree) returns(bound uint32) {
	s := t.search
	x := &s.table.spread
	records := s.heaps[0].Records()
	for slot := range x.again {
		y, r := &x.again[slot], &records[slot]
		if r.Data.Edge != seeded && x.cost[slot].duration != stalledCost {
			*y = again{uint32(r.Key), x.cost[slot]}
		}
		if y.weight >= bound {
			y.weight = unswept
		}
		from, to := s.against(0, r.Node)
		for a := from; a < to; a++ {
			next := t.weight[s.h.arcs[a].Head] + s.h.arcs[a].Weight
			y.offer(next, bound, t, a)
		}
		if w, k, ok := s.loopOf(r.Node); ok {
			for i := range t.sources {
				source := &t.sources[i]
				next := int64(source.Weight) - int64(x.least.weight) + int64(w)
				if s.h.rank[source.Node] != r.Node || next >= int64(bound) {
					continue
				}
				if c := x.least.cost(source).plus(k); uint32(next) < y.weight || uint32(next) == y.weight && c.duration < y.duration {
					*y = again{uint32(next), c}
				}
			}
		}
	}
	for slot := range x.again {
		v := records[slot].Node
		t.weight[v], t.cost[v] = x.again[slot].weight, x.again[slot].cost
	}
}

func (y *again) offer(next, bound uint32, t *Tree, a uint32) {
	if next >= bound || next > y.weight {
		return
	}
	if c := t.over(a); next < y.weight || c.duration < y.duration {
		*y = again{next, c}
	}
}

// At returns the path of at least one edge to the beginning of the segment of a
// node; its Weight is graph.InvalidWeight where there is none within the limit.
func (t *Tree) At(node graph.NodeID) graph.Cell {
	rank := t.search.h.rank[node]
	if t.weight[rank] == unswept {
		return noPath
	}
	return t.within(join(t.weight[rank], t.cost[rank], &t.search.table.least, &shift{}))
}

// To returns the path to the best of the targets, by the rules of
// graph.Searcher.Shortest.
func (t *Tree) To(targets []graph.Seed) graph.Cell {
	s := t.search
	best := noPath
	for i := range targets {
		x := &targets[i]
		rank := s.h.rank[x.Node]
		if s.excluded(rank) {
			continue
		}
		own := shift{x.Weight, x.Duration, x.Distance}
		if t.weight[rank] != unswept {
			best = lighter(best, join(t.weight[rank], t.cost[rank], &s.table.least, &own))
		}
		for j := range t.sources {
			y := &t.sources[j]
			if y.Node == x.Node && int64(x.Weight)+int64(y.Weight) >= 0 {
				best = lighter(best, join(0, cost{}, &shift{y.Weight, y.Duration, y.Distance}, &own))
			}
		}
	}
	return t.within(best)
}

// within returns the entry unless it is beyond the limit.
func (t *Tree) within(c graph.Cell) graph.Cell {
	if t.limit.Weight != 0 && c.Weight > t.limit.Weight || t.limit.Duration != 0 && c.Duration > t.limit.Duration {
		return noPath
	}
	return c
}

// lighter returns the entry of less weight, or of less duration if those are equal.
func lighter(a, b graph.Cell) graph.Cell {
	if b.Weight < a.Weight || b.Weight == a.Weight && b.Duration < a.Duration {
		return b
	}
	return a
}

// Settled returns the number of nodes that Grow last looked at.
func (t *Tree) Settled() int { return t.search.settled }
