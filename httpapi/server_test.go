package httpapi

import (
	"bufio"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// place writes a letter of street as a URL does.
func place(letter rune) string {
	lon, lat, _ := street.Position(letter)
	return fmt.Sprintf("%.6f,%.6f", lon, lat)
}

type reply struct {
	Code, Message string
	DataVersion   string `json:"data_version"`
	Routes        []struct {
		Distance float64
		Geometry any
	}
	Waypoints []struct {
		Name, Hint string
		Nodes      []int64
	}
}

func send(t *testing.T, h http.Handler, r *http.Request) (*httptest.ResponseRecorder, reply) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var got reply
	if w.Body.Len() > 0 && w.Header().Get("Content-Encoding") == "" {
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &got), w.Body.String())
	}
	return w, got
}

func TestGet(t *testing.T) {
	h := Handler(drawn(t), Options{})
	url := "/route/v1/driving/" + place('1') + ";" + place('2')
	w, got := send(t, h, httptest.NewRequest("GET", url+"?overview=full&geometries=geojson", nil))
	require.Equal(t, 200, w.Code)
	require.Equal(t, "Ok", got.Code)
	require.Equal(t, "today", got.DataVersion)
	require.InDelta(t, 200, got.Routes[0].Distance, 1)
	require.Equal(t, "abc", got.Waypoints[0].Name)
	require.Len(t, got.Waypoints[0].Hint, 112)
	require.Equal(t, "application/json; charset=UTF-8", w.Header().Get("Content-Type"))
	require.Equal(t, `inline; filename="response.json"`, w.Header().Get("Content-Disposition"))
	require.Equal(t, "*", w.Header().Get("Access-Control-Allow-Origin"))
	require.Equal(t, fmt.Sprint(w.Body.Len()), w.Header().Get("Content-Length"))

	// The whole URL is decoded before it is parsed.
	_, same := send(t, h, httptest.NewRequest("GET", strings.NewReplacer(";", "%3B", ",", "%2c").Replace(url)+"%3foverview=full%26geometries=geojson", nil))
	require.Equal(t, got, same)

	_, got = send(t, h, httptest.NewRequest("GET", "/nearest/v1/driving/"+place('1')+".json?number=2&generate_hints=false", nil))
	require.Len(t, got.Waypoints, 2)
	require.Empty(t, got.Waypoints[0].Hint)
	require.Len(t, got.Waypoints[0].Nodes, 2)
}

func TestPostMeansGet(t *testing.T) {
	h := Handler(drawn(t), Options{})
	_, want := send(t, h, httptest.NewRequest("GET", "/route/v1/driving/"+place('1')+";"+place('2')+"?overview=full", nil))
	body := fmt.Sprintf(`{"coordinates":[[%s],[%s]],"overview":"full"}`, place('1'), place('2'))
	post := func(url, kind, body string) (*httptest.ResponseRecorder, reply) {
		r := httptest.NewRequest("POST", url, strings.NewReader(body))
		r.Header.Set("Content-Type", kind)
		return send(t, h, r)
	}
	for _, url := range []string{"/route/v1/driving", "/route/v1/driving/"} {
		w, got := post(url, "Application/JSON; charset=utf-8", body)
		require.Equal(t, 200, w.Code)
		require.Equal(t, want, got)
	}
	for _, c := range []struct {
		url, kind, body, code string
		status                int
	}{
		{"/route/v1/driving", "text/plain", body, "InvalidContentType", 415},
		{"/route/v1/driving", "", body, "InvalidContentType", 415},
		{"/route/v1/driving/1,2;3,4", "application/json", body, "InvalidUrl", 400},
		{"/route", "application/json", body, "InvalidUrl", 400},
		{"/walk/v1/driving", "application/json", body, "InvalidService", 400},
		{"/route/v2/driving", "application/json", body, "InvalidVersion", 400},
		{"/nearest/v1/driving", "application/json", body, "NotImplemented", 400},
		{"/trip/v1/driving", "application/json", body, "NotImplemented", 400},
		{"/tile/v1/driving", "application/json", body, "NotImplemented", 400},
		{"/route/v1/foot", "application/json", body, "ProfileNotFound", 404},
		{"/route/v1/driving", "application/json", "{", "InvalidQuery", 400},
		{"/route/v1/driving", "application/json", `{"coordinates":[[1,2]]}`, "InvalidOptions", 400},
		{"/route/v1/driving", "application/json", strings.Repeat(" ", 1<<20+1), "TooBig", 413},
	} {
		w, got := post(c.url, c.kind, c.body)
		require.Equal(t, c.status, w.Code, c)
		require.Equal(t, c.code, got.Code, c)
		require.NotEmpty(t, got.Message)
	}
}

