package routing

import (
	"math"
	"time"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/internal/geo"
)

// Approach says from which side of the road a coordinate is reached or left.
// It matters only on roads that are open in both directions.
type Approach uint8

// The approaches.
const (
	// ApproachUnrestricted allows both directions.
	ApproachUnrestricted Approach = iota
	// ApproachCurb allows the direction whose driving side is the
	// coordinate's.
	ApproachCurb
	// ApproachOpposite allows the other direction only.
	ApproachOpposite
)

// Snapping says which roads a coordinate may snap to.
type Snapping uint8

// The kinds of snapping.
const (
	// SnapDefault leaves out roads on which the profile starts no journey,
	// such as ferries.
	SnapDefault Snapping = iota
	// SnapAny takes every road.
	SnapAny
)

// Bearing restricts snapping to roads that lead in a direction.
type Bearing struct {
	Value int // degrees clockwise from true north, 0…360
	Range int // degrees of deviation allowed to either side, 0…180
}

// ContinueStraight says whether a route may turn around at a waypoint between
// its first and last.
type ContinueStraight uint8

// The choices.
const (
	// ContinueByProfile does what the profile prescribes.
	ContinueByProfile ContinueStraight = iota
	// ContinueAlways leaves a waypoint in the direction of arrival; a
	// U-turn there is made only where no other way leads on.
	ContinueAlways
	// ContinueFreely may turn around at every waypoint.
	ContinueFreely
)

// Geometries is how geometry is written in JSON.
type Geometries uint8

// The formats.
const (
	GeometryPolyline  Geometries = iota // encoded polyline of 5 decimals
	GeometryPolyline6                   // encoded polyline of 6 decimals
	GeometryGeoJSON                     // GeoJSON LineString
)

// Overview says which geometry a route carries.
type Overview uint8

// The kinds of overview.
const (
	OverviewSimplified Overview = iota // as much as a screen can show
	OverviewFull                       // every point
	OverviewFalse                      // none
	OverviewByLegs                     // every point, per leg instead of per route
)

// Annotations is a set of per-segment values that a leg carries.
type Annotations uint8

// The annotations.
const (
	// Those without a comment fill the field of Annotation that has their name.
	AnnotateDuration Annotations = 1 << iota
	AnnotateNodes
	AnnotateDistance
	AnnotateWeight
	AnnotateDatasources
	AnnotateSpeed
	// AnnotateWays adds the OSM way of each segment. OSRM has no such
	// annotation; it is not part of AnnotateAll.
	AnnotateWays
	// AnnotateAll is OSRM's annotations=true.
	AnnotateAll = AnnotateDuration | AnnotateNodes | AnnotateDistance | AnnotateWeight | AnnotateDatasources | AnnotateSpeed
)

// Unlimited is the radius that does not restrict snapping.
var Unlimited = math.Inf(1)

// RouteRequest asks for the fastest route through coordinates in their order.
// The zero value of every field but Coordinates is OSRM's default. Lists by
// coordinate are empty or as long as Coordinates.
type RouteRequest struct {
	// Coordinates are longitude and latitude in degrees, two or more.
	Coordinates []orb.Point
	// Radiuses limits by coordinate how far away its road may be, in
	// meters; 0 stands for Limits.DefaultRadius, Unlimited for no limit.
	Radiuses []float64
	// Bearings restricts by coordinate the direction of its road; nil
	// allows all.
	Bearings []*Bearing
	// Approaches restricts by coordinate the side of its road.
	Approaches []Approach
	// Exclude names the road classes to avoid: one of the sets of
	// Info.Excludable, or, with MLD and CCH, any of Info.Classes.
	Exclude []string
	// Avoid closes roads, with MLD and CCH.
	Avoid []Avoid
	// Metric names the metric, empty for the default one; see Info.Metrics.
	Metric string
	// Depart chooses the metric by the hour of the week, as Options.Week and SetWeek
	// say, by the clock of the time's own location: that of the roads. A leg
	// departs when the one before arrives, and is of one metric as a whole.
	// The zero Time chooses the default metric.
	Depart   time.Time
	Snapping Snapping

	ContinueStraight ContinueStraight
	// Alternatives is the number of further routes wished for, between two
	// coordinates; there may be fewer. They follow the fastest, those first
	// that share the least with it and each other.
	Alternatives int
	Steps        bool // turn-by-turn instructions
	Annotations  Annotations
	Overview     Overview
	Geometries   Geometries
	Explain      bool // Leg.Explanation: what the cost is made of
	// Waypoints are indices of Coordinates at which legs begin and end; the
	// others are only passed. Empty means all. The first must be 0, the
	// last len(Coordinates)-1.
	Waypoints []int

	SkipWaypoints bool // leave RouteResponse.Waypoints out
	NoHints       bool // leave Waypoint.Hint out
}

// Validate returns the first fault that can be told without a data set, as an
// *Error that names the field and the index. Route calls it.
func (r *RouteRequest) Validate() error {
	if err := r.validateShape(); err != nil {
		return err
	}
	return r.validateValues()
}

