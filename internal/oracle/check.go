package oracle

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
)

// Question is a search and what it has to find.
type Question struct {
	Sources, Targets []graph.Seed
	Want             Answer
}

// CheckShortest asks a searcher for the path of a question, and follows it.
func CheckShortest(t testing.TB, g *graph.Expanded, barred graph.Bits, s graph.Searcher, q *Question, where string) {
	t.Helper()
	f, ok, err := s.Shortest(t.Context(), q.Sources, q.Targets)
	require.NoError(t, err)
	q.check(t, g, barred, f, ok, s.Path(nil), where)
}

// CheckFrom asks a searcher the questions, all of the same sources, one after the
// other, and follows the paths it has kept in the end.
func CheckFrom(t testing.TB, g *graph.Expanded, barred graph.Bits, s graph.Searcher, questions []Question, where string) {
	t.Helper()
	s.Forget()
	found := make([]graph.Found, len(questions))
	reached := make([]bool, len(questions))
	s.From(questions[0].Sources)
	for i := range questions {
		var err error
		found[i], reached[i], err = s.To(t.Context(), questions[i].Targets)
		require.NoError(t, err)
		require.Equal(t, i, s.Keep())
	}
	for i := range questions {
		edges := s.KeptPath(i, nil)
		questions[i].check(t, g, barred, found[i], reached[i], edges, where)
		if d, cm, ok := s.KeptCost(i); ok {
			var sum Path
			for _, e := range edges {
				sum.Duration += int64(g.Arcs[e].Duration)
				sum.Distance += int64(g.Arcs[e].Distance)
			}
			require.Equal(t, sum, Path{Duration: int64(d), Distance: cm}, where)
		}
	}
}

func (q *Question) check(t testing.TB, g *graph.Expanded, barred graph.Bits, f graph.Found, ok bool, edges []graph.EdgeID, where string) {
	t.Helper()
	if ok != q.Want.Reached || ok && int64(f.Weight) != q.Want.Weight {
		t.Fatalf("%s: from %v to %v: found %v %v, want %+v", where, q.Sources, q.Targets, ok, f, q.Want)
	}
	if !ok {
		require.Empty(t, edges)
		return
	}
	p, err := CheckPath(g, barred, q.Sources[f.Source], q.Targets[f.Target], edges)
	require.NoError(t, err, "%s: from %v to %v", where, q.Sources, q.Targets)
	require.Equal(t, q.Want.Weight, p.Weight, "%s: from %v to %v: path %v", where, q.Sources, q.Targets, edges)
	if q.Want.Unique {
		require.Equal(t, q.Want.Duration, p.Duration, "%s: duration from %v to %v", where, q.Sources, q.Targets)
		require.Equal(t, q.Want.Distance, p.Distance, "%s: distance from %v to %v", where, q.Sources, q.Targets)
	}
}
