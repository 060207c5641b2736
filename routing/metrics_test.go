package routing

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
)

// slow is an update of one segment of loop, both ways.
func slow(metric string, kmh float64) Update {
	a, b := loop.NodeID('a'), loop.NodeID('b')
	return Update{Metric: metric, Layer: "live", Speeds: []SegmentSpeed{{From: a, To: b, Speed: kmh}, {From: b, To: a, Speed: kmh}}}
}

// duration is how long the first leg from a to b takes, by a metric.
func (m *town) duration(metric string) float64 {
	m.t.Helper()
	r := m.route("ab", func(r *RouteRequest) { r.Metric = metric })
	require.Equal(m.t, metric, r.Routes[0].Legs[0].Metric)
	return r.Routes[0].Duration
}

func TestMetricsByName(t *testing.T) {
	updatable(t, func(t *testing.T, m *town) {
		plain := m.duration("")
		report := m.update(slow("rush", 18), slow("night", 72))
		require.Len(t, report.Layers, 6)
		require.Equal(t, LayerReport{Metric: "night", Name: "live", Speeds: 2, FoundSpeeds: 2}, report.Layers[1])
		require.Equal(t, LayerReport{Metric: "rush", Name: "live", Speeds: 2, FoundSpeeds: 2}, report.Layers[4])
		require.Equal(t, 4, report.Nodes)
		require.Equal(t, m.Info().Metrics[1:], report.Metrics)
		require.InDelta(t, 40, m.duration("rush"), 0.2)
		require.InDelta(t, 10, m.duration("night"), 0.2)
		require.InDelta(t, plain, m.duration(""), 1e-9)

		// The default metric goes its own way.
		m.update(slow("", 36))
		require.InDelta(t, 20, m.duration(""), 0.2)
		require.InDelta(t, 40, m.duration("rush"), 0.2)
		m.update(Update{Metric: "third", Layer: "live"})
		require.InDelta(t, plain, m.duration("third"), 1e-9, "a new metric begins with the files")
		m.update(Update{Layer: "live", Clear: true}, Update{Metric: "rush", Layer: "live", Clear: true})
		require.InDelta(t, plain, m.duration("rush"), 1e-9)
		require.InDelta(t, plain, m.duration(""), 1e-9)
		m.update(slow("rush", 9))

		info := m.Info()
		var names []string
		for _, x := range info.Metrics {
			names = append(names, x.Name)
			require.Equal(t, x.Name == "rush" || x.Name == "night", x.Nodes > 0, x.Name)
			require.Equal(t, x.Name == "rush" || x.Name == "night", x.Bytes > 200, "%+v", x)
		}
		require.Equal(t, []string{"", "night", "rush", "third"}, names)
		require.Equal(t, info.MetricID, info.Metrics[0].ID)
		require.NotEqual(t, info.Metrics[1].ID, info.Metrics[2].ID)

		// Every service knows them.
		ctx := t.Context()
		table, err := Table(ctx, m.Engine, TableRequest{Coordinates: m.points("ab"), Metric: "night"})
		require.NoError(t, err)
		require.Equal(t, "night", table.Metric)
		require.InDelta(t, 10, table.Durations[0][1], 0.2)
		trip, err := Trip(ctx, m.Engine, TripRequest{Coordinates: m.points("ab"), Metric: "night"})
		require.NoError(t, err)
		require.Equal(t, "night", trip.Trips[0].Legs[0].Metric)
		require.InDelta(t, 20, trip.Trips[0].Duration, 0.4)
		match, err := Match(ctx, m.Engine, MatchRequest{Coordinates: m.points("a1b"), Metric: "night"})
		require.NoError(t, err)
		require.InDelta(t, 10, match.Matchings[0].Duration, 0.2)
		require.Equal(t, "night", match.Matchings[0].Legs[1].Metric)
		nearest, err := Nearest(ctx, m.Engine, NearestRequest{Coordinate: m.points("1")[0], Metric: "night"})
		require.NoError(t, err)
		require.Equal(t, "night", nearest.Metric)

		_, err = Route(ctx, m.Engine, RouteRequest{Coordinates: m.points("ab"), Metric: "day"})
		require.ErrorIs(t, err, ErrInvalidValue)
		require.ErrorContains(t, err, "night, rush, third")
		_, err = Route(ctx, m.Engine, RouteRequest{Coordinates: m.points("ab"), Metric: "night", Depart: time.Now()})
		require.ErrorIs(t, err, ErrInvalidOptions)
		for _, bad := range []string{"a b", "ch", "../x", "Metric", "a.b"} {
			_, err = m.Update(ctx, slow(bad, 7))
			require.ErrorIs(t, err, ErrInvalidOptions, bad)
		}
		require.NoError(t, m.DropMetric(ctx, "night"))
		_, err = Table(ctx, m.Engine, TableRequest{Coordinates: m.points("ab"), Metric: "night"})
		require.ErrorIs(t, err, ErrInvalidValue)
		require.ErrorIs(t, m.DropMetric(ctx, "night"), ErrInvalidValue)
		require.ErrorIs(t, m.DropMetric(ctx, ""), ErrInvalidValue)
		m.update(slow("night", 36))
		require.InDelta(t, 20, m.duration("night"), 0.2, "nothing is left of the one before")
	})
}

