package routing

import (
	"errors"
	"math"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"
)

func TestValidateRoute(t *testing.T) {
	two := []orb.Point{{7, 43}, {8, 44}}
	for name, c := range map[string]struct {
		request RouteRequest
		code    Code
		index   int
		message string
	}{
		"none":              {RouteRequest{}, ErrInvalidOptions, -1, "at least two"},
		"one":               {RouteRequest{Coordinates: two[:1]}, ErrInvalidOptions, -1, "at least two"},
		"bearings":          {RouteRequest{Coordinates: two, Bearings: []*Bearing{nil}}, ErrInvalidOptions, -1, "bearings size 1 does not match coordinate size 2"},
		"radiuses":          {RouteRequest{Coordinates: two, Radiuses: []float64{1, 2, 3}}, ErrInvalidOptions, -1, "radiuses size 3"},
		"approaches":        {RouteRequest{Coordinates: two, Approaches: make([]Approach, 1)}, ErrInvalidOptions, -1, "approaches size 1"},
		"bearing range":     {RouteRequest{Coordinates: two, Bearings: []*Bearing{nil, {361, 5}}}, ErrInvalidOptions, 1, "Bearing 1 is 361,5"},
		"negative radius":   {RouteRequest{Coordinates: two, Radiuses: []float64{1, -2}}, ErrInvalidOptions, 1, "Radius 1"},
		"NaN radius":        {RouteRequest{Coordinates: two, Radiuses: []float64{math.NaN(), 2}}, ErrInvalidOptions, 0, "Radius 0"},
		"approach":          {RouteRequest{Coordinates: two, Approaches: []Approach{0, 9}}, ErrInvalidOptions, 1, "Approaches[1]"},
		"snapping":          {RouteRequest{Coordinates: two, Snapping: 9}, ErrInvalidOptions, -1, "Snapping"},
		"straight":          {RouteRequest{Coordinates: two, ContinueStraight: 9}, ErrInvalidOptions, -1, "ContinueStraight"},
		"alternatives":      {RouteRequest{Coordinates: two, Alternatives: -1}, ErrInvalidOptions, -1, "Alternatives"},
		"annotations":       {RouteRequest{Coordinates: two, Annotations: 128}, ErrInvalidOptions, -1, "Annotations"},
		"overview":          {RouteRequest{Coordinates: two, Overview: 9}, ErrInvalidOptions, -1, "Overview"},
		"geometries":        {RouteRequest{Coordinates: two, Geometries: 9}, ErrInvalidOptions, -1, "Geometries"},
		"waypoint index":    {RouteRequest{Coordinates: two, Waypoints: []int{0, 2}}, ErrInvalidOptions, -1, "Waypoints[1] is 2"},
		"first waypoint":    {RouteRequest{Coordinates: two, Waypoints: []int{1}}, ErrInvalidValue, -1, "First and last"},
		"longitude":         {RouteRequest{Coordinates: []orb.Point{{7, 43}, {180.1, 0}}}, ErrInvalidValue, 1, "Invalid coordinate"},
		"latitude":          {RouteRequest{Coordinates: []orb.Point{{7, -90.1}, {8, 0}}}, ErrInvalidValue, 0, "Invalid coordinate"},
		"no number":         {RouteRequest{Coordinates: []orb.Point{{math.NaN(), 0}, {8, 0}}}, ErrInvalidValue, 0, "Invalid coordinate"},
		"infinite":          {RouteRequest{Coordinates: []orb.Point{{8, 0}, {8, math.Inf(1)}}}, ErrInvalidValue, 1, "Invalid coordinate"},
		"length goes first": {RouteRequest{Coordinates: []orb.Point{{999, 0}}}, ErrInvalidOptions, -1, "at least two"},
	} {
		err := c.request.Validate()
		require.ErrorIs(t, err, c.code, name)
		e, ok := errors.AsType[*Error](err)
		require.True(t, ok, name)
		require.Equal(t, c.index, e.Index, name)
		require.Contains(t, e.Message, c.message, name)
	}
	good := RouteRequest{
		Coordinates: []orb.Point{{-180, -90}, {0, 0}, {180, 90}}, Radiuses: []float64{0, 5, Unlimited},
		Bearings: []*Bearing{nil, {0, 0}, {360, 180}}, Approaches: []Approach{0, 1, 2}, Waypoints: []int{0, 1, 2},
		Annotations: AnnotateAll | AnnotateWays,
	}
	require.NoError(t, good.Validate())
}

