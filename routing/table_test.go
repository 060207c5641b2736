package routing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/internal/testmap"
)

// preparations keeps what was prepared for all tests that want it.
var preparations sync.Map // of name to func() (*parts, error)

// engines returns an Engine for each algorithm, with the same data.
func engines(t testing.TB, name string, opt BuildOptions) []*Engine {
	t.Helper()
	once, _ := preparations.LoadOrStore(name, sync.OnceValues(func() (*parts, error) {
		opt.Algorithms = []Algorithm{CH, MLD, CCH}
		b := builder{opt: opt}
		p := new(parts)
		return p, b.prepare(context.Background(), p)
	}))
	p, err := once.(func() (*parts, error))()
	require.NoError(t, err)
	return []*Engine{
		CH:  newEngine(*p, Options{Algorithm: CH}),
		MLD: newEngine(*p, Options{Algorithm: MLD}),
		CCH: newEngine(*p, Options{Algorithm: CCH}),
	}
}

func delawares(t testing.TB) []*Engine {
	return engines(t, "delaware", BuildOptions{Input: osmdata.Delaware(t)})
}

func andorras(t testing.TB) []*Engine {
	return engines(t, "andorra", BuildOptions{Input: osmdata.Andorra(t)})
}

func cities(t testing.TB) []*Engine {
	var extract bytes.Buffer
	require.NoError(t, testmap.City(&extract, 6000, 5))
	return engines(t, "city", BuildOptions{Input: "city.osm.pbf", Reader: &extract})
}

func scatter(rng *rand.Rand, e *Engine, count int) []orb.Point {
	var out []orb.Point
	for range count {
		out = append(out, somewhere(rng, e))
	}
	return out
}

// spy keeps the weights of the last table.
type spy struct {
	searcher
	weights [][]graph.Weight
}

func (s *spy) Table(ctx context.Context, sources, targets [][]graph.Seed, row func(int, []graph.Cell) error) error {
	s.weights = make([][]graph.Weight, len(sources))
	return s.searcher.Table(ctx, sources, targets, func(i int, cells []graph.Cell) error {
		for j := range cells {
			s.weights[i] = append(s.weights[i], cells[j].Weight)
		}
		return row(i, cells)
	})
}

// TestTableEqualsRoutes: a cell is what a route of its two coordinates alone is.
func TestTableEqualsRoutes(t *testing.T) {
	maps := map[string][]*Engine{"city": cities(t)}
	rounds := 100
	if testing.Short() {
		rounds = 4
	} else {
		maps["delaware"] = delawares(t)
	}
	for name, both := range maps {
		for _, e := range both {
			t.Run(fmt.Sprint(name, " ", e.current.Load().info.Algorithm), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(11, 12))
				w := newWorkspace(e.current.Load().dataset)
				s := &spy{searcher: w.searcher}
				w.searcher = s
				cells, ties := 0, 0
				for range rounds {
					points := scatter(rng, e, 10)
					res, err := w.wholeTable(t.Context(), &TableRequest{
						Coordinates: points, Annotations: TableDurations | TableDistances,
					}, new(Observation))
					require.NoError(t, err)
					weights := s.weights
					i, j := rng.IntN(10), rng.IntN(10)
					alone, err := w.wholeTable(t.Context(), &TableRequest{
						Coordinates: []orb.Point{points[i], points[j]}, Sources: []int{0}, Destinations: []int{1},
						Annotations: TableDurations | TableDistances,
					}, new(Observation))
					require.NoError(t, err)
					require.Equal(t, res.Durations[i][j], alone.Durations[0][0], "whatever else is in the table")
					require.Equal(t, res.Distances[i][j], alone.Distances[0][0])
					for i := range points {
						for j := range points {
							route, err := w.route(t.Context(), &RouteRequest{
								Coordinates: []orb.Point{points[i], points[j]}, Overview: OverviewFalse, SkipWaypoints: true,
							}, new(Observation))
							if errors.Is(err, ErrNoRoute) {
								require.True(t, math.IsInf(res.Durations[i][j], 1))
								require.True(t, math.IsInf(res.Distances[i][j], 1))
								continue
							}
							require.NoError(t, err)
							r := &route.Routes[0]
							cells++
							if near(r.Duration, res.Durations[i][j], 1e-9) && near(r.Distance, res.Distances[i][j], 1e-9) {
								continue
							}
							ties++
							require.InDelta(t, r.Weight, e.current.Load().weight(weights[i][j]), 1e-9, "%v to %v", points[i], points[j])
							require.LessOrEqual(t, res.Durations[i][j], r.Duration+1e-9, "the table takes the fastest of equals")
						}
					}
				}
				require.Greater(t, cells, rounds*90)
				require.Less(t, ties*50, cells, "%d of %d cells are ties", ties, cells)
			})
		}
	}
}

