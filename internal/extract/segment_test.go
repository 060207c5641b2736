package extract

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/profile"
)

func TestPace(t *testing.T) {
	require.InDelta(t, 10, paceOf(profile.Unset, 4, 10).of(100), 1e-9, "100 m at 10 m a unit")
	require.InDelta(t, 25, paceOf(100, 4, 10).of(123), 1e-9, "a quarter of the whole")
	require.Zero(t, paceOf(0, 4, 10).of(123))
}

func TestPriceRounds(t *testing.T) {
	var capped int
	for _, c := range []struct {
		cost       float64
		multiplier float64
		want       int32
	}{
		{0, 10, 1},
		{0.04, 10, 1},
		{0.15, 10, 2},
		{0.25, 10, 3},
		{-5, 10, 1},
		{math.NaN(), 10, 1},
		{12.34, 10, 123},
		{12.35, 100, 1235},
	} {
		require.Equal(t, c.want, price(c.cost, c.multiplier, &capped), c.cost)
	}
	require.Zero(t, capped)
	require.Equal(t, int32(maxSegment), price(1e9, 10, &capped))
	require.Equal(t, int32(maxSegment), price(math.Inf(1), 10, &capped))
	require.Equal(t, 2, capped)
}

func TestTruncate(t *testing.T) {
	require.Equal(t, int32(19), truncate(19.99, 100))
	require.Equal(t, int32(-19), truncate(-19.99, 100))
	require.Equal(t, int32(100), truncate(math.Inf(1), 100))
	require.Equal(t, int32(-100), truncate(-1e300, 100))
	require.Zero(t, truncate(math.NaN(), 100))
}

func TestCheapest(t *testing.T) {
	both := segmentUp | segmentDown
	for _, c := range []struct {
		name     string
		list     []segment
		up, down int
	}{
		{"one", []segment{{weight: 5, kind: both}}, 0, 0},
		{"one way", []segment{{weight: 5, kind: segmentDown}}, -1, 0},
		{"cheaper later", []segment{{weight: 5, kind: both}, {weight: 4, kind: both}}, 1, 1},
		{"a tie keeps the first", []segment{{weight: 5, kind: both}, {weight: 5, kind: both}}, 0, 0},
		{"duration breaks ties", []segment{{weight: 5, duration: 9, kind: both}, {weight: 5, duration: 8, kind: segmentUp}}, 1, 0},
	} {
		up, down := cheapest(c.list)
		require.Equal(t, c.up, up, c.name)
		require.Equal(t, c.down, down, c.name)
	}
}
