package routing

import (
	"context"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// stop is where a coordinate of a request snapped to.
type stop struct {
	// nearest are the candidates at the nearest place, big those in a big
	// component if nearest has none there.
	nearest, big []graph.Phantom
	phantoms     []graph.Phantom // the ones that count
	ends         []end           // of phantoms
	// A coordinate in an open area has the ways out of it as candidates, which
	// are in the midst of search nodes if midway is set.
	inArea, midway bool
	area           graph.AreaID
	// reach, if reached is set, is what the coordinate sees of the area; see
	// polygon.Polygon.AppendReach.
	reached bool
	reach   []float64
}

// asked returns the coordinate of a stop.
func (s *stop) asked() geo.Coord { return s.nearest[0].Input }

// places are the coordinates of a request with what they say of snapping.
type places struct {
	coordinates []orb.Point
	radiuses    []float64
	bearings    []*Bearing
	approaches  []Approach
	any         bool
}

func (r *RouteRequest) places() places {
	return places{r.Coordinates, r.Radiuses, r.Bearings, r.Approaches, r.Snapping == SnapAny}
}

func (r *TableRequest) places() places {
	return places{r.Coordinates, r.Radiuses, r.Bearings, r.Approaches, r.Snapping == SnapAny}
}

func (r *TripRequest) places() places {
	return places{r.Coordinates, r.Radiuses, r.Bearings, r.Approaches, r.Snapping == SnapAny}
}

// options returns how the i-th coordinate is to snap, its radius left out.
func (p *places) options(i int, x exclusion) graph.SnapOptions {
	o := graph.SnapOptions{AnySegment: p.any, Exclude: x.mask}
	if len(p.bearings) > 0 {
		setBearing(&o, p.bearings[i])
	}
	if len(p.approaches) > 0 {
		o.Approach = graph.Approach(p.approaches[i])
	}
	return o
}

// snap fills w.stops with the candidates of places.
func (w *workspace) snap(ctx context.Context, p places, x exclusion) error {
	w.stops = w.stops[:0]
	for i, c := range p.coordinates {
		if err := ctx.Err(); err != nil {
			return err
		}
		o := p.options(i, x)
		if area, phantoms, ok := w.snapper.InArea(coord(c), o); ok {
			s := w.nextStop()
			s.nearest, s.big = append(s.nearest[:0], phantoms...), s.big[:0]
			s.inArea, s.area, s.midway = true, area, midway(w.data.metric, phantoms)
			continue
		}
		if len(p.radiuses) > 0 {
			w.data.setRadius(&o, p.radiuses[i])
		} else {
			w.data.setRadius(&o, 0)
		}
		nearest, big, err := w.snapper.Candidates(ctx, coord(c), o)
		if err != nil {
			return err
		}
		if len(nearest) == 0 {
			return &Error{
				Code: ErrNoSegment, Index: i,
				Message: fmt.Sprintf("Could not find a matching segment for coordinate %d", i),
			}
		}
		s := w.nextStop()
		s.nearest, s.big = append(s.nearest[:0], nearest...), append(s.big[:0], big...)
	}
	return nil
}

// nextStop appends a stop whose slices keep their memory.
func (w *workspace) nextStop() *stop {
	if n := len(w.stops); n < cap(w.stops) {
		w.stops = w.stops[:n+1]
	} else {
		w.stops = append(w.stops, stop{})
	}
	s := &w.stops[len(w.stops)-1]
	s.inArea, s.midway, s.reached = false, false, false
	return s
}

// choose decides for all stops at once between the nearest places and those in
// a big component: the nearest, if all can be in one small component.
func (w *workspace) choose() {
	near := w.shareSmallComponent()
	n, m := w.data.net, w.data.metric
	for i := range w.stops {
		s := &w.stops[i]
		s.phantoms = s.nearest
		if !near && len(s.big) > 0 {
			s.phantoms = s.big
		}
		s.ends = s.ends[:0]
		for k := range s.phantoms {
			s.ends = appendEnds(s.ends, n, m, &s.phantoms[k])
		}
	}
}

// shareSmallComponent says whether all stops have a nearest candidate in the
// same small component.
func (w *workspace) shareSmallComponent() bool {
	first := w.stops[0].nearest
next:
	for i := range first {
		c := first[i].Component
		if !c.Small() {
			continue
		}
		for k := range w.stops[1:] {
			if !hasComponent(w.stops[k+1].nearest, c) {
				continue next
			}
		}
		return true
	}
	return false
}

func hasComponent(phantoms []graph.Phantom, c graph.Component) bool {
	for i := range phantoms {
		if phantoms[i].Component == c {
			return true
		}
	}
	return false
}

// appendEnds appends the directions of a phantom in which one can start or stop.
func appendEnds(dst []end, n *graph.Network, m *graph.Metric, p *graph.Phantom) []end {
	for d := range p.Nodes {
		if !p.Source[d] && !p.Target[d] {
			continue
		}
		arm := graph.ArmID(p.Chain)<<1 | graph.ArmID(d)
		e := end{
			arm: arm, node: p.Nodes[d], segment: int(p.Segment), location: p.Place, asked: p.Input,
			offset: cost{p.Weight[d], p.Duration[d], int64(p.Distance[d])},
			source: p.Source[d], target: p.Target[d], inArea: p.InArea,
			walk: cost{p.Walk.Weight, p.Walk.Duration, int64(p.Walk.Distance)},
		}
		if d == 1 {
			e.segment = segments(n, arm) - 1 - e.segment
		}
		e.part = e.offset
		for s := range e.segment {
			index, _, _ := segment(n, arm, s)
			e.part.weight -= m.SegmentWeight[d][index]
			e.part.duration -= m.SegmentDuration[d][index]
		}
		dst = append(dst, e)
	}
	return dst
}

func coord(p orb.Point) geo.Coord { return geo.FromLonLat(p[0], p[1]) }

func (e *dataset) setRadius(o *graph.SnapOptions, asked float64) {
	if meters := e.opt.Limits.radius(asked); !math.IsInf(meters, 1) {
		o.HasRadius, o.Radius = true, meters
	}
}

func setBearing(o *graph.SnapOptions, b *Bearing) {
	if b != nil {
		o.HasBearing, o.Bearing, o.BearingRange = true, b.Value, b.Range
	}
}