// lots are two parking lots without a way out, each with a small street nearby.
var lots = testmap.Drawing{
	Map: `
		a-----1-----b
		  c-2-3-d

		  e-4-5-f
		g-----6-----h`,
	Ways: []testmap.Row{
		{"ab", ""},
		{"cd", ""},
		{"ef", ""},
		{"gh", ""},
		{"ag", "highway=primary"},
		{"bh", "highway=primary"},
	},
}

// islands is lots with small components: the two streets inside have no way out.
func islands(t *testing.T) []*Engine {
	data, err := lots.OSM()
	require.NoError(t, err)
	both := engines(t, "islands", BuildOptions{Input: "lots.osm", Reader: bytes.NewReader(data)})
	for _, e := range both {
		net := *e.current.Load().net
		net.NodeComponent = slices.Clone(net.NodeComponent)
		big := net.NodeComponent[net.ArmNode[0]] &^ (1 << 31)
		for v, c := range net.NodeComponent {
			if c&^(1<<31) == big {
				net.NodeComponent[v] = c &^ (1 << 31)
			}
		}
		e.current.Load().net = &net
	}
	return both
}

// TestTableDecidesByPair: whether a coordinate is where it is nearest or on a
// road that leads on does not depend on other coordinates.
func TestTableDecidesByPair(t *testing.T) {
	for _, e := range islands(t) {
		points := (&town{e, t, lots}).points("2356")
		whole, err := Table(t.Context(), e, TableRequest{Coordinates: points, Annotations: TableDurations | TableDistances})
		require.NoError(t, err)
		require.InDelta(t, 100, whole.Distances[0][1], 1, "within the lot")
		require.True(t, samePlace(points[0], whole.Sources[0].Location))
		require.Equal(t, []TableCell{
			{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 0}, {2, 1}, {2, 3}, {3, 0}, {3, 1}, {3, 2},
		}, whole.Moved)
		for i := range points {
			for j := range points {
				pair := []orb.Point{points[i], points[j]}
				part, err := Table(t.Context(), e, TableRequest{
					Coordinates: pair, Sources: []int{0}, Destinations: []int{1}, Annotations: TableDurations | TableDistances,
				})
				require.NoError(t, err)
				require.Equal(t, whole.Durations[i][j], part.Durations[0][0], "%d to %d", i, j)
				require.Equal(t, whole.Distances[i][j], part.Distances[0][0])
				route, err := Route(t.Context(), e, RouteRequest{Coordinates: pair})
				require.NoError(t, err)
				require.InDelta(t, route.Routes[0].Duration, part.Durations[0][0], 1e-9)
			}
		}
	}
}

func TestTableRequests(t *testing.T) {
	m := draw(t, testmap.Drawing{
		Map: `
			a---b   c---d`,
		Ways: []testmap.Row{{"ab", ""}, {"cd", ""}},
	})
	points := m.points("abcd")
	ask := func(change func(*TableRequest)) *TableResponse {
		t.Helper()
		r := TableRequest{Coordinates: points}
		change(&r)
		res, err := Table(t.Context(), m.Engine, r)
		require.NoError(t, err)
		return res
	}
	plain := ask(func(*TableRequest) {})
	require.Nil(t, plain.Distances)
	require.Zero(t, plain.Durations[2][2])
	require.True(t, math.IsInf(plain.Durations[0][2], 1), "no road leads there")
	require.Nil(t, plain.Estimated)
	require.Len(t, plain.Sources, 4)
	require.NotEmpty(t, plain.Sources[0].Hint)

	chosen := ask(func(r *TableRequest) {
		r.Sources, r.Destinations = []int{1, 1, 0}, []int{0, 3}
		r.Annotations, r.NoHints = TableDistances, true
	})
	require.Nil(t, chosen.Durations)
	require.Len(t, chosen.Distances, 3)
	require.Equal(t, chosen.Distances[0], chosen.Distances[1])
	require.InDelta(t, 200, chosen.Distances[0][0], 1)
	require.True(t, samePlace(points[3], chosen.Destinations[1].Location))
	require.Empty(t, chosen.Sources[0].Hint)

	estimated := ask(func(r *TableRequest) {
		r.FallbackSpeed, r.Annotations, r.SkipWaypoints = 5, TableDurations|TableDistances, true
	})
	require.Nil(t, estimated.Sources)
	require.InDelta(t, 400, estimated.Distances[0][2], 1)
	require.InDelta(t, 80, estimated.Durations[0][2], 0.2)
	require.Equal(t, plain.Durations[0][1], estimated.Durations[0][1])
	require.Equal(t, []TableCell{{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 0}, {2, 1}, {3, 0}, {3, 1}}, estimated.Estimated)

	doubled := ask(func(r *TableRequest) { r.ScaleFactor, r.FallbackSpeed = 2, 5 })
	require.InDelta(t, 2*plain.Durations[0][1], doubled.Durations[0][1], 1e-9)
	require.InDelta(t, 160, doubled.Durations[0][2], 0.3)
	huge := ask(func(r *TableRequest) { r.ScaleFactor = 1e300 })
	require.Equal(t, 214748364.6, huge.Durations[0][1])
	require.Zero(t, huge.Durations[0][0])
	require.True(t, math.IsInf(huge.Durations[0][2], 1))
	slow := ask(func(r *TableRequest) { r.FallbackSpeed = 1e-300 })
	require.Equal(t, 214748364.6, slow.Durations[0][2])

	off := orb.Point{points[0][0], points[0][1] + 0.001}
	points = []orb.Point{off, points[2]}
	input := ask(func(r *TableRequest) { r.FallbackSpeed, r.Annotations = 1, TableDistances })
	snapped := ask(func(r *TableRequest) {
		r.FallbackSpeed, r.Annotations, r.FallbackCoordinate = 1, TableDistances, FallbackSnapped
	})
	require.Greater(t, input.Distances[0][1], snapped.Distances[0][1]+5)

	_, err := Table(t.Context(), m.Engine, TableRequest{Coordinates: points, Radiuses: []float64{1, 1}})
	require.ErrorIs(t, err, ErrNoSegment)
	_, err = Table(t.Context(), m.Engine, TableRequest{Coordinates: points, Exclude: []string{"nothing"}})
	require.ErrorIs(t, err, ErrInvalidValue)
}

