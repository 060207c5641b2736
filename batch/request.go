package batch

import (
	"encoding/json"
	"fmt"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/httpapi"
	"github.com/fourway-routing/fourway/routing"
)

// RouteRequest is a request of Routes. As a line of JSON it is the body of a POST
// to the route service, as docs/http.md describes it, with a further member id:
//
//	{"id": "a-b", "coordinates": [[-75.52, 39.74], [-75.60, 39.68]], "steps": true}
type RouteRequest struct {
	ID string // free text that the result has too
	routing.RouteRequest
}

// MatchRequest is a request of Matches. As a line of JSON it is the body of a POST
// to the match service with a further member id.
type MatchRequest struct {
	ID string // free text that the result has too
	routing.MatchRequest
}

// NearestRequest is a request of Nearest. As a line of JSON it has the members id,
// coordinate, number, radius (in meters), bearing (a list of value and range),
// approach (unrestricted, curb or opposite) and exclude (a list of classes).
type NearestRequest struct {
	ID string // free text that the result has too
	routing.NearestRequest
}

// IsochroneRequest is a request of Isochrones. As a line of JSON it has the options
// of the isochrone service as members, as docs/http.md describes them, and id:
//
//	{"id": "depot", "coordinates": [[-75.52, 39.74]], "contours_minutes": [5, 10]}
type IsochroneRequest struct {
	ID string // free text that the result has too
	routing.IsochroneRequest
}

// Place is one of the sources or destinations of a matrix. As a line of JSON it
// has the members id and coordinate.
type Place struct {
	ID         string    `json:"id"` // free text that the results have too
	Coordinate orb.Point `json:"coordinate"`
}

// The readers of lines return what they could read of the id with an error too.

func parseRoute(line []byte) (q RouteRequest, err error) {
	if q.ID, err = idOf(line); err == nil {
		q.RouteRequest, err = httpapi.DecodeRoute(line)
	}
	return q, err
}

func parseMatch(line []byte) (q MatchRequest, err error) {
	if q.ID, err = idOf(line); err == nil {
		q.MatchRequest, err = httpapi.DecodeMatch(line)
	}
	return q, err
}

func parseIsochrone(line []byte) (q IsochroneRequest, err error) {
	if q.ID, err = idOf(line); err == nil {
		q.IsochroneRequest, err = httpapi.DecodeIsochrone(line)
	}
	return q, err
}

func parseNearest(line []byte) (q NearestRequest, err error) {
	var l struct {
		ID         string      `json:"id"`
		Coordinate *[2]float64 `json:"coordinate"`
		Number     int         `json:"number"`
		Radius     float64     `json:"radius"`
		Bearing    *[2]int     `json:"bearing"`
		Approach   string      `json:"approach"`
		Exclude    []string    `json:"exclude"`
	}
	err = json.Unmarshal(line, &l)
	q.ID = l.ID
	if err != nil {
		return q, err
	}
	if l.Coordinate == nil {
		return q, fmt.Errorf("batch: no coordinate")
	}
	q.Coordinate, q.Number, q.Radius, q.Exclude = *l.Coordinate, l.Number, l.Radius, l.Exclude
	if l.Bearing != nil {
		q.Bearing = &routing.Bearing{Value: l.Bearing[0], Range: l.Bearing[1]}
	}
	switch l.Approach {
	case "", "unrestricted":
	case "curb":
		q.Approach = routing.ApproachCurb
	case "opposite":
		q.Approach = routing.ApproachOpposite
	default:
		return q, fmt.Errorf("batch: approach is %q, not unrestricted, curb or opposite", l.Approach)
	}
	return q, nil
}

func parsePlace(line []byte) (p Place, err error) {
	var l struct {
		ID         string      `json:"id"`
		Coordinate *[2]float64 `json:"coordinate"`
	}
	err = json.Unmarshal(line, &l)
	p.ID = l.ID
	switch {
	case err != nil:
		return p, err
	case l.Coordinate == nil:
		return p, fmt.Errorf("batch: no coordinate")
	}
	p.Coordinate = *l.Coordinate
	return p, nil
}

func idOf(line []byte) (string, error) {
	var l struct {
		ID string `json:"id"`
	}
	err := json.Unmarshal(line, &l)
	return l.ID, err
}
