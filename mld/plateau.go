package mld

import (
	"context"
	"slices"

	"github.com/fourway-routing/fourway/heap"
	"github.com/fourway-routing/fourway/pool"
)

// resolution is the part of the length wished for to which the end of a plateau is
// found: within small cells no closer.
const resolution = 8

// beyond is the part of the length wished for by which the searches go on farther: what
// ends there may be the end of a long edge.
const beyond = 3

// plateau is the piece of a path around a node that both searches have settled between
// the first node from which the path is a shortest one to the targets and the last one
// to which it is so from the sources.
type plateau struct {
	// least is the length below which the path is of no use, enough that above which
	// it does not matter how long the plateau is.
	least, enough uint32
	// sure is the weight to its end and to its beginning, hidden what may come on top.
	sure, hidden [2]uint32
}

func (w *plateau) length() uint32 { return w.sure[0] + w.sure[1] }

func (w *plateau) tooShort() bool { return w.length()+w.hidden[0]+w.hidden[1] < w.least }

// measure finds how long a plateau is. Where cliques hide its end, the labels of their
// cell's borders, and the weights from there to the borders of the cells inside, tell
// on; small cells stay hidden.
func (s *Search) measure(ctx context.Context, w *plateau, via, bound uint32) (err error) {
	s.alternatives.finest = unreached
	for d := range w.sure {
		if w.length() >= w.enough {
			break
		}
		if w.sure[d], err = s.extent(ctx, d, via, w.enough-w.sure[0], bound); err != nil {
			return err
		}
		w.hidden[d] = s.alternatives.hidden
	}
	return nil
}

// measureClosely searches the small cells too in which a plateau ends, if need be.
func (s *Search) measureClosely(ctx context.Context, w *plateau, via, bound uint32) (err error) {
	s.alternatives.finest = w.enough / resolution
	for d := range w.sure {
		if w.length() >= w.enough || w.tooShort() {
			break
		}
		if w.hidden[d] < s.alternatives.finest {
			continue
		}
		if w.sure[d], err = s.extent(ctx, d, via, w.enough-w.sure[1-d], bound); err != nil {
			return err
		}
		w.hidden[d] = 0
	}
	return nil
}

// extent finds how far the plateau goes on from a node, to the targets by the labels of
// direction 0 and back to the sources by those of direction 1.
func (s *Search) extent(ctx context.Context, d int, via, enough, bound uint32) (uint32, error) {
	a, c := &s.alternatives, s.o.cells
	tree, test := s.heaps[1-d], s.heaps[d]
	a.labels, a.hidden = a.labels[:0], 0
	slot, _ := test.Find(via)
	base := uint32(test.At(slot).Key)
	slot, _ = tree.Find(via)
	r := tree.At(slot)
	start := uint32(r.Key)
	far := base + enough + enough/beyond
	done, proven := uint32(0), uint32(0) // to r, and to the last node that is no end of a cell alone
	for done < enough && r.Data.Parent&seedParent == 0 {
		if r.Data.Parent&climbParent != 0 {
			if err := s.settleTo(ctx, d, min(base+start, far), bound); err != nil {
				return 0, err
			}
			return s.extentOfClimb(d, r, span{base + done, enough - done}, done, proven), nil
		}
		up := tree.At(heap.Slot(r.Data.Parent))
		l := r.Data.Edge >> levelShift
		next := start - uint32(up.Key)
		need := base + next
		if l != 0 {
			need = min(need, far)
		}
		if err := s.settleTo(ctx, d, need, bound); err != nil {
			return 0, err
		}
		if slot, ok := test.Find(up.Node); ok && test.At(slot).Removed() && uint32(test.At(slot).Key) == base+next {
			if l != 0 {
				proven = next
			} else {
				proven = done
			}
			r, done = up, next
			continue
		}
		if l == 0 {
			break
		}
		h := hop{from: r.Node, to: up.Node, level: l, weight: uint32(r.Key - up.Key)}
		if d == 1 {
			h.from, h.to = h.to, h.from
		}
		cell := c.levels[l-1].cell[r.Node]
		more, ok := s.extentOfHop(d, h, cell, s.labelsOf(d, l, cell), span{base + done, enough - done})
		if !ok {
			return proven, nil
		}
		return done + more, nil
	}
	if d == 1 && done < enough && r.Data.Parent&seedParent != 0 {
		first, err := s.extentOfDeparture(ctx, r, base+done, bound)
		return done + first, err
	}
	return done, nil
}

