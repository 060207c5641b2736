package graph

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/file"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/pool"
)

func fileMap(t testing.TB) (*Network, *Metric) {
	rng := rand.New(rand.NewPCG(4, 4))
	n, m := randomMap(rng, snapMaps["streets"])
	n.Areas = BuildAreas(randomAreas(rng, 40))
	require.NoError(t, n.Check())
	require.NoError(t, m.Check(n))
	return n, m
}

// typed requires an error that says which file, and what to do.
func typed(t testing.TB, err error) {
	t.Helper()
	require.Error(t, err)
	var e *FileError
	require.ErrorAs(t, err, &e)
	for _, want := range []error{ErrForeign, ErrVersion, ErrTruncated, ErrCorrupt, ErrMismatch} {
		if errors.Is(err, want) {
			return
		}
	}
	require.Fail(t, "untyped error", err.Error())
}

func encodedMap(t testing.TB) (network, metric []byte) {
	n, m := fileMap(t)
	w, err := EncodeNetwork(n)
	require.NoError(t, err)
	var a, b bytes.Buffer
	_, err = w.WriteTo(&a)
	require.NoError(t, err)
	w, err = EncodeMetric(m, w.ID())
	require.NoError(t, err)
	_, err = w.WriteTo(&b)
	require.NoError(t, err)
	return a.Bytes(), b.Bytes()
}

func decodeBoth(network, metric []byte) (*NetworkFile, *MetricFile, error) {
	f, err := file.Decode("x.graph", network)
	if err != nil {
		return nil, nil, err
	}
	n, err := DecodeNetwork(f)
	if err != nil {
		return nil, nil, err
	}
	f, err = file.Decode("x.metric", metric)
	if err != nil {
		return nil, nil, err
	}
	m, err := DecodeMetric(f, n)
	return n, m, err
}

func TestFilesRoundTrip(t *testing.T) {
	n, m := fileMap(t)
	m.TurnClosed = MakeBits(n.NumEdges())
	m.TurnClosed.Set(1)
	m.SegmentSource[1] = make([]uint8, len(n.ChainPlaces))
	folder := t.TempDir()
	id, err := WriteNetwork(filepath.Join(folder, "x.graph"), n)
	require.NoError(t, err)
	metricID, err := WriteMetric(filepath.Join(folder, "x.metric"), m, id)
	require.NoError(t, err)
	for _, load := range []bool{false, true} {
		o := FileOptions{Load: load}
		gotN, err := OpenNetwork(filepath.Join(folder, "x.graph"), o)
		require.NoError(t, err)
		gotM, err := OpenMetric(filepath.Join(folder, "x.metric"), gotN, o)
		require.NoError(t, err)
		require.Equal(t, id, gotN.ID())
		require.Equal(t, metricID, gotM.ID())
		require.NoError(t, gotN.Verify())
		require.NoError(t, gotM.Verify(gotN.Network))
		require.Equal(t, n, gotN.Network)
		require.Equal(t, m, gotM.Metric)

		c := n.Coords[100]
		want := nearest(t, NewSnapper(n, m, pool.New()), c, 5, SnapOptions{})
		require.Equal(t, want, nearest(t, NewSnapper(gotN.Network, gotM.Metric, pool.New()), c, 5, SnapOptions{}))
		require.NoError(t, gotM.Close())
		require.NoError(t, gotN.Close())
	}
}

func TestEmptyNetworkFile(t *testing.T) {
	n, m := &Network{ChainFirst: []uint32{0}, JunctionFirst: []uint32{0}, EdgeFirst: []EdgeID{0}}, &Metric{}
	n.Strings.First = []uint32{0, 0}
	n.Complete()
	require.NoError(t, n.Check())
	folder := t.TempDir()
	id, err := WriteNetwork(filepath.Join(folder, "x.graph"), n)
	require.NoError(t, err)
	_, err = WriteMetric(filepath.Join(folder, "x.metric"), m, id)
	require.NoError(t, err)
	got, err := OpenNetwork(filepath.Join(folder, "x.graph"), FileOptions{})
	require.NoError(t, err)
	require.NoError(t, got.Verify())
	gotM, err := OpenMetric(filepath.Join(folder, "x.metric"), got, FileOptions{})
	require.NoError(t, err)
	near, big := candidates(t, NewSnapper(got.Network, gotM.Metric, pool.New()), geo.Coord{}, SnapOptions{})
	require.Empty(t, near)
	require.Empty(t, big)
}

func TestFilesAreDeterministic(t *testing.T) {
	n1, m1 := encodedMap(t)
	n2, m2 := encodedMap(t)
	require.Equal(t, n1, n2)
	require.Equal(t, m1, m2)
}

