package guidance

import (
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// Run is the way along one arm, or along a part of it at an end of the leg.
type Run struct {
	Arm      graph.ArmID
	Node     graph.NodeID // original search node of Arm
	Edge     graph.EdgeID // the turn at its end, InvalidEdge for the last run
	Place    int32        // of its end in the line
	Segments int32        // that it takes, part of one counts as one
	Duration graph.Duration
	Weight   graph.Weight // both with the turn's
}

// Leg is the path between two waypoints.
type Leg struct {
	Runs []Run // at least one
	// Line has the places from the start on, without those that lie where the
	// place before does.
	Line []geo.Coord
	// DepartBearing and ArriveBearing are those of the segments at the ends,
	// in driving direction, in degrees.
	DepartBearing, ArriveBearing float64
	// From and To are the places that were asked for.
	From, To geo.Coord
}

// Trimmed is how many places of a leg's line to leave out at its ends.
type Trimmed struct{ Front, Back int }

// Steps returns the steps of a leg, the first one departing and the last one
// arriving. Their places are those of the line without what is trimmed.
func (b *Builder) Steps(leg *Leg) ([]Step, Trimmed) {
	b.leg = leg
	b.assemble()
	b.override()
	b.collapseSegregated()
	trimmed := b.trim()
	b.joinRoundabouts()
	b.collapse()
	b.anticipateLanes()
	b.joinSilent()
	b.reduceVerbosity()
	line := leg.Line[trimmed.Front : len(leg.Line)-trimmed.Back]
	b.placeWaypoints(line)
	return b.steps, trimmed
}

// closeToEnd is the distance in meters below which the line does not tell a
// direction at its ends, and below which steps there are not worth one.
const closeToEnd = 1

// wholeDegrees rounds a bearing.
func wholeDegrees(bearing float64) int { return int(math.Round(bearing)) }

// crossing is what the map tells of the place between two runs.
type crossing struct {
	instruction graph.Instruction // at the end of the run
	segregated  bool              // the run
	entries     uint16            // at the end of the run
	before      int16             // bearing there, back along the run
	after       int16             // bearing at the beginning of the run
	road        graph.RoadID      // of the run
	junction    graph.JunctionID  // at the beginning of the run
	classes     graph.ClassMask   // of the road
	mode        graph.Mode
	leftHand    bool
}

// survey reads what the map tells of the leg. Loads that do not depend on one
// another stand in loops that do nothing else, so that memory is waited for but
// once: together with the rest of assemble they took twice the time.
func (b *Builder) survey() {
	n, g, runs := b.net, &b.net.Guidance, b.leg.Runs
	b.crossings = slices.Grow(b.crossings[:0], len(runs))[:len(runs)]
	for i := range runs {
		r := &runs[i]
		b.crossings[i] = crossing{
			instruction: g.Instruction(r.Edge), road: n.ArmRoad[r.Arm], junction: n.ArmJunction[r.Arm],
		}
	}
	for i := range runs {
		c := &b.crossings[i]
		road := &n.Roads[c.road]
		c.classes, c.mode, c.leftHand = road.Classes, road.Mode, road.Flags&graph.RoadLeftHand != 0
	}
	for i := range runs {
		b.crossings[i].after = int16(n.BearingAfter(b.crossings[i].junction, runs[i].Arm))
	}
	if !g.Present() {
		return
	}
	for i := range runs {
		if node := runs[i].Node; node != graph.InvalidNode {
			c := &b.crossings[i]
			c.segregated = g.Segregated.Get(uint32(node))
			c.entries = g.Entries[node]
			c.before = int16(g.BearingBefore(node))
		}
	}
}

// assemble makes a step for each turn of the leg.
func (b *Builder) assemble() {
	leg := b.leg
	b.steps, b.intersections, b.bearings = b.steps[:0], b.intersections[:0], b.bearings[:0]
	b.survey()
	line := leg.Line
	after := leg.DepartBearing
	if geo.Distance(line[0], line[1]) > closeToEnd {
		after = geo.Bearing(line[0], line[1])
	}
	s := b.waypoint(0, line[0], wholeDegrees(after))
	s.Waypoint, s.BearingAfter = Depart, wholeDegrees(after)
	b.intersections[s.first].Out = 0

	last := len(leg.Runs) - 1
	for i := range leg.Runs {
		r, c := &leg.Runs[i], &b.crossings[i]
		s.Duration += r.Duration
		s.Weight += r.Weight
		if i < last && c.instruction.Type() == graph.TurnNone {
			continue
		}
		s.arm = r.Arm
		if i == last && i > 0 && r.Segments == 1 {
			s.arm = leg.Runs[i-1].Arm // what ends within a segment is on the road of the turn before
		}
		s.Mode, s.LeftHand, s.End = c.mode, c.leftHand, int(r.Place)+1
		s.Distance = geo.Length(line[s.Begin:s.End])
		b.intersections[s.first].Classes = c.classes
		if i < last {
			s = b.turn(i)
		}
	}
	end := line[len(line)-1]
	before := leg.ArriveBearing
	if previous := line[len(line)-2]; geo.Distance(end, previous) > closeToEnd {
		before = geo.Bearing(previous, end)
	}
	s = b.waypoint(last, end, int(geo.ReverseBearing(float64(wholeDegrees(before)))))
	s.Waypoint, s.BearingBefore = Arrive, wholeDegrees(before)
	b.intersections[s.first].In = 0
	s.Mode, s.LeftHand = b.crossings[last].mode, b.crossings[last].leftHand
	s.Begin, s.End, s.arm = len(line)-1, len(line), leg.Runs[last].Arm
}

// waypoint begins a step at an end of the leg, where there is one road.
func (b *Builder) waypoint(run int, at geo.Coord, bearing int) *Step {
	s := b.begin(run, at)
	x := &b.intersections[s.first]
	x.entry, x.count = 1, 1
	b.bearings = append(b.bearings, int16(bearing))
	return s
}

// begin begins a step onto a run. It is the last of b.steps, where it stays until
// the next one begins.
func (b *Builder) begin(run int, at geo.Coord) *Step {
	c := &b.crossings[run]
	b.steps = append(b.steps, Step{})
	s := &b.steps[len(b.steps)-1]
	s.Signs = SignsOf(&b.net.Roads[c.road])
	s.Location = at
	s.first, s.end = len(b.intersections), len(b.intersections)+1
	s.segregated = c.segregated
	b.intersections = append(b.intersections, Intersection{
		Location: at, In: NoRoad, Out: NoRoad, first: len(b.bearings),
	})
	return s
}

// turn begins a step with the turn at the end of a run.
func (b *Builder) turn(run int) *Step {
	n := b.net
	r, c := &b.leg.Runs[run], &b.crossings[run]
	s := b.begin(run+1, b.leg.Line[r.Place])
	s.Instruction = c.instruction
	s.Begin = int(r.Place)
	before, after := int(c.before), int(b.crossings[run+1].after)
	s.BearingBefore, s.BearingAfter = int(geo.ReverseBearing(float64(before))), after

	x := &b.intersections[s.first]
	b.bearings = n.ShownBearings(b.bearings, b.crossings[run+1].junction)
	x.count = len(b.bearings) - x.first
	bearings := b.bearings[x.first:]
	x.In, x.Out = graph.ClosestBearing(bearings, before), graph.ClosestBearing(bearings, after)
	x.entry = n.Guidance.EntrySets[c.entries]
	x.Lanes = n.Guidance.LaneUse(r.Edge)
	return s
}
