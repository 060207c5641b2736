package workload

import (
	"errors"
	"fmt"
	"math"

	"github.com/fourway-routing/fourway/routing"
)

// Unanswered says whether an error means that a random request has no answer,
// which OSRM's benchmarks do not count.
func Unanswered(err error) bool {
	return errors.Is(err, routing.ErrNoRoute) || errors.Is(err, routing.ErrNoSegment) ||
		errors.Is(err, routing.ErrNoMatch) || errors.Is(err, routing.ErrNoTrips)
}

// Check returns what is wrong with an answer if it is not one to the query: empty,
// or not as long as the query wants it.
func Check(q Query, a Answer) error {
	switch q := q.(type) {
	case *Nearest:
		r := a.(*routing.NearestResponse)
		if n := len(r.Waypoints); n == 0 || n > max(q.Number, 1) {
			return fmt.Errorf("workload: %d places, want up to %d", n, max(q.Number, 1))
		}
	case *Route:
		r := a.(*routing.RouteResponse)
		return checkRoutes(r.Routes, 1+q.Alternatives, len(q.Coordinates)-1, q.Steps, q.Overview)
	case *Table:
		r := a.(*routing.TableResponse)
		if err := checkTable(r.Durations, len(q.Coordinates)); err != nil {
			return err
		}
		if q.Annotations&routing.TableDistances != 0 {
			return checkTable(r.Distances, len(q.Coordinates))
		}
	case *Trip:
		r := a.(*routing.TripResponse)
		return checkRoutes(r.Trips, 1, len(q.Coordinates), q.Steps, q.Overview)
	case *Match:
		r := a.(*routing.MatchResponse)
		if len(r.Matchings) == 0 || len(r.Tracepoints) != len(q.Coordinates) {
			return fmt.Errorf("workload: %d matchings and %d points for a trace of %d", len(r.Matchings), len(r.Tracepoints), len(q.Coordinates))
		}
		length := 0.0
		for i := range r.Matchings {
			length += r.Matchings[i].Distance
		}
		if length == 0 {
			return errors.New("workload: a matching without length")
		}
	}
	return nil
}

func checkRoutes(routes []routing.RouteResult, most, legs int, steps bool, overview routing.Overview) error {
	if len(routes) == 0 || len(routes) > most {
		return fmt.Errorf("workload: %d routes, want up to %d", len(routes), most)
	}
	for i := range routes {
		r := &routes[i]
		if len(r.Legs) != legs {
			return fmt.Errorf("workload: route of %d legs, want %d", len(r.Legs), legs)
		}
		if overview != routing.OverviewFalse && len(r.Geometry) < 2 {
			return fmt.Errorf("workload: a line of %d points", len(r.Geometry))
		}
		for k := range r.Legs {
			if steps && len(r.Legs[k].Steps) < 2 {
				return fmt.Errorf("workload: leg %d has %d steps", k, len(r.Legs[k].Steps))
			}
		}
	}
	return nil
}

// checkTable wants a square table with more in it than its diagonal.
func checkTable(rows [][]float64, n int) error {
	if len(rows) != n {
		return fmt.Errorf("workload: table of %d rows, want %d", len(rows), n)
	}
	known := 0
	for i, row := range rows {
		if len(row) != n {
			return fmt.Errorf("workload: row %d has %d cells, want %d", i, len(row), n)
		}
		for _, v := range row {
			if v > 0 && !math.IsInf(v, 1) {
				known++
			}
		}
	}
	if known == 0 {
		return errors.New("workload: a table without a way from one place to another")
	}
	return nil
}
