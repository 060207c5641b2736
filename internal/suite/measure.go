package suite

import (
	"context"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/fourway-routing/fourway/internal/measure"
)

// Measurement is what a case took. Times are nanoseconds.
type Measurement struct {
	Name   string `json:"name"`
	Memory string `json:"pool,omitempty"` // kind, where it matters
	Count  uint64 `json:"count"`          // operations

	OpsPerSecond float64 `json:"ops_per_second"`
	Mean         float64 `json:"mean_ns"`
	// Spread is half of the difference between the largest and the smallest
	// mean of a round.
	Spread float64 `json:"spread_ns"`
	// Rounds are the means of the rounds.
	Rounds []float64 `json:"round_means_ns"`

	Min  float64 `json:"min_ns"`
	P50  float64 `json:"p50_ns"`
	P99  float64 `json:"p99_ns"`
	P999 float64 `json:"p999_ns"`
	Max  float64 `json:"max_ns"`
	// CPU is what an operation took of all processors, that of the collector and,
	// over HTTP, of the client included.
	CPU float64 `json:"cpu_ns_per_op"`

	// By operation: allocations, and what the collector cost.
	Bytes       float64 `json:"bytes_per_op"`
	Allocations float64 `json:"allocs_per_op"`
	Collections float64 `json:"gc_per_1000_ops"`
	GCCPU       float64 `json:"gc_cpu_ns_per_op"`
	GCPause     float64 `json:"gc_pause_ns_per_op"`
}

// tally adds up the rounds of a case.
type tally struct {
	times measure.Histogram
	means []float64
	cost  measure.Collector
	cpu   time.Duration
}

// Measure measures cases side by side: each gets so many rounds of the given time,
// and the rounds of all alternate, so that whatever else the machine does touches
// all alike. Each round starts the case anew, and so verifies it. An operation that
// fails ends the measurement.
func Measure(ctx context.Context, cases []Case, rounds int, round time.Duration) ([]Measurement, error) {
	tallies := make([]tally, len(cases))
	for range rounds {
		for i := range cases {
			if err := tallies[i].run(ctx, &cases[i], round); err != nil {
				return nil, err
			}
		}
	}
	all := make([]Measurement, len(cases))
	for i := range cases {
		all[i] = tallies[i].sum(&cases[i])
	}
	return all, nil
}

// run runs one round, one operation at least.
func (t *tally) run(ctx context.Context, c *Case, round time.Duration) (err error) {
	r, err := c.Start(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if closing := r.Close(); err == nil {
			err = closing
		}
	}()
	runtime.GC() // what the start left behind is not the case's
	meter := measure.NewCollectorMeter()
	cpu, start := measure.CPU(), time.Now()
	n, last := 0, start
	for last.Sub(start) < round || n == 0 {
		if err := r.Do(); err != nil {
			return err
		}
		now := time.Now()
		t.times.Record(now.Sub(last))
		last = now
		n++
	}
	t.cpu += measure.CPU() - cpu
	cost := meter.Stop()
	t.means = append(t.means, float64(last.Sub(start))/float64(n))
	t.cost.Bytes += cost.Bytes
	t.cost.Objects += cost.Objects
	t.cost.Cycles += cost.Cycles
	t.cost.CPU += cost.CPU
	t.cost.Pause += cost.Pause
	return ctx.Err()
}

func (t *tally) sum(c *Case) Measurement {
	n := float64(t.times.Count())
	m := Measurement{
		Name: c.Name, Count: t.times.Count(),
		OpsPerSecond: float64(time.Second) / math.Max(float64(t.times.Mean()), 1),
		Mean:         float64(t.times.Mean()), Spread: (slices.Max(t.means) - slices.Min(t.means)) / 2, Rounds: t.means,
		Min: float64(t.times.Min()), P50: float64(t.times.Quantile(0.5)), P99: float64(t.times.Quantile(0.99)),
		P999: float64(t.times.Quantile(0.999)), Max: float64(t.times.Max()), CPU: float64(t.cpu) / n,
		Bytes: float64(t.cost.Bytes) / n, Allocations: float64(t.cost.Objects) / n,
		Collections: float64(t.cost.Cycles) / n * 1000,
		GCCPU:       float64(t.cost.CPU) / n, GCPause: float64(t.cost.Pause) / n,
	}
	if c.Pooled {
		m.Memory = c.Memory.String()
	}
	return m
}
