package overpass

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/fourway-routing/fourway/graph"
)

// Limits bound the work of a query. The zero value stands for the defaults.
type Limits struct {
	// Elements is the largest number of elements in one set: 0 stands for
	// DefaultElements.
	Elements int
	// Size is the most bytes of sets and answer, whatever the query asks for: 0
	// stands for DefaultSize.
	Size int64
}

// The defaults of Limits.
const (
	DefaultElements = 2_000_000
	DefaultSize     = 256 << 20
)

// pollEvery is the number of elements looked at between looks at the context.
const pollEvery = 1 << 10

// shortage is a limit that was hit: time, memory or elements.
type shortage struct {
	op     operation
	at     position
	reason string
}

func (s *shortage) Error() string {
	return fmt.Sprintf("runtime error: Query %s in \"%s\" at line %d", s.reason, s.op.name(), s.at.line)
}

// evaluation is the state of one query.
type evaluation struct {
	ctx      context.Context
	began    time.Time
	elements *graph.Elements
	query    *Query
	limits   Limits
	sets     []set
	first    [1]set // of sets, for queries without names
	now      *statement
	marks    int64 // bytes of tagFilter.seen
	dst      []byte
	start    int // of the answer in dst
	printed  bool
}

// Append appends the answer to a query in JSON. Where time (a deadline of the
// context), memory or the number of elements runs out, the answer has what was printed
// until then and a remark that says so. It fails with ErrNoTags, or when the context
// is cancelled, and then appends nothing.
func (q *Query) Append(ctx context.Context, dst []byte, e *graph.Elements, l Limits) ([]byte, error) {
	if !e.Tagged() {
		return dst, ErrNoTags
	}
	if l.Elements == 0 {
		l.Elements = DefaultElements
	}
	if l.Size == 0 {
		l.Size = DefaultSize
	}
	if q.MaxSize > 0 {
		l.Size = min(l.Size, q.MaxSize)
	}
	x := evaluation{ctx: ctx, began: time.Now(), elements: e, query: q, limits: l, dst: dst, start: len(dst)}
	if q.sets == 1 {
		x.sets = x.first[:]
	} else {
		x.sets = make([]set, q.sets)
	}
	x.head()
	var remark string
	for i := range q.statements {
		if err := x.run(&q.statements[i]); err != nil {
			short, ok := errors.AsType[*shortage](err)
			if !ok {
				return dst, err
			}
			remark = short.Error()
			break
		}
	}
	x.tail(remark)
	return x.dst, nil
}

// run runs a statement that stands by itself.
func (x *evaluation) run(s *statement) error {
	if s.op == opOut {
		x.now = s
		return x.print(s)
	}
	return x.assign(s)
}

// assign runs a statement and puts its result where it belongs.
func (x *evaluation) assign(s *statement) error {
	r, err := x.result(s)
	if err != nil {
		return err
	}
	x.now = s
	x.sets[s.into] = r
	return x.check(r)
}

// check fails if a result is too large.
func (x *evaluation) check(r set) error {
	if r.len() > x.limits.Elements {
		return x.tooMany()
	}
	total := int64(len(x.dst)-x.start) + x.marks
	for i := range x.sets {
		total += elementBytes * int64(x.sets[i].len())
	}
	if total+elementBytes*int64(r.len()) > x.limits.Size {
		return x.short(fmt.Sprintf("ran out of memory: it may use %d bytes", x.limits.Size))
	}
	return nil
}

func (x *evaluation) tooMany() error {
	return x.short(fmt.Sprintf("found more than %d elements", x.limits.Elements))
}

func (x *evaluation) short(reason string) error {
	return &shortage{x.now.op, x.now.at, reason}
}

// poll fails when the context is done.
func (x *evaluation) poll() error { return x.done(x.ctx.Err()) }

// done makes an error of the context one of the query if its time is over.
func (x *evaluation) done(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return x.short(fmt.Sprintf("timed out after %.0f seconds", time.Since(x.began).Seconds()))
	}
	return err
}

// result returns what a statement finds.
func (x *evaluation) result(s *statement) (set, error) {
	x.now = s
	switch s.op {
	case opItem:
		return x.sets[s.from], nil
	case opDown:
		nodes, err := x.nodesOf(x.sets[s.from].ways)
		return set{nodes: nodes}, err
	case opUp:
		ways, err := x.waysOf(x.sets[s.from].nodes)
		return set{ways: ways}, err
	case opUnion, opDifference:
		return x.group(s)
	}
	return x.find(s)
}

