package traffic

import "github.com/fourway-routing/fourway/graph"

// Segment is a segment of road in a direction.
type Segment struct {
	Arm   graph.ArmID
	Index uint32 // in arrays by segment
}

// Find returns the segment from one OSM node to its neighbor, whether or not it can
// be driven in that direction.
func (x *Index) Find(from, to int64) (s Segment, ok bool) {
	at, ok := x.find(x.place(from), x.place(to))
	return Segment{at.arm, at.index}, ok
}

// AppendWay appends the segments of a way in a direction, whether or not they can
// be driven so. The first call takes time linear in the size of the network.
func (x *Index) AppendWay(dst []Segment, way DirectedWay) []Segment {
	for _, s := range x.ways().segments(nil, way) {
		dst = append(dst, Segment{s.arm, s.index})
	}
	return dst
}

// CloseSegment closes a segment. It reports false if it cannot be driven anyway.
func (u *Updater) CloseSegment(s Segment) bool {
	return u.change(segment{s.Index, s.Arm}, Speed{}, 0)
}
