package overpass

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

const (
	// maxDepth is how deep unions may be nested.
	maxDepth = 32
	// maxSets is the number of names that a query may give to sets.
	maxSets = 64
	// maxParts is the number of statements and filters of a query, which take a hundred
	// times the memory of their text.
	maxParts = 50_000
	// lightIDs is the number of ids up to which a query is light; a step from ways
	// to nodes or back counts as that many times as many.
	lightIDs, stepIDs = 256, 16
)

// parser understands a query.
type parser struct {
	scanner
	q     *Query
	names []string // of sets
	depth int
	parts int // statements and filters
	// patterns is the length of all patterns, in bytes.
	patterns int
	// What tells whether the query is light.
	ids, steps int
	heavy      bool
}

// Parse reads a query. Errors are a *SyntaxError.
func Parse(text string) (*Query, error) {
	p := &parser{scanner: scanner{text: text}, q: new(Query), names: []string{"_"}}
	if err := p.space(); err != nil {
		return nil, err
	}
	if p.has("[") {
		if err := p.settings(); err != nil {
			return nil, err
		}
	}
	for p.at < len(p.text) {
		if ok, err := p.take(";"); err != nil {
			return nil, err
		} else if ok {
			continue
		}
		s, err := p.statement()
		if err != nil {
			return nil, err
		}
		p.q.statements = append(p.q.statements, s)
		if err := p.expect(";"); err != nil {
			return nil, err
		}
	}
	if len(p.q.statements) == 0 {
		return nil, p.failAt(p.at, "the query is empty")
	}
	p.q.sets = len(p.names)
	for range min(p.steps, 3) {
		p.ids *= stepIDs
	}
	p.q.light = !p.heavy && p.ids <= lightIDs
	return p.q, nil
}

// settings reads what stands before the statements.
func (p *parser) settings() error {
	seen := make([]string, 0, 4)
	for p.has("[") {
		if _, err := p.take("["); err != nil {
			return err
		}
		start := p.at
		name, err := p.word()
		if err != nil {
			return err
		}
		if slices.Contains(seen, name) {
			return p.failAt(start, "the setting \"%s\" is there twice", name)
		}
		seen = append(seen, name)
		if err := p.expect(":"); err != nil {
			return err
		}
		if err := p.setting(start, name); err != nil {
			return err
		}
		if err := p.expect("]"); err != nil {
			return err
		}
	}
	return p.expect(";")
}

func (p *parser) setting(start int, name string) error {
	switch name {
	case "out":
		at := p.at
		format, err := p.word()
		if err == nil && format != "json" {
			return p.staticAt(at, "the format \"%s\" is not supported: use [out:json]", format)
		}
		return err
	case "timeout":
		at := p.at
		seconds, err := p.natural()
		if err == nil && seconds == 0 {
			return p.staticAt(at, "the timeout must be positive")
		}
		p.q.Timeout = time.Duration(min(seconds, math.MaxInt32)) * time.Second
		return err
	case "maxsize":
		at := p.at
		size, err := p.natural()
		if err == nil && size == 0 {
			return p.staticAt(at, "the maxsize must be positive")
		}
		p.q.MaxSize = size
		return err
	case "bbox":
		box, err := p.box()
		p.q.bounds = &box
		return err
	}
	return p.staticAt(start, "the setting \"%s\" is not supported", name)
}

// box reads four numbers: south, west, north, east.
func (p *parser) box() (graph.Box, error) {
	start := p.at
	var v [4]float64
	for i := range v {
		if i > 0 {
			if err := p.expect(","); err != nil {
				return graph.Box{}, err
			}
		}
		var err error
		if v[i], err = p.number(); err != nil {
			return graph.Box{}, err
		}
	}
	return p.boxOf(start, v)
}

func (p *parser) boxOf(start int, v [4]float64) (graph.Box, error) {
	south, west, north, east := v[0], v[1], v[2], v[3]
	switch {
	case !(south >= -90 && south <= 90 && north >= -90 && north <= 90):
		return graph.Box{}, p.staticAt(start, "a latitude is not between -90 and 90: a box is south,west,north,east")
	case !(west >= -180 && west <= 180 && east >= -180 && east <= 180):
		return graph.Box{}, p.staticAt(start, "a longitude is not between -180 and 180: a box is south,west,north,east")
	case south > north:
		return graph.Box{}, p.staticAt(start, "the south is north of the north: a box is south,west,north,east")
	}
	return graph.Box{
		Min: geo.Coord{Lon: microUp(west), Lat: microUp(south)},
		Max: geo.Coord{Lon: microDown(east), Lat: microDown(north)},
	}, nil
}

