package httpapi

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

// TestBodyMeansWhatURLMeans pairs the two ways to say the same.
func TestBodyMeansWhatURLMeans(t *testing.T) {
	const line = "1,2;-3.5,4.25"
	for query, members := range map[string]string{
		"":                                          ``,
		"?steps=true":                               `"steps":true`,
		"?alternatives=true":                        `"alternatives":true`,
		"?alternatives=false":                       `"alternatives":false`,
		"?alternatives=2":                           `"alternatives":2`,
		"?continue_straight=true":                   `"continue_straight":true`,
		"?continue_straight=false&snapping=any":     `"continue_straight":false,"snapping":"any"`,
		"?continue_straight=default":                `"continue_straight":"default","unknown":[{}]`,
		"?geometries=geojson&overview=false":        `"geometries":"geojson","overview":"false"`,
		"?annotations=true":                         `"annotations":true`,
		"?annotations=false":                        `"annotations":false`,
		"?annotations=nodes,ways":                   `"annotations":["nodes","ways"]`,
		"?waypoints=0;1":                            `"waypoints":[0,1]`,
		"?bearings=;90,10":                          `"bearings":[null,[90,10]]`,
		"?radiuses=;unlimited":                      `"radiuses":[null,"unlimited"]`,
		"?radiuses=0;5.5":                           `"radiuses":[0,5.5]`,
		"?approaches=curb;":                         `"approaches":["curb",null]`,
		"?hints=;" + hintOf(1):                      `"hints":[null,"x"]`,
		"?exclude=toll,ferry":                       `"exclude":["toll","ferry"]`,
		"?generate_hints=false&skip_waypoints=true": `"generate_hints":false,"skip_waypoints":true,"format":"json"`,
	} {
		want, _, err := parseRoute(line+query, 0)
		require.NoError(t, err, query)
		got, _, err := routeOfBody([]byte(`{"coordinates":[[1,2],[-3.5,4.25]]` + strings.TrimSuffix(","+members, ",") + `}`))
		require.NoError(t, err, members)
		require.Equal(t, want, got, members)
	}
	want, _, err := parseRoute("polyline(_seK_ibEomvL~{mZ)", 0)
	require.NoError(t, err)
	for _, l := range []string{"polyline(_seK_ibEomvL~{mZ)", "polyline6(_gayB_c`|@_pihC~`tqG)"} {
		quoted, err := json.Marshal(l)
		require.NoError(t, err)
		got, _, err := routeOfBody(fmt.Appendf(nil, `{"coordinates":%s}`, quoted))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestBodyFaults(t *testing.T) {
	for members, message := range map[string]string{
		`"steps":1`:                   "steps must be a boolean",
		`"steps":null`:                "steps must be a boolean",
		`"alternatives":-1`:           "alternatives must be a boolean or a non-negative integer",
		`"alternatives":"true"`:       "alternatives must be",
		`"continue_straight":"never"`: `continue_straight must be a boolean or "default"`,
		`"geometries":"wkt"`:          "invalid geometries value: want polyline, polyline6 or geojson",
		`"overview":false`:            "overview must be a string",
		`"snapping":"x"`:              "invalid snapping value: want default or any",
		`"format":"xml"`:              "invalid format value",
		`"annotations":"true"`:        "annotations must be an array",
		`"annotations":["x"]`:         "annotations: entry 0",
		`"waypoints":[0,-1]`:          "waypoints: entry 1",
		`"waypoints":[null]`:          "waypoints: entry 0",
		`"bearings":[[1]]`:            "bearings: entry 0",
		`"bearings":[[1,99999]]`:      "bearings: entry 0",
		`"bearings":[[1,null]]`:       "bearings: entry 0",
		`"bearings":{}`:               "bearings must be an array",
		`"radiuses":["big"]`:          "radiuses: entry 0",
		`"hints":[1]`:                 "hints: entry 0",
		`"approaches":["left"]`:       "approaches: entry 0",
		`"exclude":[1]`:               "exclude: entry 0",
		`"exclude":[null]`:            "exclude: entry 0",
		`"generate_hints":"no"`:       "generate_hints must be a boolean",
	} {
		_, _, err := routeOfBody([]byte(`{"coordinates":[[1,2],[3,4]],` + members + `}`))
		require.ErrorIs(t, err, routing.ErrInvalidQuery, members)
		require.ErrorContains(t, err, message, members)
	}
	for text, message := range map[string]string{
		``:                                   "invalid JSON: unexpected end",
		`{"coordinates":[}`:                  "invalid JSON: invalid character '}'",
		strings.Repeat("[", 1<<20):           "invalid JSON",
		`[]`:                                 "request body must be a JSON object",
		`null`:                               "request body must be a JSON object",
		`{}`:                                 "missing required member: coordinates",
		`{"coordinates":5}`:                  "coordinates must be an array",
		`{"coordinates":[[1]]}`:              "coordinates: entry 0",
		`{"coordinates":[[1,2],[1,null]]}`:   "coordinates: entry 1",
		`{"coordinates":[null]}`:             "coordinates: entry 0",
		`{"coordinates":[[1,2],[9999,0]]}`:   "in range",
		`{"coordinates":"1,2;3,4"}`:          "polyline",
		`{"coordinates":"polyline(\u0001)"}`: "polyline malformed at byte 0",
	} {
		_, _, err := routeOfBody([]byte(text))
		require.ErrorIs(t, err, routing.ErrInvalidQuery, message)
		require.ErrorContains(t, err, message)
	}
}

func FuzzRouteOfBody(f *testing.F) {
	f.Add([]byte(`{"coordinates":[[1,2],[3,4]],"bearings":[null,[90,10]],"radiuses":[null,"unlimited"],"annotations":["nodes"]}`))
	f.Add([]byte(`{"coordinates":"polyline(_seK_ibEomvL~{mZ)","alternatives":true,"waypoints":[0,1]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if r, _, err := routeOfBody(text); err == nil {
			_ = r.Validate()
		}
	})
}
