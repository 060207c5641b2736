package httpapi

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

// common holds what every service's query may say.
type common struct {
	coordinates   []orb.Point
	flatbuffers   bool        // asked for
	export        contentType // asked for, jsonBody if none is
	radiuses      []float64
	bearings      []*routing.Bearing
	approaches    []routing.Approach
	hints         int // coordinates for which a hint, or none, was given
	exclude       []string
	avoid         []routing.Avoid
	metric        string
	depart        time.Time
	snapping      routing.Snapping
	noHints       bool
	skipWaypoints bool
	language      string // of instructions; empty for none
}

// parser reads coordinates and options. A method reads one thing; it returns
// false where the text goes wrong, and leaves the scanner there.
type parser struct {
	scanner
	common
	exports []word[contentType] // suffixes that the service knows besides those of all
}

// option reads the value of one option, whose name was read already, or
// returns known=false if there is no such option.
type option func(name string) (ok, known bool)

// parse reads a whole query. service knows the options of its own.
func (p *parser) parse(service option) error {
	if p.readAll(service) && p.done() {
		return nil
	}
	return p.misread()
}

func (p *parser) misread() error {
	return fail(routing.ErrInvalidQuery, "Query string malformed close to position %d", p.at)
}

func (p *parser) readAll(service option) bool {
	if !p.readCoordinates() {
		return false
	}
	if !p.lit(".json") && !choose(p, &p.export, p.exports) {
		p.flatbuffers = p.lit(".flatbuffers")
	}
	if !p.lit("?") {
		return true
	}
	for {
		start := p.at
		ok, known := p.readOption(service)
		if !known {
			p.at = start
			if p.text[start-1] == '&' {
				p.at-- // as OSRM counts
			}
		}
		if !ok || !known {
			return false
		}
		if !p.lit("&") {
			return true
		}
	}
}

func (p *parser) readOption(service option) (ok, known bool) {
	var name string
	if !p.span(&name, identifier) || !p.lit("=") {
		return false, false
	}
	if ok, known := service(name); known {
		return ok, true
	}
	switch name {
	case "radiuses":
		return p.list(';', p.radius), true
	case "bearings":
		return p.list(';', p.bearing), true
	case "approaches":
		return p.list(';', p.approach), true
	case "hints":
		return p.list(';', p.hint), true
	case "exclude":
		p.exclude = nil
		return p.list(',', p.class), true
	case "metric":
		return p.span(&p.metric, identifier), true
	case "depart":
		return p.departure(), true
	case "avoid":
		return p.avoid(), true
	case "snapping":
		return choose(p, &p.snapping, snappings), true
	case "generate_hints":
		var generate bool
		ok := p.boolean(&generate)
		p.noHints = !generate
		return ok, true
	case "skip_waypoints":
		return p.boolean(&p.skipWaypoints), true
	}
	return false, false
}

// readCoordinates reads lon,lat;lon,lat or polyline(…) or polyline6(…).
func (p *parser) readCoordinates() bool {
	switch {
	case p.lit("polyline("):
		return p.polyline(5)
	case p.lit("polyline6("):
		return p.polyline(6)
	}
	path, _, _ := strings.Cut(p.text[p.at:], "?")
	p.coordinates = make([]orb.Point, 0, 1+strings.Count(path, ";"))
	return p.list(';', func() bool {
		var c orb.Point
		start := p.at
		if !p.number(&c[0]) || !p.lit(",") || !p.number(&c[1]) {
			return false
		}
		if !representable(c[0]) || !representable(c[1]) {
			p.at = start
			return false
		}
		p.coordinates = append(p.coordinates, c)
		return true
	})
}

func (p *parser) polyline(precision int) bool {
	var text string
	start := p.at
	if !p.span(&text, polylineChar) {
		return false
	}
	line, err := routing.DecodePolyline(text, precision)
	if err != nil {
		p.at = start
		return false
	}
	p.coordinates = line
	return p.lit(")")
}

// list reads items with a separator between them. A separator that no item
// follows is not part of the list.
func (p *parser) list(separator byte, item func() bool) bool {
	for last := -1; ; p.at++ {
		start := p.at
		if !item() {
			if last < 0 || p.at > start {
				return false
			}
			p.at = last
			return true
		}
		if p.done() || p.text[p.at] != separator {
			return true
		}
		last = p.at
	}
}

// check finds the faults that a request cannot show package routing.
func (c *common) check() error {
	if c.hints != 0 && c.hints != len(c.coordinates) {
		return fail(routing.ErrInvalidOptions, "Number of elements in hints size %d does not match coordinate size %d", c.hints, len(c.coordinates))
	}
	return nil
}

// empty says whether a list's item is left out, which makes it the default.
func (p *parser) empty() bool {
	return p.done() || p.text[p.at] == ';' || p.text[p.at] == '&'
}

func (p *parser) radius() bool {
	var meters float64
	switch {
	case p.empty():
	case p.lit("unlimited"):
		meters = routing.Unlimited
	default:
		if !p.number(&meters) {
			return false
		}
		meters = explicit(meters)
	}
	p.radiuses = append(p.radiuses, meters)
	return true
}

func (p *parser) bearing() bool {
	if p.empty() {
		p.bearings = append(p.bearings, nil)
		return true
	}
	var b routing.Bearing
	if !p.integer(&b.Value) || !p.lit(",") || !p.integer(&b.Range) {
		return false
	}
	p.bearings = append(p.bearings, &b)
	return true
}

