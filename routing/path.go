package routing

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// cost is the triple that every piece of road has.
type cost struct {
	weight   graph.Weight
	duration graph.Duration
	distance int64 // centimeters
}

// end is a place where a leg may start or stop: one direction of a road that a
// coordinate snapped to.
type end struct {
	arm      graph.ArmID
	node     graph.NodeID // original search node of arm
	segment  int          // of arm, counted in its direction
	location geo.Coord
	asked    geo.Coord // the coordinate
	part     cost      // from the beginning of the segment
	offset   cost      // from the beginning of arm
	source   bool      // whether a leg may start here
	target   bool      // whether a leg may stop here
	inArea   bool      // the coordinate lies in an open area
	walk     cost      // between the coordinate and location, across the area
}

// path is the way from one end to another. The edges lead from one search node
// to the next; where only the cost counts they may be left out.
type path struct {
	data     *dataset // whose metric it costs; nil for that of the workspace
	from, to end
	edges    []graph.EdgeID
	summed   bool
	sum      cost // if summed is set
	// A path within an open area takes no road: it is straight but for bends.
	within bool
	area   graph.AreaID
	bends  []graph.PlaceID
}

// cost adds up what a path costs.
func (p *path) cost(n *graph.Network, m *graph.Metric) cost {
	sum := p.sum
	if !p.summed {
		sum = p.add(n, m)
	}
	// Rounding within a segment may have put the target before the source.
	return cost{max(0, sum.weight), max(0, sum.duration), max(0, sum.distance)}
}

func (p *path) add(n *graph.Network, m *graph.Metric) cost {
	sum := p.ends()
	tail := p.from.node
	if len(p.edges) > 0 {
		// The bonus of a turn may be more than what is left of the road before.
		a, e := &p.from, p.edges[0]
		sum.weight += max(0, a.offset.weight-m.EdgeWeight(tail, e))
		sum.duration += max(0, a.offset.duration-m.EdgeDuration(tail, e))
	}
	for _, e := range p.edges {
		sum.weight += m.EdgeWeight(tail, e)
		sum.duration += m.EdgeDuration(tail, e)
		sum.distance += int64(m.NodeDistance[tail])
		tail = n.EdgeHead[e]
	}
	return sum
}

// ends returns what the ends of a path add to the cost of its edges.
func (p *path) ends() cost {
	a, b := &p.from, &p.to
	return cost{
		weight:   b.offset.weight - a.offset.weight + a.walk.weight + b.walk.weight,
		duration: b.offset.duration - a.offset.duration + a.walk.duration + b.walk.duration,
		distance: b.offset.distance - a.offset.distance + a.walk.distance + b.walk.distance,
	}
}

// segments returns the number of segments of an arm.
func segments(n *graph.Network, arm graph.ArmID) int {
	c := arm.Chain()
	return int(n.ChainFirst[c+1]-n.ChainFirst[c]) - 1
}

// segment returns the index into arrays by segment of an arm's i-th segment,
// counted in its direction, and the places at its beginning and end.
func segment(n *graph.Network, arm graph.ArmID, i int) (index uint32, from, to graph.PlaceID) {
	first := n.ChainFirst[arm.Chain()]
	if !arm.Reverse() {
		index = first + uint32(i)
		return index, n.ChainPlaces[index], n.ChainPlaces[index+1]
	}
	index = first + uint32(segments(n, arm)-1-i)
	return index, n.ChainPlaces[index+1], n.ChainPlaces[index]
}

// run is a stretch of one arm that a leg takes.
type run struct {
	arm         graph.ArmID
	node        graph.NodeID // search node of arm, maybe a copy
	first, last int          // segments of arm, counted in its direction
	before      cost         // of the first segment, what lies before the start
	edge        graph.EdgeID // the turn at the end of arm; InvalidEdge if the run stops before
	upTo        cost         // of the last segment, what lies before the stop
	stop        geo.Coord
	// A walk across an open area is no stretch of the arm, which lends it a name.
	// It costs upTo and is straight but for bends.
	walk  bool
	area  graph.AreaID
	bends []graph.PlaceID
}

