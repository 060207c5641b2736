package extract

import (
	"math"
	"math/bits"
	"time"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/packed"
)

// smallComponent is the default of Options.SmallComponent, which is OSRM's.
const smallComponent = 1000

// dataVersionOfFile asks for the replication time of the file as version.
const dataVersionOfFile = "osmosis"

// assemble joins the outcome of all stages to a network that lacks what follows
// from the rest, see complete.
func (x *extraction) assemble(c *chains, e *expander) (*Result, error) {
	net := &graph.Network{
		Coords: x.nodePass.coords, OSMNodes: packed.NewInts(x.nodePass.osmNodes),
		ChainFirst: c.first, ChainPlaces: c.places,
		SegmentLength: c.length, SegmentWay: c.way, Ways: packed.NewInts(c.ways),
		ChainStart: c.start,
		Originals:  e.originals,
	}
	m := &graph.Metric{SegmentWeight: c.weight, SegmentDuration: c.duration}
	x.addJunctions(net, e)
	x.addArms(net, c, e)
	if err := x.addEdges(net, m, e); err != nil {
		return nil, err
	}
	storeTold(&net.Guidance, e.graph, e.overrides)
	if err := e.seen.store(net); err != nil {
		return nil, err
	}
	if err := x.addProperties(net); err != nil {
		return nil, err
	}
	if err := x.addConditions(net, e); err != nil {
		return nil, err
	}
	if err := x.addAreas(net); err != nil {
		return nil, err
	}
	net.Strings = x.wayPass.texts.table
	r := &Result{Network: net, Metric: m}
	x.report.SearchNodes, x.report.SearchEdges = net.NumNodes(), net.NumEdges()
	x.report.Copies = len(e.paths.viaRoads)
	return r, nil
}

// complete adds the sums of nodes and the components.
func (x *extraction) complete(r *Result) {
	r.Metric.SumNodes(r.Network)
	x.addComponents(r.Network)
}

func (x *extraction) addJunctions(net *graph.Network, e *expander) {
	numJunctions, numArms := 0, 0
	for i := range e.chunks {
		numJunctions += len(e.chunks[i].junctions)
		numArms += len(e.chunks[i].arms)
	}
	net.JunctionPlace = make([]graph.PlaceID, 0, numJunctions)
	net.JunctionFirst = make([]uint32, 1, numJunctions+1)
	net.JunctionArms = make([]graph.Arm, 0, numArms)
	net.ArmJunction = make([]graph.JunctionID, numArms)
	for i := range e.chunks {
		chunk := &e.chunks[i]
		first := len(net.JunctionArms)
		net.JunctionArms = append(net.JunctionArms, chunk.arms...)
		for _, j := range chunk.junctions {
			for _, a := range net.JunctionArms[first : first+j.arms] {
				net.ArmJunction[a.Arm] = graph.JunctionID(len(net.JunctionPlace))
			}
			first += j.arms
			net.JunctionPlace = append(net.JunctionPlace, j.place)
			net.JunctionFirst = append(net.JunctionFirst, uint32(first))
		}
		chunk.arms, chunk.junctions = nil, nil
	}
	x.report.Junctions = numJunctions
}

// addArms gives each direction of a chain its road and search node.
func (x *extraction) addArms(net *graph.Network, c *chains, e *expander) {
	numArms := len(c.graph.Edges)
	net.ArmNode = make([]graph.NodeID, numArms)
	net.ArmRoad = make([]graph.RoadID, numArms)
	net.NodeArm = make([]graph.ArmID, int(e.originals)+len(e.paths.viaRoads))
	roads := newUnique[graph.Road]()
	// Most roads differ in nothing but the way; the numbers of note and flags
	// are quicker to compare than the whole.
	type key struct {
		note  uint32
		flags roadFlags
	}
	known := make(map[key]graph.RoadID)
	for i := range c.graph.Edges {
		edge := &c.graph.Edges[i]
		k := key{c.notes[i], c.flags[i] &^ (flagReversed | accessMask)}
		id, ok := known[k]
		if !ok {
			id = graph.RoadID(roads.id(x.road(k.note, k.flags)))
			known[k] = id
		}
		net.ArmRoad[edge.Arm] = id
		net.ArmNode[edge.Arm] = e.edgeNode[i]
		if n := e.edgeNode[i]; n != graph.InvalidNode {
			net.NodeArm[n] = edge.Arm
		}
	}
	for i, r := range e.paths.viaRoads {
		net.NodeArm[int(e.originals)+i] = c.graph.Edges[c.graph.Find(r.from, r.to)].Arm
	}
	net.Roads = roads.values
}

