package ch

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/extracttest"
	"github.com/fourway-routing/fourway/internal/file"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/pool"
)

func decoded(t testing.TB, data []byte, g *graph.Expanded) (*Hierarchy, error) {
	t.Helper()
	f, err := file.Decode("test.ch", data)
	if err != nil {
		return nil, err
	}
	return decode(f, g.NumNodes(), len(g.Arcs))
}

func TestFileHoldsTheHierarchy(t *testing.T) {
	for seed := uint64(1); seed <= 40; seed++ {
		rng, g, exclude := randomCase(seed)
		h, err := Contract(t.Context(), g, Options{Exclude: exclude})
		require.NoError(t, err)
		data := encoded(t, h)
		read, err := decoded(t, data, g)
		require.NoError(t, err, "seed %d", seed)
		require.NoError(t, read.Verify(), "seed %d", seed)
		require.Equal(t, h.NumSets(), read.NumSets())
		require.Equal(t, data, encoded(t, read), "seed %d", seed)
		a, b := h.NewSearch(pool.New()), read.NewSearch(pool.New())
		for range 50 {
			set := rng.IntN(h.NumSets())
			a.SetExclude(set)
			b.SetExclude(set)
			sources, targets := oracle.RandomSeeds(rng, g, true), oracle.RandomSeeds(rng, g, false)
			want, wantOK, err := a.Shortest(t.Context(), sources, targets)
			require.NoError(t, err)
			got, ok, err := b.Shortest(t.Context(), sources, targets)
			require.NoError(t, err)
			require.Equal(t, wantOK, ok)
			require.Equal(t, want, got)
			require.Equal(t, a.Path(nil), b.Path(nil))
		}
	}
}

func TestFileOnDisk(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map: `
			a-b-c
			| | |
			d-e-f`,
		Ways: []testmap.Row{{"abc", ""}, {"def", "oneway=yes"}, {"ad", ""}, {"be", ""}, {"cf", ""}},
	})
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	networkID, err := graph.WriteNetwork(path("a.graph"), m.Network)
	require.NoError(t, err)
	metricID, err := graph.WriteMetric(path("a.metric"), m.Metric, networkID)
	require.NoError(t, err)
	network, err := graph.OpenNetwork(path("a.graph"), graph.FileOptions{})
	require.NoError(t, err)
	defer network.Close()
	metric, err := graph.OpenMetric(path("a.metric"), network, graph.FileOptions{})
	require.NoError(t, err)
	defer metric.Close()
	h, err := Contract(t.Context(), graph.Expand(m.Network, m.Metric), Options{})
	require.NoError(t, err)
	id, err := h.WriteFile(path("a.ch"), networkID, metricID)
	require.NoError(t, err)

	for _, load := range []bool{false, true} {
		f, err := Open(path("a.ch"), network, metric, graph.FileOptions{Load: load})
		require.NoError(t, err)
		require.NoError(t, f.Verify())
		require.Equal(t, id, f.ID())
		info, err := os.Stat(path("a.ch"))
		require.NoError(t, err)
		require.Equal(t, info.Size(), f.Size())
		require.NoError(t, f.Close())
	}

	_, err = Open(path("none.ch"), network, metric, graph.FileOptions{})
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = Open(path("a.metric"), network, metric, graph.FileOptions{})
	require.ErrorIs(t, err, graph.ErrForeign)
	_, err = h.WriteFile(path("b.ch"), networkID, graph.ID{1})
	require.NoError(t, err)
	_, err = Open(path("b.ch"), network, metric, graph.FileOptions{})
	require.ErrorIs(t, err, graph.ErrMismatch)
	_, err = h.WriteFile(filepath.Join(dir, "none", "a.ch"), networkID, metricID)
	require.Error(t, err)
}

