package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/routing"
)

// islands has two parts that are not connected.
var islands = testmap.Drawing{
	Map: `
		a-1-b-2-c   e-3-f
		    |
		    d`,
	Ways: []testmap.Row{{"abc", ""}, {"bd", ""}, {"ef", ""}},
}

// contract asks a Server of islands.
type contract struct {
	t *testing.T
	h *Server
}

func newContract(t *testing.T) contract {
	data, err := islands.OSM()
	require.NoError(t, err)
	e := build(t, routing.BuildOptions{Input: "islands.osm", Reader: bytes.NewReader(data), DataVersion: "today"}, routing.Options{})
	return contract{t, Handler(e, Options{})}
}

// line writes letters of the map as a URL does.
func (c contract) line(letters string) string {
	var list []string
	for _, letter := range letters {
		lon, lat, ok := islands.Position(letter)
		require.True(c.t, ok)
		list = append(list, fmt.Sprintf("%.6f,%.6f", lon, lat))
	}
	return strings.Join(list, ";")
}

// ask sends "service letters?options" as GET.
func (c contract) ask(question string) map[string]any {
	c.t.Helper()
	service, rest, _ := strings.Cut(question, " ")
	letters, options, _ := strings.Cut(rest, "?")
	return c.send(httptest.NewRequest("GET", "/"+service+"/v1/car/"+c.line(letters)+"?generate_hints=false"+options, nil))
}

func (c contract) send(r *http.Request) map[string]any {
	c.t.Helper()
	w := httptest.NewRecorder()
	c.h.ServeHTTP(w, r)
	var got map[string]any
	require.NoError(c.t, json.Unmarshal(w.Body.Bytes(), &got))
	return got
}

// places says by service how the members with waypoints are called.
var places = map[string][]string{
	"route": {"waypoints"}, "nearest": {"waypoints"}, "trip": {"waypoints"}, "match": {"tracepoints"}, "table": {"sources", "destinations"},
}

func TestCommonOptions(t *testing.T) {
	c := newContract(t)
	for service, names := range places {
		letters := "12d"
		if service == "nearest" {
			letters = "1"
		}
		plain := c.ask(service + " " + letters)
		require.Equal(t, "Ok", plain["code"])
		require.Equal(t, "today", plain["data_version"])
		for _, name := range names {
			require.NotEmpty(t, plain[name], service)
			for _, p := range plain[name].([]any) {
				require.NotContains(t, p, "hint")
			}
		}
		// The last of a scalar option counts.
		for _, p := range c.ask(service + " " + letters + "?&generate_hints=true")[names[0]].([]any) {
			require.Len(t, p.(map[string]any)["hint"], 112)
		}
		skipped := c.ask(service + " " + letters + "?&skip_waypoints=true")
		require.Equal(t, "Ok", skipped["code"])
		for _, name := range names {
			require.NotContains(t, skipped, name, service)
			delete(plain, name)
		}
		require.Equal(t, plain, skipped, service)
		// Hints are taken and have no effect.
		hints := strings.Repeat(hintOf(1)+";", len(letters)-1) + hintOf(2)
		require.Equal(t, skipped, c.ask(service+" "+letters+"?&skip_waypoints=true&hints="+hints), service)
		refused := c.ask(service + " " + letters + "?&hints=" + hintOf(1) + ";;;;;")
		require.Equal(t, "InvalidOptions", refused["code"])
		refused = c.ask(service + " " + letters + "?&hints=" + hintOf(1)[1:])
		require.Equal(t, "InvalidQuery", refused["code"])
	}
}

// TestPostEqualsGet compares whole answers.
func TestPostEqualsGet(t *testing.T) {
	c := newContract(t)
	for question, members := range map[string]string{
		"table 12d3?&annotations=duration,distance&sources=0;3&fallback_speed=5": `"annotations":["duration","distance"],"sources":[0,3],"fallback_speed":5`,
		"table 12d?&scale_factor=2":                          `"scale_factor":2`,
		"match 12d?&timestamps=1;20;60&steps=true&tidy=true": `"timestamps":[1,20,60],"steps":true,"tidy":true`,
		"route 12d?&overview=full&geometries=geojson":        `"overview":"full","geometries":"geojson"`,
	} {
		want := c.ask(question)
		require.Equal(t, "Ok", want["code"])
		service, rest, _ := strings.Cut(question, " ")
		letters, _, _ := strings.Cut(rest, "?")
		coordinates := "[[" + strings.ReplaceAll(c.line(letters), ";", "],[") + "]]"
		r := httptest.NewRequest("POST", "/"+service+"/v1/car", strings.NewReader(`{"generate_hints":false,"coordinates":`+coordinates+`,`+members+`}`))
		r.Header.Set("Content-Type", "application/json")
		require.Equal(t, want, c.send(r), question)
	}
}

