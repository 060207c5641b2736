package httpapi

import (
	"encoding/json"
	"math"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

func TestExplainOption(t *testing.T) {
	e := build(t, routing.BuildOptions{Input: "street.osm", Reader: streetReader(t), Tags: true}, routing.Options{})
	h := Handler(e, Options{})
	points := place('1') + ";" + place('d')
	for _, x := range []struct{ method, target, body, list string }{
		{"GET", "/route/v1/car/" + points + "?explain=true&overview=false", "", "routes"},
		{"GET", "/trip/v1/car/" + points + "?explain=true", "", "trips"},
		{"GET", "/match/v1/car/" + points + "?explain=true&steps=true", "", "matchings"},
		{"POST", "/route/v1/car", `{"coordinates":[[` + strings.ReplaceAll(points, ";", "],[") + `]],"explain":true}`, "routes"},
	} {
		r := httptest.NewRequest(x.method, x.target, strings.NewReader(x.body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Equal(t, 200, w.Code, w.Body.String())
		var answer map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer))
		var routes []struct {
			Legs []struct {
				Duration, Weight float64
				Explanation      *struct {
					Segments []struct {
						Kind, Source     string
						Duration, Weight float64
						Turn             *struct {
							Duration, Weight float64
							Nodes            []int64
						}
					}
					Ways []struct {
						Way     int64
						Tags    map[string]string
						Effects []struct {
							Key     string
							Decides []string
							Closed  bool
						}
					}
				}
			}
		}
		require.NoError(t, json.Unmarshal(answer[x.list], &routes))
		for _, leg := range routes[0].Legs {
			explained := leg.Explanation
			require.NotNil(t, explained, x.target)
			duration, weight := 0.0, 0.0
			for _, s := range explained.Segments {
				duration, weight = duration+s.Duration, weight+s.Weight
				require.Equal(t, "road", s.Kind)
				require.Equal(t, "lua profile", s.Source)
				if s.Turn != nil {
					duration, weight = duration+s.Turn.Duration, weight+s.Turn.Weight
					require.Len(t, s.Turn.Nodes, 3)
				}
			}
			require.InDelta(t, leg.Duration, math.Round(duration*10)/10, 1e-9)
			require.InDelta(t, leg.Weight, math.Round(weight*10)/10, 1e-9)
			require.Equal(t, "primary", explained.Ways[0].Tags["highway"])
			require.Equal(t, "highway", explained.Ways[0].Effects[0].Key)
			require.True(t, explained.Ways[0].Effects[0].Closed)
		}
	}
	_, answer := call(t, h, "GET", "/route/v1/car/"+points+"?explain=maybe", "", "")
	require.Equal(t, "InvalidQuery", answer["code"])
}
