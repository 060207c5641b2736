package httpapi

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http/httptest"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

// A flatTest compares an answer in flatbuffers with the same one in JSON.
type flatTest struct {
	t *testing.T
	s *schema
}

func (f flatTest) near(want, got any, what string) {
	f.t.Helper()
	w, _ := want.(float64)
	g, _ := got.(float64)
	require.InDelta(f.t, w, g, 1e-6*math.Abs(w)+1e-9, what)
}

func (f flatTest) same(want, got any, what string) {
	f.t.Helper()
	if want == nil {
		want = ""
	}
	if got == nil {
		got = ""
	}
	require.Equal(f.t, want, got, what)
}

func (f flatTest) place(want, got any, what string) {
	f.t.Helper()
	w, g := want.([]any), got.(map[string]any)
	require.InDelta(f.t, w[0], g["longitude"], 1e-5, what)
	require.InDelta(f.t, w[1], g["latitude"], 1e-5, what)
}

func (f flatTest) line(want any, got map[string]any, what string) {
	f.t.Helper()
	switch w := want.(type) {
	case nil:
		require.NotContains(f.t, got, "polyline", what)
		require.NotContains(f.t, got, "coordinates", what)
	case string:
		require.Equal(f.t, w, got["polyline"], what)
	case map[string]any:
		points := w["coordinates"].([]any)
		list := got["coordinates"].([]any)
		require.Equal(f.t, len(points), len(list), what)
		for i := range points {
			f.place(points[i], list[i], what)
		}
	}
}

// numbers compares lists; fractions may be cut off.
func (f flatTest) numbers(want, got any, fractions bool, what string) {
	f.t.Helper()
	w, _ := want.([]any)
	g, _ := got.([]any)
	require.Equal(f.t, want == nil, got == nil, what)
	require.Equal(f.t, len(w), len(g), what)
	for i := range w {
		v, _ := w[i].(float64)
		if !fractions {
			v = math.Trunc(v)
		}
		f.near(v, g[i], what)
	}
}

func (f flatTest) waypoint(want, got map[string]any) {
	f.t.Helper()
	f.same(want["hint"], got["hint"], "hint")
	f.same(want["name"], got["name"], "name")
	f.near(want["distance"], got["distance"], "distance")
	f.place(want["location"], got["location"], "location")
	if nodes, ok := want["nodes"].([]any); ok {
		require.Equal(f.t, map[string]any{"first": nodes[0], "second": nodes[1]}, got["nodes"])
	}
	for _, name := range []string{"matchings_index", "waypoint_index", "alternatives_count", "trips_index"} {
		f.near(want[name], got[name], name)
	}
}

func (f flatTest) waypoints(want, got any) {
	f.t.Helper()
	require.Equal(f.t, want == nil, got == nil)
	if want == nil {
		return
	}
	w, g := want.([]any), got.([]any)
	require.Equal(f.t, len(w), len(g))
	for i := range w {
		if w[i] == nil {
			require.Empty(f.t, g[i])
			continue
		}
		f.waypoint(w[i].(map[string]any), g[i].(map[string]any))
	}
}

func objects(list any) []map[string]any {
	items, _ := list.([]any)
	out := make([]map[string]any, len(items))
	for i := range items {
		out[i] = items[i].(map[string]any)
	}
	return out
}

func (f flatTest) routes(want, got any) {
	f.t.Helper()
	w, g := objects(want), objects(got)
	require.Equal(f.t, len(w), len(g))
	for i := range w {
		for _, name := range []string{"distance", "duration", "weight", "confidence"} {
			f.near(w[i][name], g[i][name], name)
		}
		f.same(w[i]["weight_name"], g[i]["weight_name"], "weight_name")
		f.line(w[i]["geometry"], g[i], "geometry")
		wl, gl := objects(w[i]["legs"]), objects(g[i]["legs"])
		require.Equal(f.t, len(wl), len(gl))
		for k := range wl {
			f.leg(wl[k], gl[k])
		}
	}
}

