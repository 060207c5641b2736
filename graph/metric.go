package graph

import "math"

// Metric gives a network its weights and durations. Arrays by segment index
// are parallel to Network.ChainPlaces; index 0 of a pair is the chain's stored
// direction, 1 its reverse (of the same segment). It is immutable and safe for
// concurrent use.
type Metric struct {
	SegmentWeight   [2][]Weight   // InvalidWeight: closed in that direction
	SegmentDuration [2][]Duration // InvalidDuration: closed in that direction
	// SegmentSource is the index into Sources that the segment's values
	// come from; nil where all are the profile's.
	SegmentSource [2][]uint8
	Sources       []string

	// By EdgeID: what the turn adds to the segment left behind.
	TurnWeight   []int16
	TurnDuration []int16
	// TurnClosed are the turns that a condition forbids now; nil for none.
	TurnClosed Bits

	// Sums over the segments of a search node, by NodeID.
	NodeWeight   []Weight
	NodeDuration []Duration
	NodeDistance []Distance
}

// EdgeWeight returns the weight of search edge e leaving tail: the weight of
// the tail's segment plus the turn's penalty, never negative.
func (m *Metric) EdgeWeight(tail NodeID, e EdgeID) Weight {
	return max(0, m.NodeWeight[tail]+Weight(m.TurnWeight[e]))
}

// EdgeDuration returns the duration of search edge e leaving tail.
func (m *Metric) EdgeDuration(tail NodeID, e EdgeID) Duration {
	return max(0, m.NodeDuration[tail]+Duration(m.TurnDuration[e]))
}

// SumNodes fills in the sums of all search nodes from the segments.
func (m *Metric) SumNodes(n *Network) {
	nodes := n.NumNodes()
	m.NodeWeight = make([]Weight, nodes)
	m.NodeDuration = make([]Duration, nodes)
	m.NodeDistance = make([]Distance, nodes)
	for v, arm := range n.NodeArm {
		m.SumNode(n, NodeID(v))
		first, end := n.ChainFirst[arm.Chain()], n.ChainFirst[arm.Chain()+1]-1
		var length int64
		for _, l := range n.SegmentLength[first:end] {
			length += int64(l)
		}
		m.NodeDistance[v] = Distance(min(length, math.MaxUint32))
	}
}

// SumNode computes weight and duration of a search node from its segments. A
// node with a closed segment is closed; sums that do not fit are capped.
func (m *Metric) SumNode(n *Network, v NodeID) {
	arm := n.NodeArm[v]
	sum := sumSegments(m, int(arm&1), n.ChainFirst[arm.Chain()], n.ChainFirst[arm.Chain()+1]-1)
	if !sum.open {
		m.NodeWeight[v], m.NodeDuration[v] = InvalidWeight, InvalidDuration
		return
	}
	m.NodeWeight[v], m.NodeDuration[v] = sum.add(0, 0)
}
