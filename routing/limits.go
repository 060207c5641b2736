package routing

import (
	"math"

	"github.com/fourway-routing/fourway/internal/trip"
)

// Limits bounds what a request may ask for. In every field 0 stands for no
// limit, except where it says otherwise.
type Limits struct {
	RouteCoordinates int // of a RouteRequest, and of an IsochroneRequest
	NearestResults   int // of a NearestRequest
	TripCoordinates  int // of a TripRequest; never above 4096
	MatchCoordinates int // of a MatchRequest
	// MatchRadius is the largest standard deviation of a MatchRequest that is
	// not the default one, in meters.
	MatchRadius float64
	// TableCells is the largest number of cells of a TableRequest: 0 stands
	// for 2^28, a negative number for no limit.
	TableCells int64
	// Alternatives is the largest number of alternatives that may be asked
	// for: 0 stands for 3, a negative number for none.
	Alternatives int
	// Work is the number of search nodes that a request may settle, whatever it asks
	// for: beyond it the request ends with an ErrTooBig error. Unlike a deadline it
	// does not depend on the machine and what else it does. It is looked at now and
	// then, so that a request may settle some hundred more. A route settles a few
	// hundred for each leg with CH, and some thousand with MLD.
	Work int
	// Contours is the largest number of contours of an IsochroneRequest,
	// ContourDuration the largest value of one in seconds, ContourDistance in meters.
	// With either of these two there are none by weight.
	Contours                         int
	ContourDuration, ContourDistance float64
	// ContourRoads is the largest number of stretches of road in an answer to one.
	ContourRoads int
	// DefaultRadius replaces a radius of 0 in a request, in meters.
	DefaultRadius float64

	// NoSteps refuses steps, with ErrDisabled.
	NoSteps bool
	// NoGeometry refuses what shows names or lines, with ErrDisabled: steps,
	// overviews, annotations and waypoints. What is left is numbers.
	NoGeometry bool
}

// checkFeatures returns an ErrDisabled error if a request asks for what is
// refused.
func (l *Limits) checkFeatures(steps, lines, waypoints bool) error {
	switch {
	case steps && l.NoSteps:
		return disabled("ROUTE_STEPS")
	case (steps || lines || waypoints) && l.NoGeometry:
		return disabled("ROUTE_GEOMETRY")
	}
	return nil
}

// disabled returns an error about a feature, as OSRM calls it.
func disabled(feature string) *Error {
	return &Error{Code: ErrDisabled, Index: -1, Message: "The request needs " + feature + ", which is disabled here. Ask for less, or enable it."}
}

// CheckRoads returns an ErrDisabled error if roads cannot be shown.
func (l *Limits) CheckRoads() error { return l.checkFeatures(false, true, false) }

// CheckRoute returns an ErrTooBig error if r exceeds a limit, or an ErrDisabled
// error.
func (l *Limits) CheckRoute(r *RouteRequest) error {
	if err := l.checkFeatures(r.Steps, r.Overview != OverviewFalse || r.Annotations != 0 || r.Explain, !r.SkipWaypoints); err != nil {
		return err
	}
	if n := len(r.Coordinates); l.RouteCoordinates > 0 && n > l.RouteCoordinates {
		return tooBig(l.RouteCoordinates, "Number of entries %d is higher than current maximum (%d)", n, l.RouteCoordinates)
	}
	most := l.Alternatives
	if most == 0 {
		most = 3
	}
	if most = max(most, 0); r.Alternatives > most {
		return tooBig(most, "Requested number of alternatives is higher than current maximum (%d)", most)
	}
	return nil
}

// CheckNearest returns an ErrTooBig error if r exceeds a limit, or an ErrDisabled
// error.
func (l *Limits) CheckNearest(r *NearestRequest) error {
	if err := l.checkFeatures(false, false, !r.SkipWaypoints); err != nil {
		return err
	}
	if l.NearestResults > 0 && r.Number > l.NearestResults {
		return tooBig(l.NearestResults, "Number of results %d is higher than current maximum (%d)", r.Number, l.NearestResults)
	}
	return nil
}

// maxTableCells keeps the cells of a table within memory, and their numbers far
// from the end of integers.
const maxTableCells = 1 << 28

