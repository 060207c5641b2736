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

	var failure *routing.Error
	for _, body := range []string{"", "[]", `{"coordinates": 5}`, `{"coordinates": [[1, 2], [3, 4]], "overview": "none"}`} {
		_, err := DecodeRoute([]byte(body))
		require.ErrorAs(t, err, &failure, body)
		_, err = DecodeMatch([]byte(body))
		require.ErrorAs(t, err, &failure, body)
	}
}
