package guidance

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// trim drops steps at the ends of the leg that are too short to follow, and
// pieces of line that are too short to tell a direction.
func (b *Builder) trim() Trimmed {
	var t Trimmed
	if len(b.leg.Line) <= 2 {
		return t
	}
	t.Front = b.trimFront()
	if len(b.leg.Line)-t.Front > 2 {
		t.Back = b.trimBack(t.Front)
	}
	return t
}

func (b *Builder) trimFront() int {
	first := &b.steps[0]
	line := b.leg.Line
	short := first.Distance <= closeToEnd && len(b.steps) > 2
	if !short && geo.Distance(line[0], line[1]) > closeToEnd {
		return 0
	}
	bearing := first.BearingAfter
	cut := 1
	if short {
		cut = b.steps[1].Begin
		next := &b.steps[1]
		next.Duration += first.Duration
		next.Weight += first.Weight
		next.Distance += first.Distance
		next.Waypoint, next.Instruction, next.BearingBefore = Depart, 0, 0
		x := b.front(next)
		b.keepOneRoad(x, x.Out)
		x.In, x.Out = NoRoad, 0
		b.steps = b.steps[:copy(b.steps, b.steps[1:])]
	} else {
		first.Begin = 1
	}
	for i := range b.steps {
		b.steps[i].Begin -= cut
		b.steps[i].End -= cut
	}
	line = line[cut:]
	if line[0] != line[1] {
		bearing = wholeDegrees(geo.Bearing(line[0], line[1]))
	}
	first = &b.steps[0]
	first.BearingAfter = bearing
	b.bearings[b.front(first).first] = int16(bearing)
	return cut
}

// keepOneRoad leaves one road of an intersection, at an end of the leg.
func (b *Builder) keepOneRoad(x *Intersection, road int) {
	b.bearings[x.first] = int16(b.bearingOf(x, road))
	x.count, x.entry, x.Lanes = 1, 1, graph.LaneUse{}
}

func (b *Builder) trimBack(front int) int {
	line := b.leg.Line[front:]
	n := len(b.steps)
	last, previous := &b.steps[n-1], &b.steps[n-2]
	if previous.Distance <= closeToEnd && n > 2 {
		previous.Waypoint, previous.Instruction, previous.BearingAfter = Arrive, 0, 0
		previous.End = previous.Begin + 1
		previous.end = previous.first + 1
		x := b.front(previous)
		b.keepOneRoad(x, x.In)
		x.In, x.Out = 0, NoRoad
		b.steps = b.steps[:n-1]
		before := &b.steps[n-3]
		previous.Signs, previous.Mode = before.Signs, before.Mode
		return len(line) - previous.End
	}
	if geo.Distance(line[len(line)-2], line[len(line)-1]) > closeToEnd {
		return 0
	}
	previous.End--
	last.Begin--
	last.End--
	last.BearingBefore = wholeDegrees(geo.Bearing(line[previous.End-2], line[last.Begin]))
	b.bearings[b.front(last).first] = int16(geo.ReverseBearing(float64(last.BearingBefore)))
	return 1
}
