package batch

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/fourway-routing/fourway/routing"
)

// RouteResult is the answer to a RouteRequest.
type RouteResult struct {
	ID string `json:"id" parquet:"id"` // the request's
	// Of the best route: seconds, meters, and what was minimized.
	Duration float64 `json:"duration" parquet:"duration"`
	Distance float64 `json:"distance" parquet:"distance"`
	Weight   float64 `json:"weight" parquet:"weight"`
	// Response is routing.RouteResponse as AppendJSON writes it; empty with
	// Options.NoResponse.
	Response json.RawMessage `json:"response,omitempty" parquet:"response"`
}

// MatchResult is the answer to a MatchRequest.
type MatchResult struct {
	ID string `json:"id" parquet:"id"` // the request's
	// Matchings is the number of pieces that the trace was matched in, Matched that
	// of its points which were.
	Matchings int32 `json:"matchings" parquet:"matchings"`
	Matched   int32 `json:"matched" parquet:"matched"`
	// Of all pieces together: seconds and meters.
	Duration float64 `json:"duration" parquet:"duration"`
	Distance float64 `json:"distance" parquet:"distance"`
	// Confidence is the least one of the pieces, 0…1.
	Confidence float64 `json:"confidence" parquet:"confidence"`
	// Response is routing.MatchResponse as AppendJSON writes it; empty with
	// Options.NoResponse.
	Response json.RawMessage `json:"response,omitempty" parquet:"response"`
}

// NearestResult is the answer to a NearestRequest.
type NearestResult struct {
	ID string `json:"id" parquet:"id"` // the request's
	// Of the nearest segment: the place in degrees, how many meters away it is, the
	// name of the road, and the OSM way, negative against the order of its nodes.
	Longitude float64 `json:"longitude" parquet:"longitude"`
	Latitude  float64 `json:"latitude" parquet:"latitude"`
	Distance  float64 `json:"distance" parquet:"distance"`
	Name      string  `json:"name" parquet:"name"`
	Way       int64   `json:"way" parquet:"way"`
	// Response is routing.NearestResponse as AppendJSON writes it; empty with
	// Options.NoResponse.
	Response json.RawMessage `json:"response,omitempty" parquet:"response"`
}

// IsochroneResult is the answer to an IsochroneRequest.
type IsochroneResult struct {
	ID string `json:"id" parquet:"id"` // the request's
	// Contours is the number of contours, Roads that of the reached stretches of road,
	// which are found if the request asks for them.
	Contours int32 `json:"contours" parquet:"contours"`
	Roads    int32 `json:"roads" parquet:"roads"`
	// Response is routing.IsochroneResponse as AppendJSON writes it, GeoJSON; empty
	// with Options.NoResponse.
	Response json.RawMessage `json:"response,omitempty" parquet:"response"`
}

func askRoute(ctx context.Context, s *routing.Session, q *RouteRequest, opt *Options) (r RouteResult, err error) {
	res, err := s.Route(ctx, q.RouteRequest)
	if err != nil {
		return r, err
	}
	best := &res.Routes[0]
	r = RouteResult{ID: q.ID, Duration: best.Duration, Distance: best.Distance, Weight: best.Weight}
	if !opt.NoResponse {
		r.Response = res.AppendJSON(nil)
	}
	return r, nil
}

func askMatch(ctx context.Context, s *routing.Session, q *MatchRequest, opt *Options) (r MatchResult, err error) {
	res, err := s.Match(ctx, q.MatchRequest)
	if err != nil {
		return r, err
	}
	r = MatchResult{ID: q.ID, Matchings: int32(len(res.Matchings)), Confidence: 1}
	for i := range res.Matchings {
		m := &res.Matchings[i]
		r.Duration += m.Duration
		r.Distance += m.Distance
		r.Confidence = min(r.Confidence, m.Confidence)
	}
	for _, p := range res.Tracepoints {
		if p != nil {
			r.Matched++
		}
	}
	if !opt.NoResponse {
		r.Response = res.AppendJSON(nil)
	}
	return r, nil
}

func askNearest(ctx context.Context, s *routing.Session, q *NearestRequest, opt *Options) (r NearestResult, err error) {
	res, err := s.Nearest(ctx, q.NearestRequest)
	if err != nil {
		return r, err
	}
	r.ID = q.ID
	if len(res.Waypoints) > 0 {
		p := &res.Waypoints[0]
		r.Longitude, r.Latitude, r.Distance = p.Location[0], p.Location[1], p.Distance
		r.Name, r.Way = p.Name, p.Way
	}
	if !opt.NoResponse {
		r.Response = res.AppendJSON(nil)
	}
	return r, nil
}

func askIsochrone(ctx context.Context, s *routing.Session, q *IsochroneRequest, opt *Options) (r IsochroneResult, err error) {
	res, err := s.Isochrone(ctx, q.IsochroneRequest)
	if err != nil {
		return r, err
	}
	r = IsochroneResult{ID: q.ID, Contours: int32(len(res.Contours)), Roads: int32(len(res.Roads))}
	if !opt.NoResponse {
		r.Response = res.AppendJSON(nil)
	}
	return r, nil
}

// The members of a line before the response.

func (r *RouteResult) appendLine(dst []byte) []byte {
	dst = appendID(dst, r.ID)
	dst = appendNumber(dst, "duration", r.Duration)
	dst = appendNumber(dst, "distance", r.Distance)
	dst = appendNumber(dst, "weight", r.Weight)
	return appendResponse(dst, r.Response)
}

func (r *MatchResult) appendLine(dst []byte) []byte {
	dst = appendID(dst, r.ID)
	dst = appendNumber(dst, "matchings", float64(r.Matchings))
	dst = appendNumber(dst, "matched", float64(r.Matched))
	dst = appendNumber(dst, "duration", r.Duration)
	dst = appendNumber(dst, "distance", r.Distance)
	dst = appendNumber(dst, "confidence", r.Confidence)
	return appendResponse(dst, r.Response)
}

func (r *NearestResult) appendLine(dst []byte) []byte {
	dst = appendID(dst, r.ID)
	dst = appendNumber(dst, "longitude", r.Longitude)
	dst = appendNumber(dst, "latitude", r.Latitude)
	dst = appendNumber(dst, "distance", r.Distance)
	dst = append(dst, `,"name":`...)
	dst = appendString(dst, r.Name)
	dst = append(dst, `,"way":`...)
	dst = strconv.AppendInt(dst, r.Way, 10)
	return appendResponse(dst, r.Response)
}

func (r *IsochroneResult) appendLine(dst []byte) []byte {
	dst = appendID(dst, r.ID)
	dst = appendNumber(dst, "contours", float64(r.Contours))
	dst = appendNumber(dst, "roads", float64(r.Roads))
	return appendResponse(dst, r.Response)
}

func appendID(dst []byte, id string) []byte {
	return appendString(append(dst, `{"id":`...), id)
}

func appendString(dst []byte, s string) []byte {
	plain := true
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			plain = false
			break
		}
	}
	if plain {
		return append(append(append(dst, '"'), s...), '"')
	}
	b, _ := json.Marshal(s) // a string always can be
	return append(dst, b...)
}

func appendNumber(dst []byte, name string, f float64) []byte {
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

func appendResponse(dst []byte, response []byte) []byte {
	if len(response) > 0 {
		dst = append(append(dst, `,"response":`...), response...)
	}
	return append(dst, '}')
}
