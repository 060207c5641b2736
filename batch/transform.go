package batch

import (
	"context"
	"math/rand/v2"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/fourway-routing/fourway/routing"
)

// Routes finds the fastest route of each request. The requests are RouteRequest, or
// lines of JSON as strings; the results are RouteResult, the failures Failure: each
// request becomes one of both. Requests of another type are a panic, as with Beam's own
// transforms: a pipeline cannot be made of them.
func Routes(s beam.Scope, d Dataset, opt Options, requests beam.PCollection) (results, failures beam.PCollection) {
	s = s.Scope("batch.Routes")
	t := base{Data: d, Opt: opt}
	return expand(s, requests, opt.Groups, reflect.TypeFor[RouteRequest](), functions{
		parse: &parseRouteFn{}, spread: &spreadRouteFn{spreadBase{Groups: opt.Groups}},
		one: &routeFn{t}, group: &routeGroupFn{t},
	})
}

// Matches finds the way that each trace took. The requests are MatchRequest, or
// lines of JSON as strings; the results are MatchResult, the failures Failure: each
// request becomes one of both. Requests of another type are a panic.
func Matches(s beam.Scope, d Dataset, opt Options, requests beam.PCollection) (results, failures beam.PCollection) {
	s = s.Scope("batch.Matches")
	t := base{Data: d, Opt: opt}
	return expand(s, requests, opt.Groups, reflect.TypeFor[MatchRequest](), functions{
		parse: &parseMatchFn{}, spread: &spreadMatchFn{spreadBase{Groups: opt.Groups}},
		one: &matchFn{t}, group: &matchGroupFn{t},
	})
}

// Nearest finds the road nearest to each coordinate. The requests are
// NearestRequest, or lines of JSON as strings; the results are NearestResult, the
// failures Failure: each request becomes one of both. Requests of another type are a
// panic.
func Nearest(s beam.Scope, d Dataset, opt Options, requests beam.PCollection) (results, failures beam.PCollection) {
	s = s.Scope("batch.Nearest")
	t := base{Data: d, Opt: opt}
	return expand(s, requests, opt.Groups, reflect.TypeFor[NearestRequest](), functions{
		parse: &parseNearestFn{}, spread: &spreadNearestFn{spreadBase{Groups: opt.Groups}},
		one: &nearestFn{t}, group: &nearestGroupFn{t},
	})
}

// Isochrones finds what can be reached within limits. The requests are
// IsochroneRequest, or lines of JSON as strings; the results are IsochroneResult, the
// failures Failure: each request becomes one of both. Requests of another type are a
// panic.
func Isochrones(s beam.Scope, d Dataset, opt Options, requests beam.PCollection) (results, failures beam.PCollection) {
	s = s.Scope("batch.Isochrones")
	t := base{Data: d, Opt: opt}
	return expand(s, requests, opt.Groups, reflect.TypeFor[IsochroneRequest](), functions{
		parse: &parseIsochroneFn{}, spread: &spreadIsochroneFn{spreadBase{Groups: opt.Groups}},
		one: &isochroneFn{t}, group: &isochroneGroupFn{t},
	})
}

// functions are the functions of a service, which Beam has no type parameters for.
type functions struct{ parse, spread, one, group any }

func expand(s beam.Scope, requests beam.PCollection, groups int, request reflect.Type, f functions) (results, failures beam.PCollection) {
	var unread *beam.PCollection
	if requests.Type().Type() == reflect.TypeFor[string]() {
		read, bad := beam.ParDo2(s, f.parse, requests)
		requests, unread = read, &bad
	}
	if got := requests.Type().Type(); got != request {
		panic("batch: the requests are " + got.String() + ", not " + request.String() + " or string")
	}
	if groups > 0 {
		results, failures = beam.ParDo2(s, f.group, beam.GroupByKey(s, beam.ParDo(s, f.spread, requests)))
	} else {
		results, failures = beam.ParDo2(s, f.one, requests)
	}
	if unread != nil {
		failures = beam.Flatten(s, failures, *unread)
	}
	return results, failures
}

// base is what all functions that answer requests have. Its exported fields go to
// the workers.
type base struct {
	Data Dataset
	Opt  Options
	worker
}

// Setup opens the data set.
func (f *base) Setup(ctx context.Context) error { return f.setUp(ctx, f.Data) }

// Teardown closes the data set, if nobody else in the process has it.
func (f *base) Teardown() { f.tearDown() }

// query is how a service answers one request.
type query[Q, R any] struct {
	ask    func(context.Context, *routing.Session, *Q, *Options) (R, error)
	encode func(Q) ([]byte, error)
	id     func(*Q) string
}

// answer answers one request.
func answer[Q, R any](ctx context.Context, f *base, x *query[Q, R], q *Q, emit func(R), fail func(Failure)) error {
	var res R
	failed, err := f.attempt(ctx, f.Opt.Deadline, func(ctx context.Context, s *routing.Session) (err error) {
		res, err = x.ask(ctx, s, q, &f.Opt)
		return err
	})
	if err != nil {
		return err
	}
	if failed == nil {
		f.answered.Inc(ctx, 1)
		emit(res)
		return nil
	}
	request, err := x.encode(*q)
	if err != nil {
		return err
	}
	f.failed.Inc(ctx, 1)
	failed.ID, failed.Request = x.id(q), string(request)
	fail(*failed)
	return nil
}

// answerGroup answers the requests of a group and then emits, so that a runner sees
// one element that takes its time.
func answerGroup[Q, R any](ctx context.Context, f *base, x *query[Q, R], next func(*Q) bool, emit func(R), fail func(Failure)) error {
	var results []R
	var failures []Failure
	for {
		var q Q
		if !next(&q) {
			break
		}
		err := answer(ctx, f, x, &q, func(r R) { results = append(results, r) }, func(f Failure) { failures = append(failures, f) })
		if err != nil {
			return err
		}
	}
	for _, r := range results {
		emit(r)
	}
	for _, f := range failures {
		fail(f)
	}
	return nil
}

// parse reads a line.
func parse[Q any](line string, read func([]byte) (Q, error), id func(*Q) string, emit func(Q), fail func(Failure)) {
	q, err := read([]byte(line))
	if err != nil {
		f := failureOf(err)
		f.ID, f.Request = id(&q), line
		fail(*f)
		return
	}
	emit(q)
}

// spreadBase deals requests out to groups in turn, from a random one on.
type spreadBase struct {
	Groups int
	next   int
}

func (f *spreadBase) startBundle() { f.next = rand.IntN(f.Groups) }

func (f *spreadBase) turn() int {
	f.next = (f.next + 1) % f.Groups
	return f.next
}
