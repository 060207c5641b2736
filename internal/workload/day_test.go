package workload

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDayIsBelievable(t *testing.T) {
	_, p, _ := country(t)
	const n = 6000
	day := func(seed uint64) string {
		var b bytes.Buffer
		require.NoError(t, WriteDay(t.Context(), &b, p, DayOptions{Requests: n, Seed: seed, Profile: "car"}))
		return b.String()
	}
	text := day(7)
	require.Equal(t, text, day(7), "the same seed gives the same day")
	require.NotEqual(t, text, day(8))
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	require.Len(t, lines, n+1)
	services, hours, ends := map[string]int{}, [24]int{}, map[string]int{}
	last, large := 0.0, 0
	for _, line := range lines[1:] {
		second, path, ok := strings.Cut(line, " ")
		require.True(t, ok)
		at, err := strconv.ParseFloat(second, 64)
		require.NoError(t, err)
		require.GreaterOrEqual(t, at, last)
		require.Less(t, at, 86400.0)
		last = at
		hours[int(at/3600)]++
		parts := strings.Split(path, "/")
		services[parts[1]]++
		require.Equal(t, "car", parts[3])
		coordinates, _, _ := strings.Cut(parts[4], "?")
		if parts[1] == "table" && strings.Count(coordinates, ";") == 199 {
			large++
		}
		first, _, _ := strings.Cut(coordinates, ";")
		ends[first]++
	}
	for service, share := range map[string]float64{"route": 0.55, "nearest": 0.15, "match": 0.15, "table": 0.10, "trip": 0.05} {
		require.InDelta(t, share, float64(services[service])/n, 0.02, service)
	}
	require.Positive(t, large)
	require.Greater(t, hours[8], 5*hours[2], "mornings are busier than nights")
	most := 0
	for _, k := range ends {
		most = max(most, k)
	}
	require.Greater(t, most, n/200, "a place comes again and again")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, WriteDay(ctx, &bytes.Buffer{}, p, DayOptions{Requests: 1}), context.Canceled)
}

func TestArrivalsFollowTheHours(t *testing.T) {
	d := day{rng: rand.New(rand.NewPCG(1, 2))}
	const n = 100_000
	var got [24]float64
	for _, at := range d.arrivals(n) {
		got[at/time.Hour]++
	}
	sum := 0.0
	for _, h := range hourly {
		sum += h
	}
	for hour, h := range hourly {
		require.InDelta(t, h/sum, got[hour]/n, 0.005, hour)
	}
}
