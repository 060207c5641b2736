package matching

import (
	"context"
	"math"

	"github.com/fourway-routing/fourway/graph"
)

// DefaultLag is the number of points that an Online holds back at most where its
// options say nothing.
const DefaultLag = 100

// OnlineOptions describe the traces of an Online. See Trace for what has the same
// name.
type OnlineOptions struct {
	Timed           bool
	MaxSpeed        float64
	WeightPerSecond float64
	// Model's Outlier must be above 0, or Bridge be set.
	Model Model
	// Gap is the time in seconds from which on a step of a timed trace parts it; 0
	// for none.
	Gap int64
	// Lag is the number of points that may be held back: when there are more, the
	// likeliest way so far counts. 0 stands for DefaultLag, a negative number for
	// no limit.
	Lag int
}

// Settled is what is known for good of a point.
type Settled struct {
	// Point is the number of the point, from 0.
	Point int64
	// Reason is Matched, or why the point is in no piece; then the rest is empty.
	Reason Reason
	// Piece is the number of the piece of the trace that the point is in.
	Piece int64
	// Place is where the trace was.
	Place graph.Phantom
	// Way leads there from the place of the point matched before, if that is in the
	// same piece. Its edges are valid until the next call.
	Way Way
}

// Online matches a trace while it comes in, and tells what no later point can
// change: a point is settled when the likeliest sequences to all candidates of the
// last points have its candidate in common (Šrámek, Brejová, Vinař: On-line Viterbi
// Algorithm for Analysis of Long Biological Sequences, 2007), or when it is too
// old. A piece also ends when no road was in reach for as long. So all that is settled with no limit to the lag is what Match finds.
//
// With a Model that lets places fall back, what has been driven in the last few
// meters waits too, as it may be taken back. Where a limit settles it before, a way
// may begin that much behind the place before.
//
// Its memory depends on the lag, and not on the length of the trace. An Online
// belongs to one goroutine at a time, with its Matcher, which does nothing else in
// the meantime.
type Online struct {
	m     *Matcher
	trace Trace // of the points that are kept
	gap   int64
	lag   int

	base   int64 // number of the first point kept
	piece  int64 // number of the piece
	begin  int   // first point of the piece that is kept
	told   int   // points kept that have been told of
	anchor int64 // state of the last of them that was matched in the piece, -1 if there is none
	front  int64 // state that all sequences have in common, -1 if there is none

	candidates []graph.Phantom // of the points kept
	match      Match           // from the anchor to the front
	states     []uint32        // of its steps
	out        []Settled
}

// NewOnline returns an Online that uses a Matcher.
func NewOnline(m *Matcher, o OnlineOptions) *Online {
	x := &Online{m: m, gap: o.Gap, lag: o.Lag}
	if x.gap <= 0 {
		x.gap = math.MaxInt64
	}
	if x.lag == 0 {
		x.lag = DefaultLag
	}
	x.trace = Trace{Timed: o.Timed, MaxSpeed: o.MaxSpeed, WeightPerSecond: o.WeightPerSecond, Model: o.Model}
	x.reset()
	return x
}

func (o *Online) reset() {
	m := o.m
	m.lattice.reset(m.memory, nil)
	m.grove.reset()
	m.leaping = leaping{0, -1, -1}
	m.splits = m.splits[:0]
	o.trace.Points, o.candidates = o.trace.Points[:0], o.candidates[:0]
	o.begin, o.told, o.anchor, o.front = 0, 0, -1, -1
}

// Pending returns the number of points that are not settled.
func (o *Online) Pending() int { return len(o.trace.Points) - o.told }

// Add takes the next point and returns what is settled now, in the order of points;
// it is valid until the next call. Times must not descend. The candidates are
// copied. After an error the point counts as taken, and the trace goes on.
func (o *Online) Add(ctx context.Context, p Point) ([]Settled, error) {
	o.out = o.out[:0]
	o.forget()
	o.take(p)
	return o.advance(ctx, false)
}

// Flush ends the trace and returns the rest of it. The next point begins another
// one, whose points and pieces are numbered on.
func (o *Online) Flush(ctx context.Context) ([]Settled, error) {
	o.out = o.out[:0]
	if _, err := o.advance(ctx, true); err != nil {
		return o.out, err
	}
	if err := o.finish(ctx, len(o.trace.Points)); err != nil {
		return o.out, err
	}
	o.base += int64(len(o.trace.Points))
	o.reset()
	return o.out, nil
}

