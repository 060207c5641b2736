package httpapi

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzServeHTTP sends requests, and holds the answers to what every answer is
// held to. Whether one is sent at all is not of interest here: bytes that are
// no URL do not reach a handler.
func FuzzServeHTTP(f *testing.F) {
	h := Handler(drawn(f), Options{AnyProfile: true, NoCompression: true})
	s := readSchema(f)
	line := place('1') + ";" + place('2') + ";" + place('d')
	for _, seed := range []string{
		"/route/v1/car/" + line + "?steps=true&annotations=true&overview=full&alternatives=3&waypoints=0;2",
		"/route/v1/car/" + line + ".flatbuffers?geometries=geojson&continue_straight=true&approaches=curb;;opposite",
		"/table/v1/car/" + line + "?annotations=duration,distance&sources=0;1&fallback_speed=3&scale_factor=1.5",
		"/match/v1/car/" + line + "?timestamps=1;2;3&radiuses=9;9;9&tidy=true&gaps=ignore",
		"/trip/v1/car/" + line + ".gpx?steps=true", "/route/v1/car/" + line + ".geojson?overview=by_legs",
		"/isochrone/v1/car/" + place('1') + "?contours_minutes=1,2&polygons=false&segments=true&reverse=true",
		"/isochrone/v1/car/" + place('1') + ".geojson?contours_meters=100&resolution=5&margin=40",
		"/trip/v1/car/" + line + "?roundtrip=false&source=first&destination=last",
		"/nearest/v1/car/" + place('1') + ".flatbuffers?number=3&bearings=90,20",
		tileAt([2]float64{1, 1}, 15).url(),
		"/route/v1/car/polyline(_seK_ibE)", "/health", "/ready", "//%zz", "/route/v1/car/1,2;3,4?x",
	} {
		f.Add("GET", seed, "")
	}
	f.Add("POST", "/table/v1/car", `{"coordinates":[[1.001,1],[1.002,1]],"annotations":["distance"]}`)
	f.Add("POST", "/match/v1/car/", `{"coordinates":[[1.001,1],[1.002,1]],"timestamps":[1,2],"format":"flatbuffers"}`)
	f.Add("POST", "/route/v1/car/", `{"coordinates":"polyline(_seK_ibE)"}`)
	f.Fuzz(func(t *testing.T, method, target, body string) {
		u, err := url.ParseRequestURI(target)
		if err != nil || method == "" || strings.ContainsAny(method, " \t\r\n") {
			return // net/http answers such requests itself and calls no handler
		}
		r := &http.Request{
			Method: method, URL: u, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"application/json"}},
			Body: http.NoBody, RequestURI: target,
		}
		r = r.WithContext(t.Context())
		if body != "" {
			r.Body = httptest.NewRequest("POST", "/", strings.NewReader(body)).Body
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Less(t, w.Code, 500, w.Body.String())
		switch kind := w.Header().Get("Content-Type"); {
		case w.Code == http.StatusNoContent:
			require.Zero(t, w.Body.Len())
		case kind == jsonBody.String(), kind == geojsonBody.String():
			require.True(t, json.Valid(w.Body.Bytes()), w.Body.String())
		case kind == gpxBody.String():
			require.NoError(t, xml.Unmarshal(w.Body.Bytes(), new(struct{})))
		case kind == flatbuffersBody.String():
			s.decode(w.Body.Bytes())
		default:
			require.Equal(t, tileBody.String(), kind)
			readTile(t, w.Body.Bytes())
		}
		require.Empty(t, h.queue.running)
	})
}
