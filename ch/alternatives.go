package ch

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/heap"
	"github.com/fourway-routing/fourway/internal/markset"
	"github.com/fourway-routing/fourway/pool"
)

var _ graph.AlternativeSearcher = (*Search)(nil)

// Alternatives implements graph.AlternativeSearcher.
//
// Candidates are the nodes that the searches from both ends reach if they go on
// as far as an alternative may be long (Abraham, Delling, Goldberg and Werneck,
// Alternative Routes in Road Networks, 2013, in the relaxed variant: what is above
// a node makes its labels exact). A path is locally optimal if it has a long plateau.
func (s *Search) Alternatives(ctx context.Context, sources, targets []graph.Seed, n int, rules graph.AlternativeRules) (count int, err error) {
	a := &s.alternatives
	a.clear()
	f, ok, err := s.Shortest(ctx, sources, targets)
	if !ok || err != nil {
		return 0, err
	}
	a.count = 1
	if n <= 0 || len(s.packed) == 0 {
		return 1, nil
	}
	if err := s.findAlternatives(ctx, sources, targets, f, n, rules); err != nil {
		s.ok, a.count = false, 0
		return 0, err
	}
	return a.count, nil
}

// AlternativePath implements graph.AlternativeSearcher.
func (s *Search) AlternativePath(i int, dst []graph.EdgeID) (graph.Found, []graph.EdgeID) {
	a := &s.alternatives
	if i == 0 {
		return s.found, s.Path(dst)
	}
	r := &a.routes[i-1]
	return r.found(), s.unpack(dst, a.arcs[r.first:r.end])
}

// alternatives is what the search for alternatives works with.
type alternatives struct {
	count int // of paths, the shortest included
	// routes are the alternatives, arcs theirs.
	routes []route
	arcs   []uint32
	// labels by direction and number, nodes being numbered from the top as those
	// with buckets are.
	labels     [2][]viaLabel
	candidates []candidate
	seen       markset.Set // on arcs: 1 of the shortest path, 2 of an alternative
	nodes      []uint32    // of a path
}

func (a *alternatives) release(memory *pool.Allocator) {
	pool.Free(memory, a.routes)
	pool.Free(memory, a.arcs)
	pool.Free(memory, a.labels[0])
	pool.Free(memory, a.labels[1])
	pool.Free(memory, a.candidates)
	a.seen.Release(memory)
	pool.Free(memory, a.nodes)
	*a = alternatives{}
}

func (a *alternatives) clear() {
	a.count = 0
	a.routes, a.arcs, a.candidates = a.routes[:0], a.arcs[:0], a.candidates[:0]
}

// route is an alternative.
type route struct {
	first, end     uint32 // of its arcs
	source, target uint32
	weight         graph.Weight
	shared         float64
}

func (r *route) found() graph.Found {
	return graph.Found{Source: int(r.source), Target: int(r.target), Weight: r.weight}
}

// viaLabel is how a node was reached from one end.
type viaLabel struct {
	weight uint32 // unswept if it was not
	parent uint32 // number of the node before, or index of a seed
	arc    uint32 // or seeded
	exact  bool   // whether ways by higher nodes have been considered
}

// candidate is the first node of a plateau, and the weight of the path over it.
type candidate struct{ weight, node uint32 }

