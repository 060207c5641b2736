package httpapi

import (
	"context"

	"github.com/fourway-routing/fourway/routing"
)

func getRoute(s *Server, text string, offset int) (question, error) {
	r, c, err := parseRoute(text, offset)
	return s.route(r, c, err)
}

func postRoute(s *Server, data []byte) (question, error) {
	r, c, err := routeOfBody(data)
	return s.route(r, c, err)
}

// route takes a request that was parsed with an error or none.
func (s *Server) route(r routing.RouteRequest, c common, err error) (question, error) {
	if err != nil {
		return question{}, err
	}
	in, err := s.instructions(c.language)
	if err != nil {
		return question{}, err
	}
	r.Radiuses = s.radiuses(len(r.Coordinates), r.Radiuses)
	export := c.export // all of c would be moved to the heap
	return question{flat: c.flatbuffers, kind: export, work: routeWork(&r), avoid: r.Avoid, ask: func(ctx context.Context, e *routing.Engine) (answer, error) {
		if err := s.limits.CheckRoute(&r); err != nil {
			return nil, err
		}
		res, err := routing.Route(ctx, e, r)
		if err != nil {
			return nil, err
		}
		for i := range res.Routes {
			in.tell(&res.Routes[i])
		}
		if export != jsonBody {
			return &exportAnswer{res, export}, nil
		}
		return &routeAnswer{res, r.Geometries, r.SkipWaypoints}, nil
	}}, nil
}

// radiuses puts the default radius where there is none.
func (s *Server) radiuses(n int, given []float64) []float64 {
	if s.opt.DefaultRadius <= 0 || len(given) != n && given != nil {
		return given
	}
	if given == nil {
		given = make([]float64, n)
	}
	for i, meters := range given {
		if meters == 0 {
			given[i] = s.opt.DefaultRadius
		}
	}
	return given
}

type routeAnswer struct {
	*routing.RouteResponse
	geometries    routing.Geometries
	skipWaypoints bool
}

func (a *routeAnswer) render(b *buffer, flat bool) {
	if !flat {
		b.body = a.AppendJSON(b.body[:0])
		return
	}
	w := flatWriter{Builder: b.builder(), geometries: a.geometries}
	res := flatResult{dataVersion: a.DataVersion, routes: w.routes(a.Routes)}
	if !a.skipWaypoints {
		res.waypoints = w.list(len(a.Waypoints), func(i int) flatOffset { return w.waypoint(&a.Waypoints[i], nil) })
	}
	b.body = w.finish(b.body[:0], &res)
}

// parseRoute reads the query of a route: coordinates?options. Positions in
// errors count from the beginning of text; the query begins at offset.
func parseRoute(text string, offset int) (r routing.RouteRequest, c common, err error) {
	p := parser{scanner: scanner{text: text, at: offset}, exports: exports}
	var d drawing
	err = p.parse(func(name string) (ok, known bool) {
		switch name {
		case "alternatives":
			return p.alternatives(&r.Alternatives), true
		case "continue_straight":
			return choose(&p, &r.ContinueStraight, straights), true
		}
		return p.drawing(name, &d)
	})
	if err != nil {
		return r, c, err
	}
	d.export(p.export)
	fillRoute(&r, &p.common, &d)
	return r, p.common, p.check()
}

func fillRoute(r *routing.RouteRequest, c *common, d *drawing) {
	r.Coordinates, r.Radiuses, r.Bearings, r.Approaches = c.coordinates, c.radiuses, c.bearings, c.approaches
	r.Exclude, r.Snapping, r.NoHints, r.SkipWaypoints = c.exclude, c.snapping, c.noHints, c.skipWaypoints
	r.Metric, r.Depart = c.metric, c.depart
	r.Avoid = c.avoid
	r.Steps, r.Annotations, r.Overview, r.Geometries, r.Waypoints = d.steps, d.annotations, d.overview, d.geometries, d.waypoints
	c.language, r.Explain = d.language, d.explain
}

// routeOfBody reads the request for a route.
func routeOfBody(data []byte) (r routing.RouteRequest, c common, err error) {
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
	if err := b.alternatives(&r.Alternatives); err != nil {
		return r, c, err
	}
	if err := b.continueStraight(&r.ContinueStraight); err != nil {
		return r, c, err
	}
	fillRoute(&r, &c, &d)
	return r, c, c.check()
}

// drawing holds what route, trip and match may say of how a route is shown.
type drawing struct {
	steps       bool
	annotations routing.Annotations
	overview    routing.Overview
	overviewed  bool // overview was given
	geometries  routing.Geometries
	waypoints   []int
	language    string // of instructions; empty for none
	explain     bool
}

func (p *parser) drawing(name string, d *drawing) (ok, known bool) {
	switch name {
	case "steps":
		return p.boolean(&d.steps), true
	case "geometries":
		return choose(p, &d.geometries, geometries), true
	case "overview":
		d.overviewed = true
		return choose(p, &d.overview, overviews), true
	case "annotations":
		return p.annotations(&d.annotations), true
	case "waypoints":
		return p.indices(&d.waypoints), true
	case "instructions":
		return p.span(&d.language, identifier), true
	case "explain":
		return p.boolean(&d.explain), true
	}
	return false, false
}

// indices reads a list that replaces the one before.
func (p *parser) indices(to *[]int) bool {
	*to = nil
	return p.list(';', func() bool {
		var i int
		ok := p.natural(&i)
		*to = append(*to, i)
		return ok
	})
}

// alternatives reads a number, or true for one.
func (p *parser) alternatives(to *int) bool {
	if p.natural(to) {
		return true
	}
	var some bool
	if !p.boolean(&some) {
		return false
	}
	*to = 0
	if some {
		*to = 1
	}
	return true
}

// annotations adds true, false or a list of names to a set.
func (p *parser) annotations(to *routing.Annotations) bool {
	var set routing.Annotations
	if choose(p, &set, allAnnotations) {
		*to |= set
		return true
	}
	return p.list(',', func() bool {
		var one routing.Annotations
		ok := choose(p, &one, annotations)
		*to |= one
		return ok
	})
}
