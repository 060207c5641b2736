package routing

import (
	"context"
	"slices"
	"time"

	"github.com/fourway-routing/fourway/graph"
)

// legsByHour is a route whose legs may be of different metrics, by the hour in which
// each departs.
type legsByHour struct {
	s     *Session
	r     *RouteRequest
	c     *catalog
	first *workspace // that of the session
	works []*workspace
	// pins are the indices of the coordinates where legs begin and end.
	pins  []int
	paths []path
	seen  int // search nodes settled
	cells int
	// places are the waypoints of the answer, by coordinate.
	places []Waypoint
}

// byLegs says whether a request may take more than one metric.
func byLegs(r *RouteRequest) bool {
	return !r.Depart.IsZero() && len(r.Coordinates) > 2 && len(r.Waypoints) != 2
}

// routeByLegs answers a request whose legs each depart when the one before arrives.
func (s *Session) routeByLegs(ctx context.Context, r RouteRequest) (*RouteResponse, error) {
	x := &legsByHour{s: s, r: &r, c: s.catalog}
	// A panic leaves the workspaces to the collector.
	d, err := s.data.avoiding(ctx, r.Avoid)
	if err != nil {
		return nil, err
	}
	x.first = s.workspaceOf(d)
	if err := x.first.startRoute(ctx, &r, &s.seen); err != nil {
		return nil, err
	}
	for i := range r.Coordinates {
		if len(r.Waypoints) == 0 || slices.Contains(r.Waypoints, i) {
			x.pins = append(x.pins, i)
		}
	}
	res, err := x.run(ctx)
	for _, w := range x.works {
		w.damaged = false
		w.searcher.exclude(exclusion{})
		w.data.workspaces.Put(w)
	}
	return res, err
}

func (x *legsByHour) run(ctx context.Context) (*RouteResponse, error) {
	if !x.r.SkipWaypoints {
		x.places = x.first.routeWaypoints(x.r)
	}
	at, w := x.r.Depart, x.first
	for leg := 0; leg < len(x.pins)-1; {
		paths, err := x.chain(ctx, w, x.pins[leg])
		x.seen, x.cells = x.seen+w.paths.settled, x.cells+w.paths.cells
		if err != nil {
			return nil, err
		}
		if x.places != nil && w != x.first {
			copy(x.places[x.pins[leg]+1:], w.routeWaypoints(x.r)[x.pins[leg]+1:])
		}
		// The legs count up to the first that departs in an hour of another metric.
		metric := x.c.week.At(at)
		for begin := x.pins[leg]; leg < len(x.pins)-1 && x.c.week.At(at) == metric; leg++ {
			var took graph.Duration
			for _, p := range paths[x.pins[leg]-begin : x.pins[leg+1]-begin] {
				p.data = w.data
				p.edges, p.bends = slices.Clone(p.edges), slices.Clone(p.bends)
				took += p.cost(w.data.net, w.data.metric).duration
				x.paths = append(x.paths, p)
			}
			at = at.Add(time.Duration(took) * (time.Second / 10))
		}
		if leg < len(x.pins)-1 {
			if w, err = x.workspace(ctx, x.c.find(x.c.week.At(at))); err != nil {
				return nil, err
			}
		}
	}
	x.s.seen.Settled, x.s.seen.Cells = x.seen, x.cells
	x.s.seen.lap(&x.s.seen.Search)
	res, err := x.first.drawRoutes(ctx, x.r, [][]path{x.paths})
	if err == nil {
		res.Waypoints = x.places
	}
	return res, err
}

// chain returns the paths from the stop at index from on, as one metric has them. A
// route that goes on does so from where it has arrived.
func (x *legsByHour) chain(ctx context.Context, w *workspace, from int) ([]path, error) {
	if limit := w.data.opt.Limits.Work; limit > 0 {
		ctx = w.budgeted(ctx)
		w.budget.most -= x.seen
	}
	straight := w.data.straight(x.r)
	w.paths.edgesWanted = x.r.drawing().lines()
	stops := w.stops[from:]
	var arrived *end
	if from > 0 && !stops[0].inArea {
		arrived = &x.paths[from-1].to
	}
	if arrived != nil {
		x.leave(&stops[0], func(e *end) bool { return e.location == arrived.location && (!straight || e.arm == arrived.arm) })
	}
	paths, err := w.paths.chain(ctx, stops, straight)
	if paths == nil && err == nil && arrived != nil && straight {
		// There is no way on in the direction of arrival: turn around.
		x.leave(&stops[0], func(e *end) bool { return e.location == arrived.location })
		paths, err = w.paths.chain(ctx, stops, straight)
	}
	if paths == nil && err == nil {
		err = w.noRoute()
	}
	return paths, err
}

// leave has a stop left by some of its ends only.
func (x *legsByHour) leave(s *stop, by func(*end) bool) {
	k := 0
	for i := range s.phantoms {
		p := &s.phantoms[i]
		for d := range p.Nodes {
			if p.Source[d] || p.Target[d] {
				e := &s.ends[k]
				e.source = p.Source[d] && by(e)
				k++
			}
		}
	}
}

// workspace returns a workspace of a dataset with the stops of the request.
func (x *legsByHour) workspace(ctx context.Context, d *dataset) (*workspace, error) {
	d, err := d.avoiding(ctx, x.r.Avoid)
	if err != nil {
		return nil, err
	}
	if d == x.first.data {
		return x.first, nil
	}
	for _, w := range x.works {
		if w.data == d {
			return w, nil
		}
	}
	w := d.workspaces.Get()
	w.damaged = true
	x.works = append(x.works, w)
	return w, w.startRoute(ctx, x.r, &x.s.seen)
}
