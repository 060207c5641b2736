package routing

import (
	"math"
	"time"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/internal/contour"
)

// ContourUnit says what the values of contours measure.
type ContourUnit uint8

// The units.
const (
	ContourDuration ContourUnit = iota // seconds, to a tenth
	ContourDistance                    // meters along the route, to a centimeter
	ContourWeight                      // what routes minimize, in the unit that Info.WeightName says
)

// IsochroneShapes is a set of ways to show what can be reached.
type IsochroneShapes uint8

// The shapes.
const (
	// IsochronePolygons fills Contour.Polygons.
	IsochronePolygons IsochroneShapes = 1 << iota
	// IsochroneLines fills Contour.Lines.
	IsochroneLines
	// IsochroneRoads fills IsochroneResponse.Roads.
	IsochroneRoads
)

// IsochroneRequest asks what can be reached from coordinates, or from where they can
// be reached, within limits. A place counts where the route to it that Route would
// choose, among those that arrive in one direction of its road, is within the limit:
// the one of least weight, even if the contours measure something else.
//
// The zero value of every field but Coordinates and Contours is a sensible default.
// Lists by coordinate are empty or as long as Coordinates.
type IsochroneRequest struct {
	// Coordinates are longitude and latitude in degrees, one or more. Of several the
	// one with the route of least weight counts at each place.
	Coordinates []orb.Point
	// Contours are the limits, 1 to 255 different numbers above 0, in any order.
	Contours []float64
	Unit     ContourUnit // of Contours
	// Reverse asks from where the coordinates can be reached.
	Reverse bool
	Shapes  IsochroneShapes // 0 stands for IsochronePolygons
	// Resolution is the size in meters of the cells that outlines are drawn by, 1 to
	// 100,000; 0 stands for a round number of about 1/400 of the extent of the largest
	// contour, not below 10.
	Resolution float64
	// Margin is how far beside a road an outline runs, in meters: twice the Resolution
	// if that is more, and at most 32 times. Outlines end at the poles and at the
	// antimeridian.
	Margin float64

	// Radiuses limits by coordinate how far away its road may be, in meters; 0 stands
	// for Limits.DefaultRadius, Unlimited for no limit.
	Radiuses []float64
	// Bearings restricts by coordinate the direction of its road; nil allows all.
	Bearings []*Bearing
	// Approaches restricts by coordinate the side of its road.
	Approaches []Approach
	// Exclude names road classes to avoid, any of Info.Classes.
	Exclude []string
	// Avoid closes roads, with MLD and CCH.
	Avoid []Avoid
	// Metric names the metric, empty for the default one; see Info.Metrics.
	Metric string
	// Depart chooses the metric by the hour of the week, as RouteRequest.Depart does;
	// the whole way counts by that hour.
	Depart   time.Time
	Snapping Snapping

	SkipWaypoints bool // leave IsochroneResponse.Waypoints out
	NoHints       bool // leave Waypoint.Hint out
}

// Bounds of IsochroneRequest.
const (
	finestResolution   = 1
	coarsestResolution = 100_000
	widestMargin       = contour.MaxMargin * coarsestResolution
)

// Validate returns the first fault that can be told without a data set, as an *Error
// that names the field and the index. Isochrone calls it.
func (r *IsochroneRequest) Validate() error {
	n := len(r.Coordinates)
	if err := validateLists(n, r.Bearings, r.Radiuses, r.Approaches); err != nil {
		return err
	}
	if n < 1 {
		return invalid(-1, "Number of coordinates needs to be at least one.")
	}
	if err := validateEnums(r.Approaches, r.Snapping); err != nil {
		return err
	}
	switch {
	case r.Unit > ContourWeight:
		return invalid(-1, "Unit has no value %d", r.Unit)
	case r.Shapes > IsochronePolygons|IsochroneLines|IsochroneRoads:
		return invalid(-1, "Shapes has no value %#x", uint8(r.Shapes))
	case r.Resolution != 0 && !(r.Resolution >= finestResolution && r.Resolution <= coarsestResolution):
		return invalid(-1, "Resolution is %v: want %d to %d meters, 0 for the default", r.Resolution, finestResolution, coarsestResolution)
	case !(r.Margin >= 0 && r.Margin <= widestMargin):
		return invalid(-1, "Margin is %v: want at most %d meters, 0 for the default", r.Margin, widestMargin)
	case len(r.Contours) == 0:
		return invalid(-1, "Number of contours needs to be at least one.")
	case len(r.Contours) > contour.MaxSteps:
		return invalid(-1, "Number of contours is %d: at most %d are possible", len(r.Contours), contour.MaxSteps)
	}
	for i, v := range r.Contours {
		if !(v > 0) || math.IsInf(v, 1) {
			return invalid(-1, "Contours[%d] is %v: want a number above 0", i, v)
		}
	}
	return validatePlaces(r.Coordinates)
}

func (r *IsochroneRequest) places() places {
	return places{r.Coordinates, r.Radiuses, r.Bearings, r.Approaches, r.Snapping == SnapAny}
}

func (r *IsochroneRequest) shapes() IsochroneShapes {
	if r.Shapes == 0 {
		return IsochronePolygons
	}
	return r.Shapes
}
