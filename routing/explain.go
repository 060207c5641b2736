package routing

import (
	"cmp"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// Explanation tells what a leg's cost is made of: RouteRequest.Explain asks for it.
// The sums of its parts, turns included, are the leg's duration, weight and distance,
// but for the rounding of float64; the leg's distance is in steps of 0.1 m, those of the
// parts of 0.01 m.
type Explanation struct {
	// Segments are those of the leg in their order, also those that lines leave out
	// because they have no length.
	Segments []ExplainedSegment
	// Ways are what the segments lie on, each way and direction once, in the order in
	// which they are come by.
	Ways []ExplainedWay
}

// SegmentKind says what an ExplainedSegment is.
type SegmentKind uint8

// The kinds.
const (
	// SegmentRoad is road between two neighboring OSM nodes.
	SegmentRoad SegmentKind = iota
	// SegmentObstacle is what costs time at an OSM node, which is both its ends: a
	// signal, a crossing, a gate.
	SegmentObstacle
	// SegmentWalk is the way across an open area between a coordinate and a road.
	SegmentWalk
)

// String returns road, obstacle or walk.
func (k SegmentKind) String() string {
	return [...]string{SegmentRoad: "road", SegmentObstacle: "obstacle", SegmentWalk: "walk"}[k]
}

// ExplainedSegment is a part of a leg. A segment in which the leg, or the way to a
// coordinate that is passed, begins or ends is told as far as it is taken.
type ExplainedSegment struct {
	Kind  SegmentKind
	Nodes [2]int64 // OSM nodes at its beginning and end; of a walk those of the road
	Way   int64    // OSM way, negative against the order of its nodes; 0 of a walk
	// Distance in meters, Duration in seconds and Weight are what is taken of it.
	Distance, Duration, Weight float64
	// Speed in km/h and Rate in meters per unit of weight are those of the whole
	// segment, which Duration and Weight follow from; 0 where it has no length.
	Speed, Rate float64
	// Source is where they come from: lua profile for the profile, whatever it is
	// written in, or the file or layer that changed them.
	Source string
	// Turn is what is at its end; nil if the road just goes on.
	Turn *ExplainedTurn
}

// ExplainedTurn is what it costs to go from one stretch of road to the next.
type ExplainedTurn struct {
	From, Via, To int64 // OSM nodes before, at and behind it, as in a TurnPenalty
	// Duration in seconds and Weight are what it costs here, negative for a bonus.
	Duration, Weight float64
	// Penalty in seconds, and PenaltyWeight, are what it costs by itself. They differ
	// where a bonus is more than the road before takes.
	Penalty, PenaltyWeight float64
	// Source is where the penalty comes from: lua profile, which stands for the files
	// of the data set too, or the layer of Update.
	Source string
	// Type and Modifier are of the maneuver, as OSRM's tiles name them.
	Type, Modifier string
}

// explain explains the paths of a leg.
func (a *assembler) explain(paths []path) *Explanation {
	x := explainer{dataset: cmp.Or(paths[0].data, a.data)}
	for i := range paths {
		x.path(&paths[i])
	}
	return &Explanation{Segments: x.segments(), Ways: x.ways()}
}

// explainer collects what explains a leg.
type explainer struct {
	*dataset
	list []explained
	runs []run
}

// explained is an ExplainedSegment in the making.
type explained struct {
	kind SegmentKind
	arm  graph.ArmID
	// position of the segment in the arm's direction, and index in arrays by segment
	position int
	index    uint32
	cost     cost
	edge     graph.EdgeID // at its end, or InvalidEdge
	turn     cost         // that the edge adds
}

// path adds a path. What its parts cost is what path.cost says.
func (x *explainer) path(p *path) {
	n, m := x.net, x.metric
	first := len(x.list)
	left := p.cost(n, m)
	x.runs = appendRuns(x.runs[:0], n, p)
	started := false
	for i := range x.runs {
		r := &x.runs[i]
		if r.walk {
			x.list = append(x.list, explained{kind: SegmentWalk, arm: r.arm, position: r.first, cost: r.upTo, edge: graph.InvalidEdge})
			continue
		}
		sum := x.run(r)
		if r.edge == graph.InvalidEdge {
			continue
		}
		before := cost{}
		if !started {
			before = p.from.offset
		}
		started = true
		t := &x.list[len(x.list)-1]
		t.edge = r.edge
		t.turn.weight = max(0, m.EdgeWeight(r.node, r.edge)-before.weight) - sum.weight
		t.turn.duration = max(0, m.EdgeDuration(r.node, r.edge)-before.duration) - sum.duration
	}
	for i := range x.list[first:] {
		part := &x.list[first+i]
		left.weight -= part.cost.weight + part.turn.weight
		left.duration -= part.cost.duration + part.turn.duration
		left.distance -= part.cost.distance
	}
	// Where a coordinate lies in its segment is rounded.
	last := &x.list[len(x.list)-1].cost
	last.weight += left.weight
	last.duration += left.duration
	last.distance += left.distance
}

// run adds the segments of a run and returns what they cost.
func (x *explainer) run(r *run) (sum cost) {
	n := x.net
	for i := r.first; i <= r.last; i++ {
		index, from, to := segment(n, r.arm, i)
		part := explained{arm: r.arm, position: i, index: index, edge: graph.InvalidEdge}
		if from == to {
			part.kind = SegmentObstacle
		}
		part.cost.weight, part.cost.duration = r.segment(x.metric, i, index)
		part.cost.distance = int64(n.SegmentLength[index])
		if i == r.last && r.edge == graph.InvalidEdge {
			part.cost.distance = r.upTo.distance
		}
		if i == r.first {
			part.cost.distance = max(0, part.cost.distance-r.before.distance)
		}
		sum.weight += part.cost.weight
		sum.duration += part.cost.duration
		x.list = append(x.list, part)
	}
	return sum
}

// segments returns the parts as answers have them.
func (x *explainer) segments() []ExplainedSegment {
	out := make([]ExplainedSegment, len(x.list))
	for i := range x.list {
		out[i] = x.segment(&x.list[i])
	}
	return out
}

func (x *explainer) segment(p *explained) ExplainedSegment {
	n, m := x.net, x.metric
	_, from, to := segment(n, p.arm, p.position)
	s := ExplainedSegment{
		Kind: p.kind, Nodes: [2]int64{x.osmNode(from), x.osmNode(to)},
		Distance: float64(p.cost.distance) / 100, Duration: seconds(p.cost.duration), Weight: x.weight(p.cost.weight),
		Source: x.sources[0],
	}
	if p.kind == SegmentWalk {
		return s
	}
	s.Way = x.way(p.arm, p.index)
	direction := p.arm & 1
	if sources := m.SegmentSource[direction]; sources != nil {
		s.Source = x.sources[sources[p.index]]
	}
	if p.kind == SegmentRoad {
		meters := geo.Distance(n.Coords[from], n.Coords[to])
		if d := m.SegmentDuration[direction][p.index]; d > 0 {
			s.Speed = meters / seconds(d) * 3.6
		}
		if w := m.SegmentWeight[direction][p.index]; w > 0 {
			s.Rate = meters / x.weight(w)
		}
	}
	if p.edge != graph.InvalidEdge {
		s.Turn = x.turn(p)
	}
	return s
}

func (d *dataset) osmNode(p graph.PlaceID) int64 { return d.net.OSMNodes.Get(uint32(p)) }

// turn explains what is at the end of a part: nothing if it costs nothing and the
// road goes on.
func (x *explainer) turn(p *explained) *ExplainedTurn {
	n, m := x.net, x.metric
	told := n.Guidance.Instruction(p.edge)
	weight, duration := m.TurnWeight[p.edge], m.TurnDuration[p.edge]
	if weight == 0 && duration == 0 && p.turn == (cost{}) && told.Type() == graph.TurnNone {
		return nil
	}
	// The last segments of arms may be obstacles, which begin where they end.
	exit := n.NodeArm[n.EdgeHead[p.edge]]
	_, from, via := segment(n, p.arm, x.approach(p.arm))
	_, to, _ := segment(n, exit.Twin(), x.approach(exit.Twin()))
	t := &ExplainedTurn{
		From: x.osmNode(from), Via: x.osmNode(via), To: x.osmNode(to),
		Duration: seconds(p.turn.duration), Weight: x.weight(p.turn.weight),
		Penalty: seconds(graph.Duration(duration)), PenaltyWeight: x.weight(graph.Weight(weight)),
		Source: x.sources[0], Type: told.Type().String(), Modifier: told.Modifier().String(),
	}
	if x.turnLayer != nil {
		if layer := x.turnLayer(t.From, t.Via, t.To); layer != "" {
			t.Source = layer
		}
	}
	return t
}
