package file

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

var (
	testKind  = Kind{'t', 'e', 's', 't'}
	otherKind = Kind{'e', 'l', 's', 'e'}
	testBound = ID{1, 2, 3, 15: 16}
)

type pair struct {
	A int32
	B uint8
	_ [3]byte
}

type name uint32

func testWriter(n int) *Writer {
	w := NewWriter(testKind, 3)
	w.Bind(testBound)
	rng := rand.New(rand.NewPCG(1, 1))
	u64 := make([]uint64, n)
	pairs := make([]pair, n+1)
	names := make([]name, n+2)
	for i := range u64 {
		u64[i] = rng.Uint64()
		pairs[i] = pair{A: int32(rng.Uint32()), B: uint8(i)}
		names[i] = name(rng.Uint32())
	}
	Put(w, "words", u64)
	Put(w, "pairs", pairs)
	Put(w, "empty", []int16{})
	Put(w, "names", names)
	Put(w, "floats", []float64{math.Pi, math.Inf(1)})
	Put(w, "text", []byte("hello"))
	return w
}

func encoded(t testing.TB, w *Writer) []byte {
	var buf bytes.Buffer
	n, err := w.WriteTo(&buf)
	require.NoError(t, err)
	require.Equal(t, int64(buf.Len()), n)
	return buf.Bytes()
}

// sections reads all sections of a test file.
func sections(f *File) error {
	_, err1 := Section[uint64](f, "words")
	_, err2 := Section[pair](f, "pairs")
	_, err3 := Section[int16](f, "empty")
	_, err4 := Section[name](f, "names")
	_, err5 := Section[float64](f, "floats")
	_, err6 := Section[byte](f, "text")
	return errors.Join(err1, err2, err3, err4, err5, err6)
}

// typed requires an Error that wraps one of the package's own.
func typed(t testing.TB, err error) {
	require.Error(t, err)
	var e *Error
	require.ErrorAs(t, err, &e)
	for _, want := range []error{ErrForeign, ErrVersion, ErrTruncated, ErrCorrupt, ErrMismatch} {
		if errors.Is(err, want) {
			return
		}
	}
	require.Fail(t, "untyped error", err.Error())
}

func TestRoundTrip(t *testing.T) {
	w := testWriter(100)
	path := filepath.Join(t.TempDir(), "x.test")
	require.NoError(t, w.WriteFile(path))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, encoded(t, w), data)
	unaligned := append(make([]byte, 1, len(data)+1), data...)[1:]

	open := map[string]func() (*File, error){
		"mapped":    func() (*File, error) { return Open(path, Options{}) },
		"loaded":    func() (*File, error) { return Open(path, Options{Load: true}) },
		"fs":        func() (*File, error) { return OpenFS(os.DirFS(filepath.Dir(path)), "x.test") },
		"memory fs": func() (*File, error) { return OpenFS(fstest.MapFS{"x": {Data: data}}, "x") },
		"reader":    func() (*File, error) { return Read("x", bytes.NewReader(data)) },
		"memory":    func() (*File, error) { return Decode("x", data) },
		"unaligned": func() (*File, error) { return Decode("x", unaligned) },
	}
	for mode, open := range open {
		t.Run(mode, func(t *testing.T) {
			f, err := open()
			require.NoError(t, err)
			require.NoError(t, f.Expect(testKind, 3, testBound))
			require.NoError(t, f.Verify())
			require.Equal(t, w.ID(), f.ID())
			require.Equal(t, int64(len(data)), f.Size())
			require.Equal(t, []ID{testBound}, f.Bound())
			require.NoError(t, sections(f))

			rng := rand.New(rand.NewPCG(1, 1))
			words, _ := Section[uint64](f, "words")
			pairs, _ := Section[pair](f, "pairs")
			names, _ := Section[name](f, "names")
			require.Len(t, words, 100)
			require.Len(t, pairs, 101)
			require.Len(t, names, 102)
			for i := range words {
				require.Equal(t, rng.Uint64(), words[i])
				require.Equal(t, pair{A: int32(rng.Uint32()), B: uint8(i)}, pairs[i])
				require.Equal(t, name(rng.Uint32()), names[i])
			}
			empty, err := Section[int16](f, "empty")
			require.NoError(t, err)
			require.Empty(t, empty)
			text, _ := Section[byte](f, "text")
			require.Equal(t, "hello", string(text))
			require.Equal(t, len(text), cap(text))
			f.Evict()
			require.Equal(t, "hello", string(text))
			require.NoError(t, f.Verify())

			_, err = Section[uint32](f, "words")
			require.ErrorIs(t, err, ErrCorrupt)
			_, err = Section[uint32](f, "nowhere")
			require.ErrorIs(t, err, ErrCorrupt)
			require.NoError(t, f.Close())
			require.NoError(t, f.Close())
		})
	}
}

