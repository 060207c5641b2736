package matching

import (
	"context"
	"math"

	"github.com/fourway-routing/fourway/internal/geo"
)

// maxLeft is the number of points in a row that a way may leave out.
const maxLeft = 3

// leap is where steps to a point come from: the point before, or, where points
// may be left out, one of those before that.
type leap struct {
	from int
	left int     // points left out
	lost float64 // logarithm of their density
}

// leapFrom returns the shortest leap to a point.
func (m *Matcher) leapFrom(to int) leap { return leap{from: int(m.before[to])} }

// farther makes a leap longer by a point, if it may be.
func (m *Matcher) farther(t *Trace, l *leap) bool {
	before := int(m.before[l.from])
	if t.Model.Outlier <= 0 || l.left == maxLeft || before == l.from {
		return false
	}
	l.lost += t.Model.lost(&t.Points[l.from], &t.Points[before])
	l.left++
	l.from = before
	return true
}

// begins lets sequences begin at a point, without those before, if the longest
// leap to it comes from where all sequences begin.
func (m *Matcher) begins(t *Trace, l *leap, to int) {
	if t.Model.Outlier <= 0 || l.left == maxLeft || int(m.before[l.from]) != l.from || m.broken[to] {
		return
	}
	lost := l.lost + t.Model.lost(&t.Points[l.from], &t.Points[to])
	for x := m.first[to]; x < m.first[to+1]; x++ {
		if m.offer(x, x, m.near[x]+lost, 0, 0) {
			m.link[x] = link{}
		}
	}
}

// tooFar puts a leap off if it is too unlikely to matter.
func (m *Matcher) tooFar(t *Trace, l *leap, to int) bool {
	most := math.Inf(-1)
	for s := m.first[l.from]; s < m.first[l.from+1]; s++ {
		most = max(most, m.score[s], m.upper[s])
	}
	most += l.lost + t.Model.differences(geo.Distance(t.Points[l.from].Place, t.Points[to].Place)).top
	floor := m.floor()
	for x := m.first[to]; x < m.first[to+1]; x++ {
		if most+m.near[x] >= floor {
			return false
		}
	}
	for x := m.first[to]; x < m.first[to+1]; x++ {
		m.upper[x] = max(m.upper[x], most+m.near[x])
	}
	return true
}

// leaping is how far a trace has been followed where points may be left out.
type leaping struct {
	next     int // point
	last     int // with a sequence, -1 if there is none
	breakage int // first point since then that no step leads to, -1 if there is none
}

// forwardLeaping is forward where points may be left out. What no step leads to is
// passed by, and takes no point before with it. It goes on where it was, up to the
// last point, and parts the trace for steps that take longer than the given
// seconds. If that is the end of the trace, points that no step leads to are a piece
// of their own, however few they are.
func (m *Matcher) forwardLeaping(ctx context.Context, t *Trace, longest int64, ends bool) error {
	for l := &m.leaping; ; l.next++ {
		i := l.next
		if i == len(t.Points) {
			if !ends || l.breakage < 0 {
				return nil
			}
			m.part(l.breakage)
			continue
		}
		if len(t.Points[i].Candidates) == 0 {
			continue
		}
		if l.last < 0 {
			l.last = m.start(t.Points, i)
			continue
		}
		if t.Model.Bridge || t.Points[i].Time-t.Points[l.last].Time <= longest {
			if err := m.step(ctx, t, l.last, i); err != nil {
				return err
			}
			if m.broken[i] && t.Model.Bridge {
				m.bridged[i] = true
				if err := m.step(ctx, t, l.last, i); err != nil {
					return err
				}
			}
			if !m.broken[i] {
				l.last, l.breakage = i, -1
				continue
			}
			if l.breakage < 0 {
				l.breakage = i
			}
			if i-l.breakage < maxSkipped {
				continue
			}
		}
		split := i
		if l.breakage >= 0 {
			split = l.breakage
		}
		m.part(split)
	}
}

// part begins a new piece at a point, the next one.
func (m *Matcher) part(at int) {
	m.splits = append(m.splits, at)
	m.clear(at)
	m.leaping = leaping{at - 1, -1, -1}
}

// resolveEnds makes all states exact that a piece may end in, or go on from.
func (m *Matcher) resolveEnds(ctx context.Context, t *Trace, last int) error {
	for l := (leap{from: last}); ; {
		for s := m.first[l.from]; s < m.first[l.from+1]; s++ {
			if err := m.resolve(ctx, t, s, math.Inf(-1)); err != nil {
				return err
			}
		}
		if !m.farther(t, &l) {
			return nil
		}
	}
}
