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
	if err := w.startRoute(ctx, r, seen); err != nil {
		return nil, err
	}
	ctx = w.budgeted(ctx)
	w.paths.edgesWanted = r.drawing().lines()
	routes, err := w.paths.routes(ctx, w.stops, w.data.straight(r), r.Alternatives)
	seen.Settled, seen.Cells = w.paths.settled, w.paths.cells
	seen.lap(&seen.Search)
	if err != nil {
		return nil, err
	}
	if len(routes) == 0 {
		return nil, w.noRoute()
	}
	res, err := w.drawRoutes(ctx, r, routes)
	if err == nil && !r.SkipWaypoints {
		res.Waypoints = w.routeWaypoints(r)
	}
	return res, err
}

// startRoute checks a request and finds its stops.
func (w *workspace) startRoute(ctx context.Context, r *RouteRequest, seen *Observation) error {
	e := w.data
	if err := r.validateShape(); err != nil {
		return err
	}
	if err := e.opt.Limits.CheckRoute(r); err != nil {
		return err
	}
	if err := r.validateValues(); err != nil {
		return err
	}
	exclude, err := e.exclude(ctx, r.Exclude)
	if err != nil {
		return err
	}
	if err := w.snap(ctx, r.places(), exclude); err != nil {
		return err
	}
	w.choose()
	seen.lap(&seen.Snap)
	w.searcher.exclude(exclude)
	return nil
}

// straight says whether a route does not turn around at waypoints.
func (e *dataset) straight(r *RouteRequest) bool {
	return r.ContinueStraight == ContinueAlways ||
		r.ContinueStraight == ContinueByProfile && e.net.Properties.ContinueStraight
}

func (r *RouteRequest) drawing() drawing {
	return drawing{r.Steps, r.Annotations, r.Overview, r.Waypoints, told(r.Metric, r.Depart), r.Explain}
}

// drawRoutes makes the answer of routes, without waypoints.
func (w *workspace) drawRoutes(ctx context.Context, r *RouteRequest, routes [][]path) (*RouteResponse, error) {
	res := &RouteResponse{
		Routes:        make([]RouteResult, len(routes)),
		DataVersion:   w.data.net.Properties.DataVersion,
		geometries:    r.Geometries,
		skipWaypoints: r.SkipWaypoints,
	}
	for i, paths := range routes {
		var err error
		if res.Routes[i], err = w.answers.route(ctx, r.drawing(), paths); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// routeWaypoints returns where the stops are.
func (w *workspace) routeWaypoints(r *RouteRequest) []Waypoint {
	list := make([]Waypoint, len(w.stops))
	for i := range w.stops {
		list[i] = w.data.waypoint(w.stops[i].phantoms, !r.NoHints)
	}
	return list
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
