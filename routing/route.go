package routing

import (
	"context"

	"github.com/fourway-routing/fourway/graph"
)

// Route finds the fastest route through the request's coordinates, in their
// order. Errors are an *Error, or the context's.
//
// It is safe for concurrent use. A caller with many requests saves a little by
// a Session.
func Route(ctx context.Context, e *Engine, r RouteRequest) (*RouteResponse, error) {
	s := Session{engine: e}
	defer s.Close()
	return s.Route(ctx, r)
}

func (w *workspace) route(ctx context.Context, r *RouteRequest, seen *Observation) (*RouteResponse, error) {
	e := w.data
	if err := r.validateShape(); err != nil {
		return nil, err
	}
	if err := e.opt.Limits.CheckRoute(r); err != nil {
		return nil, err
	}
	if err := r.validateValues(); err != nil {
		return nil, err
	}
	ctx = w.budgeted(ctx)
	exclude, err := e.exclude(ctx, r.Exclude)
	if err != nil {
		return nil, err
	}
	if err := w.snap(ctx, r.places(), exclude); err != nil {
		return nil, err
	}
	w.choose()
	seen.lap(&seen.Snap)
	w.searcher.exclude(exclude)
	straight := r.ContinueStraight == ContinueAlways ||
		r.ContinueStraight == ContinueByProfile && e.net.Properties.ContinueStraight
	draw := drawing{r.Steps, r.Annotations, r.Overview, r.Waypoints}
	w.paths.edgesWanted = draw.lines()
	routes, err := w.paths.routes(ctx, w.stops, straight, r.Alternatives)
	seen.Settled, seen.Cells = w.paths.settled, w.paths.cells
	seen.lap(&seen.Search)
	if err != nil {
		return nil, err
	}
	if len(routes) == 0 {
		return nil, w.noRoute()
	}
	res := &RouteResponse{
		Routes:        make([]RouteResult, len(routes)),
		DataVersion:   e.net.Properties.DataVersion,
		geometries:    r.Geometries,
		skipWaypoints: r.SkipWaypoints,
	}
	for i, paths := range routes {
		if res.Routes[i], err = w.answers.route(ctx, draw, paths); err != nil {
			return nil, err
		}
	}
	if !r.SkipWaypoints {
		res.Waypoints = make([]Waypoint, len(w.stops))
		for i := range w.stops {
			res.Waypoints[i] = e.waypoint(w.stops[i].phantoms, !r.NoHints)
		}
	}
	return res, nil
}

// noRoute tells stops that no road joins from those that traffic rules part.
func (w *workspace) noRoute() error {
	message := "Impossible route between points"
	for _, p := range w.stops[0].phantoms {
		if w.haveComponent(p.Component, w.stops[1:]) {
			message = "No route found between points"
		}
	}
	return &Error{Code: ErrNoRoute, Index: -1, Message: message}
}

// haveComponent says whether every stop has a candidate in a component.
func (w *workspace) haveComponent(c graph.Component, stops []stop) bool {
	for i := range stops {
		if !hasComponent(stops[i].phantoms, c) {
			return false
		}
	}
	return true
}
