package mld

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/heap"
	"github.com/fourway-routing/fourway/internal/markset"
	"github.com/fourway-routing/fourway/pool"
)

var _ graph.AlternativeSearcher = (*Search)(nil)

// overlap is how far the searches for alternatives go on, as a multiple of the weight
// of the shortest path: candidates are the nodes that both have settled.
const overlap = 1.6

// packedATest is the number of packed paths kept for each that is looked at closely.
const packedATest = 3

// bisections is the part of a plateau's length to which its end is found.
const bisections = 8

// Alternatives implements graph.AlternativeSearcher.
//
// Candidates are the nodes of the overlay that searches from both ends settle where
// they overlap. One is locally optimal if the paths to and from it have a long plateau
// in common (Abraham, Delling, Goldberg and Werneck, Alternative Routes in Road
// Networks, 2013); as cliques hide where a plateau ends, a search decides if need be.
func (s *Search) Alternatives(ctx context.Context, sources, targets []graph.Seed, n int, rules graph.AlternativeRules) (count int, err error) {
	a := &s.alternatives
	a.clear()
	f, ok, err := s.Shortest(ctx, sources, targets)
	if !ok || err != nil {
		return 0, err
	}
	a.edges = s.appendPath(a.edges, s.hops)
	a.routes = pool.Append(s.memory, a.routes, route{
		source: uint32(f.Source), target: uint32(f.Target), weight: f.Weight, end: uint32(len(a.edges)),
	})
	if n > 0 && len(a.edges) > 0 {
		err = s.findAlternatives(ctx, sources, targets, n, rules)
	}
	// The searches for alternatives leave no path of their own.
	s.ok = false
	if err != nil {
		a.clear()
		return 0, err
	}
	return len(a.routes), nil
}

// AlternativePath implements graph.AlternativeSearcher.
func (s *Search) AlternativePath(i int, dst []graph.EdgeID) (graph.Found, []graph.EdgeID) {
	a := &s.alternatives
	r := &a.routes[i]
	return graph.Found{Source: int(r.source), Target: int(r.target), Weight: r.weight}, append(dst, a.edges[r.first:r.end]...)
}

// alternatives is what the search for alternatives works with.
type alternatives struct {
	routes     []route // the shortest path first
	edges      []graph.EdgeID
	candidates []candidate
	packed     []packed
	hops       []hop
	piece      []graph.EdgeID // of a hop; not pooled, as Path appends to any slice
	seen       markset.Set    // on edges: 1 of the shortest path, 2 of an alternative
	nodes      []uint32       // of the path inspected
	sorted     []uint32       // the same, ascending
	at         []uint32       // their weights from its beginning
	seed       [1]graph.Seed
	// spare takes the climbs of searches from and to nodes in the middle, while
	// those from the ends of the path are kept.
	spare [2]climb
}

func (a *alternatives) release(memory *pool.Allocator) {
	pool.Free(memory, a.routes)
	pool.Free(memory, a.edges)
	pool.Free(memory, a.candidates)
	pool.Free(memory, a.packed)
	pool.Free(memory, a.hops)
	a.seen.Release(memory)
	pool.Free(memory, a.nodes)
	pool.Free(memory, a.at)
	pool.Free(memory, a.sorted)
	a.spare[0].release(memory)
	a.spare[1].release(memory)
	*a = alternatives{}
}

func (a *alternatives) clear() {
	a.routes, a.edges, a.candidates = a.routes[:0], a.edges[:0], a.candidates[:0]
	a.packed, a.hops = a.packed[:0], a.hops[:0]
}

// route is a path that was found.
type route struct {
	first, end     uint32 // of its edges
	source, target uint32
	weight         graph.Weight
	shared         float64
}

// candidate is a node, by its slot in the forward heap, with the weight of the path
// over it.
type candidate struct {
	weight uint32
	slot   heap.Slot
}

// packed is a path over a candidate.
type packed struct {
	first, end     uint32 // of its hops
	source, target uint32
	weight         uint32
	// The plateau is at least what lies between the weights inner, and at most what
	// lies between outer, from the beginning of the path.
	inner, outer [2]uint32
}