// walkAt returns the walk between the coordinate of an end and its place, to stop.
func walkAt(e *end, stop geo.Coord) run {
	return run{
		arm: e.arm, node: e.node, first: e.segment, last: e.segment, edge: graph.InvalidEdge,
		walk: true, upTo: e.walk, stop: stop,
	}
}

// appendRuns appends the runs of a path to those of the paths before it in the
// same leg. Where the path goes on along the segment in which the one before
// it stopped, their runs become one, as if nothing had been there.
func appendRuns(dst []run, n *graph.Network, p *path) []run {
	if p.within {
		r := walkAt(&p.from, p.to.asked)
		r.upTo, r.area, r.bends = p.sum, p.area, p.bends
		return append(dst, r)
	}
	if p.from.inArea {
		dst = append(dst, walkAt(&p.from, p.from.location))
	}
	next := run{arm: p.from.arm, node: p.from.node, first: p.from.segment, before: p.from.part}
	if i := len(dst) - 1; i >= 0 && !dst[i].walk && dst[i].arm == next.arm && dst[i].last == next.first {
		next.first, next.before = dst[i].first, dst[i].before
		dst = dst[:i]
	}
	for _, e := range p.edges {
		next.last, next.edge = segments(n, next.arm)-1, e
		dst = append(dst, next)
		node := n.EdgeHead[e]
		next = run{arm: n.NodeArm[node], node: node}
	}
	next.last, next.edge = p.to.segment, graph.InvalidEdge
	next.upTo, next.stop = p.to.part, p.to.location
	if next.last < next.first {
		// Segments of no weight may lie between a target and a source after it.
		next.last, next.upTo = next.first, next.before
	}
	dst = append(dst, next)
	if p.to.inArea {
		dst = append(dst, walkAt(&p.to, p.to.asked))
	}
	return dst
}

// segment returns the weight and the duration of a segment of the run, as far
// as the run takes it; index is the segment's in arrays by segment.
func (r *run) segment(m *graph.Metric, i int, index uint32) (graph.Weight, graph.Duration) {
	direction := r.arm & 1
	weight, duration := m.SegmentWeight[direction][index], m.SegmentDuration[direction][index]
	if i == r.last && r.edge == graph.InvalidEdge {
		weight, duration = r.upTo.weight, r.upTo.duration
	}
	if i == r.first {
		weight, duration = max(0, weight-r.before.weight), max(0, duration-r.before.duration)
	}
	return weight, duration
}

// spent returns the weight and the duration of the run without the turn at its
// end.
func (r *run) spent(n *graph.Network, m *graph.Metric) (graph.Weight, graph.Duration) {
	if r.walk {
		return r.upTo.weight, r.upTo.duration
	}
	if r.first == 0 && r.before == (cost{}) && r.edge != graph.InvalidEdge {
		return m.NodeWeight[r.node], m.NodeDuration[r.node]
	}
	var weight graph.Weight
	var duration graph.Duration
	for i := r.first; i <= r.last; i++ {
		index, _, _ := segment(n, r.arm, i)
		w, d := r.segment(m, i, index)
		weight += w
		duration += d
	}
	return weight, duration
}

// passes says whether the end of a segment of the run is left out of lines if
// it is where the segment began. Turns that make a step keep their place.
func (r *run) passes(n *graph.Network, i int) bool {
	return i < r.last || r.edge != graph.InvalidEdge && n.Guidance.Instruction(r.edge).Type() == graph.TurnNone
}

