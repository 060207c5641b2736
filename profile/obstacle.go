package profile

// ObstacleType is a kind of obstacle, or a set of kinds.
type ObstacleType uint16

// The kinds of obstacles, numbered as OSRM numbers them.
const (
	ObstacleBarrier ObstacleType = 1 << iota
	ObstacleTrafficSignals
	ObstacleStop
	ObstacleGiveWay
	ObstacleCrossing
	ObstacleTrafficCalming
	ObstacleMiniRoundabout
	ObstacleTurningLoop
	ObstacleTurningCircle
	// ObstacleStopMinor is a stop sign for the minor roads of a junction.
	ObstacleStopMinor
	ObstacleGate

	ObstacleNone ObstacleType = 0
	// ObstacleTurning are the places to turn around.
	ObstacleTurning = ObstacleMiniRoundabout | ObstacleTurningLoop | ObstacleTurningCircle
	// ObstacleIncompressible are the obstacles that cannot become a penalty
	// inside a longer edge.
	ObstacleIncompressible              = ObstacleBarrier | ObstacleTurning
	ObstacleAll            ObstacleType = 0xFFFF
)

// ObstacleDirection says for whom an obstacle counts, seen along the order of
// the nodes of each way through it.
type ObstacleDirection uint8

// The directions, numbered as OSRM numbers them.
const (
	// DirectionNone counts for everybody, as DirectionBoth does, but says
	// that no tag gave a direction.
	DirectionNone ObstacleDirection = iota
	DirectionForward
	DirectionBackward
	DirectionBoth
)

// Obstacle is something at a node that stops or slows traffic, or where
// turning around is easy.
type Obstacle struct {
	Type      ObstacleType
	Direction ObstacleDirection
	// Duration is in seconds, Weight in units of weight.
	Duration, Weight float32
}

// NodeResult holds what a node's tags say.
type NodeResult struct {
	// Obstacles are in the order in which the profile found them. The slice
	// is overwritten by the next call.
	Obstacles []Obstacle
}

// Reset empties the result and keeps its memory.
func (r *NodeResult) Reset() { r.Obstacles = r.Obstacles[:0] }

func (r *NodeResult) add(o Obstacle) { r.Obstacles = append(r.Obstacles, o) }

// addBarrier adds what nobody passes.
func (r *NodeResult) addBarrier() { r.add(Obstacle{Type: ObstacleBarrier, Direction: DirectionBoth}) }

// ObstacleFinder finds obstacles in the network under construction. Numbers
// of nodes are the extractor's own, as in Turn.
type ObstacleFinder interface {
	// AppendObstacles appends to dst the obstacles at node to that count when
	// coming from node from and whose type is in types, in the order in which
	// they were found.
	AppendObstacles(dst []Obstacle, from, to uint32, types ObstacleType) []Obstacle
}