func TestValidateNearest(t *testing.T) {
	for name, r := range map[string]NearestRequest{
		"coordinate": {Coordinate: orb.Point{181, 0}},
		"bearing":    {Bearing: &Bearing{-1, 0}},
		"radius":     {Radius: -1},
		"number":     {Number: -1},
		"approach":   {Approach: 3},
	} {
		require.ErrorIs(t, r.Validate(), ErrInvalidOptions, name)
	}
	require.NoError(t, (&NearestRequest{Number: 3, Radius: Unlimited}).Validate())
}

func TestValidateTable(t *testing.T) {
	two := []orb.Point{{7, 43}, {8, 43}}
	for name, c := range map[string]struct {
		request TableRequest
		index   int
		message string
	}{
		"one place":       {TableRequest{Coordinates: two[:1]}, -1, "at least two"},
		"source":          {TableRequest{Coordinates: two, Sources: []int{0, 2}}, -1, "Sources[1] is 2"},
		"destination":     {TableRequest{Coordinates: two, Destinations: []int{-1}}, -1, "Destinations[0] is -1"},
		"annotations":     {TableRequest{Coordinates: two, Annotations: 4}, -1, "Annotations"},
		"fallback place":  {TableRequest{Coordinates: two, FallbackCoordinate: 2}, -1, "FallbackCoordinate"},
		"fallback speed":  {TableRequest{Coordinates: two, FallbackSpeed: -1}, -1, "FallbackSpeed"},
		"no speed":        {TableRequest{Coordinates: two, FallbackSpeed: math.NaN()}, -1, "FallbackSpeed"},
		"scale":           {TableRequest{Coordinates: two, ScaleFactor: -0.1}, -1, "ScaleFactor"},
		"no scale":        {TableRequest{Coordinates: two, ScaleFactor: math.NaN()}, -1, "ScaleFactor"},
		"latitude":        {TableRequest{Coordinates: []orb.Point{{7, 43}, {7, 91}}}, 1, "Coordinates are invalid"},
		"radius":          {TableRequest{Coordinates: two, Radiuses: []float64{0, -1}}, 1, "Radius 1"},
		"bearing":         {TableRequest{Coordinates: two, Bearings: []*Bearing{nil, {0, 181}}}, 1, "Bearing 1"},
		"approach":        {TableRequest{Coordinates: two, Approaches: []Approach{0, 3}}, 1, "Approaches[1]"},
		"snapping":        {TableRequest{Coordinates: two, Snapping: 2}, -1, "Snapping"},
		"lists of length": {TableRequest{Coordinates: two, Radiuses: []float64{0}}, -1, "radiuses size 1"},
	} {
		err := c.request.Validate()
		require.ErrorIs(t, err, ErrInvalidOptions, name)
		require.Equal(t, c.index, err.(*Error).Index, name)
		require.Contains(t, err.Error(), c.message, name)
	}
	good := TableRequest{
		Coordinates: two, Sources: []int{1, 1, 0}, Destinations: []int{0}, Annotations: TableDurations | TableDistances,
		FallbackSpeed: 0.1, FallbackCoordinate: FallbackSnapped, ScaleFactor: math.Inf(1), Snapping: SnapAny,
	}
	require.NoError(t, good.Validate())
}

func TestValidateTrip(t *testing.T) {
	two := []orb.Point{{7, 43}, {8, 43}}
	require.NoError(t, (&TripRequest{Coordinates: two, OneWay: true}).Validate())
	for name, r := range map[string]TripRequest{
		"one place": {Coordinates: two[:1]},
		"radius":    {Coordinates: two, Radiuses: []float64{0, math.NaN()}},
		"snapping":  {Coordinates: two, Snapping: 7},
		"overview":  {Coordinates: two, Overview: 7},
	} {
		require.ErrorIs(t, r.Validate(), ErrInvalidOptions, name)
	}
	far := TripRequest{Coordinates: []orb.Point{{7, 43}, {181, 0}}}
	require.ErrorIs(t, far.Validate(), ErrInvalidValue)
}

