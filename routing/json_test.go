package routing

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"
)

func TestAppendNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", math.Copysign(0, -1): "0", 1: "1", 28.9: "28.9", 4754.6: "4754.6", 0.1 + 0.2: "0.3", -3: "-3",
		59.632396800000004: "59.6323968", 5.899503249123: "5.899503249", 83100.4: "83100.4",
		9007199254740992: "9007199254740992", 9007199254740994: "9.007199255e+15", 0.00001: "1e-05", 12345678901: "12345678901",
		0.00012345678912: "0.0001234567891",
	} {
		require.Equal(t, want, string(appendNumber(nil, v)), v)
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		require.Equal(t, "null", string(appendNumber(nil, v)))
	}
}

// Whole numbers and tenths go by shortcuts, which have to agree with strconv.
func TestAppendNumberShortcuts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100000 {
		tenths := float64(rng.Int64N(1<<(1+rng.Int64N(40)))) / 10
		for _, v := range []float64{tenths, math.Nextafter(tenths, 0), math.Nextafter(tenths, math.MaxInt64)} {
			want := strconv.FormatFloat(v, 'g', 10, 64)
			if math.Trunc(v) == v {
				want = strconv.FormatFloat(v, 'f', -1, 64)
			}
			require.Equal(t, want, string(appendNumber(nil, v)))
		}
	}
	for _, v := range []int{0, 9, 10, 99, 100, 999, 1000, 123456, -1, -1000, math.MaxInt, math.MinInt} {
		require.Equal(t, strconv.Itoa(v), string(appendInt(nil, v)))
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("Carrer de l'Aigüeta \"\\/\n\x00\xff")
	f.Fuzz(func(t *testing.T, s string) {
		var got string
		require.NoError(t, json.Unmarshal(appendString(nil, s), &got))
		require.Equal(t, string([]rune(s)), got, "bytes that are no UTF-8 become U+FFFD")
	})
}

// fullResponse has every field set.
func fullResponse(name string, number float64, id int64) *RouteResponse {
	line := orb.LineString{{7.1, 43.2}, {7.2, 43.25}, {7.3, 43.21}}
	leg := Leg{
		Distance: number, Duration: number / 3, Weight: number / 7, Summary: name, Geometry: line,
		Annotation: &Annotation{
			Distance: []float64{number, 1}, Duration: []float64{0.1, number}, Weight: []float64{1, 2}, Speed: []float64{3, 4},
			Datasources: []uint8{0, 255}, DatasourceNames: []string{name, "b"}, Nodes: []int64{id, 2, 3}, Ways: []int64{-id, 5},
		},
		Steps: []Step{{
			Distance: 1, Duration: 2, Weight: 3, Geometry: line[:1], Name: name, Ref: name, Pronunciation: name, Destinations: name,
			Exits: name, RotaryName: name, RotaryPronunciation: name, Mode: "driving", DrivingSide: "right",
			Maneuver: Maneuver{Location: line[0], BearingBefore: 1, BearingAfter: 359, Type: "turn", Modifier: "left", Exit: 2},
			Intersections: []Intersection{{
				Location: line[1], Bearings: []int{0, 90}, Entry: []bool{true, false}, In: 1, Out: 0,
				Lanes:   []Lane{{Indications: []string{"left", "none"}, Valid: true}, {Valid: false}},
				Classes: []string{"toll", name},
			}, {Location: line[2], In: -1, Out: -1}},
		}},
	}
	return &RouteResponse{
		Routes: []RouteResult{
			{Distance: number, Duration: 1, Weight: 2, WeightName: name, Geometry: line, Legs: []Leg{leg, {}}},
			{Legs: []Leg{{Annotation: &Annotation{}}}},
		},
		Waypoints:   []Waypoint{{Name: name, Location: line[0], Distance: number, Hint: "h"}, {}},
		DataVersion: name,
	}
}

func FuzzAppendJSON(f *testing.F) {
	f.Add("a", 1.5, int64(999_999_999_999), uint8(0))
	f.Add("\\\"", math.Inf(1), int64(math.MinInt64), uint8(1))
	f.Fuzz(func(t *testing.T, name string, number float64, id int64, g uint8) {
		r := fullResponse(name, number, id)
		r.geometries = Geometries(g % 3)
		out := r.AppendJSON([]byte("x"))
		require.Equal(t, byte('x'), out[0])
		require.True(t, json.Valid(out[1:]), string(out))
		n := NearestResponse{Waypoints: []NearestWaypoint{{Waypoint: r.Waypoints[0], Nodes: [2]int64{id, 0}}, {}}, DataVersion: name}
		require.True(t, json.Valid(n.AppendJSON(nil)))
		table, trip, match := fullTable(name, number), fullTrip(name, number), fullMatch(name, number)
		require.True(t, json.Valid(table.AppendJSON(nil)), string(table.AppendJSON(nil)))
		require.True(t, json.Valid(trip.AppendJSON(nil)))
		require.True(t, json.Valid(match.AppendJSON(nil)))
		e := Error{Code: ErrNoRoute, Message: name}
		require.True(t, json.Valid(e.AppendJSON(nil)))
	})
}

