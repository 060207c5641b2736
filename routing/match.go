package routing

import (
	"context"
	"math"
	"runtime/debug"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/matching"
)

// Match finds the ways on the road network that fit a trace best: one, or more
// where the trace is parted. A trace that no road is near gives ErrNoSegment, one
// that no way fits ErrNoMatch. Other errors are an *Error, or the context's.
//
// It is safe for concurrent use. A caller with many requests saves a little by
// a Session.
func Match(ctx context.Context, e *Engine, r MatchRequest) (*MatchResponse, error) {
	s := Session{engine: e}
	defer s.Close()
	return s.Match(ctx, r)
}

// Match is the function Match.
func (s *Session) Match(ctx context.Context, r MatchRequest) (res *MatchResponse, err error) {
	if err := s.enterFor("match", wish{r.Metric, r.Depart}, false); err != nil {
		return nil, err
	}
	defer s.leave(debug.SetPanicOnFault(true), &err)
	d, err := s.data.avoiding(ctx, r.Avoid)
	if err != nil {
		return nil, err
	}
	return s.workspaceOf(d).match(ctx, &r, &s.seen)
}

// candidateRadius is the number of standard deviations within which roads count:
// more than 99 % of all places are nearer.
const candidateRadius = 3

// Where a radius takes in whole towns, only the nearest segments, and of what they
// make candidates the nearest, count.
const (
	mostSegments   = 512
	mostCandidates = 128
)

// traceMatch is a match in the making. Its memory is kept for the next one.
type traceMatch struct {
	matcher  *matching.Matcher
	kept     []int // indices of the coordinates that the trace is made of
	places   []geo.Coord
	points   []matching.Point
	trace    matching.Trace // of points
	reasons  []matching.Reason
	found    []graph.Phantom // candidates of one point
	phantoms []graph.Phantom // of all
	ends     []int           // of phantoms, by point
}

