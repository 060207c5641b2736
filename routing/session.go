package routing

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/fourway-routing/fourway/ch"
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/mld"
)

// Session answers queries one after the other with memory of its own, which
// saves a loop of queries from borrowing it anew each time. It belongs to one
// goroutine at a time.
type Session struct {
	engine *Engine
	// Of the query that runs: what it is answered from, and what it has entered besides.
	data    *dataset
	catalog *catalog
	others  []*dataset
	w       *workspace // borrowed at the first query
	seen    Observation
	closed  bool
	// outside is set while code of the caller runs, whose panics are its own.
	outside bool
}

// Session returns a new Session, to be closed by the caller. It does not keep
// the Engine open.
func (e *Engine) Session() *Session { return &Session{engine: e} }

// Close gives the session's memory back. Queries after it fail with ErrClosed.
func (s *Session) Close() {
	s.closed = true
	if !s.outside {
		s.giveBack()
	}
}

func (s *Session) giveBack() {
	if s.w != nil {
		s.w.data.workspaces.Put(s.w)
		s.w = nil
	}
}

// Route is the function Route.
func (s *Session) Route(ctx context.Context, r RouteRequest) (res *RouteResponse, err error) {
	if err := s.enterFor("route", wish{r.Metric, r.Depart}, byLegs(&r)); err != nil {
		return nil, err
	}
	defer s.leave(debug.SetPanicOnFault(true), &err)
	if len(s.others) > 0 {
		return s.routeByLegs(ctx, r) // a copy, so that others stay where they are
	}
	d, err := s.data.avoiding(ctx, r.Avoid)
	if err != nil {
		return nil, err
	}
	return s.workspaceOf(d).route(ctx, &r, &s.seen)
}

// Trip is the function Trip.
func (s *Session) Trip(ctx context.Context, r TripRequest) (res *TripResponse, err error) {
	if err := s.enterFor("trip", wish{r.Metric, r.Depart}, false); err != nil {
		return nil, err
	}
	defer s.leave(debug.SetPanicOnFault(true), &err)
	d, err := s.data.avoiding(ctx, r.Avoid)
	if err != nil {
		return nil, err
	}
	return s.workspaceOf(d).trip(ctx, &r, &s.seen)
}

// Nearest is the function Nearest.
func (s *Session) Nearest(ctx context.Context, r NearestRequest) (res *NearestResponse, err error) {
	if err := s.enterFor("nearest", wish{r.Metric, r.Depart}, false); err != nil {
		return nil, err
	}
	defer s.leave(debug.SetPanicOnFault(true), &err)
	d, err := s.data.avoiding(ctx, r.Avoid)
	if err != nil {
		return nil, err
	}
	return s.workspaceOf(d).nearest(ctx, &r, &s.seen)
}

// enter begins a query of the default metric and keeps the Engine open until leave,
// which is deferred by the same function.
func (s *Session) enter(service string) error { return s.enterFor(service, wish{}, false) }

// enterFor is enter for a query of the metric that is wished for; with hours set,
// which may go on in other hours of the week.
func (s *Session) enterFor(service string, of wish, hours bool) error {
	if s.outside {
		return &Error{Code: ErrBusy, Index: -1, Message: "the session is in the middle of TableRows; take another one"}
	}
	if s.closed {
		return &Error{Code: ErrClosed, Index: -1, Message: "the session is closed"}
	}
	e := s.engine
	var err error
	if s.catalog, s.data, s.others, err = e.enter(of, hours); err != nil {
		return err
	}
	if e.opt.Observe != nil {
		s.seen = Observation{Service: service, lapped: time.Now()}
	}
	return nil
}

// workspace returns a workspace that is fit for use, marked as damaged until
// leave finds that it is not.
func (s *Session) workspace() *workspace { return s.workspaceOf(s.data) }

// workspaceOf returns a workspace of the query's dataset, or of one made of it.
func (s *Session) workspaceOf(d *dataset) *workspace {
	if s.w != nil && (s.w.damaged || s.w.data != d) {
		s.giveBack()
	}
	if s.w == nil {
		s.w = d.workspaces.Get()
	}
	s.w.damaged = true
	return s.w
}

// leave ends a query. A fault of the mapped files' memory, an index out of range,
// and what a search says of its data, which only wrong data can bring about,
// become an ErrCorrupt error.
func (s *Session) leave(panicOnFault bool, err *error) {
	debug.SetPanicOnFault(panicOnFault)
	e, data := s.engine, s.data
	outside := s.outside
	s.outside = false
	p := recover()
	if p == nil && s.w != nil && s.w.damaged {
		s.w.damaged = false
		s.w.searcher.exclude(exclusion{}) // lets go of cliques that nobody else keeps
	}
	if s.closed { // by code of the caller
		s.giveBack()
	}
	data.queries.leave()
	for _, d := range s.others {
		d.queries.leave()
	}
	if p != nil {
		s.giveBack() // which drops it
		fault, ok := p.(error)
		if !ok || outside || !fromData(fault) {
			panic(p)
		}
		*err = data.corrupt(fault)
	}
	if e.opt.Observe != nil {
		s.seen.Err = *err
		s.seen.lap(&s.seen.Assemble)
		e.opt.Observe(s.seen)
	}
}

// corrupt is the error of a query that met damaged data.
func (e *dataset) corrupt(fault error) error {
	return &Error{
		Code: ErrCorrupt, Index: -1, cause: fault,
		Message: fmt.Sprintf("the data set %s is damaged; verify its files and build it again", e.name),
	}
}

// fromData says whether a panic or an error can come from damaged data.
func fromData(fault error) bool {
	// All graphs come from files.
	for _, kind := range []error{graph.ErrCorrupt, ch.ErrGraph, mld.ErrGraph} {
		if errors.Is(fault, kind) {
			return true
		}
	}
	var broken runtime.Error
	if !errors.As(fault, &broken) {
		return false
	}
	_, memory := broken.(interface{ Addr() uintptr })
	return memory || strings.Contains(broken.Error(), "out of range")
}
