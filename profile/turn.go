package profile

import "github.com/fourway-routing/fourway/graph"

// TurnLeg is a road at an intersection.
type TurnLeg struct {
	Restricted, Motorway, Link        bool
	NumLanes                          int
	HighwayTurnClass, AccessTurnClass uint8
	// Speed is in km/h, cut to a whole number; Distance is in meters.
	Speed    int
	Distance float64
	Priority Priority
	// Incoming and Outgoing tell the directions in which traffic may flow.
	Incoming, Outgoing bool
}

// TurnRoad is the road that a turn leaves or enters.
type TurnRoad struct {
	Restricted, Motorway, Link        bool
	Mode                              graph.Mode
	NumLanes                          int
	HighwayTurnClass, AccessTurnClass uint8
	// Speed is in km/h, cut to a whole number.
	Speed    int
	Priority Priority
}

// Turn is a movement through a node, from one road to another. The extractor
// fills the description, the profile Weight and Duration.
//
// Where obstacles inside a longer edge are turned into penalties, the turn is
// straight (Angle 180), has two roads, both of mode driving, one lane,
// priority 0 and speed 0, and no roads beside it.
type Turn struct {
	// Angle in degrees, -180 to 180: 0 is straight on, positive to the right.
	Angle float64
	// NumRoads counts the roads at the intersection.
	NumRoads          int
	IsUTurn           bool
	HasTrafficLight   bool
	IsLeftHandDriving bool

	Source, Target TurnRoad
	// SourceRoad and TargetRoad are the same roads as legs, their Distance
	// being that of the compressed edge.
	SourceRoad, TargetRoad TurnLeg
	// RoadsRight and RoadsLeft are the other roads, counter-clockwise. At a
	// U-turn all of them are on the right.
	RoadsRight, RoadsLeft []TurnLeg

	// From, Via and To are nodes, numbered by the extractor.
	From, Via, To uint32
	// Obstacles are those at Via that count when coming from From.
	Obstacles []Obstacle
	// Finder looks up obstacles at other nodes. Built-in profiles do without
	// and it may be nil for them.
	Finder ObstacleFinder

	// Duration, in seconds, and Weight are what the turn costs. The profile
	// adds to the Duration that it finds and overwrites the Weight.
	Duration, Weight float64
}

// Finish applies the rules that hold for every profile: weights that are
// durations follow the duration, others are at most the largest turn weight,
// and no duration is too small to be stored. Implementations of Worker.Turn
// end with it.
func (t *Turn) Finish(p *Properties) {
	if p.DurationIsWeight() {
		t.Weight = t.Duration
	} else {
		t.Weight = min(t.Weight, p.MaxTurnWeight())
	}
	t.Duration = max(t.Duration, -maxTurnPenalty/10.0)
}
