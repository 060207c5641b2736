package extract

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/junction"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/extract/turns"
	"github.com/fourway-routing/fourway/internal/parallel"
	"github.com/fourway-routing/fourway/profile"
)

// turn is a search edge in the making.
type turn struct {
	tail, head       graph.NodeID
	weight, duration int16
	instruction      graph.Instruction
}

// manyRoads is more roads than meet at any ordinary place.
const manyRoads = 32

// chunkSize is how many places a worker expands at a time.
const chunkSize = 2048

// expansion is the outcome of one chunk.
type expansion struct {
	turns      []turn
	arms       []graph.Arm
	junctions  []junctionRange
	conditions []turnCondition
	lanes      []turnLanes
	capped     int
}

type junctionRange struct {
	place graph.PlaceID
	arms  int
}

type turnCondition struct {
	tail, head  graph.NodeID
	place       graph.PlaceID
	restriction int32
}

// expander turns junctions into search edges.
type expander struct {
	x          *extraction
	chains     *chains
	graph      *nbg.Graph
	analyzer   *junction.Analyzer
	paths      *restrictionGraph
	multiplier float64
	originals  uint32
	// edgeNode is the search node of an edge of the graph, or InvalidNode.
	edgeNode []graph.NodeID
	// entered are the places where a road with restrictions ends.
	entered graph.Bits
	workers []expandWorker
	chunks  []expansion
	seen    arrivals
	// overrides by the first road.
	overrides []turnRestriction
}

// expandWorker is the working memory of one goroutine.
type expandWorker struct {
	*expander
	ctx      context.Context
	profile  profile.Worker
	junction *junction.Worker
	guide    *turns.Worker
	// Roads of a view by bearing, and their bearings.
	order     []int32
	byBearing []uint16
	turn      profile.Turn
	legs      []profile.TurnLeg // by road of the view
	right     []profile.TurnLeg // of a U-turn
	inView    []int32           // by arm, the index of its allowed turn plus 1
}

// number gives every direction of a road that can be driven a search node, in
// the order of the edges.
func (e *expander) number() error {
	e.edgeNode = make([]graph.NodeID, len(e.graph.Edges))
	for i := range e.graph.Edges {
		e.edgeNode[i] = graph.InvalidNode
		if !e.graph.Edges[i].Reversed {
			e.edgeNode[i] = graph.NodeID(e.originals)
			e.originals++
		}
	}
	if uint64(e.originals)+uint64(len(e.paths.viaRoads)) >= math.MaxInt32 {
		return &SizeError{What: "search nodes", Limit: math.MaxInt32}
	}
	return nil
}

// expand finds all turns.
func (x *extraction) expand(ctx context.Context, c *chains) (*expander, error) {
	overrides := x.takeTold(c.graph)
	x.dropUndrivable(c.graph)
	e := &expander{
		x: x, chains: c, graph: c.graph,
		paths:      newRestrictionGraph(x.restrictions),
		multiplier: x.props.WeightMultiplier(),
		entered:    graph.MakeBits(len(c.graph.First)),
	}
	for r := range e.paths.starts {
		e.entered.Set(uint32(r.to))
	}
	for _, r := range e.paths.viaRoads {
		e.entered.Set(uint32(r.to))
	}
	if err := e.number(); err != nil {
		return nil, err
	}
	var single []junction.NodeRestriction
	for i := range x.restrictions {
		if r := &x.restrictions[i]; !r.viaWay() && r.unconditional() {
			single = append(single, junction.NodeRestriction{From: r.from, Via: r.via[0], To: r.to, Only: r.only})
		}
	}
	e.analyzer = junction.New(c.graph, &x.wayPass.texts.table, x.props.SuffixList, single)
	e.workers = make([]expandWorker, x.opts.Workers)
	for i := range e.workers {
		w, err := x.worker(i)
		if err != nil {
			return nil, err
		}
		j := e.analyzer.NewWorker()
		e.workers[i] = expandWorker{expander: e, ctx: ctx, profile: w, junction: j, guide: turns.NewWorker(c.graph, j)}
	}
	e.overrides = overrides
	e.seen = newArrivals(int(e.originals), len(c.graph.Edges))
	numPlaces := len(c.graph.First) - 1
	e.chunks = make([]expansion, (numPlaces+chunkSize-1)/chunkSize)
	err := parallel.Each(ctx, x.opts.Workers, len(e.chunks), func(worker, chunk int) error {
		w, out := &e.workers[worker], &e.chunks[chunk]
		for p := chunk * chunkSize; p < min((chunk+1)*chunkSize, numPlaces); p++ {
			if err := w.expand(out, graph.PlaceID(p)); err != nil {
				return err
			}
		}
		return nil
	})
	return e, err
}