func TestTableAnswers(t *testing.T) {
	c := newContract(t)
	got := c.ask("table 13?&annotations=duration,distance")
	require.Equal(t, []any{[]any{0.0, nil}, []any{nil, 0.0}}, got["durations"])
	require.Equal(t, []any{[]any{0.0, nil}, []any{nil, 0.0}}, got["distances"])
	require.NotContains(t, got, "fallback_speed_cells")

	got = c.ask("table 123?&sources=0&destinations=1;2;1&fallback_speed=10&annotations=distance,duration")
	require.Equal(t, []any{[]any{0.0, 1.0}}, got["fallback_speed_cells"])
	row := got["distances"].([]any)[0].([]any)
	require.Len(t, row, 3)
	require.Equal(t, row[0], row[2])
	require.InDelta(t, 600, row[1], 6, "as the crow flies")
	require.InDelta(t, 6, got["durations"].([]any)[0].([]any)[1], 0.1, "as OSRM has it")
	require.NotContains(t, got, "routes")

	plain, scaled := c.ask("table 12?&sources=0&destinations=1&annotations=duration,distance"), c.ask("table 12?&sources=0&destinations=1&annotations=duration,distance&scale_factor=2")
	require.Equal(t, plain["distances"], scaled["distances"])
	require.Equal(t, 2*plain["durations"].([]any)[0].([]any)[0].(float64), scaled["durations"].([]any)[0].([]any)[0])
	require.NotContains(t, c.ask("table 12"), "distances")
	require.NotContains(t, c.ask("table 12?&annotations=distance"), "durations")
	require.Equal(t, "InvalidOptions", c.ask("table 1")["code"], "two coordinates even for one cell")
}

func TestTripAnswers(t *testing.T) {
	c := newContract(t)
	for _, options := range []string{"", "&source=first", "&destination=last", "&source=first&destination=last"} {
		got := c.ask("trip 1cd2?&roundtrip=true" + options)
		require.Equal(t, "Ok", got["code"], options)
		require.Len(t, got["trips"], 1)
		require.Len(t, got["trips"].([]any)[0].(map[string]any)["legs"], 4)
	}
	for _, options := range []string{"&source=first", "&destination=last", "&source=first&destination=last", ""} {
		got := c.ask("trip 1cd2?&roundtrip=false" + options)
		require.Equal(t, "Ok", got["code"], options)
		require.Len(t, got["trips"].([]any)[0].(map[string]any)["legs"], 3)
		seen := make([]bool, 4)
		for i, p := range got["waypoints"].([]any) {
			p := p.(map[string]any)
			require.Equal(t, 0.0, p["trips_index"])
			at := int(p["waypoint_index"].(float64))
			require.False(t, seen[at])
			seen[at] = true
			if i == 0 && strings.Contains(options, "first") {
				require.Zero(t, at)
			}
			if i == 3 && strings.Contains(options, "last") {
				require.Equal(t, 3, at)
			}
		}
	}
	got := c.ask("trip 11")
	require.Equal(t, "Ok", got["code"])
	require.Equal(t, 0.0, got["trips"].([]any)[0].(map[string]any)["distance"])
	require.Equal(t, "NoTrips", c.ask("trip 13")["code"])
	require.Equal(t, "InvalidOptions", c.ask("trip 1")["code"])
}

func TestMatchAnswers(t *testing.T) {
	c := newContract(t)
	got := c.ask("match 12c")
	require.Len(t, got["matchings"], 1)
	m := got["matchings"].([]any)[0].(map[string]any)
	require.Len(t, m["legs"], 2)
	require.Positive(t, m["confidence"])
	for i, p := range got["tracepoints"].([]any) {
		p := p.(map[string]any)
		require.Equal(t, 0.0, p["matchings_index"])
		require.Equal(t, float64(i), p["waypoint_index"])
		require.Contains(t, p, "alternatives_count")
	}
	got = c.ask("match 12c?&waypoints=0;2")
	require.Len(t, got["matchings"].([]any)[0].(map[string]any)["legs"], 1)
	middle := got["tracepoints"].([]any)[1].(map[string]any)
	require.Contains(t, middle, "waypoint_index")
	require.Nil(t, middle["waypoint_index"])
	last := got["tracepoints"].([]any)[2].(map[string]any)
	require.Equal(t, 1.0, last["waypoint_index"])
}

