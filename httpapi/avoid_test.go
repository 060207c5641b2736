package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

// changeable is street, whose roads can be closed.
func changeable(t testing.TB, a routing.Algorithm) *routing.Engine {
	t.Helper()
	return build(t, routing.BuildOptions{Input: "street.osm", Reader: streetReader(t), Algorithms: []routing.Algorithm{a}}, routing.Options{Algorithm: a})
}

// call sends a request and returns the status and the answer.
func call(t testing.TB, h http.Handler, method, target, kind, body string, headers ...string) (int, map[string]any) {
	t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var answer map[string]any
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer), w.Body.String())
	return w.Code, answer
}

// box is a square around a place, as a polyline.
func box(p orb.Point, half float64) (string, orb.Ring) {
	ring := orb.Bound{Min: p, Max: p}.Pad(half).ToRing()
	return string(routing.AppendPolyline(nil, orb.LineString(ring[:4]), 5)), ring
}

func at(letter rune) orb.Point {
	lon, lat, _ := street.Position(letter)
	return orb.Point{lon, lat}
}

func TestAvoidOption(t *testing.T) {
	line, ring := box(orb.Point{1.002, 1}, 0.001)
	parse := func(text string) ([]routing.Avoid, error) {
		r, _, err := parseRoute("1,2;3,4?avoid="+text, 0)
		return r.Avoid, err
	}
	for text, want := range map[string][]routing.Avoid{
		"way(7)":                        {{Ways: []int64{7}}},
		"way(7,-8,9223372036854775807)": {{Ways: []int64{7, -8, 1<<63 - 1}}},
		"nodes(1,2,3);way(4)":           {{Segments: [][2]int64{{1, 2}, {2, 3}}}, {Ways: []int64{4}}},
		"polygon(" + line + ")":         {{Polygon: orb.Polygon{ring}}},
		"polygon(" + line + "," + line + "):toll,motorway;way(1)": {
			{Polygon: orb.Polygon{ring, ring}, Classes: []string{"toll", "motorway"}}, {Ways: []int64{1}},
		},
	} {
		got, err := parse(text)
		require.NoError(t, err, text)
		require.Equal(t, len(want), len(got), text)
		for i := range want {
			require.Equal(t, want[i].Ways, got[i].Ways, text)
			require.Equal(t, want[i].Segments, got[i].Segments, text)
			require.Equal(t, want[i].Classes, got[i].Classes, text)
			require.Equal(t, len(want[i].Polygon), len(got[i].Polygon), text)
			for k := range want[i].Polygon {
				require.True(t, closeTo(want[i].Polygon[k], got[i].Polygon[k]), "%v %v", want[i].Polygon[k], got[i].Polygon[k])
			}
		}
	}
	for _, text := range []string{
		"", "x", "way()", "way(7", "way(x)", "way(9223372036854775808)", "nodes(1)", "nodes()", "polygon()", "polygon(", "polygon(ab", "way(1):toll",
		"polygon(" + line + "):", "way(1);;way(2)",
	} {
		_, err := parse(text)
		require.Error(t, err, text)
	}
}

func closeTo(a, b orb.Ring) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if d := a[i][0] - b[i][0] + a[i][1] - b[i][1]; d > 1e-4 || d < -1e-4 {
			return false
		}
	}
	return true
}

