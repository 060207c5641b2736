package routing

import (
	"context"
	"runtime/debug"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// RoadsRequest asks for the roads in a rectangle, for drawing them.
type RoadsRequest struct {
	Bounds orb.Bound // longitude and latitude in degrees
	Turns  bool      // turns too
	// Network asks for Component and Cells of the roads.
	Network bool
}

// RoadsResponse is the answer to a RoadsRequest. It owns its memory.
type RoadsResponse struct {
	// Roads are the segments whose bounds meet the rectangle, in each
	// direction that can be driven.
	Roads []RoadSegment
	// Turns are those that begin with one of Roads, but U-turns.
	Turns []RoadTurn
}

// RoadSegment is a stretch of road between two neighboring OSM nodes, in one
// direction.
type RoadSegment struct {
	From, To  orb.Point
	Nodes     [2]int64 // OSM nodes at From and To
	Way       int64    // OSM way; negative against the order of its nodes
	Name      string
	Length    float64 // meters
	Duration  float64 // seconds
	Weight    float64 // in the unit that Info.WeightName says
	SpeedFrom string  // data source of Duration and Weight
	// Small tells that only a small part of the network can be reached from
	// here and back, Start that coordinates may snap here by default.
	Small, Start bool
	// Internal tells that the road lies within a crossing of split roads, which one
	// sees as a whole.
	Internal bool
	// Component names the strongly connected component, and Cells the cells of the
	// partition, those of the lowest level first, by numbers that differ within a
	// level; there are none but with MLD.
	Component uint32
	Cells     []uint64
}

// RoadTurn is the way from one road into another.
type RoadTurn struct {
	Location  orb.Point
	BearingIn int     // of the road left, degrees clockwise from north
	Angle     int     // degrees to the right, −180…180
	Duration  float64 // seconds that the turn costs
	Weight    float64 // in the unit that Info.WeightName says
	Type      string  // of the maneuver, as OSRM's tiles name it
	Modifier  string  // its direction
}

// Roads returns the roads in a rectangle, in an order that depends on nothing
// but the data set. Memory and time are proportional to what is there: see to it
// that the rectangle is small. Errors are an *Error, or the context's.
//
// It is safe for concurrent use.
func Roads(ctx context.Context, e *Engine, r RoadsRequest) (*RoadsResponse, error) {
	s := Session{engine: e}
	defer s.Close()
	return s.Roads(ctx, r)
}

// Roads is the function Roads.
func (s *Session) Roads(ctx context.Context, r RoadsRequest) (res *RoadsResponse, err error) {
	if err := s.enter("roads"); err != nil {
		return nil, err
	}
	defer s.leave(debug.SetPanicOnFault(true), &err)
	return s.workspace().roads(ctx, &r)
}

// roadsPerCheck is the number of segments between two looks at the context.
const roadsPerCheck = 4096

func (w *workspace) roads(ctx context.Context, r *RoadsRequest) (*RoadsResponse, error) {
	e := w.data
	if err := e.opt.Limits.CheckRoads(); err != nil {
		return nil, err
	}
	if !onGlobe(r.Bounds.Min) || !onGlobe(r.Bounds.Max) {
		return nil, invalid(-1, "Bounds are not on the globe")
	}
	res := new(RoadsResponse)
	found := w.snapper.AppendSegments(nil, coord(r.Bounds.Min), coord(r.Bounds.Max))
	for i, at := range found {
		if i%roadsPerCheck == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		for direction := range graph.ArmID(2) {
			arm := graph.ArmID(at.Chain)<<1 | direction
			road, ok := e.roadSegment(arm, int(at.Segment))
			if !ok {
				continue
			}
			if r.Network {
				road.Component, road.Cells = e.component(arm), e.cells(arm)
			}
			res.Roads = append(res.Roads, road)
			if r.Turns && e.stored(arm, e.approach(arm)) == int(at.Segment) {
				res.Turns = e.appendTurns(res.Turns, arm)
			}
		}
	}
	return res, nil
}

// roadSegment describes an arm's segment by its position in the stored order,
// unless it is closed.
func (e *dataset) roadSegment(arm graph.ArmID, position int) (RoadSegment, bool) {
	n, m := e.net, e.metric
	node := n.ArmNode[arm]
	if node == graph.InvalidNode {
		return RoadSegment{}, false
	}
	index, from, to := segment(n, arm, e.stored(arm, position))
	direction := arm & 1
	weight, duration := m.SegmentWeight[direction][index], m.SegmentDuration[direction][index]
	if weight == graph.InvalidWeight || duration == graph.InvalidDuration {
		return RoadSegment{}, false
	}
	a, b := n.Coords[from], n.Coords[to]
	road := RoadSegment{
		From: point(a), To: point(b),
		Nodes:     [2]int64{n.OSMNodes.Get(uint32(from)), n.OSMNodes.Get(uint32(to))},
		Way:       n.Ways.Get(n.SegmentWay[index]),
		Name:      n.Strings.Get(n.Roads[n.ArmRoad[arm]].Name),
		Length:    geo.Distance(a, b),
		Duration:  seconds(duration),
		Weight:    e.weight(weight),
		SpeedFrom: e.sources[0],
		Small:     n.NodeComponent[node].Small(),
		Start:     n.ChainStart.Get(uint32(arm.Chain())),
		Internal:  len(n.Guidance.Segregated) > 0 && n.Guidance.Segregated.Get(uint32(node)),
	}
	if arm.Reverse() {
		road.Way = -road.Way
	}
	if source := m.SegmentSource[direction]; source != nil {
		road.SpeedFrom = e.sources[source[index]]
	}
	return road, true
}

// component returns the number of an arm's component.
func (e *dataset) component(arm graph.ArmID) uint32 {
	return uint32(e.net.NodeComponent[e.net.ArmNode[arm]]) &^ (1 << 31)
}

// cells returns the cells that an arm is in, from the lowest level up.
func (e *dataset) cells(arm graph.ArmID) []uint64 {
	if e.overlay == nil {
		return nil
	}
	cells := make([]uint64, e.info.Levels)
	for l := range cells {
		cells[l] = e.overlay.Cells().Cell(e.net.ArmNode[arm], l+1)
	}
	return cells
}

// approach returns the last segment of an arm that has a length, counted in the
// arm's direction: those without one are obstacles.
func (e *dataset) approach(arm graph.ArmID) int {
	i := segments(e.net, arm) - 1
	for ; i > 0; i-- {
		if _, from, to := segment(e.net, arm, i); from != to {
			break
		}
	}
	return i
}

// stored returns a segment's position in the stored order of its chain, or the
// other way around.
func (e *dataset) stored(arm graph.ArmID, position int) int {
	if arm.Reverse() {
		return segments(e.net, arm) - 1 - position
	}
	return position
}

// appendTurns appends the turns at the end of an arm.
func (e *dataset) appendTurns(dst []RoadTurn, arm graph.ArmID) []RoadTurn {
	n, m := e.net, e.metric
	node := n.ArmNode[arm]
	_, from, via := segment(n, arm, e.approach(arm))
	in := int(geo.Bearing(n.Coords[from], n.Coords[via]))
	for edge := n.EdgeFirst[node]; edge < n.EdgeFirst[node+1]; edge++ {
		exit := n.NodeArm[n.EdgeHead[edge]]
		if exit.Chain() == arm.Chain() || m.TurnClosed != nil && m.TurnClosed.Get(uint32(edge)) {
			continue
		}
		// The twin of the exit ends where the exit begins.
		_, to, _ := segment(n, exit.Twin(), e.approach(exit.Twin()))
		if to == from {
			continue
		}
		angle := int(geo.Bearing(n.Coords[via], n.Coords[to])) - in
		switch {
		case angle > 180:
			angle -= 360
		case angle < -180:
			angle += 360
		}
		told := n.Guidance.Instruction(edge)
		dst = append(dst, RoadTurn{
			Type: told.Type().String(), Modifier: told.Modifier().String(),
			Location: point(n.Coords[via]), BearingIn: in, Angle: angle,
			Duration: seconds(graph.Duration(m.TurnDuration[edge])), Weight: e.weight(graph.Weight(m.TurnWeight[edge])),
		})
	}
	return dst
}
