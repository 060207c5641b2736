package fourway_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/ch"
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/measure"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/internal/suite"
	"github.com/fourway-routing/fourway/internal/synth"
	"github.com/fourway-routing/fourway/internal/workload"
	"github.com/fourway-routing/fourway/mld"
	"github.com/fourway-routing/fourway/pool"
	"github.com/fourway-routing/fourway/routing"
)

var (
	extractFlag = flag.String("extract", "", "OSM `file` to measure on instead of Delaware")
	sizesFlag   = flag.String("sizes", "10000,30000,100000", "OSM `nodes` of the countries of BenchmarkGrowth")
)

// folder is where the benchmarks of this process have their files.
var folder string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if folder, err = os.MkdirTemp("", "fourway-bench"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder) //nolint:errcheck // temporary
	return m.Run()
}

// oneRound says whether each benchmark runs once, only to see that it does: then a
// few random requests are enough.
func oneRound() bool { return flag.Lookup("test.benchtime").Value.String() == "1x" }

func extractPath(tb testing.TB) string {
	if *extractFlag != "" {
		return *extractFlag
	}
	return osmdata.Delaware(tb)
}

// dataSet builds the extract once a process and returns the name of the data set.
func dataSet(b *testing.B) string {
	b.Helper()
	name := filepath.Join(folder, "extract")
	require.NoError(b, build(b.Context(), extractPath(b), name), "see the first benchmark that needed it")
	return name
}

var (
	buildOnce   sync.Once
	errBuilding = errors.New("the build was not run to its end")
)

func build(ctx context.Context, input, name string) error {
	buildOnce.Do(func() {
		for _, stage := range suite.Stages() {
			if _, errBuilding = suite.RunStage(ctx, stage, suite.StageOptions{Extract: input, Name: name}); errBuilding != nil {
				return
			}
		}
	})
	return errBuilding
}

// measured runs do for as long as b wants and reports what each operation took:
// operations a second, median and 99th percentile, and the collector's share.
func measured(b *testing.B, do func() error) {
	b.Helper()
	b.ReportAllocs()
	times := new(measure.Histogram)
	collector := measure.NewCollectorMeter()
	var last time.Time
	var cpu time.Duration
	for b.Loop() {
		if last.IsZero() {
			collector.Start()
			cpu, last = measure.CPU(), time.Now()
		}
		if err := do(); err != nil {
			b.Fatal(err)
		}
		now := time.Now()
		times.Record(now.Sub(last))
		last = now
	}
	cpu = measure.CPU() - cpu
	cost := collector.Stop()
	n := float64(times.Count())
	b.ReportMetric(float64(time.Second)/float64(max(times.Mean(), 1)), "ops/s")
	b.ReportMetric(float64(times.Quantile(0.5)), "p50-ns")
	b.ReportMetric(float64(times.Quantile(0.99)), "p99-ns")
	b.ReportMetric(float64(cpu)/n, "cpu-ns/op")
	b.ReportMetric(float64(cost.Cycles)/n*1000, "gc/1000op")
	b.ReportMetric(float64(cost.CPU)/n, "gc-cpu-ns/op")
	b.ReportMetric(float64(cost.Pause)/n, "gc-pause-ns/op")
}

// BenchmarkSuite is the list of benchmarks of OSRM's measurement, by its names: see
// package suite, and docs/benchmarks.md for how to read it.
func BenchmarkSuite(b *testing.B) {
	opt := suite.Options{}
	if oneRound() {
		opt = suite.Options{Requests: 10, Traces: 20}
	}
	s, err := suite.Open(b.Context(), dataSet(b), opt)
	require.NoError(b, err)
	defer func() { require.NoError(b, s.Close()) }()
	for _, c := range s.Cases() {
		b.Run(c.FullName(), func(b *testing.B) {
			r, err := c.Start(b.Context())
			require.NoError(b, err)
			defer func() { require.NoError(b, r.Close()) }()
			b.SetBytes(c.Bytes)
			measured(b, r.Do)
		})
	}
	for _, stage := range suite.Stages() {
		kinds := []pool.Kind{pool.FreeLists}
		if suite.Pooled(stage) {
			kinds = []pool.Kind{pool.Dropping, pool.Plain, pool.SyncPool, pool.FreeLists}
		}
		for _, kind := range kinds {
			name := stage
			if suite.Pooled(stage) {
				name += "/pool=" + kind.String()
			}
			b.Run(name, func(b *testing.B) { benchmarkStage(b, stage, kind) })
		}
	}
}

