package profile

import "github.com/fourway-routing/fourway/graph"

// Unset is the value of a speed, rate, duration or weight that the profile
// left open.
const Unset = -1

// WayResult says how a way can be used. Reset gives it the values that hold
// before any tag is looked at.
type WayResult struct {
	// ForwardMode and BackwardMode are the means of travel with and against
	// the order of the nodes; graph.ModeInaccessible closes the direction.
	ForwardMode, BackwardMode graph.Mode
	// Speeds in km/h, or Unset.
	ForwardSpeed, BackwardSpeed float64
	// Rates in meters per unit of weight, or Unset.
	ForwardRate, BackwardRate float64
	// Duration, in seconds, and Weight of the whole way; if not Unset they
	// replace speed and rate.
	Duration, Weight float64

	ForwardClasses, BackwardClasses graph.ClassMask
	// Restricted marks a direction for those who have business there: turning
	// into it from an unrestricted road is possible only as a last resort.
	ForwardRestricted, BackwardRestricted bool
	// IsStartPoint allows coordinates to snap to the way.
	IsStartPoint bool
	// Roundabout and Circular tell the two kinds of ring roads apart: those
	// with the rules of a roundabout and those that only look like one.
	Roundabout, Circular bool
	IsLeftHandDriving    bool

	Name                    string
	ForwardRef, BackwardRef string
	Pronunciation           string
	Destinations            string
	// Exits holds the numbers of exits that the way is part of.
	Exits string
	// Turn lanes from left to right, separated by vertical bars, their
	// indications by semicolons; see ParseTurnLanes.
	TurnLanesForward, TurnLanesBackward string

	Class RoadClass
	// Classifications for the profile's own use in Turn, 0 to 15.
	HighwayTurnClass, AccessTurnClass uint8

	// Area marks the outline of an open area that is to be crossed in all
	// directions: ways across it are made, with the tags of the outline and
	// AreaWayTag in place of "area", and evaluated like all others. It counts
	// for closed ways, whether they are routable themselves or not.
	Area bool
}

// AreaWayTag is the tag, with the value "yes", of ways that are made across open
// areas.
const AreaWayTag = "osrm:virtual"

// Reset gives r the values that hold before any tag is looked at: closed in
// both directions.
func (r *WayResult) Reset() {
	*r = WayResult{
		ForwardSpeed: Unset, BackwardSpeed: Unset,
		ForwardRate: Unset, BackwardRate: Unset,
		Duration: Unset, Weight: Unset,
		IsStartPoint: true,
		Class:        RoadClass{Priority: PriorityConnectivity},
	}
}

// Routable tells whether the way can be used at all: open in a direction that
// has a speed, and a rate too unless weights are durations. A duration or
// weight of the whole way counts for both directions.
func (r *WayResult) Routable(durationIsWeight bool) bool {
	if r.Duration <= 0 &&
		(r.ForwardMode == graph.ModeInaccessible || r.ForwardSpeed <= 0) &&
		(r.BackwardMode == graph.ModeInaccessible || r.BackwardSpeed <= 0) {
		return false
	}
	return durationIsWeight || r.Weight > 0 ||
		r.ForwardMode != graph.ModeInaccessible && r.ForwardRate > 0 ||
		r.BackwardMode != graph.ModeInaccessible && r.BackwardRate > 0
}

// Forward tells whether a routable way leads along the order of its nodes.
func (r *WayResult) Forward() bool {
	return r.ForwardMode != graph.ModeInaccessible &&
		(r.ForwardSpeed > 0 || r.ForwardRate > 0 || r.Duration > 0 || r.Weight > 0)
}

// Backward tells whether a routable way leads against the order of its nodes.
func (r *WayResult) Backward() bool {
	return r.BackwardMode != graph.ModeInaccessible &&
		(r.BackwardSpeed > 0 || r.BackwardRate > 0 || r.Duration > 0 || r.Weight > 0)
}

// Split tells whether the two directions differ in anything but their
// restrictions, so that they cannot share one edge. Turn lanes are compared
// as parsed, and none written is not the same as none understood.
func (r *WayResult) Split(force bool) bool {
	if !r.Forward() || !r.Backward() {
		return false
	}
	return force || r.ForwardRate != r.BackwardRate || r.ForwardSpeed != r.BackwardSpeed ||
		r.ForwardMode != r.BackwardMode || r.ForwardClasses != r.BackwardClasses ||
		r.ForwardRef != r.BackwardRef ||
		!sameTurnLanes(r.TurnLanesForward, r.TurnLanesBackward)
}

// NumLanes is the number of lanes of the road, both directions together: the
// larger of what the lanes tags and the turn lanes say, 0 if neither does.
func (r *WayResult) NumLanes() uint8 {
	return max(r.Class.NumLanes, uint8(countTurnLanes(r.TurnLanesForward)+countTurnLanes(r.TurnLanesBackward)))
}
