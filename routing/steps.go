package routing

import (
	"slices"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/guidance"
)

// steps makes the steps of a leg, and trims its line as they ask for.
func (a *assembler) steps(leg *legPath) []Step {
	n, m := a.engine.net, a.engine.metric
	g := &a.guided
	g.Hops = g.Hops[:0]
	for i := range leg.hops {
		h := &leg.hops[i]
		hop := guidance.Hop{
			Arm: h.arm, Edge: h.edge, Location: h.location,
			Duration: h.duration, Weight: h.weight, Hidden: h.hidden,
		}
		if h.edge != graph.InvalidEdge {
			hop.Weight += graph.Weight(m.TurnWeight[h.edge])
			hop.Duration += graph.Duration(m.TurnDuration[h.edge])
		}
		g.Hops = append(g.Hops, hop)
	}
	g.Line = leg.line
	g.DepartBearing, g.ArriveBearing = bearing(n, &leg.from), bearing(n, &leg.to)
	g.From, g.To = leg.from.asked, leg.to.asked
	steps, trimmed := a.guide.Steps(g)
	leg.trimmed = trimmed
	leg.line = leg.line[:copy(leg.line, leg.line[trimmed.Front:len(leg.line)-trimmed.Back])]
	return a.show(leg.line, steps)
}

// bearing returns the direction of the segment at an end of a leg, in degrees.
func bearing(n *graph.Network, e *end) float64 {
	index, _, _ := segment(n, e.arm, e.segment)
	b := geo.Bearing(n.Coords[n.ChainPlaces[index]], n.Coords[n.ChainPlaces[index+1]])
	if e.arm.Reverse() {
		b = geo.ReverseBearing(b)
	}
	return b
}

// stepStore is where the parts of a leg's steps lie, so that they take few
// allocations.
type stepStore struct {
	points        orb.LineString
	intersections []Intersection
	bearings      []int
	entry         []bool
}

func (a *assembler) newStepStore(steps []guidance.Step) stepStore {
	var points, intersections, bearings int
	for i := range steps {
		points += max(2, steps[i].End-steps[i].Begin)
		list := a.guide.Intersections(&steps[i])
		intersections += len(list)
		for k := range list {
			bearings += len(a.guide.Bearings(&list[k]))
		}
	}
	return stepStore{
		points:        make(orb.LineString, 0, points),
		intersections: make([]Intersection, 0, intersections),
		bearings:      make([]int, 0, bearings),
		entry:         make([]bool, 0, bearings),
	}
}

// show makes steps as answers have them.
func (a *assembler) show(line []geo.Coord, steps []guidance.Step) []Step {
	out := make([]Step, len(steps))
	store := a.newStepStore(steps)
	for i := range steps {
		s := &steps[i]
		text := a.engine.net.Strings.Get
		out[i] = Step{
			Distance: tenths(s.Distance), Duration: seconds(s.Duration), Weight: a.engine.weight(s.Weight),
			Name: text(s.Name), Ref: text(s.Ref), Pronunciation: text(s.Pronunciation),
			Destinations: text(s.Destinations), Exits: text(s.Exits),
			Mode: modeName(s.Mode), DrivingSide: "right",
			Maneuver: Maneuver{
				Location:      point(s.Location),
				BearingBefore: s.BearingBefore % 360, BearingAfter: s.BearingAfter % 360,
				Type: turnName(s), Exit: s.Exit,
			},
		}
		o := &out[i]
		if s.LeftHand {
			o.DrivingSide = "left"
		}
		if s.RotaryName != 0 {
			o.RotaryName, o.RotaryPronunciation = text(s.RotaryName), text(s.RotaryPronunciation)
		}
		if m := s.Instruction.Modifier(); s.Waypoint == guidance.NoWaypoint || m != graph.UTurn {
			o.Maneuver.Modifier = m.String()
		}
		first := len(store.points)
		for _, c := range line[s.Begin:s.End] {
			store.points = append(store.points, point(c))
		}
		if s.End-s.Begin == 1 { // a line has two points at least
			store.points = append(store.points, point(line[s.Begin]))
		}
		o.Geometry = store.points[first:len(store.points):len(store.points)]
		o.Intersections = a.showIntersections(&store, s)
	}
	return out
}

