package replay

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/fourway-routing/fourway/internal/measure"
)

// quantiles are the columns of the table of response times.
var quantiles = [...]float64{0.5, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9999, 0.99999}

// Times are response times, for JSON in seconds.
type Times struct {
	Service   string             `json:"service"`
	Requests  uint64             `json:"requests"`
	Mean      float64            `json:"mean"`
	Max       float64            `json:"max"`
	Quantiles map[string]float64 `json:"quantiles"` // by percent, like 99.9
	h         *measure.Histogram
}

// Report is a Result as it is printed.
type Report struct {
	Workers    int            `json:"workers"`
	Seconds    float64        `json:"seconds"`
	Requests   int            `json:"requests"`
	Answered   int            `json:"answered"`
	Unanswered int            `json:"unanswered"` // places without a route
	Failed     int            `json:"failed"`
	Failures   map[string]int `json:"failures,omitempty"` // by cause
	Throughput float64        `json:"requests_per_second"`
	Bytes      int64          `json:"bytes"`
	Times      []Times        `json:"times"` // of all, then by service
	// Collections, and the seconds that they took of all processors, and that
	// the program stood still for them; of client and server where they are one
	// process.
	Collections  uint64  `json:"gc_cycles"`
	CollectorCPU float64 `json:"gc_cpu_seconds"`
	Paused       float64 `json:"gc_pause_seconds"`
}

// Report sums the result up.
func (r *Result) Report(workers int) *Report {
	report := &Report{
		Workers: workers, Seconds: r.Took.Seconds(), Requests: r.Requests,
		Answered: r.Answered, Unanswered: r.Unanswered, Failed: r.Failed, Failures: r.Failures,
		Throughput: float64(r.Requests) / max(r.Took.Seconds(), 1e-9), Bytes: r.Bytes,
		Times:       []Times{timesOf("all", r.All)},
		Collections: r.Collector.Cycles, CollectorCPU: r.Collector.CPU.Seconds(), Paused: r.Collector.Pause.Seconds(),
	}
	for _, name := range services {
		if h := r.Services[name]; h != nil {
			report.Times = append(report.Times, timesOf(name, h))
		}
	}
	return report
}

func timesOf(service string, h *measure.Histogram) Times {
	t := Times{
		Service: service, Requests: h.Count(), Mean: h.Mean().Seconds(), Max: h.Max().Seconds(),
		Quantiles: map[string]float64{}, h: h,
	}
	for _, q := range quantiles {
		t.Quantiles[percent(q)] = h.Quantile(q).Seconds()
	}
	return t
}

func percent(q float64) string { return fmt.Sprintf("%.5g", 100*q) }

// WriteText writes the report as tables.
func (r *Report) WriteText(w io.Writer) error {
	p := printer{w: w}
	p.f("%d requests, %d workers, %.1f s: %.1f requests/s, %.1f MB\n", r.Requests, r.Workers, r.Seconds, r.Throughput, float64(r.Bytes)/1e6)
	p.f("%d answered, %d without a route, %d failed\n", r.Answered, r.Unanswered, r.Failed)
	for _, cause := range slices.Sorted(maps.Keys(r.Failures)) {
		p.f("failed: %d times %s\n", r.Failures[cause], cause)
	}
	p.f("\n%-8s %9s %8s", "time", "requests", "mean")
	for _, q := range quantiles {
		p.f(" %8s", percent(q)+"%")
	}
	p.f(" %8s\n", "most")
	for i := range r.Times {
		t := &r.Times[i]
		p.f("%-8s %9d %8s", t.Service, t.Requests, Brief(t.h.Mean()))
		for _, q := range quantiles {
			p.f(" %8s", Brief(t.h.Quantile(q)))
		}
		p.f(" %8s\n", Brief(t.h.Max()))
	}
	last := quantiles[len(quantiles)-1]
	p.f("The last percentile of all rests on %d requests.\n", r.Times[0].h.Beyond(last))
	p.f("\n%d collections took %.3f s of all processors, and stopped the program for %.4f s.\n", r.Collections, r.CollectorCPU, r.Paused)
	return p.err
}

// Brief writes a duration with three digits.
func Brief(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%.3gµs", float64(d)/1e3)
	case d < time.Second:
		return fmt.Sprintf("%.3gms", float64(d)/1e6)
	}
	return fmt.Sprintf("%.3gs", d.Seconds())
}

// printer keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) f(format string, args ...any) {
	if _, err := fmt.Fprintf(p.w, format, args...); err != nil && p.err == nil {
		p.err = err
	}
}
