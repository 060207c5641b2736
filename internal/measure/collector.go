package measure

import (
	"runtime/metrics"
	"time"
)

// Collector is what memory and the garbage collector cost in a stretch of time.
type Collector struct {
	Cycles         uint64        // collections
	CPU            time.Duration // that they took of all processors
	Pause          time.Duration // that the program stood still
	Bytes, Objects uint64        // allocated
}

// CollectorMeter measures a stretch of time of the whole process.
type CollectorMeter struct {
	samples []metrics.Sample
	start   Collector
}

// NewCollectorMeter returns a meter that has started.
func NewCollectorMeter() *CollectorMeter {
	m := &CollectorMeter{samples: []metrics.Sample{
		{Name: "/gc/cycles/total:gc-cycles"},
		{Name: "/cpu/classes/gc/total:cpu-seconds"},
		{Name: "/sched/pauses/total/gc:seconds"},
		{Name: "/gc/heap/allocs:bytes"},
		{Name: "/gc/heap/allocs:objects"},
	}}
	m.Start()
	return m
}

// Start begins the stretch anew.
func (m *CollectorMeter) Start() { m.start = m.read() }

// Stop returns what the stretch cost so far. The time that collections take is
// known when they are over; pauses are known to a tenth.
func (m *CollectorMeter) Stop() Collector {
	c := m.read()
	return Collector{
		c.Cycles - m.start.Cycles, c.CPU - m.start.CPU, c.Pause - m.start.Pause,
		c.Bytes - m.start.Bytes, c.Objects - m.start.Objects,
	}
}

func (m *CollectorMeter) read() Collector {
	metrics.Read(m.samples)
	return Collector{
		Cycles:  m.samples[0].Value.Uint64(),
		CPU:     time.Duration(m.samples[1].Value.Float64() * float64(time.Second)),
		Pause:   total(m.samples[2].Value.Float64Histogram()),
		Bytes:   m.samples[3].Value.Uint64(),
		Objects: m.samples[4].Value.Uint64(),
	}
}

// total returns the sum of a histogram of seconds, each taken for the middle of
// its bucket, or for the edge that is not at infinity.
func total(h *metrics.Float64Histogram) time.Duration {
	sum := 0.0
	for i, n := range h.Counts {
		if n > 0 {
			// The outermost edges may be infinite.
			low, high := h.Buckets[i], h.Buckets[i+1]
			if i == 0 {
				low = high
			}
			if i == len(h.Counts)-1 {
				high = low
			}
			sum += float64(n) * (low + high) / 2
		}
	}
	return time.Duration(sum * float64(time.Second))
}

// Live returns the bytes of live objects on the Go heap that the last collection
// found.
func Live() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