func (x *extraction) road(note uint32, f roadFlags) graph.Road {
	n := &x.wayPass.notes.values[note]
	l := &x.wayPass.labels.values[n.labels]
	r := graph.Road{
		Name: l.Name, Ref: l.Ref, Pronunciation: l.Pronunciation,
		Destinations: l.Destinations, Exits: l.Exits,
		Lanes:   x.wayPass.lanes.texts[n.lanes],
		Classes: n.classes, Mode: n.mode,
		Priority: uint8(f.priority()), NumLanes: f.numLanes(),
	}
	for _, b := range [...]struct {
		is   bool
		flag graph.RoadFlags
	}{
		{n.leftHand, graph.RoadLeftHand},
		{f.has(flagMotorway), graph.RoadMotorway},
		{f.has(flagLink), graph.RoadLink},
		{f.has(flagIgnored), graph.RoadMayBeIgnored},
		{f.has(flagRoundabout), graph.RoadRoundabout},
		{f.has(flagCircular), graph.RoadCircular},
		{f.has(flagRestricted), graph.RoadRestricted},
	} {
		if b.is {
			r.Flags |= b.flag
		}
	}
	return r
}

// addEdges sorts turns by the search node that they leave. Those of one node
// come from one chunk, in a fixed order.
func (x *extraction) addEdges(net *graph.Network, m *graph.Metric, e *expander) error {
	total := 0
	for i := range e.chunks {
		total += len(e.chunks[i].turns)
		x.report.Dropped.CappedTurns += e.chunks[i].capped
	}
	if uint64(total) >= math.MaxUint32 {
		return &SizeError{What: "turns", Limit: math.MaxUint32 - 1}
	}
	net.EdgeFirst = make([]graph.EdgeID, len(net.NodeArm)+1)
	for i := range e.chunks {
		for _, t := range e.chunks[i].turns {
			net.EdgeFirst[t.tail]++
		}
	}
	sum := graph.EdgeID(0)
	for v, n := range net.EdgeFirst {
		net.EdgeFirst[v] = sum
		sum += n
	}
	net.EdgeHead = make([]graph.NodeID, total)
	m.TurnWeight, m.TurnDuration = make([]int16, total), make([]int16, total)
	net.Guidance.Instructions = make([]graph.Instruction, total)
	lanes := newLaneUses(e)
	// EdgeFirst[v] moves on to the end of v while its edges are put in place.
	for i := range e.chunks {
		more := e.chunks[i].lanes
		for k, t := range e.chunks[i].turns {
			at := net.EdgeFirst[t.tail]
			net.EdgeFirst[t.tail]++
			net.EdgeHead[at] = t.head
			m.TurnWeight[at], m.TurnDuration[at] = t.weight, t.duration
			net.Guidance.Instructions[at] = t.instruction
			if len(more) > 0 && more[0].turn == uint32(k) {
				lanes.add(at, more[0].use)
				more = more[1:]
			}
		}
		e.chunks[i].turns, e.chunks[i].lanes = nil, nil
	}
	if err := lanes.store(&net.Guidance); err != nil {
		return err
	}
	copy(net.EdgeFirst[1:], net.EdgeFirst)
	net.EdgeFirst[0] = 0
	return nil
}