// take appends a point to the lattice.
func (o *Online) take(p Point) {
	start, kept := len(o.candidates), cap(o.candidates)
	o.candidates = append(o.candidates, p.Candidates...)
	p.Candidates = o.candidates[start:len(o.candidates):len(o.candidates)]
	o.trace.Points = append(o.trace.Points, p)
	if cap(o.candidates) != kept {
		o.point()
	}
	o.m.lattice.extend(o.m.memory, &p)
}

// point sets the candidates of all points, which have moved.
func (o *Online) point() {
	start := 0
	for i := range o.trace.Points {
		end := start + len(o.trace.Points[i].Candidates)
		o.trace.Points[i].Candidates = o.candidates[start:end:end]
		start = end
	}
}

// advance follows the trace to its last point, which may be where it ends, and tells
// what is settled.
func (o *Online) advance(ctx context.Context, ends bool) ([]Settled, error) {
	m := o.m
	m.points = o.trace.Points
	m.spent, m.settled = m.spent+m.settled, 0
	if err := m.forwardLeaping(ctx, &o.trace, o.gap, ends); err != nil {
		return o.out, err
	}
	for _, split := range m.splits {
		if err := o.finish(ctx, split); err != nil {
			return o.out, err
		}
	}
	m.splits = m.splits[:0]
	n := len(o.trace.Points)
	if last := m.leaping.last; last < 0 || o.lag >= 0 && n-1-last > o.lag {
		// Nothing to go on from, or for so long no road that the piece is over.
		err := o.finish(ctx, n)
		m.leaping = leaping{n, -1, -1}
		return o.out, err
	}
	if err := m.resolveEnds(ctx, &o.trace, m.leaping.last); err != nil {
		return o.out, err
	}
	if s := o.common(); s >= 0 {
		o.front = s
	}
	o.tell(false)
	if o.lag >= 0 && o.Pending() > o.lag {
		o.force()
		o.tell(true)
		for o.Pending() > o.lag && len(o.trace.Points[o.told].Candidates) == 0 {
			o.leave()
		}
	}
	return o.out, nil
}

// finish tells of the rest of the piece that ends before a point.
func (o *Online) finish(ctx context.Context, end int) error {
	m := o.m
	last, alone := end-1, -1
	for last >= o.begin && m.broken[last] {
		last--
	}
	if last >= o.begin {
		if err := m.resolveEnds(ctx, &o.trace, last); err != nil {
			return err
		}
		s := m.finish(&o.trace, last)
		if m.parent[s] != s || o.anchor >= 0 {
			o.front = int64(s)
			o.tell(true)
			o.piece++
		} else {
			alone = int(m.point[s])
		}
	}
	for o.told < end {
		o.leave()
		if o.told-1 == alone {
			o.out[len(o.out)-1].Reason = Alone
		}
	}
	o.begin, o.anchor, o.front = end, -1, -1
	return nil
}

// common returns the state that the sequences to all states that the trace may end
// in, or go on from, have in common, and -1 if there is none.
func (o *Online) common() int64 {
	m := o.m
	marked, oldest := 0, 0
	for l := (leap{from: m.leaping.last}); ; {
		for s := m.first[l.from]; s < m.first[l.from+1]; s++ {
			if m.live(s) {
				m.marked[s] = true
				marked++
			}
		}
		oldest = l.from
		if !m.farther(&o.trace, &l) {
			break
		}
	}
	found, begun := int64(-1), false
	for i := m.leaping.last; i >= 0 && marked > 0; i-- {
		for s := m.first[i]; s < m.first[i+1]; s++ {
			if !m.marked[s] {
				continue
			}
			if marked == 1 && i <= oldest && !begun && found < 0 {
				found = int64(s)
			}
			m.marked[s] = false
			marked--
			switch p := m.parent[s]; {
			case found >= 0:
			case p == s:
				begun = true
			case !m.marked[p]:
				m.marked[p] = true
				marked++
			}
		}
	}
	return found
}