// findAlternatives looks for up to n alternatives to the path last found.
func (s *Search) findAlternatives(ctx context.Context, sources, targets []graph.Seed, f graph.Found, n int, rules graph.AlternativeRules) error {
	a := &s.alternatives
	shortest := int64(sources[f.Source].Duration) + int64(targets[f.Target].Duration) + s.durationOf(s.packed)
	stretch := 1 + graph.AlternativeStretch(graph.Duration(max(0, min(shortest, math.MaxInt32))))
	longest := int64(stretch * float64(shortest))
	least, bound, err := s.relaxedSpaces(ctx, sources, targets, stretch*float64(f.Weight))
	if err != nil {
		return err
	}
	s.numberSpaces()
	lightest := uint32(int64(f.Weight) - least)
	s.chooseCandidates(bound, lightest)
	a.seen.Clear(s.memory)
	s.note(s.packed, 1)
	tests := n * rules.Candidates
	for i := 0; i < len(a.candidates) && tests > 0; i++ {
		if err := pollCandidate(ctx, i); err != nil {
			return err
		}
		plateau, ok := s.promising(a.candidates[i], lightest, rules)
		if !ok {
			continue
		}
		first := len(a.arcs)
		r, middle := s.packVia(a.candidates[i].node)
		arcs := a.arcs[first:]
		detour := s.detourOf(arcs)
		if float64(plateau) < rules.Optimal*float64(detour) {
			a.arcs = a.arcs[:first]
			continue
		}
		p := s.inspect(arcs, rules.Shared)
		duration := p.duration + int64(sources[r.source].Duration) + int64(targets[r.target].Duration)
		good := p.shared <= rules.Shared && duration <= longest
		if good {
			tests--
			good = s.hasPlateau(arcs, middle, a.candidates[i].weight, rules.Optimal*float64(detour))
		}
		if !good || !s.simple(arcs) {
			a.arcs = a.arcs[:first]
			continue
		}
		r.first, r.end, r.shared = uint32(first), uint32(len(a.arcs)), p.shared
		r.weight = graph.Weight(int64(p.weight) + int64(sources[r.source].Weight) + int64(targets[r.target].Weight))
		a.routes = pool.Append(s.memory, a.routes, r)
		s.note(arcs, 2)
	}
	slices.SortStableFunc(a.routes, func(x, y route) int { return cmp.Compare(x.shared, y.shared) })
	a.routes = a.routes[:min(n, len(a.routes))]
	a.count = 1 + len(a.routes)
	return nil
}

// pollCandidate looks at the context now and then, given the number of a
// candidate.
func pollCandidate(ctx context.Context, i int) error {
	if i%16 != 0 {
		return nil
	}
	return ctx.Err()
}

func (s *Search) durationOf(arcs []uint32) int64 {
	sum := int64(0)
	for _, x := range arcs {
		sum += int64(s.h.duration[x])
	}
	return sum
}

// relaxedSpaces searches up from both ends as far as paths of a weight may lead,
// and returns that weight less the least of the seeds.
func (s *Search) relaxedSpaces(ctx context.Context, sources, targets []graph.Seed, most float64) (least int64, bound uint32, err error) {
	const all = graph.InvalidNode
	x, _ := s.seed(s.heaps[0], &selection{sources, all, all})
	y, _ := s.seed(s.heaps[1], &selection{targets, all, all})
	least = int64(x) + int64(y)
	bound = uint32(max(0, min(most-float64(least), unswept-1)))
	for d := range s.heaps {
		if err := s.climbFreely(ctx, d, bound); err != nil {
			return 0, 0, err
		}
	}
	return least, bound, nil
}

// climbFreely searches up as far as the bound, without stalling: a node that is
// no help to a shortest path may be one to an alternative.
func (s *Search) climbFreely(ctx context.Context, d int, bound uint32) error {
	q, first, arcs := s.heaps[d], s.h.first, s.h.arcs
	poll := s.settled + pollEvery
	for !q.Empty() {
		slot := q.MinSlot()
		v, key := q.DeleteMin()
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
		from := f[2*v+uint32(d)]
		up := arcs[from:f[2*v+uint32(d)+1]]
		for i := range up {
			a := &up[i]
			if next := uint32(key) + a.Weight; next <= bound && !s.excluded(a.Head) {
				q.Relax(a.Head, int32(next), heap.Label{Parent: uint32(slot), Edge: from + uint32(i)})
			}
		}
	}
	return nil
}

// numberSpaces numbers the nodes of both search spaces, and takes their labels.
func (s *Search) numberSpaces() {
	t, a := &s.table, &s.alternatives
	t.init(s)
	t.nodes = t.nodes[:0]
	a.labels[0], a.labels[1] = a.labels[0][:0], a.labels[1][:0]
	for d := range s.heaps {
		records := s.heaps[d].Records()
		for i := range records {
			s.numberOf(records[i].Node)
		}
	}
	for d := range s.heaps {
		records := s.heaps[d].Records()
		for i := range records {
			r := &records[i]
			l := viaLabel{weight: uint32(r.Key), parent: r.Data.Parent, arc: r.Data.Edge}
			if l.arc != seeded {
				l.parent = t.index[records[l.parent].Node]
			}
			a.labels[d][t.index[r.Node]] = l
		}
	}
}

