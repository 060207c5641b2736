package routing

import (
	"context"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// alternatives returns the cheapest route from one stop to another, and up to n
// alternatives to it, as routes does.
func (s *pathSearch) alternatives(ctx context.Context, from, to *stop, n int) ([][]path, error) {
	s.edges, s.paths, s.found, s.settled, s.cells = s.edges[:0], s.paths[:0], s.found[:0], 0, 0
	s.startSources()
	for i := range from.ends {
		s.addSource(i, &from.ends[i], 0)
	}
	s.startTargets()
	for i := range to.ends {
		s.addTarget(i, &to.ends[i])
	}
	if len(s.sources) == 0 || len(s.targets) == 0 {
		return nil, ctx.Err()
	}
	rules := graph.AlternativeRulesFor(geo.Distance(from.phantoms[0].Place, to.phantoms[0].Place))
	count, err := s.searcher.Alternatives(ctx, s.sources, s.targets, n, rules)
	s.count()
	if err != nil {
		return nil, err
	}
	for i := range count {
		lo := len(s.edges)
		var f graph.Found
		f, s.edges = s.searcher.AlternativePath(i, s.edges)
		s.paths = append(s.paths, path{
			from:  from.ends[s.sourceEnd[f.Source]],
			to:    to.ends[s.targetEnd[f.Target]],
			edges: s.edges[lo:len(s.edges):len(s.edges)],
		})
	}
	for i := range s.paths {
		s.found = append(s.found, s.paths[i:i+1:i+1])
	}
	return s.found, nil
}
