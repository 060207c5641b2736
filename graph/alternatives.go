package graph

import (
	"context"
	"math"
)

// AlternativeRules say which paths count as alternatives to the shortest one.
type AlternativeRules struct {
	// Shared is the most that an alternative may share with the shortest path and
	// the alternatives before it, as a part of its own duration.
	Shared float64
	// Optimal says how long a piece of an alternative must be a shortest path
	// wherever it lies, as a part of the way between where it leaves the shortest
	// path first and comes back to it last.
	Optimal float64
	// Candidates is the number of paths to look at closely, for each alternative
	// wished for.
	Candidates int
}

// AlternativeRulesFor returns the rules for two places so many meters apart: over a
// short distance there are many paths, and only very different ones are worth
// showing. The figures are those of OSRM, except that Optimal is 3.5 times its: it
// measures by the nodes that a packed path has, and misses most of the length. So
// much the same alternatives pass.
func AlternativeRulesFor(meters float64) AlternativeRules {
	switch {
	case meters < 10_000:
		return AlternativeRules{Shared: 0.5, Optimal: 0.7, Candidates: 10}
	case meters < 20_000:
		return AlternativeRules{Shared: 0.6, Optimal: 0.7, Candidates: 8}
	case meters < 50_000:
		return AlternativeRules{Shared: 0.65, Optimal: 0.35, Candidates: 6}
	case meters < 100_000:
		return AlternativeRules{Shared: 0.7, Optimal: 0.35, Candidates: 4}
	}
	return AlternativeRules{Shared: 0.75, Optimal: 0.35, Candidates: 2}
}

// AlternativeStretch returns how much longer than a shortest path of the duration an
// alternative may be, as a part of the duration: 1 below five minutes, about 0.5 at
// half an hour, 0.2 above ten hours. The curve is that of OSRM.
func AlternativeStretch(shortest Duration) float64 {
	seconds := float64(shortest) / 10
	switch {
	case seconds < 5*60:
		return 1
	case seconds > 10*60*60:
		return 0.2
	}
	x := seconds + 2079.44571
	return 0.191578463 + 1351.18442/x + 2.45437877e9/math.Pow(x, 3)
}

// AlternativeSearcher finds alternatives to a shortest path. It is owned by one
// goroutine at a time and keeps its working memory.
type AlternativeSearcher interface {
	// Alternatives finds the path that Searcher.Shortest finds, and up to n
	// alternatives to it: paths over some node in the middle, shortest up to it and
	// from it on, that keep the rules. It returns the number of paths, 0 if there is
	// none at all. The first is the shortest, then come those that share the least
	// with the ones lighter than them. A done context ends the search with an error
	// that errors.Is the context's.
	Alternatives(ctx context.Context, sources, targets []Seed, n int, rules AlternativeRules) (count int, err error)
	// AlternativePath appends the edges of the i-th path that Alternatives last
	// found, first to last. It is valid until the next search.
	AlternativePath(i int, dst []EdgeID) (Found, []EdgeID)
}