// numberOf returns the number of a node, a new one if it has none.
func (s *Search) numberOf(rank uint32) uint32 {
	t, a := &s.table, &s.alternatives
	if i, ok := t.number(rank); ok {
		return i
	}
	i := uint32(len(t.nodes))
	t.index[rank] = i
	t.nodes = pool.Append(s.memory, t.nodes, rank)
	for d := range a.labels {
		a.labels[d] = pool.Append(s.memory, a.labels[d], viaLabel{weight: unswept})
	}
	return i
}

// pull makes the label of a node in direction d exact, and those of all nodes above
// it (Strasser and Zeitz, A Fast and Tight Heuristic for A* in Road Networks, 2021,
// do so lazily too). It returns its weight.
func (s *Search) pull(d int, rank uint32) uint32 {
	a := &s.alternatives
	i := s.numberOf(rank)
	if l := &a.labels[d][i]; l.exact {
		return l.weight
	}
	a.labels[d][i].exact = true // ends the recursion in a damaged file too
	best := a.labels[d][i]
	from, to := s.against(d, rank)
	for k := from; k < to; k++ {
		x := s.h.arcs[k]
		if x.Weight >= best.weight || s.excluded(x.Head) {
			continue
		}
		if next := s.pull(d, x.Head) + x.Weight; next < best.weight {
			best.weight, best.parent, best.arc = next, s.table.index[x.Head], k
		}
	}
	a.labels[d][i] = best
	return best.weight
}

// chooseCandidates collects the nodes of the search spaces that paths within the
// bound lead over, by weight; of those on one plateau the first.
func (s *Search) chooseCandidates(bound, shortest uint32) {
	t, a := &s.table, &s.alternatives
	n := len(t.nodes)
	for i := range n {
		s.pull(0, t.nodes[i])
		s.pull(1, t.nodes[i])
	}
	forward, backward := a.labels[0], a.labels[1]
	for i := range n {
		f, b := &forward[i], &backward[i]
		weight := f.weight + b.weight
		if weight > bound || f.arc == seeded && b.arc == seeded {
			continue
		}
		if f.arc != seeded && weight > shortest && forward[f.parent].weight+backward[f.parent].weight == weight {
			continue
		}
		a.candidates = pool.Append(s.memory, a.candidates, candidate{weight, uint32(i)})
	}
	slices.SortFunc(a.candidates, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(x.weight, y.weight), cmp.Compare(x.node, y.node))
	})
}

// promising says whether a candidate may keep the rules, by the nodes of the packed
// path alone: those around it that are not on its plateau any more, and the outermost
// ones that are not on a shortest path. Up to the first of these, and from the last
// on, the path counts as shared. It returns the most that the plateau may weigh.
func (s *Search) promising(x candidate, shortest uint32, rules graph.AlternativeRules) (plateau uint32, ok bool) {
	a, duration := &s.alternatives, s.h.duration
	forward, backward := a.labels[0], a.labels[1]
	via := forward[x.node].weight
	if arc := forward[x.node].arc; x.weight == shortest && arc != seeded && a.seen.Get(arc)&1 != 0 {
		return 0, false
	}
	start, end, from, to := uint32(0), x.weight, via, via
	shared, total := int64(0), int64(0)
	for at, on, off := x.node, true, true; forward[at].arc != seeded; {
		took := int64(duration[forward[at].arc])
		at = forward[at].parent
		sum := forward[at].weight + backward[at].weight
		total += took
		if !off {
			shared += took
		}
		if on && sum != x.weight {
			start, on = forward[at].weight, false
		}
		if off = off && sum != shortest; off {
			from = forward[at].weight
		}
	}
	for at, on, off := x.node, true, true; backward[at].arc != seeded; {
		took := int64(duration[backward[at].arc])
		at = backward[at].parent
		sum := forward[at].weight + backward[at].weight
		total += took
		if !off {
			shared += took
		}
		if on && sum != x.weight {
			end, on = x.weight-backward[at].weight, false
		}
		if off = off && sum != shortest; off {
			to = x.weight - backward[at].weight
		}
	}
	return end - start, float64(end-start) >= rules.Optimal*float64(to-from) && float64(shared) <= rules.Shared*float64(total)
}

