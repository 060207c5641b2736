package routing

import (
	"context"
	"math"
	"runtime/debug"
	"time"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/matching"
	"github.com/fourway-routing/fourway/pool"
)

// MatchStreamOptions describe a trace that comes in point by point.
type MatchStreamOptions struct {
	// Model is RobustModel's, or what of it is wanted; DropOutliers is always on.
	// EstimateNoise does not estimate here: Deviation is what it would have found.
	Model MatchModel
	// Deviation is the standard deviation of coordinates in meters; 0 stands for 5.
	Deviation float64
	// Timed says that points have times, which do not descend.
	Timed bool
	// Gap is the time from which on a step parts the trace; 0 for none.
	Gap time.Duration
	// Lag is the number of points that may wait to be settled: when there are more,
	// the likeliest way so far counts. 0 stands for 100, a negative number for no
	// limit.
	Lag int
	// Exclude names the road classes to avoid, as in a MatchRequest.
	Exclude []string
	// Avoid closes roads, with MLD and CCH.
	Avoid []Avoid
	// Metric names the metric, or Depart chooses it for the whole trace, as those of
	// a MatchRequest.
	Metric string
	Depart time.Time
}

// MatchPoint is a point of a trace.
type MatchPoint struct {
	Coordinate orb.Point // longitude and latitude in degrees
	Timestamp  int64     // seconds since any moment, if the trace is timed
	Deviation  float64   // in meters; 0 stands for that of the options
	Bearing    *Bearing  // restricts the direction of its road
}

// MatchSettled is what is known for good of a point.
type MatchSettled struct {
	// Point is the number of the point, from 0.
	Point int64
	// Unmatched says why no way leads by the point; it is empty if one does, and
	// else the rest is.
	Unmatched Unmatched
	// Piece is the number of the piece of the trace that the point is in.
	Piece int64
	// Location is where the vehicle was, Distance how many meters that is from the
	// coordinate.
	Location orb.Point
	Distance float64
	// Segments lead there from where the point matched before was, if that is in the
	// same piece.
	Segments []MatchSegment
}

// MatchSegment is the stretch of a segment of road, between two OSM nodes, that was
// driven.
type MatchSegment struct {
	Way      int64    // OSM way, negative against the order of its nodes
	Ends     [2]int64 // OSM nodes, in the order in which they were passed
	From, To float64  // 0…1, where on the segment the stretch begins and ends
	Meters   float64
}

// MatchStream matches a trace while it comes in. Its memory does not grow with the
// trace, unless its Lag has no limit. See matching.Online for what is settled when.
type MatchStream struct {
	session *Session
	opt     MatchStreamOptions
	noise   noise
	data    *dataset   // of the session, when the stream began
	w       *workspace // of the session then, or its own if roads are avoided
	own     bool       // or a metric is told
	memory  *pool.Allocator
	matcher *matching.Matcher
	online  *matching.Online

	exclude exclusion
	ahead   []MatchPoint // not matched yet: whether it turns depends on the next
	before  geo.Coord    // place before that
	begun   bool         // there is one
	taken   int64
	places  []geo.Coord // of pending points, those of the settled ones first
	first   int64       // number of the first of them
	found   []graph.Phantom
	last    graph.Phantom // place of the point matched last
	piece   int64         // its piece, -1 before the first
}

// MatchStream returns a stream of the session. The session may answer other queries
// between the points. A stream ends with the session, and when the engine has got
// another data set: Add then fails with ErrClosed.
func (s *Session) MatchStream(ctx context.Context, o MatchStreamOptions) (m *MatchStream, err error) {
	if o.Deviation < 0 || math.IsNaN(o.Deviation) || math.IsInf(o.Deviation, 1) {
		return nil, invalid(-1, "Deviation is %g: want meters", o.Deviation)
	}
	if err := o.Model.validate(); err != nil {
		return nil, err
	}
	of := wish{o.Metric, o.Depart}
	if err := s.enterFor("match", of, false); err != nil {
		return nil, err
	}
	defer s.leave(debug.SetPanicOnFault(true), &err)
	e, err := s.data.avoiding(ctx, o.Avoid)
	if err != nil {
		return nil, err
	}
	var w *workspace
	own := e != s.data || told(o.Metric, o.Depart)
	if own {
		w = newWorkspace(e) // other queries of the session take that of s.data
	} else {
		w = s.workspace()
	}
	m = &MatchStream{session: s, opt: o, data: s.data, w: w, own: own, memory: pool.NewKind(e.opt.Memory), piece: -1}
	if m.exclude, err = e.exclude(ctx, o.Exclude); err != nil {
		return nil, err
	}
	m.noise = m.noiseOf(o.Deviation)
	m.matcher = matching.New(e.net, e.metric, w.searcher, m.memory)
	m.matcher.Exclude(m.exclude.mask)
	o.Model.DropOutliers = true
	m.online = matching.NewOnline(m.matcher, matching.OnlineOptions{
		Timed: o.Timed, MaxSpeed: e.net.Properties.MaxSpeedForMapMatching, WeightPerSecond: e.unit,
		Model: o.Model.model(&m.noise), Gap: int64(o.Gap / time.Second), Lag: o.Lag,
	})
	return m, nil
}

