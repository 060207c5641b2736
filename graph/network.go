package graph

import (
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/packed"
)

// Network is the prepared road network: geometry, identity, names,
// junctions, and the edge-expanded graph. It holds no weights; those are a
// Metric. It is immutable once built or opened, and safe for concurrent use.
//
// A chain c has the places ChainPlaces[ChainFirst[c]:ChainFirst[c+1]]. Its
// segments are the pairs of neighboring places; segment s (0-based) of the
// chain has the global segment index ChainFirst[c]+s. Arrays by segment index
// are parallel to ChainPlaces, so each chain's last entry in them is unused.
// A place that is repeated directly is a segment of no length: it carries the
// penalty of an obstacle (a traffic signal, a gate) at that place.
type Network struct {
	// Coords are the coordinates by PlaceID.
	Coords []geo.Coord
	// OSMNodes are the OSM node ids by PlaceID.
	OSMNodes packed.Ints

	ChainFirst    []uint32
	ChainPlaces   []PlaceID
	SegmentLength []Distance // by segment index
	// SegmentWay indexes Ways by segment index.
	SegmentWay []uint32
	// Ways are OSM way ids; a segment whose stored direction runs against
	// the way's node order has the negative id.
	Ways packed.Ints

	// By ArmID (two entries a chain).
	ArmNode     []NodeID     // original search node, InvalidNode if not drivable
	ArmRoad     []RoadID     // what the road is in this direction
	ArmJunction []JunctionID // the junction that the arm leaves
	// ChainStart says by chain whether a coordinate may snap to it by default.
	ChainStart Bits

	// Junctions. Arms of j are JunctionArms[JunctionFirst[j]:JunctionFirst[j+1]],
	// clockwise by bearing; every arm is kept, drivable or not.
	JunctionPlace []PlaceID
	JunctionFirst []uint32
	JunctionArms  []Arm

	// The edge-expanded graph. Nodes below Originals are originals; those
	// above are copies made for via-way restrictions, whose NodeArm names
	// the arm that they copy. Edges of n are EdgeHead[EdgeFirst[n]:EdgeFirst[n+1]].
	Originals     uint32
	NodeArm       []ArmID
	NodeComponent []Component
	EdgeFirst     []EdgeID
	EdgeHead      []NodeID
	// Copies lists the copies by (Original, Copy); see Complete.
	Copies []NodeCopy
	// Conditions are the turns that are forbidden at times, by place; of a turn
	// with several, any may forbid it.
	Conditions []Condition

	Roads   []Road
	Strings Strings
	// Lanes are lane descriptions ("left|through;right"), by Road.Lanes.
	Properties Properties
	Index      SnapIndex
	Guidance   Guidance
	Areas      Areas
}

// NodeCopy says which original a copy of a search node stands for.
type NodeCopy struct {
	Original, Copy NodeID
}

// Condition forbids a turn at times.
type Condition struct {
	Edge EdgeID
	// Place is where the turn is, for its local time.
	Place PlaceID
	// Text says when, as tagged: "Mo-Fr 07:00-09:00".
	Text StringID
}

// Arm is one road at a junction.
type Arm struct {
	// Arm leaves the junction.
	Arm ArmID
	// Initial is the bearing of the first meters, Perceived the one that a
	// driver would give the road; both clockwise from north in 1/128 degree.
	Initial, Perceived uint16
}

// Component names the strongly connected component of a search node; the top
// bit is set where the component is small (Properties.SmallComponent).
type Component uint32

// Small says whether the component is a small one.
func (c Component) Small() bool { return c>>31 != 0 }

// Road describes a stretch of road as answers show it. Entries are unique.
type Road struct {
	Name, Ref, Pronunciation, Destinations, Exits StringID
	// Lanes is the turn:lanes string of this direction, left to right.
	Lanes    StringID
	Classes  ClassMask
	Mode     Mode
	Priority uint8 // road priority class, 0 (motorway) … 31
	NumLanes uint8
	Flags    RoadFlags
	_        [3]byte
}

// RoadFlags are the yes-or-no properties of a Road.
type RoadFlags uint8

// Flags of a road.
const (
	RoadLeftHand RoadFlags = 1 << iota
	RoadMotorway
	RoadLink
	RoadMayBeIgnored
	RoadRoundabout
	RoadCircular
	RoadRestricted // destination-only
)

// Properties are the profile's settings that matter after extraction.
type Properties struct {
	Profile                string
	WeightName             string
	WeightPrecision        int
	ContinueStraight       bool
	LeftHandDriving        bool
	MaxSpeedForMapMatching float64 // m/s
	MaxCollapseDistance    float64 // m
	TrafficSignalPenalty   float64 // s
	UTurnPenalty           float64 // s
	Classes                []string
	// ClassOrder are the bits of Classes in the order in which the extract
	// has them first. Answers list classes by it, from last to first.
	ClassOrder []uint8
	// Excludable are the sets of classes that a request may exclude.
	Excludable []ClassMask
	SuffixList []string
	// SmallComponent is the size below which a component counts as small.
	SmallComponent int
	// DataVersion is free text shown as data_version.
	DataVersion string
	// DataTime is the extract's replication time in Unix seconds, 0 if unknown.
	DataTime int64
	// Bounds of all chains.
	Min, Max geo.Coord
}

// Bits is a bit set, bit i in word i/64.
type Bits []uint64

// Get returns bit i.
func (b Bits) Get(i uint32) bool { return b[i>>6]>>(i&63)&1 != 0 }

// Set sets bit i.
func (b Bits) Set(i uint32) { b[i>>6] |= 1 << (i & 63) }

// Put sets bit i to a value.
func (b Bits) Put(i uint32, value bool) {
	b[i>>6] &^= 1 << (i & 63)
	if value {
		b.Set(i)
	}
}

// MakeBits returns a set of n cleared bits.
func MakeBits(n int) Bits { return make(Bits, (n+63)/64) }

// NumNodes returns the number of search nodes, copies included.
func (n *Network) NumNodes() int { return len(n.NodeArm) }

// NumEdges returns the number of search edges.
func (n *Network) NumEdges() int { return len(n.EdgeHead) }

// NumChains returns the number of chains.
func (n *Network) NumChains() int { return len(n.ChainFirst) - 1 }
