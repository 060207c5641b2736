package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

// body is the JSON object of a POST request. Members that a service does not
// know are ignored.
type body map[string]json.RawMessage

func badBody(format string, args ...any) error {
	return fail(routing.ErrInvalidQuery, format, args...)
}

// parseBody reads a JSON object.
func parseBody(data []byte) (body, error) {
	var b body
	if !json.Valid(data) {
		return nil, badBody("invalid JSON: %v", json.Unmarshal(data, new(any)))
	}
	if err := json.Unmarshal(data, &b); err != nil || b == nil {
		return nil, badBody("request body must be a JSON object")
	}
	return b, nil
}

// strict reads an object that may have no other members than those of a variable.
func strict(data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(to)
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s cannot be %s", strings.ToLower(e.Field), e.Value)
	}
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// member reads a member into a variable, which stays as it is if there is none.
func member[T any](b body, name, what string, to *T) error {
	raw, ok := b[name]
	if !ok {
		return nil
	}
	if bytes.Equal(raw, []byte("null")) || json.Unmarshal(raw, to) != nil {
		return badBody("%s must be %s", name, what)
	}
	return nil
}

// list reads a member whose items are null or what item can read. Null is told
// to item as nil.
func (b body) list(name, what string, item func(raw json.RawMessage) bool) error {
	var items []json.RawMessage
	if err := member(b, name, "an array", &items); err != nil {
		return err
	}
	for i, raw := range items {
		if bytes.Equal(raw, []byte("null")) {
			raw = nil
		}
		if !item(raw) {
			return badBody("%s: entry %d must be %s", name, i, what)
		}
	}
	return nil
}

// words reads a member that is one of some words.
func words[T any](b body, name string, to *T, known []word[T]) error {
	var text string
	if err := member(b, name, "a string", &text); err != nil {
		return err
	}
	if _, ok := b[name]; ok && !lookUp(text, to, known) {
		return badBody("invalid %s value: want %s", name, oneOf(known))
	}
	return nil
}

// oneOf lists words.
func oneOf[T any](known []word[T]) string {
	var list strings.Builder
	for i, w := range known {
		switch {
		case i == 0:
		case i == len(known)-1:
			list.WriteString(" or ")
		default:
			list.WriteString(", ")
		}
		list.WriteString(w.text)
	}
	return list.String()
}

func lookUp[T any](text string, to *T, known []word[T]) bool {
	for _, w := range known {
		if w.text == text {
			*to = w.value
			return true
		}
	}
	return false
}

// text reads a JSON string.
func text(raw json.RawMessage, to *string) bool { return raw != nil && json.Unmarshal(raw, to) == nil }

// common reads the members that all services know.
func (b body) common() (c common, err error) {
	generate, format := true, false
	for _, read := range []func() error{
		func() error { return b.coordinates(&c) },
		func() error {
			return b.list("bearings", "null or an array of two integers of 16 bits", func(raw json.RawMessage) bool {
				if raw == nil {
					c.bearings = append(c.bearings, nil)
					return true
				}
				var pair []*int16
				if json.Unmarshal(raw, &pair) != nil || len(pair) != 2 || pair[0] == nil || pair[1] == nil {
					return false
				}
				c.bearings = append(c.bearings, &routing.Bearing{Value: int(*pair[0]), Range: int(*pair[1])})
				return true
			})
		},
		func() error {
			return b.list("radiuses", `null, a number or "unlimited"`, func(raw json.RawMessage) bool {
				var meters float64
				var word string
				switch {
				case raw == nil:
				case json.Unmarshal(raw, &meters) == nil:
					meters = explicit(meters)
				case text(raw, &word) && word == "unlimited":
					meters = routing.Unlimited
				default:
					return false
				}
				c.radiuses = append(c.radiuses, meters)
				return true
			})
		},
		func() error {
			return b.list("hints", "null or a string", func(raw json.RawMessage) bool {
				c.hints++
				return raw == nil || text(raw, new(string))
			})
		},
		func() error {
			return b.list("approaches", "null or one of unrestricted, curb and opposite", func(raw json.RawMessage) bool {
				var word string
				var a routing.Approach
				ok := raw == nil || text(raw, &word) && lookUp(word, &a, approaches)
				c.approaches = append(c.approaches, a)
				return ok
			})
		},
		func() error {
			return b.list("exclude", "a string", func(raw json.RawMessage) bool {
				var class string
				ok := text(raw, &class)
				c.exclude = append(c.exclude, class)
				return ok
			})
		},
		func() error { return b.avoid(&c) },
		func() error { return member(b, "metric", "a string", &c.metric) },
		func() error { return b.departure(&c.depart) },
		func() error { return words(b, "snapping", &c.snapping, snappings) },
		func() error { return words(b, "format", &format, []word[bool]{{"json", false}, {"flatbuffers", true}}) },
		func() error { return member(b, "generate_hints", "a boolean", &generate) },
		func() error { return member(b, "skip_waypoints", "a boolean", &c.skipWaypoints) },
	} {
		if err := read(); err != nil {
			return c, err
		}
	}
	c.noHints, c.flatbuffers = !generate, format
	return c, nil
}