func TestLimits(t *testing.T) {
	three := RouteRequest{Coordinates: make([]orb.Point, 3), Alternatives: 3}
	require.NoError(t, (&Limits{}).CheckRoute(&three))
	err := (&Limits{RouteCoordinates: 2}).CheckRoute(&three)
	require.ErrorIs(t, err, ErrTooBig)
	require.EqualValues(t, 2, err.(*Error).Limit)
	require.Contains(t, err.Error(), "Number of entries 3 is higher than current maximum (2)")
	require.ErrorIs(t, (&Limits{Alternatives: 2}).CheckRoute(&three), ErrTooBig)
	require.ErrorIs(t, (&Limits{Alternatives: -1}).CheckRoute(&three), ErrTooBig)
	require.NoError(t, (&Limits{}).CheckNearest(&NearestRequest{Number: 1e6}))
	require.ErrorIs(t, (&Limits{NearestResults: 5}).CheckNearest(&NearestRequest{Number: 6}), ErrTooBig)
	require.ErrorIs(t, (&Limits{TripCoordinates: 2}).CheckTrip(&TripRequest{Coordinates: make([]orb.Point, 3)}), ErrTooBig)
	require.ErrorIs(t, (&Limits{}).CheckTrip(&TripRequest{Coordinates: make([]orb.Point, 5000)}), ErrTooBig)
	require.ErrorIs(t, (&Limits{MatchCoordinates: 2}).CheckMatch(&MatchRequest{Coordinates: make([]orb.Point, 3)}), ErrTooBig)
	require.NoError(t, (&Limits{}).CheckMatch(&MatchRequest{Coordinates: make([]orb.Point, 5000), Radiuses: []float64{1e6}}))
	l := Limits{DefaultRadius: 30}
	require.Equal(t, 30.0, l.radius(0))
	require.Equal(t, 5.0, l.radius(5))
	require.Equal(t, Unlimited, l.radius(Unlimited))
	require.Equal(t, Unlimited, (&Limits{}).radius(0))
}

// What a server does without is refused, and nothing else is.
func TestDisabledFeatures(t *testing.T) {
	points := make([]orb.Point, 2)
	bare := RouteRequest{Coordinates: points, Overview: OverviewFalse, SkipWaypoints: true}
	with := func(change func(*RouteRequest)) *RouteRequest {
		r := bare
		change(&r)
		return &r
	}
	steps, geometry := &Limits{NoSteps: true}, &Limits{NoGeometry: true}
	for name, c := range map[string]struct {
		r               *RouteRequest
		steps, geometry bool
	}{
		"bare":        {&bare, true, true},
		"steps":       {with(func(r *RouteRequest) { r.Steps = true }), false, false},
		"overview":    {with(func(r *RouteRequest) { r.Overview = OverviewFull }), true, false},
		"annotations": {with(func(r *RouteRequest) { r.Annotations = AnnotateSpeed }), true, false},
		"waypoints":   {with(func(r *RouteRequest) { r.SkipWaypoints = false }), true, false},
	} {
		for _, limits := range []struct {
			*Limits
			ok bool
		}{{new(Limits), true}, {steps, c.steps}, {geometry, c.geometry}} {
			r := c.r
			trip := TripRequest{Coordinates: points, Steps: r.Steps, Annotations: r.Annotations, Overview: r.Overview, SkipWaypoints: r.SkipWaypoints}
			match := MatchRequest{Coordinates: points, Steps: r.Steps, Annotations: r.Annotations, Overview: r.Overview, SkipWaypoints: r.SkipWaypoints}
			for _, err := range []error{limits.CheckRoute(r), limits.CheckTrip(&trip), limits.CheckMatch(&match)} {
				if limits.ok {
					require.NoError(t, err, name)
				} else {
					require.ErrorIs(t, err, ErrDisabled, name)
				}
			}
		}
	}
	require.NoError(t, steps.CheckNearest(&NearestRequest{}))
	require.NoError(t, steps.CheckRoads())
	require.ErrorIs(t, geometry.CheckRoads(), ErrDisabled)
	require.ErrorIs(t, geometry.CheckNearest(&NearestRequest{}), ErrDisabled)
	require.NoError(t, geometry.CheckNearest(&NearestRequest{SkipWaypoints: true}))
	require.ErrorIs(t, geometry.CheckTable(&TableRequest{}), ErrDisabled)
	require.NoError(t, geometry.CheckTable(&TableRequest{SkipWaypoints: true}))
}
