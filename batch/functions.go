package batch

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

// The functions of the services. They differ in their types alone, of which Beam
// wants to know each by name. RegisterDoFn has Beam call them by reflection: the
// generics of package register spare a microsecond a call, and take the compiler most
// of a minute and 4 GB.

func init() {
	register.Emitter1[Failure]()

	beam.RegisterDoFn(&parseRouteFn{})
	beam.RegisterDoFn(&spreadRouteFn{})
	beam.RegisterDoFn(&routeFn{})
	beam.RegisterDoFn(&routeGroupFn{})
	register.Emitter1[RouteRequest]()
	register.Emitter1[RouteResult]()
	register.Emitter2[int, RouteRequest]()
	register.Iter1[RouteRequest]()

	beam.RegisterDoFn(&parseMatchFn{})
	beam.RegisterDoFn(&spreadMatchFn{})
	beam.RegisterDoFn(&matchFn{})
	beam.RegisterDoFn(&matchGroupFn{})
	register.Emitter1[MatchRequest]()
	register.Emitter1[MatchResult]()
	register.Emitter2[int, MatchRequest]()
	register.Iter1[MatchRequest]()

	beam.RegisterDoFn(&parseNearestFn{})
	beam.RegisterDoFn(&spreadNearestFn{})
	beam.RegisterDoFn(&nearestFn{})
	beam.RegisterDoFn(&nearestGroupFn{})
	register.Emitter1[NearestRequest]()
	register.Emitter1[NearestResult]()
	register.Emitter2[int, NearestRequest]()
	register.Iter1[NearestRequest]()

	beam.RegisterDoFn(&parseIsochroneFn{})
	beam.RegisterDoFn(&spreadIsochroneFn{})
	beam.RegisterDoFn(&isochroneFn{})
	beam.RegisterDoFn(&isochroneGroupFn{})
	register.Emitter1[IsochroneRequest]()
	register.Emitter1[IsochroneResult]()
	register.Emitter2[int, IsochroneRequest]()
	register.Iter1[IsochroneRequest]()
}

var routeQuery = query[RouteRequest, RouteResult]{askRoute, encodeRoute, func(q *RouteRequest) string { return q.ID }}

type (
	parseRouteFn  struct{}
	spreadRouteFn struct{ spreadBase }
	routeFn       struct{ base }
	routeGroupFn  struct{ base }
)

func (f *parseRouteFn) ProcessElement(line string, emit func(RouteRequest), fail func(Failure)) {
	parse(line, parseRoute, routeQuery.id, emit, fail)
}

func (f *spreadRouteFn) StartBundle(context.Context, func(int, RouteRequest)) { f.startBundle() }

func (f *spreadRouteFn) ProcessElement(q RouteRequest, emit func(int, RouteRequest)) {
	emit(f.turn(), q)
}

func (f *routeFn) StartBundle(context.Context, func(RouteResult), func(Failure)) { f.startBundle() }

func (f *routeFn) FinishBundle(context.Context, func(RouteResult), func(Failure)) { f.finishBundle() }

func (f *routeFn) ProcessElement(ctx context.Context, q RouteRequest, emit func(RouteResult), fail func(Failure)) error {
	return answer(ctx, &f.base, &routeQuery, &q, emit, fail)
}

func (f *routeGroupFn) StartBundle(context.Context, func(RouteResult), func(Failure)) {
	f.startBundle()
}

func (f *routeGroupFn) FinishBundle(context.Context, func(RouteResult), func(Failure)) {
	f.finishBundle()
}

func (f *routeGroupFn) ProcessElement(ctx context.Context, _ int, next func(*RouteRequest) bool, emit func(RouteResult), fail func(Failure)) error {
	return answerGroup(ctx, &f.base, &routeQuery, next, emit, fail)
}

var matchQuery = query[MatchRequest, MatchResult]{askMatch, encodeMatch, func(q *MatchRequest) string { return q.ID }}

type (
	parseMatchFn  struct{}
	spreadMatchFn struct{ spreadBase }
	matchFn       struct{ base }
	matchGroupFn  struct{ base }
)

func (f *parseMatchFn) ProcessElement(line string, emit func(MatchRequest), fail func(Failure)) {
	parse(line, parseMatch, matchQuery.id, emit, fail)
}

func (f *spreadMatchFn) StartBundle(context.Context, func(int, MatchRequest)) { f.startBundle() }

func (f *spreadMatchFn) ProcessElement(q MatchRequest, emit func(int, MatchRequest)) {
	emit(f.turn(), q)
}

func (f *matchFn) StartBundle(context.Context, func(MatchResult), func(Failure)) { f.startBundle() }

