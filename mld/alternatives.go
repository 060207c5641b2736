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

// packedATest is the number of candidates whose labels are promising that are compared
// with the routes for each of which the plateau is measured.
const packedATest = 3

// Alternatives implements graph.AlternativeSearcher.
//
// Candidates are the nodes of the overlay that searches from both ends settle where
// they overlap. One is locally optimal if the paths to and from it have a long plateau
// in common (Abraham, Delling, Goldberg and Werneck, Alternative Routes in Road
// Networks, 2013). What labels and packed paths tell comes first: only paths that pass
// are unpacked.
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
	sources    []graph.Seed // of the present call
	routes     []route      // the shortest path first
	edges      []graph.EdgeID
	candidates []candidate
	piece      []graph.EdgeID // of a hop; not pooled, as Path appends to any slice
	seen       markset.Set    // on edges: 1 of the shortest path, 2 of an alternative
	visits     visits         // of the routes at nodes
	crossed    marks          // the cells that routes lead through
	took       [2][]int64     // by slot, the duration of the path in the tree; -1: not known yet
	nodes      []uint32       // of the path inspected
	sorted     []uint32       // the same, ascending
	at         []uint32       // their weights from its beginning

	labels    []uint32 // of the ends of cells, a stack
	settledTo uint32   // all nodes with lesser labels are settled
	finest    uint32   // least weight of hops in small cells that are looked into
	hidden    uint32   // that of the one that was not
}

func (a *alternatives) release(memory *pool.Allocator) {
	pool.Free(memory, a.routes)
	pool.Free(memory, a.edges)
	pool.Free(memory, a.candidates)
	a.seen.Release(memory)
	a.visits.release(memory)
	a.crossed.release(memory)
	for d := range a.took {
		pool.Free(memory, a.took[d])
	}
	pool.Free(memory, a.nodes)
	pool.Free(memory, a.at)
	pool.Free(memory, a.sorted)
	pool.Free(memory, a.labels)
	*a = alternatives{}
}

func (a *alternatives) clear() {
	a.routes, a.edges, a.candidates = a.routes[:0], a.edges[:0], a.candidates[:0]
}

// begin makes ready for the routes of a search.
func (a *alternatives) begin(s *Search) {
	if a.labels == nil {
		a.crossed.init(s.memory, s.o.cells)
		// A cell inside a cell, twice: along a climb, and along a hop.
		a.labels = pool.Make[uint32](s.memory, 2*len(s.o.cells.levels)*s.o.cells.mostEnds()+1)[:0]
	}
	a.seen.Clear(s.memory)
	a.visits.clear(s.memory)
	a.crossed.reset()
	a.took[0], a.took[1] = a.took[0][:0], a.took[1][:0]
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

// findAlternatives looks for up to n alternatives to the path last found.
func (s *Search) findAlternatives(ctx context.Context, sources, targets []graph.Seed, n int, rules graph.AlternativeRules) error {
	a := &s.alternatives
	best := a.routes[0]
	a.begin(s)
	a.sources = sources
	defer func() { a.sources = nil }()
	p := s.inspect(sources[best.source].Node, a.edges)
	shortest := p.duration + int64(sources[best.source].Duration) + int64(targets[best.target].Duration)
	stretch := 1 + graph.AlternativeStretch(graph.Duration(max(0, min(shortest, maxDuration))))
	longest := int64(stretch * float64(shortest))
	least, bound := s.leastOf(sources, targets, best.weight, stretch)
	lightest := uint32(int64(best.weight) - least[0] - least[1])
	s.note(a.edges, 0, uint32(int64(sources[best.source].Weight)-least[0]))
	// A plateau is no shorter than this part of the whole, as far as durations are like
	// weights: candidates that are closer to an end lie on one that goes on.
	if err := s.searchBeyond(ctx, sources, targets, least, lightest, bound, uint32(2*rules.Optimal*(1-rules.Shared)*float64(lightest))); err != nil {
		return err
	}
	a.visits.lightest = lightest
	s.chooseCandidates(lightest, bound)
	tests, looks := n*rules.Candidates, n*rules.Candidates*packedATest
	for i := 0; i < len(a.candidates) && tests > 0 && looks > 0; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		x := a.candidates[i]
		g := s.glance(x, sources)
		if !g.promises(rules) {
			continue
		}
		looks--
		if s.sharesMore(x, &g, rules.Shared, false) {
			continue
		}
		tests--
		if s.settleDetour(&g, false); !g.promises(rules) {
			continue
		}
		via, w := s.heaps[0].At(x.slot).Node, plateau{}
		w.least, w.enough = g.wanted(rules)
		if err := s.measure(ctx, &w, via, bound); err != nil {
			return err
		}
		if w.tooShort() || s.sharesMore(x, &g, rules.Shared, true) {
			continue
		}
		s.settleDetour(&g, true)
		w.least, w.enough = g.wanted(rules)
		if err := s.measureClosely(ctx, &w, via, bound); err != nil {
			return err
		}
		if w.length() < w.least {
			continue
		}
		first := len(a.edges)
		s.pack(via, sources)
		a.edges = s.appendPath(a.edges, s.hops)
		edges := a.edges[first:]
		source, target := &sources[s.found.Source], &targets[s.found.Target]
		p := s.inspect(source.Node, edges)
		duration := p.duration + int64(source.Duration) + int64(target.Duration)
		if p.shared > rules.Shared || duration > longest || float64(w.length()) < rules.Optimal*float64(p.detour)-1 || !s.simple() {
			a.edges = a.edges[:first]
			continue
		}
		s.note(edges, uint32(len(a.routes)), uint32(int64(source.Weight)-least[0]))
		a.routes = pool.Append(s.memory, a.routes, route{
			first: uint32(first), end: uint32(len(a.edges)), source: uint32(s.found.Source), target: uint32(s.found.Target), shared: p.shared,
			weight: graph.Weight(int64(p.weight) + int64(source.Weight) + int64(target.Weight)),
		})
	}
	slices.SortStableFunc(a.routes[1:], func(x, y route) int { return cmp.Compare(x.shared, y.shared) })
	a.routes = a.routes[:min(1+n, len(a.routes))]
	return nil
}

