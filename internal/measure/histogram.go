package measure

import (
	"math"
	"math/bits"
	"time"
)

// Buckets double in width with each power of two, so that each is about a
// thousandth of what it counts.
const (
	digits = 10 // bits of a bucket's number within a power of two
	// most is where durations end: those above, of more than an hour, count as
	// this one.
	most    = 1<<42 - 1
	buckets = (42-digits)<<digits + 1<<digits
)

// Histogram counts durations in buckets whose width is at most a thousandth of
// the duration, like the HDR histogram of Gil Tene, so that the rarest are as
// exact as the most frequent. It takes a quarter of a megabyte and recording
// allocates nothing. The zero value is empty and ready.
//
// A Histogram belongs to one goroutine at a time; Merge joins those of several.
type Histogram struct {
	counts   [buckets]uint64
	count    uint64
	sum      float64 // nanoseconds
	min, max time.Duration
}

// bucket returns the number of a duration's bucket.
func bucket(v uint64) int {
	shift := max(bits.Len64(v)-digits-1, 0)
	return shift<<digits + int(v>>shift)
}

// last returns the longest duration in a bucket.
func last(bucket int) time.Duration {
	shift := max(bucket>>digits-1, 0)
	return time.Duration((uint64(bucket-shift<<digits)+1)<<shift - 1)
}

// Record counts a duration; one below zero counts as zero.
func (h *Histogram) Record(d time.Duration) {
	d = max(d, 0)
	h.counts[bucket(min(uint64(d), most))]++
	if h.count == 0 || d < h.min {
		h.min = d
	}
	h.max = max(h.max, d)
	h.count++
	h.sum += float64(d)
}

// Merge adds what another Histogram counted.
func (h *Histogram) Merge(o *Histogram) {
	if o.count == 0 {
		return
	}
	for i, n := range o.counts {
		h.counts[i] += n
	}
	if h.count == 0 || o.min < h.min {
		h.min = o.min
	}
	h.max = max(h.max, o.max)
	h.count += o.count
	h.sum += o.sum
}

// Reset empties the Histogram.
func (h *Histogram) Reset() { *h = Histogram{} }

// Count returns the number of durations.
func (h *Histogram) Count() uint64 { return h.count }

// Mean returns the mean duration, 0 of none.
func (h *Histogram) Mean() time.Duration {
	if h.count == 0 {
		return 0
	}
	return time.Duration(h.sum / float64(h.count))
}

// Min returns the shortest duration, 0 of none.
func (h *Histogram) Min() time.Duration { return h.min }

// Max returns the longest duration, 0 of none.
func (h *Histogram) Max() time.Duration { return h.max }

// Quantile returns the duration that the part q, 0…1, of all does not exceed, 0 of
// none. It is exact to a thousandth, and never above Max.
func (h *Histogram) Quantile(q float64) time.Duration {
	wanted := uint64(math.Ceil(q * float64(h.count)))
	wanted = max(min(wanted, h.count), 1)
	seen := uint64(0)
	for i, n := range h.counts {
		if seen += n; seen >= wanted {
			return min(last(i), h.max)
		}
	}
	return h.max
}

// Beyond returns the number of durations that a quantile rests on: those not
// below it.
func (h *Histogram) Beyond(q float64) uint64 {
	return h.count - min(uint64(math.Ceil(q*float64(h.count))), h.count)
}
