package httpapi

import (
	"context"
	"encoding/json"

	"github.com/fourway-routing/fourway/routing"
)

func getMatch(s *Server, text string, offset int) (question, error) {
	r, c, err := parseMatch(text, offset)
	return s.match(r, c, err)
}

func postMatch(s *Server, data []byte) (question, error) {
	r, c, err := matchOfBody(data)
	return s.match(r, c, err)
}

// match takes a request that was parsed with an error or none.
func (s *Server) match(r routing.MatchRequest, c common, err error) (question, error) {
	if err != nil {
		return question{}, err
	}
	in, err := s.instructions(c.language)
	if err != nil {
		return question{}, err
	}
	return question{flat: c.flatbuffers, kind: c.export, work: matchWork(&r), avoid: r.Avoid, ask: func(ctx context.Context, e *routing.Engine) (answer, error) {
		if err := s.limits.CheckMatch(&r); err != nil {
			return nil, err
		}
		res, err := routing.Match(ctx, e, r)
		if err != nil {
			return nil, err
		}
		for i := range res.Matchings {
			in.tell(&res.Matchings[i].RouteResult)
		}
		if c.export != jsonBody {
			return &exportAnswer{res, c.export}, nil
		}
		return &matchAnswer{res, r.Geometries, r.SkipWaypoints}, nil
	}}, nil
}

type matchAnswer struct {
	*routing.MatchResponse
	geometries    routing.Geometries
	skipWaypoints bool
}

func (a *matchAnswer) render(b *buffer, flat bool) {
	if !flat {
		b.body = a.AppendJSON(b.body[:0])
		return
	}
	w := flatWriter{Builder: b.builder(), geometries: a.geometries}
	res := flatResult{dataVersion: a.DataVersion}
	res.routes = w.list(len(a.Matchings), func(i int) flatOffset {
		m := &a.Matchings[i]
		return w.route(&m.RouteResult, float32(m.Confidence))
	})
	if !a.skipWaypoints {
		res.waypoints = w.list(len(a.Tracepoints), func(i int) flatOffset {
			point := a.Tracepoints[i]
			if point == nil {
				return w.noWaypoint()
			}
			return w.waypoint(&point.Waypoint, func() {
				w.PrependUint32Slot(waypointMatching, uint32(point.Matching), 0)
				w.PrependUint32Slot(waypointIndex, uint32(max(point.Position, 0)), 0)
				w.PrependUint32Slot(waypointAlternatives, uint32(point.Alternatives), 0)
			})
		})
	}
	b.body = w.finish(b.body[:0], &res)
}

// gapWords say whether gaps are ignored.
var gapWords = []word[bool]{{"split", false}, {"ignore", true}}

// modelWords are what the model parameter may list: the first two set all of it,
// the others a part.
var modelWords = []word[func(*routing.MatchModel)]{
	{"osrm", func(m *routing.MatchModel) { *m = routing.MatchModel{} }},
	{"robust", func(m *routing.MatchModel) { *m = routing.RobustModel() }},
	{"noise", func(m *routing.MatchModel) { m.EstimateNoise = true }},
	{"outliers", func(m *routing.MatchModel) { m.DropOutliers = true }},
	{"standstill", func(m *routing.MatchModel) { m.StandStill = true }},
	{"pace", func(m *routing.MatchModel) { m.KeepPace = true }},
	{"gaps", func(m *routing.MatchModel) { m.BridgeGaps = true }},
	{"uturns-clear", func(m *routing.MatchModel) { m.UTurns = routing.UTurnsClear }},
	{"uturns-never", func(m *routing.MatchModel) { m.UTurns = routing.UTurnsNever }},
}

// parseMatch reads the query of a match: coordinates?options. Positions in
// errors count from the beginning of text; the query begins at offset.
func parseMatch(text string, offset int) (r routing.MatchRequest, c common, err error) {
	p := parser{scanner: scanner{text: text, at: offset}, exports: exports}
	var d drawing
	err = p.parse(func(name string) (ok, known bool) {
		switch name {
		case "timestamps":
			r.Timestamps = nil
			return p.list(';', func() bool {
				var t uint32
				ok := p.unsigned(&t)
				r.Timestamps = append(r.Timestamps, int64(t))
				return ok
			}), true
		case "gaps":
			return choose(&p, &r.IgnoreGaps, gapWords), true
		case "tidy":
			return p.boolean(&r.Tidy), true
		case "model":
			r.Model = routing.MatchModel{}
			return p.list(',', func() bool {
				set := func(*routing.MatchModel) {}
				ok := choose(&p, &set, modelWords)
				set(&r.Model)
				return ok
			}), true
		case "details":
			return p.boolean(&r.Details), true
		}
		return p.drawing(name, &d)
	})
	if err != nil {
		return r, c, err
	}
	d.export(p.export)
	fillMatch(&r, &p.common, &d)
	return r, p.common, p.check()
}

// fillMatch leaves snapping out: traces take every road.
func fillMatch(r *routing.MatchRequest, c *common, d *drawing) {
	r.Coordinates, r.Radiuses, r.Bearings, r.Approaches = c.coordinates, c.radiuses, c.bearings, c.approaches
	r.Exclude, r.NoHints, r.SkipWaypoints = c.exclude, c.noHints, c.skipWaypoints
	r.Metric, r.Depart = c.metric, c.depart
	r.Avoid = c.avoid
	r.Steps, r.Annotations, r.Overview, r.Geometries, r.Waypoints = d.steps, d.annotations, d.overview, d.geometries, d.waypoints
	c.language, r.Explain = d.language, d.explain
}

// matchOfBody reads the request for a match. As in OSRM it may have the members
// of a route, which are checked and have no effect.
func matchOfBody(data []byte) (r routing.MatchRequest, c common, err error) {
	b, err := parseBody(data)
	if err != nil {
		return r, c, err
	}
	if c, err = b.common(); err != nil {
		return r, c, err
	}
	d, err := b.drawing()
	if err != nil {
		return r, c, err
	}
	for _, read := range []func() error{
		func() error { return b.alternatives(new(int)) },
		func() error { return b.continueStraight(new(routing.ContinueStraight)) },
		func() error {
			return b.list("timestamps", "a non-negative integer", func(raw json.RawMessage) bool {
				var t uint32
				ok := raw != nil && json.Unmarshal(raw, &t) == nil
				r.Timestamps = append(r.Timestamps, int64(t))
				return ok
			})
		},
		func() error { return words(b, "gaps", &r.IgnoreGaps, gapWords) },
		func() error { return member(b, "tidy", "a boolean", &r.Tidy) },
		func() error { return member(b, "details", "a boolean", &r.Details) },
		func() error {
			return b.list("model", oneOf(modelWords), func(raw json.RawMessage) bool {
				var name string
				set := func(*routing.MatchModel) {}
				ok := text(raw, &name) && lookUp(name, &set, modelWords)
				set(&r.Model)
				return ok
			})
		},
	} {
		if err := read(); err != nil {
			return r, c, err
		}
	}
	fillMatch(&r, &c, &d)
	return r, c, c.check()
}