// detourOf returns the weight of a path from where it leaves the shortest one to its
// return.
func (s *Search) detourOf(arcs []uint32) uint32 {
	weight := uint32(0)
	for _, x := range arcs {
		weight += s.h.arcs[x].Weight
	}
	before := s.commonEnd(arcs, false)
	if before == weight {
		return 0
	}
	return weight - before - s.commonEnd(arcs, true)
}

// commonEnd returns the weight of the beginning of a path, or with back of its end, that
// the shortest one has too. Only the arc in which they part is unpacked.
func (s *Search) commonEnd(arcs []uint32, back bool) (weight uint32) {
	a, h, steps := &s.alternatives, s.h, s.mostSteps()
	for i := range arcs {
		x := arcs[i]
		if back {
			x = arcs[len(arcs)-1-i]
		}
		for a.seen.Get(x)&1 == 0 {
			if steps--; steps < 0 {
				panic(damaged("shortcuts contain themselves"))
			}
			c := h.childOf(x)
			if c[1] == original {
				return weight
			}
			near, far := c[0], c[1]
			if back {
				near, far = far, near
			}
			if x = near; a.seen.Get(near)&1 != 0 {
				weight += h.arcs[near].Weight
				x = far
			}
		}
		weight += h.arcs[x].Weight
	}
	return weight
}

// packVia appends the arcs of the path over a node, and returns its ends and the
// number of arcs before the node.
func (s *Search) packVia(node uint32) (r route, middle int) {
	a := &s.alternatives
	first := len(a.arcs)
	l := a.labels[0][node]
	for l.arc != seeded {
		a.arcs = pool.Append(s.memory, a.arcs, l.arc)
		l = a.labels[0][l.parent]
	}
	r.source = l.parent
	slices.Reverse(a.arcs[first:])
	middle = len(a.arcs) - first
	l = a.labels[1][node]
	for l.arc != seeded {
		a.arcs = pool.Append(s.memory, a.arcs, l.arc)
		l = a.labels[1][l.parent]
	}
	r.target = l.parent
	return r, middle
}

// inspected is what is known of a packed path.
type inspected struct {
	weight   uint32 // without the seeds
	duration int64
	shared   float64 // with other routes
}

// inspect compares a path with the routes so far, unpacking only what the shortest
// one has not. It gives up where it has shared more than most.
func (s *Search) inspect(arcs []uint32, most float64) inspected {
	a, h := &s.alternatives, s.h
	p := inspected{duration: s.durationOf(arcs)}
	limit := most * float64(p.duration)
	shared := int64(0)
	stack, steps := s.stack[:0], s.mostSteps()
	for _, x := range arcs {
		stack = pool.Append(s.memory, stack, x)
		for len(stack) > 0 && float64(shared) <= limit {
			x := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if steps--; steps < 0 {
				panic(damaged("shortcuts contain themselves"))
			}
			routes := a.seen.Get(x)
			if c := h.childOf(x); routes&1 == 0 && c[1] != original {
				stack = pool.Append(s.memory, pool.Append(s.memory, stack, c[1]), c[0])
				continue
			}
			if routes != 0 {
				shared += int64(h.duration[x])
			}
			p.weight += h.arcs[x].Weight
		}
	}
	s.stack = stack
	p.shared = 1
	if p.duration > 0 {
		p.shared = float64(shared) / float64(p.duration)
	}
	return p
}

// mostSteps is more than it takes to unpack a path that visits each node a few times.
func (s *Search) mostSteps() int { return 64 + 8*s.h.NumNodes() }

