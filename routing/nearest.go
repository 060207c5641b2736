package routing

import (
	"context"

	"github.com/fourway-routing/fourway/graph"
)

// Nearest finds the road segments nearest to a coordinate. Errors are an
// *Error, or the context's.
//
// It is safe for concurrent use. A caller with many requests saves a little by
// a Session.
func Nearest(ctx context.Context, e *Engine, r NearestRequest) (*NearestResponse, error) {
	s := Session{engine: e}
	defer s.Close()
	return s.Nearest(ctx, r)
}

// pollEvery is the number of waypoints made between looks at the context.
const pollEvery = 1 << 10

func (w *workspace) nearest(ctx context.Context, r *NearestRequest, seen *Observation) (*NearestResponse, error) {
	e := w.data
	if err := r.Validate(); err != nil {
		return nil, err
	}
	if err := e.opt.Limits.CheckNearest(r); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	exclude, err := e.exclude(ctx, r.Exclude)
	if err != nil {
		return nil, err
	}
	o := graph.SnapOptions{Approach: graph.Approach(r.Approach), Exclude: exclude.mask}
	e.setRadius(&o, r.Radius)
	setBearing(&o, r.Bearing)
	found, err := w.snapper.Nearest(ctx, coord(r.Coordinate), max(1, r.Number), o)
	if err != nil {
		return nil, err
	}
	seen.lap(&seen.Snap)
	if len(found) == 0 {
		return nil, &Error{Code: ErrNoSegment, Index: 0, Message: "Could not find a matching segments for coordinate"}
	}
	res := &NearestResponse{
		DataVersion: e.net.Properties.DataVersion, Metric: e.metricName,
		skipWaypoints: r.SkipWaypoints, tellMetric: told(r.Metric, r.Depart),
	}
	if r.SkipWaypoints {
		return res, nil
	}
	res.Waypoints = make([]NearestWaypoint, len(found))
	for i := range found {
		if i%pollEvery == pollEvery-1 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		res.Waypoints[i] = e.nearestWaypoint(&found[i], !r.NoHints)
	}
	return res, nil
}

func (e *dataset) nearestWaypoint(p *graph.Phantom, hint bool) NearestWaypoint {
	n := e.net
	w := NearestWaypoint{Waypoint: e.waypoint([]graph.Phantom{*p}, hint)}
	arm := drivable(n, p.Chain)
	count, at := segments(n, arm), int(p.Segment)
	if arm.Reverse() {
		at = count - 1 - at
	}
	index, from, to := segment(n, arm, at)
	w.Way = n.Ways.Get(n.SegmentWay[index])
	if arm.Reverse() {
		w.Way = -w.Way
	}
	id := func(place graph.PlaceID) int64 { return n.OSMNodes.Get(uint32(place)) }
	w.Ends = [2]int64{id(from), id(to)}
	own, back := p.Nodes[arm&1] != graph.InvalidNode, p.Nodes[arm&1^1] != graph.InvalidNode
	switch {
	case own && back:
		w.Nodes = [2]int64{id(to), id(from)}
	case back:
		w.Nodes = [2]int64{id(to), 0}
	case at > 0:
		w.Nodes = [2]int64{id(from), id(from)}
	default:
		w.Nodes = w.Ends
	}
	return w
}
