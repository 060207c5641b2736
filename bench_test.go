package fourway_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/ch"
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/mld"
	"github.com/fourway-routing/fourway/pool"
	"github.com/fourway-routing/fourway/profile"
	"github.com/fourway-routing/fourway/routing"
)

// seed of all random choices, as in OSRM's own benchmarks.
const seed = 42

// delaware is the prepared extract, built once for all benchmarks.
var (
	delaware     prepared
	delawareOnce sync.Once
)

type prepared struct {
	network   *graph.Network
	metric    *graph.Metric
	expanded  *graph.Expanded
	hierarchy *ch.Hierarchy
	cells     *mld.Cells
	overlay   *mld.Overlay
}

// excluded returns the search nodes that each excludable set of classes closes.
func (p *prepared) excluded() []graph.Bits {
	var sets []graph.Bits
	for _, mask := range p.network.Properties.Excludable {
		set := graph.MakeBits(p.network.NumNodes())
		for v, arm := range p.network.NodeArm {
			if p.network.Roads[p.network.ArmRoad[arm]].Classes&mask != 0 {
				set.Set(uint32(v))
			}
		}
		sets = append(sets, set)
	}
	return sets
}

func loadDelaware(b *testing.B) *prepared {
	b.Helper()
	delawareOnce.Do(func() {
		file, err := osmfile.Open(osmdata.Delaware(b))
		require.NoError(b, err)
		car, err := profile.ByName("car")
		require.NoError(b, err)
		r, err := extract.Run(b.Context(), file, car, extract.Options{})
		require.NoError(b, err)
		p := &delaware
		p.network, p.metric = r.Network, r.Metric
		p.expanded = graph.Expand(p.network, p.metric)
		p.hierarchy, err = ch.Contract(b.Context(), p.expanded, ch.Options{Exclude: p.excluded()})
		require.NoError(b, err)
		p.cells, err = mld.Partition(b.Context(), p.network, mld.Options{})
		require.NoError(b, err)
		p.overlay, err = mld.Customize(b.Context(), p.cells, p.expanded, mld.CustomizeOptions{Exclude: p.excluded()})
		require.NoError(b, err)
	})
	require.NotNil(b, delaware.overlay, "the build failed in an earlier benchmark")
	return &delaware
}

// pairs are random search nodes of the large component, as seeds.
func (p *prepared) pairs(n int) (from, to [][]graph.Seed) {
	rng := rand.New(rand.NewPCG(seed, 0))
	pick := func() []graph.Seed {
		for {
			if v := rng.IntN(p.network.NumNodes()); !p.network.NodeComponent[v].Small() {
				return []graph.Seed{{Node: graph.NodeID(v)}}
			}
		}
	}
	for range n {
		from, to = append(from, pick()), append(to, pick())
	}
	return from, to
}

// places are random places on roads, moved by up to about 100 m.
func (p *prepared) places(n int) []orb.Point {
	rng := rand.New(rand.NewPCG(seed, 1))
	points := make([]orb.Point, n)
	for i := range points {
		c := p.network.Coords[rng.IntN(len(p.network.Coords))]
		c.Lon += rng.Int32N(2000) - 1000
		c.Lat += rng.Int32N(2000) - 1000
		points[i][0], points[i][1] = c.LonLat()
	}
	return points
}

// times keeps one duration per call and reports the median and the 99th
// percentile of what it saw.
type times []time.Duration

func (t times) report(b *testing.B) {
	slices.Sort(t)
	at := func(q float64) float64 { return float64(t[int(q*float64(len(t)-1))].Nanoseconds()) }
	b.ReportMetric(at(0.5), "p50-ns")
	b.ReportMetric(at(0.99), "p99-ns")
}

func BenchmarkExtract(b *testing.B) {
	path := osmdata.Delaware(b)
	car, err := profile.ByName("car")
	require.NoError(b, err)
	for b.Loop() {
		file, err := osmfile.Open(path)
		require.NoError(b, err)
		_, err = extract.Run(b.Context(), file, car, extract.Options{})
		require.NoError(b, err)
	}
}

func BenchmarkContract(b *testing.B) {
	p := loadDelaware(b)
	for b.Loop() {
		_, err := ch.Contract(b.Context(), p.expanded, ch.Options{Exclude: p.excluded()})
		require.NoError(b, err)
	}
}

func BenchmarkPartition(b *testing.B) {
	p := loadDelaware(b)
	for b.Loop() {
		_, err := mld.Partition(b.Context(), p.network, mld.Options{})
		require.NoError(b, err)
	}
}

// BenchmarkCustomize prepares one metric.
func BenchmarkCustomize(b *testing.B) {
	p := loadDelaware(b)
	for b.Loop() {
		_, err := mld.Customize(b.Context(), p.cells, p.expanded, mld.CustomizeOptions{})
		require.NoError(b, err)
	}
}

// searcher is what both algorithms offer.
type searcher interface {
	graph.Searcher
	graph.ManyToMany
	Settled() int
}

