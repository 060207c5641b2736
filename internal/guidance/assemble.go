package guidance

import (
	"math"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// Hop is the way along one segment of road.
type Hop struct {
	Arm      graph.ArmID
	Edge     graph.EdgeID // the turn at its end, or InvalidEdge
	Location geo.Coord    // of its end
	Duration graph.Duration
	Weight   graph.Weight // both with the turn's
	Hidden   bool         // its end is not in the line
}

// Leg is the path between two waypoints.
type Leg struct {
	Hops []Hop // at least one
	// Line has the start and the ends of hops that are not hidden.
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

// assemble makes a step for each turn of the leg.
func (b *Builder) assemble() {
	n, leg := b.net, b.leg
	b.steps, b.intersections, b.bearings = b.steps[:0], b.intersections[:0], b.bearings[:0]
	road := func(arm graph.ArmID) *graph.Road { return &n.Roads[n.ArmRoad[arm]] }

	after := leg.DepartBearing
	if geo.Distance(leg.Line[0], leg.Line[1]) > closeToEnd {
		after = geo.Bearing(leg.Line[0], leg.Line[1])
	}
	s := b.waypoint(leg.Hops[0].Arm, leg.Line[0], wholeDegrees(after))
	s.Waypoint, s.BearingAfter = Depart, wholeDegrees(after)
	b.intersections[s.first].Out = 0

	at := 0 // place of the line
	location := leg.Line[0]
	last := len(leg.Hops) - 1
	for i := range leg.Hops {
		h := &leg.Hops[i]
		s.Duration += h.Duration
		s.Weight += h.Weight
		s.Distance += geo.Distance(location, h.Location)
		location = h.Location
		if !h.Hidden {
			at++
		}
		instruction := n.Guidance.Instruction(h.Edge)
		if i < last && instruction.Type() == graph.TurnNone {
			continue
		}
		r := road(h.Arm)
		// What ends within a hop is on the road of the turn before.
		s.arm = leg.Hops[min(i, max(last-1, 0))].Arm
		s.Mode, s.LeftHand, s.End = r.Mode, r.Flags&graph.RoadLeftHand != 0, at+1
		b.intersections[s.first].Classes = r.Classes
		b.steps = append(b.steps, s)
		if i < last {
			s = b.turn(n.ArmNode[h.Arm], h, leg.Hops[i+1].Arm, at)
		}
	}
	end := leg.Line[len(leg.Line)-1]
	before := leg.ArriveBearing
	if previous := leg.Line[len(leg.Line)-2]; geo.Distance(end, previous) > closeToEnd {
		before = geo.Bearing(previous, end)
	}
	arm := leg.Hops[last].Arm
	s = b.waypoint(arm, end, int(geo.ReverseBearing(float64(wholeDegrees(before)))))
	s.Waypoint, s.BearingBefore = Arrive, wholeDegrees(before)
	b.intersections[s.first].In = 0
	r := road(arm)
	s.Mode, s.LeftHand = r.Mode, r.Flags&graph.RoadLeftHand != 0
	s.Begin, s.End, s.arm = len(leg.Line)-1, len(leg.Line), arm
	b.steps = append(b.steps, s)
}

// waypoint begins a step at an end of the leg, where there is one road.
func (b *Builder) waypoint(arm graph.ArmID, at geo.Coord, bearing int) Step {
	s := b.begin(arm, at)
	x := &b.intersections[s.first]
	x.entry, x.count = 1, 1
	b.bearings = append(b.bearings, int16(bearing))
	return s
}

// begin begins a step onto an arm.
func (b *Builder) begin(arm graph.ArmID, at geo.Coord) Step {
	n := b.net
	node := n.ArmNode[arm]
	s := Step{
		Signs:      SignsOf(&n.Roads[n.ArmRoad[arm]]),
		Location:   at,
		first:      len(b.intersections),
		end:        len(b.intersections) + 1,
		segregated: n.Guidance.Present() && node != graph.InvalidNode && n.Guidance.Segregated.Get(uint32(node)),
	}
	b.intersections = append(b.intersections, Intersection{
		Location: at, In: NoRoad, Out: NoRoad, first: len(b.bearings),
	})
	return s
}

// turn begins a step with the turn at the end of a hop, onto an arm. Place is
// that of the turn in the line.
func (b *Builder) turn(node graph.NodeID, h *Hop, onto graph.ArmID, place int) Step {
	n := b.net
	s := b.begin(onto, h.Location)
	s.Instruction = n.Guidance.Instruction(h.Edge)
	s.Begin = place
	before, after := n.TurnBearings(node, h.Edge)
	s.BearingBefore, s.BearingAfter = int(geo.ReverseBearing(float64(before))), after

	x := &b.intersections[s.first]
	b.bearings = n.ShownBearings(b.bearings, n.ArmJunction[onto])
	x.count = len(b.bearings) - x.first
	bearings := b.bearings[x.first:]
	x.In, x.Out = graph.ClosestBearing(bearings, before), graph.ClosestBearing(bearings, after)
	x.entry = n.Guidance.EntrySets[n.Guidance.Entries[node]]
	x.Lanes = n.Guidance.LaneUse(h.Edge)
	return s
}