// benchmarkStage runs one step of a build, with reading and writing of its files.
func benchmarkStage(b *testing.B, stage string, memory pool.Kind) {
	opt := suite.StageOptions{Extract: extractPath(b), Name: dataSet(b), Memory: memory}
	var peak int64
	measured(b, func() error {
		cost, err := suite.RunStage(b.Context(), stage, opt)
		peak = max(peak, cost.PeakMemory)
		return err
	})
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
}

// BenchmarkContractGrid contracts a drawn city whose streets all weigh the same.
func BenchmarkContractGrid(b *testing.B) {
	opt := suite.StageOptions{Extract: filepath.Join(folder, "grid.osm.pbf"), Name: filepath.Join(folder, "grid")}
	var file bytes.Buffer
	require.NoError(b, suite.WriteGrid(&file, suite.GridSide))
	require.NoError(b, os.WriteFile(opt.Extract, file.Bytes(), 0o600))
	_, err := suite.RunStage(b.Context(), "extract", opt)
	require.NoError(b, err)
	measured(b, func() error {
		_, err := suite.RunStage(b.Context(), "contract", opt)
		return err
	})
}

// BenchmarkOpen opens the prepared files.
func BenchmarkOpen(b *testing.B) {
	name := dataSet(b)
	measured(b, func() error {
		engine, err := routing.Open(name, routing.Options{})
		if err != nil {
			return err
		}
		return engine.Close()
	})
}

// searcher is what both algorithms offer.
type searcher interface {
	graph.Searcher
	graph.ManyToMany
	Settled() int
}

// kernel is the open files of a data set, for searches between search nodes.
type kernel struct {
	network   *graph.NetworkFile
	expanded  *graph.Expanded
	searchers map[string]searcher
}

func openKernel(b *testing.B) *kernel {
	b.Helper()
	name := dataSet(b)
	network, err := graph.OpenNetwork(name+".graph", graph.FileOptions{})
	require.NoError(b, err)
	metric, err := graph.OpenMetric(name+".metric", network, graph.FileOptions{})
	require.NoError(b, err)
	hierarchy, err := ch.Open(name+".ch", network, metric, graph.FileOptions{})
	require.NoError(b, err)
	overlay, err := mld.Open(name+".mld", network, metric, graph.FileOptions{})
	require.NoError(b, err)
	b.Cleanup(func() {
		require.NoError(b, errors.Join(overlay.Close(), hierarchy.Close(), metric.Close(), network.Close()))
	})
	memory := pool.New()
	return &kernel{network, graph.Expand(network.Network, metric.Metric), map[string]searcher{
		"ch": hierarchy.NewSearch(memory), "mld": overlay.NewSearch(memory),
	}}
}

// pairs are random search nodes of the large component, as seeds.
func (k *kernel) pairs(n int) (from, to [][]graph.Seed) {
	rng := rand.New(rand.NewPCG(workload.Seed, 0))
	pick := func() []graph.Seed {
		for {
			if v := rng.IntN(k.network.NumNodes()); !k.network.NodeComponent[v].Small() {
				return []graph.Seed{{Node: graph.NodeID(v)}}
			}
		}
	}
	for range n {
		from, to = append(from, pick()), append(to, pick())
	}
	return from, to
}

var algorithms = []string{"ch", "mld"}