// TestTableLimit: the number of cells is told before any memory is taken.
func TestTableLimit(t *testing.T) {
	m := draw(t, rectangle)
	_, err := Table(t.Context(), m.Engine, TableRequest{Coordinates: m.points("12")})
	require.NoError(t, err)
	r := TableRequest{Coordinates: m.points("12"), Sources: make([]int, 1<<20), Destinations: make([]int, 1<<20)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = Table(t.Context(), m.Engine, r)
	runtime.ReadMemStats(&after)
	require.ErrorIs(t, err, ErrTooBig)
	require.EqualValues(t, maxTableCells, err.(*Error).Limit)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
	for _, c := range []struct {
		limit          int64
		sources, sides int
		fits           bool
	}{{100, 10, 10, true}, {100, 11, 10, false}, {100, 100, 1, true}, {100, 101, 1, false}, {-1, 1 << 15, 1 << 15, true}, {0, 1 << 14, 1 << 14, true}} {
		l := Limits{TableCells: c.limit}
		err := l.CheckTable(&TableRequest{Sources: make([]int, c.sources), Destinations: make([]int, c.sides)})
		require.Equal(t, c.fits, err == nil, c)
	}
}

func TestTableRows(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for _, e := range cities(t) {
		rng := rand.New(rand.NewPCG(13, 14))
		r := TableRequest{Coordinates: scatter(rng, e, 12), Annotations: TableDurations | TableDistances}
		whole, err := Table(t.Context(), e, r)
		require.NoError(t, err)
		seen := make([]bool, 12)
		var moved []TableCell
		for row, err := range TableRows(t.Context(), e, r) {
			require.NoError(t, err)
			require.False(t, seen[row.Source])
			seen[row.Source] = true
			require.Equal(t, whole.Durations[row.Source], row.Durations)
			require.Equal(t, whole.Distances[row.Source], row.Distances)
			moved = appendCells(moved, row.Source, row.Moved)
		}
		sortCells(moved)
		require.Equal(t, whole.Moved, moved)
		require.NotContains(t, seen, false)

		// Whatever ends the loop, the workspace comes back fit for use.
		session := e.Session()
		for range session.TableRows(t.Context(), r) {
			break
		}
		require.PanicsWithValue(t, "mine", func() {
			for range session.TableRows(t.Context(), r) {
				panic("mine")
			}
		})
		require.Panics(t, func() {
			for row := range session.TableRows(t.Context(), r) {
				_ = row.Durations[99]
			}
		}, "a fault of the loop is not one of the data set")
		for range session.TableRows(t.Context(), r) {
			_, err := session.Table(t.Context(), r)
			require.ErrorIs(t, err, ErrBusy)
			for _, err := range session.TableRows(t.Context(), r) {
				require.ErrorIs(t, err, ErrBusy)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		rows := 0
		for _, err = range session.TableRows(ctx, r) {
			if rows++; rows == 2 {
				cancel()
			}
		}
		require.ErrorIs(t, err, context.Canceled)
		again, err := session.Table(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, whole, again)
		rows = 0
		for row, err := range session.TableRows(t.Context(), r) {
			require.NoError(t, err)
			require.Equal(t, whole.Durations[row.Source], row.Durations)
			session.Close()
			rows++
		}
		require.Equal(t, 12, rows)
		_, err = session.Table(t.Context(), r)
		require.ErrorIs(t, err, ErrClosed)
		require.Zero(t, e.current.Load().workspaces.Stats().Lent)
		_, last := lastOf(TableRows(t.Context(), e, TableRequest{}))
		require.ErrorIs(t, last, ErrInvalidOptions)
	}
}

// lastOf returns what a sequence ends with.
func lastOf(rows func(func(TableRow, error) bool)) (last TableRow, err error) {
	rows(func(r TableRow, e error) bool { last, err = r, e; return true })
	return last, err
}

// TestTableCancel: a big table ends soon after its context, beside requests that
// go on, and leaves nothing running.
func TestTableCancel(t *testing.T) {
	both := cities(t)
	size := 3000
	if !testing.Short() {
		both = delawares(t)
	}
	for _, e := range both {
		t.Run(e.current.Load().info.Algorithm.String(), func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			rng := rand.New(rand.NewPCG(15, 16))
			r := TableRequest{Coordinates: scatter(rng, e, size)}
			small := TableRequest{Coordinates: r.Coordinates[:5]}
			want, err := Table(t.Context(), e, small)
			require.NoError(t, err)

			var others sync.WaitGroup
			failures := make(chan error, 2)
			for range 2 {
				others.Go(func() {
					for range 5 {
						got, err := Table(context.Background(), e, small)
						if err != nil || !slices.EqualFunc(got.Durations, want.Durations, slices.Equal) {
							failures <- fmt.Errorf("%v, %v", got, err)
							return
						}
					}
				})
			}
			late := cancelLate(t, func(ctx context.Context) error {
				_, err := Table(ctx, e, r)
				return err
			})
			require.Less(t, late, 50*time.Millisecond*slowness)
			others.Wait()
			close(failures)
			require.NoError(t, <-failures)
			stats := e.current.Load().workspaces.Stats()
			require.Zero(t, stats.Lent)
			require.Positive(t, stats.Kept)
		})
	}
}

// cancelLate returns how long a call that takes long goes on when its context is
// done: the least of three times, for the machine may be busy.
func cancelLate(t *testing.T, call func(context.Context) error) time.Duration {
	least := time.Hour
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		err := call(ctx)
		now := time.Now()
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded)
		deadline, _ := ctx.Deadline()
		least = min(least, now.Sub(deadline))
	}
	return least
}