func (p *parser) approach() bool {
	var a routing.Approach
	if !p.empty() && !choose(p, &a, approaches) {
		return false
	}
	p.approaches = append(p.approaches, a)
	return true
}

// hintSize is the length of an encoded hint; a coordinate may have several.
const hintSize = 112

// hint reads hints and forgets them: they only ever sped up OSRM.
func (p *parser) hint() bool {
	p.hints++
	if p.empty() {
		return true
	}
	var text string
	start := p.at
	if !p.span(&text, hintChar) {
		return false
	}
	if rest := len(text) % hintSize; rest != 0 {
		p.at = start + len(text) - rest
		return false
	}
	return true
}

func (p *parser) class() bool {
	var name string
	if !p.span(&name, classChar) {
		return false
	}
	p.exclude = append(p.exclude, name)
	return true
}

// departure reads a time by the clock of the roads.
func (p *parser) departure() bool {
	start := p.at
	var text string
	if !p.span(&text, identifier) {
		return false
	}
	var ok bool
	if p.depart, ok = parseDeparture(text); !ok {
		p.at = start
	}
	return ok
}

// parseDeparture reads 2006-01-02T15:04, with seconds or without. What the clock shows
// is what chooses a metric, so the zone of the answer does not matter.
func parseDeparture(text string) (t time.Time, ok bool) {
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return t, false
}

func (p *parser) boolean(to *bool) bool { return choose(p, to, booleans) }

// number reads a decimal number: no exponent, no infinity. A dot that begins
// a suffix such as .json or .flatbuffers is not part of it.
func (p *parser) number(to *float64) bool {
	end := p.at
	if end < len(p.text) && (p.text[end] == '-' || p.text[end] == '+') {
		end++
	}
	first := end
	skipDigits := func() {
		for end < len(p.text) && digit.has(p.text[end]) {
			end++
		}
	}
	skipDigits()
	count := end - first
	if end < len(p.text) && p.text[end] == '.' && (end+1 == len(p.text) || !letter.has(p.text[end+1])) {
		end++
		skipDigits()
		count = end - first - 1
	}
	if count == 0 {
		return false
	}
	v, err := strconv.ParseFloat(p.text[p.at:end], 64)
	if err != nil {
		return false
	}
	*to = v
	p.at = end
	return true
}

// integer reads a number of 16 bits with its sign, as bearings have.
func (p *parser) integer(to *int) bool {
	end := p.at
	if end < len(p.text) && (p.text[end] == '-' || p.text[end] == '+') {
		end++
	}
	for end < len(p.text) && digit.has(p.text[end]) {
		end++
	}
	v, err := strconv.ParseInt(p.text[p.at:end], 10, 16)
	if err != nil {
		return false
	}
	*to = int(v)
	p.at = end
	return true
}

// natural reads a number without sign, of 31 bits.
func (p *parser) natural(to *int) bool {
	start := p.at
	var v uint32
	if !p.unsigned(&v) {
		return false
	}
	if v > math.MaxInt32 {
		p.at = start
		return false
	}
	*to = int(v)
	return true
}

// unsigned reads a number without sign.
func (p *parser) unsigned(to *uint32) bool {
	start := p.at
	var text string
	if !p.span(&text, digit) {
		return false
	}
	v, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		p.at = start
		return false
	}
	*to = uint32(v)
	return true
}

// word is a word with its meaning.
type word[T any] struct {
	text  string
	value T
}

// choose reads the longest of the words that comes next.
func choose[T any](p *parser, to *T, words []word[T]) bool {
	best := -1
	for i, w := range words {
		if len(p.text)-p.at >= len(w.text) && p.text[p.at:p.at+len(w.text)] == w.text &&
			(best < 0 || len(w.text) > len(words[best].text)) {
			best = i
		}
	}
	if best < 0 {
		return false
	}
	*to = words[best].value
	p.at += len(words[best].text)
	return true
}

var (
	letter   = chars(letters)
	booleans = []word[bool]{{"true", true}, {"false", false}}

	snappings  = []word[routing.Snapping]{{"default", routing.SnapDefault}, {"any", routing.SnapAny}}
	approaches = []word[routing.Approach]{
		{"unrestricted", routing.ApproachUnrestricted},
		{"curb", routing.ApproachCurb},
		{"opposite", routing.ApproachOpposite},
	}
	straights = []word[routing.ContinueStraight]{
		{"default", routing.ContinueByProfile},
		{"true", routing.ContinueAlways},
		{"false", routing.ContinueFreely},
	}
	geometries = []word[routing.Geometries]{
		{"polyline", routing.GeometryPolyline},
		{"polyline6", routing.GeometryPolyline6},
		{"geojson", routing.GeometryGeoJSON},
	}
	overviews = []word[routing.Overview]{
		{"simplified", routing.OverviewSimplified},
		{"full", routing.OverviewFull},
		{"false", routing.OverviewFalse},
		{"by_legs", routing.OverviewByLegs},
	}
	annotations = []word[routing.Annotations]{
		{"duration", routing.AnnotateDuration},
		{"nodes", routing.AnnotateNodes},
		{"distance", routing.AnnotateDistance},
		{"weight", routing.AnnotateWeight},
		{"datasources", routing.AnnotateDatasources},
		{"speed", routing.AnnotateSpeed},
		{"ways", routing.AnnotateWays},
	}
	allAnnotations = []word[routing.Annotations]{{"true", routing.AnnotateAll}, {"false", 0}}
)
