package graph

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
