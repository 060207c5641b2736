package httpapi

import (
	"context"
	"encoding/json"

	"github.com/fourway-routing/fourway/routing"
)

func getIsochrone(s *Server, text string, offset int) (question, error) {
	r, c, err := parseIsochrone(text, offset)
	if err != nil {
		return question{}, err
	}
	if c.flatbuffers {
		return question{}, fail(routing.ErrNotImplemented, "Isochrones are GeoJSON: ask for .json or .geojson.")
	}
	r.Radiuses = s.radiuses(len(r.Coordinates), r.Radiuses)
	return question{kind: geojsonBody, work: isochroneWork(&r), avoid: r.Avoid, ask: func(ctx context.Context, e *routing.Engine) (answer, error) {
		if err := s.limits.CheckIsochrone(&r); err != nil {
			return nil, err
		}
		res, err := routing.Isochrone(ctx, e, r)
		if err != nil {
			return nil, err
		}
		if err := s.limits.CheckReached(res); err != nil {
			return nil, err
		}
		return &isochroneAnswer{res}, nil
	}}, nil
}

type isochroneAnswer struct{ *routing.IsochroneResponse }

func (a *isochroneAnswer) render(b *buffer, _ bool) { b.body = a.AppendJSON(b.body[:0]) }

// parseIsochrone reads the query of an isochrone: coordinates?options. Positions in
// errors count from the beginning of text; the query begins at offset.
func parseIsochrone(text string, offset int) (r routing.IsochroneRequest, c common, err error) {
	p := parser{scanner: scanner{text: text, at: offset}, exports: exports[:1]}
	var minutes, meters []float64
	polygons, segments := true, false
	numbers := func(to *[]float64) bool {
		*to = nil
		return p.list(',', func() bool {
			var v float64
			ok := p.number(&v)
			*to = append(*to, v)
			return ok
		})
	}
	err = p.parse(func(name string) (ok, known bool) {
		switch name {
		case "contours_minutes":
			return numbers(&minutes), true
		case "contours_meters":
			return numbers(&meters), true
		case "polygons":
			return p.boolean(&polygons), true
		case "segments":
			return p.boolean(&segments), true
		case "reverse":
			return p.boolean(&r.Reverse), true
		case "resolution":
			return p.number(&r.Resolution), true
		case "margin":
			return p.number(&r.Margin), true
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
	fillIsochrone(&r, &c, polygons, segments)
	if err := setContours(&r, minutes, meters); err != nil {
		return r, c, err
	}
	return r, c, r.Validate()
}

func fillIsochrone(r *routing.IsochroneRequest, c *common, polygons, segments bool) {
	r.Coordinates, r.Radiuses, r.Bearings, r.Approaches = c.coordinates, c.radiuses, c.bearings, c.approaches
	r.Exclude, r.Avoid, r.Snapping, r.NoHints, r.SkipWaypoints = c.exclude, c.avoid, c.snapping, c.noHints, c.skipWaypoints
	r.Metric, r.Depart = c.metric, c.depart
	r.Shapes = routing.IsochronePolygons
	if !polygons {
		r.Shapes = routing.IsochroneLines
	}
	if segments {
		r.Shapes |= routing.IsochroneRoads
	}
}

// setContours sets the contours, which are given by one of the two lists, and
// takes hold of it.
func setContours(r *routing.IsochroneRequest, minutes, meters []float64) error {
	switch {
	case len(minutes) > 0 && len(meters) > 0:
		return fail(routing.ErrInvalidOptions, "Contours are by contours_minutes or by contours_meters, not by both.")
	case len(meters) > 0:
		r.Contours, r.Unit = meters, routing.ContourDistance
	case len(minutes) > 0:
		r.Contours = minutes
		for i := range r.Contours {
			r.Contours[i] *= 60
		}
	default:
		return fail(routing.ErrInvalidOptions, "An isochrone needs contours_minutes or contours_meters.")
	}
	return nil
}

// isochroneOfBody reads the request for an isochrone, whose members are the options
// of the URL.
func isochroneOfBody(data []byte) (r routing.IsochroneRequest, err error) {
	b, err := parseBody(data)
	if err != nil {
		return r, err
	}
	c, err := b.common()
	if err != nil {
		return r, err
	}
	var minutes, meters []float64
	polygons, segments := true, false
	for _, read := range []func() error{
		func() error { return b.numbers("contours_minutes", &minutes) },
		func() error { return b.numbers("contours_meters", &meters) },
		func() error { return member(b, "polygons", "a boolean", &polygons) },
		func() error { return member(b, "segments", "a boolean", &segments) },
		func() error { return member(b, "reverse", "a boolean", &r.Reverse) },
		func() error { return member(b, "resolution", "a number", &r.Resolution) },
		func() error { return member(b, "margin", "a number", &r.Margin) },
	} {
		if err := read(); err != nil {
			return r, err
		}
	}
	fillIsochrone(&r, &c, polygons, segments)
	if err := setContours(&r, minutes, meters); err != nil {
		return r, err
	}
	return r, r.Validate()
}

// numbers reads an array of numbers.
func (b body) numbers(name string, to *[]float64) error {
	return b.list(name, "a number", func(raw json.RawMessage) bool {
		var v float64
		ok := raw != nil && json.Unmarshal(raw, &v) == nil
		*to = append(*to, v)
		return ok
	})
}
