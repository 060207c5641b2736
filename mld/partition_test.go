package mld

import (
	"context"
	"math"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/pool"
)

func TestPartitionReportsProgress(t *testing.T) {
	p := delaware(t)
	last, total, loaded := 0, len(p.network.JunctionPlace), 0
	_, err := Divide(t.Context(), p.network, Options{Workers: 3, Loaded: func() { loaded++ }, Progress: func(done, n int) {
		require.Equal(t, 1, loaded)
		require.Equal(t, total, n)
		require.Greater(t, done, last)
		last = done
	}})
	require.NoError(t, err)
	require.Equal(t, total, last)
}

func TestPartitionOfNothing(t *testing.T) {
	n := &graph.Network{ChainFirst: []uint32{0}, JunctionFirst: []uint32{0}, EdgeFirst: []graph.EdgeID{0}}
	d, err := Divide(t.Context(), n, Options{})
	require.NoError(t, err)
	c, err := Partition(t.Context(), n, Options{})
	require.NoError(t, err)
	require.Zero(t, c.NumLevels())
	require.Equal(t, c.Encode(graph.ID{}).ID(), d.Encode(graph.ID{}).ID())
	o, err := Customize(t.Context(), c, &graph.Expanded{First: n.EdgeFirst}, CustomizeOptions{})
	require.NoError(t, err)
	require.NoError(t, o.Verify())
	s := o.NewSearch(pool.New())
	_, ok, err := s.Shortest(t.Context(), nil, nil)
	require.NoError(t, err)
	require.False(t, ok)
}

func TestPartitionRejectsCellSizes(t *testing.T) {
	n := &graph.Network{ChainFirst: []uint32{0}, JunctionFirst: []uint32{0}, EdgeFirst: []graph.EdgeID{0}}
	for _, sizes := range [][]int{{}, {0}, {5, 5}, {7, 3}} {
		_, err := Partition(t.Context(), n, Options{CellSizes: sizes})
		require.Error(t, err, "%v", sizes)
	}
}

func TestCustomizeRejectsWhatDoesNotFit(t *testing.T) {
	_, g, o, _ := randomCase(t, 3)
	c := o.Cells()
	fresh := func() *graph.Expanded {
		return &graph.Expanded{First: append([]graph.EdgeID(nil), g.First...), Arcs: append([]graph.Arc(nil), g.Arcs...)}
	}
	cases := map[string]func(*graph.Expanded){
		"node more":   func(x *graph.Expanded) { x.First = append(x.First, x.First[len(x.First)-1]) },
		"edge more":   func(x *graph.Expanded) { x.Arcs = append(x.Arcs, x.Arcs[0]) },
		"other head":  func(x *graph.Expanded) { x.Arcs[0].Head ^= 1 },
		"head beyond": func(x *graph.Expanded) { x.Arcs[0].Head = graph.NodeID(g.NumNodes()) },
		"weight":      func(x *graph.Expanded) { x.Arcs[0].Weight = -1 },
		"duration":    func(x *graph.Expanded) { x.Arcs[0].Duration = -1 },
		"other tail":  func(x *graph.Expanded) { x.First[1], x.First[2] = x.First[1]+1, x.First[2]+1 },
		"First":       func(x *graph.Expanded) { x.First[1] = graph.EdgeID(len(x.Arcs)) + 1 },
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			x := fresh()
			change(x)
			_, err := Customize(t.Context(), c, x, CustomizeOptions{})
			require.ErrorIs(t, err, ErrGraph)
		})
	}
	p := delaware(t)
	_, err := Customize(t.Context(), p.overlay.Cells(), p.expanded, CustomizeOptions{Exclude: []graph.Bits{make(graph.Bits, 1)}})
	require.ErrorIs(t, err, ErrGraph)
	_, err = p.overlay.Customize(t.Context(), make(graph.Bits, 1), 1)
	require.ErrorIs(t, err, ErrGraph)
}

// usual returns a node of the large component that is no motorway, one of many.
func (p *prepared) usual(i int) []graph.Seed {
	v := graph.NodeID(i)
	for p.network.NodeComponent[v].Small() || p.exclude[0].Get(uint32(v)) {
		v++
	}
	return []graph.Seed{{Node: v}}
}

