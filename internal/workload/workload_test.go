package workload

import (
	"bytes"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/httpapi"
	"github.com/fourway-routing/fourway/internal/synth"
	"github.com/fourway-routing/fourway/pool"
	"github.com/fourway-routing/fourway/routing"
)

// country is a small data set and its places.
func country(t testing.TB) (*routing.Engine, *Places, string) {
	t.Helper()
	var file bytes.Buffer
	_, err := synth.Country(t.Context(), &file, synth.Options{Nodes: 12_000, Seed: 3})
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "country")
	_, err = routing.Build(t.Context(), routing.BuildOptions{Input: "country.osm.pbf", Reader: &file, Output: name})
	require.NoError(t, err)
	e, err := routing.Open(name, routing.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	p, err := OpenPlaces(name)
	require.NoError(t, err)
	require.NoError(t, p.Simulate(t.Context(), e, 20, Seed))
	return e, p, name
}

func TestRequests(t *testing.T) {
	e, p, name := country(t)
	var again Places
	again.coords = p.coords
	require.NoError(t, again.Simulate(t.Context(), e, 20, Seed))
	require.Equal(t, p.traces, again.traces, "the same seed gives the same traces")
	plain, err := routing.Open(name, routing.Options{Memory: pool.Dropping})
	require.NoError(t, err)
	defer plain.Close()
	session := plain.Session()
	defer session.Close()
	server := httpapi.Handler(e, httpapi.Options{})

	names := map[string]bool{}
	for _, shapes := range [][]Shape{Shapes(), FixedShapes(), WebShapes()} {
		for _, shape := range shapes {
			full := shape.Suite + "/" + shape.Name
			require.False(t, names[full], full)
			names[full] = true
			set, err := Prepare(t.Context(), e, p, shape, min(shape.Count, 5))
			require.NoError(t, err, full)
			require.NoError(t, set.Verify(t.Context(), session, 5), full)
			// The URL asks the same.
			for i, q := range set.Queries {
				w := httptest.NewRecorder()
				server.ServeHTTP(w, httptest.NewRequest(http.MethodGet, string(q.AppendPath(nil, "driving")), nil))
				require.Equal(t, http.StatusOK, w.Code, w.Body)
				require.NoError(t, set.VerifyJSON(i, w.Body.Bytes()), full)
			}
		}
	}
	set, err := Prepare(t.Context(), e, p, Shapes()[0], 3)
	require.NoError(t, err)
	require.ErrorIs(t, set.VerifyJSON(1, []byte("{}")), ErrDiffers)
	set.digests[0]++
	require.ErrorIs(t, set.Verify(t.Context(), session, 1), ErrDiffers)
	set.Queries[0] = &Nearest{Number: -1}
	require.ErrorContains(t, set.Verify(t.Context(), session, 1), "Number")
}

func TestTracesAreLikeDrives(t *testing.T) {
	_, p, _ := country(t)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		trace := p.Trace(rng)
		require.GreaterOrEqual(t, len(trace), shortest)
		require.LessOrEqual(t, len(trace), 101)
		for i := 1; i < len(trace); i++ {
			north := (trace[i][1] - trace[i-1][1]) * metersADegree
			require.Less(t, max(north, -north), 80.0)
		}
	}
}

func TestNothingToDrawFrom(t *testing.T) {
	_, err := OpenPlaces(filepath.Join(t.TempDir(), "nowhere"))
	require.Error(t, err)
	e, p, _ := country(t)
	far := &Places{coords: p.coords[:1]}
	require.ErrorContains(t, far.Simulate(t.Context(), e, 1, 1), "too small")
	// Requests that have no answer, one and all.
	_, err = Prepare(t.Context(), e, p, Shape{Suite: "random_match", Draw: func(*Places, *rand.Rand) Query {
		return &Match{Coordinates: []orb.Point{{0, 0}, {0, 1}}}
	}}, 5)
	require.ErrorContains(t, err, "0 of 120")
	_, err = Prepare(t.Context(), e, p, Shape{Suite: "random_route", Draw: func(*Places, *rand.Rand) Query { return &Route{} }}, 5)
	require.ErrorContains(t, err, "at least two")
}

func TestCheckFindsWhatMeasuresNothing(t *testing.T) {
	two := []orb.Point{{1, 1}, {2, 2}}
	leg := routing.Leg{Steps: make([]routing.Step, 2)}
	line := orb.LineString(two)
	for _, test := range []struct {
		name string
		q    Query
		a    Answer
		ok   bool
	}{
		{"no places", &Nearest{}, &routing.NearestResponse{}, false},
		{"more places than asked for", &Nearest{}, &routing.NearestResponse{Waypoints: make([]routing.NearestWaypoint, 2)}, false},
		{"a place", &Nearest{}, &routing.NearestResponse{Waypoints: make([]routing.NearestWaypoint, 1)}, true},
		{"no route", &Route{Coordinates: two}, &routing.RouteResponse{}, false},
		{"a route without legs", &Route{Coordinates: two}, &routing.RouteResponse{Routes: make([]routing.RouteResult, 1)}, false},
		{"a route without a line", &Route{Coordinates: two}, &routing.RouteResponse{
			Routes: []routing.RouteResult{{Legs: []routing.Leg{leg}}},
		}, false},
		{"a route without steps", &Route{Coordinates: two, Steps: true}, &routing.RouteResponse{
			Routes: []routing.RouteResult{{Legs: make([]routing.Leg, 1), Geometry: line}},
		}, false},
		{"a route", &Route{Coordinates: two, Steps: true}, &routing.RouteResponse{
			Routes: []routing.RouteResult{{Legs: []routing.Leg{leg}, Geometry: line}},
		}, true},
		{"too many routes", &Route{Coordinates: two}, &routing.RouteResponse{Routes: make([]routing.RouteResult, 2)}, false},
		{"a table without rows", &Table{Coordinates: two}, &routing.TableResponse{}, false},
		{"a table with short rows", &Table{Coordinates: two}, &routing.TableResponse{Durations: [][]float64{{0}, {0}}}, false},
		{"a table of zeros", &Table{Coordinates: two}, &routing.TableResponse{Durations: [][]float64{{0, 0}, {0, 0}}}, false},
		{
			"a table without distances", &Table{Coordinates: two, Annotations: routing.TableDistances},
			&routing.TableResponse{Durations: [][]float64{{0, 1}, {1, 0}}}, false,
		},
		{"a table", &Table{Coordinates: two}, &routing.TableResponse{Durations: [][]float64{{0, 1}, {1, 0}}}, true},
		{"no trip", &Trip{Coordinates: two}, &routing.TripResponse{}, false},
		{"no matching", &Match{Coordinates: two}, &routing.MatchResponse{}, false},
		{"a matching of nothing", &Match{Coordinates: two}, &routing.MatchResponse{
			Matchings: make([]routing.Matching, 1), Tracepoints: make([]*routing.Tracepoint, 2),
		}, false},
	} {
		if test.ok {
			require.NoError(t, Check(test.q, test.a), test.name)
		} else {
			require.Error(t, Check(test.q, test.a), test.name)
		}
	}
}
