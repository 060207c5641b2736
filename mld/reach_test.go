package mld

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/pool"
)

func TestReachAgainstOracle(t *testing.T) {
	for seed := uint64(1); seed <= 100; seed++ {
		rng, g, o, exclude := randomCase(t, seed)
		s := o.NewSearch(pool.New())
		for round := range 10 {
			set := rng.IntN(len(exclude) + 1)
			s.SetExclude(set)
			var barred graph.Bits
			if set > 0 {
				barred = exclude[set-1]
			}
			sources := oracle.RandomSeeds(rng, g, true)
			tree := oracle.Grow(g, barred, sources)
			ranks := growRanks(g, barred, sources)
			var limit Limit
			if round%2 == 1 {
				limit.Weight = graph.Weight(1 + rng.IntN(1000))
			}
			if round%4 >= 2 {
				limit.Duration = graph.Duration(1 + rng.IntN(3000))
			}
			got := map[graph.NodeID]graph.Cell{}
			last := graph.Weight(-1 << 31)
			require.NoError(t, s.Reach(t.Context(), sources, limit, func(v graph.NodeID, c graph.Cell) error {
				require.GreaterOrEqual(t, c.Weight, last)
				last = c.Weight
				require.NotContains(t, got, v)
				got[v] = c
				return nil
			}))
			for v := range graph.NodeID(g.NumNodes()) {
				weight := tree.Weight[v]
				if weight == oracle.Unreached || weight >= int64(graph.InvalidWeight) || limit.Weight != 0 && weight > int64(limit.Weight) {
					require.NotContains(t, got, v, "-seed %d", seed)
					continue
				}
				want := tree.To([]graph.Seed{{Node: v}})
				duration, distance, unique := want.Duration, want.Distance, want.Unique && want.Weight == weight
				c, ok := got[v]
				require.Equal(t, limit.Duration == 0 || ranks[v].duration <= int64(limit.Duration), ok, "-seed %d", seed)
				if ok {
					require.Equal(t, ranks[v].duration, int64(c.Duration), "-seed %d", seed)
					require.Equal(t, weight, int64(c.Weight), "-seed %d", seed)
					require.True(t, limit.Duration == 0 || c.Duration <= limit.Duration)
				}
				if ok && unique {
					require.Equal(t, duration, int64(c.Duration), "-seed %d", seed)
					require.Equal(t, max(0, distance), int64(c.Distance), "-seed %d", seed)
				}
			}
		}
		s.Release()
	}
}

func TestReachEndsWithTheErrorOfVisit(t *testing.T) {
	_, g, o, _ := randomCase(t, 3)
	s := o.NewSearch(pool.New())
	stop := errors.New("stop")
	calls := 0
	for v := range graph.NodeID(g.NumNodes()) {
		err := s.Reach(t.Context(), []graph.Seed{{Node: v}}, Limit{}, func(graph.NodeID, graph.Cell) error {
			calls++
			return stop
		})
		if err != nil {
			require.ErrorIs(t, err, stop)
			require.Equal(t, 1, calls)
			return
		}
	}
	t.Fatal("no node reaches another")
}
