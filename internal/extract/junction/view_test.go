package junction

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
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

// Roads at impossible places must not make the analysis fail.
func TestViewsOfBrokenCoordinates(t *testing.T) {
	for seed := range uint64(60) {
		g, texts, restrictions := randomTown(seed, 6)
		if seed%2 == 1 {
			g, texts, restrictions = splitTown(seed, 5)
		}
		r := rand.New(rand.NewPCG(seed, 3))
		for i := range g.Coords {
			switch r.IntN(8) {
			case 0:
				g.Coords[i] = geo.Coord{Lon: r.Int32() - 1<<30, Lat: r.Int32N(180e6) - 90e6}
			case 1:
				g.Coords[i] = geo.Coord{Lon: 180e6, Lat: -90e6}
			case 2:
				g.Coords[i] = g.Coords[0]
			}
		}
		checkViews(t, New(g, texts, []string{"North", "South"}, restrictions).NewWorker())
	}
}

func TestViewsOfSplitTowns(t *testing.T) {
	for seed := range uint64(100) {
		g, texts, restrictions := splitTown(seed, 6)
		checkViews(t, New(g, texts, []string{"North", "South"}, restrictions).NewWorker())
	}
}

func TestViewOfCrossing(t *testing.T) {
	w := worker(crossing, street(center, north), street(center, east), street(center, south), street(center, west))
	j := w.At(center)
	require.Equal(t, map[nbg.NodeID]float64{south: 0, east: 90, north: 180, west: 270}, angles(w, j.View(w.graph.Find(south, center))))
	require.Equal(t, map[nbg.NodeID]float64{west: 0, south: 90, east: 180, north: 270}, angles(w, j.View(w.graph.Find(west, center))))

	view := j.View(w.graph.Find(south, center))
	right, left, number := Sides(view, 2)
	require.Equal(t, 4, number)
	require.Equal(t, map[nbg.NodeID]float64{east: 90}, angles(w, right))
	require.Equal(t, map[nbg.NodeID]float64{west: 270}, angles(w, left))
	right, left, number = Sides(view, 0)
	require.Equal(t, 4, number)
	require.Empty(t, right)
	require.Len(t, left, 3)
}

// A road that is mapped on the other side of the road one comes from than it is
// perceived stays in its mapped order.
func TestViewKeepsMappedOrder(t *testing.T) {
	view := []Turn{{Angle: 0}, {Angle: 150, key: 90}, {Angle: 100, key: 100}, {Angle: 359.8, key: 110}, {Angle: 20, key: 120}}
	keepOrder(view)
	for i, want := range []float64{0, 150, 150.5, 359.8, 359.9} {
		require.InDelta(t, want, view[i].Angle, 1e-9)
	}
}
