package matching

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/pool"
)

// world is a network in which the way from one node to another has any length.
type world struct {
	meters [][]float64    // Inf for no way
	rows   []int          // order of rows, nil for theirs
	slow   map[[2]int]int // tenths of a second that ways take, 0 elsewhere
	cells  []graph.Cell
}

func (w *world) Table(ctx context.Context, sources, targets [][]graph.Seed, row func(int, []graph.Cell) error) error {
	for k := range sources {
		i := k
		if w.rows != nil {
			i = len(sources) - 1 - k
		}
		w.cells = append(w.cells[:0], make([]graph.Cell, len(targets))...)
		cells := w.cells
		for j := range targets {
			cells[j] = graph.Cell{Weight: graph.InvalidWeight}
			if len(sources[i]) == 0 || len(targets[j]) == 0 {
				continue
			}
			if m := w.meters[sources[i][0].Node][targets[j][0].Node]; !math.IsInf(m, 1) {
				late := w.slow[[2]int{int(sources[i][0].Node), int(targets[j][0].Node)}]
				cells[j] = graph.Cell{Weight: graph.Weight(m), Duration: graph.Duration(late), Distance: graph.Distance(m * 100)}
			}
		}
		if err := row(i, cells); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) matcher() *Matcher { return New(&graph.Network{}, nil, w, pool.New()) }

// spot is a candidate at a node.
func spot(node int, distance float64) graph.Phantom {
	return graph.Phantom{
		Nodes: [2]graph.NodeID{graph.NodeID(node), graph.InvalidNode}, SnapDistance: distance,
		Source: [2]bool{true, false}, Target: [2]bool{true, false}, Chain: graph.ChainID(node),
	}
}

// east returns a place so many meters east of the origin.
func east(meters float64) geo.Coord { return geo.FromLonLat(meters/111319.49, 0) }

// random makes a trace of points with up to three candidates each.
func random(rng *rand.Rand, count int) (*world, Trace) {
	t := Trace{WeightPerSecond: 1e6}
	nodes := 0
	for i := range count {
		p := Point{Place: east(float64(i) * 50), Deviation: DefaultDeviation, Time: int64(i * 5)}
		for range rng.IntN(4) {
			p.Candidates = append(p.Candidates, spot(nodes, rng.Float64()*15))
			nodes++
		}
		t.Points = append(t.Points, p)
	}
	w := &world{}
	for range nodes {
		row := make([]float64, nodes)
		for j := range row {
			row[j] = math.Round(rng.Float64() * 200)
			if rng.IntN(4) == 0 {
				row[j] = math.Inf(1)
			}
		}
		w.meters = append(w.meters, row)
	}
	return w, t
}

// score returns the likelihood of a sequence of candidates, and false if it is
// impossible.
func (w *world) score(t *Trace, steps []Step) (float64, bool) {
	sum := 0.0
	for k, s := range steps {
		p := &t.Points[s.Point]
		c := &p.Candidates[s.Candidate]
		sum += -0.5*math.Log(2*math.Pi) - math.Log(p.Deviation) - c.SnapDistance*c.SnapDistance/(2*p.Deviation*p.Deviation)
		if k == 0 {
			continue
		}
		before := &t.Points[steps[k-1].Point]
		from := &before.Candidates[steps[k-1].Candidate]
		meters := w.meters[from.Nodes[0]][c.Nodes[0]]
		if math.IsInf(meters, 1) {
			return 0, false
		}
		sum += -math.Log(10) - math.Abs(meters-geo.Distance(before.Place, p.Place))/10
	}
	return sum, true
}

// TestLikeliest holds matches to all sequences of candidates that there are.
func TestLikeliest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	matched, several := 0, 0
	for range 2000 {
		w, trace := random(rng, 2+rng.IntN(5))
		m := w.matcher()
		matches, err := m.Match(t.Context(), trace)
		require.NoError(t, err)
		last := -1
		for _, match := range matches {
			require.GreaterOrEqual(t, len(match.Steps), 2)
			require.True(t, match.Confidence >= 0 && match.Confidence <= 1)
			got, ok := w.score(&trace, match.Steps)
			require.True(t, ok)
			best := math.Inf(-1)
			var extend func(k int, steps []Step)
			extend = func(k int, steps []Step) {
				if k == len(match.Steps) {
					if s, ok := w.score(&trace, steps); ok {
						best = max(best, s)
					}
					return
				}
				for c := range trace.Points[match.Steps[k].Point].Candidates {
					extend(k+1, append(steps[:k:k], Step{Point: match.Steps[k].Point, Candidate: c}))
				}
			}
			extend(0, nil)
			require.InDelta(t, best, got, 1e-9)
			for _, s := range match.Steps {
				require.Greater(t, s.Point, last)
				require.Less(t, s.Alternatives, len(trace.Points[s.Point].Candidates))
				last = s.Point
			}
			matched++
		}
		if len(matches) > 1 {
			several++
		}
		// Nothing depends on the order of rows, nor on what came before.
		w.rows = []int{}
		again, err := m.Match(t.Context(), trace)
		require.NoError(t, err)
		require.Equal(t, matches, again)
	}
	require.Greater(t, matched, 1000)
	require.Positive(t, several)
}

