package mld

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/pool"
	"github.com/fourway-routing/fourway/profile"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// prepared is a network with all that is made of it.
type prepared struct {
	network  *graph.Network
	expanded *graph.Expanded
	overlay  *Overlay
	exclude  []graph.Bits
}

var delawareOnce struct {
	sync.Once
	prepared
}

// delaware returns the state's roads for cars, without its motorways as set 1.
func delaware(tb testing.TB) *prepared {
	tb.Helper()
	p := &delawareOnce.prepared
	delawareOnce.Do(func() {
		f, err := osmfile.Open(osmdata.Delaware(tb))
		require.NoError(tb, err)
		car, err := profile.ByName("car")
		require.NoError(tb, err)
		r, err := extract.Run(context.Background(), f, car, extract.Options{})
		require.NoError(tb, err)
		p.network, p.expanded = r.Network, graph.Expand(r.Network, r.Metric)
		motorways := graph.MakeBits(p.network.NumNodes())
		for v, arm := range p.network.NodeArm {
			if p.network.Roads[p.network.ArmRoad[arm]].Flags&graph.RoadMotorway != 0 {
				motorways.Set(uint32(v))
			}
		}
		p.exclude = []graph.Bits{motorways}
		cells, err := Partition(context.Background(), p.network, Options{})
		require.NoError(tb, err)
		p.overlay, err = Customize(context.Background(), cells, p.expanded, CustomizeOptions{Exclude: p.exclude})
		require.NoError(tb, err)
	})
	require.NotNil(tb, p.overlay, "Delaware could not be prepared")
	return p
}

// randomSeed returns a place on a random node.
func randomSeed(rng *rand.Rand, g *graph.Expanded, source bool) []graph.Seed {
	for {
		v := graph.NodeID(rng.IntN(g.NumNodes()))
		if first := g.First[v]; first < g.First[v+1] && g.Arcs[first].Weight != graph.InvalidWeight {
			share := g.Arcs[first]
			s := graph.Seed{Node: v, Weight: share.Weight / 2, Duration: share.Duration / 2, Distance: int64(share.Distance / 2)}
			if source {
				s.Weight, s.Duration, s.Distance = -s.Weight, -s.Duration, -s.Distance
			}
			return []graph.Seed{s}
		}
	}
}

// OSRM 26.8 makes 876, 67 and 5 cells with 11 to 16, 26 to 35 and 22 to 26 entries
// and exits each, 154,000, 61,000 and 2,900 weights.
func TestDelawareHasShortBorders(t *testing.T) {
	if testing.Short() {
		t.Skip("partitions Delaware once more")
	}
	p := delaware(t)
	c, err := Partition(t.Context(), p.network, Options{CellSizes: []int{300, 4096, 65536}})
	require.NoError(t, err)
	want := []struct{ cells, entries, exits, weights int }{
		{950, 16, 11, 154_000},
		{70, 35, 26, 61_000},
		{5, 32, 22, 2_900},
	}
	require.Equal(t, len(want), c.NumLevels())
	for i, w := range want {
		s := c.Stats(i + 1)
		t.Logf("level %d: %+v", i+1, s)
		require.LessOrEqual(t, s.Cells, w.cells)
		require.Less(t, s.Entries, w.entries*s.Cells)
		require.Less(t, s.Exits, w.exits*s.Cells)
		require.Less(t, s.Weights, w.weights)
	}
}

func TestDelawareIsTheSameOnAnyNumberOfWorkersAndAnyMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("partitions Delaware twice more")
	}
	p := delaware(t)
	var ids [2]graph.ID
	for i := range ids {
		c, err := Partition(t.Context(), p.network, Options{Workers: i + 1})
		require.NoError(t, err)
		d, err := Divide(t.Context(), p.network, Options{Workers: 2 - i})
		require.NoError(t, err)
		require.Equal(t, d.Encode(graph.ID{}).ID(), c.Encode(graph.ID{}).ID())
		o, err := Customize(t.Context(), c, p.expanded, CustomizeOptions{
			Exclude: p.exclude, Workers: i + 1, Memory: pool.Kind(i) * pool.Dropping,
		})
		require.NoError(t, err)
		ids[i] = o.Encode(graph.ID{}, graph.ID{}).ID()
	}
	require.Equal(t, ids[0], ids[1])
	require.NoError(t, p.overlay.Verify())
}

