package routing

import (
	"math"
	"slices"
	"time"

	"github.com/paulmach/orb"
)

// MatchRequest asks for the way on the road network that fits a trace of
// coordinates best. The zero value of every field but Coordinates is OSRM's
// default. Lists by coordinate are empty or as long as Coordinates.
type MatchRequest struct {
	// Coordinates are longitude and latitude in degrees, two or more, in the
	// order in which they were taken.
	Coordinates []orb.Point
	// Timestamps are seconds since any moment, not descending.
	Timestamps []int64
	// Radiuses are the standard deviations of the coordinates in meters; 0
	// stands for 5. Roads farther away than three times that do not count.
	Radiuses []float64
	// IgnoreGaps keeps a trace whole however much time lies between two
	// coordinates. Without it a step of more than ten times the median one
	// parts it.
	IgnoreGaps bool
	// Tidy leaves out coordinates that come too close on each other.
	Tidy bool
	// Waypoints are indices of Coordinates at which legs begin and end; the
	// others are only passed. Empty means all. The first and the last
	// coordinate must be among them.
	Waypoints []int

	// Model is what the match does beyond OSRM.
	Model MatchModel

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
	Depart time.Time

	Steps       bool // turn-by-turn instructions
	Annotations Annotations
	Overview    Overview
	Geometries  Geometries
	Explain     bool // Leg.Explanation: what the cost is made of

	// Details adds MatchResponse.Unmatched, and to the JSON of the response what
	// OSRM has not: where on its way each tracepoint is, and why others are null.
	Details       bool
	SkipWaypoints bool // leave MatchResponse.Tracepoints out
	NoHints       bool // leave Waypoint.Hint out
}

// Validate returns the first fault that can be told without a data set, as an
// *Error that names the field and the index. Match calls it.
func (r *MatchRequest) Validate() error {
	if err := r.validateShape(); err != nil {
		return err
	}
	return r.validateValues()
}

// validateShape finds what contradicts itself.
func (r *MatchRequest) validateShape() error {
	n := len(r.Coordinates)
	if err := validateLists(n, r.Bearings, r.Radiuses, r.Approaches); err != nil {
		return err
	}
	for i, radius := range r.Radiuses {
		if math.IsInf(radius, 1) {
			return invalid(i, "Radius %d has no limit: want the standard deviation in meters", i)
		}
	}
	if len(r.Timestamps) != 0 && len(r.Timestamps) != n {
		return invalid(-1, "Number of elements in timestamps size %d does not match coordinate size %d", len(r.Timestamps), n)
	}
	if n < 2 {
		return invalid(-1, "Number of coordinates needs to be at least two.")
	}
	if err := validateIndices("Waypoints", r.Waypoints, n); err != nil {
		return err
	}
	if err := validateEnums(r.Approaches, SnapDefault); err != nil {
		return err
	}
	if err := r.Model.validate(); err != nil {
		return err
	}
	return validateDrawing(r.Annotations, r.Overview, r.Geometries)
}

// validateValues finds what has no meaning.
func (r *MatchRequest) validateValues() error {
	if err := validatePlaces(r.Coordinates); err != nil {
		return err
	}
	for i := range r.Timestamps[:max(len(r.Timestamps)-1, 0)] {
		if r.Timestamps[i] > r.Timestamps[i+1] {
			return &Error{Code: ErrInvalidValue, Index: i + 1, Message: "Timestamps need to be monotonically increasing."}
		}
	}
	last := len(r.Coordinates) - 1
	if len(r.Waypoints) > 0 && !(slices.Contains(r.Waypoints, 0) && slices.Contains(r.Waypoints, last)) {
		return errEnds
	}
	return nil
}