func fullTable(name string, number float64) *TableResponse {
	w := Waypoint{Name: name, Location: orb.Point{7.1, 43.2}, Distance: number, Hint: "h"}
	return &TableResponse{
		Durations: [][]float64{{0, number}, {math.Inf(1), 120.5}}, Distances: [][]float64{{0, 1.5}, {math.Inf(1), 600}},
		Sources: []Waypoint{w, {}}, Destinations: []Waypoint{{}, w}, DataVersion: name,
		Estimated: []TableCell{{1, 1}}, Moved: []TableCell{{0, 1}, {1, 0}}, estimates: true,
	}
}

func fullTrip(name string, number float64) *TripResponse {
	return &TripResponse{
		Trips: fullResponse(name, number, 1).Routes[:1], Order: []int{0, 1}, Proven: true, DataVersion: name,
		Waypoints: []TripWaypoint{{Waypoint: Waypoint{Name: name, Hint: "h"}}, {Position: 1}},
	}
}

func fullMatch(name string, number float64) *MatchResponse {
	return &MatchResponse{
		Matchings: []Matching{
			{RouteResult: fullResponse(name, number, 1).Routes[0], Confidence: 0.25},
			{Confidence: number},
		},
		Tracepoints: []*Tracepoint{
			{Waypoint: Waypoint{Name: name, Hint: "h"}, Alternatives: 2}, nil, {Matching: 1, Position: -1},
		},
		DataVersion: name,
	}
}

// object decodes a response.
func object(t *testing.T, r interface{ AppendJSON([]byte) []byte }) map[string]any {
	var out map[string]any
	require.NoError(t, json.Unmarshal(r.AppendJSON(nil), &out))
	return out
}

func TestTableJSON(t *testing.T) {
	r := fullTable("A", 7)
	got := object(t, r)
	require.Equal(t, "Ok", got["code"])
	require.Equal(t, "A", got["data_version"])
	require.Equal(t, []any{[]any{0., 7.}, []any{nil, 12.}}, got["durations"], "OSRM tells a tenth of an estimate")
	require.Equal(t, []any{[]any{0., 1.5}, []any{nil, 600.}}, got["distances"])
	require.Equal(t, []any{[]any{1., 1.}}, got["fallback_speed_cells"])
	require.Equal(t, []any{[]any{0., 1.}, []any{1., 0.}}, got["moved_cells"])
	require.Equal(t, map[string]any{"name": "A", "location": []any{7.1, 43.2}, "distance": 7., "hint": "h"}, got["sources"].([]any)[0])
	require.Equal(t, got["sources"].([]any)[0], got["destinations"].([]any)[1])
	bare := object(t, &TableResponse{skipWaypoints: true, estimates: true})
	require.Equal(t, map[string]any{"code": "Ok", "fallback_speed_cells": []any{}}, bare)
	marshaled, err := json.Marshal(r)
	require.NoError(t, err)
	require.JSONEq(t, string(r.AppendJSON(nil)), string(marshaled))
}

func TestTripJSON(t *testing.T) {
	r := fullTrip("A", 7)
	got := object(t, r)
	require.Equal(t, "A", got["data_version"])
	require.Len(t, got["trips"], 1)
	require.Equal(t, "A", got["trips"].([]any)[0].(map[string]any)["weight_name"])
	second := got["waypoints"].([]any)[1].(map[string]any)
	require.Equal(t, map[string]any{"name": "", "location": []any{0., 0.}, "distance": 0., "trips_index": 0., "waypoint_index": 1.}, second)
	r.skipWaypoints = true
	require.NotContains(t, object(t, r), "waypoints")
	marshaled, err := json.Marshal(r)
	require.NoError(t, err)
	require.JSONEq(t, string(r.AppendJSON(nil)), string(marshaled))
}