// star returns two-way chains that meet at one place, with all turns there.
func star(chains int) (*graph.Network, *graph.Expanded) {
	n := &graph.Network{
		Coords:        []geo.Coord{{}},
		JunctionPlace: []graph.PlaceID{0},
		ChainFirst:    []uint32{0},
		EdgeFirst:     []graph.EdgeID{0},
		Originals:     uint32(2 * chains),
	}
	for i := range graph.PlaceID(chains) {
		angle := float64(i) * 2 * math.Pi / float64(chains)
		n.Coords = append(n.Coords, geo.Coord{Lon: int32(1e6 * math.Cos(angle)), Lat: int32(1e6 * math.Sin(angle))})
		n.JunctionPlace = append(n.JunctionPlace, i+1)
		n.ChainPlaces = append(n.ChainPlaces, 0, i+1)
		n.ChainFirst = append(n.ChainFirst, uint32(2*i+2))
		n.ArmNode = append(n.ArmNode, graph.NodeID(2*i), graph.NodeID(2*i+1))
		n.ArmJunction = append(n.ArmJunction, 0, graph.JunctionID(i+1))
		n.NodeArm = append(n.NodeArm, graph.ArmID(2*i), graph.ArmID(2*i+1))
		n.EdgeHead = append(n.EdgeHead, graph.NodeID(2*i+1)) // turn around at the end
		n.EdgeFirst = append(n.EdgeFirst, graph.EdgeID(len(n.EdgeHead)))
		for j := range graph.PlaceID(chains) {
			if j != i {
				n.EdgeHead = append(n.EdgeHead, graph.NodeID(2*j))
			}
		}
		n.EdgeFirst = append(n.EdgeFirst, graph.EdgeID(len(n.EdgeHead)))
	}
	x := &graph.Expanded{First: n.EdgeFirst}
	for e, head := range n.EdgeHead {
		x.Arcs = append(x.Arcs, graph.Arc{Head: head, Weight: graph.Weight(1 + e*7919%1000), Duration: 1, Distance: 1})
	}
	return n, x
}

func TestPartitionOfCellsThatCannotBeSmallEnough(t *testing.T) {
	n, x := star(40)
	for _, sizes := range [][]int{{1}, {1, 2, 4, 8, 16}, {39, 41, 79}, {8, 100}} {
		c, err := Partition(t.Context(), n, Options{CellSizes: sizes})
		require.NoError(t, err)
		require.Positive(t, c.NumLevels(), "%v", sizes)
		o, err := Customize(t.Context(), c, x, CustomizeOptions{})
		require.NoError(t, err)
		require.NoError(t, o.Verify())
		s := o.NewSearch(pool.New())
		for v := range graph.NodeID(n.NumNodes()) {
			source := []graph.Seed{{Node: v}}
			tree := oracle.Grow(x, nil, source)
			for u := range graph.NodeID(n.NumNodes()) {
				target := []graph.Seed{{Node: u}}
				oracle.CheckShortest(t, x, nil, s, &oracle.Question{Sources: source, Targets: target, Want: tree.To(target)}, "star")
			}
		}
	}
}

// countdown is a context that is done after a number of looks at it.
type countdown struct {
	context.Context
	left atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

func TestEverythingEndsWhenTheContextIsDone(t *testing.T) {
	p := delaware(t)
	s := p.overlay.NewSearch(pool.New())
	all := [][]graph.Seed{p.usual(0), p.usual(50_000), p.usual(100_000)}
	work := map[string]func(ctx context.Context) error{
		"partition": func(ctx context.Context) error {
			_, err := Partition(ctx, p.network, Options{})
			return err
		},
		"customize": func(ctx context.Context) error {
			_, err := Customize(ctx, p.overlay.Cells(), p.expanded, CustomizeOptions{})
			return err
		},
		"shortest": func(ctx context.Context) error {
			_, ok, err := s.Shortest(ctx, all[0], all[1])
			require.False(t, ok)
			require.Empty(t, s.Path(nil))
			return err
		},
		"table": func(ctx context.Context) error {
			return s.Table(ctx, all, all, func(int, []graph.Cell) error { return nil })
		},
		"row": func(ctx context.Context) error {
			return s.Table(ctx, all[:1], all, func(int, []graph.Cell) error { return nil })
		},
		"reach": func(ctx context.Context) error {
			return s.Reach(ctx, all[0], Limit{}, func(graph.NodeID, graph.Cell) error { return nil })
		},
	}
	for name, f := range work {
		t.Run(name, func(t *testing.T) {
			for _, left := range []int64{0, 1} {
				ctx := &countdown{Context: t.Context()}
				ctx.left.Store(left)
				require.ErrorIs(t, f(ctx), context.Canceled)
			}
		})
	}
	_, ok, err := s.Shortest(t.Context(), all[0], all[1])
	require.NoError(t, err)
	require.True(t, ok)
}

// More cliques than those of the overlay's sets.
func TestSearchUsesOtherCliques(t *testing.T) {
	p := delaware(t)
	a, b := p.overlay.NewSearch(pool.New()), p.overlay.NewSearch(pool.New())
	q, err := p.overlay.Customize(t.Context(), p.exclude[0], 2)
	require.NoError(t, err)
	source, target := p.usual(0), p.usual(100_000)
	a.SetExclude(1)
	b.Use(q)
	want, _, err := a.Shortest(t.Context(), source, target)
	require.NoError(t, err)
	got, ok, err := b.Shortest(t.Context(), source, target)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, want, got)
	require.Equal(t, a.Path(nil), b.Path(nil))
}
