package batch

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

// Elements go from stage to stage of a pipeline as JSON of their structs. What JSON
// cannot say is replaced, so that no request fails the stage that sends it: what is
// not finite, and so no answer can be given to, by numbers that are refused too.
const (
	unlimited     = -1    // for routing.Unlimited
	badRadius     = -2    // for others that are not finite
	badCoordinate = 1e300 // likewise
	badLength     = -1    // for contours and the sizes of outlines
)

func init() {
	beam.RegisterCoder(reflect.TypeFor[RouteRequest](), encodeRoute, decodeRoute)
	beam.RegisterCoder(reflect.TypeFor[MatchRequest](), encodeMatch, decodeMatch)
	beam.RegisterCoder(reflect.TypeFor[NearestRequest](), encodeNearest, decodeNearest)
	beam.RegisterCoder(reflect.TypeFor[IsochroneRequest](), encodeIsochrone, decodeIsochrone)
	beam.RegisterCoder(reflect.TypeFor[Place](), encodePlace, decodeJSON)
	beam.RegisterCoder(reflect.TypeFor[RouteResult](), encodeJSON, decodeJSON)
	beam.RegisterCoder(reflect.TypeFor[MatchResult](), encodeJSON, decodeJSON)
	beam.RegisterCoder(reflect.TypeFor[NearestResult](), encodeJSON, decodeJSON)
	beam.RegisterCoder(reflect.TypeFor[IsochroneResult](), encodeJSON, decodeJSON)
	beam.RegisterCoder(reflect.TypeFor[Failure](), encodeJSON, decodeJSON)
	beam.RegisterCoder(reflect.TypeFor[matrixBlock](), encodeJSON, decodeJSON)
	beam.RegisterCoder(reflect.TypeFor[MatrixRow](), encodeJSON, decodeJSON)
	beam.RegisterCoder(reflect.TypeFor[fileRange](), encodeJSON, decodeJSON)
	beam.RegisterCoder(reflect.TypeFor[filedBlock](), encodeJSON, decodeJSON)
	beam.RegisterCoder(reflect.TypeFor[Part](), encodeJSON, decodeJSON)
}

func encodeJSON(v beam.T) ([]byte, error) { return json.Marshal(v) }

func decodeJSON(t reflect.Type, b []byte) (beam.T, error) {
	v := reflect.New(t)
	err := json.Unmarshal(b, v.Interface())
	return v.Elem().Interface(), err
}

func encodeRoute(q RouteRequest) ([]byte, error) {
	q.Coordinates, q.Radiuses, q.Avoid = finitePoints(q.Coordinates), finiteRadiuses(q.Radiuses), finiteAvoid(q.Avoid)
	return json.Marshal(q)
}

func decodeRoute(b []byte) (q RouteRequest, err error) {
	err = json.Unmarshal(b, &q)
	restoreRadiuses(q.Radiuses)
	return q, err
}

func encodeMatch(q MatchRequest) ([]byte, error) {
	q.Coordinates, q.Radiuses, q.Avoid = finitePoints(q.Coordinates), finiteRadiuses(q.Radiuses), finiteAvoid(q.Avoid)
	return json.Marshal(q)
}

func decodeMatch(b []byte) (q MatchRequest, err error) {
	err = json.Unmarshal(b, &q)
	restoreRadiuses(q.Radiuses)
	return q, err
}

func encodeNearest(q NearestRequest) ([]byte, error) {
	q.Coordinate, q.Radius = finitePoint(q.Coordinate), finiteRadius(q.Radius)
	return json.Marshal(q)
}

func decodeNearest(b []byte) (q NearestRequest, err error) {
	err = json.Unmarshal(b, &q)
	if q.Radius == unlimited {
		q.Radius = routing.Unlimited
	}
	return q, err
}

func encodeIsochrone(q IsochroneRequest) ([]byte, error) {
	q.Coordinates, q.Radiuses, q.Avoid = finitePoints(q.Coordinates), finiteRadiuses(q.Radiuses), finiteAvoid(q.Avoid)
	q.Contours = slices.Clone(q.Contours)
	for i := range q.Contours {
		q.Contours[i] = finiteLength(q.Contours[i])
	}
	q.Resolution, q.Margin = finiteLength(q.Resolution), finiteLength(q.Margin)
	return json.Marshal(q)
}

func decodeIsochrone(b []byte) (q IsochroneRequest, err error) {
	err = json.Unmarshal(b, &q)
	restoreRadiuses(q.Radiuses)
	return q, err
}

func encodePlace(p Place) ([]byte, error) {
	p.Coordinate = finitePoint(p.Coordinate)
	return json.Marshal(p)
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

func finitePoint(p orb.Point) orb.Point {
	if !finite(p[0]) || !finite(p[1]) {
		return orb.Point{badCoordinate, badCoordinate}
	}
	return p
}

func finitePoints[S ~[]orb.Point](points S) S {
	if !slices.ContainsFunc(points, func(p orb.Point) bool { return finitePoint(p) != p }) {
		return points
	}
	points = slices.Clone(points)
	for i := range points {
		points[i] = finitePoint(points[i])
	}
	return points
}

func finiteAvoid(avoid []routing.Avoid) []routing.Avoid {
	avoid = slices.Clone(avoid)
	for i := range avoid {
		rings := slices.Clone(avoid[i].Polygon)
		for j := range rings {
			rings[j] = finitePoints(rings[j])
		}
		avoid[i].Polygon = rings
	}
	return avoid
}

func finiteLength(f float64) float64 {
	if !finite(f) {
		return badLength
	}
	return f
}

func finiteRadius(r float64) float64 {
	switch {
	case r == routing.Unlimited:
		return unlimited
	case r == unlimited || !finite(r):
		return badRadius
	}
	return r
}

func finiteRadiuses(radiuses []float64) []float64 {
	radiuses = slices.Clone(radiuses)
	for i := range radiuses {
		radiuses[i] = finiteRadius(radiuses[i])
	}
	return radiuses
}

func restoreRadiuses(radiuses []float64) {
	for i := range radiuses {
		if radiuses[i] == unlimited {
			radiuses[i] = routing.Unlimited
		}
	}
}
