package httpapi

import "github.com/fourway-routing/fourway/routing"

// parseRoute reads the query of a route: coordinates?options. Positions in
// errors count from the beginning of text; the query begins at offset.
func parseRoute(text string, offset int) (routing.RouteRequest, error) {
	var r routing.RouteRequest
	p := parser{scanner: scanner{text: text, at: offset}}
	err := p.parse(func(name string) (ok, known bool) {
		switch name {
		case "alternatives":
			return p.alternatives(&r.Alternatives), true
		case "continue_straight":
			return choose(&p, &r.ContinueStraight, straights), true
		case "steps":
			return p.boolean(&r.Steps), true
		case "geometries":
			return choose(&p, &r.Geometries, geometries), true
		case "overview":
			return choose(&p, &r.Overview, overviews), true
		case "annotations":
			return p.annotations(&r.Annotations), true
		case "waypoints":
			r.Waypoints = nil
			return p.list(';', func() bool {
				var i int
				ok := p.natural(&i)
				r.Waypoints = append(r.Waypoints, i)
				return ok
			}), true
		}
		return false, false
	})
	if err != nil {
		return r, err
	}
	return r, p.fill(&r)
}

// fill copies what all services know to a request.
func (c *common) fill(r *routing.RouteRequest) error {
	r.Coordinates, r.Radiuses, r.Bearings, r.Approaches = c.coordinates, c.radiuses, c.bearings, c.approaches
	r.Exclude, r.Snapping, r.NoHints, r.SkipWaypoints = c.exclude, c.snapping, c.noHints, c.skipWaypoints
	return c.check()
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

// check finds the faults that a request cannot show package routing.
func (c *common) check() error {
	if c.hints != 0 && c.hints != len(c.coordinates) {
		return fail(routing.ErrInvalidOptions, "Number of elements in hints size %d does not match coordinate size %d", c.hints, len(c.coordinates))
	}
	if c.flatbuffers {
		return fail(routing.ErrNotImplemented, "The format flatbuffers is not available: ask for json.")
	}
	return nil
}
