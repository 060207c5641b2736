package graph

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/file"
)

// tagged returns elements of a random network, with ways along its chains, a few made-up
// tags and a node that is missing.
func tagged(t testing.TB) (*Network, *Elements) {
	t.Helper()
	n, _ := fileMap(t)
	alone := ElementsOf(n)
	require.NoError(t, alone.Check())
	strings := []string{"", "highway", "name", "residential", "a", "zoo", "service"}
	d := ElementData{WayFirst: []uint32{0}, Tags: &TagData{
		Strings: Strings{First: []uint32{0}}, Pairs: []TagPair{{2, 5}, {1, 3}, {1, 6}, {2, 4}, {4, 0}},
		SetFirst: []uint32{0, 0, 2, 3, 5}, SetPairs: []uint32{0, 1, 2, 4, 3},
		NodePlaces: []PlaceID{1, 4}, NodeSets: []uint32{2, 3},
	}}
	for _, s := range strings {
		d.Tags.Strings.Data = append(d.Tags.Strings.Data, s...)
		d.Tags.Strings.First = append(d.Tags.Strings.First, uint32(len(d.Tags.Strings.Data)))
	}
	for w := range WayIndex(alone.NumWays()) {
		for _, r := range alone.Refs(w) {
			d.Refs = append(d.Refs, PlaceID(r))
		}
		if w%5 == 0 {
			d.Refs, d.Missing = append(d.Refs, InvalidPlace), append(d.Missing, 1<<50+int64(w%3))
		}
		d.WayIDs = append(d.WayIDs, alone.WayID(w))
		d.WayFirst = append(d.WayFirst, uint32(len(d.Refs)))
		d.Tags.WaySets = append(d.Tags.WaySets, uint32(w%4))
	}
	e := NewElements(n, d)
	require.NoError(t, e.Check())
	return n, e
}

// encodedTags returns the files of a network and its elements.
func encodedTags(t testing.TB) (network, tags []byte) {
	t.Helper()
	n, e := tagged(t)
	w, err := EncodeNetwork(n)
	require.NoError(t, err)
	var a, b bytes.Buffer
	_, err = w.WriteTo(&a)
	require.NoError(t, err)
	_, err = e.EncodeTags(w.ID()).WriteTo(&b)
	require.NoError(t, err)
	return a.Bytes(), b.Bytes()
}

func decodeTags(t testing.TB, network, tags []byte) (*TagsFile, error) {
	t.Helper()
	f, err := file.Decode("x.graph", network)
	require.NoError(t, err)
	n, err := DecodeNetwork(f)
	require.NoError(t, err)
	if f, err = file.Decode("x.tags", tags); err != nil {
		return nil, err
	}
	return DecodeTags(f, n)
}

func TestTagsFileRoundTrip(t *testing.T) {
	network, data := encodedTags(t)
	f, err := decodeTags(t, network, data)
	require.NoError(t, err)
	require.NoError(t, f.Verify())
	require.EqualValues(t, len(data), f.Size())
	_, want := tagged(t)
	require.Equal(t, want.NumWays(), f.NumWays())
	for w := range WayIndex(f.NumWays()) {
		require.Equal(t, want.WayID(w), f.WayID(w))
		require.Equal(t, want.AppendWayNodes(nil, w), f.AppendWayNodes(nil, w))
		require.Equal(t, want.WayTags(w).Pairs(), f.WayTags(w).Pairs())
	}
	key, value := f.NodeTags(4).At(1)
	require.Equal(t, "name=a", string(key)+"="+string(value))
	key, value = f.NodeTags(4).At(0)
	require.Equal(t, "a=", string(key)+"="+string(value))
	require.Zero(t, f.NodeTags(0).Len())
	first, end := f.PairsOf("highway")
	require.EqualValues(t, 2, end-first)
	pair, ok := f.FindPair("highway", "service")
	require.True(t, ok)
	require.Equal(t, first+1, pair)
	_, ok = f.FindPair("highway", "zoo")
	require.False(t, ok)
	require.NoError(t, f.Close())
}

// TestTagsFileOfAnother network is refused.
func TestTagsFileOfAnother(t *testing.T) {
	network, _ := encodedTags(t)
	_, e := tagged(t)
	var data bytes.Buffer
	_, err := e.EncodeTags(ID{1}).WriteTo(&data)
	require.NoError(t, err)
	_, err = decodeTags(t, network, data.Bytes())
	require.ErrorIs(t, err, ErrMismatch)
}

// TestTagsFileForged: damage that checksums do not tell must not make opening or checking
// panic, and what passes the check can be read.
func TestTagsFileForged(t *testing.T) {
	network, good := encodedTags(t)
	rng := rand.New(rand.NewPCG(8, 6))
	found := 0
	for range 1500 {
		data := bytes.Clone(good)
		head := headerSize(data)
		for range 1 + rng.IntN(3) {
			data[head+rng.IntN(len(data)-head)] ^= 1 << rng.IntN(8)
		}
		forge(data)
		f, err := decodeTags(t, network, data)
		if err != nil {
			typed(t, err)
			found++
			continue
		}
		typed(t, f.Verify()) // the id is wrong at least
		if err := f.Check(); err != nil {
			require.ErrorIs(t, err, ErrCorrupt)
			found++
			continue
		}
		for w := range WayIndex(f.NumWays()) {
			_ = f.AppendWayNodes(nil, w)
			tags := f.WayTags(w)
			for i := range tags.Len() {
				_, _ = tags.At(i)
			}
		}
	}
	require.Greater(t, found, 500)
}

func FuzzDecodeTags(f *testing.F) {
	network, good := encodedTags(f)
	f.Add(uint32(3000), byte(1), uint32(0), byte(0))
	f.Fuzz(func(t *testing.T, at uint32, flip byte, at2 uint32, flip2 byte) {
		data := bytes.Clone(good)
		data[int64(at)%int64(len(data))] ^= flip
		data[int64(at2)%int64(len(data))] ^= flip2
		if slices.Equal(data, good) {
			return
		}
		opened, err := decodeTags(t, network, data)
		if err != nil {
			typed(t, err)
			return
		}
		if err := opened.Check(); err != nil && !errors.Is(err, ErrCorrupt) {
			t.Fatal(err)
		}
	})
}
