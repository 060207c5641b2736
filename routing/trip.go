package routing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/trip"
	"github.com/fourway-routing/fourway/pool"
)

// Trip finds the order to visit the request's coordinates in that takes the
// least time, and the route that does so. For up to 15 coordinates no order takes
// less; for more, TripResponse.Proven tells. Where no order visits all, the error
// is ErrNoTrips and Error.Indices names the coordinates that are in the way.
// Other errors are an *Error, or the context's.
//
// It is safe for concurrent use. A caller with many requests saves a little by
// a Session.
func Trip(ctx context.Context, e *Engine, r TripRequest) (*TripResponse, error) {
	s := Session{engine: e}
	defer s.Close()
	return s.Trip(ctx, r)
}

func (w *workspace) trip(ctx context.Context, r *TripRequest, seen *Observation) (*TripResponse, error) {
	e := w.data
	if err := r.validateShape(); err != nil {
		return nil, err
	}
	if err := e.opt.Limits.CheckTrip(r); err != nil {
		return nil, err
	}
	if err := validatePlaces(r.Coordinates); err != nil {
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
	tour, err := w.tour(ctx, r)
	if err != nil {
		return nil, err
	}
	w.visit(tour.Order, !r.OneWay)
	draw := drawing{r.Steps, r.Annotations, r.Overview, nil, told(r.Metric, r.Depart), r.Explain}
	w.paths.edgesWanted = draw.lines()
	paths, err := w.paths.chain(ctx, w.visits, false)
	seen.Settled, seen.Cells = w.paths.settled, w.paths.cells
	seen.lap(&seen.Search)
	if err != nil {
		return nil, err
	}
	if paths == nil {
		return nil, noTrips(nil)
	}
	drawn, err := w.answers.route(ctx, draw, paths)
	if err != nil {
		return nil, err
	}
	res := &TripResponse{
		Trips:         []RouteResult{drawn},
		Order:         tour.Order,
		Proven:        tour.Proven,
		DataVersion:   e.net.Properties.DataVersion,
		geometries:    r.Geometries,
		skipWaypoints: r.SkipWaypoints,
	}
	if !r.SkipWaypoints {
		res.Waypoints = make([]TripWaypoint, len(w.stops))
		for position, i := range tour.Order {
			res.Waypoints[i] = TripWaypoint{Waypoint: e.waypoint(w.stops[i].phantoms, !r.NoHints), Position: position}
		}
	}
	return res, nil
}

// tour finds the order of visits.
func (w *workspace) tour(ctx context.Context, r *TripRequest) (trip.Tour, error) {
	n := len(w.stops)
	costs := pool.Make[int32](w.memory, n*n)
	defer func() { pool.Free(w.memory, costs) }()
	t := &w.rows
	t.seeds, t.sources, t.targets = t.seeds[:0], t.sources[:0], t.targets[:0]
	for i := range w.stops {
		t.sources = append(t.sources, w.sourceSeeds(w.stops[i].phantoms))
		t.targets = append(t.targets, w.targetSeeds(w.stops[i].phantoms))
	}
	chosen := func(from, to *stop) (a, b []graph.Phantom) { return from.phantoms, to.phantoms }
	if err := w.findBehind(ctx, nil, nil, chosen); err != nil {
		return trip.Tour{}, err
	}
	if err := w.searcher.Table(ctx, t.sources, t.targets, func(source int, cells []graph.Cell) error {
		for j := range cells {
			if c, ok := w.areaCell(&w.stops[source], &w.stops[j], source, j); ok {
				cells[j] = c
			}
			cost := trip.Unreachable
			if cells[j].Weight != graph.InvalidWeight {
				cost = int32(max(0, cells[j].Duration))
			}
			costs[source*n+j] = cost
		}
		return nil
	}); err != nil {
		return trip.Tour{}, err
	}
	opt := trip.Options{Roundtrip: !r.OneWay, Allocator: w.memory}
	if r.FromFirst {
		opt.Source = trip.At(0)
	}
	if r.ToLast {
		opt.Destination = trip.At(n - 1)
	}
	tour, err := trip.Solve(ctx, trip.Matrix{Stops: n, Costs: costs}, opt)
	if none, ok := errors.AsType[*trip.NoTourError](err); ok {
		return tour, noTrips(none)
	}
	return tour, err
}

// noTrips names the stops that no order reaches or leaves.
func noTrips(none *trip.NoTourError) error {
	e := &Error{Code: ErrNoTrips, Index: -1, Message: "No trip visiting all destinations possible."}
	if none == nil {
		return e
	}
	e.Indices = slices.Concat(none.NotReached, none.NotLeft)
	slices.Sort(e.Indices)
	e.Indices = slices.Compact(e.Indices)
	if len(e.Indices) == 0 {
		return e
	}
	e.Index = e.Indices[0]
	names := make([]string, len(e.Indices))
	for i, at := range e.Indices {
		names[i] = fmt.Sprint(at)
	}
	e.Detail = "In the way: coordinates " + strings.Join(names, ", ") + "."
	return e
}

// visit fills w.visits with the stops in an order, and with the first again at
// the end of a round trip.
func (w *workspace) visit(order []int, round bool) {
	w.visits = w.visits[:0]
	for _, i := range order {
		w.visits = append(w.visits, w.stops[i])
	}
	if round {
		w.visits = append(w.visits, w.stops[order[0]])
	}
}
