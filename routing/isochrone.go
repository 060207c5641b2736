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
	if r.Unit == ContourDuration && mask == 0 {
		q.Patience = x.patience
	}
	err = x.search.Run(ctx, &q)
	seen.Settled = x.search.Settled()
	if err == nil {
		err = w.denyBeyond(ctx, x)
	}
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
			net: n, metric: m, unit: w.data.unit, patience: patience, limit: &w.data.opt.Limits,
			search: reach.New(n, m, w.memory), canvas: contour.NewCanvas(w.memory),
		}
	}
	return w.reach
}

// patience is the number of search nodes beyond the limit that are settled one after the
// other before other searches are asked. Where weight is not time, a road that few may
// enter is as far away as other countries: the search would go there to make sure that
// no way around is lighter.
const patience = 1 << 12

// denyBeyond asks the algorithm of the engine which of the nodes that the search is not
// sure of have a lighter path than the one found. It leads beyond the limit, or the
// search would have found it. Distances would not do: of paths of one weight another
// one may count.
func (w *workspace) denyBeyond(ctx context.Context, x *isochrones) error {
	doubtful := x.search.Doubtful()
	if len(doubtful) == 0 {
		return nil
	}
	// A seed beside the beginning of the segment keeps the path from being a piece of the
	// segment of a coordinate.
	beside := func(v graph.NodeID) graph.Weight {
		if x.reverse {
			return x.metric.NodeWeight[v] + 1
		}
		return 1
	}
	x.ends, x.sets = x.ends[:0], x.sets[:0]
	for _, v := range doubtful {
		x.ends = append(x.ends, graph.Seed{Node: v, Weight: -beside(v)})
	}
	for i := range x.ends {
		x.sets = append(x.sets, x.ends[i:i+1:i+1])
	}
	check := func(v graph.NodeID, c *graph.Cell) {
		if c.Weight != graph.InvalidWeight && int64(c.Weight)+int64(beside(v)) < x.search.At(v).Weight {
			x.search.Deny(v)
		}
	}
	w.searcher.exclude(exclusion{})
	from := [][]graph.Seed{x.seeds}
	if x.reverse {
		return w.searcher.Table(ctx, x.sets, from, func(i int, cells []graph.Cell) error {
			check(doubtful[i], &cells[0])
			return nil
		})
	}
	return w.searcher.Table(ctx, from, x.sets, func(_ int, cells []graph.Cell) error {
		for i := range cells {
			check(doubtful[i], &cells[i])
		}
		return nil
	})
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