// extentOfDeparture returns the weight of the edge that leaves the source of a path before
// its first node, which is on the plateau and has the label: nothing, if another edge
// leads from that source to a target with less weight.
func (s *Search) extentOfDeparture(ctx context.Context, r *heap.LabelRecord, label, bound uint32) (uint32, error) {
	c, test := s.o.cells, s.heaps[1]
	id := c.id[s.alternatives.sources[r.Data.Parent&^seedParent].Node]
	arcs := s.o.arcs[c.first[2*id]:c.first[2*id+1]]
	weight := arcs[r.Data.Edge].Weight
	if err := s.settleTo(ctx, 1, label+weight, bound); err != nil {
		return 0, err
	}
	for i := range arcs {
		x := &arcs[i]
		if slot, ok := test.Find(x.Head); ok && test.At(slot).Removed() && !s.excludes(x.Head) && uint32(test.At(slot).Key)+x.Weight < label+weight {
			return 0, nil
		}
	}
	return weight, nil
}

// span is a piece of a path that a plateau may cover: the label of the node where it
// begins, if that is on the plateau, and the length asked for.
type span struct{ label, enough uint32 }

// after returns the rest of a span.
func (x span) after(weight uint32) span { return span{x.label + weight, x.enough - weight} }

// settleTo goes on with the search in direction d up to a weight.
func (s *Search) settleTo(ctx context.Context, d int, weight, bound uint32) error {
	q := s.heaps[d]
	for !q.Empty() && uint32(q.MinKey()) <= weight {
		s.settled++
		if s.settled%pollEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		s.expandFreely(d, bound)
	}
	s.alternatives.settledTo = unreached
	if !q.Empty() {
		s.alternatives.settledTo = uint32(q.MinKey())
	}
	return nil
}

// labelsOf puts the labels of the ends of a cell at which paths in direction d enter it
// on the stack, and returns their place.
func (s *Search) labelsOf(d int, l, cell uint32) []uint32 {
	a, q := &s.alternatives, s.heaps[d]
	first := len(a.labels)
	for _, id := range s.o.cells.levels[l-1].ends(1-d, cell) {
		x := unreached
		if slot, ok := q.Find(id); ok && q.At(slot).Removed() {
			x = uint32(q.At(slot).Key)
		}
		a.labels = pool.Append(s.memory, a.labels, x)
	}
	return a.labels[first:]
}

// labelAt returns the label of end i of a cell within the cell around it, level l, whose
// labels are given.
func (s *Search) labelAt(d int, l, inner uint32, i int, labels []uint32) uint32 {
	x, at := s.q.climbs(1-d, int(l)-1, inner)
	least := unreached
	for j, w := range x.climb[1-d][int(at)+i*len(labels):][:len(labels)] {
		least = min(least, labels[j]+w)
	}
	return least
}

// labelsWithin is labelAt of all ends, like labelsOf.
func (s *Search) labelsWithin(d int, l, inner uint32, labels []uint32) []uint32 {
	a := &s.alternatives
	first := len(a.labels)
	for i := range s.o.cells.levels[l-2].ends(1-d, inner) {
		a.labels = pool.Append(s.memory, a.labels, s.labelAt(d, l, inner, i, labels))
	}
	return a.labels[first:]
}

// extentOfHop finds how far the plateau covers a hop of a path in a cell, given the
// labels of its ends. If the node where the hop begins is not on the plateau it
// returns false.
func (s *Search) extentOfHop(d int, h hop, cell uint32, labels []uint32, x span) (length uint32, ok bool) {
	stack, top := len(s.descent.hops), len(s.alternatives.labels)
	if h.level > climbFrom {
		length, ok = s.extentByClimbs(d, h, labels, x)
	} else {
		length, ok = s.extentBySearch(d, h, cell, labels, x)
	}
	s.descent.hops, s.alternatives.labels = s.descent.hops[:stack], s.alternatives.labels[:top]
	return length, ok
}

// inDirection returns the i-th of the hops in the direction of a plateau's search.
func inDirection(d int, hops []hop, i int) (h *hop, far uint32) {
	if d == 0 {
		return &hops[i], hops[i].to
	}
	h = &hops[len(hops)-1-i]
	return h, h.from
}