func TestFilesOfOthers(t *testing.T) {
	network, metric := encodedMap(t)
	_, _, err := decodeBoth(metric, metric)
	require.ErrorIs(t, err, ErrForeign)
	_, _, err = decodeBoth(network, network)
	require.ErrorIs(t, err, ErrForeign)

	n, m := fileMap(t)
	w, err := EncodeMetric(m, ID{1})
	require.NoError(t, err)
	var other bytes.Buffer
	_, err = w.WriteTo(&other)
	require.NoError(t, err)
	_, _, err = decodeBoth(network, other.Bytes())
	require.ErrorIs(t, err, ErrMismatch)
	require.ErrorContains(t, err, "x.metric")

	n.Properties.MaxSpeedForMapMatching = 0
	n.Properties.MaxCollapseDistance /= n.Properties.MaxSpeedForMapMatching // not a number
	_, err = EncodeNetwork(n)
	require.Error(t, err)
	_, err = OpenNetwork(filepath.Join(t.TempDir(), "none"), FileOptions{})
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestFilesCut(t *testing.T) {
	network, metric := encodedMap(t)
	for size := 0; size < len(network); size += 4096 {
		_, _, err := decodeBoth(network[:size], metric)
		require.ErrorIs(t, err, ErrTruncated)
	}
	for size := 0; size < len(metric); size += 4096 {
		_, _, err := decodeBoth(network, metric[:size])
		require.ErrorIs(t, err, ErrTruncated)
	}
}

func headerSize(data []byte) int { return int(binary.LittleEndian.Uint32(data[20:])) }

func TestFilesHeaderFlipped(t *testing.T) {
	network, metric := encodedMap(t)
	for _, data := range [][]byte{network, metric} {
		for at := range headerSize(data) {
			data[at] ^= 0x10
			_, _, err := decodeBoth(network, metric)
			typed(t, err)
			data[at] ^= 0x10
		}
	}
}

// forge makes the checksums of a damaged file right again; the id stays.
func forge(data []byte) {
	table := crc32.MakeTable(crc32.Castagnoli)
	le := binary.LittleEndian
	bound, sections := int(le.Uint32(data[32:])), int(le.Uint32(data[36:]))
	for i := range sections {
		entry := data[64+16*bound+64*i:]
		start, length := le.Uint64(entry[32:]), le.Uint64(entry[40:])
		le.PutUint32(entry[52:], crc32.Checksum(data[start:start+length], table))
	}
	clear(data[40:44])
	le.PutUint32(data[40:], crc32.Checksum(data[:headerSize(data)], table))
}

// Damage that checksums do not tell must not make opening or checking panic.
func TestFilesForged(t *testing.T) {
	network, metric := encodedMap(t)
	rng := rand.New(rand.NewPCG(6, 6))
	found := 0
	for range 3000 {
		a, b := bytes.Clone(network), bytes.Clone(metric)
		data := a
		if rng.IntN(3) == 0 {
			data = b
		}
		head := headerSize(data)
		for range 1 + rng.IntN(4) {
			data[head+rng.IntN(len(data)-head)] ^= 1 << rng.IntN(8)
		}
		forge(data)
		n, m, err := decodeBoth(a, b)
		if err != nil {
			typed(t, err)
			found++
			continue
		}
		if err := n.Check(); err != nil {
			typed(t, n.Verify())
			require.ErrorIs(t, err, ErrCorrupt)
			found++
			continue
		}
		typed(t, errors.Join(n.Verify(), m.Verify(n.Network))) // an id is wrong at least
		if err := m.Check(n.Network); err != nil {
			require.ErrorIs(t, err, ErrCorrupt)
			found++
		}
	}
	require.Greater(t, found, 1000)
}

func FuzzDecodeNetwork(f *testing.F) {
	o := snapMaps["one"]
	rng := rand.New(rand.NewPCG(1, 1))
	n, _ := randomMap(rng, o)
	n.Areas = BuildAreas(randomAreas(rng, 3))
	w, err := EncodeNetwork(n)
	require.NoError(f, err)
	var data bytes.Buffer
	_, err = w.WriteTo(&data)
	require.NoError(f, err)
	f.Add(data.Bytes(), uint32(3000), byte(1))
	f.Fuzz(func(t *testing.T, data []byte, at uint32, flip byte) {
		if _, err := file.Decode("x", data); err != nil {
			typed(t, err)
			return
		}
		data = bytes.Clone(data)
		if head := headerSize(data); head < len(data) {
			data[head+int(at)%(len(data)-head)] ^= flip
		}
		forge(data)
		opened, err := file.Decode("x", data)
		if err != nil {
			typed(t, err)
			return
		}
		n, err := DecodeNetwork(opened)
		if err != nil {
			typed(t, err)
			return
		}
		if err := n.Check(); err != nil {
			require.ErrorIs(t, err, ErrCorrupt)
		}
	})
}

func TestOpenDoesNotRead(t *testing.T) {
	n, m := delawareSizedMap(t)
	folder := t.TempDir()
	id, err := WriteNetwork(filepath.Join(folder, "x.graph"), n)
	require.NoError(t, err)
	_, err = WriteMetric(filepath.Join(folder, "x.metric"), m, id)
	require.NoError(t, err)
	allocs := testing.AllocsPerRun(1, func() {
		n, err := OpenNetwork(filepath.Join(folder, "x.graph"), FileOptions{})
		require.NoError(t, err)
		m, err := OpenMetric(filepath.Join(folder, "x.metric"), n, FileOptions{})
		require.NoError(t, err)
		require.NoError(t, m.Close())
		require.NoError(t, n.Close())
	})
	require.Less(t, allocs, 600.0) // header and properties
}

func BenchmarkOpen(b *testing.B) {
	n, m := delawareSizedMap(b)
	folder := b.TempDir()
	id, err := WriteNetwork(filepath.Join(folder, "x.graph"), n)
	require.NoError(b, err)
	_, err = WriteMetric(filepath.Join(folder, "x.metric"), m, id)
	require.NoError(b, err)
	size := int64(0)
	for b.Loop() {
		n, err := OpenNetwork(filepath.Join(folder, "x.graph"), FileOptions{})
		require.NoError(b, err)
		m, err := OpenMetric(filepath.Join(folder, "x.metric"), n, FileOptions{})
		require.NoError(b, err)
		size = n.Size() + m.Size()
		require.NoError(b, m.Close())
		require.NoError(b, n.Close())
	}
	b.ReportMetric(float64(size), "bytes")
}
