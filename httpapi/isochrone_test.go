package httpapi

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

func TestParseIsochrone(t *testing.T) {
	for text, want := range map[string]routing.IsochroneRequest{
		"?contours_minutes=5,10.5":                       {Contours: []float64{300, 630}},
		"?contours_meters=1000":                          {Contours: []float64{1000}, Unit: routing.ContourDistance},
		"?contours_minutes=5&polygons=true&reverse=true": {Contours: []float64{300}, Reverse: true},
		".json?contours_minutes=5&polygons=false":        {Contours: []float64{300}, Shapes: routing.IsochroneLines},
		"?contours_minutes=5&segments=true":              {Contours: []float64{300}, Shapes: routing.IsochronePolygons | routing.IsochroneRoads},
		"?contours_minutes=5&resolution=50&margin=120":   {Contours: []float64{300}, Resolution: 50, Margin: 120},
		"?contours_minutes=9&contours_minutes=5":         {Contours: []float64{300}},
		"?contours_minutes=5&radiuses=9;&exclude=toll&avoid=way(7)&approaches=curb;&snapping=any&generate_hints=false&skip_waypoints=true": {
			Contours: []float64{300}, Radiuses: []float64{9, 0}, Exclude: []string{"toll"}, Avoid: []routing.Avoid{{Ways: []int64{7}}},
			Approaches: []routing.Approach{routing.ApproachCurb, 0}, Snapping: routing.SnapAny, NoHints: true, SkipWaypoints: true,
		},
	} {
		if want.Shapes == 0 {
			want.Shapes = routing.IsochronePolygons
		}
		want.Coordinates = twoPlaces
		got, _, err := parseIsochrone("1,2;-3.5,4.25"+text, 0)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for text, code := range map[string]routing.Code{
		"":                                      routing.ErrInvalidOptions,
		"?contours_minutes=":                    routing.ErrInvalidQuery,
		"?contours_minutes=x":                   routing.ErrInvalidQuery,
		"?contours_minutes=0":                   routing.ErrInvalidOptions,
		"?contours_minutes=-5":                  routing.ErrInvalidOptions,
		"?contours_minutes=5&contours_meters=5": routing.ErrInvalidOptions,
		"?contours_minutes=5&polygons=yes":      routing.ErrInvalidQuery,
		"?contours_minutes=5&resolution=0.1":    routing.ErrInvalidOptions,
		"?contours_minutes=5&margin=-1":         routing.ErrInvalidOptions,
		"?contours_minutes=5&steps=true":        routing.ErrInvalidQuery,
		"?contours_minutes=5&radiuses=1":        routing.ErrInvalidOptions,
	} {
		_, _, err := parseIsochrone("1,2;3,4"+text, 0)
		require.ErrorIs(t, err, code, text)
	}
}

func TestIsochrone(t *testing.T) {
	h := Handler(drawn(t), Options{})
	get := func(target string) (*httptest.ResponseRecorder, map[string]any) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		var body map[string]any
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body))
		return w, body
	}
	w, body := get("/isochrone/v1/driving/" + place('1') + "?contours_minutes=1,2&segments=true")
	require.Equal(t, 200, w.Code, body)
	require.Equal(t, "application/geo+json; charset=UTF-8", w.Header().Get("Content-Type"))
	require.Equal(t, "FeatureCollection", body["type"])
	require.Equal(t, "Ok", body["code"])
	require.Equal(t, "today", body["data_version"])
	require.Len(t, body["waypoints"], 1)
	features := body["features"].([]any)
	require.Greater(t, len(features), 2)
	for i, minutes := range []float64{2, 1} {
		f := features[i].(map[string]any)
		require.Equal(t, map[string]any{"contour": minutes, "metric": "time"}, f["properties"])
		require.Equal(t, "MultiPolygon", f["geometry"].(map[string]any)["type"])
	}
	require.Equal(t, "LineString", features[2].(map[string]any)["geometry"].(map[string]any)["type"])

	for target, code := range map[string]string{
		"/isochrone/v1/driving/" + place('1') + "?contours_minutes=121":                         "TooBig",
		"/isochrone/v1/driving/" + place('1') + "?contours_meters=200001":                       "TooBig",
		"/isochrone/v1/driving/" + place('1') + "?contours_meters=1,2,3,4,5,6,7,8,9,10,11":      "TooBig",
		"/isochrone/v1/driving/" + place('1') + ".flatbuffers?contours_meters=100":              "NotImplemented",
		"/isochrone/v1/driving/" + place('1') + "?contours_minutes=1&exclude=wings":             "InvalidValue",
		"/isochrone/v1/driving/" + place('1') + "?contours_minutes=1&radiuses=0&bearings=200,1": "NoSegment",
	} {
		w, body := get(target)
		require.Equal(t, 400, w.Code, target)
		require.Equal(t, code, body["code"], target)
	}
	h = Handler(drawn(t), Options{MaxContourRoads: 1})
	_, body = get("/isochrone/v1/driving/" + place('1') + "?contours_minutes=1&segments=true")
	require.Equal(t, "TooBig", body["code"])
	_, body = get("/isochrone/v1/driving/" + place('1') + "?contours_minutes=1")
	require.Equal(t, "Ok", body["code"])
	h = Handler(drawn(t), Options{NoGeometry: true})
	_, body = get("/isochrone/v1/driving/" + place('1') + "?contours_minutes=1")
	require.Equal(t, "DisabledDataset", body["code"])
}
