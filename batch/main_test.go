package batch_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geo"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/batch"
	"github.com/fourway-routing/fourway/routing"
)

// delaware is the name of the data set of the tests.
var delaware string

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	beamlog.SetLogger(nothing{})
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil))) // Prism's
	os.Exit(run(m))
}

type nothing struct{}

func (nothing) Log(context.Context, beamlog.Severity, int, string) {}

func run(m *testing.M) int {
	if delaware = os.Getenv(jobDataset); delaware != "" {
		return m.Run() // a job to be killed
	}
	dir, err := os.MkdirTemp("", "fourway-batch-test-")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(dir)
	delaware = filepath.Join(dir, "delaware")
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/paulmach/osm").Output()
	if err != nil {
		fmt.Println(err)
		return 1
	}
	if _, err := routing.Build(context.Background(), routing.BuildOptions{
		Input:      filepath.Join(strings.TrimSpace(string(out)), "testdata", "delaware-latest.osm.pbf"),
		Output:     delaware,
		Algorithms: []routing.Algorithm{routing.CH},
	}); err != nil {
		fmt.Println(err)
		return 1
	}
	return m.Run()
}

// size returns the number that an environment variable gives, for runs at full
// size.
func size(t testing.TB, name string, small int) int {
	text := os.Getenv(name)
	if text == "" {
		return small
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

func open(t testing.TB) *routing.Engine {
	e, err := routing.Open(delaware, routing.Options{Limits: routing.Limits{TableCells: -1}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

func pinned(t testing.TB) batch.Dataset {
	d, err := batch.Dataset{Name: delaware}.Pin(t.Context())
	require.NoError(t, err)
	return d
}

// somewhere returns coordinates near roads.
func somewhere(t testing.TB, e *routing.Engine, n int, seed uint64) []orb.Point {
	rng := rand.New(rand.NewPCG(seed, 1))
	b := e.Info().Bounds
	s := e.Session()
	defer s.Close()
	points := make([]orb.Point, 0, n)
	for len(points) < n {
		p := orb.Point{b.Min[0] + rng.Float64()*(b.Max[0]-b.Min[0]), b.Min[1] + rng.Float64()*(b.Max[1]-b.Min[1])}
		if res, err := s.Nearest(t.Context(), routing.NearestRequest{Coordinate: p}); err == nil && res.Waypoints[0].Distance < 500 {
			points = append(points, res.Waypoints[0].Location)
		}
	}
	return points
}

// traces returns drives between random places: a point each 30 meters or so, off
// the road by some meters.
func traces(t testing.TB, e *routing.Engine, n int) []batch.MatchRequest {
	places := somewhere(t, e, 500, 3)
	all := make([]batch.MatchRequest, n)
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for k := range workers {
		group.Go(func() {
			s := e.Session()
			defer s.Close()
			for i := k; i < n; i += workers {
				all[i] = trace(t.Context(), s, places, i)
			}
		})
	}
	group.Wait()
	return all
}

func trace(ctx context.Context, s *routing.Session, places []orb.Point, number int) batch.MatchRequest {
	rng := rand.New(rand.NewPCG(7, uint64(number)))
	for ctx.Err() == nil {
		from, to := places[rng.IntN(len(places))], places[rng.IntN(len(places))]
		if geo.Distance(from, to) > 10000 {
			continue
		}
		res, err := s.Route(ctx, routing.RouteRequest{Coordinates: []orb.Point{from, to}, Overview: routing.OverviewFull})
		if err != nil || res.Routes[0].Distance < 1000 || res.Routes[0].Distance > 10000 {
			continue
		}
		q := batch.MatchRequest{ID: fmt.Sprintf("trace %d", number)}
		line := res.Routes[0].Geometry
		for i := 1; i < len(line); i++ {
			const step = 0.0003
			a, b := line[i-1], line[i]
			steps := int(max(abs(a[0]-b[0]), abs(a[1]-b[1]))/step) + 1
			for k := range steps {
				f := float64(k) / float64(steps)
				q.Coordinates = append(q.Coordinates, orb.Point{
					rounded(a[0] + (b[0]-a[0])*f + rng.NormFloat64()*4e-5),
					rounded(a[1] + (b[1]-a[1])*f + rng.NormFloat64()*4e-5),
				})
				q.Timestamps = append(q.Timestamps, int64(3*len(q.Timestamps)))
			}
		}
		return q
	}
	return batch.MatchRequest{}
}

func abs(f float64) float64 { return max(f, -f) }

func rounded(f float64) float64 { return float64(int64(f*1e6)) / 1e6 }

// lines writes requests, or whatever has JSON, to a file of lines.
func lines(t testing.TB, all ...any) string {
	var b strings.Builder
	for _, v := range all {
		switch v := v.(type) {
		case string:
			b.WriteString(v)
		case batch.MatchRequest:
			line, err := json.Marshal(map[string]any{"id": v.ID, "coordinates": v.Coordinates, "timestamps": v.Timestamps})
			require.NoError(t, err)
			b.Write(line)
		default:
			line, err := json.Marshal(v)
			require.NoError(t, err)
			b.Write(line)
		}
		b.WriteByte('\n')
	}
	name := filepath.Join(t.TempDir(), "requests.jsonl")
	require.NoError(t, os.WriteFile(name, []byte(b.String()), 0o600))
	return name
}

// runPipeline runs a pipeline on Prism and returns its counters.
func runPipeline(t testing.TB, p *beam.Pipeline) map[string]int64 {
	res, err := beamx.RunWithMetrics(t.Context(), p)
	require.NoError(t, err)
	return counted(res.Metrics())
}

func counted(m metrics.Results) map[string]int64 {
	sum := map[string]int64{}
	for _, c := range m.AllMetrics().Counters() {
		if c.Key.Namespace == batch.Namespace {
			sum[c.Key.Name] += c.Result()
		}
	}
	return sum
}