func (w *workspace) match(ctx context.Context, r *MatchRequest, seen *Observation) (*MatchResponse, error) {
	e := w.data
	if err := r.validateShape(); err != nil {
		return nil, err
	}
	if err := e.opt.Limits.CheckMatch(r); err != nil {
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
	m := &w.traces
	m.matcher.Exclude(exclude.mask)
	w.searcher.exclude(exclude)
	matches, deviation, err := w.likeliest(ctx, r, exclude, seen)
	if err != nil {
		return nil, err
	}
	waypoints, err := m.waypoints(r, matches)
	if err != nil {
		return nil, err
	}
	res := &MatchResponse{
		Matchings:     make([]Matching, len(matches)),
		DataVersion:   e.net.Properties.DataVersion,
		geometries:    r.Geometries,
		skipWaypoints: r.SkipWaypoints,
		details:       r.Details,
	}
	if r.Model.EstimateNoise {
		res.Deviation = deviation
	}
	if !r.SkipWaypoints {
		res.Tracepoints = make([]*Tracepoint, len(r.Coordinates))
		if r.Details {
			res.Unmatched = m.unmatched(len(r.Coordinates), matches)
		}
	}
	for i := range matches {
		route, err := w.matched(ctx, r, &matches[i], waypoints)
		if err != nil {
			return nil, err
		}
		seen.Settled += w.paths.settled
		res.Matchings[i] = Matching{RouteResult: route, Confidence: matches[i].Confidence}
		if !r.SkipWaypoints {
			w.tracepoints(r, res.Tracepoints, i, &matches[i], waypoints)
		}
	}
	return res, nil
}

// likeliest finds the ways of a trace, and the standard deviation of places that
// nothing is known of, in meters.
func (w *workspace) likeliest(ctx context.Context, r *MatchRequest, x exclusion, seen *Observation) ([]matching.Match, float64, error) {
	e, m := w.data, &w.traces
	m.trace = matching.Trace{
		Timed: len(r.Timestamps) > 0, MaxSpeed: e.net.Properties.MaxSpeedForMapMatching,
		Whole: r.IgnoreGaps, WeightPerSecond: e.unit,
	}
	noise, limit := r.Model.noise(), math.Inf(1)
	if most := w.data.opt.Limits.MatchRadius; most > 0 {
		limit = most
	}
	for round := 0; ; round++ {
		if err := w.trace(ctx, r, &noise, x); err != nil {
			return nil, 0, err
		}
		seen.lap(&seen.Snap)
		m.trace.Points, m.trace.Model = m.points, r.Model.model(&noise)
		matches, err := m.matcher.Match(ctx, m.trace)
		seen.lap(&seen.Search)
		seen.Settled += m.matcher.Settled()
		if err != nil || !r.Model.EstimateNoise || round+1 == mostRounds {
			return matches, noise.deviation, err
		}
		if !noise.refine(m.matcher.Fit(&m.trace, matches), limit) {
			return matches, noise.deviation, nil
		}
	}
}

// trace fills w.traces with the points of the trace and their candidates.
func (w *workspace) trace(ctx context.Context, r *MatchRequest, noise *noise, x exclusion) error {
	m := &w.traces
	m.places, m.kept = m.places[:0], m.kept[:0]
	for i, c := range r.Coordinates {
		m.places = append(m.places, coord(c))
		if !r.Tidy {
			m.kept = append(m.kept, i)
		}
	}
	if r.Tidy {
		m.kept = matching.Tidy(m.kept, m.places, r.Timestamps)
	}
	p := places{r.Coordinates, nil, r.Bearings, r.Approaches, true}
	m.points, m.phantoms, m.ends = m.points[:0], m.phantoms[:0], m.ends[:0]
	var err error
	for k, i := range m.kept {
		if err = ctx.Err(); err != nil {
			return err
		}
		point := matching.Point{Place: m.places[i], Deviation: noise.deviation}
		if len(r.Timestamps) > 0 {
			point.Time = r.Timestamps[i]
		}
		radius := noise.radius
		if len(r.Radiuses) > 0 && r.Radiuses[i] > 0 {
			point.Deviation = r.Radiuses[i]
			radius = r.Radiuses[i] * candidateRadius
		}
		turn := k > 0 && k < len(m.kept)-1 && r.Model.turns(point.Deviation, m.places[m.kept[k-1]], point.Place, m.places[m.kept[k+1]])
		if m.found, err = w.spots(ctx, m.found[:0], point.Place, radius, p.options(i, x), turn); err != nil {
			return err
		}
		m.phantoms = append(m.phantoms, m.found...)
		m.points = append(m.points, point)
		m.ends = append(m.ends, len(m.phantoms))
	}
	if len(m.phantoms) == 0 {
		return &Error{Code: ErrNoSegment, Index: -1, Message: "Could not find a matching segment for any coordinate."}
	}
	start := 0
	for k, end := range m.ends {
		m.points[k].Candidates = m.phantoms[start:end:end]
		start = end
	}
	return nil
}

// spots returns the candidates of a place in the memory of dst, nearest first.
func (w *workspace) spots(ctx context.Context, dst []graph.Phantom, at geo.Coord, radius float64, o graph.SnapOptions, turn bool) ([]graph.Phantom, error) {
	o.Most = mostSegments
	found, err := w.snapper.Within(ctx, at, radius, o)
	if err != nil {
		return nil, err
	}
	dst = matching.Candidates(append(dst, found...), turn)
	return dst[:min(len(dst), mostCandidates)], nil
}

// waypoints returns by point whether it is a waypoint, nil if all are, and an
// error if the matches do not tell.
func (m *traceMatch) waypoints(r *MatchRequest, matches []matching.Match) ([]bool, error) {
	fail := func(message string) ([]bool, error) {
		return nil, &Error{Code: ErrNoMatch, Index: -1, Message: message}
	}
	if len(matches) == 0 {
		return fail("Could not match the trace.")
	}
	if len(r.Waypoints) == 0 {
		return nil, nil
	}
	if len(matches) > 1 {
		return fail("Could not match the trace with the given waypoints.")
	}
	waypoints := make([]bool, len(m.kept))
	missing := 0
	for _, i := range r.Waypoints {
		// One that was left out is where the point kept before it is.
		k, found := slices.BinarySearch(m.kept, i)
		if !found {
			k--
		}
		if !waypoints[k] {
			waypoints[k] = true
			missing++
		}
	}
	for _, step := range matches[0].Steps {
		if waypoints[step.Point] {
			missing--
		}
	}
	if missing > 0 {
		return fail("Requested waypoint parameter could not be matched.")
	}
	return waypoints, nil
}

// place returns where a step of a match is.
func (m *traceMatch) place(match *matching.Match, k int) graph.Phantom {
	at := &match.Steps[match.Steps[k].At]
	p := m.points[at.Point].Candidates[at.Candidate]
	if match.Steps[k].At != k {
		p.Input = m.points[match.Steps[k].Point].Place
		p.SnapDistance = geo.Distance(p.Input, p.Place)
	}
	return p
}

// unmatched returns by coordinate why it is in no match.
func (m *traceMatch) unmatched(count int, matches []matching.Match) []Unmatched {
	out := make([]Unmatched, count)
	for i := range out {
		out[i] = UnmatchedTidied
	}
	m.reasons = m.matcher.AppendReasons(m.reasons[:0], &m.trace, matches)
	for k, i := range m.kept {
		out[i] = unmatchedWords[m.reasons[k]]
	}
	return out
}

// matched draws the way of a match.
func (w *workspace) matched(ctx context.Context, r *MatchRequest, match *matching.Match, waypoints []bool) (RouteResult, error) {
	m := &w.traces
	n, metric := w.data.net, w.data.metric
	w.stops = w.stops[:0]
	draw := drawing{r.Steps, r.Annotations, r.Overview, nil, told(r.Metric, r.Depart), r.Explain}
	for k, step := range match.Steps {
		s := w.nextStop()
		s.nearest = append(s.nearest[:0], m.place(match, k))
		s.big = s.big[:0]
		s.phantoms = s.nearest
		s.ends = appendEnds(s.ends[:0], n, metric, &s.nearest[0])
		if waypoints != nil && waypoints[step.Point] {
			draw.waypoints = append(draw.waypoints, k)
		}
	}
	w.paths.edgesWanted = draw.lines()
	paths, err := w.paths.matched(ctx, w.stops, match.Ways)
	if err != nil {
		return RouteResult{}, err
	}
	if paths == nil {
		return RouteResult{}, &Error{Code: ErrNoMatch, Index: -1, Message: "Could not match the trace."}
	}
	return w.answers.route(ctx, draw, paths)
}

// matched returns the paths through stops by the ways that are known, and by the
// cheapest ones elsewhere, or nil if there are none. They are valid until the next
// search.
func (s *pathSearch) matched(ctx context.Context, stops []stop, ways []matching.Way) ([]path, error) {
	s.edges, s.paths, s.settled = s.edges[:0], s.paths[:0], 0
	s.searcher.Forget()
	for i := range ways {
		way := &ways[i]
		if way.Known {
			s.paths = append(s.paths, path{
				from: *stops[i].directed(way.From), to: *stops[i+1].directed(way.To), edges: way.Edges,
			})
			continue
		}
		p, ok, err := s.between(ctx, stops[i].ends, stops[i+1].ends)
		if !ok || err != nil {
			return nil, err
		}
		s.paths = append(s.paths, p)
	}
	return s.paths, nil
}

// directed returns the end in a direction of the chain, which is there.
func (s *stop) directed(direction int) *end {
	if e := &s.ends[0]; int(e.arm&1) == direction {
		return e
	}
	return &s.ends[1]
}

// tracepoints fills in the points of the i-th match.
func (w *workspace) tracepoints(r *MatchRequest, out []*Tracepoint, i int, match *matching.Match, waypoints []bool) {
	m := &w.traces
	position := 0
	points := make([]Tracepoint, len(match.Steps))
	for k, step := range match.Steps {
		t := &points[k]
		t.Waypoint = w.data.waypoint(w.stops[k].nearest, !r.NoHints)
		t.Matching, t.Alternatives, t.Position = i, step.Alternatives, -1
		if waypoints == nil || waypoints[step.Point] {
			t.Position = position
			position++
		}
		at := &w.paths.paths[max(k-1, 0)].to
		if k == 0 {
			at = &w.paths.paths[0].from
		}
		w.data.locate(t, at)
		out[m.kept[step.Point]] = t
	}
}

// locate fills in where on its way a tracepoint is.
func (e *dataset) locate(t *Tracepoint, at *end) {
	n := e.net
	index, from, to := segment(n, at.arm, at.segment)
	t.Way = e.way(at.arm, index)
	t.Ends = [2]int64{n.OSMNodes.Get(uint32(from)), n.OSMNodes.Get(uint32(to))}
	t.Fraction = e.fraction(at)
}

// way returns the OSM way of an arm's segment, negative where the arm runs against
// the order of the way's nodes.
func (e *dataset) way(arm graph.ArmID, index uint32) int64 {
	way := e.net.Ways.Get(e.net.SegmentWay[index])
	if arm.Reverse() {
		return -way
	}
	return way
}

// fraction returns how much of its segment lies before an end, 0…1.
func (e *dataset) fraction(at *end) float64 {
	index, from, _ := segment(e.net, at.arm, at.segment)
	length := e.net.SegmentLength[index]
	if length == 0 {
		return 0
	}
	return min(1, float64(geo.DistanceCM(e.net.Coords[from], at.location))/float64(length))
}
