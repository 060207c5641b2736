package mld

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/pool"
)

// streets are two-way streets between places, by their coordinates.
type streets [][2]geo.Coord

// lattice returns the streets of a grid.
func lattice(side int32, from geo.Coord, step int32) (s streets) {
	for y := range side {
		for x := range side {
			at := geo.Coord{Lon: from.Lon + x*step, Lat: from.Lat + y*step}
			if x > 0 {
				s = append(s, [2]geo.Coord{{Lon: at.Lon - step, Lat: at.Lat}, at})
			}
			if y > 0 {
				s = append(s, [2]geo.Coord{{Lon: at.Lon, Lat: at.Lat - step}, at})
			}
		}
	}
	return s
}

// network makes the streets' network, with all turns, and its graph.
func (s streets) network() (*graph.Network, *graph.Expanded) {
	n := &graph.Network{ChainFirst: []uint32{0}, EdgeFirst: []graph.EdgeID{0}, Originals: uint32(2 * len(s))}
	junctions := map[geo.Coord]graph.JunctionID{}
	junction := func(c geo.Coord) graph.JunctionID {
		j, ok := junctions[c]
		if !ok {
			j = graph.JunctionID(len(n.Coords))
			junctions[c] = j
			n.Coords = append(n.Coords, c)
			n.JunctionPlace = append(n.JunctionPlace, graph.PlaceID(j))
		}
		return j
	}
	leaving := map[graph.JunctionID][]graph.NodeID{}
	for i, street := range s {
		a, b := junction(street[0]), junction(street[1])
		n.ChainPlaces = append(n.ChainPlaces, graph.PlaceID(a), graph.PlaceID(b))
		n.ChainFirst = append(n.ChainFirst, uint32(2*i+2))
		n.ArmJunction = append(n.ArmJunction, a, b)
		n.ArmNode = append(n.ArmNode, graph.NodeID(2*i), graph.NodeID(2*i+1))
		n.NodeArm = append(n.NodeArm, graph.ArmID(2*i), graph.ArmID(2*i+1))
		leaving[a] = append(leaving[a], graph.NodeID(2*i))
		leaving[b] = append(leaving[b], graph.NodeID(2*i+1))
	}
	x := &graph.Expanded{}
	for v := range n.NodeArm {
		n.EdgeHead = append(n.EdgeHead, leaving[n.ArmJunction[v^1]]...)
		n.EdgeFirst = append(n.EdgeFirst, graph.EdgeID(len(n.EdgeHead)))
	}
	x.First = n.EdgeFirst
	for e, head := range n.EdgeHead {
		x.Arcs = append(x.Arcs, graph.Arc{Head: head, Weight: graph.Weight(1 + e*7919%1000), Duration: 1, Distance: 1})
	}
	return n, x
}

// relation tells which nodes of some streets those of others are.
func relation(before, after streets) (of []graph.NodeID) {
	at := map[[2]geo.Coord]int{}
	for i, street := range before {
		at[street] = i
	}
	for _, street := range after {
		if i, ok := at[street]; ok {
			of = append(of, graph.NodeID(2*i), graph.NodeID(2*i+1))
		} else {
			of = append(of, graph.InvalidNode, graph.InvalidNode)
		}
	}
	return of
}

var testSizes = []int{40, 160, 640}

