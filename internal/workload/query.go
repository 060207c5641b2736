package workload

import (
	"context"
	"strconv"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

// Answer is a response of any service.
type Answer interface {
	AppendJSON(dst []byte) []byte
}

// Query is a request of any service: Nearest, Route, Table, Trip or Match.
type Query interface {
	// Ask asks in process.
	Ask(ctx context.Context, s *routing.Session) (Answer, error)
	// AppendPath appends path and query of the URL that asks the same.
	AppendPath(dst []byte, profile string) []byte
}

// The queries. Their paths know the options that this package sets.
type (
	Nearest routing.NearestRequest
	Route   routing.RouteRequest
	Table   routing.TableRequest
	Trip    routing.TripRequest
	Match   routing.MatchRequest
)

// Ask implements Query.
func (q *Nearest) Ask(ctx context.Context, s *routing.Session) (Answer, error) {
	return answer(s.Nearest(ctx, routing.NearestRequest(*q)))
}

// Ask implements Query.
func (q *Route) Ask(ctx context.Context, s *routing.Session) (Answer, error) {
	return answer(s.Route(ctx, routing.RouteRequest(*q)))
}

// Ask implements Query.
func (q *Table) Ask(ctx context.Context, s *routing.Session) (Answer, error) {
	return answer(s.Table(ctx, routing.TableRequest(*q)))
}

// Ask implements Query.
func (q *Trip) Ask(ctx context.Context, s *routing.Session) (Answer, error) {
	return answer(s.Trip(ctx, routing.TripRequest(*q)))
}

// Ask implements Query.
func (q *Match) Ask(ctx context.Context, s *routing.Session) (Answer, error) {
	return answer(s.Match(ctx, routing.MatchRequest(*q)))
}

// answer keeps a nil pointer from being an Answer.
func answer[A Answer](a A, err error) (Answer, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}

// AppendPath implements Query.
func (q *Nearest) AppendPath(dst []byte, profile string) []byte {
	p := begin(dst, "nearest", profile, q.Coordinate)
	if q.Number != 0 {
		p.option("number", strconv.Itoa(q.Number))
	}
	return p.path
}

// AppendPath implements Query.
func (q *Route) AppendPath(dst []byte, profile string) []byte {
	p := begin(dst, "route", profile, q.Coordinates...)
	if q.Alternatives != 0 {
		p.option("alternatives", strconv.Itoa(q.Alternatives))
	}
	p.drawing(q.Steps, q.Annotations, q.Overview)
	return p.path
}

// AppendPath implements Query.
func (q *Table) AppendPath(dst []byte, profile string) []byte {
	p := begin(dst, "table", profile, q.Coordinates...)
	if q.Annotations == routing.TableDurations|routing.TableDistances {
		p.option("annotations", "duration,distance")
	}
	return p.path
}

// AppendPath implements Query.
func (q *Trip) AppendPath(dst []byte, profile string) []byte {
	p := begin(dst, "trip", profile, q.Coordinates...)
	p.drawing(q.Steps, q.Annotations, q.Overview)
	return p.path
}

// AppendPath implements Query.
func (q *Match) AppendPath(dst []byte, profile string) []byte {
	p := begin(dst, "match", profile, q.Coordinates...)
	if len(q.Radiuses) > 0 {
		p.option("radiuses", "")
		for i, r := range q.Radiuses {
			if i > 0 {
				p.path = append(p.path, ';')
			}
			p.path = strconv.AppendFloat(p.path, r, 'f', -1, 64)
		}
	}
	p.drawing(q.Steps, q.Annotations, q.Overview)
	return p.path
}

// pathWriter writes a path.
type pathWriter struct {
	path    []byte
	options bool
}

func begin(dst []byte, service, profile string, coordinates ...orb.Point) *pathWriter {
	dst = append(dst, '/')
	dst = append(dst, service...)
	dst = append(dst, "/v1/"...)
	dst = append(dst, profile...)
	for i, c := range coordinates {
		if i == 0 {
			dst = append(dst, '/')
		} else {
			dst = append(dst, ';')
		}
		dst = strconv.AppendFloat(dst, c[0], 'f', 6, 64)
		dst = append(dst, ',')
		dst = strconv.AppendFloat(dst, c[1], 'f', 6, 64)
	}
	return &pathWriter{path: dst}
}

// option adds one; the value may be written behind it.
func (p *pathWriter) option(name, value string) {
	if p.options {
		p.path = append(p.path, '&')
	} else {
		p.path = append(p.path, '?')
	}
	p.options = true
	p.path = append(p.path, name...)
	p.path = append(p.path, '=')
	p.path = append(p.path, value...)
}

// drawing adds how a route is shown.
func (p *pathWriter) drawing(steps bool, a routing.Annotations, o routing.Overview) {
	if steps {
		p.option("steps", "true")
	}
	if a&routing.AnnotateAll == routing.AnnotateAll {
		p.option("annotations", "true")
	}
	switch o {
	case routing.OverviewFull:
		p.option("overview", "full")
	case routing.OverviewFalse:
		p.option("overview", "false")
	}
}