// One request says which metric it was answered by, if it asked for one.
func TestMetricInJSON(t *testing.T) {
	updatable(t, func(t *testing.T, m *town) {
		m.update(slow("rush", 18))
		plain, err := m.route("ab", nil).MarshalJSON()
		require.NoError(t, err)
		require.NotContains(t, string(plain), `"metric"`)
		asked, err := m.route("ab", func(r *RouteRequest) { r.Metric = "rush" }).MarshalJSON()
		require.NoError(t, err)
		require.Contains(t, string(asked), `"metric":"rush"`)
		asked, err = m.route("ab", func(r *RouteRequest) { r.Depart = time.Now() }).MarshalJSON()
		require.NoError(t, err)
		require.Contains(t, string(asked), `"metric":""`)
		res, err := Table(t.Context(), m.Engine, TableRequest{Coordinates: m.points("ab"), Metric: "rush"})
		require.NoError(t, err)
		require.Contains(t, string(res.AppendJSON(nil)), `"metric":"rush"`)
		near, err := Nearest(t.Context(), m.Engine, NearestRequest{Coordinate: m.points("a")[0], Metric: "rush"})
		require.NoError(t, err)
		require.Contains(t, string(near.AppendJSON(nil)), `"metric":"rush"`)
	})
}

// With CH there is the default metric.
func TestMetricsWithCH(t *testing.T) {
	m := draw(t, loop)
	_, err := m.Update(t.Context(), slow("rush", 18))
	require.ErrorIs(t, err, ErrNotImplemented)
	require.ErrorContains(t, err, "MLD or CCH")
	_, err = Route(t.Context(), m.Engine, RouteRequest{Coordinates: m.points("ab"), Metric: "rush"})
	require.ErrorIs(t, err, ErrInvalidValue)
	_, err = Route(t.Context(), m.Engine, RouteRequest{Coordinates: m.points("ab"), Depart: time.Now()})
	require.NoError(t, err)
}

// Each metric gives the least costs of its own weights, whatever happens to others.
func TestMetricsAgainstOracle(t *testing.T) {
	for a, e := range andorras(t) {
		if Algorithm(a) == CH {
			continue
		}
		t.Run(e.Info().Algorithm.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(8, uint64(a)))
			n := e.current.Load().net
			names := []string{"", "one", "two"}
			for round := range 4 {
				for _, name := range names {
					u := Update{Metric: name, Layer: "live", Clear: rng.IntN(2) == 0, Speeds: changes(rng, n, []float64{0.01, 0.5}[rng.IntN(2)], 20)}
					_, err := e.Update(t.Context(), u)
					require.NoError(t, err)
				}
				for _, d := range e.current.Load().all() {
					require.NotSame(t, e.live[""].files.metric, d.metric, round)
					checkCostsOf(t, rng, d, 3, 20)
				}
			}
			for _, name := range names[1:] {
				require.NoError(t, e.DropMetric(t.Context(), name))
			}
			_, err := e.Update(t.Context(), Update{Layer: "live", Clear: true})
			require.NoError(t, err)
			require.Equal(t, e.live[""].files.metric, e.current.Load().metric)
			require.Len(t, e.Info().Metrics, 1)
		})
	}
}

// The memory of metrics is theirs alone: the network is there once, and what is
// dropped is gone.
func TestMemoryOfMetrics(t *testing.T) {
	for a, e := range andorras(t) {
		if Algorithm(a) == CH {
			continue
		}
		rng := rand.New(rand.NewPCG(8, 3))
		n := e.current.Load().net
		u := Update{Layer: "live", Speeds: changes(rng, n, 1, 1)}
		before := heapInUse()
		const count = 4
		for i := range count {
			u.Metric = fmt.Sprint("m", i)
			_, err := e.Update(t.Context(), u)
			require.NoError(t, err)
		}
		grown := heapInUse() - before
		var told int64
		for _, d := range e.current.Load().named {
			require.Same(t, n, d.net)
			told += d.bytes
		}
		t.Logf("%v: %d nodes, %d edges: %d metrics take %d bytes of heap, %d as told", Algorithm(a), n.NumNodes(), n.NumEdges(), count, grown, told)
		require.InEpsilon(t, told, grown, 0.15)
		for i := range count {
			require.NoError(t, e.DropMetric(t.Context(), fmt.Sprint("m", i)))
		}
		require.Eventually(t, func() bool { return heapInUse()-before < told/count/4 }, 5*time.Second, 10*time.Millisecond)
	}
}