// line is a world in which the way between nodes is that of the crow, node i
// being 50 i meters east.
func line(count int) (*world, Trace) {
	w := &world{}
	t := Trace{WeightPerSecond: 1e6}
	for i := range count {
		row := make([]float64, count)
		for j := range row {
			row[j] = math.Abs(float64(i-j)) * 50
		}
		w.meters = append(w.meters, row)
		t.Points = append(t.Points, Point{
			Place: east(float64(i) * 50), Deviation: DefaultDeviation, Candidates: []graph.Phantom{spot(i, 1)},
		})
	}
	return w, t
}

// pieces returns the points of each match.
func pieces(t *testing.T, w *world, trace Trace) [][]int {
	t.Helper()
	matches, err := w.matcher().Match(t.Context(), trace)
	require.NoError(t, err)
	out := [][]int{}
	for _, m := range matches {
		var points []int
		for _, s := range m.Steps {
			points = append(points, s.Point)
		}
		out = append(out, points)
	}
	return out
}

func TestPieces(t *testing.T) {
	w, trace := line(6)
	require.Equal(t, [][]int{{0, 1, 2, 3, 4, 5}}, pieces(t, w, trace))

	matches, err := w.matcher().Match(t.Context(), trace)
	require.NoError(t, err)
	require.Greater(t, matches[0].Confidence, 0.9)

	// A point without candidates takes the one before with it.
	trace.Points[3].Candidates = nil
	require.Equal(t, [][]int{{0, 1, 4, 5}}, pieces(t, w, trace))

	// No way from the first half to the second parts the trace.
	w, trace = line(6)
	for i := range 3 {
		for j := 3; j < 6; j++ {
			w.meters[i][j] = math.Inf(1)
		}
	}
	require.Equal(t, [][]int{{0, 1, 2}, {3, 4, 5}}, pieces(t, w, trace))

	// So do eleven points without a road.
	w, trace = line(16)
	for i := 2; i < 13; i++ {
		trace.Points[i].Candidates = nil
	}
	require.Equal(t, [][]int{{0, 1}, {13, 14, 15}}, pieces(t, w, trace))

	require.Empty(t, pieces(t, w, Trace{Points: trace.Points[:1]}))
	require.Empty(t, pieces(t, w, Trace{Points: trace.Points[2:6]}))
	require.Empty(t, pieces(t, w, Trace{}))
}

