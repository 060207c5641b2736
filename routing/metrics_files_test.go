package routing

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// prepared writes the files of loop to a folder, with two more metrics.
func prepared(t *testing.T) (name string) {
	t.Helper()
	name = stored(t)
	for metric, kmh := range map[string]int{"rush": 18, "night": 72} {
		csv := filepath.Join(filepath.Dir(name), metric+".csv")
		a, b := loop.NodeID('a'), loop.NodeID('b')
		require.NoError(t, os.WriteFile(csv, fmt.Appendf(nil, "%d,%d,%d\n%d,%d,%d\n", a, b, kmh, b, a, kmh), 0o600))
		report, err := Rebuild(t.Context(), StepOptions{Input: name, Metric: metric, Updates: Updates{SegmentSpeeds: []string{csv}}})
		require.NoError(t, err)
		require.Equal(t, 2, report.Updates.Speeds[0].Matched)
		require.Len(t, report.Files, 4)
	}
	return name
}

// Metrics that were prepared open without customizing, with every algorithm, and are
// the ground for updates.
func TestPreparedMetrics(t *testing.T) {
	name := prepared(t)
	week := Week{7: "rush"}
	for _, a := range []Algorithm{CH, MLD, CCH} {
		e, err := Open(name, Options{Algorithm: a, Metrics: []string{"rush", "night"}, Week: week})
		require.NoError(t, err)
		m := &town{e, t, loop}
		require.InDelta(t, 40, m.duration("rush"), 0.2)
		require.InDelta(t, 10, m.duration("night"), 0.2)
		plain := m.duration("")
		r := m.route("ab", func(r *RouteRequest) { r.Depart = monday.Add(7 * time.Hour) })
		require.Equal(t, "rush", r.Routes[0].Legs[0].Metric)
		require.Equal(t, []string{"lua profile", "rush"}, r.Routes[0].Legs[0].Annotation.DatasourceNames)
		all := e.current.Load()
		for _, d := range all.named {
			require.Same(t, all.net, d.net)
			require.NotZero(t, d.bytes)
		}
		if a != CH {
			m.update(slow("night", 36), Update{Metric: "rush", Layer: "closures", Ways: []WaySpeed{{Way: loop.WayID("bd")}}})
			require.InDelta(t, 20, m.duration("night"), 0.2)
			require.InDelta(t, 40, m.duration("rush"), 0.2)
			require.InDelta(t, plain, m.duration(""), 1e-9)
			require.NoError(t, e.Replace(t.Context(), name))
			require.InDelta(t, 20, m.duration("night"), 0.2)
			m.update(Update{Metric: "night", Layer: "live", Clear: true})
			require.InDelta(t, 10, m.duration("night"), 0.2, "what the files say")
		}
		require.NoError(t, e.DropMetric(t.Context(), "night"))
		require.NoError(t, e.Close())
		for _, d := range e.current.Load().all() {
			require.Zero(t, d.parts.users.Load())
		}
		_, err = Open(name, Options{Algorithm: a, Metrics: []string{"day"}})
		require.ErrorIs(t, err, os.ErrNotExist)
		require.ErrorContains(t, err, "day is not prepared")
		for _, bad := range []Options{{Metrics: []string{"a", "a"}}, {Metrics: []string{"ch"}}, {Week: week}} {
			bad.Algorithm = a
			_, err = Open(name, bad)
			require.Error(t, err)
		}
	}
	both := Options{Metrics: []string{"rush", "night"}}
	require.NoError(t, Verify(t.Context(), name, both))
	require.ErrorIs(t, Verify(t.Context(), name, Options{Metrics: []string{"day"}}), os.ErrNotExist)
	file := name + ".night.mld"
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	data[len(data)-1] ^= 1
	require.NoError(t, os.WriteFile(file, data, 0o600))
	require.ErrorIs(t, Verify(t.Context(), name, both), ErrCorrupt)
	requireUnsound := func(file string) {
		t.Helper()
		for _, opt := range []Options{{}, {FS: os.DirFS(filepath.Dir(name))}} {
			asked := name
			if opt.FS != nil {
				asked = filepath.Base(name)
			}
			err := Verify(t.Context(), asked, opt)
			require.Error(t, err)
			require.ErrorContains(t, err, filepath.Base(file))
		}
	}
	requireUnsound(file)
	require.NoError(t, os.Remove(file))
	require.NoError(t, Verify(t.Context(), name, Options{}), "for other algorithms it is whole")
	require.NoError(t, os.Remove(name+".night.metric"))
	requireUnsound(name + ".night.metric")
	for _, suffix := range []string{".ch", ".cch", ".graph"} {
		require.NoError(t, os.WriteFile(name+".night"+suffix, nil, 0o600))
	}
	require.NoError(t, Verify(t.Context(), name, Options{}), "name.night is another data set")
	_, err = Rebuild(t.Context(), StepOptions{Input: name, Metric: "a b"})
	require.ErrorContains(t, err, "no name of a metric")
	_, err = Rebuild(t.Context(), StepOptions{Input: filepath.Join(t.TempDir(), "none")})
	require.ErrorIs(t, err, os.ErrNotExist)
}

// The default metric is rebuilt in place; what is not told any longer is gone.
func TestRebuild(t *testing.T) {
	name := prepared(t)
	duration := func(a Algorithm) float64 {
		e, err := Open(name, Options{Algorithm: a})
		require.NoError(t, err)
		defer func() { require.NoError(t, e.Close()) }()
		return (&town{e, t, loop}).duration("")
	}
	plain := duration(CH)
	csv := filepath.Join(filepath.Dir(name), "rush.csv")
	_, err := Rebuild(t.Context(), StepOptions{Input: name, Updates: Updates{SegmentSpeeds: []string{csv}}})
	require.NoError(t, err)
	for _, a := range []Algorithm{CH, MLD, CCH} {
		require.InDelta(t, 40, duration(a), 0.2)
	}
	_, err = Rebuild(t.Context(), StepOptions{Input: name, Algorithms: []Algorithm{MLD, CCH}})
	require.NoError(t, err)
	require.InDelta(t, 40, duration(CH), 0.2)
	require.InDelta(t, plain, duration(MLD), 1e-9)
	require.InDelta(t, plain, duration(CCH), 1e-9)

	// What is not there is made.
	for _, a := range []Algorithm{CH, MLD, CCH} {
		require.NoError(t, os.Remove(name+"."+a.String()))
	}
	_, err = Rebuild(t.Context(), StepOptions{Input: name, Algorithms: []Algorithm{CH, MLD, CCH}})
	require.NoError(t, err)
	for _, a := range []Algorithm{CH, MLD, CCH} {
		require.InDelta(t, plain, duration(a), 1e-9)
	}
}
