package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

// longestID is the length of the longest id of a closure.
const longestID = 64

// closureAnswer tells of changes to closures.
type closureAnswer struct {
	Code     string         `json:"code"`
	Closures []closureState `json:"closures"`
	Ended    int            `json:"ended"`
	Live     int            `json:"live"`
	Nodes    int            `json:"nodes"`
	Took     float64        `json:"took"` // seconds
}

// closureState is what a closure is, without its polygon.
type closureState struct {
	ID            string     `json:"id"`
	Until         string     `json:"until,omitempty"`
	Note          string     `json:"note,omitempty"`
	Classes       []string   `json:"classes,omitempty"`
	Ways          []int64    `json:"ways,omitempty"`
	Segments      [][2]int64 `json:"segments,omitempty"`
	Closed        int        `json:"closed"` // segments, by direction
	FoundWays     int        `json:"found_ways"`
	FoundSegments int        `json:"found_segments"`
}

func stateOf(c *routing.LiveClosure) closureState {
	s := closureState{
		ID: c.ID, Note: c.Note, Classes: c.Classes, Ways: c.Ways, Segments: c.Avoid.Segments,
		Closed: c.Segments, FoundWays: c.FoundWays, FoundSegments: c.FoundSegments,
	}
	if !c.Until.IsZero() {
		s.Until = c.Until.UTC().Format(time.RFC3339Nano)
	}
	return s
}

func answerOf(r *routing.ClosureReport) *closureAnswer {
	a := &closureAnswer{Code: "Ok", Closures: []closureState{}, Ended: r.Ended, Live: r.Live, Nodes: r.Nodes, Took: r.Took.Seconds()}
	for i := range r.Closures {
		a.Closures = append(a.Closures, stateOf(&r.Closures[i]))
	}
	return a
}

// closeRoads reads closures in JSON.
func (c *change) closeRoads() (func(context.Context) (any, error), error) {
	if err := c.only(); err != nil {
		return nil, err
	}
	if c.rest != "" {
		return nil, fail(codeInvalidURL, "Nothing follows the profile; a closure's id is a member of the body.")
	}
	if c.kind != "application/json" && c.kind != "application/geo+json" {
		return nil, fail(codeInvalidContentType, "Closures are application/json or application/geo+json.")
	}
	data, err := c.text()
	if err != nil {
		return nil, err
	}
	closures, err := closuresOf(data, time.Now())
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (any, error) {
		report, err := c.engine.CloseRoads(ctx, closures...)
		if err != nil {
			return nil, err
		}
		return answerOf(report), nil
	}, nil
}

// closuresOf reads an object or an array of objects, as avoid takes them, with id,
// note, and until or ttl.
func closuresOf(data []byte, now time.Time) ([]routing.Closure, error) {
	if !json.Valid(data) {
		return nil, badBody("invalid JSON: %v", json.Unmarshal(data, new(any)))
	}
	var closures []routing.Closure
	err := eachRoads(data, "closures", func(l *listedRoads, list []routing.Avoid) error {
		x, err := l.closure(now)
		if err != nil {
			return err
		}
		if len(list) > 1 {
			return fmt.Errorf("a closure has one polygon, not %d", len(list))
		}
		x.Avoid = list[0]
		closures = append(closures, x)
		return nil
	})
	return closures, err
}

// closureTerms are members of closures alone: for the rest they may be anything.
type closureTerms struct {
	ID    json.RawMessage `json:"id"`
	Until json.RawMessage `json:"until"`
	TTL   json.RawMessage `json:"ttl"`
	Note  json.RawMessage `json:"note"`
}

// longestTTL keeps a duration of seconds within range.
const longestTTL = 100 * 365 * 24 * 3600