func TestPartitionLike(t *testing.T) {
	const side, step = 40, 1000
	rng := rand.New(rand.NewPCG(1, 1))
	before := lattice(side, geo.Coord{}, step)
	shuffled := slices.Clone(before)
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	far := func(n int) (s streets) {
		for range n {
			a, b := before[rng.IntN(len(before))][0], before[rng.IntN(len(before))][0]
			if a != b {
				s = append(s, [2]geo.Coord{a, b})
			}
		}
		return s
	}
	town := lattice(9, geo.Coord{Lon: 2 * step, Lat: 3 * step}, step/4)
	bridges := streets{}
	for i := range int32(9) {
		bridges = append(bridges, [2]geo.Coord{{Lon: 3 * step, Lat: (10 + i) * step}, {Lon: 19 * step, Lat: (10 + i) * step}})
	}
	for name, c := range map[string]struct {
		after       streets
		recut, anew bool
		atMost      int // cells recut at most
	}{
		"the same":           {after: before},
		"in another order":   {after: shuffled},
		"streets are gone":   {after: shuffled[:len(shuffled)*9/10]},
		"a few are new":      {after: slices.Concat(shuffled[:len(shuffled)*19/20], far(3))},
		"a new town":         {after: slices.Concat(before, town), recut: true, atMost: 4},
		"bridges":            {after: slices.Concat(before, bridges), recut: true, atMost: 5},
		"bridges everywhere": {after: slices.Concat(before, far(200)), anew: true},
		"most are new":       {after: slices.Concat(before[:300], lattice(side, geo.Coord{Lon: 7}, step)), anew: true},
		"an island besides":  {after: slices.Concat(before, lattice(3, geo.Coord{Lon: 1e6}, step)), recut: true, atMost: 1},
	} {
		t.Run(name, func(t *testing.T) {
			old, _ := before.network()
			cells, err := Partition(t.Context(), old, Options{CellSizes: testSizes})
			require.NoError(t, err)
			var kept [2][]byte
			n, x := c.after.network()
			e := Earlier{Network: old, Cells: cells, Of: relation(before, c.after)}
			o := Options{CellSizes: testSizes, Workers: 1}
			got, report, err := PartitionLike(t.Context(), n, e, o)
			require.NoError(t, err)
			t.Logf("%+v", report)
			require.Equal(t, c.anew, report.Anew != "", "%+v", report)
			require.Equal(t, c.recut, report.Recut > 0 && !c.anew, "%+v", report)
			if !c.anew {
				require.LessOrEqual(t, report.Recut, c.atMost)
				s, counts := got.nested()
				require.NoError(t, s.check(counts))
				h := &heir{parent: s.parent, counts: counts}
				for l, sizes := range h.sizes(s.leaf) {
					// A street at a border belongs to either side, so that a few more are
					// in a cell than its junctions promise.
					require.LessOrEqual(t, slices.Max(sizes), testSizes[l]*5/4, "level %d", l+1)
				}
			}
			kept[0] = encodedCells(t, got)
			o.Workers = 3
			division, again, err := DivideLike(t.Context(), n, e, o)
			require.NoError(t, err)
			require.Equal(t, report.Anew, again.Anew)
			require.Equal(t, got.Encode(graph.ID{}).ID(), division.Encode(graph.ID{}).ID())
			overlay, err := Customize(t.Context(), got, x, CustomizeOptions{})
			require.NoError(t, err)
			require.NoError(t, overlay.Verify())
			s := overlay.NewSearch(pool.New())
			for range 30 {
				sources, targets := oracle.RandomSeeds(rng, x, true), oracle.RandomSeeds(rng, x, false)
				q := oracle.Question{Sources: sources, Targets: targets, Want: oracle.Grow(x, nil, sources).To(targets)}
				oracle.CheckShortest(t, x, nil, s, &q, fmt.Sprint(name))
			}
			s.Release()
			kept[1] = encodedCells(t, cells)
			whole, err := Partition(t.Context(), old, Options{CellSizes: testSizes})
			require.NoError(t, err)
			require.Equal(t, encodedCells(t, whole), kept[1], "the earlier cells are as they were")
		})
	}
}

func TestPartitionLikeFaults(t *testing.T) {
	s := lattice(24, geo.Coord{}, 1000)
	n, _ := s.network()
	cells, err := Partition(t.Context(), n, Options{CellSizes: testSizes})
	require.NoError(t, err)
	_, _, err = PartitionLike(t.Context(), n, Earlier{Network: n, Cells: cells}, Options{})
	require.ErrorIs(t, err, ErrGraph)
	small, _ := lattice(3, geo.Coord{}, 1000).network()
	_, _, err = PartitionLike(t.Context(), n, Earlier{Network: small, Cells: cells, Of: relation(s, s)}, Options{})
	require.ErrorIs(t, err, ErrGraph)
	after := slices.Concat(s, lattice(9, geo.Coord{Lon: 2000, Lat: 3000}, 250))
	grown, _ := after.network()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = PartitionLike(ctx, grown, Earlier{Network: n, Cells: cells, Of: relation(s, after)}, Options{})
	require.ErrorIs(t, err, context.Canceled)
	// One without cells is no help.
	none, err := Partition(t.Context(), small, Options{})
	require.NoError(t, err)
	_, report, err := PartitionLike(t.Context(), n, Earlier{Network: small, Cells: none, Of: relation(lattice(3, geo.Coord{}, 1000), s)}, Options{CellSizes: testSizes})
	require.NoError(t, err)
	require.NotEmpty(t, report.Anew)
}
