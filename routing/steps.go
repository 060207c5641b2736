package routing

import (
	"math/bits"
	"slices"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/guidance"
)

// steps makes the steps of a leg, and trims its line as they ask for.
func (a *assembler) steps(leg *legPath) []Step {
	n, m := a.data.net, leg.data.metric
	g := &a.guided
	g.Runs = slices.Grow(g.Runs[:0], len(leg.runs))[:len(leg.runs)]
	for i := range leg.runs {
		r := &leg.runs[i]
		to := guidance.Run{
			Arm: r.arm, Node: r.node, Edge: r.edge, Place: leg.ends[i], Segments: int32(r.last - r.first + 1),
		}
		if uint32(r.node) >= n.Originals {
			to.Node = n.ArmNode[r.arm]
		}
		to.Weight, to.Duration = r.spent(n, m)
		if r.edge != graph.InvalidEdge {
			to.Weight = max(0, to.Weight+graph.Weight(m.TurnWeight[r.edge]))
			to.Duration = max(0, to.Duration+graph.Duration(m.TurnDuration[r.edge]))
		}
		g.Runs[i] = to
	}
	g.Line = leg.line
	g.DepartBearing, g.ArriveBearing = bearing(n, &leg.from), bearing(n, &leg.to)
	g.From, g.To = leg.from.asked, leg.to.asked
	steps, trimmed := a.guide.Steps(g)
	leg.trimmed = trimmed
	leg.line = leg.line[:copy(leg.line, leg.line[trimmed.Front:len(leg.line)-trimmed.Back])]
	return a.show(leg.shown(), steps)
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
	intersections []Intersection
	bearings      []int
	entry         []bool
	lanes         []Lane
	words         []string // indications and classes
	text          string   // of all steps
}

func (a *assembler) newStepStore(steps []guidance.Step) stepStore {
	n := a.data.net
	var intersections, bearings, lanes, words int
	a.text = a.text[:0]
	for i := range steps {
		s := &steps[i]
		list := a.guide.Intersections(s)
		intersections += len(list)
		for k := range list {
			x := &list[k]
			bearings += len(a.guide.Bearings(x))
			words += bits.OnesCount8(uint8(x.Classes))
			if x.Lanes.Count > 0 {
				masks := n.Guidance.LaneDescription(x.Lanes.Description)
				lanes += len(masks)
				for _, mask := range masks {
					words += bits.OnesCount16(uint16(mask))
				}
			}
		}
		for _, id := range textsOf(s) {
			a.text = n.Strings.Append(a.text, id)
		}
	}
	return stepStore{
		intersections: make([]Intersection, 0, intersections),
		bearings:      make([]int, 0, bearings),
		entry:         make([]bool, 0, bearings),
		lanes:         make([]Lane, 0, lanes),
		words:         make([]string, 0, words),
		text:          string(a.text),
	}
}

// textsOf lists the texts of a step in the order of setTexts.
func textsOf(s *guidance.Step) [7]graph.StringID {
	return [...]graph.StringID{
		s.Name, s.Ref, s.Pronunciation, s.Destinations, s.Exits, s.RotaryName, s.RotaryPronunciation,
	}
}

// setTexts takes the next texts off the store.
func (a *assembler) setTexts(o *Step, store *stepStore, s *guidance.Step) {
	first := a.data.net.Strings.First
	for i, to := range [...]*string{
		&o.Name, &o.Ref, &o.Pronunciation, &o.Destinations, &o.Exits, &o.RotaryName, &o.RotaryPronunciation,
	} {
		id := textsOf(s)[i]
		length := first[id+1] - first[id]
		*to, store.text = store.text[:length], store.text[length:]
	}
}

// show makes steps as answers have them, whose geometries are parts of line.
func (a *assembler) show(line orb.LineString, steps []guidance.Step) []Step {
	out := make([]Step, len(steps))
	store := a.newStepStore(steps)
	for i := range steps {
		s := &steps[i]
		out[i] = Step{
			Distance: tenths(s.Distance), Duration: seconds(s.Duration), Weight: a.data.weight(s.Weight),
			Mode: modeName(s.Mode), DrivingSide: "right",
			Maneuver: Maneuver{
				Location:      point(s.Location),
				BearingBefore: s.BearingBefore % 360, BearingAfter: s.BearingAfter % 360,
				Type: turnName(s), Exit: s.Exit,
			},
		}
		o := &out[i]
		a.setTexts(o, &store, s)
		if s.LeftHand {
			o.DrivingSide = "left"
		}
		if m := s.Instruction.Modifier(); s.Waypoint == guidance.NoWaypoint || m != graph.UTurn {
			o.Maneuver.Modifier = m.String()
		}
		o.Geometry = line[s.Begin:s.End:s.End]
		if s.End-s.Begin == 1 { // a line has two points at least
			o.Geometry = orb.LineString{line[s.Begin], line[s.Begin]}
		}
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
			Lanes: a.lanes(store, x.Lanes), Classes: a.classNames(store, x.Classes),
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
func (a *assembler) lanes(store *stepStore, use graph.LaneUse) []Lane {
	if use.Count == 0 {
		return nil
	}
	first := len(store.lanes)
	masks := a.data.net.Guidance.LaneDescription(use.Description)
	for i, mask := range masks {
		start := len(store.words)
		for bit, name := range indications {
			if mask>>bit&1 != 0 {
				store.words = append(store.words, name)
			}
		}
		end := len(store.words)
		fromRight := len(masks) - 1 - i
		store.lanes = append(store.lanes, Lane{
			Indications: store.words[start:end:end],
			Valid:       fromRight >= int(use.First) && fromRight < int(use.First)+int(use.Count),
		})
	}
	end := len(store.lanes)
	return store.lanes[first:end:end]
}

// classNames returns the names of a set of classes, nil if it is empty.
func (a *assembler) classNames(store *stepStore, mask graph.ClassMask) []string {
	if mask == 0 {
		return nil
	}
	p := &a.data.net.Properties
	start := len(store.words)
	for _, bit := range slices.Backward(p.ClassOrder) {
		if mask>>bit&1 != 0 && int(bit) < len(p.Classes) {
			store.words = append(store.words, p.Classes[bit])
		}
	}
	end := len(store.words)
	return store.words[start:end:end]
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
