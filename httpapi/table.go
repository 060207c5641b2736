package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"math"

	"github.com/fourway-routing/fourway/routing"
)

func getTable(s *Server, text string, offset int) (question, error) {
	r, c, err := parseTable(text, offset)
	return s.table(r, c, err)
}

func postTable(s *Server, data []byte) (question, error) {
	r, c, err := tableOfBody(data)
	return s.table(r, c, err)
}

// table takes a request that was parsed with an error or none.
func (s *Server) table(r routing.TableRequest, c common, err error) (question, error) {
	if err != nil {
		return question{}, err
	}
	r.Radiuses = s.radiuses(len(r.Coordinates), r.Radiuses)
	return question{flat: c.flatbuffers, work: tableWork(&r), avoid: r.Avoid, ask: func(ctx context.Context, e *routing.Engine) (answer, error) {
		if err := s.limits.CheckTable(&r); err != nil {
			return nil, err
		}
		rows, columns := len(r.Sources), len(r.Destinations)
		if rows == 0 {
			rows = len(r.Coordinates)
		}
		if columns == 0 {
			columns = len(r.Coordinates)
		}
		if c.flatbuffers && (rows > math.MaxUint16 || columns > math.MaxUint16) {
			return nil, fail(routing.ErrTooBig, "Flatbuffers hold %d rows and columns at most: ask for json.", math.MaxUint16)
		}
		res, err := routing.Table(ctx, e, r)
		if err != nil {
			return nil, err
		}
		return &tableAnswer{res, rows, columns, r.SkipWaypoints, r.FallbackSpeed > 0}, nil
	}}, nil
}

type tableAnswer struct {
	*routing.TableResponse
	rows, columns            int
	skipWaypoints, estimates bool
}

func (a *tableAnswer) render(b *buffer, flat bool) {
	if !flat {
		b.body = a.AppendJSON(b.body[:0])
		return
	}
	w := flatWriter{Builder: b.builder()}
	res := flatResult{dataVersion: a.DataVersion}
	var destinations flatOffset
	if !a.skipWaypoints {
		res.waypoints = w.list(len(a.Sources), func(i int) flatOffset { return w.waypoint(&a.Sources[i], nil) })
		destinations = w.list(len(a.Destinations), func(i int) flatOffset { return w.waypoint(&a.Destinations[i], nil) })
	}
	res.table = w.table(a, destinations)
	b.body = w.finish(b.body[:0], &res)
}

var (
	tableAnnotations = []word[routing.TableAnnotations]{{"duration", routing.TableDurations}, {"distance", routing.TableDistances}}
	fallbacks        = []word[routing.FallbackCoordinate]{{"input", routing.FallbackInput}, {"snapped", routing.FallbackSnapped}}
)

// tableOptions holds what only tables have.
type tableOptions struct {
	sources, destinations []int
	annotations           routing.TableAnnotations
	speed, scale          *float64
	fallback              routing.FallbackCoordinate
}

// parseTable reads the query of a table: coordinates?options. Positions in
// errors count from the beginning of text; the query begins at offset.
func parseTable(text string, offset int) (r routing.TableRequest, c common, err error) {
	p := parser{scanner: scanner{text: text, at: offset}}
	var o tableOptions
	err = p.parse(func(name string) (ok, known bool) {
		switch name {
		case "sources":
			return p.allOrIndices(&o.sources), true
		case "destinations":
			return p.allOrIndices(&o.destinations), true
		case "annotations":
			o.annotations = 0
			return p.list(',', func() bool {
				var one routing.TableAnnotations
				ok := choose(&p, &one, tableAnnotations)
				o.annotations |= one
				return ok
			}), true
		case "fallback_speed":
			o.speed = new(float64)
			return p.number(o.speed), true
		case "scale_factor":
			o.scale = new(float64)
			return p.number(o.scale), true
		case "fallback_coordinate":
			return choose(&p, &o.fallback, fallbacks), true
		}
		return false, false
	})
	if err != nil {
		return r, c, err
	}
	return r, p.common, fillTable(&r, &p.common, &o)
}

// allOrIndices reads the word all, which leaves a list as it is, or a list.
func (p *parser) allOrIndices(to *[]int) bool { return p.lit("all") || p.indices(to) }

func fillTable(r *routing.TableRequest, c *common, o *tableOptions) error {
	r.Coordinates, r.Radiuses, r.Bearings, r.Approaches = c.coordinates, c.radiuses, c.bearings, c.approaches
	r.Exclude, r.Snapping, r.NoHints, r.SkipWaypoints = c.exclude, c.snapping, c.noHints, c.skipWaypoints
	r.Metric, r.Depart = c.metric, c.depart
	r.Avoid = c.avoid
	r.Sources, r.Destinations, r.Annotations, r.FallbackCoordinate = o.sources, o.destinations, o.annotations, o.fallback
	if err := c.check(); err != nil {
		return err
	}
	if o.speed != nil {
		if *o.speed <= 0 {
			return fail(routing.ErrInvalidOptions, "fallback_speed must be > 0")
		}
		r.FallbackSpeed = *o.speed
	}
	if o.scale != nil {
		if *o.scale <= 0 {
			return fail(routing.ErrInvalidOptions, "scale_factor must be > 0")
		}
		r.ScaleFactor = *o.scale
	}
	return nil
}

// tableOfBody reads the request for a table.
func tableOfBody(data []byte) (r routing.TableRequest, c common, err error) {
	b, err := parseBody(data)
	if err != nil {
		return r, c, err
	}
	if c, err = b.common(); err != nil {
		return r, c, err
	}
	var o tableOptions
	for _, read := range []func() error{
		func() error { return b.indices("sources", &o.sources) },
		func() error { return b.indices("destinations", &o.destinations) },
		func() error { return b.tableAnnotations(&o.annotations) },
		func() error { return b.number("fallback_speed", &o.speed) },
		func() error { return b.number("scale_factor", &o.scale) },
		func() error { return words(b, "fallback_coordinate", &o.fallback, fallbacks) },
	} {
		if err := read(); err != nil {
			return r, c, err
		}
	}
	return r, c, fillTable(&r, &c, &o)
}

// tableAnnotations reads a boolean or a list of names.
func (b body) tableAnnotations(to *routing.TableAnnotations) error {
	raw, ok := b["annotations"]
	if !ok {
		return nil
	}
	var all bool
	if json.Unmarshal(raw, &all) == nil && !bytes.Equal(raw, []byte("null")) {
		if all {
			*to = routing.TableDurations | routing.TableDistances
		}
		return nil
	}
	return b.list("annotations", "one of duration and distance", func(raw json.RawMessage) bool {
		var name string
		var one routing.TableAnnotations
		ok := text(raw, &name) && lookUp(name, &one, tableAnnotations)
		*to |= one
		return ok
	})
}