// noiseOf returns what a deviation in meters, 0 for none given, means for a point.
func (m *MatchStream) noiseOf(deviation float64) noise {
	switch {
	case deviation <= 0:
		return noise{matching.DefaultDeviation, matching.DefaultDeviation * candidateRadius}
	case m.opt.Model.EstimateNoise:
		return noise{deviation, max(leastRadius, estimateRadius*deviation)}
	}
	return noise{deviation, candidateRadius * deviation}
}

// Pending returns the number of points that are not settled.
func (m *MatchStream) Pending() int { return len(m.ahead) + m.online.Pending() }

// Add takes the next point and returns what is settled now, in the order of points.
// Errors are an *Error, or the context's, after which the stream may go on.
func (m *MatchStream) Add(ctx context.Context, p MatchPoint) ([]MatchSettled, error) {
	if !onGlobe(p.Coordinate) {
		return nil, &Error{Code: ErrInvalidValue, Index: 0, Message: "Invalid coordinate value."}
	}
	if p.Deviation < 0 || math.IsNaN(p.Deviation) || math.IsInf(p.Deviation, 1) {
		return nil, invalid(0, "Deviation is %g: want meters", p.Deviation)
	}
	if limit := m.w.data.opt.Limits.MatchRadius; limit > 0 && p.Deviation > limit {
		return nil, tooBig(int64(limit), "Deviation %g is above the limit of %g meters", p.Deviation, limit)
	}
	if n := len(m.ahead); m.opt.Timed && n > 0 && p.Timestamp < m.ahead[n-1].Timestamp {
		return nil, &Error{Code: ErrInvalidValue, Index: 0, Message: "Timestamps need to be monotonically increasing."}
	}
	m.ahead = append(m.ahead, p)
	if len(m.ahead) < 2 {
		return nil, ctx.Err()
	}
	return m.run(ctx, false)
}

// Flush ends the trace and returns the rest of it. The next point begins another
// one, whose points and pieces are numbered on.
func (m *MatchStream) Flush(ctx context.Context) ([]MatchSettled, error) { return m.run(ctx, true) }

// run matches the points ahead, but for the last one unless the trace ends.
func (m *MatchStream) run(ctx context.Context, ends bool) (out []MatchSettled, err error) {
	s := m.session
	if err := s.enterFor("match", wish{metric: m.data.metricName}, false); err != nil {
		return nil, err
	}
	defer s.leave(debug.SetPanicOnFault(true), &err)
	w, own := m.w, m.own
	if !own {
		w = s.workspace()
	}
	if w != m.w || s.data != m.data || own && w.damaged {
		return nil, &Error{Code: ErrClosed, Index: -1, Message: "the stream's data set has been replaced, or a query of its session has failed: begin another stream"}
	}
	w.damaged = true
	out, err = m.proceed(ctx, w, ends)
	if own {
		w.damaged = false // a panic has not come here
	}
	return out, err
}

// proceed is run in a workspace.
func (m *MatchStream) proceed(ctx context.Context, w *workspace, ends bool) (out []MatchSettled, err error) {
	w.searcher.exclude(m.exclude)
	rest := 1
	if ends {
		rest = 0
	}
	for len(m.ahead) > rest {
		settled, err := m.take(ctx, w)
		if err != nil {
			return out, err
		}
		if out, err = m.tell(ctx, w, out, settled); err != nil {
			return out, err
		}
	}
	if !ends {
		return out, nil
	}
	settled, err := m.online.Flush(ctx)
	if err != nil {
		return out, err
	}
	m.begun = false
	return m.tell(ctx, w, out, settled)
}