// findAlternatives looks for up to n alternatives to the path last found.
func (s *Search) findAlternatives(ctx context.Context, sources, targets []graph.Seed, n int, rules graph.AlternativeRules) error {
	a := &s.alternatives
	best := a.routes[0]
	a.seen.Clear(s.memory)
	p := s.inspect(sources[best.source].Node, a.edges)
	shortest := p.duration + int64(sources[best.source].Duration) + int64(targets[best.target].Duration)
	stretch := 1 + graph.AlternativeStretch(graph.Duration(max(0, min(shortest, maxDuration))))
	longest := int64(stretch * float64(shortest))
	tests := n * rules.Candidates
	if err := s.searchBeyond(ctx, sources, targets, best.weight, stretch); err != nil {
		return err
	}
	s.packCandidates(sources, targets, best.weight, stretch, tests*packedATest, rules.Optimal)
	s.note(a.edges, 1)
	for i := 0; i < len(a.packed) && tests > 0; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		x := &a.packed[i]
		first := len(a.edges)
		a.edges = s.appendPath(a.edges, a.hops[x.first:x.end])
		edges := a.edges[first:]
		p := s.inspect(sources[x.source].Node, edges)
		duration := p.duration + int64(sources[x.source].Duration) + int64(targets[x.target].Duration)
		good := p.shared <= rules.Shared && duration <= longest && float64(x.outer[1]-x.outer[0]) >= rules.Optimal*float64(p.detour) && s.simple()
		if good {
			tests--
			var err error
			if good, err = s.locallyOptimal(ctx, sources, targets, x, uint32(rules.Optimal*float64(p.detour))); err != nil {
				return err
			}
		}
		if !good {
			a.edges = a.edges[:first]
			continue
		}
		a.routes = pool.Append(s.memory, a.routes, route{
			first: uint32(first), end: uint32(len(a.edges)), source: x.source, target: x.target, shared: p.shared,
			weight: graph.Weight(int64(p.weight) + int64(sources[x.source].Weight) + int64(targets[x.target].Weight)),
		})
		s.note(edges, 2)
	}
	slices.SortStableFunc(a.routes[1:], func(x, y route) int { return cmp.Compare(x.shared, y.shared) })
	a.routes = a.routes[:min(1+n, len(a.routes))]
	return nil
}

// searchBeyond searches from both ends as meet does, but farther, and leaves nothing
// out but the inside of cells.
func (s *Search) searchBeyond(ctx context.Context, sources, targets []graph.Seed, shortest graph.Weight, stretch float64) error {
	c := s.o.cells
	least, bound := s.leastOf(sources, targets, shortest, stretch)
	s.codes = s.codes[:0]
	s.addCodes(sources, 0)
	s.addCodes(targets, 0)
	forward, backward := s.heaps[0], s.heaps[1]
	forward.Clear()
	backward.Clear()
	for i := range targets {
		id := c.id[targets[i].Node]
		if weight := int64(targets[i].Weight) - least[1]; weight <= int64(bound) && !s.excludes(id) {
			backward.Relax(id, int32(weight), heap.Label{Parent: seedParent | uint32(i)})
		}
	}
	for i := range sources {
		id := c.id[sources[i].Node]
		if s.excludes(id) {
			continue
		}
		for j, a := range s.o.arcs[c.first[2*id]:c.first[2*id+1]] {
			weight := int64(sources[i].Weight) - least[0] + int64(a.Weight)
			if weight <= int64(bound) && a.Weight < unreached && !s.excludes(a.Head) {
				forward.Relax(a.Head, int32(weight), heap.Label{Parent: seedParent | uint32(i), Edge: uint32(j)})
			}
		}
	}
	enough := uint32(min(overlap*float64(int64(shortest)-least[0]-least[1]), float64(bound)))
	for !forward.Empty() || !backward.Empty() {
		d := 0
		switch {
		case forward.Empty():
			d = 1
		case backward.Empty():
		case uint32(forward.MinKey())+uint32(backward.MinKey()) >= enough:
			return nil
		case backward.MinKey() < forward.MinKey():
			d = 1
		}
		if s.heaps[1-d].Empty() && uint32(s.heaps[d].MinKey()) >= enough {
			return nil
		}
		s.settled++
		if s.settled%pollEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		s.expandFreely(d, bound)
	}
	return nil
}