// group runs the statements of a union or a difference, each of which also sets what it
// sets by itself.
func (x *evaluation) group(s *statement) (set, error) {
	var all set
	for i := range s.parts {
		part := &s.parts[i]
		if err := x.assign(part); err != nil {
			return set{}, err
		}
		r := x.sets[part.into]
		if s.op == opDifference && i == 1 {
			all = all.without(r)
		} else {
			all = all.union(r)
		}
		if err := x.check(all); err != nil {
			return set{}, err
		}
	}
	return all, nil
}

// nodesOf returns the nodes of ways.
func (x *evaluation) nodesOf(ways []graph.WayIndex) ([]graph.PlaceID, error) {
	var nodes []graph.PlaceID
	e, most := x.elements, x.most()
	for i, w := range ways {
		if i%pollEvery == 0 {
			if err := x.poll(); err != nil {
				return nil, err
			}
		}
		for _, r := range e.Refs(w) {
			if p, ok := e.Place(r); ok {
				nodes = append(nodes, p)
			}
		}
		if len(nodes) > most { // perhaps for duplicates
			if nodes = tidy(nodes); len(nodes) > x.limits.Elements {
				return nil, x.tooMany()
			}
		}
	}
	return tidy(nodes), nil
}

// waysOf returns the ways that nodes are on.
func (x *evaluation) waysOf(nodes []graph.PlaceID) ([]graph.WayIndex, error) {
	var ways []graph.WayIndex
	for i, p := range nodes {
		if i%pollEvery == 0 {
			if err := x.poll(); err != nil {
				return nil, err
			}
		}
		ways = append(ways, x.elements.WaysOf(p)...)
	}
	return tidy(ways), nil
}

// most is the number of elements, duplicates included, that a list may grow to before
// these are dropped.
func (x *evaluation) most() int { return 2 * x.limits.Elements }

// find runs a query: of what the narrowest of its filters finds, what the others
// accept.
func (x *evaluation) find(s *statement) (set, error) {
	var found set
	var err error
	if s.nodes {
		if found.nodes, err = findKind(x, s, &nodeKind); err != nil {
			return set{}, err
		}
	}
	if s.ways {
		if found.ways, err = findKind(x, s, &wayKind); err != nil {
			return set{}, err
		}
	}
	return found, nil
}

// kind is how elements of a kind, nodes or ways, are looked up.
type kind[T ~uint32] struct {
	count  func(e *graph.Elements) int
	byID   func(e *graph.Elements, id int64) (T, bool)
	of     func(s *set) []T
	visit  func(ctx context.Context, e *graph.Elements, f *filter, visit func(T) error) error
	inside func(e *graph.Elements, v T, f *filter) bool
	tags   func(e *graph.Elements, v T) graph.Tags
	// tagged returns the elements that have tags, or nil if that is not known.
	tagged func(e *graph.Elements) []T
}

var nodeKind = kind[graph.PlaceID]{
	count: (*graph.Elements).NumNodes,
	byID:  (*graph.Elements).FindNode,
	of:    func(s *set) []graph.PlaceID { return s.nodes },
	visit: func(ctx context.Context, e *graph.Elements, f *filter, visit func(graph.PlaceID) error) error {
		if f.kind == inBox {
			return e.VisitNodesIn(ctx, f.box, visit)
		}
		return e.VisitNodesAround(ctx, f.center, f.radius, visit)
	},
	inside: func(e *graph.Elements, p graph.PlaceID, f *filter) bool {
		if f.kind == inBox {
			return e.NodeIn(p, f.box)
		}
		return e.NodeNear(p, f.center, f.radius)
	},
	tags:   (*graph.Elements).NodeTags,
	tagged: (*graph.Elements).TaggedNodes,
}

var wayKind = kind[graph.WayIndex]{
	count: (*graph.Elements).NumWays,
	byID:  (*graph.Elements).FindWay,
	of:    func(s *set) []graph.WayIndex { return s.ways },
	visit: func(ctx context.Context, e *graph.Elements, f *filter, visit func(graph.WayIndex) error) error {
		if f.kind == inBox {
			return e.VisitWaysIn(ctx, f.box, visit)
		}
		return e.VisitWaysAround(ctx, f.center, f.radius, visit)
	},
	inside: func(e *graph.Elements, w graph.WayIndex, f *filter) bool {
		if f.kind == inBox {
			return e.WayIn(w, f.box)
		}
		return e.WayNear(w, f.center, f.radius)
	},
	tags:   (*graph.Elements).WayTags,
	tagged: func(*graph.Elements) []graph.WayIndex { return nil },
}

// breadth orders filters by how much they are likely to find.
func (k filterKind) breadth() int {
	switch k {
	case byID:
		return 0
	case inSet:
		return 1
	case ofWays, ofNodes:
		return 2
	case aroundPlace:
		return 3
	case inBox:
		return 4
	default:
		return 5 // of tags, for which there is no index
	}
}

