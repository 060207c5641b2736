package routing

import (
	"context"
	"math"

	"github.com/fourway-routing/fourway/graph"
)

// pathSearch finds paths between ends. Its memory is kept for the next search;
// it belongs to one goroutine.
type pathSearch struct {
	net      *graph.Network
	metric   *graph.Metric
	searcher searcher
	settled  int // search nodes, by all searches of a chain

	sources, targets []graph.Seed
	sourceEnd        []int // by source seed: index of its end
	targetEnd        []int
	edges            []graph.EdgeID // of all paths found

	found  [][]path
	paths  []path
	states []state
	first  []int // of a stop's states
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
	f, lo, ok, err := s.run(ctx)
	if !ok || err != nil {
		return path{}, false, err
	}
	return path{from: from[s.sourceEnd[f.Source]], to: to[s.targetEnd[f.Target]], edges: s.edges[lo:len(s.edges):len(s.edges)]}, true, nil
}

// routes returns the routes through stops, each as the paths of its legs, best
// first; none if there is no way. They are valid until the next search. Only
// between two stops are there alternatives.
func (s *pathSearch) routes(ctx context.Context, stops []stop, straight bool, alternatives int) ([][]path, error) {
	if alternatives > 0 && len(stops) == 2 {
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
// it could not go on then.
func (s *pathSearch) chain(ctx context.Context, stops []stop, straight bool) ([]path, error) {
	s.edges, s.paths, s.settled = s.edges[:0], s.paths[:0], 0
	if straight && len(stops) > 2 {
		return s.straightChain(ctx, stops)
	}
	for i := range len(stops) - 1 {
		p, ok, err := s.between(ctx, stops[i].ends, stops[i+1].ends)
		if !ok || err != nil {
			return nil, err
		}
		s.paths = append(s.paths, p)
	}
	return s.paths, nil
}

// state is how one end of a stop was reached.
type state struct {
	reached bool
	total   int64 // weight from the first stop
	turns   int   // search edges from the first stop
	before  int   // state of the stop before, where the leg before stopped
	from    int   // end of the stop before, where this leg starts
	lo, hi  int   // of the leg's edges
}

// straightChain is a dynamic program over the directions in which each stop
// can be reached.
func (s *pathSearch) straightChain(ctx context.Context, stops []stop) ([]path, error) {
	for i := range stops {
		if len(stops[i].ends) == 0 {
			return nil, nil // closed roads only
		}
	}
	s.states, s.first = s.states[:0], append(s.first[:0], 0)
	for _, e := range stops[0].ends {
		s.states = append(s.states, state{reached: e.source})
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
			return nil, err
		}
	}
	// Walk back from the best state of the last stop.
	at := s.best(s.first[len(stops)-1], len(s.states), stops[len(stops)-1].ends)
	for range len(stops) - 1 {
		s.paths = append(s.paths, path{})
	}
	for i := len(stops) - 2; i >= 0; i-- {
		st := &s.states[at]
		s.paths[i] = path{
			from:  stops[i].ends[st.from],
			to:    stops[i+1].ends[at-s.first[i+1]],
			edges: s.edges[st.lo:st.hi:st.hi],
		}
		at = st.before
	}
	return s.paths, nil
}

// legs appends the states of stop i+1 and says whether one is reached. With
// turn set, the leg starts in any direction.
func (s *pathSearch) legs(ctx context.Context, stops []stop, i int, turn bool) (reached bool, err error) {
	from, to := stops[i].ends, stops[i+1].ends
	lo, hi := s.first[i], s.first[i+1]
	before := s.best(lo, hi, from)
	s.startSources()
	base := s.states[before].total // keeps keys small however long the route is
	for k := range from {
		st := &s.states[lo+k]
		switch {
		case turn:
			s.addSource(k, &from[k], 0)
		case st.reached:
			s.addSource(k, &from[k], graph.Weight(min(st.total-base, math.MaxInt32/2)))
		}
	}
	for k := range to {
		next := state{}
		if to[k].target && len(s.sources) > 0 {
			s.startTargets()
			s.addTarget(k, &to[k])
			f, start, ok, err := s.run(ctx)
			if err != nil {
				return false, err
			}
			if ok {
				source := s.sourceEnd[f.Source]
				came := before
				if !turn {
					source, start = s.turnBefore(from, lo, source, start, &to[k])
					came = lo + source
				}
				next = state{
					reached: true, total: base + int64(f.Weight), turns: s.states[came].turns + len(s.edges) - start,
					before: came, from: source, lo: start, hi: len(s.edges),
				}
				reached = true
			}
		}
		s.states = append(s.states, next)
	}
	return reached, nil
}

// turnBefore settles a tie: a leg that turns around behind the stop, and comes
// by it again, may as well belong to the leg before as far as that. It is then
// given to that one, whatever order the search algorithm visits roads in. The
// leg's edges are s.edges[start:], it stops at target; returned are the end that
// the leg starts at and its new first edge.
func (s *pathSearch) turnBefore(ends []end, lo, source, start int, target *end) (int, int) {
	tail := ends[source].node
	spent := s.states[lo+source].total - int64(ends[source].offset.weight)
	first := start
	for i := start; i < len(s.edges); i++ {
		e := s.edges[i]
		spent += int64(s.metric.EdgeWeight(tail, e))
		tail = s.net.EdgeHead[e]
		for k := range ends {
			if i == len(s.edges)-1 && ends[k].offset.weight > target.offset.weight {
				continue // the leg stops before it comes by
			}
			if st := &s.states[lo+k]; ends[k].node == tail && st.reached && ends[k].source &&
				st.total-int64(ends[k].offset.weight) == spent {
				source, first = k, i+1
			}
		}
	}
	return source, first
}

// best returns the cheapest reached state of a stop; of equal ones that with
// the fewest turns, and of these one against the stored order of its chain, as
// OSRM chooses.
func (s *pathSearch) best(lo, hi int, ends []end) int {
	best := -1
	for k := lo; k < hi; k++ {
		if !s.states[k].reached {
			continue
		}
		if best < 0 || s.better(k, best, ends[k-lo].arm.Reverse() && !ends[best-lo].arm.Reverse()) {
			best = k
		}
	}
	return max(best, lo)
}

func (s *pathSearch) better(a, b int, tie bool) bool {
	x, y := &s.states[a], &s.states[b]
	if x.total != y.total {
		return x.total < y.total
	}
	if x.turns != y.turns {
		return x.turns < y.turns
	}
	return tie
}

func (s *pathSearch) startSources() { s.sources, s.sourceEnd = s.sources[:0], s.sourceEnd[:0] }
func (s *pathSearch) startTargets() { s.targets, s.targetEnd = s.targets[:0], s.targetEnd[:0] }

// addSource adds the i-th end with the weight spent to get there.
func (s *pathSearch) addSource(i int, e *end, spent graph.Weight) {
	if !e.source {
		return
	}
	s.sources = append(s.sources, graph.Seed{
		Node: e.node, Weight: spent - e.offset.weight, Spent: spent, Duration: -e.offset.duration, Distance: -e.offset.distance,
	})
	s.sourceEnd = append(s.sourceEnd, i)
}

// addTarget adds the i-th end, and the copies of its search node.
func (s *pathSearch) addTarget(i int, e *end) {
	if !e.target {
		return
	}
	seed := graph.Seed{Node: e.node, Weight: e.offset.weight, Duration: e.offset.duration, Distance: e.offset.distance}
	s.targets = append(s.targets, seed)
	s.targetEnd = append(s.targetEnd, i)
	for _, c := range s.net.CopiesOf(e.node) {
		seed.Node = c.Copy
		s.targets = append(s.targets, seed)
		s.targetEnd = append(s.targetEnd, i)
	}
}

// run searches from sources to targets and appends the path to s.edges, from
// lo on.
func (s *pathSearch) run(ctx context.Context) (f graph.Found, lo int, ok bool, err error) {
	if len(s.sources) == 0 || len(s.targets) == 0 {
		return f, 0, false, ctx.Err()
	}
	f, ok, err = s.searcher.Shortest(ctx, s.sources, s.targets)
	s.settled += s.searcher.Settled()
	if !ok || err != nil {
		return f, 0, false, err
	}
	lo = len(s.edges)
	s.edges = s.searcher.Path(s.edges)
	return f, lo, true, nil
}
