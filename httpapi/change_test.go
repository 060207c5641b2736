package httpapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

// duration asks for a route and returns its seconds, less than 0 for none.
func duration(t testing.TB, h http.Handler, from, to rune) float64 {
	t.Helper()
	_, answer := call(t, h, "GET", "/route/v1/car/"+place(from)+";"+place(to), "", "")
	if answer["code"] != "Ok" {
		return -1
	}
	return answer["routes"].([]any)[0].(map[string]any)["duration"].(float64)
}

func TestChangesAreOffUnlessAllowed(t *testing.T) {
	h := Handler(changeable(t, routing.MLD), Options{})
	for _, x := range [][2]string{{"POST", "/update/v1/car"}, {"POST", "/closure/v1/car"}, {"DELETE", "/closure/v1/car/1"}, {"GET", "/closure/v1/car"}} {
		code, _ := call(t, h, x[0], x[1], "application/json", "{}")
		require.GreaterOrEqual(t, code, 400)
	}
	code, answer := call(t, h, "POST", "/update/v1/car", "application/json", "{}")
	require.Equal(t, 400, code)
	require.Equal(t, "InvalidService", answer["code"])
}

func TestChangesNeedTheToken(t *testing.T) {
	h := Handler(changeable(t, routing.MLD), Options{AllowUpdates: true, UpdateToken: "secret"})
	for _, header := range []string{"", "Bearer", "Bearer wrong", "Bearer secre", "Basic secret", "secret"} {
		code, answer := call(t, h, "POST", "/update/v1/car", "application/json", "{}", "Authorization", header)
		require.Equal(t, 401, code, header)
		require.Equal(t, "Unauthorized", answer["code"])
	}
	for _, header := range []string{"Bearer secret", "bearer  secret"} {
		code, _ := call(t, h, "POST", "/update/v1/car", "application/json", "{}", "Authorization", header)
		require.Equal(t, 200, code, header)
	}
	code, _ := call(t, h, "GET", "/route/v1/car/"+place('a')+";"+place('c'), "", "")
	require.Equal(t, 200, code, "the rest is for everyone")
}

// A page of elsewhere must not change what the user's own server says.
func TestChangesAreNotForPagesOfElsewhere(t *testing.T) {
	h := Handler(changeable(t, routing.MLD), Options{AllowUpdates: true})
	for _, method := range []string{"OPTIONS", "GET", "POST", "DELETE"} {
		r := httptest.NewRequest(method, "/closure/v1/car", strings.NewReader(`{"ways":[1]}`))
		r.Header.Set("Content-Type", "text/plain")
		r.Header.Set("Origin", "https://elsewhere.example")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Empty(t, w.Header().Get("Access-Control-Allow-Origin"), method)
		require.Empty(t, w.Header().Get("Access-Control-Allow-Methods"), method)
	}
	_, answer := call(t, h, "GET", "/closure/v1/car", "", "")
	require.Empty(t, answer["features"])
}

func TestUpdateOverHTTP(t *testing.T) {
	for _, a := range []routing.Algorithm{routing.MLD, routing.CCH} {
		h := Handler(changeable(t, a), Options{AllowUpdates: true})
		post := func(query, kind, body string) map[string]any {
			t.Helper()
			code, answer := call(t, h, "POST", "/update/v1/car"+query, kind, body)
			require.Equal(t, 200, code, answer)
			return answer
		}
		before := duration(t, h, 'a', 'b')
		bc := [2]int64{street.NodeID('a'), street.NodeID('b')}
		answer := post("", "text/csv; charset=utf-8", fmt.Sprintf("%d,%d,9\n1,2,3\n", bc[0], bc[1]))
		live := answer["layers"].([]any)[1].(map[string]any)
		require.Equal(t, "live", live["name"])
		require.InDelta(t, 2, live["speeds"], 0)
		require.InDelta(t, 1, live["found_speeds"], 0)
		require.InDelta(t, 80, duration(t, h, 'a', 'b'), 0.5)
		post("?layer=historic&type=speeds", "text/csv", fmt.Sprintf("%d,%d,90", bc[0], bc[1]))
		require.InDelta(t, 80, duration(t, h, 'a', 'b'), 0.5)
		post("?clear=true", "text/csv", "")
		require.InDelta(t, 8, duration(t, h, 'a', 'b'), 0.5)
		post("", "application/json", `{"layer":"historic","clear":true}`)
		require.InDelta(t, before, duration(t, h, 'a', 'b'), 1e-9)

		turn := fmt.Sprintf("%d,%d,%d,30", bc[0], bc[1], street.NodeID('d'))
		straight := duration(t, h, 'a', 'd')
		answer = post("?type=turns", "text/csv", turn)
		require.InDelta(t, 1, answer["layers"].([]any)[1].(map[string]any)["found_turns"], 0)
		require.Greater(t, duration(t, h, 'a', 'd'), straight+15)
		post("", "application/json", fmt.Sprintf(`{"updates":[
			{"clear":true,"turns":[{"from":1,"via":2,"to":3,"penalty":4,"weight":0},{"from":1,"via":2,"to":3,"remove":true}]},
			{"layer":"closures","speeds":[{"from":%d,"to":%d,"speed":0}],"ways":[{"way":%d,"backward":true,"speed":50,"rate":9}]}]}`,
			bc[0], bc[1], street.WayID("bd")))
		require.InDelta(t, -1, duration(t, h, 'a', 'b'), 0)
		post("", "application/json", fmt.Sprintf(`{"layer":"closures","speeds":[{"from":%d,"to":%d,"remove":true}]}`, bc[0], bc[1]))
		require.InDelta(t, before, duration(t, h, 'a', 'b'), 1e-9)
	}
}

