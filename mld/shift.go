package mld

import (
	"math"

	"github.com/fourway-routing/fourway/graph"
)

// shift is what has been subtracted from the seeds of a set, so that none is
// negative.
type shift struct {
	weight   graph.Weight
	duration graph.Duration
	distance int64
	empty    bool // no seeds
}

// shiftOf returns the least values of the seeds that are not excluded.
func (s *Search) shiftOf(seeds []graph.Seed) (least shift, ok bool) {
	for i := range seeds {
		x := &seeds[i]
		if s.excludes(s.o.cells.id[x.Node]) {
			continue
		}
		if !ok {
			least, ok = shift{x.Weight, x.Duration, x.Distance, false}, true
			continue
		}
		least.weight = min(least.weight, x.Weight)
		least.duration = min(least.duration, x.Duration)
		least.distance = min(least.distance, x.Distance)
	}
	least.empty = !ok
	return least, ok
}

// seeded is a label less a shift.
type seeded struct {
	weight   int64
	duration graph.Duration
	distance graph.Distance
}

func (x *shift) less(seed *graph.Seed) seeded {
	return seeded{
		int64(seed.Weight) - int64(x.weight),
		graph.Duration(min(int64(seed.Duration)-int64(x.duration), maxDuration)),
		graph.Distance(min(seed.Distance-x.distance, math.MaxUint32)),
	}
}

// plus adds an edge.
func (x seeded) plus(weight uint32, k cost) seeded {
	return seeded{x.weight + int64(weight), addDurations(x.duration, k.Duration), addDistances(x.distance, k.Distance)}
}
