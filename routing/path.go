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
}

// path is the way from one end to another. The edges lead from one search node
// to the next; where only the cost counts they may be left out.
type path struct {
	from, to end
	edges    []graph.EdgeID
	summed   bool
	sum      cost // if summed is set
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
	sum := cost{
		weight:   p.to.offset.weight - p.from.offset.weight,
		duration: p.to.offset.duration - p.from.offset.duration,
		distance: p.to.offset.distance - p.from.offset.distance,
	}
	tail := p.from.node
	for _, e := range p.edges {
		sum.weight += m.EdgeWeight(tail, e)
		sum.duration += m.EdgeDuration(tail, e)
		sum.distance += int64(m.NodeDistance[tail])
		tail = n.EdgeHead[e]
	}
	return sum
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
}

// appendRuns appends the runs of a path to those of the paths before it in the
// same leg. Where the path goes on along the segment in which the one before
// it stopped, their runs become one, as if nothing had been there.
func appendRuns(dst []run, n *graph.Network, p *path) []run {
	next := run{arm: p.from.arm, node: p.from.node, first: p.from.segment, before: p.from.part}
	if i := len(dst) - 1; i >= 0 && dst[i].arm == next.arm && dst[i].last == next.first {
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
	return append(dst, next)
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

// hop is a piece of road between two neighboring places of a leg.
type hop struct {
	arm      graph.ArmID
	segment  uint32        // index into arrays by segment
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
