package httpapi

import (
	"context"

	"github.com/fourway-routing/fourway/routing"
)

func getTrip(s *Server, text string, offset int) (question, error) {
	r, c, err := parseTrip(text, offset)
	if err != nil {
		return question{}, err
	}
	in, err := s.instructions(c.language)
	if err != nil {
		return question{}, err
	}
	r.Radiuses = s.radiuses(len(r.Coordinates), r.Radiuses)
	return question{flat: c.flatbuffers, kind: c.export, work: tripWork(&r), avoid: r.Avoid, ask: func(ctx context.Context, e *routing.Engine) (answer, error) {
		if err := s.limits.CheckTrip(&r); err != nil {
			return nil, err
		}
		res, err := routing.Trip(ctx, e, r)
		if err != nil {
			return nil, err
		}
		for i := range res.Trips {
			in.tell(&res.Trips[i])
		}
		if c.export != jsonBody {
			return &exportAnswer{res, c.export}, nil
		}
		return &tripAnswer{res, r.Geometries, r.SkipWaypoints}, nil
	}}, nil
}

type tripAnswer struct {
	*routing.TripResponse
	geometries    routing.Geometries
	skipWaypoints bool
}

func (a *tripAnswer) render(b *buffer, flat bool) {
	if !flat {
		b.body = a.AppendJSON(b.body[:0])
		return
	}
	w := flatWriter{Builder: b.builder(), geometries: a.geometries}
	res := flatResult{dataVersion: a.DataVersion, routes: w.routes(a.Trips)}
	if !a.skipWaypoints {
		res.waypoints = w.list(len(a.Waypoints), func(i int) flatOffset {
			stop := &a.Waypoints[i]
			return w.waypoint(&stop.Waypoint, func() {
				w.PrependUint32Slot(waypointIndex, uint32(stop.Position), 0)
				w.PrependUint32Slot(waypointTrip, uint32(stop.Trip), 0)
			})
		})
	}
	b.body = w.finish(b.body[:0], &res)
}

var (
	tripSources      = []word[bool]{{"any", false}, {"first", true}}
	tripDestinations = []word[bool]{{"any", false}, {"last", true}}
)

// parseTrip reads the query of a trip: coordinates?options. Positions in errors
// count from the beginning of text; the query begins at offset.
func parseTrip(text string, offset int) (r routing.TripRequest, c common, err error) {
	p := parser{scanner: scanner{text: text, at: offset}, exports: exports}
	var d drawing
	err = p.parse(func(name string) (ok, known bool) {
		switch name {
		case "roundtrip":
			var round bool
			ok := p.boolean(&round)
			r.OneWay = !round
			return ok, true
		case "source":
			return choose(&p, &r.FromFirst, tripSources), true
		case "destination":
			return choose(&p, &r.ToLast, tripDestinations), true
		}
		return p.drawing(name, &d)
	})
	if err != nil {
		return r, c, err
	}
	c = p.common
	d.export(c.export)
	c.language, r.Explain = d.language, d.explain
	r.Coordinates, r.Radiuses, r.Bearings, r.Approaches = c.coordinates, c.radiuses, c.bearings, c.approaches
	r.Exclude, r.Snapping, r.NoHints, r.SkipWaypoints = c.exclude, c.snapping, c.noHints, c.skipWaypoints
	r.Metric, r.Depart = c.metric, c.depart
	r.Avoid = c.avoid
	r.Steps, r.Annotations, r.Overview, r.Geometries = d.steps, d.annotations, d.overview, d.geometries
	for i, at := range d.waypoints {
		// They have no effect, but have to be valid.
		if at >= len(c.coordinates) {
			return r, c, fail(routing.ErrInvalidOptions, "Waypoints[%d] is %d, not an index of %d coordinates", i, at, len(c.coordinates))
		}
	}
	return r, c, c.check()
}