// departure reads a time by the clock of the roads.
func (b body) departure(to *time.Time) error {
	var text string
	if err := member(b, "depart", "a string", &text); err != nil {
		return err
	}
	if _, ok := b["depart"]; !ok {
		return nil
	}
	var ok bool
	if *to, ok = parseDeparture(text); !ok {
		return badBody("depart must be a time such as 2006-01-02T15:04")
	}
	return nil
}

// coordinates reads pairs of numbers, or a polyline as in a URL.
func (b body) coordinates(c *common) error {
	raw, ok := b["coordinates"]
	if !ok {
		return badBody("missing required member: coordinates")
	}
	var line string
	if text(raw, &line) {
		inner, isLine := strings.CutSuffix(line, ")")
		five, isFive := strings.CutPrefix(inner, "polyline(")
		six, isSix := strings.CutPrefix(inner, "polyline6(")
		var err error
		switch {
		case isLine && isFive:
			c.coordinates, err = routing.DecodePolyline(five, 5)
		case isLine && isSix:
			c.coordinates, err = routing.DecodePolyline(six, 6)
		default:
			return badBody("coordinates string must be of the form polyline(...) or polyline6(...)")
		}
		if err != nil {
			return badBody("%v", err)
		}
		return nil
	}
	return b.list("coordinates", "an array of two numbers, longitude and latitude, in range", func(raw json.RawMessage) bool {
		var pair []*float64
		if raw == nil || json.Unmarshal(raw, &pair) != nil || len(pair) != 2 || pair[0] == nil || pair[1] == nil {
			return false
		}
		c.coordinates = append(c.coordinates, orb.Point{*pair[0], *pair[1]})
		return representable(*pair[0]) && representable(*pair[1])
	})
}

// representable says whether degrees fit 32 bits of micro-degrees.
func representable(degrees float64) bool {
	return math.Abs(math.Round(degrees*1e6)) <= math.MaxInt32
}

// explicit returns a radius of 0, which means the default to package routing,
// as one that finds only what is at the very place.
func explicit(meters float64) float64 {
	if meters == 0 {
		return math.SmallestNonzeroFloat64
	}
	return meters
}

// drawing reads the members that say how a route is shown.
func (b body) drawing() (d drawing, err error) {
	for _, read := range []func() error{
		func() error { return member(b, "steps", "a boolean", &d.steps) },
		func() error { return words(b, "geometries", &d.geometries, geometries) },
		func() error { return words(b, "overview", &d.overview, overviews) },
		func() error { return b.annotations(&d.annotations) },
		func() error { return b.indices("waypoints", &d.waypoints) },
		func() error { return member(b, "instructions", "a string", &d.language) },
		func() error { return member(b, "explain", "a boolean", &d.explain) },
	} {
		if err := read(); err != nil {
			return d, err
		}
	}
	return d, nil
}

// indices reads an array of indices.
func (b body) indices(name string, to *[]int) error {
	return b.list(name, "a non-negative integer", func(raw json.RawMessage) bool {
		var i uint32
		ok := raw != nil && json.Unmarshal(raw, &i) == nil && i <= math.MaxInt32
		*to = append(*to, int(i))
		return ok
	})
}

// number reads a number, if it is there.
func (b body) number(name string, to **float64) error {
	if _, ok := b[name]; !ok {
		return nil
	}
	*to = new(float64)
	return member(b, name, "a number", *to)
}

// alternatives reads a number, or true for one.
func (b body) alternatives(to *int) error {
	var some bool
	if member(b, "alternatives", "a boolean", &some) == nil {
		if some {
			*to = 1
		}
		return nil
	}
	var count uint32
	err := member(b, "alternatives", "a boolean or a non-negative integer", &count)
	*to = int(count)
	return err
}

// continueStraight reads a boolean or the word default.
func (b body) continueStraight(to *routing.ContinueStraight) error {
	var word string
	if text(b["continue_straight"], &word) && word == "default" {
		return nil
	}
	straight := false
	err := member(b, "continue_straight", `a boolean or "default"`, &straight)
	if _, ok := b["continue_straight"]; ok {
		*to = routing.ContinueFreely
		if straight {
			*to = routing.ContinueAlways
		}
	}
	return err
}

// annotations reads a boolean or a list of names.
func (b body) annotations(to *routing.Annotations) error {
	raw, ok := b["annotations"]
	if !ok {
		return nil
	}
	var all bool
	if json.Unmarshal(raw, &all) == nil && !bytes.Equal(raw, []byte("null")) {
		if all {
			*to = routing.AnnotateAll
		}
		return nil
	}
	return b.list("annotations", "one of duration, nodes, distance, weight, datasources, speed and ways", func(raw json.RawMessage) bool {
		var name string
		var one routing.Annotations
		ok := text(raw, &name) && lookUp(name, &one, annotations)
		*to |= one
		return ok
	})
}