func TestDecodersAgree(t *testing.T) {
	want := []pair{{A: -5, B: 200}, {A: math.MaxInt32}}
	raw := encode(want)
	require.Len(t, raw, 16)
	require.Equal(t, want, decode[pair](raw))
	require.Equal(t, raw, bytesOf(want))
	require.Equal(t, want, view[pair](raw))
}

func TestElementTypes(t *testing.T) {
	type hole struct {
		A uint8
		B uint32
	}
	require.Panics(t, func() { elemSize[hole]() })
	require.Panics(t, func() { elemSize[int]() })
	require.Panics(t, func() { elemSize[struct{ a int8 }]() })
	require.Panics(t, func() { elemSize[bool]() })
	require.Panics(t, func() { elemSize[string]() })
	require.Panics(t, func() { elemSize[*uint32]() })
	require.Panics(t, func() { elemSize[struct{}]() })
	require.Equal(t, 8, elemSize[pair]())
	require.Equal(t, 24, elemSize[[3]pair]())

	w := NewWriter(testKind, 1)
	require.Panics(t, func() { Put(w, "", []byte{}) })
	require.Panics(t, func() { Put(w, "a name of 32 bytes is too long..", []byte{}) })
	Put(w, "a", []byte{})
	require.Panics(t, func() { Put(w, "a", []byte{}) })
	w.ID()
	require.Panics(t, func() { Put(w, "b", []byte{}) })
	require.Panics(t, func() { w.Bind(testBound) })
}

func TestIDNamesTheContent(t *testing.T) {
	id := func(kind Kind, version uint32, bound []ID, name string, data []byte) ID {
		w := NewWriter(kind, version)
		for _, b := range bound {
			w.Bind(b)
		}
		Put(w, name, data)
		return w.ID()
	}
	base := id(testKind, 1, nil, "a", []byte{1})
	require.Equal(t, base, id(testKind, 1, nil, "a", []byte{1}))
	require.NotEqual(t, base, id(otherKind, 1, nil, "a", []byte{1}))
	require.NotEqual(t, base, id(testKind, 2, nil, "a", []byte{1}))
	require.NotEqual(t, base, id(testKind, 1, []ID{testBound}, "a", []byte{1}))
	require.NotEqual(t, base, id(testKind, 1, nil, "b", []byte{1}))
	require.NotEqual(t, base, id(testKind, 1, nil, "a", []byte{2}))
	require.NotEqual(t, base, id(testKind, 1, nil, "a", []byte{1, 0}))
}

func TestExpect(t *testing.T) {
	f, err := Decode("x", encoded(t, testWriter(3)))
	require.NoError(t, err)
	require.NoError(t, f.Expect(testKind, 3, testBound))
	require.ErrorIs(t, f.Expect(otherKind, 3, testBound), ErrForeign)
	require.ErrorIs(t, f.Expect(testKind, 4, testBound), ErrVersion)
	require.ErrorIs(t, f.Expect(testKind, 3, ID{}), ErrMismatch)
	require.ErrorIs(t, f.Expect(testKind, 3), ErrCorrupt)
}

func TestFlippedHeader(t *testing.T) {
	w := testWriter(20)
	data := encoded(t, w)
	for at := range w.size() {
		for bit := range 8 {
			data[at] ^= 1 << bit
			_, err := Decode("x", data)
			typed(t, err)
			data[at] ^= 1 << bit
		}
	}
	_, err := Decode("x", data)
	require.NoError(t, err)
}

func TestFlippedSection(t *testing.T) {
	w := testWriter(20)
	data := encoded(t, w)
	for at := w.size(); at < int64(len(data)); at++ {
		data[at] ^= 4
		f, err := Decode("x", data)
		require.NoError(t, err)
		require.ErrorIs(t, f.Verify(), ErrCorrupt)
		data[at] ^= 4
	}
}

func TestTruncated(t *testing.T) {
	data := encoded(t, testWriter(20))
	for n := range data {
		_, err := Decode("x", data[:n])
		require.ErrorIs(t, err, ErrTruncated, n)
	}
	_, err := Decode("x", append(data, 0))
	require.ErrorIs(t, err, ErrCorrupt)
}

func TestTruncatedPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.test")
	require.NoError(t, testWriter(5000).WriteFile(path))
	info, err := os.Stat(path)
	require.NoError(t, err)
	for size := (info.Size() - 1) &^ 4095; size >= 0; size -= 4096 {
		require.NoError(t, os.Truncate(path, size))
		for _, load := range []bool{false, true} {
			_, err := Open(path, Options{Load: load})
			require.ErrorIs(t, err, ErrTruncated)
			require.ErrorContains(t, err, path)
		}
	}
}

// reseal makes the checksum of a damaged header right again.
func reseal(data []byte, size int64) {
	clear(data[40:44])
	binary.LittleEndian.PutUint32(data[40:], crc32.Checksum(data[:size], castagnoli))
}

