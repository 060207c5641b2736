package turns_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/junction"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/extract/turns"
	"github.com/fourway-routing/fourway/internal/geo"
)

// randomTown is a graph of streets between neighbors of a grid, with random
// ranks, names, lanes, one-way roads and roundabouts.
func randomTown(seed uint64, size int) (*nbg.Graph, *graph.Strings) {
	r := rand.New(rand.NewPCG(seed, 1))
	g := &nbg.Graph{
		ChainFirst:       []uint32{0},
		LaneDescriptions: [][]graph.LaneMask{nil, nil, {graph.LaneLeft, graph.LaneStraight, graph.LaneRight}, {graph.LaneNone, graph.LaneRight}, {graph.LaneUTurn | graph.LaneLeft, graph.LaneStraight}},
	}
	texts := &graph.Strings{First: []uint32{0, 0}}
	g.Labels = []nbg.Label{{}}
	for _, name := range []string{"Mill Lane", "Mill Lane North", "Dale Road"} {
		texts.Data = append(texts.Data, name...)
		texts.First = append(texts.First, uint32(len(texts.Data)))
		g.Labels = append(g.Labels, nbg.Label{Name: graph.StringID(len(texts.First) - 2)})
	}
	for i := range size * size {
		g.Coords = append(g.Coords, geo.Coord{
			Lon: int32(1e6 + 500*float64(i%size) + 400*r.Float64()),
			Lat: int32(1e6 + 500*float64(i/size) + 400*r.Float64()),
		})
	}
	type link struct{ from, to nbg.NodeID }
	var links []link
	for y := range size {
		for x := range size {
			at := nbg.NodeID(y*size + x)
			for _, step := range [][2]int{{1, 0}, {0, 1}, {1, 1}} {
				if x+step[0] < size && y+step[1] < size && r.IntN(5) > 0 {
					links = append(links, link{at, at + nbg.NodeID(step[1]*size+step[0])})
				}
			}
		}
	}
	out := make([][]nbg.Edge, size*size)
	for _, l := range links {
		chain := graph.ChainID(len(g.ChainFirst) - 1)
		g.ChainPlaces = append(g.ChainPlaces, l.from, l.to)
		g.ChainFirst = append(g.ChainFirst, uint32(len(g.ChainPlaces)))
		e := nbg.Edge{
			Head: l.to, Arm: graph.ArmID(chain) << 1, Duration: 10, Names: uint32(r.IntN(len(g.Labels))), Lanes: uint32(r.IntN(5)),
			Mode: graph.ModeDriving, Roundabout: r.IntN(6) == 0,
			Class: nbg.RoadClass{Motorway: r.IntN(4) == 0, Link: r.IntN(4) == 0, MayBeIgnored: r.IntN(5) == 0, Lanes: uint8(r.IntN(4)), Priority: uint8(r.IntN(20))},
		}
		b := e
		b.Head, b.Arm, b.Reversed = l.from, e.Arm|1, r.IntN(3) == 0
		out[l.from], out[l.to] = append(out[l.from], e), append(out[l.to], b)
	}
	g.First = []nbg.EdgeID{0}
	for _, list := range out {
		g.Edges = append(g.Edges, list...)
		g.First = append(g.First, nbg.EdgeID(len(g.Edges)))
	}
	for n := range nbg.NodeID(len(g.Coords)) {
		// In ascending order of heads, and with their twins.
		list := g.Edges[g.First[n]:g.First[n+1]]
		for i := range list {
			for k := i; k > 0 && list[k].Head < list[k-1].Head; k-- {
				list[k], list[k-1] = list[k-1], list[k]
			}
		}
	}
	for n := range nbg.NodeID(len(g.Coords)) {
		for e := g.First[n]; e < g.First[n+1]; e++ {
			g.Edges[e].Twin = g.Find(g.Edges[e].Head, n)
		}
	}
	return g, texts
}

func describeAll(g *nbg.Graph, j *junction.Worker, w *turns.Worker, see func(via nbg.EdgeID, roads []turns.Road)) {
	for n := range nbg.NodeID(len(g.Coords)) {
		if g.Degree(n) == 0 {
			continue
		}
		at := j.At(n)
		for e := g.First[n]; e < g.First[n+1]; e++ {
			if in := g.Edges[e].Twin; !g.Edges[in].Reversed {
				see(in, w.Describe(in, at.View(in)))
			}
		}
	}
}

func TestRandomTowns(t *testing.T) {
	for seed := range uint64(150) {
		g, texts := randomTown(seed, 7)
		j := junction.New(g, texts, []string{"North"}, nil).NewWorker()
		w := turns.NewWorker(g, j)
		var first, second bytes.Buffer
		describeAll(g, j, w, func(via nbg.EdgeID, roads []turns.Road) {
			for i := range roads {
				r := &roads[i]
				if r.Allowed {
					require.NotEqual(t, graph.TurnInvalid, r.Instruction.Type(), "seed %d: road %d of edge %d", seed, i, via)
				}
				require.True(t, r.Lanes.Count == 0 || r.Allowed)
				fmt.Fprintln(&first, via, r.Edge, r.Instruction, r.Lanes)
			}
		})
		// What was asked before does not matter.
		fresh := junction.New(g, texts, []string{"North"}, nil).NewWorker()
		describeAll(g, fresh, turns.NewWorker(g, fresh), func(via nbg.EdgeID, roads []turns.Road) {
			for i := range roads {
				fmt.Fprintln(&second, via, roads[i].Edge, roads[i].Instruction, roads[i].Lanes)
			}
		})
		require.Equal(t, first.String(), second.String())
	}
}

func TestDescribingDoesNotAllocate(t *testing.T) {
	g, texts := randomTown(3, 8)
	j := junction.New(g, texts, nil, nil).NewWorker()
	w := turns.NewWorker(g, j)
	none := func(nbg.EdgeID, []turns.Road) {}
	require.Zero(t, testing.AllocsPerRun(3, func() { describeAll(g, j, w, none) }))
}

func BenchmarkDescribe(b *testing.B) {
	g, texts := randomTown(3, 30)
	j := junction.New(g, texts, nil, nil).NewWorker()
	w := turns.NewWorker(g, j)
	views := 0
	for b.Loop() {
		describeAll(g, j, w, func(nbg.EdgeID, []turns.Road) { views++ })
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(views), "ns/view")
}