// validateShape finds what contradicts itself.
func (r *RouteRequest) validateShape() error {
	n := len(r.Coordinates)
	if err := validateLists(n, r.Bearings, r.Radiuses, r.Approaches); err != nil {
		return err
	}
	if n < 2 {
		return invalid(-1, "Number of coordinates needs to be at least two.")
	}
	if err := validateIndices("Waypoints", r.Waypoints, n); err != nil {
		return err
	}
	if err := validateEnums(r.Approaches, r.Snapping); err != nil {
		return err
	}
	switch {
	case r.ContinueStraight > ContinueFreely:
		return invalid(-1, "ContinueStraight has no value %d", r.ContinueStraight)
	case r.Alternatives < 0:
		return invalid(-1, "Alternatives is negative: %d", r.Alternatives)
	}
	return validateDrawing(r.Annotations, r.Overview, r.Geometries)
}

// validateValues finds what has no meaning.
func (r *RouteRequest) validateValues() error {
	if err := validatePlaces(r.Coordinates); err != nil {
		return err
	}
	return validateEnds(r.Waypoints, len(r.Coordinates))
}

// NearestRequest asks for the road segments nearest to a coordinate. The zero
// value of every field but Coordinate is OSRM's default.
type NearestRequest struct {
	Coordinate orb.Point // longitude and latitude in degrees
	Number     int       // how many segments; 0 means 1
	Radius     float64   // meters; 0 stands for Limits.DefaultRadius
	Bearing    *Bearing
	Approach   Approach
	Exclude    []string
	Avoid      []Avoid // closes roads, with MLD and CCH
	// Metric names the metric, empty for the default one; see Info.Metrics.
	Metric string
	// Depart chooses the metric by the hour of the week, as Options.Week and SetWeek
	// say, by the clock of the time's own location: that of the roads.
	// The zero Time chooses the default metric.
	Depart time.Time

	SkipWaypoints bool // leave NearestResponse.Waypoints out
	NoHints       bool // leave Waypoint.Hint out
}

// Validate returns the first fault that can be told without a data set, as an
// *Error that names the field. Nearest calls it.
func (r *NearestRequest) Validate() error {
	if err := validateLists(1, []*Bearing{r.Bearing}, []float64{r.Radius}, nil); err != nil {
		return err
	}
	if r.Approach > ApproachOpposite {
		return invalid(0, "Approach has no value %d", r.Approach)
	}
	if r.Number < 0 {
		return invalid(-1, "Number is negative: %d", r.Number)
	}
	if !onGlobe(r.Coordinate) {
		return invalid(0, "Coordinates are invalid")
	}
	return nil
}

func validateLists(n int, bearings []*Bearing, radiuses []float64, approaches []Approach) error {
	for _, list := range [...]struct {
		name string
		size int
	}{{"bearings", len(bearings)}, {"radiuses", len(radiuses)}, {"approaches", len(approaches)}} {
		if list.size != 0 && list.size != n {
			return invalid(-1, "Number of elements in %s size %d does not match coordinate size %d", list.name, list.size, n)
		}
	}
	for i, b := range bearings {
		if b != nil && (b.Value < 0 || b.Value > 360 || b.Range < 0 || b.Range > 180) {
			return invalid(i, "Bearing %d is %d,%d: want 0 to 360, and a range of 0 to 180", i, b.Value, b.Range)
		}
	}
	for i, r := range radiuses {
		if !(r >= 0) {
			return invalid(i, "Radius %d is %v: want meters, 0 for the default", i, r)
		}
	}
	return nil
}

func validateEnums(approaches []Approach, snapping Snapping) error {
	for i, a := range approaches {
		if a > ApproachOpposite {
			return invalid(i, "Approaches[%d] has no value %d", i, a)
		}
	}
	if snapping > SnapAny {
		return invalid(-1, "Snapping has no value %d", snapping)
	}
	return nil
}

// validateDrawing checks how a route is to be shown.
func validateDrawing(a Annotations, o Overview, g Geometries) error {
	switch {
	case a > AnnotateAll|AnnotateWays:
		return invalid(-1, "Annotations has no value %#x", uint8(a))
	case o > OverviewByLegs:
		return invalid(-1, "Overview has no value %d", o)
	case g > GeometryGeoJSON:
		return invalid(-1, "Geometries has no value %d", g)
	}
	return nil
}

func validatePlaces(coordinates []orb.Point) error {
	for i, c := range coordinates {
		if !onGlobe(c) {
			return &Error{Code: ErrInvalidValue, Index: i, Message: "Invalid coordinate value."}
		}
	}
	return nil
}

// validateEnds checks that waypoints begin and end where n coordinates do.
func validateEnds(waypoints []int, n int) error {
	if len(waypoints) > 0 && (waypoints[0] != 0 || waypoints[len(waypoints)-1] != n-1) {
		return errEnds
	}
	return nil
}

// errEnds is never changed.
var errEnds = &Error{Code: ErrInvalidValue, Index: -1, Message: "First and last coordinates must be specified as waypoints."}

// onGlobe says whether p, rounded to micro-degrees, is a valid place.
func onGlobe(p orb.Point) bool { return geo.FromLonLat(p[0], p[1]).Valid() }
