package main

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// sample returns the value of a series in Prometheus's text format.
func sample(t *testing.T, text, series string) float64 {
	t.Helper()
	m := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(series) + ` (\S+)$`).FindStringSubmatch(text)
	require.NotNil(t, m, "no %s in\n%s", series, text)
	v, err := strconv.ParseFloat(m[1], 64)
	require.NoError(t, err)
	return v
}

func TestMetrics(t *testing.T) {
	s := startServer(t, town(t))
	for range 3 {
		_, _ = s.get(t, "/route/v1/driving"+across)
	}
	_, _ = s.get(t, "/route/v1/car/6,45")
	_, _ = s.get(t, "/madeup/v1/madeup"+across)
	_, _ = s.get(t, "/route//x")
	status, text := s.get(t, metricsPath)
	require.Equal(t, 200, status)
	require.EqualValues(t, 3, sample(t, text, `fourway_requests_total{code="Ok",profile="driving",service="route"}`))
	require.EqualValues(t, 1, sample(t, text, `fourway_requests_total{code="InvalidOptions",profile="car",service="route"}`))
	require.EqualValues(t, 1, sample(t, text, `fourway_requests_total{code="InvalidService",profile="other",service="other"}`))
	require.EqualValues(t, 1, sample(t, text, `fourway_requests_total{code="InvalidUrl",profile="other",service="other"}`))
	require.NotContains(t, text, "madeup")
	require.EqualValues(t, 3, sample(t, text, `fourway_request_seconds_count{profile="driving",service="route"}`))
	require.EqualValues(t, 3, sample(t, text, `fourway_request_seconds_bucket{profile="driving",service="route",le="300"}`))
	require.Positive(t, sample(t, text, `fourway_request_seconds_sum{profile="driving",service="route"}`))
	require.EqualValues(t, 6, sample(t, text, `fourway_wait_seconds_count`))
	require.Positive(t, sample(t, text, `fourway_settled_nodes_total{service="route"}`))
	require.Positive(t, sample(t, text, `fourway_stage_seconds_total{service="route",stage="search"}`))
	require.Positive(t, sample(t, text, `fourway_response_bytes_total{service="route"}`))
	require.Zero(t, sample(t, text, `fourway_running_requests`))
	require.Zero(t, sample(t, text, `fourway_waiting_requests`))
	require.Regexp(t, `fourway_build_info\{goversion="go[^"]+",revision="\w+",version="[^"]+"\} 1`, text)
	require.Regexp(t, `fourway_data_info\{algorithm="ch",.*metric="\w+",profile="driving"\} 1`, text)
	require.Contains(t, text, "go_goroutines")
	s.stop(t)
}

// TestServersDoNotShareMetrics starts two in one process.
func TestServersDoNotShareMetrics(t *testing.T) {
	name := town(t)
	a, b := startServer(t, name), startServer(t, name)
	_, _ = a.get(t, "/route/v1/driving"+across)
	_, text := b.get(t, metricsPath)
	require.NotContains(t, text, "fourway_requests_total{")
	a.stop(t)
	b.stop(t)
}
