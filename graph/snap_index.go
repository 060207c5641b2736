package graph

// SnapIndex is the packed spatial index over the segments of a network.
type SnapIndex struct{}