// dropUndrivable drops restrictions over roads that are gone or closed.
func (x *extraction) dropUndrivable(g *nbg.Graph) {
	kept := x.restrictions[:0]
	drivable := func(from, to graph.PlaceID) bool {
		e := g.Find(from, to)
		return e != nbg.InvalidEdge && !g.Edges[e].Reversed
	}
	for _, r := range x.restrictions {
		ok, at := true, r.from
		for _, v := range r.via {
			ok = ok && drivable(at, v)
			at = v
		}
		if ok && drivable(at, r.to) {
			kept = append(kept, r)
		} else {
			x.report.drop(r.relation, restrictionNotDrivable)
		}
	}
	x.restrictions = kept
	x.report.AppliedRestrictions = len(kept)
}

// expand appends the turns at a place.
func (w *expandWorker) expand(out *expansion, p graph.PlaceID) error {
	first, end := w.graph.Out(p)
	if first == end {
		return nil
	}
	j := w.junction.At(p)
	out.addArms(w.graph, j)
	w.markSegregated(j)
	last := w.lastArrival(p)
	for e := first; e < end; e++ {
		in := w.graph.Edges[e].Twin
		if w.graph.Edges[in].Reversed {
			continue
		}
		// The work of a place grows with the square of its roads.
		if end-first > manyRoads {
			if err := w.ctx.Err(); err != nil {
				return err
			}
		}
		if err := w.turnsFrom(out, j, in, in == last); err != nil {
			return err
		}
	}
	return nil
}

// turnsFrom appends the turns from an edge that ends at the junction. Shown
// says that answers show the junction as it is seen from there.
func (w *expandWorker) turnsFrom(out *expansion, j *junction.Junction, in nbg.EdgeID, shown bool) error {
	g := w.graph
	p := j.Node
	from := g.Edges[g.Edges[in].Twin].Head
	view := j.View(in)
	roads := w.guide.Describe(in, view)
	w.arrive(in, roads, shown)
	var start *restrictionState
	var copies []int32
	if w.entered.Get(uint32(p)) {
		if s, ok := w.paths.starts[road{from, p}]; ok {
			start = &w.paths.states[s]
		}
		copies = w.paths.vias[road{from, p}]
	}
	tail := w.edgeNode[in]
	first, end := g.Out(p)
	w.inView = slices.Grow(w.inView[:0], int(end-first))[:end-first]
	clear(w.inView)
	w.legs = w.legs[:0]
	for i := range view {
		w.legs = append(w.legs, w.leg(&view[i]))
	}
	for i := range view {
		if view[i].Allowed {
			w.inView[view[i].Edge-first] = int32(i + 1)
		}
	}
	for e := first; e < end; e++ {
		i := int(w.inView[e-first]) - 1
		if i < 0 {
			continue
		}
		weight, duration, err := w.price(out, j, view, i, in, from)
		if err != nil {
			return fmt.Errorf("extract: turn at node %d: %w", w.x.nodePass.osmNodes[p], err)
		}
		to := g.Edges[e].Head
		t := turn{tail: tail, head: w.edgeNode[e], weight: weight, duration: duration, instruction: roads[i].Instruction}
		if start != nil {
			t.head = w.onward(start, to, e)
			w.conditions(out, start, t, p, to)
		}
		out.add(t, &roads[i])
		for _, via := range copies {
			s := w.paths.viaState[via]
			if w.paths.forbidden(s, to) {
				continue
			}
			state := &w.paths.states[s]
			t.tail, t.head = graph.NodeID(w.originals)+graph.NodeID(via), w.onward(state, to, e)
			w.conditions(out, state, t, p, to)
			out.add(t, &roads[i])
		}
	}
	return nil
}

// onward returns the search node that a turn onto edge e leads to: a copy if
// that continues the path of a restriction.
func (w *expandWorker) onward(s *restrictionState, to graph.PlaceID, e nbg.EdgeID) graph.NodeID {
	for _, l := range s.links {
		if l.to == to {
			return graph.NodeID(w.originals) + graph.NodeID(w.paths.states[l.state].via)
		}
	}
	return w.edgeNode[e]
}

