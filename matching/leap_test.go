package matching

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
)

// likeliest returns the score of the likeliest sequence through points that may be
// left out, by trying all.
func (w *world) likeliest(t *Trace, points []int) float64 {
	near := func(i, k int) float64 {
		p := &t.Points[i]
		return gaussian(p.Deviation).at(p.Candidates[k].SnapDistance)
	}
	lost := func(from, to int) (sum float64) { // of the points between, by their places in points
		for i := from + 1; i < to; i++ {
			sum += t.Model.lost(&t.Points[points[i]], &t.Points[points[i-1]])
		}
		return sum
	}
	best := math.Inf(-1)
	var extend func(at, k int, score float64)
	extend = func(at, k int, score float64) {
		if len(points)-1-at <= maxLeft {
			best = max(best, score+lost(at, len(points)))
		}
		from := &t.Points[points[at]]
		for next := at + 1; next < len(points) && next-at-1 <= maxLeft; next++ {
			to := &t.Points[points[next]]
			crow := geo.Distance(from.Place, to.Place)
			for c := range to.Candidates {
				meters := w.meters[from.Candidates[k].Nodes[0]][to.Candidates[c].Nodes[0]]
				if math.IsInf(meters, 1) {
					continue
				}
				step := t.Model.differences(crow).at(math.Abs(meters-crow)) + lost(at, next)
				extend(next, c, score+step+near(points[next], c))
			}
		}
	}
	for first := 0; first < len(points) && first <= maxLeft; first++ {
		before := 0.0
		if first > 0 {
			// What is left out at the beginning has nothing before it but the first step.
			before = lost(0, first) + t.Model.lost(&t.Points[points[0]], &t.Points[points[first]])
		}
		for k := range t.Points[points[first]].Candidates {
			extend(first, k, before+near(points[first], k))
		}
	}
	return best
}

// TestLikeliestLeavingOut holds matches that may leave points out to all sequences
// that there are.
func TestLikeliestLeavingOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	compared, leapt := 0, 0
	for range 3000 {
		w, trace := random(rng, 2+rng.IntN(6))
		trace.Model = Model{Beta: 5 + 20*rng.Float64(), Stretch: 0.2 * rng.Float64(), Outlier: 1 + 2*rng.Float64()}
		m := w.matcher()
		matches, err := m.Match(t.Context(), trace)
		require.NoError(t, err)
		if len(matches) != 1 || len(m.splits) != 1 {
			continue
		}
		var points []int
		for i := range trace.Points {
			if !m.broken[i] {
				points = append(points, i)
			}
		}
		steps := matches[0].Steps
		last := steps[len(steps)-1]
		got := m.score[m.first[last.Point]+uint32(last.Candidate)]
		for l := (leap{from: points[len(points)-1]}); l.from != last.Point; {
			require.True(t, m.farther(&trace, &l))
			if l.from == last.Point {
				got += l.lost
			}
		}
		require.InDelta(t, w.likeliest(&trace, points), got, 1e-9)
		compared++
		if len(steps) < len(points) {
			leapt++
		}
	}
	require.Greater(t, compared, 1000)
	require.Greater(t, leapt, 100)
}

// TestLeavingOut: what fits nothing takes no neighbor along, nor parts the trace.
func TestLeavingOut(t *testing.T) {
	w, trace := line(6)
	trace.Model.Outlier = 4
	trace.Points[2].Candidates[0].SnapDistance = 60
	require.Equal(t, [][]int{{0, 1, 3, 4, 5}}, pieces(t, w, trace))
	trace.Points[0].Candidates[0].SnapDistance = 60
	trace.Points[5].Candidates[0].SnapDistance = 60
	require.Equal(t, [][]int{{1, 3, 4}}, pieces(t, w, trace), "at the ends too")
	m := w.matcher()
	matches, err := m.Match(t.Context(), trace)
	require.NoError(t, err)
	require.Equal(t, []Reason{Outlier, Matched, Outlier, Matched, Matched, Outlier}, m.AppendReasons(nil, &trace, matches))

	// No way leads to it or from it.
	w, trace = line(6)
	trace.Model.Outlier = 4
	for i := range 6 {
		w.meters[i][2], w.meters[2][i] = math.Inf(1), math.Inf(1)
	}
	require.Equal(t, [][]int{{0, 1, 3, 4, 5}}, pieces(t, w, trace))
	m = w.matcher()
	matches, err = m.Match(t.Context(), trace)
	require.NoError(t, err)
	require.Equal(t, NoWay, m.AppendReasons(nil, &trace, matches)[2])
	trace.Model = Model{}
	matches, err = m.Match(t.Context(), trace)
	require.NoError(t, err)
	require.Equal(t, []Reason{Matched, Beside, NoWay, Matched, Matched, Matched}, m.AppendReasons(nil, &trace, matches))
}

// TestBridge: no way is too long, and no time.
func TestBridge(t *testing.T) {
	w, trace := line(6)
	for i := range 3 {
		for j := 3; j < 6; j++ {
			w.meters[i][j] = 5000
		}
	}
	require.Equal(t, [][]int{{0, 1, 2}, {3, 4, 5}}, pieces(t, w, trace))
	trace.Model.Bridge = true
	require.Equal(t, [][]int{{0, 1, 2, 3, 4, 5}}, pieces(t, w, trace))
	trace.Model.Outlier = 4
	require.Equal(t, [][]int{{0, 1, 2, 3, 4, 5}}, pieces(t, w, trace))
	for i := range 3 {
		for j := 3; j < 6; j++ {
			w.meters[i][j] = math.Inf(1)
		}
	}
	require.Equal(t, [][]int{{0, 1, 2}, {3, 4, 5}}, pieces(t, w, trace), "none is")
}

// TestPace: a way for which there was no time gives way to a worse one.
func TestPace(t *testing.T) {
	w, trace := line(3)
	trace.Timed, trace.MaxSpeed = true, 50
	for i := range trace.Points {
		trace.Points[i].Time = int64(5 * i)
	}
	// A second candidate of the point in the middle, farther away, with as long a way.
	for i := range w.meters {
		w.meters[i] = append(w.meters[i], w.meters[i][1])
	}
	w.meters = append(w.meters, w.meters[1])
	trace.Points[1].Candidates = append(trace.Points[1].Candidates, spot(3, 6))
	w.slow = map[[2]int]int{{0, 1}: 300}
	chosen := func() int {
		matches, err := w.matcher().Match(t.Context(), trace)
		require.NoError(t, err)
		return matches[0].Steps[1].Candidate
	}
	require.Equal(t, 0, chosen())
	trace.Model.Pace = true
	require.Equal(t, 1, chosen())
}

func TestFit(t *testing.T) {
	w, trace := line(5)
	m := w.matcher()
	for i, d := range []float64{2, 4, 1, 3, 14} {
		trace.Points[i].Candidates[0].SnapDistance = d
	}
	w.meters[1][2] = 57
	w.meters[2][3] = 53
	w.meters[3][4] = 59
	matches, err := m.Match(t.Context(), trace)
	require.NoError(t, err)
	f := m.Fit(&trace, matches)
	require.Equal(t, 5, f.Points)
	require.InDelta(t, 1.4826*3, f.Deviation, 1e-9)
	require.InDelta(t, 5/math.Ln2, f.Beta, 0.05, "between 3 and 7")
	require.Zero(t, m.Fit(&trace, nil))
}