func TestRefusals(t *testing.T) {
	h := Handler(drawn(t), Options{
		MaxRouteSize: 2, MaxTableSize: 2, MaxTripSize: 2, MaxMatchSize: 2, MaxMatchRadius: 50, MaxNearestSize: 3, MaxAlternatives: -1, DefaultRadius: 20,
	})
	line := place('1') + ";" + place('2')
	for url, want := range map[string]string{
		"/":                         "InvalidUrl",
		"/route/v1/driving":         "InvalidUrl",
		"/walk/v1/driving/" + line:  "InvalidService",
		"/route/v2/driving/" + line: "InvalidVersion",
		"/route/v99999999999999999999/driving/" + line:                                     "InvalidVersion",
		"/route/v1/driving/" + line + "?colour=red":                                        "InvalidQuery",
		"/route/v1/driving/" + place('1'):                                                  "InvalidOptions",
		"/route/v1/driving/" + line + "?bearings=1,2":                                      "InvalidOptions",
		"/route/v1/driving/" + line + ";" + place('a'):                                     "TooBig",
		"/route/v1/driving/" + line + "?alternatives=1":                                    "TooBig",
		"/route/v1/driving/200,1;1,1":                                                      "InvalidValue",
		"/route/v1/driving/" + line + "?waypoints=0":                                       "InvalidValue",
		"/route/v1/driving/" + line + "?exclude=x":                                         "InvalidValue",
		"/route/v1/driving/1.1,1.1;" + place('1'):                                          "NoSegment",
		"/nope/v1/foot/" + line:                                                            "InvalidService",
		"/nearest/v1/driving/" + line:                                                      "InvalidOptions",
		"/nearest/v1/driving/" + place('1') + "?number=0":                                  "InvalidOptions",
		"/nearest/v1/driving/" + place('1') + "?number=4":                                  "TooBig",
		"/nearest/v1/driving/200,1":                                                        "InvalidOptions",
		"/nearest/v1/driving/1.1,1.1":                                                      "NoSegment",
		"/table/v1/driving/" + line + "?sources=2":                                         "InvalidOptions",
		"/table/v1/driving/" + line + "?fallback_speed=0":                                  "InvalidOptions",
		"/table/v1/driving/" + line + "?scale_factor=-1":                                   "InvalidOptions",
		"/table/v1/driving/" + line + ";" + place('a') + "?sources=0;1&destinations=0;1;2": "TooBig",
		"/table/v1/driving/200,1;1,1":                                                      "InvalidOptions",
		"/table/v1/driving/1.1,1.1;" + place('1'):                                          "NoSegment",
		"/trip/v1/driving/" + line + ";" + place('a'):                                      "TooBig",
		"/trip/v1/driving/" + line + "?waypoints=5":                                        "InvalidOptions",
		"/trip/v1/driving/200,1;1,1":                                                       "InvalidValue",
		"/match/v1/driving/" + line + "?timestamps=1":                                      "InvalidOptions",
		"/match/v1/driving/" + line + "?timestamps=2;1":                                    "InvalidValue",
		"/match/v1/driving/" + line + "?radiuses=51;1":                                     "TooBig",
		"/match/v1/driving/" + line + ";" + place('a'):                                     "TooBig",
		"/match/v1/driving/" + line + "?waypoints=0":                                       "InvalidValue",
		"/match/v1/driving/1.1,1.1;1.2,1.2":                                                "NoSegment",
		"/match/v1/driving/200,1;1,1":                                                      "InvalidValue",
		"/tile/v1/car/tile(1,2,3).mvt":                                                     "InvalidOptions",
		"/tile/v1/car/1,2":                                                                 "InvalidQuery",
	} {
		w, got := send(t, h, httptest.NewRequest("GET", url, nil))
		require.Equal(t, 400, w.Code, url)
		require.Equal(t, want, got.Code, url)
		require.NotEmpty(t, got.Message, url)
		require.Equal(t, "*", w.Header().Get("Access-Control-Allow-Origin"))
	}
	_, got := send(t, h, httptest.NewRequest("GET", "/route/v1/driving/1.1,1.1;1,1?radiuses=unlimited;", nil))
	require.Equal(t, "Ok", got.Code, "a radius of its own replaces the default")
}