// conditions records the conditional restrictions on a turn.
func (w *expandWorker) conditions(out *expansion, s *restrictionState, t turn, p, to graph.PlaceID) {
	for _, i := range s.ending {
		if r := &w.paths.restrictions[i]; !r.unconditional() && r.forbids(to) {
			out.conditions = append(out.conditions, turnCondition{t.tail, t.head, p, i})
		}
	}
}

// price asks the profile what a turn costs.
func (w *expandWorker) price(out *expansion, j *junction.Junction, view []junction.Turn, i int, in nbg.EdgeID, from graph.PlaceID) (weight, duration int16, err error) {
	g := w.graph
	to := view[i].Edge
	via := j.Node
	source, target := &g.Edges[in], &g.Edges[to]
	turnsRight, turnsLeft, number := junction.Sides(view, i)
	uTurn := view[i].UTurn()
	right := w.legs[i-len(turnsRight) : i]
	left := w.legs[i+1 : i+1+len(turnsLeft)]
	if uTurn { // both sides are its right
		w.right = append(append(w.right[:0], right...), left...)
		right, left = w.right, nil
	}
	t := &w.turn
	*t = profile.Turn{
		Angle: 180 - view[i].Angle, NumRoads: number, IsUTurn: uTurn,
		HasTrafficLight:   w.x.obstacles.anyAt(via, from, nbg.TrafficSignals),
		IsLeftHandDriving: source.LeftHand,
		Source:            w.road(in, j.Arms[g.Edges[in].Twin-j.Arms[0].Edge].Length),
		Target:            w.road(to, view[i].Length),
		SourceRoad:        w.legs[0], TargetRoad: w.legs[i],
		RoadsRight: right, RoadsLeft: left,
		From: uint32(from), Via: uint32(via), To: uint32(target.Head),
		Obstacles: w.x.obstacles.AppendObstacles(t.Obstacles[:0], uint32(from), uint32(via), profile.ObstacleAll),
		Finder:    &w.x.obstacles,
	}
	if err := w.profile.Turn(t); err != nil {
		return 0, 0, err
	}
	cut := func(v float64) int16 {
		if !(v > math.MinInt16 && v < math.MaxInt16+1) {
			out.capped++
		}
		return int16(truncate(v, math.MaxInt16))
	}
	return cut(t.Weight * w.multiplier), cut(t.Duration * 10), nil
}

// road describes the road that a turn leaves or enters.
func (w *expandWorker) road(e nbg.EdgeID, meters float64) profile.TurnRoad {
	edge, f := &w.graph.Edges[e], w.chains.flags[e]
	return profile.TurnRoad{
		Restricted: edge.Restricted, Motorway: f.motorway(), Link: f.has(flagLink),
		Mode: edge.Mode, NumLanes: int(f.numLanes()),
		HighwayTurnClass: f.highwayTurnClass(), AccessTurnClass: f.accessTurnClass(),
		Speed:    int(meters / float64(edge.Duration) * 36),
		Priority: f.priority(),
	}
}

// leg describes a road of a junction.
func (w *expandWorker) leg(t *junction.Turn) profile.TurnLeg {
	edge := &w.graph.Edges[t.Edge]
	l := w.chains.flags[t.Edge].leg(t.Length, edge.Duration)
	l.Outgoing = !edge.Reversed
	l.Incoming = edge.Reversed || !w.graph.Edges[edge.Twin].Reversed
	return l
}

// addArms appends the roads of a junction, clockwise by bearing.
func (x *expansion) addArms(g *nbg.Graph, j *junction.Junction) {
	start := len(x.arms)
	for i := range j.Arms {
		a := &j.Arms[i]
		x.arms = append(x.arms, graph.Arm{
			Arm:     g.Edges[a.Edge].Arm,
			Initial: bearing128(a.Initial), Perceived: bearing128(a.Perceived),
		})
		for k := len(x.arms) - 1; k > start && x.arms[k].Perceived < x.arms[k-1].Perceived; k-- {
			x.arms[k], x.arms[k-1] = x.arms[k-1], x.arms[k]
		}
	}
	x.junctions = append(x.junctions, junctionRange{j.Node, len(j.Arms)})
}

// bearing128 is a bearing in 1/128 degree, 0 … 360*128-1, rounded down: so
// what is rounded further, to halves of degrees say, is as if it came from the
// whole.
func bearing128(degrees float64) uint16 {
	return uint16(int(degrees*128) % (360 * 128))
}
