package matcheval

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/routing"
)

// city returns an engine for a drawn city.
func city(t *testing.T) *routing.Engine {
	var extract bytes.Buffer
	require.NoError(t, testmap.City(&extract, 20_000, 7))
	name := filepath.Join(t.TempDir(), "city")
	_, err := routing.Build(t.Context(), routing.BuildOptions{
		Input: "city.osm.pbf", Reader: &extract, Output: name, Algorithms: []routing.Algorithm{routing.CH},
	})
	require.NoError(t, err)
	e, err := routing.Open(name, routing.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { e.Close() })
	return e
}

func TestSimulate(t *testing.T) {
	e := city(t)
	exact := Simulation{Seed: 3, Traces: 8, Interval: 5 * time.Second}
	traces, err := Simulate(t.Context(), e, exact)
	require.NoError(t, err)
	require.Len(t, traces, 8)
	again, err := Simulate(t.Context(), e, exact)
	require.NoError(t, err)
	require.Equal(t, traces, again)
	noisy := exact
	noisy.Noise = 10
	moved, err := Simulate(t.Context(), e, noisy)
	require.NoError(t, err)
	for i := range traces {
		require.Equal(t, traces[i].Way, moved[i].Way, "drives do not depend on noise")
		require.Greater(t, traces[i].Way.length(), float64(leastHop)/2)
	}

	// What is seen without noise is matched nearly as it was driven.
	s, err := Evaluate(t.Context(), e, traces, nil)
	require.NoError(t, err)
	require.Equal(t, 8, s.Traces)
	require.Zero(t, s.Failed)
	require.Less(t, s.Mismatch(), 0.03)
	require.InDelta(t, 1, s.LengthRatio(), 0.03)
	require.Greater(t, s.PointAccuracy(), 0.97)

	// With noise, the options are worth it: half the mismatch at 30 s, far less at 5 s.
	robust := func(_ *Trace, r *routing.MatchRequest) { r.Model = routing.RobustModel() }
	for seconds, share := range map[int]float64{5: 0.3, 30: 0.5} {
		noisy.Interval, noisy.Seed = time.Duration(seconds)*time.Second, 17
		traces, err := Simulate(t.Context(), e, noisy)
		require.NoError(t, err)
		plain, err := Evaluate(t.Context(), e, traces, nil)
		require.NoError(t, err)
		better, err := Evaluate(t.Context(), e, traces, robust)
		require.NoError(t, err)
		require.LessOrEqual(t, better.Mismatch(), share*plain.Mismatch(), "%d s", seconds)
		require.Greater(t, better.PointAccuracy(), plain.PointAccuracy())
	}

	done, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Simulate(done, e, exact)
	require.ErrorIs(t, err, context.Canceled)
	_, err = Evaluate(done, e, traces, nil)
	require.ErrorIs(t, err, context.Canceled)
	for _, bad := range []Simulation{{Traces: 1}, {Traces: -1, Interval: time.Second}, {Noise: math.NaN(), Interval: time.Second}} {
		_, err = Simulate(t.Context(), e, bad)
		require.Error(t, err)
	}
}

// TestObserve holds what is seen of a drive on a straight road to its settings.
func TestObserve(t *testing.T) {
	const seconds = 200_000
	d := drive{line: []geo.Coord{{}, {Lon: 20 * geo.Precision}}, times: []float64{0, seconds}}
	offsets := func(s Simulation) (all []float64, points []orb.Point, times []int64) {
		tr := d.observe(rand.New(rand.NewPCG(1, 2)), &s)
		require.Len(t, tr.Times, len(tr.Points))
		for _, p := range tr.Points {
			all = append(all, p[1]*111_195)
		}
		return all, tr.Points, tr.Times
	}
	deviation := func(x []float64) float64 {
		sum := 0.0
		for _, v := range x {
			sum += v * v
		}
		return math.Sqrt(sum / float64(len(x)))
	}
	correlation := func(x []float64) float64 {
		sum := 0.0
		for i := 1; i < len(x); i++ {
			sum += x[i-1] * x[i]
		}
		return sum / float64(len(x)-1) / math.Pow(deviation(x), 2)
	}
	s := Simulation{Noise: 20, Interval: 10 * time.Second}
	free, points, times := offsets(s)
	require.Len(t, points, seconds/10+1)
	require.Equal(t, int64(30), times[3])
	require.InDelta(t, 20, deviation(free), 0.5)
	require.InDelta(t, 0, correlation(free), 0.03)
	var along []float64
	for i, p := range points {
		along = append(along, (p[0]-20*float64(i)*10/seconds)*111_195)
	}
	require.InDelta(t, 20, deviation(along), 0.5)

	s.Correlation = 10 * time.Second
	bound, _, _ := offsets(s)
	require.InDelta(t, 20, deviation(bound), 1)
	require.InDelta(t, 1/math.E, correlation(bound), 0.03)

	far := 0
	out, _, _ := offsets(Simulation{Interval: 10 * time.Second, Outliers: 0.1})
	for _, v := range out {
		if v != 0 {
			far++
		}
	}
	require.InDelta(t, 0.1, float64(far)/float64(len(out)), 0.01)

	_, points, times = offsets(Simulation{Interval: 10 * time.Second, Gaps: 0.05})
	require.InDelta(t, 0.83, float64(len(points))/(seconds/10), 0.03, "4 points each, some of them in one gap")
	longest := int64(0)
	for i := 1; i < len(times); i++ {
		longest = max(longest, times[i]-times[i-1])
	}
	require.GreaterOrEqual(t, longest, int64(60))
}
