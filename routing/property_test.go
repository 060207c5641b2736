package routing

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
)

func andorra(t testing.TB) *Engine {
	t.Helper()
	return andorras(t)[0]
}

// somewhere draws a place in the data set's bounds.
func somewhere(rng *rand.Rand, e *Engine) orb.Point {
	b := e.current.Load().info.Bounds
	return orb.Point{
		b.Min[0] + rng.Float64()*(b.Max[0]-b.Min[0]),
		b.Min[1] + rng.Float64()*(b.Max[1]-b.Min[1]),
	}
}

func someRequest(rng *rand.Rand, e *Engine, count int) RouteRequest {
	r := RouteRequest{Overview: OverviewFull, Annotations: AnnotateAll | AnnotateWays, ContinueStraight: ContinueFreely}
	for range count {
		r.Coordinates = append(r.Coordinates, somewhere(rng, e))
	}
	return r
}

// TestRouteProperties holds random routes to what must be true of all.
func TestRouteProperties(t *testing.T) {
	e := andorra(t)
	rng := rand.New(rand.NewPCG(5, 6))
	session := e.Session()
	defer session.Close()
	answered := 0
	rounds := 150
	if testing.Short() {
		rounds = 20
	}
	for round := range rounds {
		r := someRequest(rng, e, 3)
		res, err := session.Route(t.Context(), r)
		if errors.Is(err, ErrNoRoute) {
			continue
		}
		require.NoError(t, err)
		answered++
		checkSums(t, res)
		route := &res.Routes[0]

		var weight, duration, distance float64
		for i := range 2 {
			part := r
			part.Coordinates = r.Coordinates[i : i+2]
			leg, err := Route(t.Context(), e, part)
			require.NoError(t, err)
			require.Equal(t, leg.Routes[0].Legs[0], route.Legs[i], "round %d", round)
			weight += leg.Routes[0].Weight
			duration += leg.Routes[0].Duration
			distance += leg.Routes[0].Distance
		}
		require.InDelta(t, weight, route.Weight, 1e-6)
		require.InDelta(t, duration, route.Duration, 1e-6)
		require.InDelta(t, distance, route.Distance, 1e-6)

		straight := r
		straight.ContinueStraight = ContinueAlways
		on, err := session.Route(t.Context(), straight)
		require.NoError(t, err)
		require.GreaterOrEqual(t, on.Routes[0].Weight+1e-9, route.Weight)
		checkSums(t, on)

		passing := straight
		passing.Waypoints = []int{0, 2}
		joined, err := session.Route(t.Context(), passing)
		require.NoError(t, err)
		checkSums(t, joined)
		require.Len(t, joined.Routes[0].Legs, 1)
		require.InDelta(t, on.Routes[0].Weight, joined.Routes[0].Weight, 1e-6)

		var decoded struct{ Routes []struct{ Geometry string } }
		res.geometries = GeometryPolyline6
		require.NoError(t, json.Unmarshal(res.AppendJSON(nil), &decoded))
		line, err := DecodePolyline(decoded.Routes[0].Geometry, 6)
		require.NoError(t, err)
		require.Equal(t, route.Geometry, line)

		simple := r
		simple.Overview, simple.Annotations = OverviewSimplified, 0
		short, err := session.Route(t.Context(), simple)
		require.NoError(t, err)
		kept := short.Routes[0].Geometry
		require.LessOrEqual(t, len(kept), len(line))
		require.Equal(t, line[0], kept[0])
		require.Equal(t, line[len(line)-1], kept[len(kept)-1])
	}
	require.Greater(t, answered, rounds*2/3)
}

