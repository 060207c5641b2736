// Package nbg holds the node-based graph of an extraction: junctions as nodes,
// compressed roads as edges, before turns are expanded. It is what the
// analysis of junctions (allowed turns, perceived bearings) works on.
//
// A Graph is immutable and safe for concurrent use.
package nbg

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// NodeID names a node; nodes are places (graph.PlaceID) so that geometry and
// topology share one numbering. Nodes inside chains have no edges.
type NodeID = graph.PlaceID

// EdgeID names an edge by its index in Graph.Edges.
type EdgeID uint32

// InvalidEdge is no edge.
const InvalidEdge EdgeID = 1<<32 - 1

// Graph is the compressed node-based graph. Edges leaving n are
// Edges[First[n]:First[n+1]], in ascending order of the place that follows n
// along them; heads are unique. Every road is present at both its ends; where
// it cannot be driven away from an end, the edge there is Reversed.
type Graph struct {
	First  []EdgeID
	Edges  []Edge
	Coords []geo.Coord
	// Chain geometry: the places of chain c, in stored order, are
	// ChainPlaces[ChainFirst[c]:ChainFirst[c+1]].
	ChainFirst  []uint32
	ChainPlaces []NodeID
	// Obstacles, sorted by Node; those of one node are in the order in which
	// they were found, those that count from one neighbor only come last.
	Obstacles []Obstacle
	// LaneDescriptions, parsed, by Edge.Lanes; entry 0 is none.
	LaneDescriptions [][]LaneMask
	// Labels are the texts by Edge.Names; entry 0 has none.
	Labels []Label
}

// Label holds all texts by which one knows a road.
type Label struct {
	Name, Ref, Destinations, Pronunciation, Exits graph.StringID
}

// Edge is one direction of a road as seen from the node that it leaves.
type Edge struct {
	Head NodeID
	// Twin is the same road at its other end.
	Twin EdgeID
	// Arm is the chain and the direction in which it is passed.
	Arm graph.ArmID
	// Weight and Duration of the whole chain in this direction.
	Weight   graph.Weight
	Duration graph.Duration
	// Names is equal for edges with the same name, ref, destinations,
	// pronunciation and exits.
	Names uint32
	// Name is the name alone, Ref the ref, as ids of the string table.
	Name, Ref graph.StringID
	// Lanes indexes Graph.LaneDescriptions.
	Lanes    uint32
	Class    RoadClass
	Classes  graph.ClassMask
	Mode     graph.Mode
	Reversed bool // not drivable away from this node
	// Flags of the way.
	Roundabout, Circular, StartPoint, Restricted, Split, LeftHand bool
	HighwayTurnClass, AccessTurnClass                             uint8
}

// RoadClass is what the profile says of a road's rank.
type RoadClass struct {
	Motorway, Link, MayBeIgnored bool
	Lanes                        uint8
	Priority                     uint8
}

// LaneMask is a set of turn indications of one lane.
type LaneMask = graph.LaneMask

// LaneUTurn is the indication "reverse".
const LaneUTurn = graph.LaneUTurn

// ObstacleType is a set of kinds of obstacle.
type ObstacleType uint16

// Kinds of obstacle, numbered as OSRM numbers them.
const (
	Barrier ObstacleType = 1 << iota
	TrafficSignals
	Stop
	GiveWay
	Crossing
	TrafficCalming
	MiniRoundabout
	TurningLoop
	TurningCircle
	StopMinor
	Gate

	// Turning are the places made for turning round.
	Turning = MiniRoundabout | TurningLoop | TurningCircle
	// Incompressible obstacles keep their node a junction.
	Incompressible = Barrier | Turning
)

// Obstacle is something on a node that stops or slows.
type Obstacle struct {
	Node NodeID
	// From is the neighbor from which it counts; graph.InvalidPlace: from all.
	From     NodeID
	Type     ObstacleType
	Duration float32 // seconds
	Weight   float32
	// Direction is that of the tag, numbered as profile.ObstacleDirection.
	Direction uint8
}

// Out returns the ids of the edges that leave n, first and end.
func (g *Graph) Out(n NodeID) (first, end EdgeID) { return g.First[n], g.First[n+1] }

// Degree returns the number of roads at n.
func (g *Graph) Degree(n NodeID) int { return int(g.First[n+1] - g.First[n]) }

// Find returns the edge from u to v, or InvalidEdge.
func (g *Graph) Find(u, v NodeID) EdgeID {
	lo, hi := g.First[u], g.First[u+1]
	for e := lo; e < hi; e++ {
		if g.Edges[e].Head == v {
			return e
		}
	}
	return InvalidEdge
}
