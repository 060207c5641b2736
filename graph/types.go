package graph

import "math"

// NodeID names a search node: one direction of a chain, or a copy of it made
// for a via-way restriction. It is the node of the edge-expanded graph.
type NodeID uint32

// EdgeID names a search edge (a turn from one search node to another). It is
// the edge's index in Network.EdgeHead.
type EdgeID uint32

// PlaceID names a node of the road network that lies on a chain: an OSM node.
type PlaceID uint32

// ChainID names a compressed road segment: the OSM segments between two
// places where something can happen.
type ChainID uint32

// ArmID names one direction of a chain: chain<<1 | direction, where direction
// 0 is the order in which the chain's places are stored and 1 its reverse.
// As an arm of a junction it is the direction that leaves the junction.
type ArmID uint32

// RoadID names an entry of Network.Roads.
type RoadID uint32

// JunctionID names a place where chains end.
type JunctionID uint32

// StringID names an entry of Network.Strings; 0 is the empty string.
type StringID uint32

// Weight is what a search minimizes, in units of 10^-precision of the
// metric's weight (a tenth of a second for most). Weights of edges and
// segments are never negative; offsets of seeds may be.
type Weight int32

// Duration is a travel time in tenths of a second.
type Duration int32

// Distance is a length in centimeters.
type Distance uint32

// Sentinels: no such item, or not drivable.
const (
	InvalidNode     NodeID     = math.MaxUint32
	InvalidEdge     EdgeID     = math.MaxUint32
	InvalidPlace    PlaceID    = math.MaxUint32
	InvalidChain    ChainID    = math.MaxUint32
	InvalidArm      ArmID      = math.MaxUint32
	InvalidJunction JunctionID = math.MaxUint32
	InvalidWeight   Weight     = math.MaxInt32
	InvalidDuration Duration   = math.MaxInt32
)

// Chain returns the chain that the arm is a direction of.
func (a ArmID) Chain() ChainID { return ChainID(a >> 1) }

// Reverse says whether the arm runs against the stored order of its chain.
func (a ArmID) Reverse() bool { return a&1 != 0 }

// Twin returns the other direction of the same chain.
func (a ArmID) Twin() ArmID { return a ^ 1 }

// ClassMask is a set of road classes (toll, motorway, ferry, …), bit i
// standing for Properties.Classes[i].
type ClassMask uint8

// Mode is how one moves along a road.
type Mode uint8

// The modes, numbered as OSRM numbers them.
const (
	ModeInaccessible Mode = iota
	ModeDriving
	ModeCycling
	ModeWalking
	ModeFerry
	ModeTrain
	ModePushingBike
	ModeStepsUp   Mode = 8
	ModeStepsDown Mode = 9
	ModeRiverUp   Mode = 10
	ModeRiverDown Mode = 11
	ModeRoute     Mode = 12
)