func TestDelawareCopiesAreWithTheirOriginals(t *testing.T) {
	p := delaware(t)
	c := p.overlay.Cells()
	require.NotEmpty(t, p.network.Copies)
	for _, k := range p.network.Copies {
		require.Equal(t, c.leafOf(c.id[k.Original]), c.leafOf(c.id[k.Copy]))
	}
}

func TestDelawareAgainstOracle(t *testing.T) {
	p := delaware(t)
	rng := rand.New(rand.NewPCG(1, 5))
	s := p.overlay.NewSearch(pool.New())
	trees, climbed := 8, 0
	if testing.Short() {
		trees = 2
	}
	for i := range trees {
		s.SetExclude(i % 2)
		var barred graph.Bits
		if i%2 == 1 {
			barred = p.exclude[0]
		}
		sources := randomSeed(rng, p.expanded, true)
		tree := oracle.Grow(p.expanded, barred, sources)
		for range 100 {
			targets := randomSeed(rng, p.expanded, false)
			oracle.CheckShortest(t, p.expanded, barred, s, &oracle.Question{Sources: sources, Targets: targets, Want: tree.To(targets)}, "delaware")
			climbed += sign(s.climbs[0].top) + sign(s.climbs[1].top)
		}
	}
	require.Greater(t, climbed, 100*trees, "of two ends a pair")
}

func sign(n int) int { return min(1, n) }

func TestDelawareTableIsWhatSearchesFind(t *testing.T) {
	p := delaware(t)
	rng := rand.New(rand.NewPCG(2, 5))
	s, q := p.overlay.NewSearch(pool.New()), p.overlay.NewSearch(pool.New())
	for round, shape := range [][2]int{{12, 12}, {1, 30}, {30, 1}, {3, 20}, {20, 3}} {
		s.SetExclude(round % 2)
		q.SetExclude(round % 2)
		sets := func(n int, source bool) (out [][]graph.Seed) {
			for range n {
				out = append(out, randomSeed(rng, p.expanded, source))
			}
			return out
		}
		sources, targets := sets(shape[0], true), sets(shape[1], false)
		require.NoError(t, s.Table(t.Context(), sources, targets, func(i int, cells []graph.Cell) error {
			for j, cell := range cells {
				f, ok, err := q.Shortest(t.Context(), sources[i], targets[j])
				require.NoError(t, err)
				require.Equal(t, ok, cell.Weight != graph.InvalidWeight)
				if !ok {
					continue
				}
				require.Equal(t, f.Weight, cell.Weight)
				path, err := oracle.CheckPath(p.expanded, nil, sources[i][0], targets[j][0], q.Path(nil))
				require.NoError(t, err)
				require.LessOrEqual(t, int64(cell.Duration), path.Duration)
			}
			return nil
		}))
	}
}

func TestSearchesDoNotAllocate(t *testing.T) {
	p := delaware(t)
	rng := rand.New(rand.NewPCG(3, 5))
	s := p.overlay.NewSearch(pool.New())
	var sources, targets [][]graph.Seed
	for range 30 {
		sources = append(sources, randomSeed(rng, p.expanded, true))
		targets = append(targets, randomSeed(rng, p.expanded, false))
	}
	ctx := t.Context()
	var path []graph.EdgeID
	row := func(int, []graph.Cell) error { return nil }
	visit := func(graph.NodeID, graph.Cell) error { return nil }
	work := map[string]func(){
		"path": func() {
			for i := range sources {
				_, _, _ = s.Shortest(ctx, sources[i], targets[i])
				path = s.Path(path[:0])
			}
		},
		"table":  func() { _ = s.Table(ctx, sources, targets, row) },
		"row":    func() { _ = s.Table(ctx, sources[:1], targets, row) },
		"column": func() { _ = s.Table(ctx, sources, targets[:1], row) },
		"reach":  func() { _ = s.Reach(ctx, sources[0], Limit{Weight: 3000}, visit) },
	}
	for name, f := range work {
		f()
		require.Zero(t, testing.AllocsPerRun(3, f), name)
	}
}
