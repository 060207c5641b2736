package httpapi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

// Requests name a metric, or a time of departure that chooses one.
func TestMetricAndDepart(t *testing.T) {
	for url, want := range map[string]struct {
		metric, depart string
		fault          bool
	}{
		"1,2;3,4?metric=rush-hour_2":                        {metric: "rush-hour_2"},
		"1,2;3,4?depart=2026-12-01T08:30":                   {depart: "2026-12-01T08:30:00Z"},
		"1,2;3,4?depart=2026-12-01T08:30:59&overview=false": {depart: "2026-12-01T08:30:59Z"},
		"1,2;3,4":                           {depart: "0001-01-01T00:00:00Z"},
		"1,2;3,4?metric=":                   {fault: true},
		"1,2;3,4?depart=2026-12-01":         {fault: true},
		"1,2;3,4?depart=2026-13-01T08:30":   {fault: true},
		"1,2;3,4?depart=2026-12-01T08:30Z5": {fault: true},
	} {
		r, _, err := parseRoute(url, 0)
		if want.fault {
			require.ErrorIs(t, err, routing.ErrInvalidQuery, url)
			continue
		}
		require.NoError(t, err, url)
		require.Equal(t, want.metric, r.Metric)
		if want.depart != "" {
			require.Equal(t, want.depart, r.Depart.Format("2006-01-02T15:04:05Z07:00"))
		}
	}
	r, _, err := routeOfBody([]byte(`{"coordinates":[[1,2],[3,4]],"metric":"rush","depart":"2026-12-01T08:30"}`))
	require.NoError(t, err)
	require.Equal(t, "rush", r.Metric)
	require.Equal(t, 8, r.Depart.Hour())
	for _, bad := range []string{`"metric":7`, `"depart":"noon"`, `"depart":1}`} {
		_, _, err := routeOfBody([]byte(`{"coordinates":[[1,2],[3,4]],` + bad + `}`))
		require.ErrorIs(t, err, routing.ErrInvalidQuery, bad)
	}
}
