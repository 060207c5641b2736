package routing

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/internal/testmap"
)

// loop has a short way from a to d, over b, and a long one over c.
var loop = testmap.Drawing{
	Map: `
		a-1-b-2-d
		|       |
		|       |
		c-------e`,
	Ways: []testmap.Row{{"ab", "name=one"}, {"bd", "name=two"}, {"aced", "name=three"}},
}

func updatable(t *testing.T, run func(t *testing.T, m *town)) {
	t.Helper()
	for _, a := range []Algorithm{MLD, CCH} {
		t.Run(a.String(), func(t *testing.T) { run(t, drawWith(t, loop, Options{Algorithm: a})) })
	}
}

// seconds is the duration from one place to another, +Inf where there is no way.
func (m *town) seconds(from, to rune) float64 {
	m.t.Helper()
	res, err := Table(m.t.Context(), m.Engine, TableRequest{Coordinates: m.points(string([]rune{from, to})), Sources: []int{0}, Destinations: []int{1}})
	require.NoError(m.t, err)
	return res.Durations[0][0]
}

func (m *town) update(u ...Update) *ChangeReport {
	m.t.Helper()
	report, err := m.Update(m.t.Context(), u...)
	require.NoError(m.t, err)
	return report
}

func TestUpdateSpeeds(t *testing.T) {
	updatable(t, func(t *testing.T, m *town) {
		d := &m.drawing
		a, b := d.NodeID('a'), d.NodeID('b')
		before, back := m.seconds('1', '2'), m.seconds('2', '1')
		id := m.Info().MetricID
		report := m.update(Update{Layer: "live", Speeds: []SegmentSpeed{{From: a, To: b, Speed: 18}, {From: 77, To: b, Speed: 9}}})
		require.Equal(t, LayerReport{Name: "live", Speeds: 2, FoundSpeeds: 1}, report.Layers[1])
		require.Equal(t, 1, report.Nodes)
		require.NotEqual(t, id, m.Info().MetricID)
		// 1 lies halfway between a and b, which are 200 m apart.
		require.InDelta(t, 20, m.route("1b", nil).Routes[0].Duration, 0.2)
		require.Greater(t, m.seconds('1', '2'), before)
		require.InDelta(t, back, m.seconds('2', '1'), 1e-9, "the other direction is as before")

		r := m.route("1b", nil)
		require.Equal(t, []string{"lua profile", "live"}, r.Routes[0].Legs[0].Annotation.DatasourceNames)
		require.Equal(t, []uint8{1}, r.Routes[0].Legs[0].Annotation.Datasources)

		// A layer above counts first; without it the one below counts again.
		m.update(Update{Layer: "closures", Speeds: []SegmentSpeed{{From: a, To: b, Speed: 72}}})
		require.InDelta(t, 5, m.route("1b", nil).Routes[0].Duration, 0.2)
		m.update(Update{Layer: "closures", Clear: true})
		require.InDelta(t, 20, m.route("1b", nil).Routes[0].Duration, 0.2)
		report = m.update(Update{Layer: "live", Speeds: []SegmentSpeed{{From: a, To: b, Speed: -1}}})
		require.Zero(t, report.Nodes)
		require.InDelta(t, before, m.seconds('1', '2'), 1e-9)
	})
}

func TestUpdateClosesAndOpens(t *testing.T) {
	updatable(t, func(t *testing.T, m *town) {
		d := &m.drawing
		b, e := d.NodeID('b'), d.NodeID('e')
		open := m.seconds('a', 'd')
		m.update(Update{Layer: "closures", Ways: []WaySpeed{{Way: d.WayID("bd")}}})
		detour := m.seconds('a', 'd')
		require.Greater(t, detour, open)
		require.InDelta(t, open, m.seconds('d', 'a'), 1e-9, "the way is closed in one direction")
		r := m.route("ad", func(r *RouteRequest) { r.Steps = true })
		require.Equal(t, "three", r.Routes[0].Legs[0].Summary)

		m.update(Update{Layer: "closures", Speeds: []SegmentSpeed{{From: e, To: d.NodeID('d')}}})
		require.Equal(t, math.Inf(1), m.seconds('a', 'd'))
		_, err := Route(t.Context(), m.Engine, request(&m.drawing, "ad"))
		require.ErrorIs(t, err, ErrNoRoute)

		m.update(Update{Layer: "closures", Clear: true}, Update{Layer: "live", Turns: []TurnPenalty{{From: d.NodeID('a'), Via: b, To: d.NodeID('d'), Penalty: 25}}})
		require.InDelta(t, min(open+25, detour), m.seconds('a', 'd'), 0.3)
		m.update(Update{Layer: "live", Turns: []TurnPenalty{{From: d.NodeID('a'), Via: b, To: d.NodeID('d'), Remove: true}}})
		require.InDelta(t, open, m.seconds('a', 'd'), 1e-9)
	})
}

