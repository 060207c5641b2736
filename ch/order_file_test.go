package ch

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/file"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/pool"
)

// smallOrder is an order with a hierarchy of it, and their file.
func smallOrder(tb testing.TB) (*graph.Expanded, *Order, *Hierarchy, []byte) {
	tb.Helper()
	rng := rand.New(rand.NewPCG(8, 8))
	g := oracle.Random(rng, 60)
	o := anyOrder(tb, rng, g)
	h, err := o.Customize(tb.Context(), g, CustomizeOptions{Workers: 1})
	require.NoError(tb, err)
	return g, o, h, encodedOrder(tb, o, h)
}

func encodedOrder(tb testing.TB, o *Order, h *Hierarchy) []byte {
	tb.Helper()
	var b bytes.Buffer
	_, err := o.Encode(h, graph.ID{1}, graph.ID{2}).WriteTo(&b)
	require.NoError(tb, err)
	return b.Bytes()
}

func decodedOrder(tb testing.TB, data []byte, g *graph.Expanded) (*OrderFile, error) {
	tb.Helper()
	f, err := file.Decode("test.cch", data)
	if err != nil {
		return nil, err
	}
	return decodeOrder(f, g.NumNodes(), len(g.Arcs))
}

func TestFileHoldsTheOrder(t *testing.T) {
	for seed := uint64(1); seed <= 40; seed++ {
		rng, g, _ := randomCase(seed)
		o := anyOrder(t, rng, g)
		h, err := o.Customize(t.Context(), g, CustomizeOptions{})
		require.NoError(t, err)
		data := encodedOrder(t, o, h)
		read, err := decodedOrder(t, data, g)
		require.NoError(t, err)
		require.NoError(t, read.Hierarchy.Verify())
		require.NoError(t, read.Order.Verify())
		require.Equal(t, data, encodedOrder(t, read.Order, read.Hierarchy))
		x, changed := oracle.Change(rng, g, 3)
		want, err := o.Customize(t.Context(), x, CustomizeOptions{})
		require.NoError(t, err)
		got, err := read.Order.Update(t.Context(), read.Hierarchy, x, changed, CustomizeOptions{})
		require.NoError(t, err)
		require.Equal(t, encoded(t, want), encoded(t, got))
	}
}

func TestDamageOfOrdersIsNoticed(t *testing.T) {
	g, o, h, _ := smallOrder(t)
	for name, damage := range map[string]func(o *Order){
		"parts end":      func(o *Order) { o.parts = o.parts[:len(o.parts)-1] },
		"parts decrease": func(o *Order) { o.parts[1] = 61 },
		"layers end":     func(o *Order) { o.layers[len(o.layers)-1]++ },
		"layer too many": func(o *Order) { o.layers[1] = 999 },
		"one layer":      func(o *Order) { o.parts, o.layers = []uint32{0, 30, 60}, []uint32{0, 2} },
		"edge":           func(o *Order) { o.arcOf[3] = uint32(len(o.arcs)) },
		"loop":           func(o *Order) { o.arcOf[3] = ofLoop + 60 },
		"edges":          func(o *Order) { o.arcOf = o.arcOf[1:] },
	} {
		t.Run(name, func(t *testing.T) {
			damaged := &Order{rank: o.rank, first: o.first, arcs: o.arcs}
			damaged.arcOf, damaged.parts, damaged.layers = slices.Clone(o.arcOf), slices.Clone(o.parts), slices.Clone(o.layers)
			damage(damaged)
			read, err := decodedOrder(t, encodedOrder(t, damaged, h), g)
			if err == nil {
				err = read.Order.Verify()
				_, again := read.Order.Customize(t.Context(), g, CustomizeOptions{})
				require.ErrorIs(t, again, graph.ErrCorrupt)
			}
			require.ErrorIs(t, err, graph.ErrCorrupt)
		})
	}
	// Without one of the arcs that contraction can need.
	for a := range o.arcs {
		if h.childOf(uint32(a))[1] == original {
			continue
		}
		damaged := &Order{rank: o.rank, first: slices.Clone(o.first), arcs: slices.Delete(slices.Clone(o.arcs), a, a+1), parts: o.parts, layers: o.layers}
		for i := range damaged.first {
			if int(damaged.first[i]) > a {
				damaged.first[i]--
			}
		}
		require.ErrorIs(t, damaged.Verify(), graph.ErrCorrupt)
		damaged.arcOf = slices.Clone(o.arcOf)
		for e, of := range o.arcOf {
			if of < ofLoop && int(of) > a {
				damaged.arcOf[e]--
			}
		}
		_, err := damaged.Customize(t.Context(), g, CustomizeOptions{Workers: 2})
		require.ErrorIs(t, err, graph.ErrCorrupt)
		return
	}
	t.Fatal("no shortcut to leave out")
}

// FuzzDecodeOrder feeds damaged files: what Verify accepts can be customized.
func FuzzDecodeOrder(f *testing.F) {
	g, _, _, data := smallOrder(f)
	f.Add(uint32(0), byte(0))
	f.Add(uint32(len(data)-1), byte(255))
	f.Add(uint32(2000), byte(1))
	f.Fuzz(func(t *testing.T, at uint32, flip byte) {
		damaged := slices.Clone(data)
		damaged[int(at)%len(damaged)] ^= flip
		read, err := decodedOrder(t, damaged, g)
		if err != nil || read.Hierarchy.Verify() != nil || read.Order.Verify() != nil {
			return
		}
		h, err := read.Order.Customize(t.Context(), g, CustomizeOptions{Workers: 1})
		if err != nil {
			require.ErrorIs(t, err, ErrGraph)
			return
		}
		s := h.NewSearch(pool.New())
		for v := range g.NumNodes() {
			_, _, err := s.Shortest(t.Context(), []graph.Seed{{Node: graph.NodeID(v)}}, []graph.Seed{{Node: 1}})
			require.NoError(t, err)
			s.Path(nil)
		}
	})
}