// leastOf returns the least weights of the seeds, and the most that a path may weigh
// less these.
func (s *Search) leastOf(sources, targets []graph.Seed, shortest graph.Weight, stretch float64) (least [2]int64, bound uint32) {
	x, _ := s.least(sources)
	y, _ := s.least(targets)
	least = [2]int64{int64(x), int64(y)}
	most := stretch*float64(shortest) - float64(x) - float64(y)
	return least, uint32(max(0, min(most, float64(unreached)-1)))
}

// expandFreely settles the next node in direction d.
func (s *Search) expandFreely(d int, bound uint32) {
	c, cliques, arcs, q := s.o.cells, s.q, s.o.arcs, s.heaps[d]
	slot := q.MinSlot()
	v, k := q.DeleteMin()
	key := uint32(k)
	l := q.At(slot).Data.Edge >> levelShift
	clique := l != 0
	if !clique && len(c.levels) > 0 && v < c.levels[0].border {
		l = uint32(levelOf(c, s.codes, v))
	}
	from, to := c.first[2*v+uint32(d)], c.first[2*v+uint32(d)+1]
	if l > 0 {
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
			for i, w := range h.weight[d][r.Clique+shift:][:len(heads)] {
				if next := key + w; next <= bound {
					q.Relax(heads[i], int32(next), label)
				}
			}
		}
	}
	for i := from; i < to; i++ {
		a := &arcs[i]
		if next := key + a.Weight; next <= bound && !s.excludes(a.Head) {
			q.Relax(a.Head, int32(next), heap.Label{Parent: uint32(slot), Edge: i - from})
		}
	}
}

// sumAt returns the weight of the path over a node that both searches have settled;
// unreached if they have not.
func (s *Search) sumAt(id uint32) uint32 {
	f, ok := s.heaps[0].Find(id)
	if !ok {
		return unreached
	}
	b, ok := s.heaps[1].Find(id)
	if !ok {
		return unreached
	}
	x, y := s.heaps[0].At(f), s.heaps[1].At(b)
	if !x.Removed() || !y.Removed() {
		return unreached
	}
	return uint32(x.Key) + uint32(y.Key)
}

// packCandidates packs the paths over the nodes where the searches overlap, by
// weight, of those on one plateau the first, and as many as most.
func (s *Search) packCandidates(sources, targets []graph.Seed, shortest graph.Weight, stretch float64, most int, optimal float64) {
	a := &s.alternatives
	least, bound := s.leastOf(sources, targets, shortest, stretch)
	lightest := uint32(int64(shortest) - least[0] - least[1])
	records := s.heaps[0].Records()
	for slot := range records {
		r := &records[slot]
		sum := s.sumAt(r.Node)
		if sum > bound || sum <= lightest {
			continue
		}
		if r.Data.Parent&seedParent == 0 && s.sumAt(records[r.Data.Parent].Node) == sum {
			continue
		}
		a.candidates = pool.Append(s.memory, a.candidates, candidate{sum, heap.Slot(slot)})
	}
	slices.SortFunc(a.candidates, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(x.weight, y.weight), cmp.Compare(x.slot, y.slot))
	})
	for i := 0; i < len(a.candidates) && len(a.packed) < most; i++ {
		first := len(a.hops)
		p, from, to := s.packVia(a.candidates[i], sources, lightest)
		if float64(p.outer[1]-p.outer[0]) < optimal*float64(to-from) {
			a.hops = a.hops[:first]
			continue
		}
		p.first, p.end = uint32(first), uint32(len(a.hops))
		shift := uint32(int64(sources[p.source].Weight) - least[0])
		for k := range 2 {
			p.inner[k], p.outer[k] = max(p.inner[k], shift)-shift, max(p.outer[k], shift)-shift
		}
		a.packed = pool.Append(s.memory, a.packed, p)
	}
}

