package mld

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/pool"
)

// randomShape returns the numbers of sources and targets of a table.
func randomShape(rng *rand.Rand) (sources, targets int) {
	switch rng.IntN(4) {
	case 0:
		return 1, rng.IntN(12)
	case 1:
		return rng.IntN(12), 1
	case 2:
		return 1 + rng.IntN(3), 1 + rng.IntN(12)
	default:
		return 1 + rng.IntN(12), 1 + rng.IntN(6)
	}
}

func TestRandomTablesAgainstOracle(t *testing.T) {
	networks := 400
	if testing.Short() {
		networks = 40
	}
	first := uint64(1)
	if *seedFlag != 0 {
		first, networks = *seedFlag, 1
	}
	unique, entries := 0, 0
	for seed := first; seed < first+uint64(networks); seed++ {
		rng, g, o, exclude := randomCase(t, seed)
		s := o.NewSearch(pool.New())
		for range 8 {
			set := rng.IntN(len(exclude) + 1)
			s.SetExclude(set)
			var barred graph.Bits
			if set > 0 {
				barred = exclude[set-1]
			}
			m, n := randomShape(rng)
			sources, targets := randomSets(rng, g, m, true), randomSets(rng, g, n, false)
			if m > 0 && n > 0 && rng.IntN(2) == 0 && len(targets[0]) > 0 && len(sources[0]) > 0 {
				targets[0][0].Node = sources[0][0].Node
			}
			rows := 0
			err := s.Table(t.Context(), sources, targets, func(i int, cells []graph.Cell) error {
				rows++
				require.Len(t, cells, n)
				tree := oracle.Grow(g, barred, sources[i])
				ranks := growRanks(g, barred, sources[i])
				for j, cell := range cells {
					entries++
					want := tree.To(targets[j])
					if !want.Reached || want.Weight >= int64(graph.InvalidWeight) {
						require.Equal(t, graph.Cell{Weight: graph.InvalidWeight, Duration: graph.InvalidDuration}, cell, "-seed %d: %v to %v", seed, sources[i], targets[j])
						continue
					}
					require.Equal(t, want.Weight, int64(cell.Weight), "-seed %d: %v to %v, %d x %d", seed, sources[i], targets[j], m, n)
					require.Equal(t, leastDuration(ranks, barred, sources[i], targets[j], want.Weight), int64(cell.Duration), "-seed %d: %v to %v", seed, sources[i], targets[j])
					if want.Unique {
						unique++
						require.Equal(t, want.Duration, int64(cell.Duration), "-seed %d: %v to %v", seed, sources[i], targets[j])
						require.Equal(t, max(0, want.Distance), int64(cell.Distance), "-seed %d: %v to %v", seed, sources[i], targets[j])
					}
				}
				return nil
			})
			require.NoError(t, err)
			require.Equal(t, m, rows)
		}
		s.Release()
	}
	t.Logf("%d entries, %d of a unique path", entries, unique)
}

// pathRank is the weight and duration of a path.
type pathRank struct{ weight, duration int64 }

func (a pathRank) less(b pathRank) bool {
	return a.weight < b.weight || a.weight == b.weight && a.duration < b.duration
}

// growRanks finds the least weight and duration of the paths of at least one edge
// from the sources to all nodes, by Bellman's and Ford's algorithm.
func growRanks(g *graph.Expanded, barred graph.Bits, sources []graph.Seed) []pathRank {
	bars := func(v graph.NodeID) bool { return barred != nil && barred.Get(uint32(v)) }
	ranks := make([]pathRank, g.NumNodes())
	for v := range ranks {
		ranks[v].weight = oracle.Unreached
	}
	var work []graph.NodeID
	relax := func(v graph.NodeID, r pathRank) {
		for _, a := range g.Arcs[g.First[v]:g.First[v+1]] {
			next := pathRank{r.weight + int64(a.Weight), r.duration + int64(a.Duration)}
			if a.Weight != graph.InvalidWeight && !bars(a.Head) && next.less(ranks[a.Head]) {
				ranks[a.Head] = next
				work = append(work, a.Head)
			}
		}
	}
	for _, s := range sources {
		if !bars(s.Node) {
			relax(s.Node, pathRank{int64(s.Weight), int64(s.Duration)})
		}
	}
	for len(work) > 0 {
		v := work[0]
		work = work[1:]
		relax(v, ranks[v])
	}
	return ranks
}

// leastDuration returns that of the paths of a weight to the targets.
func leastDuration(ranks []pathRank, barred graph.Bits, sources, targets []graph.Seed, weight int64) int64 {
	least := int64(math.MaxInt64)
	for _, x := range targets {
		if barred != nil && barred.Get(uint32(x.Node)) {
			continue
		}
		if r := ranks[x.Node]; r.weight+int64(x.Weight) == weight {
			least = min(least, r.duration+int64(x.Duration))
		}
		for _, s := range sources {
			if s.Node == x.Node && s.Precedes(&x) && int64(s.Weight)+int64(x.Weight) == weight {
				least = min(least, int64(s.Duration)+int64(x.Duration))
			}
		}
	}
	return least
}

// randomSets returns sets of seeds, some of them equal, some empty.
func randomSets(rng *rand.Rand, g *graph.Expanded, n int, source bool) [][]graph.Seed {
	sets := make([][]graph.Seed, n)
	for i := range sets {
		switch {
		case rng.IntN(20) == 0:
		case i > 0 && rng.IntN(6) == 0:
			sets[i] = sets[rng.IntN(i)]
		default:
			sets[i] = oracle.RandomSeeds(rng, g, source)
		}
	}
	return sets
}

func TestTableEndsWithTheErrorOfARow(t *testing.T) {
	rng, g, o, _ := randomCase(t, 3)
	s := o.NewSearch(pool.New())
	stop := errors.New("stop")
	for _, shape := range [][2]int{{3, 3}, {8, 1}, {8, 2}} {
		rows := 0
		err := s.Table(t.Context(), randomSets(rng, g, shape[0], true), randomSets(rng, g, shape[1], false), func(int, []graph.Cell) error {
			rows++
			return stop
		})
		require.ErrorIs(t, err, stop)
		require.Equal(t, 1, rows)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, s.Table(ctx, randomSets(rng, g, 3, true), randomSets(rng, g, 3, false), nil), context.Canceled)
}
