package extract

import (
	"cmp"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/junction"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/extract/turns"
)

// turnLanes are the lanes of one of a chunk's turns.
type turnLanes struct {
	turn uint32
	use  turns.LaneUse
}

// add appends a turn into a road.
func (x *expansion) add(t turn, r *turns.Road) {
	if r.Lanes.Count > 0 {
		x.lanes = append(x.lanes, turnLanes{uint32(len(x.turns)), r.Lanes})
	}
	x.turns = append(x.turns, t)
}

// arrivals is what guidance needs to know of each way to arrive at a junction.
// Workers write to places of their own.
type arrivals struct {
	// By search node.
	before     []uint8
	entries    []uint32
	segregated []bool
	shown      []bool // by arm
}

func newArrivals(nodes, arms int) arrivals {
	return arrivals{
		before: make([]uint8, nodes), entries: make([]uint32, nodes),
		segregated: make([]bool, nodes), shown: make([]bool, arms),
	}
}

// lastArrival returns the edge into a junction from its farthest neighbor in
// the order of places. OSRM shows all who pass the roads that are seen from
// there, which differ where split roads were merged.
func (w *expandWorker) lastArrival(p graph.PlaceID) nbg.EdgeID {
	last := nbg.InvalidEdge
	var from graph.PlaceID
	first, end := w.graph.Out(p)
	for e := first; e < end; e++ {
		edge := &w.graph.Edges[e]
		if !w.graph.Edges[edge.Twin].Reversed && (last == nbg.InvalidEdge || edge.Head > from) {
			last, from = edge.Twin, edge.Head
		}
	}
	return last
}

// arrive notes how one sees a junction who comes from an edge.
func (w *expandWorker) arrive(in nbg.EdgeID, roads []turns.Road, shown bool) {
	if shown {
		for i := range roads {
			w.seen.shown[w.graph.Edges[roads[i].Edge].Arm] = true
		}
	}
	node := w.edgeNode[in]
	w.seen.before[node] = uint8(bearing128(roads[0].Perceived) / bearing128PerByte)
	w.seen.entries[node] = w.entrySet(roads)
}

// bearing128PerByte is 1/256 of a circle in 1/128 degree.
const bearing128PerByte = 360 * 128 / 256

// entrySet tells which roads may be entered, in clockwise order from north. Of
// more than 32 it knows the first ones.
func (w *expandWorker) entrySet(roads []turns.Road) uint32 {
	w.order = w.order[:0]
	for i := range roads {
		w.order = append(w.order, int32(i))
	}
	slices.SortStableFunc(w.order, func(a, b int32) int {
		return cmp.Compare(roads[a].Perceived, roads[b].Perceived)
	})
	w.byBearing = w.byBearing[:0]
	var set uint32
	for position, i := range w.order {
		w.byBearing = append(w.byBearing, bearing128(roads[i].Perceived))
		if roads[i].Allowed && position < 32 {
			set |= 1 << position
		}
	}
	if graph.ShowsLastFirst(w.byBearing) {
		set = rotate(set, len(roads))
	}
	return set
}

// rotate makes the last of n bits the first.
func rotate(set uint32, n int) uint32 {
	if n < 2 || n > 32 {
		return set
	}
	return (set<<1 | set>>(n-1)&1) & uint32(1<<n-1)
}

// markSegregated finds the roads from a junction that lie within a crossing of
// split roads.
func (w *expandWorker) markSegregated(j *junction.Junction) {
	for i := range j.Arms {
		a := &j.Arms[i]
		if node := w.edgeNode[a.Edge]; node != graph.InvalidNode {
			w.seen.segregated[node] = w.guide.Segregated(a.Edge, a.Length)
		}
	}
}

// store puts the arrivals into the network.
func (s *arrivals) store(net *graph.Network) error {
	g := &net.Guidance
	g.Before = s.before
	g.Entries = make([]uint16, len(s.entries))
	known := make(map[uint32]uint16)
	for i, set := range s.entries {
		id, ok := known[set]
		if !ok {
			if len(g.EntrySets) == graph.MaxEntrySets {
				return &SizeError{What: "sets of roads to enter", Limit: graph.MaxEntrySets}
			}
			id = uint16(len(g.EntrySets))
			known[set] = id
			g.EntrySets = append(g.EntrySets, set)
		}
		g.Entries[i] = id
	}
	g.Segregated = graph.MakeBits(len(s.segregated))
	for i, is := range s.segregated {
		if is {
			g.Segregated.Set(uint32(i))
		}
	}
	g.Unseen = graph.MakeBits(len(net.JunctionArms))
	for i := range net.JunctionArms {
		if !s.shown[net.JunctionArms[i].Arm] {
			g.Unseen.Set(uint32(i))
		}
	}
	*s = arrivals{}
	return nil
}

// laneUses numbers lanes and their descriptions in the order of turns.
type laneUses struct {
	graph  *nbg.Graph
	edges  []laneEdge
	ids    map[turns.LaneUse]uint32
	table  []turns.LaneUse
	failed bool
}

type laneEdge struct {
	edge graph.EdgeID
	use  uint16
}

func newLaneUses(e *expander) *laneUses {
	return &laneUses{graph: e.graph, ids: make(map[turns.LaneUse]uint32)}
}

func (l *laneUses) add(e graph.EdgeID, use turns.LaneUse) {
	id, ok := l.ids[use]
	if !ok {
		id = uint32(len(l.table))
		l.ids[use] = id
		l.table = append(l.table, use)
		l.failed = l.failed || id > math.MaxUint16
	}
	l.edges = append(l.edges, laneEdge{e, uint16(id)})
}

func (l *laneUses) store(g *graph.Guidance) error {
	if l.failed {
		return &SizeError{What: "uses of lanes", Limit: graph.MaxLaneUses}
	}
	slices.SortFunc(l.edges, func(a, b laneEdge) int { return cmp.Compare(a.edge, b.edge) })
	g.LaneEdges = make([]graph.EdgeID, len(l.edges))
	g.LaneUses = make([]uint16, len(l.edges))
	for i, e := range l.edges {
		g.LaneEdges[i], g.LaneUses[i] = e.edge, e.use
	}
	g.LaneFirst = []uint32{0}
	descriptions := make(map[[2]uint32]uint32)
	for _, use := range l.table {
		key := [2]uint32{use.Left, use.Right}
		id, ok := descriptions[key]
		if !ok {
			id = uint32(len(g.LaneFirst) - 1)
			descriptions[key] = id
			g.Lanes = append(g.Lanes, l.graph.LaneDescriptions[use.Left]...)
			g.Lanes = append(g.Lanes, l.graph.LaneDescriptions[use.Right]...)
			g.LaneFirst = append(g.LaneFirst, uint32(len(g.Lanes)))
		}
		g.LaneTable = append(g.LaneTable, graph.LaneUse{Description: id, Count: use.Count, First: use.First})
	}
	return nil
}