// A server told to do without a feature refuses what needs it.
func TestDisabledFeatures(t *testing.T) {
	route := "/route/v1/driving/" + place('1') + ";" + place('2')
	const bare = "?overview=false&skip_waypoints=true"
	tile := "/tile/v1/car/tile(8237,8146,14).mvt"
	for _, c := range []struct {
		opt    Options
		target string
		code   string
	}{
		{Options{NoSteps: true}, route + "?steps=true", "DisabledDataset"},
		{Options{NoSteps: true}, route + "?annotations=true", "Ok"},
		{Options{NoGeometry: true}, route, "DisabledDataset"},
		{Options{NoGeometry: true}, route + bare, "Ok"},
		{Options{NoGeometry: true}, tile, "DisabledDataset"},
	} {
		w, got := send(t, Handler(drawn(t), c.opt), httptest.NewRequest("GET", c.target, nil))
		require.Equal(t, c.code, got.Code, c.target)
		if c.code == "Ok" {
			require.Equal(t, 200, w.Code)
		} else {
			require.Equal(t, 400, w.Code)
		}
	}
}

func TestMethods(t *testing.T) {
	e := drawn(t)
	h := Handler(e, Options{})
	w, _ := send(t, h, httptest.NewRequest("OPTIONS", "/route/v1/driving/1,2", nil))
	require.Equal(t, 204, w.Code)
	require.Zero(t, w.Body.Len())
	require.Equal(t, "GET, HEAD, POST, OPTIONS", w.Header().Get("Access-Control-Allow-Methods"))
	require.Equal(t, "X-Requested-With, Content-Type, Prefer", w.Header().Get("Access-Control-Allow-Headers"))
	w, got := send(t, h, httptest.NewRequest("DELETE", "/route/v1/driving/1,2", nil))
	require.Equal(t, 405, w.Code)
	require.Equal(t, "InvalidMethod", got.Code)
	require.Equal(t, "GET, HEAD, POST, OPTIONS", w.Header().Get("Allow"))

	// A real server drops the body of an answer to HEAD.
	server := httptest.NewServer(h)
	defer server.Close()
	url := server.URL + "/route/v1/driving/" + place('1') + ";" + place('2')
	head, err := http.Head(url)
	require.NoError(t, err)
	require.NoError(t, head.Body.Close())
	require.Equal(t, 200, head.StatusCode)
	require.Positive(t, head.ContentLength)

	require.NoError(t, e.Close())
	w, got = send(t, h, httptest.NewRequest("GET", "/route/v1/driving/"+place('1')+";"+place('2'), nil))
	require.Equal(t, 500, w.Code)
	require.Equal(t, "InternalError", got.Code)
}