func TestTimes(t *testing.T) {
	w, trace := line(6)
	trace.Timed, trace.MaxSpeed = true, 50
	for i, at := range []int64{0, 10, 20, 30, 131, 141} {
		trace.Points[i].Time = at
	}
	require.Equal(t, [][]int{{0, 1, 2, 3}, {4, 5}}, pieces(t, w, trace), "a step of more than ten times the median")
	trace.Points[4].Time = 130
	require.Equal(t, [][]int{{0, 1, 2, 3, 4, 5}}, pieces(t, w, trace))
	trace.Points[4].Time, trace.Whole = 131, true
	require.Equal(t, [][]int{{0, 1, 2, 3, 4, 5}}, pieces(t, w, trace))

	// The way is 450 m longer than that of the crow: 10 s times 50 m/s are more.
	w.meters[1][2] = 500
	require.Equal(t, [][]int{{0, 1, 2, 3, 4, 5}}, pieces(t, w, trace))
	trace.MaxSpeed = 40
	require.NotEqual(t, [][]int{{0, 1, 2, 3, 4, 5}}, pieces(t, w, trace))
	// Too much weight is no way either: (50+500)/4 s.
	trace.MaxSpeed, trace.WeightPerSecond = 50, 1
	require.NotEqual(t, [][]int{{0, 1, 2, 3, 4, 5}}, pieces(t, w, trace))
	trace.WeightPerSecond = 10
	require.Equal(t, [][]int{{0, 1, 2, 3, 4, 5}}, pieces(t, w, trace))
}

func TestAlternatives(t *testing.T) {
	w, trace := line(4)
	// A second candidate of point 2 beside the first, of point 0 without a way.
	w.meters = append(w.meters, []float64{math.Inf(1), math.Inf(1), math.Inf(1), 60, 0, 0})
	w.meters = append(w.meters, []float64{math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1), 0, 0})
	for i := range 4 {
		w.meters[i] = append(w.meters[i], math.Inf(1), math.Inf(1))
	}
	w.meters[1][4] = 60
	trace.Points[2].Candidates = append(trace.Points[2].Candidates, spot(4, 3))
	trace.Points[0].Candidates = append(trace.Points[0].Candidates, spot(5, 3))
	trace.Points[3].Candidates = append(trace.Points[3].Candidates, spot(4, 5))
	matches, err := w.matcher().Match(t.Context(), trace)
	require.NoError(t, err)
	require.Equal(t, []Step{{0, 0, 0, 0}, {1, 0, 1, 0}, {2, 0, 2, 1}, {3, 0, 3, 1}}, matches[0].Steps)
}

func TestConfidence(t *testing.T) {
	require.Zero(t, Confidence(0, 0))
	require.Zero(t, Confidence(10, 0))
	require.Zero(t, Confidence(0, 10))
	same := Confidence(1000, 1006)
	require.InDelta(t, 0.984, same, 0.005)
	require.Greater(t, same, Confidence(1000, 1050))
	require.Less(t, Confidence(1000, 1300), 0.01)
	require.Less(t, Confidence(1000, 700), 0.01)
}

func TestDone(t *testing.T) {
	w, trace := line(50)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := w.matcher().Match(ctx, trace)
	require.ErrorIs(t, err, context.Canceled)
}

// TestMemory: a second trace takes nothing but the answer from the Go heap.
func TestMemory(t *testing.T) {
	memory := pool.New()
	w, trace := line(40)
	m := New(&graph.Network{}, nil, w, memory)
	_, err := m.Match(t.Context(), trace)
	require.NoError(t, err)
	held := memory.Held()
	for range 10 {
		_, err = m.Match(t.Context(), trace)
		require.NoError(t, err)
	}
	require.Equal(t, held, memory.Held())
	steps := testing.AllocsPerRun(10, func() { _, _ = m.Match(t.Context(), trace) })
	require.LessOrEqual(t, steps, 3.0, "the match, its steps and ways")
	m.Free()
	require.Zero(t, memory.Live())
	_, err = m.Match(t.Context(), trace)
	require.NoError(t, err)
}

func BenchmarkMatch(b *testing.B) {
	w, trace := line(100)
	m := w.matcher()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Match(b.Context(), trace); err != nil {
			b.Fatal(err)
		}
	}
}
