package httpapi

import (
	"context"

	"github.com/fourway-routing/fourway/routing"
)

func getNearest(s *Server, text string, offset int) (question, error) {
	r, c, err := parseNearest(text, offset)
	if err != nil {
		return question{}, err
	}
	if r.Radius == 0 {
		r.Radius = max(s.opt.DefaultRadius, 0)
	}
	return question{flat: c.flatbuffers, avoid: r.Avoid, ask: func(ctx context.Context, e *routing.Engine) (answer, error) {
		if err := s.limits.CheckNearest(&r); err != nil {
			return nil, err
		}
		res, err := routing.Nearest(ctx, e, r)
		if err != nil {
			return nil, err
		}
		return &nearestAnswer{res, r.SkipWaypoints}, nil
	}}, nil
}

type nearestAnswer struct {
	*routing.NearestResponse
	skipWaypoints bool
}

func (a *nearestAnswer) render(b *buffer, flat bool) {
	if !flat {
		b.body = a.AppendJSON(b.body[:0])
		return
	}
	w := flatWriter{Builder: b.builder()}
	res := flatResult{dataVersion: a.DataVersion}
	if !a.skipWaypoints {
		res.waypoints = w.list(len(a.Waypoints), func(i int) flatOffset {
			near := &a.Waypoints[i]
			return w.waypoint(&near.Waypoint, func() {
				w.PrependStructSlot(waypointNodes, w.pair(near.Nodes), 0)
			})
		})
	}
	b.body = w.finish(b.body[:0], &res)
}

// parseNearest reads the query of nearest: coordinate?options. Positions in
// errors count from the beginning of text; the query begins at offset.
func parseNearest(text string, offset int) (r routing.NearestRequest, c common, err error) {
	r.Number = 1
	p := parser{scanner: scanner{text: text, at: offset}}
	err = p.parse(func(name string) (ok, known bool) {
		if name == "number" {
			return p.natural(&r.Number), true
		}
		return false, false
	})
	if err != nil {
		return r, c, err
	}
	c = p.common
	if err := c.check(); err != nil {
		return r, c, err
	}
	// The lists are checked against the coordinates as for a route.
	n := len(c.coordinates)
	for _, list := range [...]struct {
		name string
		size int
	}{{"bearings", len(c.bearings)}, {"radiuses", len(c.radiuses)}, {"approaches", len(c.approaches)}} {
		if list.size != 0 && list.size != n {
			return r, c, fail(routing.ErrInvalidOptions, "Number of elements in %s size %d does not match coordinate size %d", list.name, list.size, n)
		}
	}
	if r.Number == 0 {
		return r, c, fail(routing.ErrInvalidOptions, "Number of results needs to be at least one.")
	}
	if n != 1 {
		return r, c, fail(routing.ErrInvalidOptions, "Only one input coordinate is supported")
	}
	r.Coordinate = c.coordinates[0]
	if len(c.radiuses) > 0 {
		r.Radius = c.radiuses[0]
	}
	if len(c.bearings) > 0 {
		r.Bearing = c.bearings[0]
	}
	if len(c.approaches) > 0 {
		r.Approach = c.approaches[0]
	}
	r.Exclude, r.NoHints, r.SkipWaypoints = c.exclude, c.noHints, c.skipWaypoints
	r.Metric, r.Depart = c.metric, c.depart
	r.Avoid = c.avoid
	return r, c, nil
}