// addComponents labels the components of the edge-expanded graph in which
// turning round is possible everywhere on two-way roads.
func (x *extraction) addComponents(net *graph.Network) {
	g := sccGraph{first: net.EdgeFirst, head: net.EdgeHead, twin: make([]graph.NodeID, net.NumNodes())}
	for v := range g.twin {
		g.twin[v] = graph.InvalidNode
		if uint32(v) < net.Originals {
			g.twin[v] = net.ArmNode[net.NodeArm[v].Twin()]
		}
	}
	of, sizes := g.components()
	net.NodeComponent = make([]graph.Component, len(of))
	for v, c := range of {
		net.NodeComponent[v] = graph.Component(c)
		if sizes[c] < uint32(x.opts.SmallComponent) {
			net.NodeComponent[v] |= 1 << 31
		}
	}
	x.report.Components = len(sizes)
	for _, size := range sizes {
		if size >= uint32(x.opts.SmallComponent) {
			x.report.LargeComponents++
		}
	}
}

// classOrder returns the bits of classes in the order in which ways have them.
func (x *extraction) classOrder() []uint8 {
	var order []uint8
	var seen graph.ClassMask
	for i := range x.wayPass.notes.values {
		for c := x.wayPass.notes.values[i].classes &^ seen; c != 0; c &= c - 1 {
			bit := uint8(bits.TrailingZeros8(uint8(c)))
			seen |= 1 << bit
			order = append(order, bit)
		}
	}
	return order
}

func (x *extraction) addProperties(net *graph.Network) error {
	p := x.props
	net.Properties = graph.Properties{
		Profile:    x.profile.Name(),
		WeightName: p.WeightName, WeightPrecision: p.WeightPrecision,
		ContinueStraight:       p.ContinueStraightAtWaypoint,
		LeftHandDriving:        p.LeftHandDriving,
		MaxSpeedForMapMatching: p.MaxSpeedForMapMatching,
		MaxCollapseDistance:    p.MaxCollapseDistance,
		TrafficSignalPenalty:   p.TrafficSignalPenalty,
		UTurnPenalty:           p.UTurnPenalty,
		Classes:                append([]string(nil), p.Classes...),
		ClassOrder:             x.classOrder(),
		SuffixList:             append([]string(nil), p.SuffixList...),
		SmallComponent:         x.opts.SmallComponent,
		DataVersion:            x.opts.DataVersion,
	}
	for _, names := range p.Excludable {
		mask, err := p.ClassMask(names...)
		if err != nil {
			return err
		}
		net.Properties.Excludable = append(net.Properties.Excludable, mask)
	}
	if t := x.file.Header().ReplicationTimestamp; !t.IsZero() {
		net.Properties.DataTime = t.Unix()
		if x.opts.DataVersion == dataVersionOfFile {
			net.Properties.DataVersion = t.UTC().Format(time.RFC3339)
		}
	}
	lo, hi := geo.Coord{Lon: math.MaxInt32, Lat: math.MaxInt32}, geo.Coord{Lon: math.MinInt32, Lat: math.MinInt32}
	for _, place := range net.ChainPlaces {
		c := net.Coords[place]
		lo.Lon, lo.Lat = min(lo.Lon, c.Lon), min(lo.Lat, c.Lat)
		hi.Lon, hi.Lat = max(hi.Lon, c.Lon), max(hi.Lat, c.Lat)
	}
	net.Properties.Min, net.Properties.Max = lo, hi
	return nil
}

// addConditions finds the search edges of conditional restrictions.
func (x *extraction) addConditions(net *graph.Network, e *expander) error {
	for i := range e.chunks {
		for _, c := range e.chunks[i].conditions {
			text, err := x.wayPass.texts.id(e.paths.restrictions[c.restriction].condition)
			if err != nil {
				return err
			}
			for edge := net.EdgeFirst[c.tail]; edge < net.EdgeFirst[c.tail+1]; edge++ {
				if net.EdgeHead[edge] == c.head {
					net.Conditions = append(net.Conditions, graph.Condition{Edge: edge, Place: c.place, Text: text})
				}
			}
		}
	}
	x.report.ConditionalTurns = len(net.Conditions)
	return nil
}