// packVia appends the hops of the path over a candidate, and returns also between
// which weights its detour lies at least: those of the outermost nodes that are not
// on a path as light as the lightest.
func (s *Search) packVia(x candidate, sources []graph.Seed, lightest uint32) (p packed, from, to uint32) {
	a, c := &s.alternatives, s.o.cells
	q := s.heaps[0]
	via := q.At(x.slot)
	key := uint32(via.Key)
	p = packed{weight: x.weight, inner: [2]uint32{key, key}, outer: [2]uint32{0, x.weight}}
	from, to = key, key
	s.hops = s.hops[:0]
	on := true
	for r := via; ; {
		if r.Data.Parent&seedParent != 0 {
			p.source = r.Data.Parent &^ seedParent
			id := c.id[sources[p.source].Node]
			s.addHop(id, r.Node, c.first[2*id], r.Data.Edge, 0)
			if on {
				p.inner[0] = 0
			}
			break
		}
		up := q.At(heap.Slot(r.Data.Parent))
		s.addHop(up.Node, r.Node, c.first[2*up.Node], r.Data.Edge, r.Key-up.Key)
		r = up
		sum := s.sumAt(r.Node)
		if sum != lightest && sum != unreached {
			from = uint32(r.Key)
		}
		switch {
		case !on:
		case sum == x.weight:
			p.inner[0] = uint32(r.Key)
		case sum == unreached: // the other search has not come so far
			on = false
		default:
			p.outer[0], on = uint32(r.Key), false
		}
	}
	slices.Reverse(s.hops)
	q, on = s.heaps[1], true
	slot, _ := q.Find(via.Node)
	r := q.At(slot)
	for r.Data.Parent&seedParent == 0 {
		up := q.At(heap.Slot(r.Data.Parent))
		s.addHop(r.Node, up.Node, c.first[2*up.Node+1], r.Data.Edge, r.Key-up.Key)
		r = up
		sum := s.sumAt(r.Node)
		if sum != lightest && sum != unreached {
			to = x.weight - uint32(r.Key)
		}
		switch {
		case !on:
		case sum == x.weight:
			p.inner[1] = x.weight - uint32(r.Key)
		case sum == unreached:
			on = false
		default:
			p.outer[1], on = x.weight-uint32(r.Key), false
		}
	}
	p.target = r.Data.Parent &^ seedParent
	for _, h := range s.hops {
		a.hops = pool.Append(s.memory, a.hops, h)
	}
	return p, from, to
}

// appendPath appends the edges that hops stand for.
func (s *Search) appendPath(dst []graph.EdgeID, hops []hop) []graph.EdgeID {
	for _, h := range hops {
		if h.level == 0 {
			dst = pool.Append(s.memory, dst, h.edge)
			continue
		}
		s.alternatives.piece = s.unpack(s.alternatives.piece[:0], h)
		for _, e := range s.alternatives.piece {
			dst = pool.Append(s.memory, dst, e)
		}
	}
	return dst
}

// inspected is what is known of a path.
type inspected struct {
	weight   uint32 // without the seeds
	duration int64
	shared   float64 // with other routes
	detour   uint32  // weight from where it leaves the shortest path to its return
}

// inspect follows a path and compares it with the routes so far.
func (s *Search) inspect(source graph.NodeID, edges []graph.EdgeID) inspected {
	a, c := &s.alternatives, s.o.cells
	id := c.id[source]
	a.nodes, a.at = append(pool.Grow(s.memory, a.nodes, len(edges)+1)[:0], id), append(pool.Grow(s.memory, a.at, len(edges)+1)[:0], 0)
	p := inspected{}
	shared, from, to := int64(0), uint32(math.MaxUint32), uint32(0)
	for _, e := range edges {
		j := c.first[2*id]
		for c.edge[j] != e {
			j++
		}
		x, duration := s.o.arcs[j], int64(s.o.costs[e].Duration)
		routes := a.seen.Get(uint32(e))
		if routes != 0 {
			shared += duration
		}
		if routes&1 == 0 {
			from, to = min(from, p.weight), p.weight+x.Weight
		}
		p.weight += x.Weight
		p.duration += duration
		id = x.Head
		a.nodes, a.at = append(a.nodes, id), append(a.at, p.weight)
	}
	p.shared = 1
	if p.duration > 0 {
		p.shared = float64(shared) / float64(p.duration)
	}
	if from < to {
		p.detour = to - from
	}
	return p
}