// microUp returns the least micro-degree from a number of degrees on, which counts as
// rounded to OSM's 1e-7.
func microUp(degrees float64) int32 {
	return int32(math.Ceil(math.Round(degrees*1e7) / 10))
}

// microDown returns the largest micro-degree up to a number of degrees.
func microDown(degrees float64) int32 {
	return int32(math.Floor(math.Round(degrees*1e7) / 10))
}

// unsupported are words that begin statements of Overpass which there are not here.
var unsupported = []string{
	"rel", "relation", "nwr", "nr", "wr", "area", "derived", "foreach", "for", "if", "complete",
	"is_in", "make", "convert", "timeline", "local", "compare", "retro", "map_to_area", "query", "changed",
}

// statement reads one statement up to its semicolon.
func (p *parser) statement() (s statement, err error) {
	start := p.at
	s.at = p.place(start)
	if err := p.part(start); err != nil {
		return s, err
	}
	if p.has("(") {
		return s, p.group(&s)
	}
	from := -1
	if p.has(".") {
		if from, err = p.setName(); err != nil {
			return s, err
		}
		s.from = from
		if p.has(";") || p.has("->") {
			s.op = opItem
			return s, p.into(&s)
		}
	}
	for _, r := range [...]struct {
		sign string
		op   operation
	}{{">>", opDown}, {">", opDown}, {"<<", opUp}, {"<", opUp}} {
		ok, err := p.take(r.sign)
		if err != nil {
			return s, err
		}
		if ok {
			s.op = r.op
			p.steps++
			return s, p.into(&s)
		}
	}
	word, err := p.word()
	switch {
	case err != nil:
		return s, err
	case word == "out":
		s.op = opOut
		return s, p.out(&s)
	case slices.Contains(unsupported, word):
		return s, p.staticAt(start, "the statement \"%s\" is not supported", word)
	case from >= 0:
		return s, p.failAt(start, "'->', ';', '>', '<' or 'out' expected after the name of a set")
	}
	switch word {
	case "node":
		s.nodes = true
	case "way":
		s.ways = true
	case "nw":
		s.nodes, s.ways = true, true
	case "":
		return s, p.failAt(start, "statement expected - %s found", p.found())
	default:
		return s, p.failAt(start, "unknown statement \"%s\"", word)
	}
	s.op = opQuery
	return s, p.query(&s)
}

// part counts a statement or a filter.
func (p *parser) part(start int) error {
	if p.parts++; p.parts > maxParts {
		return p.staticAt(start, "more than %d statements and filters", maxParts)
	}
	return nil
}

// setName reads a point and a name, and returns the number of the set.
func (p *parser) setName() (int, error) {
	if err := p.expect("."); err != nil {
		return 0, err
	}
	start := p.at
	name, err := p.word()
	switch {
	case err != nil:
		return 0, err
	case name == "" || name[0] >= '0' && name[0] <= '9':
		p.at = start
		return 0, p.failAt(start, "the name of a set expected - %s found", p.found())
	}
	if i := slices.Index(p.names, name); i >= 0 {
		return i, nil
	}
	if len(p.names) == maxSets {
		return 0, p.staticAt(start, "more than %d names of sets", maxSets)
	}
	p.names = append(p.names, name)
	return len(p.names) - 1, nil
}

// into reads where the result goes, if that is told.
func (p *parser) into(s *statement) error {
	ok, err := p.take("->")
	if err != nil || !ok {
		return err
	}
	s.into, err = p.setName()
	return err
}

