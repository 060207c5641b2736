package routing

import (
	"context"
	"math"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/polygon"
)

// pathSearch finds paths between ends. Its memory is kept for the next search;
// it belongs to one goroutine.
type pathSearch struct {
	net      *graph.Network
	metric   *graph.Metric
	searcher searcher
	settled  int // search nodes, by all searches of a chain
	cells    int // likewise, if countCells is set

	countCells bool

	// edgesWanted is set where the next paths are drawn. Else they may lack edges.
	edgesWanted bool

	sources, targets []graph.Seed
	sourceEnd        []int // by source seed: index of its end
	targetEnd        []int
	edges            []graph.EdgeID // of all paths found

	found  [][]path
	paths  []path
	states []state
	first  []int // of a stop's states

	finder polygon.Finder
	bends  []graph.PlaceID // of all paths found
}

// count adds what the last search did.
func (s *pathSearch) count() {
	s.settled += s.searcher.Settled()
	if s.countCells {
		s.cells += s.searcher.Cells()
	}
}

// between returns the cheapest path from any of from to any of to.
func (s *pathSearch) between(ctx context.Context, from, to []end) (path, bool, error) {
	s.startSources()
	for i := range from {
		s.addSource(i, &from[i], 0)
	}
	s.startTargets()
	for i := range to {
		s.addTarget(i, &to[i])
	}
	if len(s.sources) == 0 || len(s.targets) == 0 {
		return path{}, false, ctx.Err()
	}
	f, ok, err := s.searcher.Shortest(ctx, s.sources, s.targets)
	s.count()
	if !ok || err != nil {
		return path{}, false, err
	}
	p := path{from: from[s.sourceEnd[f.Source]], to: to[s.targetEnd[f.Target]]}
	kept := s.searcher.Keep()
	if !s.sumUp(&p, kept, f.Weight) {
		lo := len(s.edges)
		s.edges = s.searcher.KeptPath(kept, s.edges)
		p.edges = s.edges[lo:len(s.edges):len(s.edges)]
	}
	return p, true, nil
}

// sumUp fills in what a path of the weight costs, and says whether that is all
// that is wanted, and known.
func (s *pathSearch) sumUp(p *path, kept int, weight graph.Weight) bool {
	if s.edgesWanted {
		return false
	}
	d, cm, ok := s.searcher.KeptCost(kept)
	if ok {
		p.summed = true
		ends := p.ends()
		p.sum = cost{weight, d + ends.duration, cm + ends.distance}
	}
	return ok
}

// routes returns the routes through stops, each as the paths of its legs, best
// first; none if there is no way. They are valid until the next search. Only
// between two stops are there alternatives.
func (s *pathSearch) routes(ctx context.Context, stops []stop, straight bool, alternatives int) ([][]path, error) {
	if alternatives > 0 && len(stops) == 2 && !stops[0].sharesArea(&stops[1]) {
		return s.alternatives(ctx, &stops[0], &stops[1], alternatives)
	}
	paths, err := s.chain(ctx, stops, straight)
	if paths == nil || err != nil {
		return nil, err
	}
	s.found = append(s.found[:0], paths)
	return s.found, nil
}

// chain returns the cheapest paths through stops in their order, one a leg, or
// nil if there are none. They are valid until the next search. With straight
// set, a leg starts in the direction in which the one before it stopped, unless
// it could not go on then; who stops in an open area goes on in any direction.
func (s *pathSearch) chain(ctx context.Context, stops []stop, straight bool) ([]path, error) {
	s.edges, s.bends, s.paths, s.settled, s.cells = s.edges[:0], s.bends[:0], s.paths[:0], 0, 0
	s.searcher.Forget()
	for first, last := 0, 0; last < len(stops)-1; first = last {
		last++
		for straight && last < len(stops)-1 && !stops[last].inArea {
			last++
		}
		ok, err := false, error(nil)
		if last-first > 1 {
			ok, err = s.straightChain(ctx, stops[first:last+1])
		} else {
			ok, err = s.single(ctx, &stops[first], &stops[last])
		}
		if !ok || err != nil {
			return nil, err
		}
	}
	return s.paths, nil
}

// single appends the path of a leg that can start in any direction.
func (s *pathSearch) single(ctx context.Context, from, to *stop) (ok bool, err error) {
	p, ok := s.within(from, to)
	if !ok {
		p, ok, err = s.between(ctx, from.ends, to.ends)
	}
	s.paths = append(s.paths, p)
	return ok, err
}