// smallCase is a hierarchy with cores and loops, and its file.
func smallCase(t testing.TB) (*graph.Expanded, *Hierarchy, []byte) {
	rng := rand.New(rand.NewPCG(8, 8))
	g := oracle.Random(rng, 60)
	h, err := Contract(t.Context(), g, Options{Workers: 1, Exclude: []graph.Bits{everyTenth(60, 1), everyTenth(60, 2)}})
	require.NoError(t, err)
	var b bytes.Buffer
	_, err = h.Encode(graph.ID{1}, graph.ID{2}).WriteTo(&b)
	require.NoError(t, err)
	return g, h, b.Bytes()
}

// clone returns a copy that can be damaged.
func (h *Hierarchy) clone() *Hierarchy {
	c := *h
	c.rank, c.first, c.arcs = slices.Clone(h.rank), slices.Clone(h.first), slices.Clone(h.arcs)
	c.child, c.far = slices.Clone(h.child), slices.Clone(h.far)
	c.duration, c.distance, c.coreOf = slices.Clone(h.duration), slices.Clone(h.distance), slices.Clone(h.coreOf)
	c.cores, c.loops = slices.Clone(h.cores), slices.Clone(h.loops)
	for i := range c.cores {
		c.cores[i].first, c.cores[i].barred = slices.Clone(h.cores[i].first), slices.Clone(h.cores[i].barred)
	}
	for i, l := range h.loops {
		c.loops[i] = loops{slices.Clone(l.rank), slices.Clone(l.weight), slices.Clone(l.child), slices.Clone(l.duration), slices.Clone(l.distance)}
	}
	return &c
}

func TestDamageIsNoticed(t *testing.T) {
	g, h, _ := smallCase(t)
	require.NoError(t, h.Verify())
	shortcut := slices.IndexFunc(h.child, func(c child) bool { return c[4] != 0 })
	edge := slices.IndexFunc(h.child, func(c child) bool { return c[4] == 0 })
	require.Positive(t, len(h.loops[0].rank))
	for name, c := range map[string]struct {
		damage func(h *Hierarchy)
		open   bool // noticed on opening
	}{
		"rank twice":       {func(h *Hierarchy) { h.rank[3] = h.rank[4] }, false},
		"rank too great":   {func(h *Hierarchy) { h.rank[3] = 60 }, false},
		"node missing":     {func(h *Hierarchy) { h.rank = h.rank[1:] }, true},
		"index too short":  {func(h *Hierarchy) { h.first = h.first[:5] }, true},
		"index decreases":  {func(h *Hierarchy) { h.first[2] = 9999 }, false},
		"index end":        {func(h *Hierarchy) { h.first[len(h.first)-1] = 99_999 }, true},
		"head":             {func(h *Hierarchy) { h.arcs[0].Head = 99 }, false},
		"weight":           {func(h *Hierarchy) { h.arcs[shortcut].Weight++ }, false},
		"huge weight":      {func(h *Hierarchy) { h.arcs[edge].Weight = 1 << 31 }, false},
		"child":            {func(h *Hierarchy) { h.child[shortcut][0]++ }, false},
		"child too great":  {func(h *Hierarchy) { h.child[shortcut] = child{0xff, 0xff, 1, 0, 1} }, false},
		"child far away":   {func(h *Hierarchy) { h.child[shortcut][4] = farAway }, false},
		"edge":             {func(h *Hierarchy) { h.setChild(uint32(edge), [2]uint32{h.edges, original}) }, false},
		"children missing": {func(h *Hierarchy) { h.child = h.child[1:] }, true},
		"duration":         {func(h *Hierarchy) { h.duration[shortcut]++ }, false},
		"durations short":  {func(h *Hierarchy) { h.duration = h.duration[1:] }, true},
		"distance":         {func(h *Hierarchy) { h.distance[shortcut]++ }, false},
		"distances short":  {func(h *Hierarchy) { h.distance = h.distance[1:] }, true},
		"set":              {func(h *Hierarchy) { h.coreOf[1] = 9 }, true},
		"no sets":          {func(h *Hierarchy) { h.coreOf = nil }, true},
		"first set":        {func(h *Hierarchy) { h.coreOf[0] = 1 }, true},
		"core":             {func(h *Hierarchy) { h.core = 61 }, true},
		"core index":       {func(h *Hierarchy) { h.cores[1].first[3] = 0 }, false},
		"edges":            {func(h *Hierarchy) { h.edges++ }, true},
		"loop rank":        {func(h *Hierarchy) { h.loops[0].rank[0] = 60 }, false},
		"loop weight":      {func(h *Hierarchy) { h.loops[0].weight[0] = 1 << 31 }, false},
		"loop lengths":     {func(h *Hierarchy) { h.loops[0].weight = h.loops[0].weight[1:] }, true},
	} {
		t.Run(name, func(t *testing.T) {
			damaged := h.clone()
			c.damage(damaged)
			var b bytes.Buffer
			_, err := damaged.Encode(graph.ID{1}, graph.ID{2}).WriteTo(&b)
			require.NoError(t, err)
			read, err := decoded(t, b.Bytes(), g)
			if c.open {
				require.ErrorIs(t, err, graph.ErrCorrupt)
				_, ok := errors.AsType[*graph.FileError](err)
				require.True(t, ok)
				return
			}
			require.NoError(t, err)
			require.ErrorIs(t, read.Verify(), graph.ErrCorrupt)
		})
	}
}

