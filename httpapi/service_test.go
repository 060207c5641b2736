package httpapi

import (
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

var twoPlaces = []orb.Point{{1, 2}, {-3.5, 4.25}}

func TestParseTable(t *testing.T) {
	for text, want := range map[string]routing.TableRequest{
		"":                               {},
		"?sources=all":                   {},
		"?destinations=all":              {},
		"?sources=1;1;0":                 {Sources: []int{1, 1, 0}},
		"?sources=1&sources=0":           {Sources: []int{0}},
		"?sources=1&sources=all":         {Sources: []int{1}},
		"?destinations=0":                {Destinations: []int{0}},
		"?annotations=duration":          {Annotations: routing.TableDurations},
		"?annotations=distance":          {Annotations: routing.TableDistances},
		"?annotations=distance,duration": {Annotations: routing.TableDistances | routing.TableDurations},
		"?annotations=distance&annotations=duration": {Annotations: routing.TableDurations},
		"?fallback_speed=12.5":                       {FallbackSpeed: 12.5},
		"?fallback_coordinate=input":                 {},
		"?fallback_coordinate=snapped":               {FallbackCoordinate: routing.FallbackSnapped},
		"?scale_factor=.5":                           {ScaleFactor: .5},
		"?radiuses=5;&bearings=1,2;&approaches=;curb&exclude=toll&snapping=any&generate_hints=false&skip_waypoints=true&hints=;": {
			Radiuses: []float64{5, 0}, Bearings: []*routing.Bearing{{Value: 1, Range: 2}, nil}, Approaches: []routing.Approach{0, 1},
			Exclude: []string{"toll"}, Snapping: routing.SnapAny, NoHints: true, SkipWaypoints: true,
		},
	} {
		want.Coordinates = twoPlaces
		got, _, err := parseTable("1,2;-3.5,4.25"+text, 0)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for text, message := range map[string]string{
		"?sources=":                  "position 16",
		"?sources=x":                 "position 16",
		"?sources=all;1":             "position 19",
		"?sources=-1":                "position 16",
		"?sources=1;x":               "position 17",
		"?destinations=99999999999":  "position 21",
		"?annotations=true":          "position 20",
		"?annotations=speed":         "position 20",
		"?annotations=duration,":     "position 28",
		"?fallback_speed=fast":       "position 23",
		"?fallback_speed=1e5":        "position 24",
		"?fallback_coordinate=other": "position 28",
		"?scale_factor=":             "position 21",
		"?steps=true":                "position 8",
		"?waypoints=0;1":             "position 8",
	} {
		_, _, err := parseTable("1,2;3,4"+text, 0)
		require.ErrorIs(t, err, routing.ErrInvalidQuery, text)
		require.True(t, strings.HasSuffix(err.Error(), message), "%s: %v", text, err)
	}
	for text, message := range map[string]string{
		"?fallback_speed=0":              "fallback_speed must be > 0",
		"?fallback_speed=-1":             "fallback_speed must be > 0",
		"?scale_factor=0":                "scale_factor must be > 0",
		"?scale_factor=-0.5":             "scale_factor must be > 0",
		"?hints=" + hintOf(1) + ";;":     "hints size 3",
		"?scale_factor=1&scale_factor=0": "scale_factor must be > 0",
	} {
		_, _, err := parseTable("1,2;3,4"+text, 0)
		require.ErrorIs(t, err, routing.ErrInvalidOptions, text)
		require.ErrorContains(t, err, message)
	}
}

func TestTableOfBody(t *testing.T) {
	for query, members := range map[string]string{
		"":                               ``,
		"?sources=0;1&destinations=1":    `"sources":[0,1],"destinations":[1],"steps":"ignored"`,
		"?annotations=duration":          `"annotations":["duration"]`,
		"?annotations=duration,distance": `"annotations":true`,
		"?fallback_speed=3&fallback_coordinate=snapped&scale_factor=2.5": `"fallback_speed":3,"fallback_coordinate":"snapped","scale_factor":2.5`,
		"?radiuses=;unlimited&skip_waypoints=true":                       `"annotations":false,"radiuses":[null,"unlimited"],"skip_waypoints":true`,
	} {
		want, _, err := parseTable("1,2;-3.5,4.25"+query, 0)
		require.NoError(t, err)
		got, _, err := tableOfBody([]byte(`{"coordinates":[[1,2],[-3.5,4.25]]` + strings.TrimSuffix(","+members, ",") + `}`))
		require.NoError(t, err, members)
		require.Equal(t, want, got, members)
	}
	for members, message := range map[string]string{
		`"sources":"all"`:                "sources must be an array",
		`"destinations":[-1]`:            "destinations: entry 0",
		`"annotations":["speed"]`:        "annotations: entry 0 must be one of duration and distance",
		`"annotations":"duration"`:       "annotations must be",
		`"annotations":null`:             "annotations must be",
		`"fallback_speed":"fast"`:        "fallback_speed must be a number",
		`"fallback_speed":null`:          "fallback_speed must be a number",
		`"fallback_coordinate":"nearby"`: "want input or snapped",
		`"scale_factor":[]`:              "scale_factor must be a number",
	} {
		_, _, err := tableOfBody([]byte(`{"coordinates":[[1,2],[3,4]],` + members + `}`))
		require.ErrorIs(t, err, routing.ErrInvalidQuery, members)
		require.ErrorContains(t, err, message, members)
	}
	_, _, err := tableOfBody([]byte(`{"coordinates":[[1,2],[3,4]],"fallback_speed":0}`))
	require.ErrorIs(t, err, routing.ErrInvalidOptions)
	_, c, err := tableOfBody([]byte(`{"coordinates":[[1,2],[3,4]],"format":"flatbuffers"}`))
	require.NoError(t, err)
	require.True(t, c.flatbuffers)
}

func TestParseTrip(t *testing.T) {
	for text, want := range map[string]routing.TripRequest{
		"":                  {},
		"?roundtrip=true":   {},
		"?roundtrip=false":  {OneWay: true},
		"?source=any":       {},
		"?source=first":     {FromFirst: true},
		"?destination=any":  {},
		"?destination=last": {ToLast: true},
		"?waypoints=0;1":    {},
		"?source=first&source=any&roundtrip=false&roundtrip=true": {},
		"?steps=true&annotations=speed&geometries=geojson&overview=false": {
			Steps: true, Annotations: routing.AnnotateSpeed, Geometries: routing.GeometryGeoJSON, Overview: routing.OverviewFalse,
		},
		"?radiuses=5;&bearings=1,2;&approaches=;curb&exclude=toll&snapping=any&generate_hints=false&skip_waypoints=true&hints=;": {
			Radiuses: []float64{5, 0}, Bearings: []*routing.Bearing{{Value: 1, Range: 2}, nil}, Approaches: []routing.Approach{0, 1},
			Exclude: []string{"toll"}, Snapping: routing.SnapAny, NoHints: true, SkipWaypoints: true,
		},
	} {
		want.Coordinates = twoPlaces
		got, _, err := parseTrip("1,2;-3.5,4.25"+text, 0)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for text, message := range map[string]string{
		"?alternatives=true":      "position 8",
		"?continue_straight=true": "position 8",
		"?roundtrip=yes":          "position 18",
		"?source=last":            "position 15",
		"?destination=first":      "position 20",
		"?timestamps=1;2":         "position 8",
	} {
		_, _, err := parseTrip("1,2;3,4"+text, 0)
		require.ErrorIs(t, err, routing.ErrInvalidQuery, text)
		require.True(t, strings.HasSuffix(err.Error(), message), "%s: %v", text, err)
	}
	_, _, err := parseTrip("1,2;3,4?waypoints=0;2", 0)
	require.ErrorIs(t, err, routing.ErrInvalidOptions)
}

func TestParseMatch(t *testing.T) {
	for text, want := range map[string]routing.MatchRequest{
		"":                               {},
		"?timestamps=0;4294967295":       {Timestamps: []int64{0, 4294967295}},
		"?timestamps=5;6&timestamps=7;7": {Timestamps: []int64{7, 7}},
		"?gaps=split":                    {},
		"?gaps=ignore":                   {IgnoreGaps: true},
		"?tidy=true":                     {Tidy: true},
		"?details=true":                  {Details: true},
		"?model=osrm":                    {},
		"?model=robust":                  {Model: routing.RobustModel()},
		"?model=noise,outliers":          {Model: routing.MatchModel{EstimateNoise: true, DropOutliers: true}},
		"?model=standstill,pace,gaps,uturns-never": {
			Model: routing.MatchModel{StandStill: true, KeepPace: true, BridgeGaps: true, UTurns: routing.UTurnsNever},
		},
		"?model=uturns-clear":       {Model: routing.MatchModel{UTurns: routing.UTurnsClear}},
		"?model=robust&model=noise": {Model: routing.MatchModel{EstimateNoise: true}},
		"?waypoints=0;1":            {Waypoints: []int{0, 1}},
		"?radiuses=5;":              {Radiuses: []float64{5, 0}},
		"?snapping=any":             {},
		"?steps=true&annotations=speed&geometries=geojson&overview=false": {
			Steps: true, Annotations: routing.AnnotateSpeed, Geometries: routing.GeometryGeoJSON, Overview: routing.OverviewFalse,
		},
		"?bearings=1,2;&approaches=;curb&exclude=toll&generate_hints=false&skip_waypoints=true&hints=;": {
			Bearings: []*routing.Bearing{{Value: 1, Range: 2}, nil}, Approaches: []routing.Approach{0, 1},
			Exclude: []string{"toll"}, NoHints: true, SkipWaypoints: true,
		},
	} {
		want.Coordinates = twoPlaces
		got, _, err := parseMatch("1,2;-3.5,4.25"+text, 0)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for text, message := range map[string]string{
		"?alternatives=true":       "position 8",
		"?continue_straight=true":  "position 8",
		"?timestamps=1;-2":         "position 20",
		"?model=best":              "position 14",
		"?timestamps=4294967296;1": "position 19",
		"?gaps=none":               "position 13",
		"?tidy=1":                  "position 13",
		"?sources=0":               "position 8",
	} {
		_, _, err := parseMatch("1,2;3,4"+text, 0)
		require.ErrorIs(t, err, routing.ErrInvalidQuery, text)
		require.True(t, strings.HasSuffix(err.Error(), message), "%s: %v", text, err)
	}
}

func TestMatchOfBody(t *testing.T) {
	for query, members := range map[string]string{
		"":                               ``,
		"?timestamps=1;2":                `"timestamps":[1,2]`,
		"?gaps=ignore&tidy=true":         `"gaps":"ignore","tidy":true`,
		"?model=robust":                  `"model":["robust"]`,
		"?model=noise,gaps&details=true": `"model":["noise","gaps"],"details":true`,
		"?steps=true&annotations=nodes&waypoints=0;1": `"steps":true,"annotations":["nodes"],"waypoints":[0,1]`,
		"?radiuses=;7&skip_waypoints=true":            `"radiuses":[null,7],"skip_waypoints":true,"alternatives":3,"continue_straight":true`,
	} {
		want, _, err := parseMatch("1,2;-3.5,4.25"+query, 0)
		require.NoError(t, err)
		got, _, err := matchOfBody([]byte(`{"coordinates":[[1,2],[-3.5,4.25]]` + strings.TrimSuffix(","+members, ",") + `}`))
		require.NoError(t, err, members)
		require.Equal(t, want, got, members)
	}
	for members, message := range map[string]string{
		`"timestamps":[1.5,2]`: "timestamps: entry 0 must be a non-negative integer",
		`"timestamps":5`:       "timestamps must be an array",
		`"gaps":"none"`:        "want split or ignore",
		`"tidy":"yes"`:         "tidy must be a boolean",
		`"details":1`:          "details must be a boolean",
		`"model":["best"]`:     "model: entry 0 must be",
		`"alternatives":"x"`:   "alternatives must be",
		`"steps":1`:            "steps must be a boolean",
	} {
		_, _, err := matchOfBody([]byte(`{"coordinates":[[1,2],[3,4]],` + members + `}`))
		require.ErrorIs(t, err, routing.ErrInvalidQuery, members)
		require.ErrorContains(t, err, message, members)
	}
}

// FuzzServices reads one text as a query of each service.
func FuzzServices(f *testing.F) {
	for _, seed := range []string{
		"1,2;-3.5,4.25?sources=all&destinations=0;1&annotations=duration,distance&fallback_speed=1.5&scale_factor=2",
		"1,2;3,4.flatbuffers?timestamps=1;2&gaps=ignore&tidy=true&waypoints=0;1", "1,2;3,4?roundtrip=false&source=first&destination=last",
		"tile(1,2,12).mvt", "1,2?number=2",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if r, _, err := parseTable(text, 0); err == nil {
			_ = r.Validate()
		}
		if r, _, err := parseTrip(text, 0); err == nil {
			_ = r.Validate()
		}
		if r, _, err := parseMatch(text, 0); err == nil {
			_ = r.Validate()
		}
		if tile, _, err := parseTile(text, 0); err == nil {
			b := tile.bounds()
			require.Less(t, b.Min[0], b.Max[0])
			require.Less(t, b.Min[1], b.Max[1])
		}
	})
}

// FuzzBodies reads one text as a body of each service.
func FuzzBodies(f *testing.F) {
	f.Add([]byte(`{"coordinates":[[1,2],[3,4]],"sources":[0],"annotations":true,"fallback_speed":5,"scale_factor":2,"format":"flatbuffers"}`))
	f.Add([]byte(`{"coordinates":[[1,2],[3,4]],"timestamps":[1,2],"gaps":"ignore","tidy":true,"waypoints":[0,1]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if r, _, err := tableOfBody(text); err == nil {
			_ = r.Validate()
		}
		if r, _, err := matchOfBody(text); err == nil {
			_ = r.Validate()
		}
	})
}