func TestAvoidInBody(t *testing.T) {
	const ring = `[[0,0],[1,0],[1,1],[0,0]]`
	square := orb.Polygon{{{0, 0}, {1, 0}, {1, 1}, {0, 0}}}
	parse := func(text string) ([]routing.Avoid, error) {
		r, _, err := routeOfBody([]byte(`{"coordinates":[[1,2],[3,4]],"avoid":` + text + `}`))
		return r.Avoid, err
	}
	for text, want := range map[string][]routing.Avoid{
		`{"ways":[7]}`: {{Ways: []int64{7}}},
		`[{"nodes":[1,2,3]},{"segments":[[4,5]]}]`:                                                                                                  {{Segments: [][2]int64{{1, 2}, {2, 3}}}, {Segments: [][2]int64{{4, 5}}}},
		`{"type":"Polygon","coordinates":[` + ring + `]}`:                                                                                           {{Polygon: square}},
		`{"type":"Polygon","coordinates":[[[0,0],[1,0,9],[1,1]]]}`:                                                                                  {{Polygon: square}},
		`{"polygon":[` + ring + `],"classes":["toll"],"ways":[1]}`:                                                                                  {{Polygon: square, Classes: []string{"toll"}, Ways: []int64{1}}},
		`{"type":"MultiPolygon","coordinates":[[` + ring + `],[` + ring + `]]}`:                                                                     {{Polygon: square}, {Polygon: square}},
		`{"type":"Feature","properties":{"classes":["toll"]},"geometry":{"type":"Polygon","coordinates":[` + ring + `]}}`:                           {{Polygon: square, Classes: []string{"toll"}}},
		`{"type":"Feature","properties":{"ways":[3]},"geometry":null}`:                                                                              {{Ways: []int64{3}}},
		`{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":{"type":"Polygon","coordinates":[` + ring + `]}}]}`: {{Polygon: square}},
		`{"type":"Feature","id":5,"properties":{"id":[7],"note":3,"ttl":"x","ways":[3]},"geometry":null}`:                                           {{Ways: []int64{3}}},
		`[]`: nil,
	} {
		got, err := parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{
		`7`, `null`, `[7]`, `{}`, `{"way":[1]}`, `{"polygon":[]}`, `{"type":"Feature","properties":{},"geometry":null}`, `"way(1)"`, `{"ways":"x"}`, `{"ways":[1.5]}`, `{"segments":[[1]]}`, `{"type":"Point","coordinates":[0,0]}`,
		`{"type":"Polygon","coordinates":[[[0],[1,0]]]}`, `{"type":"Polygon"}`, `{"type":"Polygon","coordinates":[[[0,9e9],[1,0]]]}`,
		`{"type":"FeatureCollection","features":[{"type":"FeatureCollection"}]}`, `{"type":"Feature","geometry":7}`,
	} {
		_, err := parse(text)
		require.Error(t, err, text)
	}
}

// All services keep out, asked by URL or by body.
func TestAvoidOverHTTP(t *testing.T) {
	for _, a := range []routing.Algorithm{routing.MLD, routing.CCH} {
		h := Handler(changeable(t, a), Options{})
		abc, bd := street.WayID("abc"), street.WayID("bd")
		line := place('a') + ";" + place('c')
		code, _ := call(t, h, "GET", "/route/v1/car/"+line, "", "")
		require.Equal(t, 200, code)
		for _, service := range []string{"route", "table", "trip", "match", "nearest"} {
			points := line
			if service == "nearest" {
				points = place('a')
			}
			_, all := call(t, h, "GET", "/"+service+"/v1/car/"+points, "", "")
			code, some := call(t, h, "GET", fmt.Sprintf("/%s/v1/car/%s?avoid=way(%d)", service, points, abc), "", "")
			switch service {
			case "match":
				require.Equal(t, "NoSegment", some["code"], service)
			default:
				require.Equal(t, 200, code, service)
				require.NotEqual(t, all, some, service)
			}
			_, none := call(t, h, "GET", fmt.Sprintf("/%s/v1/car/%s?avoid=way(%d,%d)", service, points, abc, bd), "", "")
			require.Equal(t, "NoSegment", none["code"], service)
		}
		_, answer := call(t, h, "POST", "/route/v1/car", "application/json",
			fmt.Sprintf(`{"coordinates":[[%s],[%s]],"avoid":{"nodes":[%d,%d]}}`, place('a'), place('c'), street.NodeID('b'), street.NodeID('c')))
		require.Equal(t, "NoRoute", answer["code"], "the other direction is open, but nothing leads there")
		polygon, _ := box(at('2'), 1e-4)
		_, answer = call(t, h, "GET", "/nearest/v1/car/"+place('c')+"?avoid=polygon("+url.QueryEscape(polygon)+"):motorway", "", "")
		require.Equal(t, "Ok", answer["code"])
	}
}

func TestAvoidIsBounded(t *testing.T) {
	e := changeable(t, routing.MLD)
	target := "/nearest/v1/car/" + place('a') + "?avoid=way(1,2,3)"
	_, answer := call(t, Handler(e, Options{MaxAvoid: 2}), "GET", target, "", "")
	require.Equal(t, "TooBig", answer["code"])
	code, _ := call(t, Handler(e, Options{MaxAvoid: -1}), "GET", target, "", "")
	require.Equal(t, 200, code)
	_, answer = call(t, Handler(e, Options{NoAvoid: true}), "GET", target, "", "")
	require.Equal(t, "DisabledDataset", answer["code"])
	_, answer = call(t, Handler(drawn(t), Options{}), "GET", target, "", "")
	require.Equal(t, "NotImplemented", answer["code"])
	many := strings.Repeat("1,", standardAvoid) + "1"
	_, answer = call(t, Handler(e, Options{MaxURL: 1 << 20}), "GET", strings.Replace(target, "1,2,3", many, 1), "", "")
	require.Equal(t, "TooBig", answer["code"])
}

// FuzzAvoid reads options and bodies: what is understood is what is written.
func FuzzAvoid(f *testing.F) {
	f.Add("way(1,2)", `{"ways":[1,2]}`)
	f.Add("polygon(_ibE_seK_seK,ab):toll;nodes(1,-2)", `{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1]]]]}`)
	f.Add("polygon6(_ibE_seK_seK)", `[{"type":"Feature","properties":{"segments":[[1,2]],"ttl":3},"geometry":{"type":"Polygon","coordinates":[[]]}}]`)
	f.Fuzz(func(t *testing.T, option, member string) {
		if r, _, err := parseNearest("1,2?avoid="+option, 0); err == nil {
			require.NotEmpty(t, r.Avoid)
		}
		if json.Valid([]byte(member)) {
			r, _, err := routeOfBody([]byte(`{"coordinates":[[1,2],[3,4]],"avoid":` + member + `}`))
			if err == nil {
				for _, a := range r.Avoid {
					for _, ring := range a.Polygon {
						require.True(t, len(ring) == 0 || ring[0] == ring[len(ring)-1])
					}
				}
			}
		}
	})
}
