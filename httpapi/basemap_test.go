package httpapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

// mapURL returns the URL of the map's tile at a place.
func mapURL(p orb.Point, z uint32) string {
	t := tileAt(p, z)
	return fmt.Sprintf("/map/v1/car/%d/%d/%d.mvt", t.z, t.x, t.y)
}

func get(h http.Handler, url string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", url, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestMapTile(t *testing.T) {
	e := drawn(t)
	h := Handler(e, Options{Map: true})
	lon, lat, _ := street.Position('b')
	b := orb.Point{lon, lat}
	w := get(h, mapURL(b, 16))
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	require.Equal(t, tileBody.String(), w.Header().Get("Content-Type"))
	require.Equal(t, "public, max-age=300", w.Header().Get("Cache-Control"))
	tile := readTile(t, w.Body.Bytes())
	require.Len(t, tile, 1)
	names := map[any]int{}
	for _, f := range tile["streets"] {
		require.EqualValues(t, typeLine, f.kind)
		require.Equal(t, "primary", f.tags["class"])
		require.NotContains(t, f.tags, "oneway")
		names[f.tags["name"]] += len(f.points)
		for _, p := range f.points {
			require.True(t, p.x >= tileLeast && p.x <= tileMost && p.y >= tileLeast && p.y <= tileMost, p)
		}
	}
	require.Equal(t, map[any]int{"abc": 2, "bd": 2}, names, "straight lines have two points")

	tag := w.Header().Get("ETag")
	require.Contains(t, tag, e.Info().GraphID)
	for _, match := range []string{tag, "*", `"x", ` + tag, tag[len("W/"):]} {
		w = get(h, mapURL(b, 16), "If-None-Match", match)
		require.Equal(t, http.StatusNotModified, w.Code, match)
		require.Zero(t, w.Body.Len())
		require.Equal(t, tag, w.Header().Get("ETag"))
		require.Empty(t, w.Header().Get("Content-Type"))
	}
	require.Equal(t, http.StatusOK, get(h, mapURL(b, 16), "If-None-Match", `W/"x"`).Code)

	w = get(h, "/map/v1/car/9/0/0.mvt")
	require.Equal(t, http.StatusOK, w.Code)
	require.Zero(t, w.Body.Len(), "nothing is there")
}

func TestMapTilesOfAndorra(t *testing.T) {
	h := Handler(andorra(t), Options{Map: true})
	center := orb.Point{1.5218, 42.5075}
	classes := map[any]bool{}
	for z := uint32(0); z <= maxMapZoom; z++ {
		w := get(h, mapURL(center, z), "Accept-Encoding", "gzip")
		require.Equal(t, http.StatusOK, w.Code)
		require.Less(t, w.Body.Len(), 200_000)
		w = get(h, mapURL(center, z))
		for _, f := range readTile(t, w.Body.Bytes())["streets"] {
			classes[f.tags["class"]] = true
			require.GreaterOrEqual(t, len(f.points), 2)
			for i := 1; i < len(f.points); i++ {
				require.NotEqual(t, f.points[i-1], f.points[i])
			}
		}
	}
	for _, class := range []string{"trunk", "primary", "secondary", "tertiary", "minor", "service"} {
		require.Contains(t, classes, class)
	}
}

func TestMapRefusals(t *testing.T) {
	h := Handler(drawn(t), Options{Map: true})
	for url, want := range map[string]int{
		"/map/v1/car/0/0/0.mvt":            http.StatusOK,
		"/map/v1/driving/16/0/65535.mvt":   http.StatusOK,
		"/map/v1/nope/0/0/0.mvt":           http.StatusNotFound,
		"/map/v1/car/17/0/0.mvt":           http.StatusBadRequest,
		"/map/v1/car/3/8/0.mvt":            http.StatusBadRequest,
		"/map/v1/car/3/0/8.mvt":            http.StatusBadRequest,
		"/map/v1/car/4294967295/0/0.mvt":   http.StatusBadRequest,
		"/map/v1/car/4294967296/0/0.mvt":   http.StatusBadRequest,
		"/map/v1/car/-1/0/0.mvt":           http.StatusBadRequest,
		"/map/v1/car/3/0/0.png":            http.StatusBadRequest,
		"/map/v1/car/3/0/0.mvt?x=1":        http.StatusBadRequest,
		"/map/v1/car/3/0.mvt":              http.StatusBadRequest,
		"/map/v1/car":                      http.StatusBadRequest,
		"/map/v2/car/0/0/0.mvt":            http.StatusBadRequest,
		"/map/nothing.js":                  http.StatusBadRequest,
		"/map/v1/%63ar/%30/0/0.mvt":        http.StatusOK,
		"/map/v1/car/00000000000/0/0.mvt":  http.StatusOK,
		"/map/v1/car/0/0/0.mvt/../../info": http.StatusBadRequest,
	} {
		require.Equal(t, want, get(h, url).Code, url)
	}
	off := Handler(drawn(t), Options{})
	for _, url := range []string{"/", "/map/app.js", "/map/v1/info", "/map/v1/car/0/0/0.mvt"} {
		require.Equal(t, http.StatusBadRequest, get(off, url).Code, url)
	}
	hidden := Handler(drawn(t), Options{Map: true, NoGeometry: true})
	require.Equal(t, http.StatusBadRequest, get(hidden, "/map/v1/car/0/0/0.mvt").Code)
}

func TestMapTilesAreObserved(t *testing.T) {
	var seen []Observation
	h := Handler(drawn(t), Options{Map: true, Observe: func(o Observation) { seen = append(seen, o) }})
	get(h, "/map/v1/car/0/0/0.mvt")
	get(h, "/map/v1/car/0/0/0.mvt", "If-None-Match", "*")
	require.Len(t, seen, 2)
	for i, status := range []int{http.StatusOK, http.StatusNotModified} {
		require.Equal(t, "map", seen[i].Service)
		require.Equal(t, "car", seen[i].Profile)
		require.Equal(t, status, seen[i].Status)
	}
}

func FuzzMapURL(f *testing.F) {
	for _, seed := range []string{
		"/map/v1/car/0/0/0.mvt", "/map/v1/car/16/65535/0.mvt", "/map/v1/car/17/0/0.mvt", "/map/v1/a-b.c/3/7/7.mvt", "/map/v1/car/3/0/0.mvt?",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, url string) {
		var id tileID
		to, err := parseMapURL(url, &id)
		if err != nil {
			var refused *routing.Error
			require.ErrorAs(t, err, &refused)
			return
		}
		require.Contains(t, url, fmt.Sprintf("/%s/", to.profile))
		b := id.bounds()
		require.Less(t, b.Min[0], b.Max[0])
		require.Less(t, b.Min[1], b.Max[1])
		frame := newTileFrame(id)
		for _, line := range frame.clipLine(orb.LineString{b.Min, b.Center(), b.Max}) {
			require.NotEmpty(t, line)
		}
	})
}

func BenchmarkMapTile(b *testing.B) {
	e := andorra(b)
	h := Handler(e, Options{Map: true, NoCompression: true})
	for _, z := range []uint32{8, 12, 14} {
		b.Run(fmt.Sprintf("zoom=%d", z), func(b *testing.B) {
			url := mapURL(orb.Point{1.5218, 42.5075}, z)
			bytes := 0
			for b.Loop() {
				bytes = get(h, url).Body.Len()
			}
			b.ReportMetric(float64(bytes), "bytes")
		})
	}
}