func TestEndlessShortcutsAreNoticed(t *testing.T) {
	_, h, _ := smallCase(t)
	broken := h.clone()
	for i := range broken.child {
		broken.setChild(uint32(i), [2]uint32{uint32(i), uint32(i)})
	}
	s := broken.NewSearch(pool.New())
	for target := graph.NodeID(1); ; target++ {
		_, ok, err := s.Shortest(t.Context(), []graph.Seed{{Node: 0}}, []graph.Seed{{Node: target}})
		require.NoError(t, err)
		if ok {
			break
		}
	}
	defer func() {
		err, _ := recover().(error)
		require.ErrorIs(t, err, graph.ErrCorrupt)
	}()
	s.Path(nil)
	t.Fatal("found an end")
}

// FuzzDecode feeds damaged files: Decode and Verify must not panic, and what
// both accept is to be searched without a panic.
func FuzzDecode(f *testing.F) {
	g, _, data := smallCase(f)
	f.Add(uint32(0), byte(0))
	f.Add(uint32(len(data)-1), byte(255))
	f.Add(uint32(2000), byte(1))
	f.Fuzz(func(t *testing.T, at uint32, flip byte) {
		damaged := slices.Clone(data)
		damaged[int(at)%len(damaged)] ^= flip
		h, err := decoded(t, damaged, g)
		if err != nil || h.Verify() != nil {
			return
		}
		s := h.NewSearch(pool.New())
		for set := range h.NumSets() {
			s.SetExclude(set)
			for v := range g.NumNodes() {
				_, _, err := s.Shortest(t.Context(), []graph.Seed{{Node: graph.NodeID(v)}}, []graph.Seed{{Node: 1}})
				require.NoError(t, err)
				s.Path(nil)
			}
		}
	})
}

func TestDecodeOfEveryFlippedByte(t *testing.T) {
	g, _, data := smallCase(t)
	for at := range data {
		damaged := slices.Clone(data)
		damaged[at] ^= 1 << (at % 8)
		if h, err := decoded(t, damaged, g); err == nil {
			_ = h.Verify() // must not panic
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	g := testmap.Roads(100_000, 1)
	h, err := Contract(b.Context(), g, Options{})
	require.NoError(b, err)
	path := filepath.Join(b.TempDir(), "roads.ch")
	_, err = h.WriteFile(path, graph.ID{1}, graph.ID{2})
	require.NoError(b, err)
	for b.Loop() {
		f, err := file.Open(path, file.Options{})
		require.NoError(b, err)
		_, err = decode(f, g.NumNodes(), len(g.Arcs))
		require.NoError(b, err)
		require.NoError(b, f.Close())
	}
}
