package matching

import (
	"math"
	"slices"

	"github.com/fourway-routing/fourway/internal/geo"
)

// Fit is what the points of matches tell of their noise, by medians, which no
// outlier moves far.
type Fit struct {
	// Deviation is the standard deviation of a place in meters: 1.4826 times the
	// median distance between a point and its candidate.
	Deviation float64
	// Beta is that of a Model: the median difference between the ways by road and
	// of the crow, over the logarithm of 2.
	Beta float64
	// Points is the number of points that were taken into account.
	Points int
}

// Fit estimates the noise of a trace from what the last Match made of it, as
// Newson and Krumm do from traces whose way is known. The result is zero if there
// are no matches.
func (m *Matcher) Fit(t *Trace, matches []Match) Fit {
	var f Fit
	m.distances, m.excesses = m.distances[:0], m.excesses[:0]
	for i := range matches {
		steps := matches[i].Steps
		for k, s := range steps {
			p := &t.Points[s.Point]
			m.distances = append(m.distances, p.Candidates[s.Candidate].SnapDistance)
			if k > 0 {
				way := m.length[m.first[s.Point]+uint32(s.Candidate)]
				crow := geo.Distance(t.Points[steps[k-1].Point].Place, p.Place)
				m.excesses = append(m.excesses, math.Abs(way-crow))
			}
		}
	}
	f.Points = len(m.distances)
	if f.Points > 0 {
		f.Deviation = 1.4826 * median(m.distances)
		f.Beta = median(m.excesses) / math.Ln2
	}
	return f
}

// median sorts values, of which there is one or more.
func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