func (a *assembler) showIntersections(store *stepStore, s *guidance.Step) []Intersection {
	first := len(store.intersections)
	list := a.guide.Intersections(s)
	for i := range list {
		x := &list[i]
		start := len(store.bearings)
		for k, b := range a.guide.Bearings(x) {
			store.bearings = append(store.bearings, int(b)%360)
			store.entry = append(store.entry, x.Entry(k))
		}
		end := len(store.bearings)
		store.intersections = append(store.intersections, Intersection{
			Location: point(x.Location),
			Bearings: store.bearings[start:end:end], Entry: store.entry[start:end:end],
			In: x.In, Out: x.Out,
			Lanes: a.lanes(x.Lanes), Classes: a.engine.classNames(x.Classes),
		})
	}
	end := len(store.intersections)
	return store.intersections[first:end:end]
}

// indications are the names of the bits of graph.LaneMask.
var indications = [...]string{
	"none", "straight", "sharp left", "left", "slight left", "slight right",
	"right", "sharp right", "uturn", "merge to left", "merge to right",
}

// lanes shows the lanes at an intersection, nil if nothing is known of them.
func (a *assembler) lanes(use graph.LaneUse) []Lane {
	if use.Count == 0 {
		return nil
	}
	masks := a.engine.net.Guidance.LaneDescription(use.Description)
	out := make([]Lane, len(masks))
	for i, mask := range masks {
		fromRight := len(masks) - 1 - i
		lane := Lane{
			Indications: []string{},
			Valid:       fromRight >= int(use.First) && fromRight < int(use.First)+int(use.Count),
		}
		for bit, name := range indications {
			if mask>>bit&1 != 0 {
				lane.Indications = append(lane.Indications, name)
			}
		}
		out[i] = lane
	}
	return out
}

// classNames returns the names of a set of classes, nil if it is empty.
func (e *Engine) classNames(mask graph.ClassMask) []string {
	p := &e.net.Properties
	var out []string
	for _, bit := range slices.Backward(p.ClassOrder) {
		if mask>>bit&1 != 0 && int(bit) < len(p.Classes) {
			out = append(out, p.Classes[bit])
		}
	}
	return out
}

// turnName is how answers call what to do at the beginning of a step.
func turnName(s *guidance.Step) string {
	switch s.Waypoint {
	case guidance.Depart:
		return "depart"
	case guidance.Arrive:
		return "arrive"
	}
	switch s.Instruction.Type() {
	case graph.TurnNewName:
		return "new name"
	case graph.TurnContinue:
		return "continue"
	case graph.TurnPlain:
		return "turn"
	case graph.TurnMerge:
		return "merge"
	case graph.TurnOnRamp:
		return "on ramp"
	case graph.TurnOffRamp:
		return "off ramp"
	case graph.TurnFork:
		return "fork"
	case graph.TurnEndOfRoad:
		return "end of road"
	case graph.TurnNotification:
		return "notification"
	case graph.EnterRoundabout, graph.EnterRoundaboutAtExit:
		return "roundabout"
	case graph.EnterRotary, graph.EnterRotaryAtExit:
		return "rotary"
	case graph.EnterRoundaboutTurn, graph.EnterRoundaboutTurnAtExit, graph.TouchRoundaboutTurn:
		return "roundabout turn"
	case graph.TouchRoundabout, graph.ExitRoundabout, graph.ExitRoundaboutTurn:
		return "exit roundabout"
	case graph.TouchRotary, graph.ExitRotary:
		return "exit rotary"
	}
	return "invalid"
}

// modeName is how answers call a mode.
func modeName(m graph.Mode) string {
	switch m {
	case graph.ModeInaccessible:
		return "inaccessible"
	case graph.ModeDriving:
		return "driving"
	case graph.ModeCycling:
		return "cycling"
	case graph.ModeWalking:
		return "walking"
	case graph.ModeFerry:
		return "ferry"
	case graph.ModeTrain:
		return "train"
	case graph.ModePushingBike:
		return "pushing bike"
	case graph.ModeStepsUp:
		return "steps up"
	case graph.ModeStepsDown:
		return "steps down"
	case graph.ModeRiverUp:
		return "river upstream"
	case graph.ModeRiverDown:
		return "river downstream"
	case graph.ModeRoute:
		return "route"
	}
	return "other"
}
