package pool

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

type workspace struct {
	id    int
	bytes int
	used  bool
}

func TestBoundedReusesTheLastReturned(t *testing.T) {
	made := 0
	b := NewBounded(BoundedOptions[*workspace]{Max: 2, New: func() *workspace { made++; return &workspace{id: made} }})
	x, y, z := b.Get(), b.Get(), b.Get()
	require.Equal(t, BoundedStats{Lent: 3, MaxLent: 3, Made: 3}, b.Stats())
	b.Put(x)
	b.Put(y)
	b.Put(z)
	require.Equal(t, BoundedStats{Kept: 2, MaxLent: 3, Made: 3, Dropped: 1}, b.Stats())
	require.Same(t, y, b.Get())
	require.Same(t, x, b.Get())
	require.Equal(t, 4, b.Get().id)
	require.Equal(t, BoundedStats{Lent: 3, MaxLent: 3, Made: 4, Reused: 2, Dropped: 1}, b.Stats())
}

func TestBoundedKeepsWhatIsWorthKeeping(t *testing.T) {
	var dropped []*workspace
	b := NewBounded(BoundedOptions[*workspace]{
		Max:  4,
		New:  func() *workspace { return new(workspace) },
		Keep: func(w *workspace) bool { return w.bytes < 100 },
		Drop: func(w *workspace) { dropped = append(dropped, w) },
	})
	small, large := b.Get(), b.Get()
	large.bytes = 1000
	b.Put(large)
	b.Put(small)
	require.Equal(t, []*workspace{large}, dropped)

	b.Drain()
	require.Equal(t, []*workspace{large, small}, dropped)
	b.Put(b.Get())
	require.Equal(t, 1, b.Stats().Kept, "a drained list goes on")

	late := b.Get()
	b.Close()
	b.Close()
	b.Put(late)
	require.Equal(t, BoundedStats{MaxLent: 2, Made: 3, Reused: 1, Dropped: 3}, b.Stats())
	require.NotNil(t, b.Get(), "a closed list still lends")
}

func TestBoundedUnderLoad(t *testing.T) {
	b := NewBounded(BoundedOptions[*workspace]{Max: 3, New: func() *workspace { return new(workspace) }})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 2000 {
				w := b.Get()
				if w.used {
					t.Error("lent twice")
				}
				w.used = true
				w.id++
				w.used = false
				b.Put(w)
			}
		})
	}
	wg.Wait()
	s := b.Stats()
	require.Zero(t, s.Lent)
	require.LessOrEqual(t, s.Kept, 3)
	require.Equal(t, int64(8*2000), s.Made+s.Reused)
}

func TestBoundedDoesNotAllocate(t *testing.T) {
	b := NewBounded(BoundedOptions[*workspace]{Max: 1, New: func() *workspace { return new(workspace) }})
	require.Zero(t, testing.AllocsPerRun(100, func() { b.Put(b.Get()) }))
}
