package routing

import "github.com/paulmach/orb"

// RouteResponse is the answer to a RouteRequest. It owns its memory.
type RouteResponse struct {
	// Routes has the best route, at least one.
	Routes []RouteResult
	// Waypoints are the places that the coordinates snapped to, one for each
	// coordinate of the request; nil with SkipWaypoints.
	Waypoints []Waypoint
	// DataVersion is the free text given at build, often a date.
	DataVersion string

	geometries    Geometries
	skipWaypoints bool
}

// RouteResult is one way through all waypoints.
type RouteResult struct {
	Distance   float64 // meters
	Duration   float64 // seconds, in steps of 0.1
	Weight     float64 // what was minimized, in the unit that WeightName says
	WeightName string
	// Geometry is the line of the route; nil for OverviewFalse and
	// OverviewByLegs.
	Geometry orb.LineString
	Legs     []Leg
}

// Leg is the piece of a route between two waypoints.
type Leg struct {
	Distance float64 // meters, in steps of 0.1
	Duration float64 // seconds, in steps of 0.1
	Weight   float64
	// Metric names the metric that Duration and Weight are of. The JSON tells it if
	// the request says anything of metrics.
	Metric string
	// Summary names the two roads that take longest, in driving order;
	// empty unless steps were asked for.
	Summary    string
	Steps      []Step
	Annotation *Annotation    // nil unless annotations were asked for
	Geometry   orb.LineString // nil unless OverviewByLegs
	// Explanation is nil unless it was asked for.
	Explanation *Explanation

	tellMetric bool
}

// Annotation holds values by segment of a leg's unsimplified geometry. Lists
// that were not asked for are nil.
type Annotation struct {
	Distance []float64 // meters
	Duration []float64 // seconds, without the cost of turns
	Weight   []float64 // without the cost of turns
	Speed    []float64 // m/s, in steps of 0.1; a segment of no duration repeats the one before
	// Datasources are indices of DatasourceNames: where the segment's speed
	// comes from.
	Datasources     []uint8
	DatasourceNames []string
	// Nodes are the OSM nodes that the segments join, one more than
	// segments. The first segment and the last reach beyond the leg, which
	// may begin and end anywhere along them.
	Nodes []int64
	// Ways are OSM way ids; an id is negative where the leg runs against
	// the order of the way's nodes.
	Ways []int64
}

// Step is a maneuver and the way to the next one.
type Step struct {
	Distance float64 // meters, in steps of 0.1
	Duration float64 // seconds, in steps of 0.1
	Weight   float64 // in the unit that RouteResult.WeightName says
	// Geometry has two points or more. Its last one is the first one of the
	// next step's, in the same memory.
	Geometry orb.LineString

	Name                string // of the road; empty if it has none
	Ref                 string // its numbers
	Pronunciation       string // of Name
	Destinations        string // of its signs
	Exits               string // numbers or names of the exit
	RotaryName          string // of a roundabout that has a name
	RotaryPronunciation string // of RotaryName
	Mode                string // of travel, such as driving, cycling, walking or ferry
	DrivingSide         string // left or right

	Maneuver      Maneuver
	Intersections []Intersection
}

// Line returns the step's geometry as OSRM encodes it: the arrival, which is a
// line from its place to its place, is a point.
func (s *Step) Line() orb.LineString {
	if g := s.Geometry; s.Maneuver.Type == "arrive" && len(g) == 2 && g[0] == g[1] {
		return g[:1]
	}
	return s.Geometry
}

// Maneuver is what to do at the beginning of a step.
type Maneuver struct {
	Location      orb.Point
	BearingBefore int // degrees clockwise from true north, 0…359
	BearingAfter  int
	Type          string // as OSRM names it: turn, merge, roundabout, arrive and so on
	Modifier      string // direction of the change; empty where there is none
	Exit          int    // number of the exit to take from a roundabout; 0 elsewhere
	Instruction   string // what to do in a sentence; empty until Instructions.Tell it
}

// Intersection is a place where the step's road meets others.
type Intersection struct {
	Location orb.Point
	Bearings []int  // of the roads, clockwise, 0…359
	Entry    []bool // by road: whether it may be entered
	In, Out  int    // indices of Bearings; -1 at the start and at the end of the leg
	Lanes    []Lane
	Classes  []string
}

// Lane is a turn lane.
type Lane struct {
	Indications []string
	Valid       bool // whether it serves the maneuver
}

// Waypoint is the place on the network that a coordinate snapped to.
type Waypoint struct {
	// Name is the road's; at a crossing the names of all, joined by " / ".
	Name     string
	Location orb.Point
	Distance float64 // meters from the coordinate
	// Hint is an opaque token that OSRM's clients expect; it carries nothing.
	// Empty with NoHints.
	Hint string
}

// NearestResponse is the answer to a NearestRequest. It owns its memory.
type NearestResponse struct {
	// Waypoints are sorted by distance; nil with SkipWaypoints.
	Waypoints []NearestWaypoint
	// DataVersion is the free text given at build, often a date.
	DataVersion string
	// Metric names the metric that says which roads can be driven. The JSON tells it
	// if the request says anything of metrics.
	Metric string

	skipWaypoints bool
	tellMetric    bool
}

// NearestWaypoint is a Waypoint with the segment that it lies on.
type NearestWaypoint struct {
	Waypoint
	// Nodes are OSM nodes of the segment as OSRM tells them: where it is
	// open in both directions, its end and its start; forward only, the node
	// at its start twice, or start and end on the first segment of a road;
	// and 0 for a direction that the request ruled out. Ends is clearer.
	Nodes [2]int64
	// Ends are the OSM nodes at the start and the end of the segment, in the
	// direction in which it can be driven.
	Ends [2]int64
	// Way is the OSM way of the segment; negative where Ends are against the
	// order of the way's nodes.
	Way int64
}