// force makes the likeliest sequence the only one, but for its newer half.
func (o *Online) force() {
	m := o.m
	s := m.finish(&o.trace, m.leaping.last)
	limit := len(o.trace.Points) - max(1, o.lag/2)
	for int(m.point[s]) > limit && m.parent[s] != s {
		s = m.parent[s]
	}
	o.front = int64(s)
	// What does not descend from it is dead.
	for x := m.first[m.point[s]]; x < uint32(len(m.score)); x++ {
		p := m.parent[x]
		if x != s && (p == x || p < m.first[m.point[s]] || !m.live(p)) {
			m.score[x], m.upper[x], m.parent[x], m.link[x] = math.Inf(-1), math.Inf(-1), x, link{}
		}
	}
}

// tell tells of the points up to the front, but of those that may still be moved
// unless all are wanted.
func (o *Online) tell(all bool) {
	m := o.m
	if o.front < 0 || o.front == o.anchor {
		return
	}
	if o.anchor < 0 && m.parent[o.front] == uint32(o.front) && !all {
		return // it may be alone
	}
	o.states = o.states[:0]
	for s := uint32(o.front); ; s = m.parent[s] {
		o.states = append(o.states, s)
		if int64(s) == o.anchor || m.parent[s] == s {
			break
		}
	}
	n := len(o.states)
	for i, k := 0, n-1; i < k; i, k = i+1, k-1 {
		o.states[i], o.states[k] = o.states[k], o.states[i]
	}
	o.match.Steps, o.match.Ways = o.match.Steps[:0], o.match.Ways[:0]
	for k, s := range o.states {
		i := m.point[s]
		o.match.Steps = append(o.match.Steps, Step{Point: int(i), Candidate: int(s - m.first[i]), At: k})
		if k > 0 {
			o.match.Ways = append(o.match.Ways, m.way(s))
		}
	}
	hold := int64(0)
	if o.trace.Model.Hold > 0 {
		m.standStill(&o.trace, &o.match, o.states)
		for i := range o.trace.Points {
			hold = max(hold, int64(100*o.trace.Model.Hold*o.trace.Points[i].Deviation))
		}
	}
	end := n
	if !all && hold > 0 {
		for ahead := int64(0); end > 0 && ahead <= hold; {
			end--
			if end > 0 {
				ahead += m.lengths[end]
			}
		}
	}
	for k := range end {
		if k == 0 && int64(o.states[0]) == o.anchor {
			continue
		}
		step := &o.match.Steps[k]
		for o.told < step.Point {
			o.leave()
		}
		at := &o.match.Steps[step.At]
		x := Settled{Point: o.base + int64(o.told), Piece: o.piece, Place: o.trace.Points[at.Point].Candidates[at.Candidate]}
		if k > 0 {
			x.Way = o.match.Ways[k-1]
		}
		o.out = append(o.out, x)
		o.anchor = int64(o.states[k])
		o.told++
	}
}

// leave tells of a point that no way leads by.
func (o *Online) leave() {
	reason := Outlier
	switch i := o.told; {
	case len(o.trace.Points[i].Candidates) == 0:
		reason = NoSegment
	case o.m.broken[i]:
		reason = NoWay
	}
	o.out = append(o.out, Settled{Point: o.base + int64(o.told), Reason: reason})
	o.told++
}

// keptPoints is the number of points that are kept although they have been told
// of, as steps may come from them.
const keptPoints = 2 * (maxLeft + maxSkipped)

// forget drops the points that nothing depends on any more, once they are many.
func (o *Online) forget() {
	m := o.m
	drop := o.told - 1
	if o.anchor >= 0 {
		drop = min(drop, int(m.point[o.anchor]))
	}
	for l := (leap{from: m.leaping.last}); l.from >= 0; {
		drop = min(drop, l.from)
		if !m.farther(&o.trace, &l) {
			break
		}
	}
	drop -= keptPoints
	if drop < max(keptPoints, len(o.trace.Points)/2) {
		return
	}
	states := m.first[drop]
	m.lattice.drop(m.memory, drop)
	m.leaping.next -= drop
	if m.leaping.last >= 0 {
		m.leaping.last -= drop
	}
	if m.leaping.breakage >= 0 {
		m.leaping.breakage -= drop
	}
	if o.anchor >= 0 {
		o.anchor -= int64(states)
	}
	if o.front >= 0 {
		o.front -= int64(states)
	}
	o.begin = max(0, o.begin-drop)
	o.told -= drop
	o.base += int64(drop)
	o.candidates = o.candidates[:copy(o.candidates, o.candidates[states:])]
	o.trace.Points = o.trace.Points[:copy(o.trace.Points, o.trace.Points[drop:])]
	o.point()
}