func (p *prepared) searchers(memory *pool.Allocator) map[string]searcher {
	return map[string]searcher{"ch": p.hierarchy.NewSearch(memory), "mld": p.overlay.NewSearch(memory)}
}

var algorithms = []string{"ch", "mld"}

// BenchmarkSearch is the search alone, between random search nodes. Beside it
// stand the unpacking of its paths, and the oracle of the tests, a plain Dijkstra
// to all nodes.
func BenchmarkSearch(b *testing.B) {
	p := loadDelaware(b)
	from, to := p.pairs(1000)
	searchers := p.searchers(pool.New())
	for i := range 5 {
		want := oracle.Grow(p.expanded, nil, from[i]).To(to[i])
		for _, algo := range algorithms {
			f, ok, err := searchers[algo].Shortest(b.Context(), from[i], to[i])
			require.NoError(b, err)
			require.Equal(b, want.Reached, ok)
			require.Equal(b, want.Weight, int64(f.Weight))
		}
	}
	for _, algo := range algorithms {
		search := searchers[algo]
		b.Run("map=delaware/algo="+algo, func(b *testing.B) {
			b.ReportAllocs()
			var t times
			i, settled := 0, 0
			for b.Loop() {
				k := i % len(from)
				start := time.Now()
				_, _, err := search.Shortest(b.Context(), from[k], to[k])
				t = append(t, time.Since(start))
				if err != nil {
					b.Fatal(err)
				}
				settled += search.Settled()
				i++
			}
			t.report(b)
			b.ReportMetric(float64(settled)/float64(i), "settled/op")
		})
		b.Run("map=delaware/algo="+algo+"/unpack", func(b *testing.B) {
			var t times
			var path []graph.EdgeID
			edges, i := 0, 0
			for b.Loop() {
				k := i % len(from)
				if _, _, err := search.Shortest(b.Context(), from[k], to[k]); err != nil {
					b.Fatal(err)
				}
				start := time.Now()
				path = search.Path(path[:0])
				t = append(t, time.Since(start))
				edges += len(path)
				i++
			}
			t.report(b)
			b.ReportMetric(float64(edges)/float64(i), "edges/op")
		})
	}
	b.Run("map=delaware/algo=dijkstra", func(b *testing.B) {
		i := 0
		for b.Loop() {
			oracle.Grow(p.expanded, nil, from[i%len(from)])
			i++
		}
	})
}

