package routing

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"slices"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/contour"
	"github.com/fourway-routing/fourway/internal/reach"
)

// Isochrone finds what can be reached from coordinates within limits of time, distance
// or weight, as outlines or as stretches of road. Answers are the same whatever the
// algorithm of the Engine. Errors are an *Error, or the context's.
//
// Time and memory grow with what is reached: half an hour by car takes some ten
// milliseconds. The first one in Reverse has the turns of the network sorted, once for
// a data set.
//
// It is safe for concurrent use. A caller with many requests saves a little by a
// Session.
func Isochrone(ctx context.Context, e *Engine, r IsochroneRequest) (*IsochroneResponse, error) {
	s := Session{engine: e}
	defer s.Close()
	return s.Isochrone(ctx, r)
}

// Isochrone is the function Isochrone.
func (s *Session) Isochrone(ctx context.Context, r IsochroneRequest) (res *IsochroneResponse, err error) {
	if err := s.enterFor("isochrone", wish{r.Metric, r.Depart}, false); err != nil {
		return nil, err
	}
	defer s.leave(debug.SetPanicOnFault(true), &err)
	d, err := s.data.avoiding(ctx, r.Avoid)
	if err != nil {
		return nil, err
	}
	return s.workspaceOf(d).isochrone(ctx, &r, &s.seen)
}

// classes returns the mask of road classes by name.
func (e *dataset) classes(names []string) (mask graph.ClassMask, err error) {
	for _, name := range names {
		i := slices.Index(e.net.Properties.Classes, name)
		if i < 0 {
			return 0, &Error{
				Code: ErrInvalidValue, Index: -1,
				Message: "Exclude flag combination is not supported.",
				Detail:  fmt.Sprintf("There is no class %q; this data set knows %v.", name, e.net.Properties.Classes),
			}
		}
		mask |= 1 << i
	}
	return mask, nil
}

func (w *workspace) isochrone(ctx context.Context, r *IsochroneRequest, seen *Observation) (*IsochroneResponse, error) {
	e := w.data
	if err := r.Validate(); err != nil {
		return nil, err
	}
	if err := e.opt.Limits.CheckIsochrone(r); err != nil {
		return nil, err
	}
	ctx = w.budgeted(ctx)
	mask, err := e.classes(r.Exclude)
	if err != nil {
		return nil, err
	}
	if err := w.snap(ctx, r.places(), exclusion{mask: mask}); err != nil {
		return nil, err
	}
	seen.lap(&seen.Snap)
	x := w.isochrones()
	x.begin(r)
	for i := range w.stops {
		x.addSeeds(w.stops[i].far())
	}
	q := reach.Question{Seeds: x.seeds, Exclude: mask, Limit: x.bounds()}
	if r.Reverse {
		q.Incoming = e.parts.incoming()
	}
	err = x.search.Run(ctx, &q)
	seen.Settled = x.search.Settled()
	if err != nil {
		return nil, err
	}
	seen.lap(&seen.Search)
	res := &IsochroneResponse{
		DataVersion: e.net.Properties.DataVersion,
		Metric:      e.metricName,
		tellMetric:  told(r.Metric, r.Depart),
		unit:        r.Unit, shapes: r.shapes(), skipWaypoints: r.SkipWaypoints,
	}
	if err := x.collect(ctx, w.stops, res); err != nil {
		return nil, err
	}
	if err := x.outline(ctx, r, res); err != nil {
		return nil, err
	}
	if !r.SkipWaypoints {
		res.Waypoints = make([]Waypoint, len(w.stops))
		for i := range w.stops {
			res.Waypoints[i] = e.waypoint(w.stops[i].far(), !r.NoHints)
		}
	}
	return res, nil
}

// isochrones returns what isochrones are made with, made at the first of the workspace.
func (w *workspace) isochrones() *isochrones {
	if w.reach == nil {
		n, m := w.data.net, w.data.metric
		w.reach = &isochrones{
			net: n, metric: m, unit: w.data.unit,
			search: reach.New(n, m, w.memory), canvas: contour.NewCanvas(w.memory),
		}
	}
	return w.reach
}

// outline draws the contours.
func (x *isochrones) outline(ctx context.Context, r *IsochroneRequest, res *IsochroneResponse) error {
	res.Contours = make([]Contour, len(x.limits))
	for i := range res.Contours {
		res.Contours[len(x.limits)-1-i].Value = x.values[i]
	}
	if x.shapes&(IsochronePolygons|IsochroneLines) == 0 {
		return nil
	}
	cell, margin, err := x.grid(r)
	if err != nil {
		return err
	}
	res.Resolution, res.Margin = cell, float64(margin*cell)
	x.canvas.Mark(cell, margin)
	for i := range x.limits {
		if err := x.canvas.Draw(ctx, i, margin); err != nil {
			return err
		}
		c := &res.Contours[len(x.limits)-1-i]
		polygons := x.canvas.Polygons(margin, math.Pi*margin*margin)
		if x.shapes&IsochronePolygons != 0 {
			c.Polygons = polygons
		}
		if x.shapes&IsochroneLines != 0 {
			for _, p := range polygons {
				for _, ring := range p {
					c.Lines = append(c.Lines, orb.LineString(ring))
				}
			}
		}
	}
	return nil
}

const (
	// leastMargin in cells keeps what is reached inside of outlines.
	leastMargin = 2
	// finestDefault is the least default resolution in meters, cellsAcross the number
	// of cells that the default makes of the extent.
	finestDefault = 10
	cellsAcross   = 400
)

// grid returns the size of the cells in meters, and the margin in cells.
func (x *isochrones) grid(r *IsochroneRequest) (cell, margin float64, err error) {
	cell = r.Resolution
	if cell == 0 {
		width, height := x.canvas.Size()
		cell = roundUp(max(finestDefault, width/cellsAcross, height/cellsAcross, r.Margin/contour.MaxMargin))
	}
	margin = max(leastMargin, r.Margin/cell)
	if margin > contour.MaxMargin {
		return 0, 0, tooBig(contour.MaxMargin, "The margin of %g m is more than %d times the resolution of %g m.", r.Margin, contour.MaxMargin, cell)
	}
	if n := x.canvas.Corners(cell, margin); n > contour.MaxCorners {
		enough := roundUp(cell * math.Sqrt(n/contour.MaxCorners))
		return 0, 0, tooBig(contour.MaxCorners, "The resolution of %g m makes too many cells of what is reached. Ask for %g m, or leave it out.", cell, enough)
	}
	return cell, margin, nil
}

// roundUp returns the least of 1, 2, 5, 10, 20, 50 … that is not below v, which is 1 or
// more.
func roundUp(v float64) float64 {
	for decade := 1.0; ; decade *= 10 {
		for _, digit := range [...]float64{1, 2, 5} {
			if n := digit * decade; n >= v {
				return n
			}
		}
	}
}