// appendLine appends the places of runs to a line, from the start on, and the
// places of their ends in the line to ends.
func appendLine(line []geo.Coord, ends []int32, n *graph.Network, start geo.Coord, runs []run) ([]geo.Coord, []int32) {
	line = append(line, start)
	_, node, _ := segment(n, runs[0].arm, runs[0].first)
	for k := range runs {
		r := &runs[k]
		if r.walk {
			for _, place := range r.bends {
				line = append(line, n.Coords[place])
			}
			line, node = append(line, r.stop), graph.InvalidPlace
			ends = append(ends, int32(len(line)-1))
			continue
		}
		chain := n.ChainPlaces[n.ChainFirst[r.arm.Chain()]:n.ChainFirst[r.arm.Chain()+1]]
		at, step := r.first, 1
		if r.arm.Reverse() {
			at, step = len(chain)-1-r.first, -1
		}
		for i := r.first; i <= r.last; i++ {
			at += step
			to, location := chain[at], n.Coords[chain[at]]
			if i == r.last && r.edge == graph.InvalidEdge {
				location = r.stop
			}
			if to == node && location == line[len(line)-1] && r.passes(n, i) {
				continue
			}
			node = to
			line = append(line, location)
		}
		ends = append(ends, int32(len(line)-1))
	}
	return line, ends
}

// hop is a piece of road between two neighboring places of a leg, or a straight walk.
type hop struct {
	arm      graph.ArmID
	segment  uint32        // index into arrays by segment
	walk     bool          // on no segment
	node     graph.PlaceID // at the end of the segment
	location geo.Coord     // where the hop ends
	weight   graph.Weight  // without the turn
	duration graph.Duration
	hidden   bool // it ends where it began, so that lines leave it out
}

// appendHops appends the hops of runs that start at a place.
func appendHops(dst []hop, n *graph.Network, m *graph.Metric, start geo.Coord, runs []run) []hop {
	_, node, _ := segment(n, runs[0].arm, runs[0].first)
	location := start
	for i := range runs {
		r := &runs[i]
		if r.walk {
			dst = appendWalk(dst, n, location, r)
			node, location = graph.InvalidPlace, r.stop
			continue
		}
		for s := r.first; s <= r.last; s++ {
			index, _, to := segment(n, r.arm, s)
			h := hop{arm: r.arm, segment: index, node: to, location: n.Coords[to]}
			h.weight, h.duration = r.segment(m, s, index)
			if s == r.last && r.edge == graph.InvalidEdge {
				h.location = r.stop
			}
			h.hidden = h.node == node && h.location == location && r.passes(n, s)
			node, location = h.node, h.location
			dst = append(dst, h)
		}
	}
	return dst
}

// appendWalk appends the hops of a walk that starts at a place. Each costs what the
// walk up to its end costs more than the walk up to its beginning.
func appendWalk(dst []hop, n *graph.Network, start geo.Coord, r *run) []hop {
	var meters float64
	var before cost
	location := start
	for _, place := range r.bends {
		meters += geo.Distance(location, n.Coords[place])
		location = n.Coords[place]
		upTo := areaCost(n, r.area, meters)
		dst = append(dst, hop{
			arm: r.arm, node: place, location: location, walk: true,
			weight: upTo.weight - before.weight, duration: upTo.duration - before.duration,
		})
		before = upTo
	}
	// The end is no node; the nearest one is that of the road.
	_, _, node := segment(n, r.arm, r.last)
	return append(dst, hop{
		arm: r.arm, node: node, location: r.stop, walk: true,
		weight: r.upTo.weight - before.weight, duration: r.upTo.duration - before.duration,
	})
}

// source returns the index of the data source of the hop.
func (h *hop) source(m *graph.Metric) uint8 {
	if of := m.SegmentSource[h.arm&1]; of != nil && !h.walk {
		return of[h.segment]
	}
	return 0
}

// way returns the OSM way of the hop, negative against the order of its nodes; 0
// where there is none.
func (h *hop) way(n *graph.Network) int64 {
	if h.walk {
		return 0
	}
	way := n.Ways.Get(n.SegmentWay[h.segment])
	if h.arm.Reverse() {
		way = -way
	}
	return way
}