// BenchmarkTable computes tables of weight, duration and distance between random
// search nodes.
func BenchmarkTable(b *testing.B) {
	p := loadDelaware(b)
	from, to := p.pairs(1000)
	searchers := p.searchers(pool.New())
	for _, algo := range algorithms {
		search := searchers[algo]
		for _, shape := range [][2]int{{3, 3}, {25, 25}, {50, 50}, {100, 100}, {1, 1000}, {1000, 1}, {1000, 1000}} {
			b.Run(fmt.Sprintf("map=delaware/algo=%s/%dx%d", algo, shape[0], shape[1]), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					err := search.Table(b.Context(), from[:shape[0]], to[:shape[1]], func(int, []graph.Cell) error { return nil })
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func openDelaware(b *testing.B, algorithm routing.Algorithm) *routing.Engine {
	b.Helper()
	name := filepath.Join(b.TempDir(), "delaware")
	_, err := routing.Build(b.Context(), routing.BuildOptions{
		Input: osmdata.Delaware(b), Output: name, Algorithms: []routing.Algorithm{algorithm},
	})
	require.NoError(b, err)
	engine, err := routing.Open(name, routing.Options{Algorithm: algorithm})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, engine.Close()) })
	return engine
}

// BenchmarkOpen opens the prepared files of Delaware.
func BenchmarkOpen(b *testing.B) {
	name := filepath.Join(b.TempDir(), "delaware")
	_, err := routing.Build(b.Context(), routing.BuildOptions{Input: osmdata.Delaware(b), Output: name})
	require.NoError(b, err)
	for b.Loop() {
		engine, err := routing.Open(name, routing.Options{})
		require.NoError(b, err)
		require.NoError(b, engine.Close())
	}
}

// BenchmarkNearest snaps random places, up to the response and without JSON.
func BenchmarkNearest(b *testing.B) {
	engine := openDelaware(b, routing.CH)
	points := loadDelaware(b).places(1000)
	for _, number := range []int{1, 5, 10} {
		b.Run(fmt.Sprintf("map=delaware/number=%d", number), func(b *testing.B) {
			session := engine.Session()
			defer session.Close()
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				req := routing.NearestRequest{Coordinate: points[i%len(points)], Number: number, NoHints: true}
				if _, err := session.Nearest(b.Context(), req); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}

// BenchmarkSnap is what BenchmarkNearest does without the response.
func BenchmarkSnap(b *testing.B) {
	p := loadDelaware(b)
	var coords []geo.Coord
	for _, c := range p.places(1000) {
		coords = append(coords, geo.FromLonLat(c[0], c[1]))
	}
	snapper := graph.NewSnapper(p.network, p.metric, pool.New())
	for _, number := range []int{1, 5, 10} {
		b.Run(fmt.Sprintf("map=delaware/number=%d", number), func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if _, err := snapper.Nearest(b.Context(), coords[i%len(coords)], number, graph.SnapOptions{}); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}

// requests are OSRM's own benchmark requests, and a few of ours.
var requests = []struct {
	name string
	run  func(context.Context, *routing.Session, []orb.Point) (answer, error)
	// coordinates of a request
	coordinates int
}{
	{"route/coordinates=2/plain", plainRoute, 2},
	{"route/coordinates=3/plain", plainRoute, 3},
	{"route/coordinates=3/full", fullRoute, 3},
	{"route/coordinates=2/alternatives=3/plain", alternativeRoutes, 2},
	{"table/coordinates=3", table, 3},
	{"table/coordinates=25", table, 25},
	{"table/coordinates=50", table, 50},
	{"trip/coordinates=3", trip, 3},
	{"trip/coordinates=5", trip, 5},
}

// answer is a response of any service.
type answer interface{ AppendJSON([]byte) []byte }

func plainRoute(ctx context.Context, s *routing.Session, c []orb.Point) (answer, error) {
	return s.Route(ctx, routing.RouteRequest{Coordinates: c, NoHints: true, Overview: routing.OverviewFalse})
}

func fullRoute(ctx context.Context, s *routing.Session, c []orb.Point) (answer, error) {
	return s.Route(ctx, routing.RouteRequest{Coordinates: c, NoHints: true, Overview: routing.OverviewFull, Steps: true})
}

func alternativeRoutes(ctx context.Context, s *routing.Session, c []orb.Point) (answer, error) {
	return s.Route(ctx, routing.RouteRequest{Coordinates: c, NoHints: true, Overview: routing.OverviewFalse, Alternatives: 3})
}

func table(ctx context.Context, s *routing.Session, c []orb.Point) (answer, error) {
	return s.Table(ctx, routing.TableRequest{Coordinates: c, NoHints: true, Annotations: routing.TableDurations | routing.TableDistances})
}

func trip(ctx context.Context, s *routing.Session, c []orb.Point) (answer, error) {
	return s.Trip(ctx, routing.TripRequest{Coordinates: c, NoHints: true, Overview: routing.OverviewFalse})
}

// BenchmarkRequest answers whole requests between random places, JSON included.
// Requests without an answer count too: they are as OSRM's benchmark has them.
func BenchmarkRequest(b *testing.B) {
	points := loadDelaware(b).places(5000)
	for _, algorithm := range []routing.Algorithm{routing.CH, routing.MLD} {
		engine := openDelaware(b, algorithm)
		for _, r := range requests {
			b.Run("map=delaware/algo="+algorithm.String()+"/"+r.name, func(b *testing.B) {
				session := engine.Session()
				defer session.Close()
				b.ReportAllocs()
				var t times
				var json []byte
				next, answered := 0, 0
				for b.Loop() {
					if next+r.coordinates > len(points) {
						next = 0
					}
					c := points[next : next+r.coordinates]
					next += r.coordinates
					start := time.Now()
					res, err := r.run(b.Context(), session, c)
					if err == nil {
						json = res.AppendJSON(json[:0])
						answered++
					}
					t = append(t, time.Since(start))
				}
				t.report(b)
				b.ReportMetric(100*float64(answered)/float64(len(t)), "%answered")
			})
		}
	}
}

// BenchmarkGrowth builds made-up countries of growing size and reports the
// exponent that fits the time of each stage.
func BenchmarkGrowth(b *testing.B) {
	sizes := []int{100_000, 300_000, 1_000_000}
	if testing.Short() {
		sizes = []int{10_000, 30_000}
	}
	for b.Loop() {
		took := map[string][]float64{}
		for _, n := range sizes {
			var file bytes.Buffer
			require.NoError(b, testmap.City(&file, n, seed))
			report, err := routing.Build(b.Context(), routing.BuildOptions{
				Input: "country.osm.pbf", Reader: &file, Output: filepath.Join(b.TempDir(), "country"),
			})
			require.NoError(b, err)
			for _, s := range report.Stages {
				took[s.Name] = append(took[s.Name], max(s.CPU, s.Wall).Seconds())
				b.ReportMetric(max(s.CPU, s.Wall).Seconds(), fmt.Sprintf("%s-%dk-s", s.Name, n/1000))
			}
		}
		for stage, t := range took {
			b.ReportMetric(exponent(sizes, t), stage+"-exponent")
		}
	}
}

// exponent fits t = c·n^e by least squares of the logarithms.
func exponent(n []int, t []float64) float64 {
	var sx, sy, sxx, sxy float64
	for i := range n {
		x, y := math.Log(float64(n[i])), math.Log(t[i])
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	k := float64(len(n))
	return (k*sxy - sx*sy) / (k*sxx - sx*sx)
}