// joined returns the hop that two in one cell are, the first of which may be none: a walk
// through a cell stops at what borders there are on the way.
func joined(d int, x, y hop) hop {
	switch {
	case x.level == 0:
		return y
	case d == 0:
		return hop{from: x.from, to: y.to, level: y.level, weight: x.weight + y.weight}
	}
	return hop{from: y.from, to: x.to, level: y.level, weight: x.weight + y.weight}
}

// extentByClimbs follows the hops over the cells inside a large one.
func (s *Search) extentByClimbs(d int, h hop, labels []uint32, x span) (length uint32, ok bool) {
	a, inner := &s.alternatives, &s.o.cells.levels[h.level-2]
	near := h.from
	if d == 1 {
		near = h.to
	}
	label := func(id uint32) uint32 {
		sub := inner.cell[id]
		i, _ := slices.BinarySearch(inner.ends(1-d, sub), id)
		return s.labelAt(d, h.level, sub, i, labels)
	}
	if label(near) < x.label {
		return 0, false
	}
	first := len(s.descent.hops)
	s.refine(h)
	hops := s.descent.hops[first:]
	across, over := hop{}, uint32(0) // the last hop over a cell, and its weight so far
	proven, passed := uint32(0), false
	for i := range hops {
		y, far := inDirection(d, hops, i)
		if y.level != 0 {
			across = joined(d, across, *y)
			over = across.weight
			continue
		}
		next := length + over + y.weight
		if x.label+next > a.settledTo || label(far) < x.label+next {
			break
		}
		proven, passed = next-y.weight, true
		length, over, across = next, 0, hop{}
		if length >= x.enough {
			return length, true
		}
	}
	if over == 0 {
		return length, true
	}
	near = across.from
	if d == 1 {
		near = across.to
	}
	sub := inner.cell[near]
	more, ok := s.extentOfHop(d, across, sub, s.labelsWithin(d, h.level, sub, labels), x.after(length))
	if !ok {
		return proven, passed
	}
	return length + more, true
}

// extentBySearch follows the hops in a small cell, by a search from its ends.
func (s *Search) extentBySearch(d int, h hop, cell uint32, labels []uint32, x span) (length uint32, ok bool) {
	a, c, q := &s.alternatives, s.o.cells, s.descent.queue
	if h.weight < a.finest {
		a.hidden = h.weight
		return 0, true
	}
	first := len(s.descent.hops)
	s.refine(h)
	hops := s.descent.hops[first:]
	s.spread(d, h.level, cell, labels, min(x.label+h.weight, a.settledTo))
	members := c.levels[h.level-1].roster(cell)
	near := h.from
	if d == 1 {
		near = h.to
	}
	if labelIn(q, members.number(near)) < x.label {
		return 0, false
	}
	proven, passed := uint32(0), false
	for i := range hops {
		y, far := inDirection(d, hops, i)
		next := length + y.weight
		if x.label+next <= a.settledTo && labelIn(q, members.number(far)) >= x.label+next {
			if y.level != 0 {
				proven = next
			} else {
				proven = length
			}
			length, passed = next, true
			if length >= x.enough {
				return length, true
			}
			continue
		}
		if y.level == 0 {
			return length, true
		}
		leaf := c.leafOf(far)
		more, ok := s.extentOfHop(d, *y, leaf, s.labelsInQueue(d, leaf, &members), x.after(length))
		if !ok {
			return proven, passed
		}
		return length + more, true
	}
	return length, true
}

// labelsInQueue is labelsOf a cell of level 1, by the search in the cell around it.
func (s *Search) labelsInQueue(d int, leaf uint32, members *roster) []uint32 {
	a := &s.alternatives
	first := len(a.labels)
	for _, id := range s.o.cells.levels[0].ends(1-d, leaf) {
		a.labels = pool.Append(s.memory, a.labels, labelIn(s.descent.queue, members.number(id)))
	}
	return a.labels[first:]
}

func labelIn(q *heap.ArrayHeap, number uint32) uint32 {
	if slot, ok := q.Find(number); ok {
		return uint32(q.At(slot).Key)
	}
	return unreached
}

