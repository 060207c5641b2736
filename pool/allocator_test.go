package pool

import (
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

type label struct {
	parent, edge uint32
	weight       int32
}

func TestMakeFillsItsClass(t *testing.T) {
	for _, c := range []struct {
		name     string
		n        int
		wantCap  int
		wantLive int64
	}{
		{"one element takes a cache line", 1, 16, 64},
		{"full line", 16, 16, 64},
		{"one more", 17, 32, 128},
		{"power of two", 1024, 1024, 4096},
		{"one past a power of two", 1025, 2048, 8192},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := New()
			s := Make[uint32](a, c.n)
			require.Len(t, s, c.n)
			require.Equal(t, c.wantCap, cap(s))
			require.Equal(t, c.wantLive, a.Live())
			Free(a, s)
			require.Zero(t, a.Live())
			require.Equal(t, c.wantLive, a.HighWater())
		})
	}
}

func TestMakeZeroIsNil(t *testing.T) {
	a := New()
	s := Make[uint32](a, 0)
	require.Nil(t, s)
	Free(a, s)
	require.Equal(t, Stats{}, a.Stats())
	require.Equal(t, []uint32{5}, Append(a, s, 5))
}

func TestElementsWithoutSizeTakeNoMemory(t *testing.T) {
	a := New()
	s := Make[struct{}](a, 10)
	require.Len(t, s, 10)
	Free(a, s)
	require.Zero(t, a.Held())
}

// Capacities lead back to the class they came from, whatever the element size.
func TestEveryElementSizeComesBack(t *testing.T) {
	a := New()
	for n := 1; n < 200; n++ {
		roundTrip[uint8](t, a, n)
		roundTrip[uint16](t, a, n)
		roundTrip[[3]byte](t, a, n)
		roundTrip[label](t, a, n)
		roundTrip[[5]uint32](t, a, n)
		roundTrip[[33]uint64](t, a, n)
		roundTrip[complex128](t, a, n)
	}
	require.Zero(t, a.Live())
}

func roundTrip[T any](t *testing.T, a *Allocator, n int) {
	t.Helper()
	s := Make[T](a, n)
	live := a.Live()
	require.GreaterOrEqual(t, cap(s), n)
	require.LessOrEqual(t, uintptr(cap(s))*unsafe.Sizeof(s[0]), uintptr(live))
	require.Zero(t, uintptr(unsafe.Pointer(&s[0]))%unsafe.Alignof(s[0]))
	Free(a, s)
	require.Zero(t, a.Live())
	again := Make[T](a, cap(s))
	require.Equal(t, live, a.Live())
	Free(a, again)
}

func TestBlocksDoNotOverlap(t *testing.T) {
	a := New()
	var blocks [][]uint32
	for i := range 3000 {
		s := Make[uint32](a, 1+i*i%5000)
		s = s[:cap(s)]
		for j := range s {
			s[j] = uint32(i)
		}
		blocks = append(blocks, s)
	}
	for i, s := range blocks {
		require.Equal(t, -1, slices.IndexFunc(s, func(v uint32) bool { return v != uint32(i) }))
		Free(a, s)
	}
	require.Zero(t, a.Live())
}

func TestFreedBlockServesNextMake(t *testing.T) {
	a := New()
	s := Make[uint64](a, 100)
	p := &s[0]
	Free(a, s[:3])
	held := a.Held()
	require.Same(t, p, &Make[uint64](a, 70)[0])
	require.Equal(t, held, a.Held())
}

func TestMakeZeroed(t *testing.T) {
	a := New()
	s := Make[int32](a, 40)
	for i := range s {
		s[i] = -1
	}
	Free(a, s)
	require.Equal(t, make([]int32, 40), MakeZeroed[int32](a, 40))
}

func TestGrowKeepsContent(t *testing.T) {
	a := New()
	s := Make[uint32](a, 16)
	for i := range s {
		s[i] = uint32(i)
	}
	p := &s[0]
	s = Grow(a, s[:4], 16)
	require.Same(t, p, &s[0], "no move within the capacity")
	s = Grow(a, s, 1000)
	require.Len(t, s, 1000)
	for i := range 16 {
		require.Equal(t, uint32(i), s[i])
	}
	require.Equal(t, int64(4096), a.Live(), "old block is free")
	require.Len(t, Grow(a, s, 2), 2)
}

