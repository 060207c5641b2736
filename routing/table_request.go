package routing

import (
	"time"

	"github.com/paulmach/orb"
)

// TableAnnotations is a set of values that the cells of a table have.
type TableAnnotations uint8

// The values.
const (
	TableDurations TableAnnotations = 1 << iota
	TableDistances
)

// FallbackCoordinate says between which places the crow flies for a cell that
// has no route.
type FallbackCoordinate uint8

// The places.
const (
	FallbackInput   FallbackCoordinate = iota // the coordinates of the request
	FallbackSnapped                           // the places that they snapped to
)

// TableRequest asks for the costs of the fastest routes from each source to
// each destination. The zero value of every field but Coordinates is OSRM's
// default. Lists by coordinate are empty or as long as Coordinates.
type TableRequest struct {
	// Coordinates are longitude and latitude in degrees, two or more.
	Coordinates []orb.Point
	// Sources and Destinations are indices of Coordinates, in any order and
	// as often as one likes; empty means all.
	Sources, Destinations []int
	// Annotations are the values wanted; 0 stands for TableDurations.
	Annotations TableAnnotations
	// FallbackSpeed, in m/s, makes an estimate of the cells that have no
	// route: the way of the crow between two places at this speed. 0 leaves
	// them without a value.
	FallbackSpeed      float64
	FallbackCoordinate FallbackCoordinate
	// ScaleFactor multiplies durations; 0 stands for 1.
	ScaleFactor float64

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

	SkipWaypoints bool // leave the response's Sources and Destinations out
	NoHints       bool // leave Waypoint.Hint out
}

// Validate returns the first fault that can be told without a data set, as an
// *Error that names the field and the index. Table calls it.
func (r *TableRequest) Validate() error {
	n := len(r.Coordinates)
	if err := validateLists(n, r.Bearings, r.Radiuses, r.Approaches); err != nil {
		return err
	}
	if n < 2 {
		return invalid(-1, "Number of coordinates needs to be at least two.")
	}
	if err := validateIndices("Sources", r.Sources, n); err != nil {
		return err
	}
	if err := validateIndices("Destinations", r.Destinations, n); err != nil {
		return err
	}
	if err := validateEnums(r.Approaches, r.Snapping); err != nil {
		return err
	}
	switch {
	case r.Annotations > TableDurations|TableDistances:
		return invalid(-1, "Annotations has no value %#x", uint8(r.Annotations))
	case r.FallbackCoordinate > FallbackSnapped:
		return invalid(-1, "FallbackCoordinate has no value %d", r.FallbackCoordinate)
	case !(r.FallbackSpeed >= 0):
		return invalid(-1, "FallbackSpeed is %v: want m/s above 0", r.FallbackSpeed)
	case !(r.ScaleFactor >= 0):
		return invalid(-1, "ScaleFactor is %v: want a number above 0", r.ScaleFactor)
	}
	for i, c := range r.Coordinates {
		if !onGlobe(c) {
			return invalid(i, "Coordinates are invalid")
		}
	}
	return nil
}

func validateIndices(name string, indices []int, n int) error {
	for i, at := range indices {
		if at < 0 || at >= n {
			return invalid(-1, "%s[%d] is %d, not an index of %d coordinates", name, i, at, n)
		}
	}
	return nil
}

// size returns the number of sources and destinations.
func (r *TableRequest) size() (sources, destinations int) {
	sources, destinations = len(r.Sources), len(r.Destinations)
	if sources == 0 {
		sources = len(r.Coordinates)
	}
	if destinations == 0 {
		destinations = len(r.Coordinates)
	}
	return sources, destinations
}