func TestRouteAnswers(t *testing.T) {
	c := newContract(t)
	route := func(options string) map[string]any {
		got := c.ask("route 12d" + options)
		require.Equal(t, "Ok", got["code"], options)
		require.Len(t, got["waypoints"], 3)
		require.Len(t, got["routes"], 1)
		return got["routes"].([]any)[0].(map[string]any)
	}
	require.IsType(t, "", route("")["geometry"])
	require.NotContains(t, route("?&overview=false"), "geometry")
	byLegs := route("?&overview=by_legs&geometries=geojson")
	require.NotContains(t, byLegs, "geometry")
	require.Len(t, byLegs["legs"], 2)
	require.Equal(t, "LineString", byLegs["legs"].([]any)[0].(map[string]any)["geometry"].(map[string]any)["type"])
	require.Len(t, route("?&waypoints=0;2")["legs"], 1, "all waypoints are shown all the same")
	require.Equal(t, "InvalidValue", c.ask("route 12d?&waypoints=0;1")["code"])
	require.Equal(t, "InvalidOptions", c.ask("route 12d?&waypoints=0;3")["code"])
	require.Equal(t, "NoRoute", c.ask("route 13")["code"])
	annotated := route("?&annotations=nodes&annotations=distance")["legs"].([]any)[0].(map[string]any)["annotation"].(map[string]any)
	require.Len(t, annotated, 2)
	require.Equal(t, len(annotated["distance"].([]any))+1, len(annotated["nodes"].([]any)))
}

// TestHeaders looks at headers that OSRM has no tests for either.
func TestHeaders(t *testing.T) {
	e := drawn(t)
	h := Handler(e, Options{KeepAlive: 5 * time.Second, MaxURL: 200})
	w, _ := send(t, h, httptest.NewRequest("GET", "/nearest/v1/car/"+place('1'), nil))
	require.Equal(t, "timeout=5", w.Header().Get("Keep-Alive"))
	r := httptest.NewRequest("GET", "/nearest/v1/car/"+place('1'), nil)
	r.ProtoMajor = 2
	w, _ = send(t, h, r)
	require.Empty(t, w.Header().Get("Keep-Alive"))
	w, got := send(t, h, httptest.NewRequest("GET", "/nearest/v1/car/"+place('1')+"?hints="+hintOf(2), nil))
	require.Equal(t, 414, w.Code)
	require.Equal(t, "TooBig", got.Code)
	require.Equal(t, "The URL is larger than 200 bytes.", got.Message)

	var zero Options
	require.Equal(t, 25024, zero.maxURL())
	require.EqualValues(t, 1<<20, zero.maxBody())
	big := Options{MaxMatchSize: 100_000}
	require.Equal(t, 48*100_000+1024, big.maxURL())
	require.EqualValues(t, 128*100_000+4096, big.maxBody())
	small := Options{MaxRouteSize: 3, MaxTableSize: 3, MaxTripSize: 3, MaxMatchSize: 3}
	require.Equal(t, 8<<10, small.maxURL())
	none := Options{MaxRouteSize: -1, MaxTableSize: -1, MaxAlternatives: -1}
	want := zero.limits()
	require.Equal(t, routing.Limits{RouteCoordinates: 500, TableCells: 10_000}, routing.Limits{RouteCoordinates: want.RouteCoordinates, TableCells: want.TableCells})
	want.RouteCoordinates, want.TableCells, want.Alternatives = 0, 0, -1
	require.Equal(t, want, none.limits())
}

// TestAnswersDoNotShareMemory: buffers are used again, by turns in each format.
func TestAnswersDoNotShareMemory(t *testing.T) {
	c := newContract(t)
	var urls []string
	for _, suffix := range []string{"", ".flatbuffers"} {
		urls = append(urls, "/route/v1/car/"+c.line("12d")+suffix, "/table/v1/car/"+c.line("12d")+suffix, "/nearest/v1/car/"+c.line("1")+suffix, "/route/v1/car/"+c.line("13")+suffix)
	}
	want := map[string][]byte{}
	ask := func(url string) []byte {
		w := httptest.NewRecorder()
		c.h.ServeHTTP(w, httptest.NewRequest("GET", url, nil))
		return slices.Clone(w.Body.Bytes())
	}
	for _, url := range urls {
		want[url] = ask(url)
	}
	done := make(chan string)
	for g := range 4 {
		go func() {
			wrong := ""
			for i := range 200 {
				url := urls[(i*3+g)%len(urls)]
				if !bytes.Equal(ask(url), want[url]) {
					wrong = url
				}
			}
			done <- wrong
		}()
	}
	for range 4 {
		require.Empty(t, <-done)
	}
}