func (f *matchFn) FinishBundle(context.Context, func(MatchResult), func(Failure)) { f.finishBundle() }

func (f *matchFn) ProcessElement(ctx context.Context, q MatchRequest, emit func(MatchResult), fail func(Failure)) error {
	return answer(ctx, &f.base, &matchQuery, &q, emit, fail)
}

func (f *matchGroupFn) StartBundle(context.Context, func(MatchResult), func(Failure)) {
	f.startBundle()
}

func (f *matchGroupFn) FinishBundle(context.Context, func(MatchResult), func(Failure)) {
	f.finishBundle()
}

func (f *matchGroupFn) ProcessElement(ctx context.Context, _ int, next func(*MatchRequest) bool, emit func(MatchResult), fail func(Failure)) error {
	return answerGroup(ctx, &f.base, &matchQuery, next, emit, fail)
}

var nearestQuery = query[NearestRequest, NearestResult]{askNearest, encodeNearest, func(q *NearestRequest) string { return q.ID }}

type (
	parseNearestFn  struct{}
	spreadNearestFn struct{ spreadBase }
	nearestFn       struct{ base }
	nearestGroupFn  struct{ base }
)

func (f *parseNearestFn) ProcessElement(line string, emit func(NearestRequest), fail func(Failure)) {
	parse(line, parseNearest, nearestQuery.id, emit, fail)
}

func (f *spreadNearestFn) StartBundle(context.Context, func(int, NearestRequest)) { f.startBundle() }

func (f *spreadNearestFn) ProcessElement(q NearestRequest, emit func(int, NearestRequest)) {
	emit(f.turn(), q)
}

func (f *nearestFn) StartBundle(context.Context, func(NearestResult), func(Failure)) { f.startBundle() }

func (f *nearestFn) FinishBundle(context.Context, func(NearestResult), func(Failure)) {
	f.finishBundle()
}

func (f *nearestFn) ProcessElement(ctx context.Context, q NearestRequest, emit func(NearestResult), fail func(Failure)) error {
	return answer(ctx, &f.base, &nearestQuery, &q, emit, fail)
}

func (f *nearestGroupFn) StartBundle(context.Context, func(NearestResult), func(Failure)) {
	f.startBundle()
}

func (f *nearestGroupFn) FinishBundle(context.Context, func(NearestResult), func(Failure)) {
	f.finishBundle()
}

func (f *nearestGroupFn) ProcessElement(ctx context.Context, _ int, next func(*NearestRequest) bool, emit func(NearestResult), fail func(Failure)) error {
	return answerGroup(ctx, &f.base, &nearestQuery, next, emit, fail)
}

var isochroneQuery = query[IsochroneRequest, IsochroneResult]{askIsochrone, encodeIsochrone, func(q *IsochroneRequest) string { return q.ID }}

type (
	parseIsochroneFn  struct{}
	spreadIsochroneFn struct{ spreadBase }
	isochroneFn       struct{ base }
	isochroneGroupFn  struct{ base }
)

func (f *parseIsochroneFn) ProcessElement(line string, emit func(IsochroneRequest), fail func(Failure)) {
	parse(line, parseIsochrone, isochroneQuery.id, emit, fail)
}

func (f *spreadIsochroneFn) StartBundle(context.Context, func(int, IsochroneRequest)) {
	f.startBundle()
}

func (f *spreadIsochroneFn) ProcessElement(q IsochroneRequest, emit func(int, IsochroneRequest)) {
	emit(f.turn(), q)
}

func (f *isochroneFn) StartBundle(context.Context, func(IsochroneResult), func(Failure)) {
	f.startBundle()
}

func (f *isochroneFn) FinishBundle(context.Context, func(IsochroneResult), func(Failure)) {
	f.finishBundle()
}

func (f *isochroneFn) ProcessElement(ctx context.Context, q IsochroneRequest, emit func(IsochroneResult), fail func(Failure)) error {
	return answer(ctx, &f.base, &isochroneQuery, &q, emit, fail)
}

func (f *isochroneGroupFn) StartBundle(context.Context, func(IsochroneResult), func(Failure)) {
	f.startBundle()
}

func (f *isochroneGroupFn) FinishBundle(context.Context, func(IsochroneResult), func(Failure)) {
	f.finishBundle()
}

func (f *isochroneGroupFn) ProcessElement(ctx context.Context, _ int, next func(*IsochroneRequest) bool, emit func(IsochroneResult), fail func(Failure)) error {
	return answerGroup(ctx, &f.base, &isochroneQuery, next, emit, fail)
}
