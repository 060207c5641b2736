package fourway_test

import (
	"bytes"
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
		p.network.Complete()
		p.expanded = graph.Expand(p.network, p.metric)
		p.hierarchy, err = ch.Contract(b.Context(), p.expanded, ch.Options{Exclude: p.excluded()})
		require.NoError(b, err)
	})
	require.NotNil(b, delaware.hierarchy, "the build failed in an earlier benchmark")
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

// BenchmarkSearch is the search alone, between random search nodes; the
// oracle of the tests, a plain Dijkstra to all nodes, stands beside it.
func BenchmarkSearch(b *testing.B) {
	p := loadDelaware(b)
	from, to := p.pairs(1000)
	search := p.hierarchy.NewSearch(pool.New())
	for i := range 5 {
		f, ok, err := search.Shortest(b.Context(), from[i], to[i])
		require.NoError(b, err)
		want := oracle.Grow(p.expanded, nil, from[i]).To(to[i])
		require.Equal(b, want.Reached, ok)
		require.Equal(b, want.Weight, int64(f.Weight))
	}
	b.Run("map=delaware/algo=ch", func(b *testing.B) {
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
	b.Run("map=delaware/algo=dijkstra", func(b *testing.B) {
		i := 0
		for b.Loop() {
			oracle.Grow(p.expanded, nil, from[i%len(from)])
			i++
		}
	})
	b.Run("map=delaware/algo=ch/unpack", func(b *testing.B) {
		var path []graph.EdgeID
		edges, i := 0, 0
		for b.Loop() {
			b.StopTimer()
			k := i % len(from)
			if _, _, err := search.Shortest(b.Context(), from[k], to[k]); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			path = search.Path(path[:0])
			edges += len(path)
			i++
		}
		b.ReportMetric(float64(edges)/float64(i), "edges/op")
	})
}

func openDelaware(b *testing.B) *routing.Engine {
	b.Helper()
	name := filepath.Join(b.TempDir(), "delaware")
	_, err := routing.Build(b.Context(), routing.BuildOptions{Input: osmdata.Delaware(b), Output: name})
	require.NoError(b, err)
	engine, err := routing.Open(name, routing.Options{})
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

// BenchmarkNearest snaps random places, and BenchmarkRoute finds whole routes
// between them, both up to the response and without JSON.
func BenchmarkNearest(b *testing.B) {
	engine := openDelaware(b)
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
				snapper.Nearest(coords[i%len(coords)], number, graph.SnapOptions{})
				i++
			}
		})
	}
}

// routeShapes are OSRM's own benchmark requests.
var routeShapes = []struct {
	name        string
	coordinates int
	full        bool
}{
	{"coordinates=2/plain", 2, false},
	{"coordinates=2/full", 2, true},
	{"coordinates=3/plain", 3, false},
	{"coordinates=3/full", 3, true},
}

func BenchmarkRoute(b *testing.B) {
	engine := openDelaware(b)
	points := loadDelaware(b).places(1000)
	for _, shape := range routeShapes {
		b.Run("map=delaware/algo=ch/"+shape.name, func(b *testing.B) {
			session := engine.Session()
			defer session.Close()
			b.ReportAllocs()
			var t times
			var json []byte
			i := 0
			for b.Loop() {
				req := routing.RouteRequest{NoHints: true, Overview: routing.OverviewFalse}
				if shape.full {
					req.Overview, req.Steps = routing.OverviewFull, true
				}
				for j := range shape.coordinates {
					req.Coordinates = append(req.Coordinates, points[(i*shape.coordinates+j)%len(points)])
				}
				start := time.Now()
				res, err := session.Route(b.Context(), req)
				if err == nil {
					json = res.AppendJSON(json[:0])
				}
				t = append(t, time.Since(start))
				i++
			}
			t.report(b)
		})
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