// Queries of some metrics run on while others change, come and go; each answer is of
// one version of its metric.
func TestQueriesWhileMetricsChange(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	name := stored(t)
	for _, a := range []Algorithm{MLD, CCH} {
		e, err := Open(name, Options{Algorithm: a})
		require.NoError(t, err)
		ctx := t.Context()
		speeds := []float64{24, 18, 36}
		for i, metric := range []string{"", "steady", "moving"} {
			_, err := e.Update(ctx, slow(metric, speeds[i]))
			require.NoError(t, err)
		}
		allowed := map[string][]float64{"": {30}, "steady": {40}, "moving": {20, 10}}
		var stop atomic.Bool
		var group sync.WaitGroup
		var answers atomic.Int64
		for metric, want := range allowed {
			group.Go(func() {
				s := e.Session()
				defer s.Close()
				for !stop.Load() {
					res, err := s.Table(ctx, TableRequest{Coordinates: request(&loop, "ab").Coordinates, Metric: metric})
					if err != nil || res.Durations[0][1] != res.Durations[1][0] || !anyNear(want, res.Durations[0][1]) {
						t.Errorf("%q: %v %v", metric, res, err)
						return
					}
					answers.Add(1)
				}
			})
		}
		for i := range 60 {
			switch {
			case i%10 == 9:
				require.NoError(t, e.Replace(ctx, name))
			case i%5 == 1:
				_, err = e.Update(ctx, slow("gone", float64(i)))
				require.NoError(t, err)
			case i%5 == 2:
				require.NoError(t, e.DropMetric(ctx, "gone"))
			default:
				_, err = e.Update(ctx, slow("moving", []float64{36, 72}[i%2]))
				require.NoError(t, err)
			}
			time.Sleep(time.Millisecond)
		}
		stop.Store(true)
		group.Wait()
		require.Greater(t, answers.Load(), int64(100))
		require.NoError(t, e.Close())
		for _, d := range e.current.Load().all() {
			require.Zero(t, d.parts.users.Load())
			require.Zero(t, d.workspaces.Stats().Lent)
		}
		require.ErrorIs(t, e.DropMetric(ctx, "moving"), ErrClosed)
		require.ErrorIs(t, e.SetWeek(ctx, Week{}), ErrClosed)
	}
}

func anyNear(list []float64, v float64) bool {
	for _, x := range list {
		if v > x-0.5 && v < x+0.5 {
			return true
		}
	}
	return false
}

// Each answer, while the metric changes on a whole country, is the one of Dijkstra on
// one of the versions.
func TestNoAnswerMixesVersions(t *testing.T) {
	for a, e := range andorras(t) {
		if Algorithm(a) == CH {
			continue
		}
		rng := rand.New(rand.NewPCG(8, 11))
		ctx, n := t.Context(), e.current.Load().net
		versions := [2]Update{}
		var graphs [2]*graph.Expanded
		for i := range versions {
			versions[i] = Update{Metric: "live", Layer: "live", Clear: true, Speeds: changes(rng, n, 1, 1)}
			_, err := e.Update(ctx, versions[i])
			require.NoError(t, err)
			d := e.current.Load().find("live")
			graphs[i] = graph.Expand(d.net, d.metric)
		}
		type pair struct {
			from, to []graph.Seed
			want     [2]int64
		}
		pairs := make([]pair, 100)
		for i := range pairs {
			p := &pairs[i]
			p.from = []graph.Seed{{Node: graph.NodeID(rng.IntN(n.NumNodes()))}}
			p.to = []graph.Seed{{Node: graph.NodeID(rng.IntN(n.NumNodes()))}}
			for k, g := range graphs {
				p.want[k] = oracle.Grow(g, nil, p.from).To(p.to).Weight
			}
		}
		var stop atomic.Bool
		var group sync.WaitGroup
		group.Go(func() {
			defer stop.Store(true)
			for i := range 8 {
				if _, err := e.Update(ctx, versions[i%2]); err != nil {
					t.Error(err)
				}
			}
		})
		seen := [2]int{}
		for i := 0; !stop.Load(); i++ {
			p := &pairs[i%len(pairs)]
			_, d, _, err := e.enter(wish{metric: "live"}, false)
			require.NoError(t, err)
			w := d.workspaces.Get()
			f, ok, err := w.searcher.Shortest(ctx, p.from, p.to)
			d.workspaces.Put(w)
			d.queries.leave()
			require.NoError(t, err)
			weight := int64(f.Weight)
			if !ok {
				weight = oracle.Unreached
			}
			require.True(t, weight == p.want[0] || weight == p.want[1], "%d, want %v", weight, p.want)
			for k := range seen {
				if weight == p.want[k] {
					seen[k]++
				}
			}
		}
		group.Wait()
		require.NotZero(t, seen[0])
		require.NotZero(t, seen[1])
		require.NoError(t, e.DropMetric(context.Background(), "live"))
	}
}

// heapInUse returns the bytes of the heap that are in use.
func heapInUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // finalizers and pools take two
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
