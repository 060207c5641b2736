package routing

import "math"

// Limits bounds what a request may ask for. In every field 0 stands for no
// limit, except where it says otherwise.
type Limits struct {
	RouteCoordinates int // of a RouteRequest
	NearestResults   int // of a NearestRequest
	// Alternatives is the largest number of alternatives that may be asked
	// for: 0 stands for 3, a negative number for none.
	Alternatives int
	// DefaultRadius replaces a radius of 0 in a request, in meters.
	DefaultRadius float64
}

// CheckRoute returns an ErrTooBig error if r exceeds a limit.
func (l *Limits) CheckRoute(r *RouteRequest) error {
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

// CheckNearest returns an ErrTooBig error if r exceeds a limit.
func (l *Limits) CheckNearest(r *NearestRequest) error {
	if l.NearestResults > 0 && r.Number > l.NearestResults {
		return tooBig(l.NearestResults, "Number of results %d is higher than current maximum (%d)", r.Number, l.NearestResults)
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
