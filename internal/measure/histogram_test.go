package measure

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Quantiles are those of the sorted durations, to a thousandth.
func TestQuantilesOfRandomDurations(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var h, a, b Histogram
	var all []time.Duration
	for range 20_000 {
		d := time.Duration(math.Exp(rng.NormFloat64()*3 + 12))
		all = append(all, d)
		h.Record(d)
		if rng.IntN(2) == 0 {
			a.Record(d)
		} else {
			b.Record(d)
		}
	}
	a.Merge(&b)
	a.Merge(new(Histogram))
	a.sum = h.sum // in another order
	require.Equal(t, h, a)
	slices.Sort(all)
	for _, q := range []float64{0, 0.1, 0.5, 0.9, 0.99, 0.999, 0.99999, 1} {
		want := all[max(int(math.Ceil(q*float64(len(all))))-1, 0)]
		require.InEpsilon(t, want, h.Quantile(q), 0.001, q)
		require.GreaterOrEqual(t, h.Quantile(q), want)
	}
	require.Equal(t, all[0], h.Min())
	require.Equal(t, all[len(all)-1], h.Max())
	require.Equal(t, h.Max(), h.Quantile(1))
	require.Equal(t, uint64(2), h.Beyond(0.9999))
	sum := 0.0
	for _, d := range all {
		sum += float64(d)
	}
	require.InEpsilon(t, sum/float64(len(all)), h.Mean(), 1e-6)
}

func TestExtremes(t *testing.T) {
	var h Histogram
	require.Zero(t, h.Quantile(0.5))
	require.Zero(t, h.Mean())
	h.Record(-5)
	h.Record(math.MaxInt64)
	require.Zero(t, h.Quantile(0.5))
	require.Equal(t, time.Duration(math.MaxInt64), h.Max())
	h.Reset()
	require.Zero(t, h.Count())
}

func TestRecordAllocatesNothing(t *testing.T) {
	h := new(Histogram)
	require.Zero(t, testing.AllocsPerRun(100, func() { h.Record(12345) }))
}

func BenchmarkRecord(b *testing.B) {
	h := new(Histogram)
	d := time.Duration(1)
	for b.Loop() {
		h.Record(d)
		d = d*5/4 + 1
		if d > time.Second {
			d = 1
		}
	}
}
