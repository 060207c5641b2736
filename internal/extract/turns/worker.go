package turns

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/junction"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
)

// Limits of angles in degrees.
const (
	straightAngle = 180.0
	noTurn        = 3.0  // deviation that nobody takes for a turn
	narrowTurn    = 40.0 // deviation of a narrow turn
	groupAngle    = 60.0 // angle that sets groups of roads apart
	fuzzyAngle    = 25.0 // difference that may be noise
)

// Road is a road of a junction, seen from another one, and what to say of the
// turn into it.
type Road struct {
	junction.Turn
	Instruction graph.Instruction
	// Lanes serve the turn.
	Lanes LaneUse
}

// invalid is the instruction of a road that cannot be entered.
const invalid = graph.Instruction(graph.TurnInvalid) | graph.Instruction(graph.UTurn)<<5

func (r *Road) say(t graph.TurnType, m graph.Modifier) { r.Instruction = graph.MakeInstruction(t, m) }

// direction is the one that the angle alone tells.
func (r *Road) direction() graph.Modifier { return graph.ModifierOf(r.Angle) }

// bend is the deviation from straight on, 0 … 180.
func (r *Road) bend() float64 { return geo.AngularDeviation(r.Angle, straightAngle) }

// Worker describes turns. It is not safe for concurrent use.
type Worker struct {
	*junction.Worker
	g *nbg.Graph

	roads, previous, next []Road
	mainAhead, slipAhead  []Road
	round                 roundabout
	line                  []geo.Coord
	lanes, earlierLanes   []laneRange
	first, second         []laneRange
}

// NewWorker returns a worker of a graph that uses a worker of its junctions,
// which must not be in use elsewhere in the meantime.
func NewWorker(g *nbg.Graph, w *junction.Worker) *Worker {
	// Room for every indication and a range for each road.
	const room = 16 + manyRoads
	ranges := func() []laneRange { return make([]laneRange, 0, room) }
	return &Worker{Worker: w, g: g, lanes: ranges(), earlierLanes: ranges(), first: ranges(), second: ranges()}
}

// manyRoads is more roads than meet at any ordinary place. Where that many do,
// turns are named by their angles alone: the rules compare roads with one
// another, and time would grow with the cube of their number.
const manyRoads = 32

// Describe returns the roads of a view, in its order, with what to say of the
// turns from an edge into them. The view is that of the junction at the edge's
// end.
func (w *Worker) Describe(via nbg.EdgeID, view []junction.Turn) []Road {
	w.roads = appendRoads(w.roads[:0], view)
	if len(view) > manyRoads {
		w.assignPlain(via, w.roads)
		return w.roads
	}
	w.assign(via, w.roads)
	w.assignLanes(via, w.roads)
	return w.roads
}

func appendRoads(dst []Road, view []junction.Turn) []Road {
	for i := range view {
		dst = append(dst, Road{Turn: view[i], Instruction: invalid})
	}
	return dst
}

// assign finds the types of the turns from an edge.
func (w *Worker) assign(via nbg.EdgeID, roads []Road) {
	if w.keepsMode(via, roads) {
		for i := range roads {
			roads[i].say(graph.TurnNone, graph.UTurn)
		}
		return
	}
	if kind := w.roundaboutAt(via, roads); kind != noRoundabout {
		w.assignRoundabout(kind, via, roads)
	} else {
		w.assignPlain(via, roads)
		switch {
		case w.onlyDriveways(roads):
			w.passDriveways(via, roads)
		case w.motorwayJunction(via, roads):
			w.assignMotorway(via, roads)
		default:
			w.assignStreets(via, roads)
		}
	}
	if len(roads) > 2 {
		w.assignSliproads(via, roads)
	}
	if motorway(&w.g.Edges[via].Class) {
		leaveByRamps(roads)
	}
}

// assignPlain names turns by their angle alone.
func (w *Worker) assignPlain(via nbg.EdgeID, roads []Road) {
	tail := w.Tail(via)
	for i := range roads {
		r := &roads[i]
		switch {
		case !r.Allowed:
		case w.g.Edges[r.Edge].Head == tail:
			r.say(graph.TurnContinue, graph.UTurn)
		default:
			r.say(graph.TurnPlain, r.direction())
		}
	}
}

// keepsMode says whether one arrives by train or ferry and could go on by
// nothing else.
func (w *Worker) keepsMode(via nbg.EdgeID, roads []Road) bool {
	mode := w.g.Edges[via].Mode
	if mode != graph.ModeFerry && mode != graph.ModeTrain {
		return false
	}
	for i := range roads {
		if w.edge(&roads[i]).Mode != mode {
			return false
		}
	}
	return true
}

func (w *Worker) edge(r *Road) *nbg.Edge { return &w.g.Edges[r.Edge] }

// closest returns the index of the road whose angle is nearest to angle, the
// first of equal ones.
func closest(roads []Road, angle float64) int {
	best := 0
	for i := range roads {
		if geo.AngularDeviation(roads[i].Angle, angle) < geo.AngularDeviation(roads[best].Angle, angle) {
			best = i
		}
	}
	return best
}

func countAllowed(roads []Road) int {
	n := 0
	for i := range roads {
		if roads[i].Allowed {
			n++
		}
	}
	return n
}

// deadEnd says whether there is no way on but back.
func deadEnd(roads []Road) bool { return countAllowed(roads[1:]) == 0 }

// rightmost and leftmost return the road next to the one that one comes from,
// or that if there is no other.
func rightmost(roads []Road) *Road { return &roads[min(1, len(roads)-1)] }
func leftmost(roads []Road) *Road  { return &roads[len(roads)-1] }
