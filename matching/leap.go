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

// forwardLeaping is forward where points may be left out. What no step leads to is
// passed by, and takes no point before with it.
func (m *Matcher) forwardLeaping(ctx context.Context, t *Trace, start int) error {
	longest := m.longest(t)
	m.splits = m.splits[:0]
	last, breakage := start, -1
	for i := start + 1; i < len(t.Points); i++ {
		if len(t.Points[i].Candidates) == 0 {
			continue
		}
		if t.Model.Bridge || t.Points[i].Time-t.Points[last].Time <= longest {
			if err := m.step(ctx, t, last, i); err != nil {
				return err
			}
			if m.broken[i] && t.Model.Bridge {
				m.bridged[i] = true
				if err := m.step(ctx, t, last, i); err != nil {
					return err
				}
			}
			if !m.broken[i] {
				last, breakage = i, -1
				continue
			}
			if breakage < 0 {
				breakage = i
			}
			if i-breakage < maxSkipped {
				continue
			}
		}
		split := i
		if breakage >= 0 {
			split, breakage = breakage, -1
		}
		m.splits = append(m.splits, split)
		m.clear(split)
		if last = m.start(t.Points, split); last < 0 {
			return nil
		}
		i = last
	}
	m.splits = append(m.splits, last+1)
	return nil
}
