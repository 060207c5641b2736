package measure

import (
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// most is where durations end: those above count as this one.
const most = time.Hour

// Histogram counts durations to a thousandth, so that the rarest are as exact as the
// most frequent. Recording allocates nothing, but for the first. The zero value is
// empty and ready.
//
// A Histogram belongs to one goroutine at a time; Merge joins those of several.
type Histogram struct {
	h        *hdrhistogram.Histogram // nil if it is empty
	sum      float64                 // nanoseconds
	min, max time.Duration
}

// Record counts a duration; one below zero counts as zero.
func (h *Histogram) Record(d time.Duration) {
	if h.h == nil {
		h.h = hdrhistogram.New(1, int64(most), 3)
	}
	d = max(d, 0)
	_ = h.h.RecordValue(int64(min(d, most))) // never out of range
	if h.Count() == 1 || d < h.min {
		h.min = d
	}
	h.max = max(h.max, d)
	h.sum += float64(d)
}

// Merge adds what another Histogram counted.
func (h *Histogram) Merge(o *Histogram) {
	if o.Count() == 0 {
		return
	}
	if h.h == nil {
		h.h = hdrhistogram.New(1, int64(most), 3)
	}
	if h.Count() == 0 || o.min < h.min {
		h.min = o.min
	}
	h.h.Merge(o.h)
	h.max = max(h.max, o.max)
	h.sum += o.sum
}

// Reset empties the Histogram.
func (h *Histogram) Reset() {
	if h.h != nil {
		h.h.Reset()
	}
	h.sum, h.min, h.max = 0, 0, 0
}

// Count returns the number of durations.
func (h *Histogram) Count() uint64 {
	if h.h == nil {
		return 0
	}
	return uint64(h.h.TotalCount())
}

// Mean returns the mean duration, 0 of none.
func (h *Histogram) Mean() time.Duration {
	if h.Count() == 0 {
		return 0
	}
	return time.Duration(h.sum / float64(h.Count()))
}

// Min returns the shortest duration, 0 of none.
func (h *Histogram) Min() time.Duration { return h.min }

// Max returns the longest duration, 0 of none.
func (h *Histogram) Max() time.Duration { return h.max }

// Quantile returns the duration that the part q, 0…1, of all does not exceed, 0 of
// none. It is exact to a thousandth, and never above Max.
func (h *Histogram) Quantile(q float64) time.Duration {
	if h.Count() == 0 {
		return 0
	}
	return min(time.Duration(h.h.ValueAtPercentile(100*q)), h.max)
}

// Beyond returns the number of durations that a quantile rests on: those not
// below it.
func (h *Histogram) Beyond(q float64) uint64 {
	return h.Count() - min(uint64(math.Ceil(q*float64(h.Count()))), h.Count())
}