// group reads a union or a difference.
func (p *parser) group(s *statement) error {
	start := p.at
	if p.depth++; p.depth > maxDepth {
		return p.staticAt(start, "statements are nested deeper than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	if err := p.expect("("); err != nil {
		return err
	}
	s.op = opUnion
	for !p.has(")") {
		if ok, err := p.take("-"); err != nil {
			return err
		} else if ok {
			if len(s.parts) != 1 {
				return p.staticAt(p.at, "a difference has one statement before '-' and one behind it")
			}
			s.op = opDifference
		} else if s.op == opDifference {
			return p.staticAt(p.at, "a difference has one statement before '-' and one behind it")
		}
		part, err := p.statement()
		if err != nil {
			return err
		}
		if part.op == opOut {
			return &SyntaxError{Line: part.at.line, Column: part.at.column, Static: true, Message: "\"out\" cannot be part of a union"}
		}
		s.parts = append(s.parts, part)
		if err := p.expect(";"); err != nil {
			return err
		}
	}
	if err := p.expect(")"); err != nil {
		return err
	}
	if len(s.parts) == 0 {
		return p.staticAt(start, "the union is empty")
	}
	return p.into(s)
}

// query reads the filters of a query.
func (p *parser) query(s *statement) error {
	s.from = -1
	for {
		var f filter
		var err error
		start := p.at
		switch {
		case p.has("."):
			f.kind = inSet
			f.set, err = p.setName()
		case p.has("["):
			f, err = p.tagFilter()
		case p.has("("):
			f, err = p.placeFilter(s)
		default:
			p.weigh(s)
			return p.into(s)
		}
		if err == nil {
			err = p.part(start)
		}
		if err != nil {
			return err
		}
		s.filters = append(s.filters, f)
	}
}

// weigh takes note of how much a query has to do.
func (p *parser) weigh(s *statement) {
	bounded := false
	for i := range s.filters {
		switch s.filters[i].kind {
		case byID:
			bounded = true
			p.ids += len(s.filters[i].ids)
		case inSet:
			bounded = true
		case ofWays, ofNodes:
			bounded = true
			p.steps++
		}
	}
	p.heavy = p.heavy || !bounded
}

// tagFilter reads a condition on tags.
func (p *parser) tagFilter() (f filter, err error) {
	if err := p.expect("["); err != nil {
		return f, err
	}
	not, err := p.take("!")
	if err != nil {
		return f, err
	}
	byKey, err := p.take("~")
	if err != nil {
		return f, err
	}
	keyAt := p.at
	if f.key, err = p.quoted(); err != nil {
		return f, err
	}
	if byKey {
		if not {
			return f, p.staticAt(keyAt, "[!~\"key\"] is not supported")
		}
		return p.keyPattern(f, keyAt)
	}
	if not {
		f.kind = lacksKey
		return f, p.expect("]")
	}
	for _, o := range [...]struct {
		sign    string
		kind    filterKind
		pattern bool
	}{{"=", equals, false}, {"!=", differs, false}, {"~", matches, true}, {"!~", differsFromAll, true}} {
		ok, err := p.take(o.sign)
		if err != nil {
			return f, err
		}
		if !ok {
			continue
		}
		f.kind = o.kind
		at := p.at
		if f.value, err = p.quoted(); err != nil {
			return f, err
		}
		if o.pattern {
			fold, err := p.foldCase()
			if err != nil {
				return f, err
			}
			if f.pattern, err = p.pattern(at, f.value, fold); err != nil {
				return f, err
			}
		}
		return f, p.expect("]")
	}
	return f, p.expect("]")
}

// keyPattern reads the rest of a condition on keys and values.
func (p *parser) keyPattern(f filter, keyAt int) (filter, error) {
	f.kind = keyMatches
	if err := p.expect("~"); err != nil {
		return f, err
	}
	at := p.at
	var err error
	if f.value, err = p.quoted(); err != nil {
		return f, err
	}
	fold, err := p.foldCase()
	if err != nil {
		return f, err
	}
	if f.keyPattern, err = p.pattern(keyAt, f.key, fold); err != nil {
		return f, err
	}
	if f.pattern, err = p.pattern(at, f.value, fold); err != nil {
		return f, err
	}
	return f, p.expect("]")
}

// pattern compiles a regular expression.
func (p *parser) pattern(at int, text string, foldCase bool) (*pattern, error) {
	if p.patterns += len(text); p.patterns > maxPatternText {
		return nil, p.staticAt(at, "the regular expressions have more than %d bytes together", maxPatternText)
	}
	re, err := newPattern(text, foldCase)
	if err != nil {
		return nil, p.staticAt(at, "invalid regular expression: %v", err)
	}
	return re, nil
}

// foldCase reads the flag that letters count as equal in either case.
func (p *parser) foldCase() (bool, error) {
	ok, err := p.take(",")
	if err != nil || !ok {
		return false, err
	}
	return true, p.expect("i")
}

// placeFilter reads a condition in parentheses.
func (p *parser) placeFilter(s *statement) (f filter, err error) {
	if err := p.expect("("); err != nil {
		return f, err
	}
	start := p.at
	switch word := p.peekWord(); {
	case word == "id":
		if _, err := p.word(); err != nil {
			return f, err
		}
		if err := p.expect(":"); err != nil {
			return f, err
		}
		err = p.idList(&f)
	case word == "around":
		err = p.around(&f)
	case word == "w" && s.nodes && !s.ways:
		err = p.ofSet(&f, ofWays)
	case word == "bn" && s.ways && !s.nodes:
		err = p.ofSet(&f, ofNodes)
	case word != "" && (word[0] < '0' || word[0] > '9'):
		return f, p.staticAt(start, "the filter \"%s\" is not supported here", word)
	default:
		err = p.idOrBox(&f)
	}
	if err != nil {
		return f, err
	}
	return f, p.expect(")")
}

func (p *parser) idList(f *filter) error {
	f.kind = byID
	for {
		id, err := p.natural()
		if err != nil {
			return err
		}
		f.ids = append(f.ids, id)
		if ok, err := p.take(","); err != nil || !ok {
			return err
		}
	}
}

// idOrBox reads one id, or the four numbers of a box.
func (p *parser) idOrBox(f *filter) error {
	end := strings.IndexAny(p.text[p.at:], ",)")
	if end < 0 || p.text[p.at+end] == ')' {
		f.kind = byID
		id, err := p.natural()
		f.ids = []int64{id}
		return err
	}
	f.kind = inBox
	var err error
	f.box, err = p.box()
	return err
}

// ofSet reads a step from a set.
func (p *parser) ofSet(f *filter, kind filterKind) (err error) {
	f.kind = kind
	if _, err := p.word(); err != nil {
		return err
	}
	if p.has(".") {
		f.set, err = p.setName()
	}
	return err
}

// around reads a circle.
func (p *parser) around(f *filter) error {
	f.kind = aroundPlace
	if _, err := p.word(); err != nil {
		return err
	}
	if p.has(".") {
		return p.staticAt(p.at, "\"around\" of a set is not supported: use (around:radius,latitude,longitude)")
	}
	if err := p.expect(":"); err != nil {
		return err
	}
	start := p.at
	var v [3]float64
	for i := range v {
		if i > 0 {
			if i == 1 && p.has(")") {
				return p.staticAt(p.at, "\"around\" of a set is not supported: use (around:radius,latitude,longitude)")
			}
			if err := p.expect(","); err != nil {
				return err
			}
		}
		var err error
		if v[i], err = p.number(); err != nil {
			return err
		}
	}
	if p.has(",") {
		return p.staticAt(p.at, "\"around\" of a line is not supported: use (around:radius,latitude,longitude)")
	}
	switch {
	case !(v[0] >= 0 && v[0] <= math.MaxFloat64):
		return p.staticAt(start, "the radius must not be negative")
	case !(v[1] >= -90 && v[1] <= 90) || !(v[2] >= -180 && v[2] <= 180):
		return p.staticAt(start, "no such place: \"around\" takes radius,latitude,longitude")
	}
	f.radius, f.center = v[0], geo.FromLonLat(v[2], v[1])
	return nil
}

// out reads the options of out.
func (p *parser) out(s *statement) error {
	o := &s.out
	o.limit = -1
	seen := make([]string, 0, 4)
	once := func(at int, what, word string) error {
		if slices.Contains(seen, what) {
			return p.staticAt(at, "\"%s\" is one too many: \"out\" has one %s", word, what)
		}
		seen = append(seen, what)
		return nil
	}
	for {
		start := p.at
		if p.has("(") {
			if err := once(start, "box", "("); err != nil {
				return err
			}
			if _, err := p.take("("); err != nil {
				return err
			}
			box, err := p.box()
			if err != nil {
				return err
			}
			o.box = &box
			if err := p.expect(")"); err != nil {
				return err
			}
			continue
		}
		if p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
			n, err := p.natural()
			if err != nil {
				return err
			}
			if err := once(start, "limit", "the number"); err != nil {
				return err
			}
			o.limit = int(min(n, math.MaxInt32))
			continue
		}
		word, err := p.word()
		if err != nil {
			return err
		}
		if word == "" {
			break
		}
		what := "verbosity"
		switch word {
		case "body":
		case "ids":
			o.verbosity = showIDs
		case "skel":
			o.verbosity = showSkeleton
		case "tags":
			o.verbosity = showTags
		case "count":
			o.verbosity = showCount
		case "geom":
			what, o.shape = "geometry", showGeometry
		case "center":
			what, o.shape = "geometry", showCenter
		case "bb":
			what, o.shape = "geometry", showBounds
		case "asc", "qt":
			what = "order"
		case "meta", "attribution", "noids":
			return p.staticAt(start, "\"out %s\" is not supported: versions and authors are not kept", word)
		default:
			return p.failAt(start, "unknown option \"%s\" of \"out\"", word)
		}
		if err := once(start, what, word); err != nil {
			return err
		}
	}
	if o.box != nil && o.shape != showGeometry {
		return p.staticAt(p.at, "a box of \"out\" needs \"geom\"")
	}
	return nil
}