func TestClientGone(t *testing.T) {
	h := Handler(drawn(t), Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := httptest.NewRequest("GET", "/route/v1/driving/"+place('1')+";"+place('2'), nil).WithContext(ctx)
	w, _ := send(t, h, r)
	require.Equal(t, 503, w.Code)
	require.Zero(t, w.Body.Len())
}

func TestCompression(t *testing.T) {
	h := Handler(drawn(t), Options{})
	url := "/route/v1/driving/" + strings.Repeat(place('1')+";"+place('2')+";", 20) + place('d')
	plain, _ := send(t, h, httptest.NewRequest("GET", url, nil))
	require.Equal(t, "Accept-Encoding", plain.Header().Get("Vary"))
	for accept, want := range map[string]string{
		"gzip": "gzip", "deflate, gzip;q=0.5": "gzip", "deflate": "deflate", "gzip;q=0, deflate": "deflate",
		"br": "", "gzip;q=0": "", "": "", "*": "gzip", "identity": "", "*, gzip;q=0": "deflate", "*;q=0, deflate": "deflate", "*;q=0": "",
	} {
		r := httptest.NewRequest("GET", url, nil)
		r.Header.Set("Accept-Encoding", accept)
		for range 2 { // the second time with a writer used before
			w, _ := send(t, h, r)
			require.Equal(t, want, w.Header().Get("Content-Encoding"), accept)
			require.Equal(t, fmt.Sprint(w.Body.Len()), w.Header().Get("Content-Length"))
			var body io.Reader = w.Body
			switch want {
			case "gzip":
				z, err := gzip.NewReader(w.Body)
				require.NoError(t, err)
				body = z
			case "deflate":
				z, err := zlib.NewReader(w.Body)
				require.NoError(t, err)
				body = z
			}
			got, err := io.ReadAll(body)
			require.NoError(t, err)
			require.Equal(t, plain.Body.Bytes(), got)
		}
	}
	r := httptest.NewRequest("GET", url, nil)
	r.Header.Set("Accept-Encoding", "gzip")
	w, _ := send(t, Handler(drawn(t), Options{NoCompression: true}), r)
	require.Empty(t, w.Header().Get("Content-Encoding"))
	short := httptest.NewRequest("GET", "/nearest/v1/driving/"+place('1')+"?generate_hints=false", nil)
	short.Header.Set("Accept-Encoding", "gzip")
	w, _ = send(t, h, short)
	require.Empty(t, w.Header().Get("Content-Encoding"), "not worth it")
}

// TestRawTargets sends what browsers would escape and some clients do not.
func TestRawTargets(t *testing.T) {
	server := httptest.NewServer(Handler(drawn(t), Options{}))
	defer server.Close()
	for target, code := range map[string]string{
		"/route/v1/car/polyline(_seK_ibE|@~}{`^?_@\\@)":       "Ok",
		"/route/v1/car/polyline(_ibE_ibEcAoK)?overview=false": "Ok",
		"/route/v1/car/polyline(_ibE_ibEcAoK)?waypoints=0;1%": "InvalidQuery",
		"/route/v1/car/1,1;1.001,1?overview=%66alse":          "Ok",
		"/route/v1/car/1,1;1.001,1?overview=\"full\"":         "InvalidUrl",
		"//route/v1/car/1,1;1.001,1":                          "InvalidUrl",
		"/route/v1/car/../car/1,1;1.001,1":                    "InvalidUrl",
		"/route/v1/car/1,1;1.001,1#x":                         "InvalidUrl",
		"/route/v1/car/1,1;1.001,1?":                          "InvalidQuery",
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		require.NoError(t, err)
		_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", target)
		require.NoError(t, err)
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		var got reply
		require.NoError(t, json.NewDecoder(res.Body).Decode(&got), target)
		require.NoError(t, conn.Close())
		require.Equal(t, code, got.Code, "%s: %s", target, got.Message)
	}
}

// TestPrefix: the handler can be mounted below a path.
func TestPrefix(t *testing.T) {
	h := http.StripPrefix("/osrm", Handler(drawn(t), Options{}))
	_, got := send(t, h, httptest.NewRequest("GET", "/osrm/route/v1/driving/"+place('1')+";"+place('2'), nil))
	require.Equal(t, "Ok", got.Code)
}

// nowhere takes an answer and forgets it.
type nowhere struct {
	header http.Header
	status int
}

func (n *nowhere) Header() http.Header         { return n.header }
func (n *nowhere) WriteHeader(status int)      { n.status = status }
func (n *nowhere) Write(p []byte) (int, error) { return len(p), nil }

// benchmarked are questions to the street.
func benchmarked() map[string]string {
	line := place('1') + ";" + place('2')
	return map[string]string{
		"route":       "/route/v1/driving/" + line + "?generate_hints=false",
		"flatbuffers": "/route/v1/driving/" + line + ".flatbuffers?generate_hints=false",
		"table":       "/table/v1/driving/" + line + "?generate_hints=false",
		"nearest":     "/nearest/v1/driving/" + place('1') + "?generate_hints=false",
		"refusal":     "/route/v1/driving/" + line + "?x=1",
	}
}

func BenchmarkServeHTTP(b *testing.B) {
	h := Handler(drawn(b), Options{NoCompression: true})
	for name, url := range benchmarked() {
		b.Run("service="+name, func(b *testing.B) {
			r := httptest.NewRequest("GET", url, nil)
			w := &nowhere{header: http.Header{}}
			b.ReportAllocs()
			for b.Loop() {
				h.ServeHTTP(w, r)
			}
		})
	}
}

// TestAllocations bounds what a request allocates, the answer of package
// routing included.
func TestAllocations(t *testing.T) {
	h := Handler(drawn(t), Options{NoCompression: true})
	for name, most := range map[string]float64{"route": 20, "flatbuffers": 22, "table": 30, "nearest": 16, "refusal": 8} {
		r := httptest.NewRequest("GET", benchmarked()[name], nil)
		w := &nowhere{header: http.Header{}}
		got := testing.AllocsPerRun(100, func() { h.ServeHTTP(w, r) })
		require.LessOrEqual(t, got, most, name)
	}
}
