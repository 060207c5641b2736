package profile

import "github.com/paulmach/orb"

// Segment is the piece of a way between two neighboring nodes.
type Segment struct {
	Source, Target orb.Point
	// Distance is in meters.
	Distance float64
	// Flags of the way.
	Forward, Backward, IsSplit, Roundabout, Circular, StartPoint, Restricted bool
	Class                                                                    RoadClass
	HighwayTurnClass, AccessTurnClass                                        uint8

	// Duration, in seconds, and Weight may be changed.
	Duration, Weight float64
}
