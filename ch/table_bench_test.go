package ch

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/pool"
)

// places returns sets of one seed each, at random places.
func (d *delaware) places(rng *rand.Rand, n int, sign graph.Weight) [][]graph.Seed {
	sets := make([][]graph.Seed, n)
	for i := range sets {
		sets[i] = []graph.Seed{d.somewhere(rng, sign)}
	}
	return sets
}

func TestDelawareTablesAgainstOracle(t *testing.T) {
	d := openDelaware(t)
	rng := rand.New(rand.NewPCG(4, 1))
	s := d.hierarchy.NewSearch(pool.New())
	for set := range len(d.exclude) + 1 {
		s.SetExclude(set)
		var barred graph.Bits
		if set > 0 {
			barred = d.exclude[set-1]
		}
		sources, targets := d.places(rng, 3, -1), d.places(rng, 60, 1)
		for i := range sources {
			sources[i] = append(sources[i], d.somewhere(rng, -1))
		}
		trees := make([]*oracle.Tree, len(sources))
		for i := range sources {
			trees[i] = oracle.Grow(d.graph, barred, sources[i])
		}
		for _, way := range []tableWay{byBuckets, downward, upward} {
			require.NoError(t, s.tableBy(t.Context(), way, sources, targets, func(i int, cells []graph.Cell) error {
				for j, cell := range cells {
					want := trees[i].To(targets[j])
					require.Equal(t, want.Reached, cell.Weight != graph.InvalidWeight)
					if want.Reached {
						require.Equal(t, want.Weight, int64(cell.Weight))
					}
					if want.Unique {
						require.Equal(t, want.Duration, int64(cell.Duration))
						require.Equal(t, want.Distance, int64(cell.Distance))
					}
				}
				return nil
			}))
		}
	}
}

// BenchmarkDelawareTable measures tables with durations and distances. OSRM 26.8
// takes 7.5 ms for 25 x 25 and 18 ms for 50 x 50.
func BenchmarkDelawareTable(b *testing.B) {
	d := openDelaware(b)
	for _, shape := range [][2]int{{3, 3}, {25, 25}, {50, 50}, {100, 100}, {1000, 1000}, {1, 100}, {100, 1}, {1, 1000}, {1000, 1}, {4, 1000}, {1000, 4}, {16, 1000}} {
		rng := rand.New(rand.NewPCG(5, 1))
		sources, targets := d.places(rng, shape[0], -1), d.places(rng, shape[1], 1)
		for _, way := range []tableWay{byRule, byBuckets, downward, upward} {
			if way == downward && shape[0] > 100 || way == upward && shape[1] > 100 {
				continue
			}
			name := [...]string{"rule", "buckets", "downward", "upward"}[way]
			b.Run(fmt.Sprintf("shape=%dx%d/way=%s", shape[0], shape[1], name), func(b *testing.B) {
				s := d.hierarchy.NewSearch(pool.New())
				b.ReportAllocs()
				var took []time.Duration
				for b.Loop() {
					start := time.Now()
					err := s.tableBy(b.Context(), way, sources, targets, func(int, []graph.Cell) error { return nil })
					if err != nil {
						b.Fatal(err)
					}
					took = append(took, time.Since(start))
				}
				b.ReportMetric(float64(slices.Min(took).Nanoseconds())/1000, "min-µs")
				b.ReportMetric(float64(s.Settled())/float64(shape[0]+shape[1]), "settled/set")
			})
		}
	}
}