// note marks all arcs of a route, and those that they stand for.
func (s *Search) note(arcs []uint32, mark uint32) {
	a, h := &s.alternatives, s.h
	stack := s.stack[:0]
	for _, x := range arcs {
		stack = pool.Append(s.memory, stack, x)
		for len(stack) > 0 {
			x := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if a.seen.Add(s.memory, x, mark) {
				continue
			}
			if c := h.childOf(x); c[1] != original {
				stack = pool.Append(s.memory, pool.Append(s.memory, stack, c[1]), c[0])
			}
		}
	}
	s.stack = stack
}

// hasPlateau says whether the plateau around a candidate is as long as the length: the
// piece of a path of whose nodes each is on the same path over it (Cambridge Vehicle
// Information Technology, Choice Routing, 2005). All pieces of the path that are no
// longer than its plateau are shortest paths, for each ends before the plateau does or
// begins after its beginning.
func (s *Search) hasPlateau(arcs []uint32, middle int, weight uint32, length float64) bool {
	before := s.extend(arcs[:middle], weight, length, true)
	if float64(before) >= length {
		return true
	}
	after := s.extend(arcs[middle:], weight, length-float64(before), false)
	return float64(before)+float64(after) >= length
}

// extend follows arcs from their beginning, or back from their end, as long as the
// paths over the nodes have the weight and the arcs less than the length. It returns
// the weight of the arcs.
func (s *Search) extend(arcs []uint32, weight uint32, enough float64, back bool) uint32 {
	length, steps := uint32(0), s.mostSteps()
	for i := 0; i < len(arcs) && float64(length) < enough; i++ {
		x := arcs[i]
		if back {
			x = arcs[len(arcs)-1-i]
		}
		for float64(length) < enough {
			if steps--; steps < 0 {
				panic(damaged("shortcuts contain themselves"))
			}
			if s.leadsOver(x, weight, back) {
				length += s.h.arcs[x].Weight
				break
			}
			c := s.h.childOf(x)
			near, far := c[0], c[1]
			if far == original {
				return length
			}
			if back {
				near, far = far, near
			}
			x = near
			if s.leadsOver(near, weight, back) {
				length += s.h.arcs[near].Weight
				x = far
			}
		}
	}
	return length
}

// leadsOver says whether the path over the head of an arc, or over its tail, has the
// weight.
func (s *Search) leadsOver(x, weight uint32, back bool) bool {
	tail, node := s.ends(x)
	if back {
		node = tail
	}
	return s.pull(0, node)+s.pull(1, node) == weight
}

// ends returns the nodes that an arc leads from and to.
func (s *Search) ends(x uint32) (tail, head uint32) {
	first, base := s.h.first, uint32(0)
	switch {
	case s.core > 0 && x >= s.coreFirst[0] && x < s.coreFirst[2*s.core]:
		first = s.coreFirst[:2*s.core+1]
	case s.core > 0:
		base = s.core
	}
	// The last entry that is at most x.
	at := uint32(sort.Search(len(first)-int(2*base), func(i int) bool { return first[2*base+uint32(i)] > x })) - 1 + 2*base
	lower, upper := at/2, s.h.arcs[x].Head
	if at%2 == 0 {
		return lower, upper
	}
	return upper, lower
}

// simple says whether a path visits no node twice.
func (s *Search) simple(arcs []uint32) bool {
	a, h := &s.alternatives, s.h
	nodes := a.nodes[:0]
	stack, steps := s.stack[:0], s.mostSteps()
	for _, x := range arcs {
		stack = pool.Append(s.memory, stack, x)
		for len(stack) > 0 {
			x := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if steps--; steps < 0 {
				panic(damaged("shortcuts contain themselves"))
			}
			if c := h.childOf(x); c[1] != original {
				stack = pool.Append(s.memory, pool.Append(s.memory, stack, c[1]), c[0])
				continue
			}
			tail, head := s.ends(x)
			if len(nodes) == 0 {
				nodes = pool.Append(s.memory, nodes, tail)
			}
			nodes = pool.Append(s.memory, nodes, head)
		}
	}
	s.stack, a.nodes = stack, nodes
	n := len(nodes)
	slices.Sort(nodes)
	return len(slices.Compact(nodes)) == n
}
