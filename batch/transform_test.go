package batch_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/batch"
	"github.com/fourway-routing/fourway/routing"
)

func TestTransforms(t *testing.T) {
	e := open(t)
	d := pinned(t)
	requests := traces(t, e, 30)
	poisoned := append(requests[:30:30], batch.MatchRequest{ID: "poison", MatchRequest: routing.MatchRequest{
		Coordinates: []orb.Point{{math.NaN(), 1}, {2, math.Inf(1)}}, Radiuses: []float64{routing.Unlimited, math.Inf(-1)},
	}})
	var texts []string
	for _, q := range requests {
		coordinates, err := json.Marshal(q.Coordinates)
		require.NoError(t, err)
		texts = append(texts, `{"id": "`+q.ID+`", "coordinates": `+string(coordinates)+`}`)
	}
	texts = append(texts, "no JSON")

	p, s := beam.NewPipelineWithRoot()
	one, oneBad := batch.Matches(s.Scope("one"), d, batch.Options{}, beam.CreateList(s, poisoned))
	group, groupBad := batch.Matches(s.Scope("group"), d, batch.Options{Groups: 4}, beam.CreateList(s, poisoned))
	text, textBad := batch.Matches(s.Scope("text"), d, batch.Options{NoResponse: true}, beam.CreateList(s, texts))
	from, to := orb.Point{-75.5466, 39.7447}, orb.Point{-75.7497, 39.6837}
	routes, routesBad := batch.Routes(s, d, batch.Options{}, beam.CreateList(s, []batch.RouteRequest{
		{ID: "a", RouteRequest: routing.RouteRequest{Coordinates: []orb.Point{from, to}, Radiuses: []float64{0, routing.Unlimited}}},
		{ID: "b", RouteRequest: routing.RouteRequest{Coordinates: []orb.Point{from}}},
	}))
	near, nearBad := batch.Nearest(s, d, batch.Options{}, beam.CreateList(s, []batch.NearestRequest{
		{ID: "a", NearestRequest: routing.NearestRequest{Coordinate: from, Radius: routing.Unlimited}},
		{ID: "b", NearestRequest: routing.NearestRequest{Coordinate: orb.Point{500, 0}}},
	}))
	away, awayBad := batch.Isochrones(s, d, batch.Options{}, beam.CreateList(s, []batch.IsochroneRequest{
		{ID: "a", IsochroneRequest: routing.IsochroneRequest{Coordinates: []orb.Point{from}, Contours: []float64{120, 300}}},
		{ID: "b", IsochroneRequest: routing.IsochroneRequest{Coordinates: []orb.Point{from}, Contours: []float64{math.Inf(1)}, Margin: math.NaN()}},
	}))
	awayText, awayTextBad := batch.Isochrones(s.Scope("lines"), d, batch.Options{Groups: 2}, beam.CreateList(s, []string{
		`{"id": "a", "coordinates": [[-75.5466, 39.7447]], "contours_minutes": [2, 5]}`,
		`{"id": "b", "coordinates": [[-75.5466, 39.7447]]}`,
	}))
	type get = func(testing.TB) []batch.MatchResult
	results := []get{gather[batch.MatchResult](s, one), gather[batch.MatchResult](s, group)}
	fromText := gather[batch.MatchResult](s, text)
	var bad []func(testing.TB) []batch.Failure
	for _, c := range []beam.PCollection{oneBad, groupBad, textBad, routesBad, nearBad, awayBad, awayTextBad} {
		bad = append(bad, gather[batch.Failure](s, c))
	}
	gotRoutes, gotNear := gather[batch.RouteResult](s, routes), gather[batch.NearestResult](s, near)
	gotAway := []func(testing.TB) []batch.IsochroneResult{gather[batch.IsochroneResult](s, away), gather[batch.IsochroneResult](s, awayText)}
	runPipeline(t, p)

	want := map[string]string{}
	for _, q := range requests {
		res, err := routing.Match(t.Context(), e, q.MatchRequest)
		require.NoError(t, err)
		want[q.ID] = string(res.AppendJSON(nil))
	}
	for _, get := range results {
		got := map[string]string{}
		for _, r := range get(t) {
			got[r.ID] = string(r.Response)
		}
		require.Equal(t, want, got)
	}
	require.Len(t, fromText(t), 30)
	for i, id := range []string{"poison", "poison", "", "b", "b", "b", "b"} {
		failures := bad[i](t)
		require.Len(t, failures, 1, i)
		require.Equal(t, id, failures[0].ID)
		require.NotEmpty(t, failures[0].Code)
	}
	route, err := routing.Route(t.Context(), e, routing.RouteRequest{Coordinates: []orb.Point{from, to}})
	require.NoError(t, err)
	require.Equal(t, string(route.AppendJSON(nil)), string(gotRoutes(t)[0].Response))
	nearest, err := routing.Nearest(t.Context(), e, routing.NearestRequest{Coordinate: from})
	require.NoError(t, err)
	require.Equal(t, string(nearest.AppendJSON(nil)), string(gotNear(t)[0].Response))
	isochrone, err := routing.Isochrone(t.Context(), e, routing.IsochroneRequest{Coordinates: []orb.Point{from}, Contours: []float64{120, 300}})
	require.NoError(t, err)
	for _, get := range gotAway {
		got := get(t)
		require.Len(t, got, 1)
		require.EqualValues(t, 2, got[0].Contours)
		require.Equal(t, string(isochrone.AppendJSON(nil)), string(got[0].Response))
	}
}