func TestAppendLikeBuiltin(t *testing.T) {
	a := New()
	var s []label
	var want []label
	for i := range uint32(5000) {
		v := label{i, i * 3, -int32(i)}
		s, want = Append(a, s, v), append(want, v)
	}
	require.Equal(t, want, s)
	Free(a, s)
	require.Zero(t, a.Live())
}

func TestElementsWithPointersPanic(t *testing.T) {
	a := New()
	const want = "contains pointers"
	requirePanics(t, want, func() { Make[*int](a, 1) })
	requirePanics(t, want, func() { Make[string](a, 1) })
	requirePanics(t, want, func() { Make[[]byte](a, 1) })
	requirePanics(t, want, func() { Make[any](a, 1) })
	requirePanics(t, want, func() { Make[func()](a, 1) })
	requirePanics(t, want, func() { Make[chan int](a, 1) })
	requirePanics(t, want, func() { Make[map[int]int](a, 1) })
	requirePanics(t, want, func() { Make[unsafe.Pointer](a, 1) })
	requirePanics(t, want, func() { Make[struct{ a [2]struct{ s string } }](a, 1) })
	require.NotPanics(t, func() { Make[struct{ a [2]struct{ b bool } }](a, 1) })
	require.NotPanics(t, func() {
		Make[struct {
			none [0]string
			n    int
		}](a, 1)
	})
}

func TestLengthOutOfRangePanics(t *testing.T) {
	a := New()
	requirePanics(t, "out of range", func() { Make[uint64](a, -1) })
	requirePanics(t, "out of range", func() { Make[uint64](a, math.MaxInt) })
	require.Zero(t, a.Live())
}

func requirePanics(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		got, _ := recover().(string)
		require.Contains(t, got, want)
	}()
	f()
}

func TestPlainDropsAtFree(t *testing.T) {
	a := NewPlain()
	s := Make[uint32](a, 20)
	require.Equal(t, 32, cap(s))
	s = Grow(a, s, 100)
	require.Equal(t, int64(512), a.Live())
	Free(a, s)
	require.Equal(t, Stats{HighWater: 640}, a.Stats())
	require.Equal(t, make([]uint32, 20), MakeZeroed[uint32](a, 20))
	a.Trim(0)
	a.Reset()
	require.Zero(t, a.Live())
}

func TestStatsCountClasses(t *testing.T) {
	a := New()
	Free(a, Make[uint32](a, 10))
	Make[uint32](a, 1000)
	Make[uint32](a, 1000)
	s := a.Stats()
	require.Equal(t, int64(8192), s.Live)
	require.Equal(t, int64(8192), s.HighWater)
	require.GreaterOrEqual(t, s.Held, s.Live+64)
	require.Equal(t, []ClassStats{{64, 0, 1}, {4096, 2, 0}}, s.Classes)
}

func TestTrimKeepsLiveBlocks(t *testing.T) {
	a := New()
	keep := Make[uint32](a, 1000)
	for i := range keep {
		keep[i] = uint32(i)
	}
	for range 3 {
		var blocks [][]uint64
		for n := 1; n <= 1<<21; n *= 2 {
			blocks = append(blocks, Make[uint64](a, n))
		}
		for _, s := range blocks {
			Free(a, s)
		}
		before := a.Held()
		a.Trim(before)
		require.Equal(t, before, a.Held())
		a.Trim(4 << 20)
		require.LessOrEqual(t, a.Held(), int64(4<<20))
		require.Equal(t, int64(4096), a.Live())
	}
	for i, v := range keep {
		require.Equal(t, uint32(i), v)
	}
	a.Trim(0)
	require.Positive(t, a.Held())
	Free(a, keep)
	a.Trim(0)
	require.Equal(t, Stats{HighWater: a.HighWater()}, a.Stats())
	require.Len(t, Make[uint32](a, 5), 5)
}

func TestResetReusesMemory(t *testing.T) {
	a := New()
	fill := func() {
		for n := 1; n <= 1<<19; n *= 2 {
			for range 3 {
				s := Make[uint64](a, n)
				s[0], s[n-1] = 1, 2
			}
		}
	}
	fill()
	live, held := a.Live(), a.Held()
	a.Reset()
	require.Zero(t, a.Live())
	fill()
	require.Equal(t, live, a.Live())
	require.Equal(t, held, a.Held())
	a.Reset()
	a.Trim(0)
	require.Zero(t, a.Held())
}