// A header that passes its checksum may still be made up.
func TestForgedHeader(t *testing.T) {
	w := testWriter(20)
	good := encoded(t, w)
	size := w.size()
	rng := rand.New(rand.NewPCG(5, 5))
	for range 20000 {
		data := bytes.Clone(good)
		for range 1 + rng.IntN(3) {
			at := 12 + rng.Int64N(size-12)
			data[at] = byte(rng.Uint32())
		}
		reseal(data, size)
		f, err := Decode("x", data)
		if err != nil {
			typed(t, err)
			continue
		}
		if err := sections(f); err != nil {
			typed(t, err)
		}
	}
}

func TestForeign(t *testing.T) {
	for _, data := range []string{"PK\x03\x04 and more", "\x89PNG\r\n\x1a\n", "hello", "x"} {
		_, err := Decode("x", []byte(data))
		require.ErrorIs(t, err, ErrForeign)
	}
	_, err := Decode("x", nil)
	require.ErrorIs(t, err, ErrTruncated)
	data := encoded(t, testWriter(1))
	data[8]++
	_, err = Decode("x", data)
	require.ErrorIs(t, err, ErrVersion)

	folder := t.TempDir()
	_, err = Open(folder, Options{})
	require.Error(t, err)
	_, err = Open(filepath.Join(folder, "none"), Options{})
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = OpenFS(fstest.MapFS{}, "none")
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = Read("x", io.MultiReader(bytes.NewReader(data[:70]), iotestErr{}))
	require.ErrorIs(t, err, io.ErrClosedPipe)
}

type iotestErr struct{}

func (iotestErr) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestErrorText(t *testing.T) {
	f, err := Decode("de.graph", encoded(t, testWriter(8)))
	require.NoError(t, err)
	err = f.Fault("pairs", 2, "A is %d", 7)
	e := f.find("pairs")
	var typed *Error
	require.ErrorAs(t, err, &typed)
	require.Equal(t, Error{"de.graph", "pairs", e.offset + 16, typed.Err}, *typed)
	require.ErrorIs(t, err, ErrCorrupt)
	require.Regexp(t, `^de\.graph: section "pairs": offset \d+: A is 7: file is damaged; copy it again or build it again$`, err.Error())
}

var errDiskFull = errors.New("no space left")

// smallDisk fails after some bytes, and, if asked to, on sync.
type smallDisk struct {
	f        *os.File
	left     int
	failSync bool
}

func (d *smallDisk) Write(p []byte) (int, error) {
	if len(p) > d.left {
		n, _ := d.f.Write(p[:d.left])
		d.left = 0
		return n, errDiskFull
	}
	d.left -= len(p)
	return d.f.Write(p)
}

func (d *smallDisk) Sync() error {
	if d.failSync {
		return errDiskFull
	}
	return nil
}

func (d *smallDisk) Close() error { return d.f.Close() }

func TestDiskFull(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "x.test")
	old := testWriter(1)
	require.NoError(t, old.WriteFile(path))

	w := testWriter(50)
	size := len(encoded(t, w))
	write := func(dst io.Writer) error {
		_, err := w.WriteTo(dst)
		return err
	}
	for room := 0; room <= size; room += 7 {
		create := func(name string) (tempFile, error) {
			f, err := os.Create(name)
			return &smallDisk{f, room, true}, err
		}
		require.ErrorIs(t, writeAtomic(path, create, write), errDiskFull)
		onlyOld(t, path, old)
	}
	require.Panics(t, func() {
		_ = WriteAtomic(path, func(io.Writer) error { panic("bug") })
	})
	onlyOld(t, path, old)
	require.NoError(t, w.WriteFile(path))
	onlyOld(t, path, w)
	require.ErrorIs(t, w.WriteFile(filepath.Join(folder, "none", "x")), os.ErrNotExist)
}

// onlyOld requires that the folder of path holds only the given file.
func onlyOld(t *testing.T, path string, w *Writer) {
	t.Helper()
	list, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, list, 1)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, encoded(t, w), data)
}

func FuzzDecode(f *testing.F) {
	w := testWriter(4)
	good := encoded(f, w)
	f.Add(good, false)
	f.Add(good[:100], true)
	f.Add([]byte(magic), false)
	f.Fuzz(func(t *testing.T, data []byte, repair bool) {
		if repair && len(data) >= headerSize {
			// Let the fuzzer see behind the checksum.
			if n := int64(binary.LittleEndian.Uint32(data[20:])); n >= headerSize && n <= int64(len(data)) {
				data = bytes.Clone(data)
				reseal(data, n)
			}
		}
		file, err := Decode("x", data)
		if err != nil {
			typed(t, err)
			return
		}
		if err := sections(file); err != nil {
			typed(t, err)
		}
		if err := file.Verify(); err != nil {
			typed(t, err)
		}
	})
}