// take hands the first point ahead to the matcher.
func (m *MatchStream) take(ctx context.Context, w *workspace) ([]matching.Settled, error) {
	p := m.ahead[0]
	n := m.noise
	if p.Deviation > 0 {
		n = m.noiseOf(p.Deviation)
	}
	point := matching.Point{Place: coord(p.Coordinate), Time: p.Timestamp, Deviation: n.deviation}
	turn := m.begun && len(m.ahead) > 1 && m.opt.Model.turns(n.deviation, m.before, point.Place, coord(m.ahead[1].Coordinate))
	o := graph.SnapOptions{AnySegment: true, Exclude: m.exclude.mask}
	setBearing(&o, p.Bearing)
	var err error
	if m.found, err = w.spots(ctx, m.found[:0], point.Place, n.radius, o, turn); err != nil {
		return nil, err
	}
	point.Candidates = m.found
	m.before, m.begun = point.Place, true
	m.ahead = m.ahead[:copy(m.ahead, m.ahead[1:])]
	m.places = append(m.places, point.Place)
	m.taken++
	return m.online.Add(ctx, point)
}

// tell appends what is settled to out.
func (m *MatchStream) tell(ctx context.Context, w *workspace, out []MatchSettled, settled []matching.Settled) ([]MatchSettled, error) {
	for i := range settled {
		s := &settled[i]
		place := m.places[s.Point-m.first]
		x := MatchSettled{Point: s.Point, Unmatched: unmatchedWords[s.Reason]}
		if s.Reason == matching.Matched {
			x.Piece, x.Location, x.Distance = s.Piece, point(s.Place.Place), geo.Distance(place, s.Place.Place)
			if s.Piece == m.piece {
				var err error
				if x.Segments, err = m.segments(ctx, w, &s.Place, &s.Way); err != nil {
					return out, err
				}
			}
			m.last, m.piece = s.Place, s.Piece
		}
		out = append(out, x)
	}
	if n := len(settled); n > 0 {
		done := settled[n-1].Point + 1 - m.first
		m.places = m.places[:copy(m.places, m.places[done:])]
		m.first += done
	}
	return out, nil
}

// segments returns the way to a place from the one before.
func (m *MatchStream) segments(ctx context.Context, w *workspace, to *graph.Phantom, way *matching.Way) ([]MatchSegment, error) {
	e := w.data
	w.stops = w.stops[:0]
	for _, p := range []*graph.Phantom{&m.last, to} {
		s := w.nextStop()
		s.nearest, s.big = append(s.nearest[:0], *p), s.big[:0]
		s.phantoms = s.nearest
		s.ends = appendEnds(s.ends[:0], e.net, e.metric, p)
	}
	paths, err := w.paths.matched(ctx, w.stops, []matching.Way{*way})
	if err != nil || paths == nil {
		return nil, err
	}
	return e.segmentsOf(&paths[0]), nil
}

// segmentsOf returns the stretches of segments that a path leads over.
func (e *dataset) segmentsOf(p *path) []MatchSegment {
	var out []MatchSegment
	n := e.net
	add := func(arm graph.ArmID, i int, from, to float64) {
		index, a, b := segment(n, arm, i)
		s := MatchSegment{
			Way: e.way(arm, index), Ends: [2]int64{n.OSMNodes.Get(uint32(a)), n.OSMNodes.Get(uint32(b))},
			From: from, To: max(from, to),
		}
		s.Meters = (s.To - s.From) * float64(n.SegmentLength[index]) / 100
		out = append(out, s)
	}
	arm, first, from := p.from.arm, p.from.segment, e.fraction(&p.from)
	for _, edge := range p.edges {
		for i := first; i < segments(n, arm); i++ {
			add(arm, i, from, 1)
			from = 0
		}
		arm, first, from = n.NodeArm[n.EdgeHead[edge]], 0, 0
	}
	for i := first; i <= p.to.segment; i++ {
		to := 1.0
		if i == p.to.segment {
			to = e.fraction(&p.to)
		}
		add(arm, i, from, to)
		from = 0
	}
	return out
}
