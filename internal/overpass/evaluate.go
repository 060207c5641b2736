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
		return x.short(fmt.Sprintf("found more than %d elements", x.limits.Elements))
	}
	total := int64(len(x.dst) - x.start)
	for i := range x.sets {
		total += elementBytes * int64(x.sets[i].len())
	}
	if total+elementBytes*int64(r.len()) > x.limits.Size {
		return x.short(fmt.Sprintf("ran out of memory: it may use %d bytes", x.limits.Size))
	}
	return nil
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
			if nodes = tidy(nodes); len(nodes) > most/2 {
				return nodes, x.check(set{nodes: nodes})
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

// most is the number of elements, duplicates included, that a list may grow to.
func (x *evaluation) most() int { return 2 * (x.limits.Elements + 1) }

// find runs a query: what the narrowest of its filters finds, less what the others do
// not accept.
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
	byID   func(e *graph.Elements, id int64) (T, bool)
	of     func(s *set) []T
	within func(ctx context.Context, e *graph.Elements, b graph.Box) ([]T, error)
	around func(ctx context.Context, e *graph.Elements, f *filter) ([]T, error)
	inside func(e *graph.Elements, v T, b graph.Box) bool
	near   func(e *graph.Elements, v T, f *filter) bool
	tags   func(e *graph.Elements, v T) graph.Tags
	// all returns all elements, or, if tagged, those with tags and perhaps others.
	all func(e *graph.Elements, tagged bool) []T
}

var nodeKind = kind[graph.PlaceID]{
	byID: (*graph.Elements).FindNode,
	of:   func(s *set) []graph.PlaceID { return s.nodes },
	within: func(ctx context.Context, e *graph.Elements, b graph.Box) ([]graph.PlaceID, error) {
		return e.AppendNodesIn(ctx, nil, b)
	},
	around: func(ctx context.Context, e *graph.Elements, f *filter) ([]graph.PlaceID, error) {
		return e.AppendNodesAround(ctx, nil, f.center, f.radius)
	},
	inside: (*graph.Elements).NodeIn,
	near: func(e *graph.Elements, p graph.PlaceID, f *filter) bool {
		return e.NodeNear(p, f.center, f.radius)
	},
	tags: (*graph.Elements).NodeTags,
	all: func(e *graph.Elements, tagged bool) []graph.PlaceID {
		if tagged {
			return e.TaggedNodes()
		}
		return numbers[graph.PlaceID](e.NumNodes())
	},
}

var wayKind = kind[graph.WayIndex]{
	byID: (*graph.Elements).FindWay,
	of:   func(s *set) []graph.WayIndex { return s.ways },
	within: func(ctx context.Context, e *graph.Elements, b graph.Box) ([]graph.WayIndex, error) {
		return e.AppendWaysIn(ctx, nil, b)
	},
	around: func(ctx context.Context, e *graph.Elements, f *filter) ([]graph.WayIndex, error) {
		return e.AppendWaysAround(ctx, nil, f.center, f.radius)
	},
	inside: (*graph.Elements).WayIn,
	near: func(e *graph.Elements, w graph.WayIndex, f *filter) bool {
		return e.WayNear(w, f.center, f.radius)
	},
	tags: (*graph.Elements).WayTags,
	all: func(e *graph.Elements, _ bool) []graph.WayIndex {
		return numbers[graph.WayIndex](e.NumWays())
	},
}

func numbers[T ~uint32](n int) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = T(i)
	}
	return all
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

// findKind finds the elements of a kind that a query asks for.
func findKind[T ~uint32](x *evaluation, s *statement, k *kind[T]) ([]T, error) {
	var global filter
	filters := s.filters
	if x.query.bounds != nil && !slices.ContainsFunc(filters, func(f filter) bool { return f.kind == inBox }) {
		global = filter{kind: inBox, box: *x.query.bounds}
		filters = append(slices.Clip(filters), global)
	}
	best, breadth := -1, filterKind.breadth(hasKey)
	for i := range filters {
		if b := filters[i].kind.breadth(); b < breadth {
			best, breadth = i, b
		}
	}
	var list []T
	var err error
	if best >= 0 {
		list, err = candidates(x, &filters[best], k)
	} else {
		tagged := slices.ContainsFunc(filters, func(f filter) bool {
			return f.kind == hasKey || f.kind == equals || f.kind == matches || f.kind == keyMatches
		})
		list = k.all(x.elements, tagged)
	}
	for i := range filters {
		if err != nil {
			return nil, err
		}
		if i != best {
			list, err = narrow(x, list, &filters[i], k)
		}
	}
	return list, err
}

// candidates returns what one filter finds by itself. The list may be shared.
func candidates[T ~uint32](x *evaluation, f *filter, k *kind[T]) ([]T, error) {
	switch f.kind {
	case byID:
		list := make([]T, 0, len(f.ids))
		for _, id := range f.ids {
			if v, ok := k.byID(x.elements, id); ok {
				list = append(list, v)
			}
		}
		return tidy(list), nil
	case inSet:
		return k.of(&x.sets[f.set]), nil
	case ofWays:
		nodes, err := x.nodesOf(x.sets[f.set].ways)
		return k.of(&set{nodes: nodes}), err
	case ofNodes:
		ways, err := x.waysOf(x.sets[f.set].nodes)
		return k.of(&set{ways: ways}), err
	case aroundPlace:
		list, err := k.around(x.ctx, x.elements, f)
		return list, x.done(err)
	default:
		list, err := k.within(x.ctx, x.elements, f.box)
		return list, x.done(err)
	}
}

// narrow returns those of a list that a filter accepts.
func narrow[T ~uint32](x *evaluation, list []T, f *filter, k *kind[T]) ([]T, error) {
	switch f.kind {
	case byID, inSet, ofWays, ofNodes:
		other, err := candidates(x, f, k)
		return intersect(list, other), err
	case inBox:
		return keep(x, list, func(v T) bool { return k.inside(x.elements, v, f.box) })
	case aroundPlace:
		return keep(x, list, func(v T) bool { return k.near(x.elements, v, f) })
	}
	t := newTagFilter(x.elements, f)
	return keep(x, list, func(v T) bool { return t.accepts(x.elements, k.tags(x.elements, v)) })
}

// keep returns the elements of a list that are accepted.
func keep[T ~uint32](x *evaluation, list []T, accepts func(T) bool) ([]T, error) {
	var kept []T
	for i, v := range list {
		if i%pollEvery == 0 {
			if err := x.poll(); err != nil {
				return nil, err
			}
		}
		if accepts(v) {
			kept = append(kept, v)
		}
	}
	return kept, nil
}

func intersect[T ~uint32](a, b []T) []T {
	if len(b) < len(a) {
		a, b = b, a
	}
	var out []T
	for _, v := range a {
		i, ok := slices.BinarySearch(b, v)
		if ok {
			out = append(out, v)
		}
		b = b[i:]
	}
	return out
}
