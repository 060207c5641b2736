package mld

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/file"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/pool"
)

// encoded returns the bytes of an Overlay's file.
func encoded(t testing.TB, o *Overlay) []byte {
	t.Helper()
	var b bytes.Buffer
	_, err := o.Encode(graph.ID{1}, graph.ID{2}).WriteTo(&b)
	require.NoError(t, err)
	return b.Bytes()
}

func reopened(t testing.TB, data []byte, g *graph.Expanded) (*Overlay, error) {
	t.Helper()
	f, err := file.Decode("test.mld", data)
	require.NoError(t, err)
	return decode(f, g.NumNodes(), len(g.Arcs))
}

func TestFileHoldsTheOverlay(t *testing.T) {
	for seed := uint64(1); seed <= 40; seed++ {
		rng, g, o, exclude := randomCase(t, seed)
		data := encoded(t, o)
		p, err := reopened(t, data, g)
		require.NoError(t, err, "seed %d", seed)
		require.NoError(t, p.Verify(), "seed %d", seed)
		require.Equal(t, len(exclude)+1, p.NumSets())
		require.Equal(t, data, encoded(t, p), "seed %d", seed)
		a, b := o.NewSearch(pool.New()), p.NewSearch(pool.New())
		for range 50 {
			set := rng.IntN(o.NumSets())
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
	_, _, o, _ := randomCase(t, 7)
	path := filepath.Join(t.TempDir(), "test.mld")
	id, err := o.WriteFile(path, graph.ID{1}, graph.ID{2})
	require.NoError(t, err)
	f, err := file.Open(path, graph.FileOptions{})
	require.NoError(t, err)
	defer f.Close()
	require.Equal(t, id, f.ID())
	require.NoError(t, f.Verify())
	require.NoError(t, f.Expect(fileKind, fileVersion, graph.ID{1}, graph.ID{2}))
	require.ErrorIs(t, f.Expect(fileKind, fileVersion, graph.ID{1}, graph.ID{3}), graph.ErrMismatch)
}

// A bit that changes anywhere is found by the file's Verify. Opening and the
// Overlay's Verify let pass what a metric may hold, so that searches still work.
func TestDamageIsFound(t *testing.T) {
	found := 0
	for seed := uint64(1); seed <= 6; seed++ {
		rng, g, o, _ := randomCase(t, seed)
		data := encoded(t, o)
		whole, err := file.Decode("test.mld", data)
		require.NoError(t, err)
		require.NoError(t, whole.Verify())
		for range 60 {
			damaged := slices.Clone(data)
			damaged[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
			f, err := file.Decode("test.mld", damaged)
			if err == nil {
				require.ErrorIs(t, f.Verify(), graph.ErrCorrupt)
				var p *Overlay
				p, err = decode(f, g.NumNodes(), len(g.Arcs))
				if err == nil {
					if err = p.Verify(); err != nil {
						require.ErrorIs(t, err, ErrCorrupt)
						found++
						continue
					}
					s := p.NewSearch(pool.New())
					for range 20 {
						_, _, err := s.Shortest(t.Context(), oracle.RandomSeeds(rng, g, true), oracle.RandomSeeds(rng, g, false))
						require.NoError(t, err)
						s.Path(nil)
					}
					continue
				}
			}
			var e *graph.FileError
			require.ErrorAs(t, err, &e)
		}
	}
	require.Greater(t, found, 100)
}

func FuzzDecode(f *testing.F) {
	var data [4][]byte
	var graphs [4]*graph.Expanded
	for i := range data {
		_, g, o, _ := randomCase(f, uint64(i+1))
		data[i], graphs[i] = encoded(f, o), g
		f.Add(uint8(i), uint32(64+48*i), uint64(1))
	}
	f.Fuzz(func(t *testing.T, i uint8, at uint32, value uint64) {
		k := int(i) % len(data)
		damaged := slices.Clone(data[k])
		for j := range 8 {
			damaged[(int(at)+j)%len(damaged)] ^= byte(value >> (8 * j))
		}
		d, err := file.Decode("test.mld", damaged)
		if err != nil {
			return
		}
		if o, err := decode(d, graphs[k].NumNodes(), len(graphs[k].Arcs)); err == nil {
			_ = o.Verify()
		}
	})
}