func TestUpdatesThatAreRefused(t *testing.T) {
	h := Handler(changeable(t, routing.MLD), Options{AllowUpdates: true, MaxUpdateBody: 200})
	for _, x := range []struct {
		method, target, kind, body string
		status                     int
		code                       string
	}{
		{"GET", "/update/v1/car", "", "", 405, "InvalidMethod"},
		{"PUT", "/closure/v1/car", "", "", 405, "InvalidMethod"},
		{"POST", "/update/v1/car", "text/plain", "", 415, "InvalidContentType"},
		{"POST", "/closure/v1/car", "text/csv", "", 415, "InvalidContentType"},
		{"POST", "/update/v2/car", "text/csv", "", 400, "InvalidVersion"},
		{"POST", "/update/", "text/csv", "", 400, "InvalidVersion"},
		{"POST", "/update/v1/bus", "text/csv", "", 404, "ProfileNotFound"},
		{"POST", "/update/v1/car/x", "text/csv", "", 400, "InvalidUrl"},
		{"POST", "/update/v1/car?clear=yes", "text/csv", "", 400, "InvalidOptions"},
		{"POST", "/update/v1/car?laier=live", "text/csv", "", 400, "InvalidOptions"},
		{"POST", "/update/v1/car?type=x", "text/csv", "", 400, "InvalidOptions"},
		{"POST", "/update/v1/car?a;b", "text/csv", "", 400, "InvalidUrl"},
		{"POST", "/update/v1/car?layer=dead", "text/csv", "", 400, "InvalidValue"},
		{"POST", "/update/v1/car", "text/csv", "1,2", 400, "InvalidValue"},
		{"POST", "/update/v1/car", "text/csv", strings.Repeat("1,2,3\n", 50), 413, "TooBig"},
		{"POST", "/update/v1/car", "application/json", `[]`, 400, "InvalidQuery"},
		{"POST", "/update/v1/car?layer=live", "application/json", `{}`, 400, "InvalidOptions"},
		{"POST", "/update/v1/car", "application/json", `{"speeds":[{"from":1,"to":2}]}`, 400, "InvalidQuery"},
		{"POST", "/update/v1/car", "application/json", `{"speeds":[{"from":1,"speed":2}]}`, 400, "InvalidQuery"},
		{"POST", "/update/v1/car", "application/json", `{"ways":[{"from":1,"to":1,"speed":2}]}`, 400, "InvalidQuery"},
		{"POST", "/update/v1/car", "application/json", `{"turns":[{"from":1,"via":1,"to":2}]}`, 400, "InvalidQuery"},
		{"POST", "/update/v1/car", "application/json", `{"speeds":[{"from":1,"to":2,"speed":-5}]}`, 400, "InvalidQuery"},
		{"POST", "/update/v1/car", "application/json", `null`, 400, "InvalidQuery"},
		{"POST", "/update/v1/car", "application/json", `{} {}`, 400, "InvalidQuery"},
		{"POST", "/update/v1/car", "application/json", `{"speed":[{"from":1,"to":2,"speed":3}]}`, 400, "InvalidQuery"},
		{"POST", "/update/v1/car", "application/json", `{"speeds":[{"from":1,"to":2,"speed":3,"rat":4}]}`, 400, "InvalidQuery"},
		{"POST", "/update/v1/car", "application/json", `{"updates":[],"clear":true}`, 400, "InvalidQuery"},
		{"POST", "/update/v1/car", "application/json", `{"updates":null}`, 400, "InvalidQuery"},
		{"POST", "/update/v1/car", "application/json", `{"updates":[{"updates":[]}]}`, 400, "InvalidQuery"},
		{"POST", "/update/v1/car?layer=live&layer=historic", "text/csv", "", 400, "InvalidOptions"},
		{"POST", "/closure/v1/car", "application/json", `{}`, 400, "InvalidQuery"},
		{"POST", "/closure/v1/car", "application/json", `{"way":[1]}`, 400, "InvalidQuery"},
		{"POST", "/closure/v1/car", "application/json", `{"ways":[1],"tll":60}`, 400, "InvalidQuery"},
		{"POST", "/closure/v1/car", "application/json", `{"ways":[1],"ttl":"60"}`, 400, "InvalidQuery"},
		{"POST", "/closure/v1/car", "application/json", `{"ways":[1],"id":true}`, 400, "InvalidQuery"},
		{"POST", "/closure/v1/car", "application/json", `{"ways":[1],"note":["x"]}`, 400, "InvalidQuery"},
		{"POST", "/closure/v1/car", "application/json", `{"type":"Polygon","coordinates":[]}`, 400, "InvalidQuery"},
		{"POST", "/closure/v1/car", "application/geo+json", `{"type":"Feature","properties":{"way":[1]},"geometry":null}`, 400, "InvalidQuery"},
		{"POST", "/closure/v1/car", "application/json", `{"polygon":[[[0,0]]]}`, 400, "InvalidOptions"},
		{"POST", "/closure/v1/car", "application/json", `{"ways":[1],"ttl":-1}`, 400, "InvalidQuery"},
		{"POST", "/closure/v1/car", "application/json", `{"ways":[1],"until":"tomorrow"}`, 400, "InvalidQuery"},
		{"POST", "/closure/v1/car", "application/json", `{"ways":[1],"until":"2001-01-01T00:00:00Z"}`, 400, "InvalidOptions"},
		{"POST", "/closure/v1/car", "application/json", `{"ways":[1],"id":"a/b"}`, 400, "InvalidQuery"},
		{"POST", "/closure/v1/car", "application/json", `{"a":` + strings.Repeat(" ", 300), 413, "TooBig"},
		{"POST", "/closure/v1/car/x", "application/json", `{}`, 400, "InvalidUrl"},
		{"DELETE", "/closure/v1/car", "", "", 400, "InvalidUrl"},
		{"DELETE", "/closure/v1/car/none", "", "", 400, "InvalidValue"},
		{"DELETE", "/closure/v1/car/a%2Fb", "", "", 400, "InvalidUrl"},
		{"GET", "/closure/v1/car?bbox=1,2,3", "", "", 400, "InvalidOptions"},
		{"GET", "/closure/v1/car?bbox=3,2,1,4", "", "", 400, "InvalidOptions"},
		{"GET", "/closure/v1/car/1", "", "", 400, "InvalidUrl"},
	} {
		status, answer := call(t, h, x.method, x.target, x.kind, x.body)
		require.Equal(t, x.status, status, "%v: %v", x, answer)
		require.Equal(t, x.code, answer["code"], "%v: %v", x, answer)
	}
	require.Empty(t, h.queue.running)
	_, answer := call(t, h, "POST", "/update/v1/car", "application/json", `{"speeds":[{"from":1.5,"to":2,"speed":3}]}`)
	require.Equal(t, "The body is not an update: speeds.from cannot be number 1.5", answer["message"])
	_, answer = call(t, h, "POST", "/update/v1/car", "application/json", `{"spedes":[]}`)
	require.Equal(t, `The body is not an update: unknown field "spedes"`, answer["message"])
	_, answer = call(t, Handler(drawn(t), Options{AllowUpdates: true}), "POST", "/closure/v1/car", "application/json", `{"ways":[1]}`)
	require.Equal(t, "NotImplemented", answer["code"])
}