// state is how one end of a stop was reached.
type state struct {
	reached bool
	turned  bool  // the leg turned around where it started
	total   int64 // weight from the first stop
	before  int   // state of the stop before, where the leg before stopped
	from    int   // end of the stop before, where this leg starts
	kept    int   // number of the leg's path
	// What few states are asked for: the leg's edges, if drawn is set, and the
	// number of search edges from the first stop, less than 0 if it was not asked.
	drawn  bool
	lo, hi int
	turns  int
}

// straightChain appends the paths through stops. It is a dynamic program over the
// directions in which each stop can be reached.
func (s *pathSearch) straightChain(ctx context.Context, stops []stop) (ok bool, err error) {
	for i := range stops {
		if len(stops[i].ends) == 0 {
			return false, nil // closed roads only
		}
	}
	s.states, s.first = s.states[:0], append(s.first[:0], 0)
	for _, e := range stops[0].ends {
		s.states = append(s.states, state{reached: e.source, drawn: true})
	}
	for i := range len(stops) - 1 {
		s.first = append(s.first, len(s.states))
		reached, err := s.legs(ctx, stops, i, false)
		if !reached && err == nil && i > 0 {
			// Whatever the direction of arrival, there is no way on: turn
			// around at this stop.
			s.states = s.states[:s.first[i+1]]
			reached, err = s.legs(ctx, stops, i, true)
		}
		if !reached || err != nil {
			return false, err
		}
	}
	// Walk back from the best state of the last stop.
	at := s.best(stops, len(stops)-1)
	before := len(s.paths)
	for range len(stops) - 1 {
		s.paths = append(s.paths, path{})
	}
	for i := len(stops) - 2; i >= 0; i-- {
		s.paths[before+i] = s.leg(stops, i, at)
		at = s.states[at].before
	}
	return true, nil
}

// legs appends the states of stop i+1 and says whether one is reached. With
// turn set, the leg starts in any direction.
func (s *pathSearch) legs(ctx context.Context, stops []stop, i int, turn bool) (reached bool, err error) {
	from, to := stops[i].ends, stops[i+1].ends
	first := s.first[i]
	base := int64(math.MaxInt64) // keeps keys small however long the route is
	for k := range from {
		if st := &s.states[first+k]; st.reached {
			base = min(base, st.total)
		}
	}
	before := 0
	if turn {
		before = s.best(stops, i)
	}
	s.startSources()
	for k := range from {
		st := &s.states[first+k]
		switch {
		case turn:
			s.addSource(k, &from[k], 0)
		case st.reached:
			s.addSource(k, &from[k], graph.Weight(min(st.total-base, math.MaxInt32/2)))
		}
	}
	s.searcher.From(s.sources)
	for k := range to {
		next := state{turns: -1}
		s.startTargets()
		s.addTarget(k, &to[k])
		if len(s.sources) > 0 && len(s.targets) > 0 {
			f, ok, err := s.searcher.To(ctx, s.targets)
			s.count()
			if err != nil {
				return false, err
			}
			if ok {
				next.reached, next.turned = true, turn
				next.total, next.from, next.kept = base+int64(f.Weight), s.sourceEnd[f.Source], s.searcher.Keep()
				next.before = first + next.from
				if turn {
					next.before = before
				}
				reached = true
			}
		}
		s.states = append(s.states, next)
	}
	return reached, ctx.Err()
}

// leg returns the path from stop i to a state of the next one.
func (s *pathSearch) leg(stops []stop, i, at int) path {
	st := &s.states[at]
	p := path{to: stops[i+1].ends[at-s.first[i+1]]}
	if !st.drawn && (st.turned || !s.comesBy(stops[i].ends, s.first[i], st.from)) {
		p.from = stops[i].ends[st.from]
		if s.sumUp(&p, st.kept, graph.Weight(st.total-s.states[st.before].total)) {
			return p
		}
	}
	s.draw(stops, i, at)
	p.from, p.edges = stops[i].ends[st.from], s.edges[st.lo:st.hi:st.hi]
	return p
}

// draw finds the edges of the leg from stop i to a state of the next one.
func (s *pathSearch) draw(stops []stop, i, at int) {
	st := &s.states[at]
	if st.drawn {
		return
	}
	st.drawn, st.lo = true, len(s.edges)
	s.edges = s.searcher.KeptPath(st.kept, s.edges)
	st.hi = len(s.edges)
	if !st.turned {
		st.from, st.lo = s.turnBefore(stops[i].ends, s.first[i], st.from, st.lo, &stops[i+1].ends[at-s.first[i+1]])
		st.before = s.first[i] + st.from
	}
}

