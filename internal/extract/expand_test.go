package extract

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/profile"
)

// expanded runs all stages but the last on a made-up city.
func expanded(tb testing.TB, nodes int) (*extraction, *chains, *expander) {
	tb.Helper()
	var b bytes.Buffer
	require.NoError(tb, testmap.City(&b, nodes, 1))
	f, err := osmfile.OpenReaderAt(bytes.NewReader(b.Bytes()), int64(b.Len()), "city")
	require.NoError(tb, err)
	car, err := profile.ByName("car")
	require.NoError(tb, err)
	x := &extraction{file: f, profile: car, props: car.Properties(), opts: Options{Workers: 1}}
	require.NoError(tb, x.readWays(tb.Context()))
	require.NoError(tb, x.readNodes(tb.Context()))
	segs, err := x.cutWays()
	require.NoError(tb, err)
	x.obstacles = x.placeObstacles()
	roads := x.newRoadGraph(&segs)
	require.NoError(tb, x.compress(roads))
	c, err := x.newChains(roads)
	require.NoError(tb, err)
	e, err := x.expand(tb.Context(), c)
	require.NoError(tb, err)
	return x, c, e
}

// What chains sum up to is what their segments say.
func TestChainsSumUp(t *testing.T) {
	_, c, _ := expanded(t, 20000)
	for i := range c.graph.Edges {
		edge := &c.graph.Edges[i]
		if edge.Reversed {
			continue
		}
		dir, id := edge.Arm&1, edge.Arm.Chain()
		var weight graph.Weight
		var duration graph.Duration
		for s := c.first[id]; s+1 < c.first[id+1]; s++ {
			weight += c.weight[dir][s]
			duration += c.duration[dir][s]
		}
		require.Equal(t, weight, edge.Weight)
		require.Equal(t, duration, edge.Duration)
		require.Equal(t, c.graph.Edges[edge.Twin].Arm, edge.Arm.Twin())
	}
}

func TestExpandAllocatesNothing(t *testing.T) {
	_, c, e := expanded(t, 5000)
	w, out := &e.workers[0], &expansion{}
	all := func() {
		out.turns, out.arms, out.junctions, out.conditions = out.turns[:0], out.arms[:0], out.junctions[:0], out.conditions[:0]
		for p := range graph.PlaceID(len(c.graph.First) - 1) {
			if err := w.expand(out, p); err != nil {
				t.Fatal(err)
			}
		}
	}
	all()
	require.NotEmpty(t, out.turns)
	require.Zero(t, testing.AllocsPerRun(2, all))
}

func BenchmarkExpand(b *testing.B) {
	_, c, e := expanded(b, 20000)
	w, out := &e.workers[0], &expansion{}
	b.ReportAllocs()
	for b.Loop() {
		out.turns, out.arms, out.junctions, out.conditions = out.turns[:0], out.arms[:0], out.junctions[:0], out.conditions[:0]
		for p := range graph.PlaceID(len(c.graph.First) - 1) {
			if err := w.expand(out, p); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(out.turns)), "ns/turn")
}
