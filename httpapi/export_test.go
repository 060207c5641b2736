package httpapi

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExport: a suffix makes an answer one of GeoJSON or GPX, with the whole line.
func TestExport(t *testing.T) {
	h := Handler(drawn(t), Options{})
	get := func(target string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		return w
	}
	line := place('1') + ";" + place('b') + ";" + place('d')
	for _, service := range []string{"route", "trip", "match"} {
		w := get("/" + service + "/v1/driving/" + line + ".geojson?steps=true&instructions=en")
		require.Equal(t, 200, w.Code, w.Body)
		require.Equal(t, "application/geo+json; charset=UTF-8", w.Header().Get("Content-Type"))
		require.Equal(t, `inline; filename="response.geojson"`, w.Header().Get("Content-Disposition"))
		var all struct {
			Type     string
			Features []struct {
				Geometry struct {
					Type        string
					Coordinates json.RawMessage
				}
				Properties map[string]any
			}
		}
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &all))
		require.Equal(t, "FeatureCollection", all.Type)
		require.Equal(t, "LineString", all.Features[0].Geometry.Type)
		require.NotEmpty(t, all.Features[1].Properties["instruction"])

		w = get("/" + service + "/v1/driving/" + line + ".gpx")
		require.Equal(t, 200, w.Code, w.Body)
		require.Equal(t, "application/gpx+xml; charset=UTF-8", w.Header().Get("Content-Type"))
		var gpx struct {
			Tracks []struct {
				Segments []struct {
					Points []struct{} `xml:"trkpt"`
				} `xml:"trkseg"`
			} `xml:"trk"`
		}
		require.NoError(t, xml.Unmarshal(w.Body.Bytes(), &gpx))
		require.Len(t, gpx.Tracks, 1)
		require.Greater(t, len(gpx.Tracks[0].Segments[0].Points), 2)

		w = get("/" + service + "/v1/driving/" + line + ".gpx?overview=false")
		require.NotContains(t, w.Body.String(), "trkpt")
		w = get("/" + service + "/v1/driving/1,2;x.gpx")
		require.Equal(t, 400, w.Code)
		require.Equal(t, jsonBody.String(), w.Header().Get("Content-Type"), "errors are JSON")
	}
	for _, target := range []string{
		"/table/v1/driving/" + line + ".geojson", "/nearest/v1/driving/" + place('1') + ".gpx",
		"/isochrone/v1/driving/" + place('1') + ".gpx?contours_minutes=1",
	} {
		require.Equal(t, 400, get(target).Code, target)
	}
	require.Equal(t, 200, get("/isochrone/v1/driving/"+place('1')+".geojson?contours_minutes=1").Code)
}
