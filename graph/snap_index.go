package graph

// SnapIndex is the packed spatial index over the segments of a network.
type SnapIndex struct{}

// BuildSnapIndex indexes the segments of a network.
func BuildSnapIndex(n *Network) SnapIndex { return SnapIndex{} }