func TestMatchJSON(t *testing.T) {
	r := fullMatch("A", 7)
	got := object(t, r)
	require.Equal(t, "A", got["data_version"])
	require.Equal(t, 0.25, got["matchings"].([]any)[0].(map[string]any)["confidence"])
	require.Contains(t, got["matchings"].([]any)[0], "legs")
	points := got["tracepoints"].([]any)
	require.Nil(t, points[1])
	require.Equal(t, map[string]any{
		"name": "A", "location": []any{0., 0.}, "distance": 0., "hint": "h",
		"matchings_index": 0., "waypoint_index": 0., "alternatives_count": 2.,
	}, points[0])
	last := points[2].(map[string]any)
	require.Contains(t, last, "waypoint_index")
	require.Nil(t, last["waypoint_index"])
	r.skipWaypoints = true
	require.NotContains(t, object(t, r), "tracepoints")
	marshaled, err := json.Marshal(r)
	require.NoError(t, err)
	require.JSONEq(t, string(r.AppendJSON(nil)), string(marshaled))
}

func TestJSONFields(t *testing.T) {
	r := fullResponse("Rue \"A\"", 12.5, 12345678901)
	r.geometries = GeometryGeoJSON
	var got map[string]any
	d := json.NewDecoder(strings.NewReader(string(r.AppendJSON(nil))))
	d.UseNumber()
	require.NoError(t, d.Decode(&got))
	require.Equal(t, "Ok", got["code"])
	require.Equal(t, "Rue \"A\"", got["data_version"])
	route := got["routes"].([]any)[0].(map[string]any)
	require.Equal(t, json.Number("12.5"), route["distance"])
	require.Equal(t, "LineString", route["geometry"].(map[string]any)["type"])
	leg := route["legs"].([]any)[0].(map[string]any)
	annotation := leg["annotation"].(map[string]any)
	require.Equal(t, []any{json.Number("12345678901"), json.Number("2"), json.Number("3")}, annotation["nodes"])
	require.Equal(t, []any{json.Number("-12345678901"), json.Number("5")}, annotation["ways"])
	require.Equal(t, []any{"Rue \"A\"", "b"}, annotation["metadata"].(map[string]any)["datasource_names"])
	step := leg["steps"].([]any)[0].(map[string]any)
	require.Len(t, step["geometry"].(map[string]any)["coordinates"], 2, "a line has two points")
	require.Equal(t, json.Number("2"), step["maneuver"].(map[string]any)["exit"])
	crossings := step["intersections"].([]any)
	require.Equal(t, json.Number("0"), crossings[0].(map[string]any)["out"])
	require.NotContains(t, crossings[1], "in")
	require.NotContains(t, crossings[1], "lanes")
	bare := route["legs"].([]any)[1].(map[string]any)
	require.Equal(t, []any{}, bare["steps"])
	require.NotContains(t, bare, "annotation")
	require.NotContains(t, bare, "geometry")
	require.NotContains(t, got["routes"].([]any)[1], "geometry")
	require.Equal(t, "h", got["waypoints"].([]any)[0].(map[string]any)["hint"])
	require.NotContains(t, got["waypoints"].([]any)[1], "hint")

	r.skipWaypoints = true
	require.NotContains(t, string(r.AppendJSON(nil)), `"waypoints"`)
	marshaled, err := json.Marshal(r)
	require.NoError(t, err)
	require.JSONEq(t, string(r.AppendJSON(nil)), string(marshaled))
}

// TestQuotedPolyline holds the escaping of backslashes in place to strconv's.
func TestQuotedPolyline(t *testing.T) {
	seen := 0
	for i := range 4000 {
		line := orb.LineString{{float64(i) * 0.000029, float64(i) * -0.000031}, {1, float64(i) * 0.0000011}}
		plain := string(AppendPolyline(nil, line, 6))
		seen += strings.Count(plain, `\`)
		got := string(appendQuotedPolyline([]byte("k:"), line, 6))
		require.Equal(t, "k:"+strconv.Quote(plain), got)
	}
	require.Positive(t, seen)
}

func BenchmarkAppendJSON(b *testing.B) {
	r := fullResponse("Main Street", 123.4, 178758730)
	dst := make([]byte, 0, 1<<16)
	b.ReportAllocs()
	for b.Loop() {
		dst = r.AppendJSON(dst[:0])
	}
}

func TestAppendJSONAllocatesNothing(t *testing.T) {
	r := fullResponse("Main Street", 123.4, 178758730)
	dst := make([]byte, 0, 1<<16)
	table, trip, match := fullTable("Main Street", 1), fullTrip("Main Street", 1), fullMatch("Main Street", 1)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		dst = r.AppendJSON(dst[:0])
		dst = match.AppendJSON(trip.AppendJSON(table.AppendJSON(dst)))
	}))
}
