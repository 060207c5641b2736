package httpapi

import (
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

func TestParseRoute(t *testing.T) {
	two := []orb.Point{{1, 2}, {-3.5, 4.25}}
	zero := math.SmallestNonzeroFloat64
	for text, want := range map[string]routing.RouteRequest{
		"1,2;-3.5,4.25":                         {Coordinates: two},
		"1.,2;-3.5,+4.25":                       {Coordinates: two},
		"1,2;-3.5,4.25.json":                    {Coordinates: two},
		"1,2;-3.5,4.25.json?steps=true":         {Coordinates: two, Steps: true},
		"polyline(_seK_ibEomvL~{mZ)":            {Coordinates: two},
		"polyline6(_gayB_c`|@_pihC~`tqG)":       {Coordinates: two},
		"1,2;-3.5,4.25?alternatives=true":       {Coordinates: two, Alternatives: 1},
		"1,2;-3.5,4.25?alternatives=false":      {Coordinates: two},
		"1,2;-3.5,4.25?alternatives=3":          {Coordinates: two, Alternatives: 3},
		"1,2;-3.5,4.25?continue_straight=true":  {Coordinates: two, ContinueStraight: routing.ContinueAlways},
		"1,2;-3.5,4.25?continue_straight=false": {Coordinates: two, ContinueStraight: routing.ContinueFreely},
		"1,2;-3.5,4.25?geometries=polyline6&overview=by_legs&generate_hints=false&skip_waypoints=true&snapping=any": {
			Coordinates: two, Geometries: routing.GeometryPolyline6, Overview: routing.OverviewByLegs,
			NoHints: true, SkipWaypoints: true, Snapping: routing.SnapAny,
		},
		"1,2;-3.5,4.25?annotations=true":         {Coordinates: two, Annotations: routing.AnnotateAll},
		"1,2;-3.5,4.25?annotations=nodes,speed":  {Coordinates: two, Annotations: routing.AnnotateNodes | routing.AnnotateSpeed},
		"1,2;-3.5,4.25?annotations=ways":         {Coordinates: two, Annotations: routing.AnnotateWays},
		"1,2;-3.5,4.25?waypoints=0;1":            {Coordinates: two, Waypoints: []int{0, 1}},
		"1,2;-3.5,4.25?radiuses=;unlimited":      {Coordinates: two, Radiuses: []float64{0, routing.Unlimited}},
		"1,2;-3.5,4.25?radiuses=0;12.5":          {Coordinates: two, Radiuses: []float64{zero, 12.5}},
		"1,2;-3.5,4.25?radiuses=5&radiuses=6":    {Coordinates: two, Radiuses: []float64{5, 6}},
		"1,2;-3.5,4.25?bearings=;90,15":          {Coordinates: two, Bearings: []*routing.Bearing{nil, {Value: 90, Range: 15}}},
		"1,2;-3.5,4.25?approaches=curb;opposite": {Coordinates: two, Approaches: []routing.Approach{1, 2}},
		"1,2;-3.5,4.25?approaches=;unrestricted": {Coordinates: two, Approaches: []routing.Approach{0, 0}},
		"1,2;-3.5,4.25?exclude=toll,motorway":    {Coordinates: two, Exclude: []string{"toll", "motorway"}},
		"1,2;-3.5,4.25?steps=true&steps=false":   {Coordinates: two},
		"1,2;-3.5,4.25?hints=;" + hintOf(2):      {Coordinates: two},
		"1,2;-3.5,4.25?hints=" + hintOf(1) + ";": {Coordinates: two},
		"200,95;0,0":                             {Coordinates: []orb.Point{{200, 95}, {0, 0}}},
	} {
		got, _, err := parseRoute(text, 0)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
}

func hintOf(n int) string { return strings.Repeat("A", 112*n) }

func TestParseRouteFaults(t *testing.T) {
	for text, position := range map[string]string{
		"":                                 "0",
		"1":                                "1",
		"1,":                               "2",
		"1,2;":                             "3",
		"1,2;3":                            "5",
		"1,2;x":                            "3",
		"1e3,2":                            "1",
		"nan,2":                            "0",
		"1,2;9999,3":                       "3",
		"9999,3":                           "0",
		"polyline()":                       "9",
		"polyline(_seK":                    "9",
		"polyline(_seK_ibE":                "17",
		"polyline7(_seK)":                  "0",
		"1,2;3,4?":                         "8",
		"1,2;3,4?steps":                    "8",
		"1,2;3,4?steps=":                   "14",
		"1,2;3,4?steps=yes":                "14",
		"1,2;3,4?steps=true&":              "18",
		"1,2;3,4?steps=true&x=1":           "18",
		"1,2;3,4?steps=truex":              "18",
		"1,2;3,4?number=1":                 "8",
		"1,2;3,4?alternatives=-1":          "21",
		"1,2;3,4?alternatives=99999999999": "21",
		"1,2;3,4?geometries=wkt":           "19",
		"1,2;3,4?geometries=polyline7":     "27",
		"1,2;3,4?overview=none":            "17",
		"1,2;3,4?annotations=":             "20",
		"1,2;3,4?annotations=nodes,x":      "25",
		"1,2;3,4?bearings=1;2":             "18",
		"1,2;3,4?bearings=99999,1":         "17",
		"1,2;3,4?radiuses=inf":             "17",
		"1,2;3,4?approaches=left":          "19",
		"1,2;3,4?exclude=":                 "16",
		"1,2;3,4?exclude=a_b":              "17",
		"1,2;3,4?hints=abc":                "14",
		"1,2;3,4?waypoints=0;x":            "19",
		"1,2;3,4.xml":                      "7",
		"1,2;3,4?snapping=none":            "17",
	} {
		_, _, err := parseRoute(text, 0)
		require.ErrorIs(t, err, routing.ErrInvalidQuery, text)
		require.ErrorContains(t, err, "close to position "+position, text)
		if !strings.HasSuffix(err.Error(), " "+position) {
			t.Errorf("%s: %v, want position %s", text, err, position)
		}
	}
	_, _, err := parseRoute("/route/v1/car/1,2;x", 14)
	require.ErrorContains(t, err, "position 17", "positions count in the whole URL")
	_, _, err = parseRoute("1,2;3,4?hints="+hintOf(1), 0)
	require.ErrorIs(t, err, routing.ErrInvalidOptions)
	require.ErrorContains(t, err, "hints size 1 does not match coordinate size 2")
	_, c, err := parseRoute("1,2;3,4.flatbuffers?steps=true", 0)
	require.NoError(t, err)
	require.True(t, c.flatbuffers)
}

func TestParseNearest(t *testing.T) {
	got, _, err := parseNearest("1,2?number=3&bearings=10,20&radiuses=5&approaches=curb&exclude=toll&generate_hints=false&snapping=any", 0)
	require.NoError(t, err)
	require.Equal(t, routing.NearestRequest{
		Coordinate: orb.Point{1, 2}, Number: 3, Radius: 5, Bearing: &routing.Bearing{Value: 10, Range: 20},
		Approach: routing.ApproachCurb, Exclude: []string{"toll"}, NoHints: true,
	}, got)
	got, _, err = parseNearest("1,2", 0)
	require.NoError(t, err)
	require.Equal(t, 1, got.Number)
	for text, code := range map[string]routing.Code{
		"1,2;3,4":              routing.ErrInvalidOptions,
		"1,2?number=0":         routing.ErrInvalidOptions,
		"1,2?radiuses=1;2":     routing.ErrInvalidOptions,
		"1,2?bearings=":        "",
		"1,2?number=-1":        routing.ErrInvalidQuery,
		"1,2?steps=true":       routing.ErrInvalidQuery,
		"1,2?waypoints=0":      routing.ErrInvalidQuery,
		"1,2?approaches=curb;": routing.ErrInvalidOptions,
	} {
		_, _, err := parseNearest(text, 0)
		if code == "" {
			require.NoError(t, err, text)
		} else {
			require.ErrorIs(t, err, code, text)
		}
	}
}

func FuzzParseRoute(f *testing.F) {
	for _, seed := range []string{
		"1,2;-3.5,4.25.json?steps=true&annotations=nodes,speed&waypoints=0;1", "polyline(_seK_ibE_kuRnw~T)?radiuses=;unlimited",
		"1,2;3,4?bearings=;90,15&approaches=curb;&exclude=toll&hints=;&alternatives=2", "polyline6(?)", "1,2;3,4?overview=by_legs",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, _, err := parseRoute(text, 0)
		if err == nil {
			require.NotEmpty(t, r.Coordinates)
			_ = r.Validate()
		}
		if n, _, err := parseNearest(text, 0); err == nil {
			_ = n.Validate()
		}
	})
}

func BenchmarkParseRoute(b *testing.B) {
	text := "-75.527788,39.784446;-75.544588,39.828786?overview=simplified&geometries=geojson&annotations=true&generate_hints=false"
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := parseRoute(text, 0); err != nil {
			b.Fatal(err)
		}
	}
}
