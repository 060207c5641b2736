package junction

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract/nbg"
)

func checkViews(t *testing.T, w *Worker) {
	g := w.graph
	for n := range nbg.NodeID(len(g.Coords)) {
		if g.Degree(n) == 0 {
			continue
		}
		j := w.At(n)
		require.Len(t, j.Arms, g.Degree(n))
		for i := range j.Arms {
			arm := j.Arms[i]
			for _, b := range []float64{arm.Initial, arm.Perceived} {
				require.True(t, b >= 0 && b <= 360, "bearing %v", b)
			}
			in := g.Edges[arm.Edge].Twin
			view := j.View(in)
			require.NotEmpty(t, view)
			require.True(t, isUTurn(view[0].Angle), "node %d: first angle %v", n, view[0].Angle)
			inView := map[nbg.EdgeID]bool{}
			for k, turn := range view {
				require.True(t, turn.Angle >= 0 && turn.Angle <= 360, "angle %v", turn.Angle)
				require.False(t, inView[turn.Edge])
				inView[turn.Edge] = true
				require.Equal(t, j.Allowed(in, turn.Edge), turn.Allowed)
				right, left, number := Sides(view, k)
				if turn.UTurn() == (k == 0) {
					require.Equal(t, len(view), number)
				}
				want := len(view) - 2
				if k == 0 {
					want++
				}
				require.Equal(t, want, len(right)+len(left))
			}
			for k := range j.Arms {
				if j.Allowed(in, j.Arms[k].Edge) {
					require.False(t, g.Edges[in].Reversed)
					require.True(t, inView[j.Arms[k].Edge], "allowed turn is missing")
				}
			}
		}
	}
}

func TestViewsOfRandomTowns(t *testing.T) {
	for seed := range uint64(200) {
		g, texts, restrictions := randomTown(seed, 6)
		checkViews(t, New(g, texts, []string{"North", "South"}, restrictions).NewWorker())
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	g, texts, restrictions := randomTown(7, 8)
	w := New(g, texts, []string{"North", "South"}, restrictions).NewWorker()
	require.Zero(t, testing.AllocsPerRun(3, func() { analyzeAll(w) }))
}

func BenchmarkAnalyze(b *testing.B) {
	g, texts, restrictions := randomTown(7, 30)
	w := New(g, texts, []string{"North", "South"}, restrictions).NewWorker()
	bench(b, w)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/900, "ns/junction")
}