// spread searches a cell from its ends, given their labels, up to a weight.
func (s *Search) spread(d int, l, cell uint32, labels []uint32, most uint32) {
	c, arcs, cliques, q := s.o.cells, s.o.arcs, s.q, s.descent.queue
	v := &c.levels[l-1]
	var below *level
	var ends []uint32
	if l > 1 {
		below = &c.levels[l-2]
		if ends = below.exits; d == 1 {
			ends = below.entries
		}
	}
	members := v.roster(cell)
	q.Clear()
	for i, id := range v.ends(1-d, cell) {
		if labels[i] <= most {
			q.Insert(members.number(id), int32(labels[i]), heap.Label{})
		}
	}
	for !q.Empty() {
		slot := q.MinSlot()
		number, k := q.DeleteMin()
		key, id := uint32(k), members.id(number)
		from, to := c.first[2*id+uint32(d)], c.first[2*id+uint32(d)+1]
		first := from
		if id < v.border {
			from += uint32(v.rows[d][id].Across)
		}
		if below != nil {
			r := &below.rows[d][id]
			to = first + uint32(r.Across)
			if r.N != 0 && q.At(slot).Data.Edge == 0 {
				heads := ends[r.Heads:][:r.N]
				home, shift := cliques.home(l-1, id)
				for i, w := range home.weight[d][r.Clique+shift:][:len(heads)] {
					if next := key + w; next <= most {
						q.Relax(members.number(heads[i]), int32(next), heap.Label{Edge: overClique})
					}
				}
			}
		}
		for i := from; i < to; i++ {
			x := &arcs[i]
			if next := key + x.Weight; next <= most && !s.excludes(x.Head) {
				q.Relax(members.number(x.Head), int32(next), heap.Label{})
			}
		}
	}
}

// extentOfClimb finds how far the plateau goes on from the end of a climb, so much of it
// being done.
func (s *Search) extentOfClimb(d int, r *heap.LabelRecord, x span, done, proven uint32) uint32 {
	a, c, k := &s.alternatives, s.o.cells, &s.climbs[1-d]
	at, id, l := r.Data.Parent&^climbParent, r.Node, uint32(k.top)
	labels := s.labelsOf(d, l, k.cells[l-climbFrom])
	length := uint32(0)
	for ; l > climbFrom; l-- {
		from := k.at(int(l))[at].from
		below := k.exits(c, 1-d, int(l)-1)[from]
		weight := k.at(int(l))[at].weight - k.at(int(l) - 1)[from].weight
		inner := k.cells[l-1-climbFrom]
		if next := x.label + length + weight; next > a.settledTo || s.labelAt(d, l, inner, int(from), labels) < next {
			if below == id {
				return proven
			}
			h := hop{from: below, to: id, level: l, weight: weight}
			if d == 0 {
				h.from, h.to = id, below
			}
			more, ok := s.extentOfHop(d, h, k.cells[l-climbFrom], labels, x.after(length))
			if !ok {
				return proven
			}
			return done + length + more
		}
		if length += weight; length >= x.enough {
			return done + length
		}
		labels = s.labelsWithin(d, l, inner, labels)
		at, id = from, below
	}
	return done + length + s.extentOfStart(d, id, labels, x.after(length))
}

// extentOfStart finds how far the plateau goes on from the end of the search in a small
// cell that a climb begins with.
func (s *Search) extentOfStart(d int, id uint32, labels []uint32, x span) uint32 {
	a, c, k, q := &s.alternatives, s.o.cells, &s.climbs[1-d], s.descent.queue
	slot, _ := k.queue.Find(id)
	r := k.queue.At(slot)
	start := uint32(r.Key)
	if start < a.finest {
		a.hidden = start
		return 0
	}
	most := min(x.label+start, a.settledTo)
	s.spread(d, climbFrom, k.cells[0], labels, most)
	members, leaf := c.levels[climbFrom-1].roster(k.cells[0]), ^uint32(0)
	length := uint32(0)
	for length < x.enough && r.Data.Parent&seedParent == 0 {
		up := k.queue.At(heap.Slot(r.Data.Parent))
		next := start - uint32(up.Key)
		switch inside := r.Data.Edge>>levelShift == 0 && c.leafOf(up.Node) == c.leafOf(r.Node); {
		case inside && leaf == ^uint32(0):
			leaf = c.leafOf(r.Node)
			s.spread(d, 1, leaf, s.labelsInQueue(d, leaf, &members), most)
			members = c.levels[0].roster(leaf)
		case inside == (leaf == ^uint32(0)):
			return length // out of the cell of a seed into that of another
		}
		if x.label+next > a.settledTo || labelIn(q, members.number(up.Node)) < x.label+next {
			return length
		}
		r, length = up, next
	}
	return length
}