func (f flatTest) leg(want, got map[string]any) {
	f.t.Helper()
	for _, name := range []string{"distance", "duration", "weight"} {
		f.near(want[name], got[name], name)
	}
	f.same(want["summary"], got["summary"], "summary")
	f.line(want["geometry"], got, "leg geometry")
	if w, ok := want["annotation"].(map[string]any); ok {
		g := got["annotations"].(map[string]any)
		for _, name := range []string{"distance", "duration", "weight", "datasources"} {
			f.numbers(w[name], g[name], false, name)
		}
		if w["nodes"] == nil {
			w["nodes"] = []any{} // as OSRM has it
		}
		for _, name := range []string{"speed", "nodes", "ways"} {
			f.numbers(w[name], g[name], true, name)
		}
		require.Equal(f.t, w["metadata"], g["metadata"])
	} else {
		require.NotContains(f.t, got, "annotations")
	}
	w, g := objects(want["steps"]), objects(got["steps"])
	require.Equal(f.t, len(w), len(g))
	for i := range w {
		f.step(w[i], g[i])
	}
}

// enumName turns a word into the schema's name of it.
func enumName(word any) string {
	text, _ := word.(string)
	if text == "uturn" {
		return "UTurn"
	}
	var name strings.Builder
	for part := range strings.FieldsSeq(text) {
		name.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return name.String()
}

func (f flatTest) step(want, got map[string]any) {
	f.t.Helper()
	for _, name := range []string{"distance", "duration", "weight"} {
		f.near(want[name], got[name], name)
	}
	for _, name := range []string{"name", "ref", "pronunciation", "destinations", "exits", "mode", "rotary_name", "rotary_pronunciation"} {
		f.same(want[name], got[name], name)
	}
	require.Equal(f.t, want["driving_side"] == "left", got["driving_side"] == true)
	f.line(want["geometry"], got, "step geometry")
	w, g := want["maneuver"].(map[string]any), got["maneuver"].(map[string]any)
	f.place(w["location"], g["location"], "maneuver")
	f.near(w["bearing_before"], g["bearing_before"], "bearing_before")
	f.near(w["bearing_after"], g["bearing_after"], "bearing_after")
	f.near(w["exit"], g["exit"], "exit")
	kind := enumName(w["type"])
	if kind == "Turn" {
		require.NotContains(f.t, g, "type", "the default")
	} else {
		require.Equal(f.t, kind, g["type"])
	}
	f.same(enumName(w["modifier"]), g["modifier"], "modifier")
	wx, gx := objects(want["intersections"]), objects(got["intersections"])
	require.Equal(f.t, len(wx), len(gx))
	for i := range wx {
		f.intersection(wx[i], gx[i])
	}
}

func (f flatTest) intersection(want, got map[string]any) {
	f.t.Helper()
	f.place(want["location"], got["location"], "intersection")
	f.numbers(want["bearings"], got["bearings"], true, "bearings")
	require.Equal(f.t, want["entry"], got["entry"])
	for name, field := range map[string]string{"in": "in_bearing", "out": "out_bearing"} {
		if w, ok := want[name]; ok {
			f.near(w, got[field], name)
		} else {
			require.Equal(f.t, float64(math.MaxUint32), got[field], name)
		}
	}
	classes, _ := want["classes"].([]any)
	require.Len(f.t, got["classes"], len(classes))
	for i := range classes {
		require.Equal(f.t, classes[i], got["classes"].([]any)[i])
	}
	lanes, list := objects(want["lanes"]), objects(got["lanes"])
	require.Equal(f.t, len(lanes), len(list))
	for i := range lanes {
		require.Equal(f.t, lanes[i]["valid"] == true, list[i]["valid"] == true)
		for k, sign := range lanes[i]["indications"].([]any) {
			require.Equal(f.t, enumName(sign), list[i]["indications"].([]any)[k])
		}
	}
}

// compare compares two bodies.
func (f flatTest) compare(text, flat []byte) {
	f.t.Helper()
	var want map[string]any
	require.NoError(f.t, json.Unmarshal(text, &want))
	got := f.s.decode(flat)
	if want["code"] != "Ok" {
		delete(want, "detail") // the schema has no place for it
		require.Equal(f.t, map[string]any{"error": true, "code": want}, got)
		return
	}
	require.NotContains(f.t, got, "error")
	f.same(want["data_version"], got["data_version"], "data_version")
	for _, name := range []string{"routes", "trips", "matchings"} {
		if want[name] != nil {
			f.routes(want[name], got["routes"])
		}
	}
	for _, name := range []string{"waypoints", "tracepoints", "sources"} {
		if want[name] != nil {
			f.waypoints(want[name], got["waypoints"])
		}
	}
	table, ok := got["table"].(map[string]any)
	if !ok {
		return
	}
	f.waypoints(want["destinations"], table["destinations"])
	for _, name := range []string{"durations", "distances", "fallback_speed_cells"} {
		rows, ok := want[name].([]any)
		if !ok {
			require.NotContains(f.t, table, name)
			continue
		}
		flat := []any{}
		for _, row := range rows {
			flat = append(flat, row.([]any)...)
		}
		f.numbers(flat, table[name], true, name)
		if name != "fallback_speed_cells" {
			require.Equal(f.t, float64(len(rows)), table["rows"])
			require.Equal(f.t, float64(len(rows[0].([]any))), table["cols"])
		}
	}
}

// TestFlatbuffersSayWhatJSONSays asks everything twice.
func TestFlatbuffersSayWhatJSONSays(t *testing.T) {
	c := newContract(t)
	h := c.h
	f := flatTest{t, readSchema(t)}
	ask := func(url string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", url, nil))
		return w
	}
	line := c.line("12d")
	for _, question := range []string{
		"/route/v1/car/" + line + "%s",
		"/route/v1/car/" + line + "%s?steps=true&annotations=true&annotations=ways&overview=full",
		"/route/v1/car/" + line + "%s?steps=true&geometries=geojson&annotations=nodes,ways&overview=by_legs&generate_hints=false",
		"/route/v1/car/" + line + "%s?geometries=polyline6&overview=false&skip_waypoints=true&waypoints=0;2",
		"/route/v1/car/" + line + "%s?radiuses=0;0;0",
		"/nearest/v1/car/" + c.line("1") + "%s?number=3",
		"/nearest/v1/car/" + c.line("1") + "%s?skip_waypoints=true",
		"/nearest/v1/car/200,1%s",
		"/table/v1/car/" + line + "%s",
		"/table/v1/car/" + line + "%s?annotations=distance,duration&sources=0;1&destinations=2;2;1&fallback_speed=5",
		"/table/v1/car/" + line + "%s?annotations=distance&skip_waypoints=true&scale_factor=2",
		"/table/v1/car/" + c.line("123d") + "%s?annotations=distance,duration&fallback_speed=5",
		"/table/v1/car/" + c.line("13") + "%s",
		"/route/v1/car/" + c.line("13") + "%s",
		"/trip/v1/car/" + c.line("13") + "%s",
		"/trip/v1/car/" + line + "%s?steps=true",
		"/trip/v1/car/" + line + "%s?roundtrip=false&source=first&destination=any&skip_waypoints=true",
		"/match/v1/car/" + line + "%s?steps=true&radiuses=20;20;20",
		"/match/v1/car/" + line + "%s?waypoints=0;2&radiuses=20;20;20&gaps=ignore",
		"/match/v1/car/" + c.line("12") + ";1.2,1.2;" + c.line("c") + "%s",
	} {
		plain, flat := ask(fmt.Sprintf(question, "")), ask(fmt.Sprintf(question, ".flatbuffers"))
		require.Equal(t, plain.Code, flat.Code, question)
		require.Equal(t, "application/x-flatbuffers;schema=osrm.engine.api.fbresult", flat.Header().Get("Content-Type"), question)
		require.Empty(t, flat.Header().Get("Content-Disposition"))
		f.compare(plain.Body.Bytes(), flat.Body.Bytes())
	}
	// An error of parsing is told in JSON: the format is not known yet.
	require.Contains(t, ask("/route/v1/car/"+line+".flatbuffers?x=1").Body.String(), `"code":"InvalidQuery"`)
}

// TestFlatbuffersOfAllFields writes a route that has everything.
func TestFlatbuffersOfAllFields(t *testing.T) {
	line := orb.LineString{{1, 2}, {3, -4}}
	var steps []routing.Step
	for i, kind := range maneuverTypes {
		steps = append(steps, routing.Step{
			Distance: 1.5, Duration: 2.5, Weight: 3.5, Geometry: line, Name: "n", Ref: "r", Pronunciation: "p", Destinations: "d", Exits: "e",
			RotaryName: "rn", RotaryPronunciation: "rp", Mode: "driving", DrivingSide: []string{"left", "right"}[i%2],
			Maneuver: routing.Maneuver{Location: line[0], BearingBefore: 359, BearingAfter: i, Type: kind, Exit: i},
			Intersections: []routing.Intersection{{
				Location: line[1], Bearings: []int{0, 120, 240}, Entry: []bool{true, false, true}, In: i % 3, Out: -1,
				Classes: []string{"toll", "ferry"},
				Lanes:   []routing.Lane{{Indications: turnModifiers[:], Valid: true}, {Indications: []string{"left"}}},
			}, {Location: line[0], In: -1, Out: i % 3, Bearings: []int{}, Entry: []bool{}}},
		})
	}
	for i, m := range turnModifiers[1:] {
		steps[i].Maneuver.Modifier = m
	}
	res := &routing.RouteResponse{DataVersion: "v", Waypoints: []routing.Waypoint{}, Routes: []routing.RouteResult{{
		Distance: 1, Duration: 2, Weight: 3, WeightName: "w", Geometry: line,
		Legs: []routing.Leg{{Distance: 4, Duration: 5, Weight: 6, Summary: "s", Steps: steps, Geometry: line}, {}},
	}}}
	var b buffer
	(&routeAnswer{RouteResponse: res}).render(&b, true)
	flatTest{t, readSchema(t)}.compare(res.AppendJSON(nil), b.body)

	w := flatWriter{Builder: b.builder()}
	unknown := w.maneuver(&routing.Maneuver{Type: "levitate", Exit: 1000})
	w.Finish(unknown)
	s := readSchema(t)
	s.root = "StepManeuver"
	got := s.decode(w.FinishedBytes())
	require.Equal(t, "Notification", got["type"])
	require.Equal(t, 255.0, got["exit"])
}

// TestFlatbuffersMissingCells: OSRM's schema has no null.
func TestFlatbuffersMissingCells(t *testing.T) {
	w := flatWriter{Builder: flatbuffers.NewBuilder(0)}
	inf := math.Inf(1)
	a := &tableAnswer{
		TableResponse: &routing.TableResponse{Durations: [][]float64{{0, inf}, {2.5, 35.9}}, Estimated: []routing.TableCell{{Source: 1, Destination: 1}}},
		rows:          2, columns: 2, estimates: true,
	}
	table := w.table(a, 0)
	got := readSchema(t).decode(w.finish(nil, &flatResult{table: table}))
	require.Equal(t, map[string]any{"table": map[string]any{
		"durations": []any{0.0, 0.0, 2.5, 3.5}, "rows": 2.0, "cols": 2.0, "fallback_speed_cells": []any{1.0, 1.0},
	}}, got)
}

type hugeAnswer struct{ size int }

func (a hugeAnswer) render(b *buffer, _ bool) {
	b.builder().StartVector(1, a.size, 1)
	panic("never too big")
}

// TestFlatbuffersTooBig: the format ends at two gigabytes, which are not
// allocated to find that out.
func TestFlatbuffersTooBig(t *testing.T) {
	var b buffer
	b.builder().Bytes = make([]byte, 1<<30)
	err := renderFlat(&b, hugeAnswer{1 << 30})
	require.ErrorIs(t, err, routing.ErrTooBig)
	require.Nil(t, b.flat)
	require.PanicsWithValue(t, "never too big", func() { _ = renderFlat(&b, hugeAnswer{1}) })
}