// BenchmarkSearch is the search alone, between random search nodes. Beside it
// stand the unpacking of its paths, and the oracle of the tests, a plain Dijkstra
// to all nodes.
func BenchmarkSearch(b *testing.B) {
	k := openKernel(b)
	from, to := k.pairs(1000)
	for i := range 5 {
		want := oracle.Grow(k.expanded, nil, from[i]).To(to[i])
		for _, algo := range algorithms {
			f, ok, err := k.searchers[algo].Shortest(b.Context(), from[i], to[i])
			require.NoError(b, err)
			require.Equal(b, want.Reached, ok)
			require.Equal(b, want.Weight, int64(f.Weight))
		}
	}
	for _, algo := range algorithms {
		search := k.searchers[algo]
		b.Run("algo="+algo, func(b *testing.B) {
			i, settled := 0, 0
			measured(b, func() error {
				_, _, err := search.Shortest(b.Context(), from[i%len(from)], to[i%len(from)])
				settled += search.Settled()
				i++
				return err
			})
			b.ReportMetric(float64(settled)/float64(i), "settled/op")
		})
		b.Run("algo="+algo+"/unpack", func(b *testing.B) {
			var path []graph.EdgeID
			edges, i := 0, 0
			measured(b, func() error {
				_, _, err := search.Shortest(b.Context(), from[i%len(from)], to[i%len(from)])
				path = search.Path(path[:0])
				edges += len(path)
				i++
				return err
			})
			b.ReportMetric(float64(edges)/float64(i), "edges/op")
		})
	}
	b.Run("algo=dijkstra", func(b *testing.B) {
		i := 0
		for b.Loop() {
			oracle.Grow(k.expanded, nil, from[i%len(from)])
			i++
		}
	})
}

// BenchmarkTable computes tables of weight, duration and distance between random
// search nodes.
func BenchmarkTable(b *testing.B) {
	k := openKernel(b)
	from, to := k.pairs(1000)
	for _, algo := range algorithms {
		for _, shape := range [][2]int{{3, 3}, {25, 25}, {50, 50}, {100, 100}, {1, 1000}, {1000, 1}, {1000, 1000}} {
			b.Run(fmt.Sprintf("algo=%s/%dx%d", algo, shape[0], shape[1]), func(b *testing.B) {
				reached, cells := 0, 0
				count := func(_ int, row []graph.Cell) error {
					cells += len(row)
					for i := range row {
						if row[i].Weight != graph.InvalidWeight {
							reached++
						}
					}
					return nil
				}
				measured(b, func() error {
					return k.searchers[algo].Table(b.Context(), from[:shape[0]], to[:shape[1]], count)
				})
				require.Greater(b, reached, cells/2, "most pairs have a way")
			})
		}
	}
}

// BenchmarkGrowth builds made-up countries of growing size and reports what each
// stage and random routes take, and the exponents that fit.
func BenchmarkGrowth(b *testing.B) {
	var sizes []float64
	for _, text := range strings.Split(*sizesFlag, ",") {
		n, err := strconv.ParseFloat(text, 64)
		require.NoError(b, err, "-sizes")
		sizes = append(sizes, n)
	}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for b.Loop() {
		took := map[string][]float64{}
		for _, n := range sizes {
			for stage, seconds := range grow(b, n) {
				took[stage] = append(took[stage], seconds)
				b.ReportMetric(seconds, fmt.Sprintf("%s-%.0fk-s", stage, n/1000))
			}
		}
		for stage, t := range took {
			if e := measure.Exponent(sizes, t); !math.IsNaN(e) {
				b.ReportMetric(e, stage+"-exponent")
			}
		}
	}
}

// grow builds a country and returns the seconds of processor that its stages took,
// and those of a route.
func grow(b *testing.B, nodes float64) map[string]float64 {
	var file bytes.Buffer
	_, err := synth.Country(b.Context(), &file, synth.Options{Nodes: int64(nodes), Seed: workload.Seed})
	require.NoError(b, err)
	name := filepath.Join(folder, "country")
	report, err := routing.Build(b.Context(), routing.BuildOptions{
		Input: "country.osm.pbf", Reader: &file, Output: name, Algorithms: []routing.Algorithm{routing.CH, routing.MLD, routing.CCH},
	})
	require.NoError(b, err)
	took := map[string]float64{}
	for _, s := range report.Stages {
		took[strings.ReplaceAll(s.Name, " ", "-")] = max(s.CPU, s.Wall).Seconds()
	}
	s, err := suite.Open(b.Context(), name, suite.Options{Requests: 100, Traces: 1})
	require.NoError(b, err)
	defer func() { require.NoError(b, s.Close()) }()
	for _, c := range s.Cases() {
		if algo, ok := strings.CutSuffix(strings.TrimPrefix(c.Name, "random_route/algo="), "/coordinates=2/plain"); ok && c.Memory == pool.FreeLists {
			r, err := c.Start(b.Context())
			require.NoError(b, err)
			start := time.Now()
			const routes = 200
			for range routes {
				require.NoError(b, r.Do())
			}
			took["route-"+algo] = time.Since(start).Seconds() / routes
			require.NoError(b, r.Close())
		}
	}
	return took
}