// turns returns the number of search edges from the first stop to a state of stop i.
func (s *pathSearch) turns(stops []stop, i, at int) int {
	st := &s.states[at]
	if i > 0 && st.turns < 0 {
		s.draw(stops, i-1, at)
		st.turns = s.turns(stops, i-1, st.before) + st.hi - st.lo
	}
	return st.turns
}

// turnBefore settles a tie: a leg that turns around behind the stop, and comes
// by it again, may as well belong to the leg before as far as that. It is then
// given to that one, whatever order the search algorithm visits roads in. The
// leg's edges are s.edges[start:], it stops at target; returned are the end that
// the leg starts at and its new first edge.
func (s *pathSearch) turnBefore(ends []end, lo, source, start int, target *end) (int, int) {
	if !s.comesBy(ends, lo, source) {
		return source, start
	}
	tail := ends[source].node
	spent := s.spent(lo, ends, source)
	first := start
	for i := start; i < len(s.edges); i++ {
		e := s.edges[i]
		spent += int64(s.metric.EdgeWeight(tail, e))
		tail = s.net.EdgeHead[e]
		for k := range ends {
			if i == len(s.edges)-1 && ends[k].offset.weight > target.offset.weight {
				continue // the leg stops before it comes by
			}
			if ends[k].node == tail && s.states[lo+k].reached && ends[k].source && s.spent(lo, ends, k) == spent {
				source, first = k, i+1
			}
		}
	}
	return source, first
}

// spent returns the weight from the first stop to the beginning of the arm that
// an end of a stop lies on.
func (s *pathSearch) spent(lo int, ends []end, k int) int64 {
	return s.states[lo+k].total + int64(ends[k].walk.weight) - int64(ends[k].offset.weight)
}

// comesBy says whether a leg that starts at an end of a stop can come by another
// one, and have cost as much as the leg before as far as that.
func (s *pathSearch) comesBy(ends []end, lo, source int) bool {
	for k := range ends {
		if k != source && s.states[lo+k].reached && ends[k].source && s.spent(lo, ends, k) >= s.spent(lo, ends, source) {
			return true
		}
	}
	return false
}

// best returns the cheapest reached state of stop i; of equal ones that with
// the fewest turns, and of these one against the stored order of its chain, as
// OSRM chooses.
func (s *pathSearch) best(stops []stop, i int) int {
	first, ends := s.first[i], stops[i].ends
	best := -1
	for k := range ends {
		if s.states[first+k].reached && (best < 0 || s.better(stops, i, k, best)) {
			best = k
		}
	}
	return first + max(best, 0)
}

// better compares the states of two ends of stop i.
func (s *pathSearch) better(stops []stop, i, a, b int) bool {
	first, ends := s.first[i], stops[i].ends
	if x, y := s.states[first+a].total, s.states[first+b].total; x != y {
		return x < y
	}
	if x, y := s.turns(stops, i, first+a), s.turns(stops, i, first+b); x != y {
		return x < y
	}
	return ends[a].arm.Reverse() && !ends[b].arm.Reverse()
}

func (s *pathSearch) startSources() { s.sources, s.sourceEnd = s.sources[:0], s.sourceEnd[:0] }
func (s *pathSearch) startTargets() { s.targets, s.targetEnd = s.targets[:0], s.targetEnd[:0] }

// addSource adds the i-th end with the weight spent to get there.
func (s *pathSearch) addSource(i int, e *end, spent graph.Weight) {
	if !e.source {
		return
	}
	s.sources = append(s.sources, graph.Seed{
		Node: e.node, Weight: spent + e.walk.weight - e.offset.weight, Spent: spent + e.walk.weight,
		Duration: e.walk.duration - e.offset.duration, Distance: e.walk.distance - e.offset.distance,
	})
	s.sourceEnd = append(s.sourceEnd, i)
}

// addTarget adds the i-th end, and the copies of its search node.
func (s *pathSearch) addTarget(i int, e *end) {
	if !e.target {
		return
	}
	seed := graph.Seed{
		Node: e.node, Weight: e.offset.weight + e.walk.weight, Spent: e.walk.weight,
		Duration: e.offset.duration + e.walk.duration, Distance: e.offset.distance + e.walk.distance,
	}
	s.targets = append(s.targets, seed)
	s.targetEnd = append(s.targetEnd, i)
	for _, c := range s.net.CopiesOf(e.node) {
		seed.Node = c.Copy
		s.targets = append(s.targets, seed)
		s.targetEnd = append(s.targetEnd, i)
	}
}
