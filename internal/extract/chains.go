package extract

import (
	"math"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
)

// chains are the compressed roads: their geometry and identity for the
// network, the values of their segments for the metric, and the graph that
// they make of the junctions.
type chains struct {
	first    []uint32
	places   []graph.PlaceID
	length   []graph.Distance
	way      []uint32
	ways     []int64
	weight   [2][]graph.Weight
	duration [2][]graph.Duration
	start    graph.Bits

	graph *nbg.Graph
	notes []uint32    // by edge of the graph
	flags []roadFlags // by edge of the graph
}

// newChains reads chains off the compressed graph, in the order of the lower
// of their ends; each is stored in a direction in which it can be driven.
func (x *extraction) newChains(g *roadGraph) (*chains, error) {
	n := graph.PlaceID(len(g.first) - 1)
	numEdges := 0
	firstEdge := make([]nbg.EdgeID, n+1)
	for p := range n {
		first, end := g.out(p)
		numEdges += int(end - first)
		firstEdge[p+1] = nbg.EdgeID(numEdges)
	}
	numChains := numEdges / 2
	if numEdges >= math.MaxInt32 {
		return nil, &SizeError{What: "directions of roads", Limit: math.MaxInt32}
	}
	numEntries := len(g.arcs)/2 + len(g.passages) + numChains
	if uint64(numEntries) >= math.MaxUint32 {
		return nil, &SizeError{What: "places of roads", Limit: math.MaxUint32 - 1}
	}
	c := &chains{
		first:  make([]uint32, 1, numChains+1),
		places: make([]graph.PlaceID, 0, numEntries),
		length: make([]graph.Distance, 0, numEntries),
		way:    make([]uint32, 0, numEntries),
		start:  graph.MakeBits(numChains),
		notes:  make([]uint32, numEdges),
		flags:  make([]roadFlags, numEdges),
		graph: &nbg.Graph{
			First: firstEdge, Edges: make([]nbg.Edge, numEdges),
			Coords:           x.nodePass.coords,
			Obstacles:        x.obstacles.list,
			LaneDescriptions: x.wayPass.lanes.descriptions,
			Labels:           x.wayPass.labels.values,
		},
	}
	for dir := range c.weight {
		c.weight[dir] = make([]graph.Weight, 0, numEntries)
		c.duration[dir] = make([]graph.Duration, 0, numEntries)
	}
	b := chainBuilder{
		c: c, g: g, x: x,
		wayIndex: make([]uint32, 2*len(x.wayPass.ways)),
	}
	for u := range n {
		first, end := g.out(u)
		for a := first; a < end; a++ {
			if w := g.arcs[a].head; u < w {
				b.add(u, w, a, g.find(w, u))
			}
		}
	}
	c.graph.ChainFirst, c.graph.ChainPlaces = c.first, c.places
	x.report.Chains = numChains
	return c, nil
}

type chainBuilder struct {
	c        *chains
	g        *roadGraph
	x        *extraction
	wayIndex []uint32 // by arc.way, 0 for none yet, else the index plus 1
	// Sums of the chain at hand by direction.
	weight, duration [2]int64
}

// add adds the chain between u and w, with its arcs at both ends.
func (b *chainBuilder) add(u, w graph.PlaceID, atU, atW uint32) {
	c, g := b.c, b.g
	id := graph.ChainID(len(c.first) - 1)
	edgeU := c.graph.First[u] + nbg.EdgeID(atU-g.first[u])
	edgeW := c.graph.First[w] + nbg.EdgeID(atW-g.first[w])
	if g.arcs[atU].flags.reversed() {
		u, w, atU, atW, edgeU, edgeW = w, u, atW, atU, edgeW, edgeU
	}
	oneWay := g.arcs[atW].flags.reversed()

	b.weight, b.duration = [2]int64{}, [2]int64{}
	c.places = append(c.places, u)
	for prev, a := u, atU; ; {
		forth := &g.arcs[a]
		at := forth.next
		back, onward := g.pair(at, prev)
		c.length = append(c.length, forth.length)
		c.way = append(c.way, b.way(forth.way))
		b.values(0, forth.weight, forth.duration, false)
		b.values(1, g.arcs[back].weight, g.arcs[back].duration, oneWay)
		c.places = append(c.places, at)
		if !g.compressed.Get(uint32(at)) {
			break
		}
		if p, dir := g.passage(at, prev); p != nil {
			c.length = append(c.length, 0)
			c.way = append(c.way, c.way[len(c.way)-1])
			b.values(0, p.weight[dir], p.duration[dir], false)
			b.values(1, p.weight[1-dir], p.duration[1-dir], oneWay)
			c.places = append(c.places, at)
		}
		prev, a = at, onward
	}
	// The last entry of a chain has no segment.
	c.length = append(c.length, 0)
	c.way = append(c.way, 0)
	b.values(0, 0, 0, true)
	b.values(1, 0, 0, true)
	c.first = append(c.first, uint32(len(c.places)))

	if (g.arcs[atU].flags | g.arcs[atW].flags).has(flagStartPoint) {
		c.start.Set(uint32(id))
	}
	b.edge(edgeU, w, edgeW, graph.ArmID(id)<<1, &g.arcs[atU])
	b.edge(edgeW, u, edgeU, graph.ArmID(id)<<1|1, &g.arcs[atW])
}

// values adds the next segment's values in a direction. Those of closed
// directions count for the whole road all the same: they are how fast traffic
// comes the other way.
func (b *chainBuilder) values(dir int, weight graph.Weight, duration graph.Duration, closed bool) {
	b.weight[dir] += int64(weight)
	b.duration[dir] += int64(duration)
	if closed {
		weight, duration = graph.InvalidWeight, graph.InvalidDuration
	}
	b.c.weight[dir] = append(b.c.weight[dir], weight)
	b.c.duration[dir] = append(b.c.duration[dir], duration)
}

// way returns the index of a way in the network's list.
func (b *chainBuilder) way(w uint32) uint32 {
	if b.wayIndex[w] == 0 {
		id := b.x.wayPass.ways[w>>1].id
		if w&1 != 0 {
			id = -id
		}
		b.c.ways = append(b.c.ways, id)
		b.wayIndex[w] = uint32(len(b.c.ways))
	}
	return b.wayIndex[w] - 1
}

func (b *chainBuilder) edge(id nbg.EdgeID, head graph.PlaceID, twin nbg.EdgeID, arm graph.ArmID, a *arc) {
	note := &b.x.wayPass.notes.values[a.note]
	label := &b.x.wayPass.labels.values[note.labels]
	f := a.flags
	b.c.notes[id], b.c.flags[id] = a.note, f
	b.c.graph.Edges[id] = nbg.Edge{
		Head: head, Twin: twin, Arm: arm,
		Weight:   graph.Weight(min(b.weight[arm&1], math.MaxInt32-1)),
		Duration: graph.Duration(min(b.duration[arm&1], math.MaxInt32-1)),
		Names:    note.labels, Name: label.Name, Ref: label.Ref,
		Lanes: note.lanes, Class: f.class(), Classes: note.classes, Mode: note.mode,
		Reversed:   f.reversed(),
		Roundabout: f.has(flagRoundabout), Circular: f.has(flagCircular),
		StartPoint: f.has(flagStartPoint), Restricted: f.has(flagRestricted),
		Split: f&accessMask == accessSplit, LeftHand: note.leftHand,
		HighwayTurnClass: f.highwayTurnClass(), AccessTurnClass: f.accessTurnClass(),
	}
}
