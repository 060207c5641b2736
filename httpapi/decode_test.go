package httpapi

import (
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

func TestDecodeLines(t *testing.T) {
	route, err := DecodeRoute([]byte(`{"id": "a", "coordinates": [[1, 2], [3, 4]], "radiuses": [null, "unlimited"], "overview": "false", "format": "json"}`))
	require.NoError(t, err)
	require.Equal(t, routing.RouteRequest{
		Coordinates: []orb.Point{{1, 2}, {3, 4}}, Radiuses: []float64{0, routing.Unlimited}, Overview: routing.OverviewFalse,
	}, route)
	match, err := DecodeMatch([]byte(`{"coordinates": [[1, 2], [3, 4]], "timestamps": [5, 6], "gaps": "ignore"}`))
	require.NoError(t, err)
	require.Equal(t, routing.MatchRequest{
		Coordinates: []orb.Point{{1, 2}, {3, 4}}, Timestamps: []int64{5, 6}, IgnoreGaps: true,
	}, match)
	isochrone, err := DecodeIsochrone([]byte(`{"coordinates": [[1, 2]], "contours_minutes": [5, 10.5], "polygons": false, "segments": true, "reverse": true}`))
	require.NoError(t, err)
	require.Equal(t, routing.IsochroneRequest{
		Coordinates: []orb.Point{{1, 2}}, Contours: []float64{300, 630}, Shapes: routing.IsochroneLines | routing.IsochroneRoads, Reverse: true,
	}, isochrone)
	isochrone, err = DecodeIsochrone([]byte(`{"coordinates": [[1, 2]], "contours_meters": [500], "resolution": 20, "margin": 50}`))
	require.NoError(t, err)
	require.Equal(t, routing.IsochroneRequest{
		Coordinates: []orb.Point{{1, 2}}, Contours: []float64{500}, Unit: routing.ContourDistance, Shapes: routing.IsochronePolygons, Resolution: 20, Margin: 50,
	}, isochrone)

	var failure *routing.Error
	for _, body := range []string{"", "[]", `{"coordinates": 5}`, `{"coordinates": [[1, 2], [3, 4]], "overview": "none"}`} {
		_, err := DecodeRoute([]byte(body))
		require.ErrorAs(t, err, &failure, body)
		_, err = DecodeMatch([]byte(body))
		require.ErrorAs(t, err, &failure, body)
		_, err = DecodeIsochrone([]byte(body))
		require.ErrorAs(t, err, &failure, body)
	}
	for _, members := range []string{
		``, `, "contours_minutes": []`, `, "contours_minutes": [1], "contours_meters": [1]`, `, "contours_minutes": [null]`,
		`, "contours_minutes": ["5"]`, `, "contours_minutes": 5`, `, "contours_meters": [-1]`, `, "contours_meters": [1], "margin": "wide"`,
	} {
		_, err := DecodeIsochrone([]byte(`{"coordinates": [[1, 2]]` + members + `}`))
		require.ErrorAs(t, err, &failure, members)
	}
}
