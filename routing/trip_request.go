package routing

import (
	"time"

	"github.com/paulmach/orb"
)

// TripRequest asks for the fastest order to visit all coordinates in. The zero
// value of every field but Coordinates is OSRM's default: a round trip. Lists by
// coordinate are empty or as long as Coordinates.
type TripRequest struct {
	// Coordinates are longitude and latitude in degrees, two or more.
	Coordinates []orb.Point
	// OneWay asks for a way that ends at its last stop. Without it the trip
	// returns to the first.
	OneWay bool
	// FromFirst fixes the first stop at the first coordinate, ToLast the last
	// stop at the last one. A round trip with both goes on from the last
	// coordinate to the first; one with neither is drawn from the first
	// coordinate on, one with ToLast alone from the last.
	FromFirst, ToLast bool

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
	// say, by the clock of the time's own location: that of the roads.
	// The zero Time chooses the default metric.
	Depart   time.Time
	Snapping Snapping

	Steps       bool // turn-by-turn instructions
	Annotations Annotations
	Overview    Overview
	Geometries  Geometries
	Explain     bool // Leg.Explanation: what the cost is made of

	SkipWaypoints bool // leave TripResponse.Waypoints out
	NoHints       bool // leave Waypoint.Hint out
}

// Validate returns the first fault that can be told without a data set, as an
// *Error that names the field and the index. Trip calls it.
func (r *TripRequest) Validate() error {
	if err := r.validateShape(); err != nil {
		return err
	}
	return validatePlaces(r.Coordinates)
}

// validateShape finds what contradicts itself.
func (r *TripRequest) validateShape() error {
	n := len(r.Coordinates)
	if err := validateLists(n, r.Bearings, r.Radiuses, r.Approaches); err != nil {
		return err
	}
	if n < 2 {
		return invalid(-1, "Number of coordinates needs to be at least two.")
	}
	if err := validateEnums(r.Approaches, r.Snapping); err != nil {
		return err
	}
	return validateDrawing(r.Annotations, r.Overview, r.Geometries)
}