// TestTableAllocatesAnswerOnly: a table by rows lives on kept memory.
func TestTableAllocatesAnswerOnly(t *testing.T) {
	for _, e := range cities(t) {
		rng := rand.New(rand.NewPCG(17, 18))
		r := TableRequest{Coordinates: scatter(rng, e, 8)}
		w := newWorkspace(e.current.Load().dataset)
		run := func() {
			if err := w.table(t.Context(), &r, new(Observation), func(*TableRow) error { return nil }); err != nil {
				t.Error(err)
			}
		}
		run()
		require.LessOrEqual(t, testing.AllocsPerRun(10, run), 8.0, e.current.Load().info.Algorithm)
	}
}

func BenchmarkTable(b *testing.B) {
	for _, e := range delawares(b) {
		for _, size := range []int{10, 100, 1000} {
			b.Run(fmt.Sprintf("algo=%v/size=%d", e.current.Load().info.Algorithm, size), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(25, 26))
				r := TableRequest{Coordinates: scatter(rng, e, size), SkipWaypoints: true}
				session := e.Session()
				defer session.Close()
				b.ReportAllocs()
				for b.Loop() {
					for _, err := range session.TableRows(b.Context(), r) {
						require.NoError(b, err)
					}
				}
			})
		}
	}
}

func BenchmarkMatch(b *testing.B) {
	for _, e := range delawares(b) {
		b.Run("algo="+e.current.Load().info.Algorithm.String(), func(b *testing.B) {
			session := e.Session()
			defer session.Close()
			var traces []MatchRequest
			for _, c := range readOSRM(b, "testdata/osrm/delaware-match.json.gz") {
				q := parseOSRM(b, c.Query)
				traces = append(traces, q.match())
			}
			for b.Loop() {
				for _, r := range traces {
					_, err := session.Match(b.Context(), r)
					require.NoError(b, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(traces)), "us/trace")
		})
	}
}