// CheckTable returns an ErrTooBig error if r exceeds a limit, or an ErrDisabled
// error.
func (l *Limits) CheckTable(r *TableRequest) error {
	if err := l.checkFeatures(false, false, !r.SkipWaypoints); err != nil {
		return err
	}
	most := l.TableCells
	if most == 0 {
		most = maxTableCells
	}
	// Slices in memory are shorter than 2^48, so that their product needs care.
	sources, destinations := r.size()
	if most > 0 && int64(sources) > most/int64(max(destinations, 1)) {
		return tooBig(most, "Too many table coordinates")
	}
	return nil
}

// CheckTrip returns an ErrTooBig error if r exceeds a limit, or an ErrDisabled
// error.
func (l *Limits) CheckTrip(r *TripRequest) error {
	if err := l.checkFeatures(r.Steps, r.Overview != OverviewFalse || r.Annotations != 0 || r.Explain, !r.SkipWaypoints); err != nil {
		return err
	}
	most := trip.MaxStops
	if l.TripCoordinates > 0 {
		most = min(most, l.TripCoordinates)
	}
	if len(r.Coordinates) > most {
		return tooBig(most, "Too many trip coordinates")
	}
	return nil
}

// CheckMatch returns an ErrTooBig error if r exceeds a limit, or an ErrDisabled
// error.
func (l *Limits) CheckMatch(r *MatchRequest) error {
	if err := l.checkFeatures(r.Steps, r.Overview != OverviewFalse || r.Annotations != 0 || r.Explain, !r.SkipWaypoints); err != nil {
		return err
	}
	if l.MatchCoordinates > 0 && len(r.Coordinates) > l.MatchCoordinates {
		return tooBig(l.MatchCoordinates, "Too many trace coordinates")
	}
	if l.MatchRadius > 0 {
		for i, radius := range r.Radiuses {
			if radius > l.MatchRadius {
				return &Error{
					Code: ErrTooBig, Index: i, Limit: int64(l.MatchRadius),
					Message: "Radius search size is too large for map matching.",
				}
			}
		}
	}
	return nil
}

// CheckIsochrone returns an ErrTooBig error if r exceeds a limit, or an ErrDisabled
// error.
func (l *Limits) CheckIsochrone(r *IsochroneRequest) error {
	if err := l.checkFeatures(false, true, !r.SkipWaypoints); err != nil {
		return err
	}
	if n := len(r.Coordinates); l.RouteCoordinates > 0 && n > l.RouteCoordinates {
		return tooBig(l.RouteCoordinates, "Number of entries %d is higher than current maximum (%d)", n, l.RouteCoordinates)
	}
	if n := len(r.Contours); l.Contours > 0 && n > l.Contours {
		return tooBig(l.Contours, "Number of contours %d is higher than current maximum (%d)", n, l.Contours)
	}
	most, unit := l.ContourDuration, "seconds"
	switch r.Unit {
	case ContourDistance:
		most, unit = l.ContourDistance, "meters"
	case ContourWeight:
		if l.ContourDuration > 0 || l.ContourDistance > 0 {
			return &Error{
				Code: ErrDisabled, Index: -1, Message: "Contours by weight are disabled here, as those by time or distance are limited.",
				Detail: "Ask for one of these.",
			}
		}
	}
	for _, v := range r.Contours {
		if most > 0 && v > most {
			return tooBig(int64(most), "Contour of %g %s is higher than current maximum (%g)", v, unit, most)
		}
	}
	return nil
}

// CheckReached returns an ErrTooBig error if an answer has more roads than ContourRoads.
// With Options.Limits it ends a query before they are collected.
func (l *Limits) CheckReached(r *IsochroneResponse) error {
	if l.ContourRoads > 0 && len(r.Roads) > l.ContourRoads {
		return tooBig(l.ContourRoads, "Number of roads reached is higher than current maximum (%d). Ask for smaller contours, or for no roads.", l.ContourRoads)
	}
	return nil
}

// radius returns the search radius in meters for a request's value.
func (l *Limits) radius(asked float64) float64 {
	switch {
	case asked != 0:
		return asked
	case l.DefaultRadius > 0:
		return l.DefaultRadius
	}
	return math.Inf(1)
}