func TestUpdatesThatAreRefusedChangeNothing(t *testing.T) {
	updatable(t, func(t *testing.T, m *town) {
		a, b := m.drawing.NodeID('a'), m.drawing.NodeID('b')
		before := m.Info().MetricID
		slow := Update{Layer: "live", Speeds: []SegmentSpeed{{From: a, To: b, Speed: 1}}}
		for name, u := range map[string]Update{
			"layer":   {Layer: "dead"},
			"speed":   {Layer: "live", Speeds: []SegmentSpeed{{Speed: math.NaN()}}},
			"rate":    {Layer: "live", Ways: []WaySpeed{{Rate: -1}}},
			"penalty": {Layer: "live", Turns: []TurnPenalty{{Penalty: math.Inf(1)}}},
		} {
			_, err := m.Update(t.Context(), slow, u)
			require.Error(t, err, name)
			require.Equal(t, before, m.Info().MetricID)
		}
		_, err := m.Update(t.Context(), Update{Layer: "dead"})
		require.ErrorIs(t, err, ErrInvalidValue)
		require.ErrorContains(t, err, "historic, live, closures")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = m.Update(ctx, slow)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, before, m.Info().MetricID)
	})
	m := draw(t, loop)
	_, err := m.Update(t.Context(), Update{Layer: "live"})
	require.ErrorIs(t, err, ErrNotImplemented)
	require.ErrorContains(t, err, "MLD or CCH")
}

// changes are random speeds of a share of the segments, some of them 0, around a
// number of places.
func changes(rng *rand.Rand, n *graph.Network, share float64, clusters int) []SegmentSpeed {
	var all []SegmentSpeed
	add := func(s uint32) {
		from, to := n.OSMNodes.Get(uint32(n.ChainPlaces[s])), n.OSMNodes.Get(uint32(n.ChainPlaces[s+1]))
		if rng.IntN(2) == 0 {
			from, to = to, from
		}
		speed := 5 + 100*rng.Float64()
		if rng.IntN(10) == 0 {
			speed = 0
		}
		all = append(all, SegmentSpeed{From: from, To: to, Speed: speed})
	}
	size := len(n.ChainPlaces) - 1
	each := int(share*float64(size)) / clusters
	for range clusters {
		first := rng.IntN(size - each + 1)
		for s := first; s < first+each; s++ {
			add(uint32(s))
		}
	}
	return all
}

// checkCosts compares random pairs with Dijkstra's algorithm on the current costs.
func checkCosts(t *testing.T, rng *rand.Rand, e *Engine, sources, each int) {
	t.Helper()
	checkCostsOf(t, rng, e.current.Load().dataset, sources, each)
}

// checkCostsOf is checkCosts for a dataset.
func checkCostsOf(t *testing.T, rng *rand.Rand, d *dataset, sources, each int) {
	t.Helper()
	g := graph.Expand(d.net, d.metric)
	w := newWorkspace(d)
	for range sources {
		from := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
		tree := oracle.Grow(g, nil, from)
		for range each {
			to := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
			q := oracle.Question{Sources: from, Targets: to, Want: tree.To(to)}
			oracle.CheckShortest(t, g, nil, w.searcher, &q, "")
		}
	}
}

func TestUpdatedAndorraAgainstOracle(t *testing.T) {
	for a, e := range andorras(t) {
		if Algorithm(a) == CH {
			continue
		}
		t.Run(e.Info().Algorithm.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(5, uint64(a)))
			n := e.current.Load().net
			checkCosts(t, rng, e, 5, 20)
			for _, u := range []Update{
				{Layer: "live", Speeds: changes(rng, n, 0.01, 20)},
				{Layer: "historic", Speeds: changes(rng, n, 1, 1)},
				{Layer: "closures", Speeds: changes(rng, n, 0.05, 300)},
				{Layer: "live", Clear: true},
				{Layer: "historic", Clear: true},
				{Layer: "closures", Clear: true},
			} {
				report, err := e.Update(t.Context(), u)
				require.NoError(t, err)
				t.Logf("%v: %+v", u.Layer, report)
				checkCosts(t, rng, e, 5, 20)
			}
			d, first := e.current.Load(), d0(t, e)
			require.Equal(t, first.NodeWeight, d.metric.NodeWeight)
			require.Equal(t, first.TurnWeight, d.metric.TurnWeight)
		})
	}
}

// d0 is the metric of the files.
func d0(t *testing.T, e *Engine) *graph.Metric {
	t.Helper()
	require.NotNil(t, e.live[""].layers)
	return e.live[""].layers.Base()
}

