package httpapi

import "github.com/fourway-routing/fourway/routing"

// parseNearest reads the query of nearest: coordinate?options. Positions in
// errors count from the beginning of text; the query begins at offset.
func parseNearest(text string, offset int) (routing.NearestRequest, error) {
	r := routing.NearestRequest{Number: 1}
	p := parser{scanner: scanner{text: text, at: offset}}
	err := p.parse(func(name string) (ok, known bool) {
		if name == "number" {
			return p.natural(&r.Number), true
		}
		return false, false
	})
	if err != nil {
		return r, err
	}
	if err := p.check(); err != nil {
		return r, err
	}
	// The lists are checked against the coordinates as for a route.
	n := len(p.coordinates)
	for _, list := range [...]struct {
		name string
		size int
	}{{"bearings", len(p.bearings)}, {"radiuses", len(p.radiuses)}, {"approaches", len(p.approaches)}} {
		if list.size != 0 && list.size != n {
			return r, fail(routing.ErrInvalidOptions, "Number of elements in %s size %d does not match coordinate size %d", list.name, list.size, n)
		}
	}
	if r.Number == 0 {
		return r, fail(routing.ErrInvalidOptions, "Number of results needs to be at least one.")
	}
	if n != 1 {
		return r, fail(routing.ErrInvalidOptions, "Only one input coordinate is supported")
	}
	r.Coordinate = p.coordinates[0]
	if len(p.radiuses) > 0 {
		r.Radius = p.radiuses[0]
	}
	if len(p.bearings) > 0 {
		r.Bearing = p.bearings[0]
	}
	if len(p.approaches) > 0 {
		r.Approach = p.approaches[0]
	}
	r.Exclude, r.NoHints, r.SkipWaypoints = p.exclude, p.noHints, p.skipWaypoints
	return r, nil
}
