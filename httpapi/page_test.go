package httpapi

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

var pageFiles = map[string]string{
	"/":                 "text/html; charset=UTF-8",
	"/map/app.js":       "text/javascript; charset=UTF-8",
	"/map/maplibre.js":  "text/javascript; charset=UTF-8",
	"/map/worker.js":    "text/javascript; charset=UTF-8",
	"/map/app.css":      "text/css; charset=UTF-8",
	"/map/icon.svg":     "image/svg+xml",
	"/map/licenses.txt": "text/plain; charset=UTF-8",
}

// TestTypesAreKept: browsers are to make nothing else of an answer than its type says,
// whatever names and tags it has.
func TestTypesAreKept(t *testing.T) {
	h := Handler(drawn(t), Options{Map: true})
	for _, url := range []string{
		"/", "/map/v1/info", "/map/v1/driving/0/0/0.mvt", "/map/v1/driving/99/0/0.mvt", "/nowhere", "/health", "/metrics",
		"/nearest/v1/driving/1,1", "/api/interpreter?data=%3Cscript%3E", "/route/v1/driving/1,1;1,1.gpx",
	} {
		require.Equal(t, "nosniff", get(h, url).Header().Get("X-Content-Type-Options"), url)
	}
	w := get(h, "/api/interpreter?data=%3Cscript%3E")
	require.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'")
	require.NotContains(t, w.Body.String(), "<script")
}

func TestPage(t *testing.T) {
	h := Handler(drawn(t), Options{Map: true})
	whole := 0
	for url, kind := range pageFiles {
		w := get(h, url, "Accept-Encoding", "br, gzip")
		require.Equal(t, http.StatusOK, w.Code, url)
		header := w.Header()
		require.Equal(t, kind, header.Get("Content-Type"))
		require.Equal(t, "gzip", header.Get("Content-Encoding"))
		require.Equal(t, "Accept-Encoding", header.Get("Vary"))
		require.Equal(t, "nosniff", header.Get("X-Content-Type-Options"))
		require.NotContains(t, header.Get("Content-Security-Policy"), "unsafe")
		require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'; worker-src 'self'")
		z, err := gzip.NewReader(w.Body)
		require.NoError(t, err)
		unpacked, err := io.ReadAll(z)
		require.NoError(t, err)

		for _, accept := range []string{"", "gzip;q=0", "br"} {
			plain := get(h, url, "Accept-Encoding", accept)
			require.Empty(t, plain.Header().Get("Content-Encoding"))
			require.Equal(t, unpacked, plain.Body.Bytes())
		}
		whole += len(unpacked)

		tag := header.Get("ETag")
		w = get(h, url, "If-None-Match", tag)
		require.Equal(t, http.StatusNotModified, w.Code)
		require.Zero(t, w.Body.Len())
	}
	require.Less(t, whole, 1600<<10)

	for method, status := range map[string]int{"HEAD": http.StatusOK, "POST": http.StatusMethodNotAllowed, "PUT": http.StatusMethodNotAllowed} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, "/", nil))
		require.Equal(t, status, w.Code, method)
	}
}

// TestPageAsksNobodyElse: no file of ours names another server but to link to it.
func TestPageAsksNobodyElse(t *testing.T) {
	h := Handler(drawn(t), Options{Map: true})
	outside := regexp.MustCompile(`https?://[a-zA-Z0-9.-]+`)
	for url := range pageFiles {
		if url == "/map/licenses.txt" || url == "/map/maplibre.js" || url == "/map/worker.js" {
			continue // the policy sees to them
		}
		for _, found := range outside.FindAllString(get(h, url).Body.String(), -1) {
			require.Contains(t, []string{"https://www.openstreetmap.org", "http://www.w3.org"}, found, url)
		}
	}
	require.NotRegexp(t, `<script>|style=|\son[a-z]+=`, get(h, "/").Body.String(), "the policy forbids it")
	notices := get(h, "/map/licenses.txt").Body.String()
	for _, name := range []string{"maplibre-gl", "MapLibre contributors", "earcut", "pbf", "gl-matrix", "kdbush"} {
		require.Contains(t, notices, name)
	}
}

func TestMapInfo(t *testing.T) {
	e := drawn(t)
	h := Mux(map[string]*routing.Engine{"driving": e, "car": e, "other": andorra(t)}, Options{Map: true, MaxTripSize: 7, MaxAlternatives: -1})
	w := get(h, mapInfoPath)
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, jsonBody.String(), w.Header().Get("Content-Type"))
	var info mapInfo
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &info))
	require.Len(t, info.DataSets, 2)
	require.Equal(t, []string{"car", "driving"}, info.DataSets[0].Profiles)
	require.Equal(t, []string{"other"}, info.DataSets[1].Profiles)
	require.Equal(t, "car", info.DataSets[0].Vehicle)
	require.Equal(t, "today", info.DataSets[0].DataVersion)
	require.Equal(t, e.Info().GraphID, info.DataSets[0].Graph)
	require.NotEmpty(t, info.DataSets[1].Excludable)
	b := info.DataSets[1].Bounds
	require.True(t, b[0] < b[2] && b[1] < b[3])
	require.Contains(t, info.Services, "route")
	require.Contains(t, info.Languages, "en")
	require.Equal(t, 7, info.Limits.Trip)
	require.EqualValues(t, 10000, info.Limits.TableCells)
	require.Zero(t, info.Limits.Alternatives)
	require.True(t, strings.HasPrefix(w.Body.String(), `{"datasets":[{"profiles":`))
	empty := Mux(nil, Options{Map: true})
	require.Contains(t, get(empty, mapInfoPath).Body.String(), `"datasets":[]`)
}