// Queries run on while costs change, and data sets: each is answered by one of them
// as a whole, and those that are over give their memory back.
func TestQueriesWhileCostsAndDataChange(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	files := buildFS(t, loop, 1)
	folder := t.TempDir()
	for name, f := range files {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), f.Data, 0o600))
	}
	name := filepath.Join(folder, "town")
	for _, a := range []Algorithm{MLD, CCH} {
		e, err := Open(name, Options{Algorithm: a})
		require.NoError(t, err)
		ab, ba := loop.NodeID('a'), loop.NodeID('b')
		speed := func(kmh float64) Update {
			return Update{Layer: "live", Speeds: []SegmentSpeed{{From: ab, To: ba, Speed: kmh}, {From: ba, To: ab, Speed: kmh}}}
		}
		// Both directions always cost the same, and one of two costs.
		ask := TableRequest{Coordinates: request(&loop, "ab").Coordinates}
		var allowed []float64
		for _, kmh := range []float64{18, 36} {
			_, err := e.Update(t.Context(), speed(kmh))
			require.NoError(t, err)
			res, err := Table(t.Context(), e, ask)
			require.NoError(t, err)
			allowed = append(allowed, res.Durations[0][1])
		}
		require.NotEqual(t, allowed[0], allowed[1])
		var stop atomic.Bool
		var group sync.WaitGroup
		var answers atomic.Int64
		for range 4 {
			group.Go(func() {
				s := e.Session()
				defer s.Close()
				for !stop.Load() {
					res, err := s.Table(t.Context(), ask)
					if err != nil || res.Durations[0][1] != res.Durations[1][0] || !slices.Contains(allowed, res.Durations[0][1]) {
						t.Errorf("%v %v", res, err)
						return
					}
					answers.Add(1)
				}
			})
		}
		for i := range 60 {
			if i%10 == 9 {
				require.NoError(t, e.Replace(t.Context(), name))
			} else {
				_, err := e.Update(t.Context(), speed([]float64{18, 36}[i%2]))
				require.NoError(t, err)
			}
			time.Sleep(time.Millisecond)
		}
		stop.Store(true)
		group.Wait()
		require.Greater(t, answers.Load(), int64(100))
		require.Error(t, e.Replace(t.Context(), filepath.Join(folder, "none")))
		_, err = Table(t.Context(), e, ask)
		require.NoError(t, err, "what is not there replaces nothing")
		require.NoError(t, e.Close())
		require.Zero(t, e.current.Load().parts.users.Load())
		_, err = e.Update(t.Context(), speed(9))
		require.ErrorIs(t, err, ErrClosed)
		require.ErrorIs(t, e.Replace(t.Context(), name), ErrClosed)
	}
}

// A Session goes on with the data set that took the place of its own.
func TestSessionFollows(t *testing.T) {
	updatable(t, func(t *testing.T, m *town) {
		s := m.Session()
		defer s.Close()
		r := request(&m.drawing, "1b")
		before, err := s.Route(t.Context(), r)
		require.NoError(t, err)
		m.update(Update{Layer: "live", Speeds: []SegmentSpeed{{From: m.drawing.NodeID('a'), To: m.drawing.NodeID('b'), Speed: 3}}})
		after, err := s.Route(t.Context(), r)
		require.NoError(t, err)
		require.Greater(t, after.Routes[0].Duration, before.Routes[0].Duration)
	})
}

func BenchmarkUpdate(b *testing.B) {
	for a, e := range delawares(b) {
		if Algorithm(a) == CH {
			continue
		}
		rng := rand.New(rand.NewPCG(1, 1))
		n := e.current.Load().net
		for _, c := range []struct {
			name     string
			share    float64
			clusters int
		}{{"1% in 20 clusters", 0.01, 20}, {"1% spread", 0.01, 3000}, {"all", 1, 1}, {"1% above all", 0.01, 20}} {
			if c.name == "1% above all" {
				_, err := e.Update(b.Context(), Update{Layer: "historic", Speeds: changes(rng, n, 1, 1)})
				require.NoError(b, err)
			}
			b.Run(e.Info().Algorithm.String()+"/"+c.name, func(b *testing.B) {
				// The processors' time says more on a machine with other work.
				var cpu time.Duration
				count := 0
				for b.Loop() {
					b.StopTimer()
					_, err := e.Update(b.Context(), Update{Layer: "live", Clear: true})
					require.NoError(b, err)
					u := Update{Layer: "live", Speeds: changes(rng, n, c.share, c.clusters)}
					before := cpuTime()
					b.StartTimer()
					_, err = e.Update(b.Context(), u)
					require.NoError(b, err)
					_, err = Nearest(b.Context(), e, NearestRequest{Coordinate: e.Info().Bounds.Center()})
					require.NoError(b, err)
					cpu += cpuTime() - before
					count++
				}
				b.ReportMetric(float64(cpu.Milliseconds())/float64(count), "cpu-ms/op")
				_, err := e.Update(b.Context(), Update{Layer: "live", Clear: true})
				require.NoError(b, err)
			})
		}
	}
}

func TestTooManyLayers(t *testing.T) {
	var layers []string
	var all []Update
	d := &loop
	for i := range 256 {
		layers = append(layers, fmt.Sprint(i))
		all = append(all, Update{Layer: layers[i], Speeds: []SegmentSpeed{{From: d.NodeID('a'), To: d.NodeID('b'), Speed: 10}}})
	}
	for _, a := range []Algorithm{MLD, CCH} {
		m := drawWith(t, *d, Options{Algorithm: a, Layers: layers})
		id := m.Info().MetricID
		_, err := m.Update(t.Context(), all...)
		require.ErrorIs(t, err, ErrTooBig)
		require.ErrorContains(t, err, "255")
		require.Equal(t, id, m.Info().MetricID)
		m.update(all[:255]...)
		require.Equal(t, []uint8{255}, m.route("1b", nil).Routes[0].Legs[0].Annotation.Datasources)
	}
}