func TestClosureOverHTTP(t *testing.T) {
	for _, a := range []routing.Algorithm{routing.MLD, routing.CCH} {
		h := Handler(changeable(t, a), Options{AllowUpdates: true})
		abc := street.WayID("abc")
		_, ring := box(at('2'), 1e-4)
		code, answer := call(t, h, "POST", "/closure/v1/car", "application/json", fmt.Sprintf(
			`[{"ways":[%d,777777],"ttl":3600,"note":"works"},{"type":"Feature","properties":{"id":"flood","until":"2999-01-01T00:00:00+01:00"},
			"geometry":{"type":"Polygon","coordinates":[[[%f,%f],[%f,%f],[%f,%f]]]}}]`,
			abc, ring[0][0], ring[0][1], ring[1][0], ring[1][1], ring[2][0], ring[2][1]))
		require.Equal(t, 200, code, answer)
		require.InDelta(t, 2, answer["live"], 0)
		closures := answer["closures"].([]any)
		first := closures[0].(map[string]any)
		require.Equal(t, "1", first["id"])
		require.InDelta(t, 1, first["found_ways"], 0)
		until, err := time.Parse(time.RFC3339, first["until"].(string))
		require.NoError(t, err)
		require.WithinDuration(t, time.Now().Add(time.Hour), until, time.Minute)
		require.Equal(t, "2998-12-31T23:00:00Z", closures[1].(map[string]any)["until"])

		_, answer = call(t, h, "GET", "/nearest/v1/car/"+place('a'), "", "")
		require.Equal(t, "bd", answer["waypoints"].([]any)[0].(map[string]any)["name"])
		_, answer = call(t, h, "GET", "/closure/v1/car", "", "")
		require.Len(t, answer["features"], 2)
		feature := answer["features"].([]any)[1].(map[string]any)
		require.Equal(t, "Polygon", feature["geometry"].(map[string]any)["type"])
		require.Equal(t, "flood", feature["properties"].(map[string]any)["id"])
		require.Nil(t, answer["features"].([]any)[0].(map[string]any)["geometry"])
		_, answer = call(t, h, "GET", "/closure/v1/car?bbox=40,40,41,41", "", "")
		require.Empty(t, answer["features"])
		code, answer = call(t, h, "DELETE", "/closure/v1/car/1;flood", "", "")
		require.Equal(t, 200, code, answer)
		require.InDelta(t, 2, answer["ended"], 0)
		_, answer = call(t, h, "GET", "/nearest/v1/car/"+place('a'), "", "")
		require.Equal(t, "abc", answer["waypoints"].([]any)[0].(map[string]any)["name"])
	}
}

