package ch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/pool"
)

// randomShape returns the numbers of sources and targets of a table.
func randomShape(rng *rand.Rand) (sources, targets int) {
	switch rng.IntN(4) {
	case 0:
		return 1, rng.IntN(30)
	case 1:
		return rng.IntN(30), 1
	case 2:
		return 1 + rng.IntN(3), 1 + rng.IntN(12)
	default:
		return 1 + rng.IntN(12), 1 + rng.IntN(6)
	}
}

// randomSets returns sets of seeds, some of them equal, some empty.
func randomSets(rng *rand.Rand, g *graph.Expanded, n int, source bool) [][]graph.Seed {
	sets := make([][]graph.Seed, n)
	for i := range sets {
		switch {
		case rng.IntN(20) == 0:
		case i > 0 && rng.IntN(6) == 0:
			sets[i] = sets[rng.IntN(i)]
		default:
			sets[i] = oracle.RandomSeeds(rng, g, source)
		}
	}
	return sets
}

func TestRandomTablesAgainstOracle(t *testing.T) {
	networks := 400
	if testing.Short() {
		networks = 40
	}
	first := uint64(1)
	if *seedFlag != 0 {
		first, networks = *seedFlag, 1
	}
	unique, entries := 0, 0
	memory := pool.New()
	for seed := first; seed < first+uint64(networks); seed++ {
		rng, g, exclude := randomCase(seed)
		h, err := Contract(t.Context(), g, Options{Workers: 1, Exclude: exclude})
		require.NoError(t, err, "seed %d", seed)
		s := h.NewSearch(memory)
		for range 8 {
			set := rng.IntN(len(exclude) + 1)
			s.SetExclude(set)
			var barred graph.Bits
			if set > 0 {
				barred = exclude[set-1]
			}
			m, n := randomShape(rng)
			sources, targets := randomSets(rng, g, m, true), randomSets(rng, g, n, false)
			if m > 0 && n > 0 && rng.IntN(2) == 0 && len(targets[0]) > 0 && len(sources[0]) > 0 {
				targets[0][0].Node = sources[0][0].Node
			}
			c := tableCase{T: t, seed: seed, sources: sources, targets: targets}
			c.answer(s, g, barred)
			for _, way := range []tableWay{byRule, byBuckets, downward, upward} {
				u, e := c.check(s, way)
				unique, entries = unique+u, entries+e
			}
		}
		s.Release()
	}
	t.Logf("%d entries, %d of a unique path", entries, unique)
}

// tableCase is a table to be checked.
type tableCase struct {
	*testing.T
	seed             uint64
	sources, targets [][]graph.Seed
	want             [][]oracle.Answer
	found            [][]graph.Found // by searches, of InvalidWeight where there is none
}

// answer finds what the table ought to be.
func (c *tableCase) answer(s *Search, g *graph.Expanded, barred graph.Bits) {
	for _, from := range c.sources {
		tree := oracle.Grow(g, barred, from)
		want, found := []oracle.Answer{}, []graph.Found{}
		for _, to := range c.targets {
			f, ok, err := s.Shortest(c.Context(), from, to)
			require.NoError(c, err)
			if !ok {
				f.Weight = graph.InvalidWeight
			}
			want, found = append(want, tree.To(to)), append(found, f)
		}
		c.want, c.found = append(c.want, want), append(c.found, found)
	}
}

func (c *tableCase) check(s *Search, way tableWay) (unique, entries int) {
	rows := make([]bool, len(c.sources))
	err := s.tableBy(c.Context(), way, c.sources, c.targets, func(i int, cells []graph.Cell) error {
		require.False(c, rows[i])
		rows[i] = true
		require.Len(c, cells, len(c.targets))
		for j, cell := range cells {
			entries++
			want := c.want[i][j]
			where := func() string {
				return fmt.Sprintf("-seed %d: way %d: %v to %v", c.seed, way, c.sources[i], c.targets[j])
			}
			if cell.Weight != c.found[i][j].Weight {
				c.Fatalf("%s: %d, but a search finds %d", where(), cell.Weight, c.found[i][j].Weight)
			}
			if !want.Reached {
				if cell != noPath {
					c.Fatalf("%s: %v, want no path", where(), cell)
				}
				continue
			}
			if int64(cell.Weight) != want.Weight {
				c.Fatalf("%s: %v, want %v", where(), cell, want)
			}
			if want.Unique {
				unique++
				if int64(cell.Duration) != want.Duration || int64(cell.Distance) != max(0, want.Distance) {
					c.Fatalf("%s: %v, want %v", where(), cell, want)
				}
			}
		}
		return nil
	})
	require.NoError(c, err)
	require.NotContains(c, rows, false)
	return unique, entries
}