// needsTags says whether no element without tags meets a filter.
func (k filterKind) needsTags() bool {
	return k == hasKey || k == equals || k == matches || k == keyMatches
}

// findKind finds the elements of a kind that a query asks for.
func findKind[T ~uint32](x *evaluation, s *statement, k *kind[T]) ([]T, error) {
	filters := s.filters
	if x.query.bounds != nil && !slices.ContainsFunc(filters, func(f filter) bool { return f.kind == inBox }) {
		filters = append(slices.Clip(filters), filter{kind: inBox, box: *x.query.bounds})
	}
	best, breadth := -1, hasKey.breadth()
	for i := range filters {
		if b := filters[i].kind.breadth(); b < breadth {
			best, breadth = i, b
		}
	}
	g := gatherer[T]{x: x, kind: k}
	defer func() { x.marks = 0 }()
	for i := range filters {
		if i == best {
			continue
		}
		t := test[T]{filter: &filters[i]}
		switch kind := t.filter.kind; {
		case kind.listed():
			var err error
			if t.list, err = listOf(x, t.filter, k); err != nil {
				return nil, err
			}
		case kind != inBox && kind != aroundPlace:
			t.tags = newTagFilter(x.elements, t.filter)
			x.marks += t.tags.marks()
			if err := x.check(set{}); err != nil {
				return nil, err
			}
		}
		g.tests = append(g.tests, t)
	}
	var err error
	switch {
	case best < 0:
		err = g.all(filters)
	case filters[best].kind.listed():
		var list []T
		if list, err = listOf(x, &filters[best], k); err == nil {
			err = g.each(list)
		}
	default:
		err = x.done(k.visit(x.ctx, x.elements, &filters[best], g.visit))
	}
	return tidy(g.found), err
}

// listed says whether a filter tells its elements one by one.
func (k filterKind) listed() bool {
	return k == byID || k == inSet || k == ofWays || k == ofNodes
}

// listOf returns the elements that a listing filter tells, ascending. The list may be
// shared.
func listOf[T ~uint32](x *evaluation, f *filter, k *kind[T]) ([]T, error) {
	switch f.kind {
	case inSet:
		return k.of(&x.sets[f.set]), nil
	case ofWays:
		nodes, err := x.nodesOf(x.sets[f.set].ways)
		return k.of(&set{nodes: nodes}), err
	case ofNodes:
		ways, err := x.waysOf(x.sets[f.set].nodes)
		return k.of(&set{ways: ways}), err
	}
	list := make([]T, 0, len(f.ids))
	for _, id := range f.ids {
		if v, ok := k.byID(x.elements, id); ok {
			list = append(list, v)
		}
	}
	return tidy(list), nil
}

// test is a filter that elements are tried on.
type test[T ~uint32] struct {
	filter *filter
	list   []T // of a listing filter
	tags   tagFilter
}

func (t *test[T]) accepts(e *graph.Elements, v T, k *kind[T]) bool {
	switch kind := t.filter.kind; {
	case kind.listed():
		_, ok := slices.BinarySearch(t.list, v)
		return ok
	case kind == inBox || kind == aroundPlace:
		return k.inside(e, v, t.filter)
	}
	return t.tags.accepts(e, k.tags(e, v))
}

// gatherer keeps of the elements that it is shown those that all filters accept.
type gatherer[T ~uint32] struct {
	x     *evaluation
	kind  *kind[T]
	tests []test[T]
	found []T
	shown int
}

// visit is shown an element.
func (g *gatherer[T]) visit(v T) error {
	x := g.x
	if g.shown++; g.shown%pollEvery == 0 {
		if err := x.poll(); err != nil {
			return err
		}
	}
	for i := range g.tests {
		if !g.tests[i].accepts(x.elements, v, g.kind) {
			return nil
		}
	}
	if g.found = append(g.found, v); len(g.found) > x.most() { // perhaps for duplicates
		if g.found = tidy(g.found); len(g.found) > x.limits.Elements {
			return x.tooMany()
		}
	}
	return nil
}

func (g *gatherer[T]) each(list []T) error {
	if err := g.x.poll(); err != nil {
		return err
	}
	for _, v := range list {
		if err := g.visit(v); err != nil {
			return err
		}
	}
	return nil
}

// all shows all elements, or all that have tags if that is enough.
func (g *gatherer[T]) all(filters []filter) error {
	if slices.ContainsFunc(filters, func(f filter) bool { return f.kind.needsTags() }) {
		if list := g.kind.tagged(g.x.elements); list != nil {
			return g.each(list)
		}
	}
	if err := g.x.poll(); err != nil {
		return err
	}
	for v := range T(g.kind.count(g.x.elements)) {
		if err := g.visit(v); err != nil {
			return err
		}
	}
	return nil
}