// The answer tells the state that the update has made, of the metric that it is about.
func TestUpdateTellsOfItsMetric(t *testing.T) {
	e := changeable(t, routing.CCH)
	h := Handler(e, Options{AllowUpdates: true})
	before := e.Info().MetricID
	_, answer := call(t, h, "POST", "/update/v1/car?metric=rush", "text/csv", fmt.Sprintf("%d,%d,9\n", street.NodeID('a'), street.NodeID('b')))
	require.Equal(t, before, e.Info().MetricID)
	metrics := answer["metrics"].([]any)
	require.Len(t, metrics, 1)
	rush := metrics[0].(map[string]any)
	require.Equal(t, "rush", rush["name"])
	require.Equal(t, e.Info().Metrics[1].ID, rush["id"])
	require.InDelta(t, answer["nodes"], rush["nodes"], 0)
	require.Positive(t, rush["nodes"])
}

// Programs that write GeoJSON give features numbers, beside the properties, and
// properties of their own.
func TestClosuresOfGeoJSON(t *testing.T) {
	h := Handler(changeable(t, routing.MLD), Options{AllowUpdates: true})
	_, ring := box(at('2'), 1e-4)
	area := fmt.Sprintf(`"geometry":{"type":"Polygon","coordinates":[[[%f,%f],[%f,%f],[%f,%f]]]}`,
		ring[0][0], ring[0][1], ring[1][0], ring[1][1], ring[2][0], ring[2][1])
	for text, id := range map[string]string{
		`{"type":"Feature","id":"flood","properties":{"color":"red"},` + area + `}`: "flood",
		`{"type":"Feature","id":17,"properties":null,` + area + `}`:                 "17",
		`{"type":"Feature","id":17,"properties":{"id":"works"},` + area + `}`:       "works",
		`{"type":"Feature","properties":{"id":18,"note":null},` + area + `}`:        "18",
	} {
		code, answer := call(t, h, "POST", "/closure/v1/car", "application/geo+json", text)
		require.Equal(t, 200, code, answer)
		require.Equal(t, id, answer["closures"].([]any)[0].(map[string]any)["id"], text)
	}
}

// FuzzChanges sends bodies: each is answered, by JSON and no failure of the server.
func FuzzChanges(f *testing.F) {
	h := Handler(changeable(f, routing.MLD), Options{AllowUpdates: true})
	f.Add("update", "", "text/csv", "1,2,3\n4,5,6,,\n")
	f.Add("update", "type=turns&clear=true", "text/csv", "1,2,3,4\n")
	f.Add("update", "", "application/json", `{"updates":[{"layer":"closures","speeds":[{"from":1,"to":2,"speed":3}],"turns":[{"from":1,"via":2,"to":3,"penalty":1e9}]}]}`)
	f.Add("closure", "", "application/json", `[{"ways":[1],"ttl":1},{"type":"Feature","properties":{"id":"x"},"geometry":{"type":"Polygon","coordinates":[[[1,1],[1.01,1],[1.01,1.01]]]}}]`)
	f.Fuzz(func(t *testing.T, service, query, kind, body string) {
		if service != "update" && service != "closure" || strings.ContainsAny(query, " \t\r\n\x7f") {
			return
		}
		r := httptest.NewRequest("POST", "/"+service+"/v1/car", strings.NewReader(body))
		r.URL.RawQuery = query
		r.Header.Set("Content-Type", kind)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Less(t, w.Code, 500, w.Body.String())
		require.Equal(t, w.Code == 200, strings.Contains(w.Body.String(), `"code":"Ok"`))
	})
}