// TestRouteIsShortest compares with Dijkstra's algorithm on the same ends.
func TestRouteIsShortest(t *testing.T) {
	e := andorra(t)
	g := graph.Expand(e.current.Load().net, e.current.Load().metric)
	rng := rand.New(rand.NewPCG(7, 8))
	w := newWorkspace(e.current.Load().dataset)
	for range 20 {
		r := someRequest(rng, e, 2)
		require.NoError(t, w.snap(t.Context(), r.places(), exclusion{}))
		w.choose()
		w.paths.startSources()
		for i := range w.stops[0].ends {
			w.paths.addSource(i, &w.stops[0].ends[i], 0)
		}
		w.paths.startTargets()
		for i := range w.stops[1].ends {
			w.paths.addTarget(i, &w.stops[1].ends[i])
		}
		want := oracle.Grow(g, nil, w.paths.sources).To(w.paths.targets)
		res, err := Route(t.Context(), e, r)
		require.Equal(t, want.Reached, err == nil)
		if err != nil {
			require.ErrorIs(t, err, ErrNoRoute)
			continue
		}
		leg := res.Routes[0].Legs[0]
		require.InDelta(t, float64(want.Weight)/10, leg.Weight, 1e-6)
		if want.Unique {
			require.InDelta(t, float64(want.Duration)/10, leg.Duration, 1e-6)
			require.InDelta(t, math.Round(float64(want.Distance)/10)/10, leg.Distance, 1e-6)
		}
	}
}

// TestConcurrentQueries: answers do not depend on what else runs.
func TestConcurrentQueries(t *testing.T) {
	e := draw(t, rectangle).Engine
	want, err := Route(t.Context(), e, request(&rectangle, "21b"))
	require.NoError(t, err)
	var wg sync.WaitGroup
	failures := make(chan error, 8)
	for range 8 {
		wg.Go(func() {
			for range 50 {
				got, err := Route(t.Context(), e, request(&rectangle, "21b"))
				if err != nil || string(got.AppendJSON(nil)) != string(want.AppendJSON(nil)) {
					failures <- fmt.Errorf("%v, %v", got, err)
					return
				}
			}
		})
	}
	wg.Wait()
	close(failures)
	require.NoError(t, <-failures)
	require.LessOrEqual(t, e.current.Load().workspaces.Stats().Kept, e.opt.Workspaces)
}

// TestSearchAllocatesNothing: snapping and search live on kept memory, and a
// route takes but what it returns.
func TestSearchAllocatesNothing(t *testing.T) {
	e := andorra(t)
	rng := rand.New(rand.NewPCG(9, 10))
	w := newWorkspace(e.current.Load().dataset)
	var requests []RouteRequest
	for len(requests) < 20 {
		r := someRequest(rng, e, 4)
		r.ContinueStraight = ContinueAlways
		if _, err := w.route(t.Context(), &r, new(Observation)); err == nil {
			requests = append(requests, r)
		}
	}
	next := 0
	search := func() {
		r := &requests[next%len(requests)]
		next++
		if err := w.snap(t.Context(), r.places(), exclusion{}); err != nil {
			t.Error(err)
		}
		w.choose()
		if _, err := w.paths.chain(t.Context(), w.stops, true); err != nil {
			t.Error(err)
		}
	}
	for range 2 * len(requests) {
		search()
	}
	require.Zero(t, testing.AllocsPerRun(len(requests), search))

	session := e.Session()
	defer session.Close()
	r := requests[0]
	r.Coordinates, r.Annotations, r.NoHints = r.Coordinates[:2], 0, true
	route := func() {
		if _, err := session.Route(t.Context(), r); err != nil {
			t.Error(err)
		}
	}
	route()
	// The response, its routes, legs, waypoints and line, and a name for each
	// of two waypoints.
	require.LessOrEqual(t, testing.AllocsPerRun(20, route), 7.0)
}

func BenchmarkRoute(b *testing.B) {
	e := andorra(b)
	rng := rand.New(rand.NewPCG(11, 12))
	for name, change := range map[string]func(*RouteRequest){
		"overview=false":          func(r *RouteRequest) { r.Overview, r.Annotations = OverviewFalse, 0 },
		"overview=simplified":     func(r *RouteRequest) { r.Overview, r.Annotations = OverviewSimplified, 0 },
		"overview=full,annotated": func(*RouteRequest) {},
	} {
		b.Run(name, func(b *testing.B) {
			session := e.Session()
			defer session.Close()
			var requests []RouteRequest
			for range 256 {
				r := someRequest(rng, e, 2)
				change(&r)
				requests = append(requests, r)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := session.Route(b.Context(), requests[i%len(requests)]); err != nil && !errors.Is(err, ErrNoRoute) {
					b.Fatal(err)
				}
			}
		})
	}
}
