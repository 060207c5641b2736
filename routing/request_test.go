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
	l := Limits{DefaultRadius: 30}
	require.Equal(t, 30.0, l.radius(0))
	require.Equal(t, 5.0, l.radius(5))
	require.Equal(t, Unlimited, l.radius(Unlimited))
	require.Equal(t, Unlimited, (&Limits{}).radius(0))
}