// searchBeyond searches from both ends as join does, but farther, and leaves nothing
// out but the inside of cells: those of level climbFrom and above that hold an end and
// whose borders are within the weight spared are left by climbs.
func (s *Search) searchBeyond(ctx context.Context, sources, targets []graph.Seed, least [2]int64, lightest, bound, spared uint32) error {
	s.heaps[0].Clear()
	s.heaps[1].Clear()
	up, down := s.climbs[0].within(spared), s.climbs[1].within(spared)
	s.climbs[0].top, s.climbs[1].top = up, down
	s.codes = s.codes[:0]
	s.addCodes(sources, up)
	s.addCodes(targets, down)
	s.beginBackward(targets, graph.Weight(least[1]))
	s.beginForwardFreely(sources, least[0], bound)
	forward, backward := s.heaps[0], s.heaps[1]
	enough := uint32(min(overlap*float64(lightest), float64(bound)))
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

// beginForwardFreely is beginForward without a search from the other end to go by.
func (s *Search) beginForwardFreely(sources []graph.Seed, least int64, bound uint32) {
	c, q, k := s.o.cells, s.heaps[0], &s.climbs[0]
	if k.top != 0 {
		exits := k.exits(c, 0, k.top)
		for i, x := range k.at(k.top) {
			if x.weight <= bound {
				q.Relax(exits[i], int32(x.weight), climbLabel(i, k.top))
			}
		}
		return
	}
	for i := range sources {
		id := c.id[sources[i].Node]
		if s.excludes(id) {
			continue
		}
		for j, x := range s.o.arcs[c.first[2*id]:c.first[2*id+1]] {
			weight := int64(sources[i].Weight) - least + int64(x.Weight)
			if weight <= int64(bound) && x.Weight < unreached && !s.excludes(x.Head) {
				q.Relax(x.Head, int32(weight), heap.Label{Parent: seedParent | uint32(i), Edge: uint32(j)})
			}
		}
	}
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
			q.RelaxRow(heads, h.weight[d][r.Clique+shift:], key, bound, label)
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

// chooseCandidates collects the nodes where the searches overlap, by the weight of the
// path over them, of those on one plateau the first.
func (s *Search) chooseCandidates(lightest, bound uint32) {
	a := &s.alternatives
	records := s.heaps[0].Records()
	for slot := range records {
		r := &records[slot]
		sum := s.sumAt(r.Node)
		if sum > bound || sum <= lightest {
			continue
		}
		if r.Data.Parent&(seedParent|climbParent) == 0 && s.sumAt(records[r.Data.Parent].Node) == sum {
			continue
		}
		a.candidates = pool.Append(s.memory, a.candidates, candidate{sum, heap.Slot(slot)})
	}
	slices.SortFunc(a.candidates, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(x.weight, y.weight), cmp.Compare(x.slot, y.slot))
	})
}

// durationTo returns how long the path to a node of the search in direction d takes.
// Seeds do not count, nor the edge that leaves a source.
func (s *Search) durationTo(d int, slot heap.Slot) int64 {
	a, q := &s.alternatives, s.heaps[d]
	if n := len(q.Records()); len(a.took[d]) < n {
		old := len(a.took[d])
		a.took[d] = pool.Grow(s.memory, a.took[d], n)
		for i := old; i < n; i++ {
			a.took[d][i] = -1
		}
	}
	if took := a.took[d][slot]; took >= 0 {
		return took
	}
	r := q.At(slot)
	took := int64(0)
	switch {
	case r.Data.Parent&climbParent != 0:
		took = s.durationOfClimb(d, s.climbs[d].top, r.Data.Parent&^climbParent)
	case r.Data.Parent&seedParent == 0:
		up := q.At(heap.Slot(r.Data.Parent))
		took = s.durationTo(d, heap.Slot(r.Data.Parent)) + s.durationOver(d, up.Node, r.Node, r.Data.Edge)
	}
	a.took[d][slot] = took
	return took
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

// note remembers the path inspected as a route, whose source has the label.
func (s *Search) note(edges []graph.EdgeID, route, label uint32) {
	a, c := &s.alternatives, s.o.cells
	mark := uint32(1)
	if route != 0 {
		mark = 2
	}
	for _, e := range edges {
		a.seen.Add(s.memory, uint32(e), mark)
	}
	leaf := ^uint32(0)
	for i, id := range a.nodes {
		a.visits.add(s.memory, id, label+a.at[i], route)
		if int(id) >= len(c.leaf) && i != 0 && i != len(a.nodes)-1 {
			continue // inside the cell of the node before
		}
		if of := c.leafOf(id); of != leaf {
			leaf = of
			a.crossed.open(c, id)
		}
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
