package ch

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/file"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/pool"
	"github.com/fourway-routing/fourway/profile"
)

// delaware is the state's roads for cars, and the sets of classes that a car
// can exclude.
type delaware struct {
	network   *graph.Network
	graph     *graph.Expanded
	exclude   []graph.Bits
	hierarchy *Hierarchy
	order     func() (*Order, error)
}

// dissected returns the Order of the network.
func (d *delaware) dissected(tb testing.TB) *Order {
	tb.Helper()
	o, err := d.order()
	require.NoError(tb, err)
	return o
}

var delawareOnce struct {
	sync.Once
	*delaware
}

func openDelaware(tb testing.TB) *delaware {
	tb.Helper()
	delawareOnce.Do(func() {
		f, err := osmfile.Open(osmdata.Delaware(tb))
		require.NoError(tb, err)
		car, err := profile.ByName("car")
		require.NoError(tb, err)
		r, err := extract.Run(context.Background(), f, car, extract.Options{})
		require.NoError(tb, err)
		d := &delaware{network: r.Network, graph: graph.Expand(r.Network, r.Metric)}
		n := r.Network
		for _, classes := range n.Properties.Excludable {
			set := graph.MakeBits(n.NumNodes())
			for v, arm := range n.NodeArm {
				if n.Roads[n.ArmRoad[arm]].Classes&classes != 0 {
					set.Set(uint32(v))
				}
			}
			d.exclude = append(d.exclude, set)
		}
		d.hierarchy, err = Contract(context.Background(), d.graph, Options{Exclude: d.exclude})
		require.NoError(tb, err)
		d.order = sync.OnceValues(func() (*Order, error) {
			return Dissect(context.Background(), d.network, OrderOptions{})
		})
		delawareOnce.delaware = d
	})
	require.NotNil(tb, delawareOnce.delaware, "Delaware could not be prepared, see the first test that tried")
	return delawareOnce.delaware
}

// somewhere returns a place halfway along a random node that can be left.
func (d *delaware) somewhere(rng *rand.Rand, sign graph.Weight) graph.Seed {
	for {
		v := graph.NodeID(rng.IntN(d.graph.NumNodes()))
		if first := d.graph.First[v]; first < d.graph.First[v+1] && d.graph.Arcs[first].Weight != graph.InvalidWeight {
			a := &d.graph.Arcs[first]
			return graph.Seed{
				Node:     v,
				Weight:   sign * (a.Weight / 2),
				Duration: graph.Duration(sign) * (a.Duration / 2),
				Distance: int64(sign) * int64(a.Distance/2),
			}
		}
	}
}

func TestDelawareAgainstOracle(t *testing.T) {
	d := openDelaware(t)
	require.NoError(t, d.hierarchy.Verify())
	nodes := d.graph.NumNodes()
	bytes := 8 * (float64(len(d.hierarchy.first))/2 + float64(d.hierarchy.first[2*nodes]))
	t.Logf("%d nodes, %.1f bytes of index and hot arcs a node", nodes, bytes/float64(nodes))
	require.LessOrEqual(t, bytes/float64(nodes), 55.0)

	trees, pairs := 16, 100
	if testing.Short() {
		trees = 4
	}
	rng := rand.New(rand.NewPCG(3, 1))
	s := d.hierarchy.NewSearch(pool.New())
	for i := range trees {
		set := i % (len(d.exclude) + 1)
		s.SetExclude(set)
		var barred graph.Bits
		if set > 0 {
			barred = d.exclude[set-1]
		}
		sources := []graph.Seed{d.somewhere(rng, -1), d.somewhere(rng, -1)}
		tree := oracle.Grow(d.graph, barred, sources)
		for range pairs {
			targets := []graph.Seed{d.somewhere(rng, 1)}
			oracle.CheckShortest(t, d.graph, barred, s, &oracle.Question{Sources: sources, Targets: targets, Want: tree.To(targets)}, "delaware")
		}
	}
}

// BenchmarkDelaware measures preparing, opening and searching. OSRM 26.8 needs
// 25.2 s (48.6 CPU seconds) to contract.
func BenchmarkDelaware(b *testing.B) {
	d := openDelaware(b)
	h := d.hierarchy
	b.Run("contract", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := Contract(b.Context(), d.graph, Options{Exclude: d.exclude})
			require.NoError(b, err)
		}
	})
	b.Run("open", func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "delaware.ch")
		_, err := h.WriteFile(path, graph.ID{1}, graph.ID{2})
		require.NoError(b, err)
		for b.Loop() {
			f, err := file.Open(path, file.Options{})
			require.NoError(b, err)
			_, err = decode(f, d.graph.NumNodes(), len(d.graph.Arcs))
			require.NoError(b, err)
			require.NoError(b, f.Close())
		}
	})
	rng := rand.New(rand.NewPCG(1, 1))
	queries := make([][2]graph.Seed, 1000)
	for i := range queries {
		queries[i] = [2]graph.Seed{d.somewhere(rng, -1), d.somewhere(rng, 1)}
	}
	for _, c := range []struct {
		name   string
		unpack bool
	}{{"search", false}, {"search+path", true}} {
		b.Run(c.name, func(b *testing.B) {
			s := h.NewSearch(pool.New())
			edges := make([]graph.EdgeID, 0, d.graph.NumNodes())
			best := make([]time.Duration, len(queries))
			settled, i := 0, 0
			b.ReportAllocs()
			for b.Loop() {
				q := &queries[i%len(queries)]
				start := time.Now()
				_, _, err := s.Shortest(b.Context(), q[:1], q[1:])
				if err != nil {
					b.Fatal(err)
				}
				if c.unpack {
					edges = s.Path(edges[:0])
				}
				if took := time.Since(start); i < len(queries) || took < best[i%len(queries)] {
					best[i%len(queries)] = took
				}
				settled += s.Settled()
				i++
			}
			best = best[:min(i, len(best))]
			slices.Sort(best)
			b.ReportMetric(float64(settled)/float64(i), "settled/op")
			b.ReportMetric(float64(best[len(best)/2].Nanoseconds())/1000, "p50-µs")
			b.ReportMetric(float64(best[len(best)*99/100].Nanoseconds())/1000, "p99-µs")
		})
	}
}