// closure returns a closure but for its roads.
func (t *closureTerms) closure(now time.Time) (x routing.Closure, err error) {
	var number json.Number
	var until string
	var ttl *float64
	switch {
	case misfit(t.ID, &x.ID) && misfit(t.ID, &number):
		return x, fmt.Errorf("id must be a string or a number")
	case misfit(t.Note, &x.Note):
		return x, fmt.Errorf("note must be a string")
	case misfit(t.Until, &until):
		return x, fmt.Errorf("until must be a string")
	case misfit(t.TTL, &ttl):
		return x, fmt.Errorf("ttl must be a number")
	}
	if number != "" {
		x.ID = number.String()
	}
	if x.ID != "" && !validID(x.ID) {
		return x, fmt.Errorf("an id has up to %d letters, digits and any of _.~:-", longestID)
	}
	switch {
	case ttl != nil && until != "":
		return x, fmt.Errorf("until and ttl exclude each other")
	case ttl != nil:
		if !(*ttl > 0 && *ttl <= longestTTL) {
			return x, fmt.Errorf("ttl is %v: want seconds, more than 0 and no more than %d", *ttl, longestTTL)
		}
		x.Until = now.Add(time.Duration(*ttl * float64(time.Second)))
	case until != "":
		if x.Until, err = time.Parse(time.RFC3339, until); err != nil {
			return x, fmt.Errorf("until is %q: want a time like 2026-05-02T10:00:00+02:00", until)
		}
	}
	return x, nil
}

// misfit says whether a member is there that a variable cannot take; null leaves it as
// it is.
func misfit(member json.RawMessage, to any) bool {
	return member != nil && json.Unmarshal(member, to) != nil
}

func validID(id string) bool { return ValidProfile(id) && len(id) <= longestID }

// openRoads reads the ids of closures to end: behind the profile, with ; between.
func (c *change) openRoads() (func(context.Context) (any, error), error) {
	if err := c.only(); err != nil {
		return nil, err
	}
	if c.rest == "" {
		return nil, fail(codeInvalidURL, "The closures to end follow the profile: /closure/v1/%s/1;2", c.profile)
	}
	ids := strings.Split(c.rest, ";")
	for _, id := range ids {
		if !validID(id) {
			return nil, fail(codeInvalidURL, "The ids of closures have up to %d letters, digits and any of _.~:-", longestID)
		}
	}
	return func(ctx context.Context) (any, error) {
		report, err := c.engine.OpenRoads(ctx, ids...)
		if err != nil {
			return nil, err
		}
		return answerOf(report), nil
	}, nil
}

// closures tells the closures that count, or those in the rectangle bbox.
func (c *change) closures() (func(context.Context) (any, error), error) {
	if err := c.only("bbox"); err != nil {
		return nil, err
	}
	if c.rest != "" {
		return nil, fail(codeInvalidURL, "Nothing follows the profile.")
	}
	list := c.engine.Closures
	if text := c.query.Get("bbox"); text != "" {
		b, ok := boundOf(text)
		if !ok {
			return nil, fail(routing.ErrInvalidOptions, "bbox is west,south,east,north in degrees.")
		}
		list = func() []routing.LiveClosure { return c.engine.ClosuresIn(b) }
	}
	return func(context.Context) (any, error) {
		all := closureList{Code: "Ok", Type: "FeatureCollection", Features: []closureFeature{}}
		for _, x := range list() {
			f := closureFeature{Type: "Feature", Properties: stateOf(&x)}
			if len(x.Polygon) > 0 {
				f.Geometry = &polygonGeometry{"Polygon", x.Polygon}
			}
			if !x.Bounds.IsEmpty() {
				f.Box = []float64{x.Bounds.Min[0], x.Bounds.Min[1], x.Bounds.Max[0], x.Bounds.Max[1]}
			}
			all.Features = append(all.Features, f)
		}
		return &all, nil
	}, nil
}

// closureList is GeoJSON.
type closureList struct {
	Code     string           `json:"code"`
	Type     string           `json:"type"`
	Features []closureFeature `json:"features"`
}

type closureFeature struct {
	Type       string           `json:"type"`
	Box        []float64        `json:"bbox,omitempty"`
	Properties closureState     `json:"properties"`
	Geometry   *polygonGeometry `json:"geometry"`
}

type polygonGeometry struct {
	Type        string      `json:"type"`
	Coordinates orb.Polygon `json:"coordinates"`
}

// boundOf reads west,south,east,north.
func boundOf(text string) (b orb.Bound, ok bool) {
	fields := strings.Split(text, ",")
	if len(fields) != 4 {
		return b, false
	}
	var v [4]float64
	for i, f := range fields {
		var err error
		if v[i], err = strconv.ParseFloat(f, 64); err != nil || !representable(v[i]) {
			return b, false
		}
	}
	b = orb.Bound{Min: orb.Point{v[0], v[1]}, Max: orb.Point{v[2], v[3]}}
	return b, v[0] <= v[2] && v[1] <= v[3]
}