// note marks the edges of a route.
func (s *Search) note(edges []graph.EdgeID, mark uint32) {
	for _, e := range edges {
		s.alternatives.seen.Add(s.memory, uint32(e), mark)
	}
}

// simple says whether the path inspected visits no node twice.
func (s *Search) simple() bool {
	a := &s.alternatives
	n := len(a.nodes)
	a.sorted = append(pool.Grow(s.memory, a.sorted, n)[:0], a.nodes...)
	slices.Sort(a.sorted)
	return len(slices.Compact(a.sorted)) == n
}

// locallyOptimal says whether the path inspected has a plateau of the length around
// its candidate. That ends before the first node to which the path is no shortest
// path: a bisection finds it, as far as the length asks for. It begins behind the last
// node from which the path is none.
func (s *Search) locallyOptimal(ctx context.Context, sources, targets []graph.Seed, x *packed, length uint32) (bool, error) {
	if x.inner[1]-x.inner[0] >= length {
		return true, nil
	}
	a := &s.alternatives
	last := len(a.at) - 1
	// Nodes from first to end are on the plateau.
	first, _ := slices.BinarySearch(a.at, x.inner[0])
	first = min(first, last)
	end := last
	if x.inner[1] < a.at[last] {
		end = max(first, a.lastWithin(x.inner[1]))
	}
	beyond := a.firstBeyond(a.at[first], length) // may be len(a.at)
	for low, high := end, min(beyond, last); low < high; {
		if high < beyond && a.at[high]-min(a.at[high], x.outer[0]) < length {
			return false, nil
		}
		middle := (low + high + 1) / 2
		switch {
		case high == min(beyond, last):
			middle = high // first of all the farthest
		case a.at[high]-a.at[low] < length/bisections:
			high = low
			continue
		}
		short, err := s.isShortest(ctx, 0, sources, a.seedAt(s, middle), int64(a.at[middle])+int64(sources[x.source].Weight))
		if err != nil {
			return false, err
		}
		if short {
			low, end = middle, middle
		} else {
			high = middle - 1
		}
	}
	begin := a.lastBefore(a.at[end], length)
	if begin < 0 || begin >= first {
		return begin >= first, nil
	}
	if a.at[end]-min(a.at[end], x.outer[0]) < length {
		return false, nil
	}
	return s.isShortest(ctx, 1, a.seedAt(s, begin), targets, int64(a.at[last]-a.at[begin])+int64(targets[x.target].Weight))
}

// seedAt returns a seed at a node of the path inspected.
func (a *alternatives) seedAt(s *Search, i int) []graph.Seed {
	a.seed[0] = graph.Seed{Node: s.o.cells.node[a.nodes[i]]}
	return a.seed[:]
}

// lastWithin returns the last node of the path inspected that is no farther than a
// weight.
func (a *alternatives) lastWithin(weight uint32) int {
	i, _ := slices.BinarySearch(a.at, weight+1)
	return i - 1
}

// firstBeyond returns the first node at least so far behind a weight.
func (a *alternatives) firstBeyond(from, length uint32) int {
	i, _ := slices.BinarySearch(a.at, from+length)
	return i
}

// lastBefore returns the last node at least so far before a weight; -1 if there is
// none.
func (a *alternatives) lastBefore(to, length uint32) int {
	if to < length {
		return -1
	}
	return a.lastWithin(to - length)
}

// isShortest says whether there is no path lighter than the weight. The sources, if
// end is 0, or the targets are those of the Alternatives in the making.
func (s *Search) isShortest(ctx context.Context, end int, sources, targets []graph.Seed, weight int64) (bool, error) {
	spare, own := &s.alternatives.spare[1-end], &s.climbs[1-end]
	*spare, *own = *own, *spare
	s.climbs[end].again, own.again = true, false
	settled := s.settled
	f, ok, err := s.search(ctx, sources, targets)
	s.settled, s.spent = s.settled+settled, s.spent-settled
	*spare, *own = *own, *spare
	return ok && int64(f.Weight) >= weight, err
}