func TestTableOnOneNode(t *testing.T) {
	g := oracle.Build([][]graph.Arc{
		{{Head: 1, Weight: 100, Duration: 1, Distance: 2}},
		{{Head: 2, Weight: 10, Duration: 3, Distance: 4}},
		{{Head: 0, Weight: 10, Duration: 5, Distance: 6}, {Head: 2, Weight: 7, Duration: 7, Distance: 8}},
	})
	h, err := Contract(t.Context(), g, Options{})
	require.NoError(t, err)
	s := h.NewSearch(pool.New())
	at := func(node graph.NodeID, w graph.Weight) graph.Seed {
		return graph.Seed{Node: node, Weight: w, Duration: graph.Duration(w), Distance: int64(w)}
	}
	for name, c := range map[string]struct {
		sources, targets []graph.Seed
		want             graph.Cell
	}{
		"ahead":        {[]graph.Seed{at(0, -20)}, []graph.Seed{at(0, 50)}, graph.Cell{Weight: 30, Duration: 30, Distance: 30}},
		"same place":   {[]graph.Seed{at(0, -20)}, []graph.Seed{at(0, 20)}, graph.Cell{}},
		"behind":       {[]graph.Seed{at(0, -50)}, []graph.Seed{at(0, 20)}, graph.Cell{Weight: 90, Duration: -21}},
		"own edge":     {[]graph.Seed{at(2, -5)}, []graph.Seed{at(2, 1)}, graph.Cell{Weight: 3, Duration: 3, Distance: 4}},
		"other source": {[]graph.Seed{at(0, -50), at(2, -5)}, []graph.Seed{at(0, 20)}, graph.Cell{Weight: 25, Duration: 20, Distance: 21}},
		"other target": {[]graph.Seed{at(0, -50)}, []graph.Seed{at(0, 20), at(1, 0)}, graph.Cell{Weight: 50, Duration: -49}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, way := range []tableWay{byBuckets, downward, upward} {
				require.NoError(t, s.tableBy(t.Context(), way, [][]graph.Seed{c.sources}, [][]graph.Seed{c.targets}, func(_ int, cells []graph.Cell) error {
					require.Equal(t, []graph.Cell{c.want}, cells)
					return nil
				}))
			}
		})
	}
}

func TestTableEndsWithTheErrorOfARow(t *testing.T) {
	rng, g, _ := randomCase(3)
	h, err := Contract(t.Context(), g, Options{})
	require.NoError(t, err)
	s := h.NewSearch(pool.New())
	stop := errors.New("stop")
	for _, shape := range [][2]int{{3, 3}, {8, 1}, {1, 8}, {8, 2}} {
		for _, way := range []tableWay{byBuckets, downward, upward} {
			rows := 0
			err := s.tableBy(t.Context(), way, randomSets(rng, g, shape[0], true), randomSets(rng, g, shape[1], false), func(int, []graph.Cell) error {
				rows++
				return stop
			})
			require.ErrorIs(t, err, stop)
			require.Equal(t, 1, rows)
		}
	}
}

func TestTableEndsWhenContextIsDone(t *testing.T) {
	g := testmap.Roads(20_000, 1)
	h, err := Contract(t.Context(), g, Options{})
	require.NoError(t, err)
	s := h.NewSearch(pool.New())
	rng := rand.New(rand.NewPCG(1, 1))
	sources, targets := randomPlaces(rng, g, 50), randomPlaces(rng, g, 50)
	for _, way := range []tableWay{byBuckets, downward, upward} {
		for looks := range 40 {
			ctx := &laterLook{Context: t.Context(), left: looks}
			err := s.tableBy(ctx, way, sources, targets, func(int, []graph.Cell) error { return nil })
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Equal(t, -1, ctx.left, "no look after the last")
		}
	}
}

// laterLook is a context that is done after so many looks.
type laterLook struct {
	context.Context
	left int
}

func (c *laterLook) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// randomPlaces returns sets of one seed.
func randomPlaces(rng *rand.Rand, g *graph.Expanded, n int) [][]graph.Seed {
	sets := make([][]graph.Seed, n)
	for i := range sets {
		sets[i] = []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
	}
	return sets
}

func TestTableAllocatesNothing(t *testing.T) {
	g := testmap.Roads(20_000, 1)
	h, err := Contract(t.Context(), g, Options{})
	require.NoError(t, err)
	memory := pool.New()
	s := h.NewSearch(memory)
	rng := rand.New(rand.NewPCG(1, 1))
	sources, targets := randomPlaces(rng, g, 100), randomPlaces(rng, g, 100)
	ctx := t.Context()
	row := func(int, []graph.Cell) error { return nil }
	for _, way := range []tableWay{byBuckets, downward, upward} {
		run := func() {
			if err := s.tableBy(ctx, way, sources, targets, row); err != nil {
				t.Fatal(err)
			}
		}
		run()
		require.Zero(t, testing.AllocsPerRun(3, run))
	}
	s.Release()
	require.Zero(t, memory.Live())
}
