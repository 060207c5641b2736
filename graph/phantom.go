package graph

import (
	"math"

	"github.com/fourway-routing/fourway/internal/geo"
)

// Phantom is a place on a segment where a route can start or end. Pairs are by
// direction of the chain, 0 being the stored one. It holds no pointers.
type Phantom struct {
	Place geo.Coord // on the segment
	Input geo.Coord // what was asked for
	Chain ChainID
	// Segment is the position of the segment in the chain's stored order.
	Segment uint32
	// Nodes are the original search nodes, InvalidNode where the direction is
	// not usable: not drivable, closed, or filtered out.
	Nodes [2]NodeID
	// Weight, Duration and Distance lead from the start of the search node, as
	// one drives, to Place. They mean nothing where Nodes is InvalidNode.
	Weight   [2]Weight
	Duration [2]Duration
	Distance [2]Distance
	// Component is that of the direction that is drivable, the stored one if
	// both are.
	Component Component
	// Source and Target say whether a route can start, and end, here in a
	// direction: a closed segment ahead forbids the first, one behind both.
	Source, Target [2]bool
	// SnapDistance is the distance from Input to Place in meters.
	SnapDistance float64
	// InArea is set where Input lies in an open area and Place is a way out of
	// it. Walk is then the way between the two.
	InArea bool
	Walk   Walk
}

// Walk is the cost of a straight line across an open area.
type Walk struct {
	Weight   Weight
	Duration Duration
	Distance Distance
}

// AppendSourceSeeds appends the seeds of a search that starts at p.
func (p *Phantom) AppendSourceSeeds(dst []Seed) []Seed {
	for d, ok := range p.Source {
		if ok {
			dst = append(dst, Seed{
				Node: p.Nodes[d], Weight: p.Walk.Weight - p.Weight[d], Spent: p.Walk.Weight,
				Duration: p.Walk.Duration - p.Duration[d], Distance: int64(p.Walk.Distance) - int64(p.Distance[d]),
			})
		}
	}
	return dst
}

// AppendTargetSeeds appends the seeds of a search in n that ends at p: every
// copy of the search nodes counts.
func (p *Phantom) AppendTargetSeeds(dst []Seed, n *Network) []Seed {
	for d, ok := range p.Target {
		if !ok {
			continue
		}
		seed := Seed{
			Node: p.Nodes[d], Weight: p.Weight[d] + p.Walk.Weight, Spent: p.Walk.Weight,
			Duration: p.Duration[d] + p.Walk.Duration, Distance: int64(p.Distance[d]) + int64(p.Walk.Distance),
		}
		dst = append(dst, seed)
		for _, c := range n.CopiesOf(p.Nodes[d]) {
			seed.Node = c.Copy
			dst = append(dst, seed)
		}
	}
	return dst
}

// Bearing returns the bearing of the segment in a direction of the chain, in
// degrees 0 … 360 without fraction.
func (p *Phantom) Bearing(n *Network, direction int) int {
	arm := ArmID(p.Chain)<<1 | ArmID(direction)
	i := n.ChainFirst[p.Chain] + p.Segment
	from, to := n.Coords[n.ChainPlaces[i]], n.Coords[n.ChainPlaces[i+1]]
	// Computed in the direction that is drivable, as OSRM does.
	if stored := n.ArmNode[arm&^1] != InvalidNode; stored == arm.Reverse() {
		if !stored {
			from, to = to, from
		}
		return int(geo.ReverseBearing(math.Trunc(geo.Bearing(from, to))))
	}
	if arm.Reverse() {
		from, to = to, from
	}
	return int(geo.Bearing(from, to))
}

// fill makes p the phantom of a place on an item that is usable in the item's
// own direction, its reverse, or both.
func (p *Phantom) fill(n *Network, m *Metric, item *snapItem, at geo.Projection, input geo.Coord, own, reverse bool) {
	pos := item.position()
	arm := item.arm()
	*p = Phantom{
		Place:        at.Place,
		Input:        input,
		Chain:        item.Chain,
		Segment:      pos,
		Nodes:        [2]NodeID{InvalidNode, InvalidNode},
		Component:    n.NodeComponent[n.ArmNode[arm]],
		SnapDistance: at.Distance,
	}
	d, r := arm&1, arm&1^1
	if own {
		p.Nodes[d] = n.ArmNode[arm]
	}
	if reverse {
		p.Nodes[r] = n.ArmNode[arm.Twin()]
	}

	first, end := n.ChainFirst[item.Chain], n.ChainFirst[item.Chain+1]-1
	segment := first + pos
	length := n.SegmentLength[segment]
	for i := first; i < segment; i++ {
		p.Distance[0] += n.SegmentLength[i]
	}
	for i := segment + 1; i < end; i++ {
		p.Distance[1] += n.SegmentLength[i]
	}
	// Rounding could put a place on the segment beyond its end.
	p.Distance[d] += min(Distance(geo.DistanceCM(item.From, p.Place)), length)
	p.Distance[r] += min(Distance(geo.DistanceCM(p.Place, item.To)), length)

	// Each direction's share is rounded once, towards its own start, and the
	// two share the segment's ratio, as in OSRM.
	weight, duration := m.SegmentWeight[d][segment], m.SegmentDuration[d][segment]
	p.Weight[d] = Weight(float64(weight) * at.Share)
	p.Duration[d] = Duration(float64(duration) * at.Share)
	weight, duration = m.SegmentWeight[r][segment], m.SegmentDuration[r][segment]
	p.Weight[r] = weight - Weight(float64(weight)*at.Share)
	p.Duration[r] = duration - Duration(float64(duration)*at.Share)

	before, after := sumSegments(m, 0, first, segment), sumSegments(m, 0, segment+1, end)
	p.Weight[0], p.Duration[0] = before.add(p.Weight[0], p.Duration[0])
	open := p.Nodes[0] != InvalidNode && before.open && m.SegmentWeight[0][segment] != InvalidWeight
	p.Source[0], p.Target[0] = open && after.open, open

	before, after = sumSegments(m, 1, segment+1, end), sumSegments(m, 1, first, segment)
	p.Weight[1], p.Duration[1] = before.add(p.Weight[1], p.Duration[1])
	open = p.Nodes[1] != InvalidNode && before.open && m.SegmentWeight[1][segment] != InvalidWeight
	p.Source[1], p.Target[1] = open && after.open, open
}

// segmentSum is what a stretch of segments costs.
type segmentSum struct {
	weight, duration int64
	open             bool
}

func sumSegments(m *Metric, direction int, first, end uint32) segmentSum {
	s := segmentSum{open: true}
	weights, durations := m.SegmentWeight[direction], m.SegmentDuration[direction]
	for i := first; i < end; i++ {
		if weights[i] == InvalidWeight {
			s.open = false
			continue
		}
		s.weight += int64(weights[i])
		s.duration += int64(durations[i])
	}
	return s
}

// add adds the cost of a stretch, stopping short of the sentinels.
func (s segmentSum) add(w Weight, d Duration) (Weight, Duration) {
	return Weight(min(s.weight+int64(w), int64(InvalidWeight)-1)),
		Duration(min(s.duration+int64(d), int64(InvalidDuration)-1))
}
