package guidance

import (
	"math/bits"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// Signs are the texts by which one knows a road.
type Signs struct {
	Name, Ref, Pronunciation, Destinations, Exits graph.StringID
}

// SignsOf returns the texts of a road.
func SignsOf(r *graph.Road) Signs {
	return Signs{r.Name, r.Ref, r.Pronunciation, r.Destinations, r.Exits}
}

// Waypoint tells the ends of a leg from maneuvers.
type Waypoint uint8

// The kinds of steps.
const (
	NoWaypoint Waypoint = iota
	Depart
	Arrive
)

// Step is a maneuver and the way to the next one.
type Step struct {
	Signs
	RotaryName, RotaryPronunciation graph.StringID

	Duration graph.Duration
	Weight   graph.Weight
	Distance float64 // meters, not rounded
	Mode     graph.Mode
	LeftHand bool

	Waypoint      Waypoint
	Instruction   graph.Instruction
	Location      geo.Coord
	BearingBefore int // degrees, 0 … 360
	BearingAfter  int
	Exit          int // of a roundabout, 0 if none

	// Begin and End bound the step's places in the line of the leg.
	Begin, End int

	arm                         graph.ArmID // at the step's end
	first, end                  int         // intersections
	segregated                  bool
	straightLeft, straightRight bool // what the lanes ahead are for
}

// NoRoad is In or Out of an intersection where there is no such road.
const NoRoad = -1

// Intersection is a place where the step's road meets others.
type Intersection struct {
	Location geo.Coord
	Classes  graph.ClassMask
	Lanes    graph.LaneUse
	In, Out  int // indices of bearings, or NoRoad

	entry        uint32
	first, count int // bearings
}

// Entry says whether one may enter road i.
func (x *Intersection) Entry(i int) bool { return i < 32 && x.entry>>i&1 != 0 }

// allowed is the number of roads that one may enter.
func (x *Intersection) allowed() int {
	if x.count >= 32 {
		return bits.OnesCount32(x.entry)
	}
	return bits.OnesCount32(x.entry & (1<<x.count - 1))
}

// Builder makes steps.
type Builder struct {
	net           *graph.Network
	leg           *Leg
	steps         []Step
	intersections []Intersection
	bearings      []int16
	crossings     []crossing
}

// NewBuilder returns a builder for a network.
func NewBuilder(n *graph.Network) *Builder { return &Builder{net: n} }

// Intersections returns those of a step, at least one.
func (b *Builder) Intersections(s *Step) []Intersection { return b.intersections[s.first:s.end] }

// Bearings returns the bearings of the roads of an intersection, clockwise from
// north in degrees, 0 … 360.
func (b *Builder) Bearings(x *Intersection) []int16 { return b.bearings[x.first : x.first+x.count] }

func (s *Step) kind() graph.TurnType { return s.Instruction.Type() }

func (s *Step) modifier() graph.Modifier { return s.Instruction.Modifier() }

func (s *Step) is(t graph.TurnType) bool { return s.kind() == t }

func (s *Step) toward(m graph.Modifier) bool { return s.modifier() == m }

func (s *Step) setType(t graph.TurnType) { s.Instruction = s.Instruction.With(t) }

func (s *Step) setModifier(m graph.Modifier) { s.Instruction = s.Instruction.Toward(m) }

// front returns the intersection at which the step begins.
func (b *Builder) front(s *Step) *Intersection { return &b.intersections[s.first] }

// numIntersections counts the one at the beginning too.
func (s *Step) numIntersections() int { return s.end - s.first }

// elongate adds the way of the step that follows.
func (s *Step) elongate(by *Step) {
	s.Duration += by.Duration
	s.Distance += by.Distance
	s.Weight += by.Weight
	s.End = by.End
	s.end = by.end
}

// invalidate empties a step whose way was added to another.
func (s *Step) invalidate() { *s = Step{} }

// absorb is elongate and invalidate.
func (s *Step) absorb(by *Step) {
	s.elongate(by)
	by.invalidate()
}

// empty says whether the step was invalidated.
func (s *Step) empty() bool { return s.Instruction == 0 && s.Waypoint == NoWaypoint }

// compact drops empty steps.
func (b *Builder) compact() {
	kept := b.steps[:0]
	for i := range b.steps {
		if !b.steps[i].empty() {
			kept = append(kept, b.steps[i])
		}
	}
	b.steps = kept
}

// pause says whether the step is no turn at all.
func (s *Step) pause() bool { return s.is(graph.TurnNone) && s.Waypoint == NoWaypoint }

// previousTurn returns the index of the turn or waypoint before step i.
func (b *Builder) previousTurn(i int) int {
	for i--; i > 0 && b.steps[i].pause(); i-- {
	}
	return i
}

// nextTurn returns the index of the turn or waypoint after step i.
func (b *Builder) nextTurn(i int) int {
	for i++; i < len(b.steps)-1 && b.steps[i].pause(); i++ {
	}
	return i
}

// inBearing is the direction in which one reaches the step's beginning,
// outBearing that in which one leaves it.
func (b *Builder) inBearing(s *Step) float64 {
	x := b.front(s)
	return geo.ReverseBearing(b.bearingOf(x, x.In))
}

func (b *Builder) outBearing(s *Step) float64 {
	x := b.front(s)
	return b.bearingOf(x, x.Out)
}

// bearingOf is the bearing of road i; that of the first if there is none.
func (b *Builder) bearingOf(x *Intersection, i int) float64 {
	if i < 0 || i >= x.count {
		i = 0
	}
	return float64(b.bearings[x.first+i])
}
