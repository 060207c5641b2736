package routing

import (
	"math"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// steps cuts a leg where the road's name or the mode of travel changes. That
// is less than guidance proper: turns within one name, forks, roundabouts and
// lanes are not told.
func (a *assembler) steps(leg *legPath) []Step {
	var out []Step
	first := 0 // hop of the step
	index := 0 // place of leg.line where the step begins
	for i := range leg.hops {
		last := i == len(leg.hops)-1
		if !last && !a.newStep(leg.hops[i].arm, leg.hops[i+1].arm) {
			continue
		}
		s := a.step(leg, first, i+1, index)
		index += len(s.Geometry) - 1
		first = i + 1
		out = append(out, s)
	}
	arrive := a.describe(leg.to.arm)
	place := point(leg.to.location)
	arrive.Geometry = orb.LineString{place, place}
	before := bearingAt(leg.line, len(leg.line)-1)
	arrive.Maneuver = Maneuver{Location: place, BearingBefore: before, Type: "arrive"}
	arrive.Intersections = []Intersection{{
		Location: place, Bearings: []int{(before + 180) % 360}, Entry: []bool{true}, In: 0, Out: -1,
	}}
	return append(out, arrive)
}

// newStep says whether a step begins where the road goes from one arm to the
// next.
func (a *assembler) newStep(from, to graph.ArmID) bool {
	n := a.engine.net
	x, y := &n.Roads[n.ArmRoad[from]], &n.Roads[n.ArmRoad[to]]
	return nameOf(x) != nameOf(y) || x.Mode != y.Mode
}

// step makes a step of the hops from first to end, that begins at a place of
// leg.line.
func (a *assembler) step(leg *legPath, first, end, index int) Step {
	m := a.engine.metric
	s := a.describe(leg.hops[first].arm)
	var c cost
	stop := index
	for i := first; i < end; i++ {
		h := &leg.hops[i]
		c.weight += h.weight
		c.duration += h.duration
		if h.edge != graph.InvalidEdge {
			c.weight += graph.Weight(m.TurnWeight[h.edge])
			c.duration += graph.Duration(m.TurnDuration[h.edge])
		}
		if !h.hidden {
			s.Distance += geo.Distance(leg.line[stop], h.location)
			stop++
		}
	}
	s.Distance = math.Round(s.Distance*10) / 10
	s.Duration, s.Weight = seconds(c.duration), a.engine.weight(c.weight)
	s.Geometry = lineString(leg.line[index : stop+1])
	if stop == index {
		s.Geometry = append(s.Geometry, s.Geometry[0])
	}
	place := s.Geometry[0]
	after := bearingAt(leg.line, index+1)
	if first == 0 {
		s.Maneuver = Maneuver{Location: place, BearingAfter: after, Type: "depart"}
		s.Intersections = []Intersection{{Location: place, Bearings: []int{after}, Entry: []bool{true}, In: -1, Out: 0}}
		return s
	}
	before := bearingAt(leg.line, index)
	s.Maneuver = Maneuver{Location: place, BearingBefore: before, BearingAfter: after, Type: "new name", Modifier: modifier(before, after)}
	x := Intersection{Location: place, Bearings: []int{(before + 180) % 360, after}, Entry: []bool{false, true}, In: 0, Out: 1}
	if x.Bearings[0] > x.Bearings[1] {
		x = Intersection{Location: place, Bearings: []int{after, x.Bearings[0]}, Entry: []bool{true, false}, In: 1, Out: 0}
	}
	s.Intersections = []Intersection{x}
	return s
}

// describe returns a step with what is known of a road.
func (a *assembler) describe(arm graph.ArmID) Step {
	n := a.engine.net
	r := &n.Roads[n.ArmRoad[arm]]
	s := Step{
		Name:          n.Strings.Get(r.Name),
		Ref:           n.Strings.Get(r.Ref),
		Pronunciation: n.Strings.Get(r.Pronunciation),
		Destinations:  n.Strings.Get(r.Destinations),
		Exits:         n.Strings.Get(r.Exits),
		Mode:          modeName(r.Mode),
		DrivingSide:   "right",
	}
	if r.Flags&graph.RoadLeftHand != 0 {
		s.DrivingSide = "left"
	}
	return s
}

// bearingAt returns the whole-degree bearing of the line's stretch that ends at
// place i, or of the nearest one with a length.
func bearingAt(line []geo.Coord, i int) int {
	i = max(1, min(i, len(line)-1))
	for k := i; k > 0; k-- {
		if line[k-1] != line[k] {
			return int(math.Round(geo.Bearing(line[k-1], line[k]))) % 360
		}
	}
	for k := i + 1; k < len(line); k++ {
		if line[k-1] != line[k] {
			return int(math.Round(geo.Bearing(line[k-1], line[k]))) % 360
		}
	}
	return 0
}

// modifier names the change of direction between two bearings.
func modifier(before, after int) string {
	switch turn := (after - before + 360) % 360; {
	case turn < 20 || turn > 340:
		return "straight"
	case turn < 60:
		return "slight right"
	case turn < 120:
		return "right"
	case turn < 175:
		return "sharp right"
	case turn <= 185:
		return "uturn"
	case turn <= 240:
		return "sharp left"
	case turn <= 300:
		return "left"
	}
	return "slight left"
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
