package mld

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/pool"
)

// Labels and the hops of two cliques tell where a path leaves the shortest one and where it
// returns, as its edges do.
func TestDetoursAreExact(t *testing.T) {
	g := testmap.Roads(20_000, 4)
	o := overlayOf(t, g)
	s := o.NewSearch(pool.New())
	rng := rand.New(rand.NewPCG(8, 1))
	checked, hidden, climbed := 0, 0, 0
	for range 20 {
		sources := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes())), Weight: 7}}
		targets := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes())), Weight: 3}}
		_, err := s.Alternatives(t.Context(), sources, targets, 3, graph.AlternativeRules{Shared: 0.7, Optimal: 0.3, Candidates: 20})
		require.NoError(t, err)
		a := &s.alternatives
		for _, x := range a.candidates {
			y := s.glance(x, sources)
			least, most := y.leastDetour(), y.detour
			if least < most {
				hidden++
			}
			if s.climbs[0].top != 0 || s.climbs[1].top != 0 {
				climbed++
			}
			s.settleDetour(&y, false)
			require.GreaterOrEqual(t, y.leastDetour(), least)
			require.LessOrEqual(t, y.detour, most)
			s.settleDetour(&y, true)
			s.pack(s.heaps[0].At(x.slot).Node, sources)
			edges := s.appendPath(nil, s.hops)
			want := s.inspect(sources[s.found.Source].Node, edges)
			require.Equal(t, want.detour, y.leastDetour())
			require.Equal(t, want.detour, y.detour)
			shared := int64(0)
			for _, e := range edges {
				if a.seen.Get(uint32(e))&1 != 0 {
					shared += int64(o.costs[e].Duration)
				}
			}
			require.LessOrEqual(t, y.shared, shared)
			checked++
		}
	}
	require.Greater(t, checked, 200)
	require.Positive(t, hidden)
	require.Positive(t, climbed)
}
