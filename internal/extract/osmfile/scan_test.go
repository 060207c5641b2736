package osmfile

import (
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/osmdata"
)

func isAny(err error, kinds ...error) bool {
	return slices.ContainsFunc(kinds, func(k error) bool { return errors.Is(err, k) })
}

// manyBlocks is a file of n blocks, block i holding the one node i+1 unless replaced.
func manyBlocks(t testing.TB, n int, replaced map[int]pb) []byte {
	blocks := make([]pb, n)
	for i := range blocks {
		blocks[i] = block(table(), pb{}.bytes(2, pb{}.deltas(1, int64(i+1)).deltas(8, 1).deltas(9, 1)))
		if b, ok := replaced[i]; ok {
			blocks[i] = b
		}
	}
	return pbf(t, header(), deflated, blocks...)
}

func TestBlocksArriveInFileOrderAfterParallel(t *testing.T) {
	f, err := openBytes(manyBlocks(t, 200, nil))
	require.NoError(t, err)
	for _, workers := range []int{1, 2, 7} {
		var parallel, most atomic.Int32
		inParallel := make([]bool, 201)
		next, lastSeq := int64(1), -1
		var lastDone int64
		stats, err := f.Scan(t.Context(), Options{Want: Nodes, Workers: workers, Progress: func(done, total int64) {
			require.GreaterOrEqual(t, done, lastDone)
			require.Equal(t, f.Size(), total)
			lastDone = done
		}}, Handler{
			Parallel: func(b *Block) error {
				if n := parallel.Add(1); n > most.Load() {
					most.Store(n)
				}
				defer parallel.Add(-1)
				require.Less(t, b.Worker, workers)
				inParallel[b.NodeIDs[0]] = true
				return nil
			},
			Ordered: func(b *Block) error {
				require.Equal(t, next, int64(b.NodeIDs[0]))
				require.True(t, inParallel[next])
				require.Greater(t, b.Seq, lastSeq)
				lastSeq = b.Seq
				next++
				return nil
			},
		})
		require.NoError(t, err)
		require.Equal(t, Stats{Blocks: 200, Nodes: 200, NodesSorted: true}, stats)
		require.LessOrEqual(t, int(most.Load()), workers)
		require.Equal(t, f.Size(), lastDone)
	}
}

// The error is that of the earliest bad block, and what stands before it has been delivered.
func TestFirstErrorInFileOrderWins(t *testing.T) {
	bad := block(table(), pb{}.bytes(3, pb{}.varint(1, 7).packed(2, 1)))
	f, err := openBytes(manyBlocks(t, 60, map[int]pb{31: bad, 32: bad, 33: bad}))
	require.NoError(t, err)
	for range 20 {
		seen := 0
		_, err = f.Scan(t.Context(), Options{Want: All, Workers: 5}, Handler{Ordered: func(*Block) error { seen++; return nil }})
		var e *Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, 32, e.Block) // the header is blob 0
		require.Equal(t, 31, seen)
	}
}

func TestHandlerErrorsAndPanicsEndTheScan(t *testing.T) {
	f, err := openBytes(manyBlocks(t, 50, nil))
	require.NoError(t, err)
	cause := errors.New("enough")
	fails := func(at int, with func() error) func(*Block) error {
		return func(b *Block) error {
			if int(b.NodeIDs[0]) == at {
				return with()
			}
			return nil
		}
	}
	for _, workers := range []int{1, 4} {
		opts := Options{Want: All, Workers: workers}
		_, err = f.Scan(t.Context(), opts, Handler{Parallel: fails(20, func() error { return cause })})
		require.Equal(t, cause, err)
		_, err = f.Scan(t.Context(), opts, Handler{Ordered: fails(20, func() error { return cause })})
		require.Equal(t, cause, err)
		_, err = f.Scan(t.Context(), opts, Handler{Parallel: fails(20, func() error { panic("ouch") })})
		require.ErrorContains(t, err, "panic: ouch")
		_, err = f.Scan(t.Context(), opts, Handler{Ordered: fails(20, func() error { panic("ouch") })})
		require.ErrorContains(t, err, "panic: ouch")
		_, err = f.Scan(t.Context(), opts, Handler{Ordered: fails(20, func() error { return io.EOF })})
		require.Equal(t, io.EOF, err)
		_, err = f.Scan(t.Context(), opts, Handler{Parallel: fails(20, func() error { runtime.Goexit(); return nil })})
		require.ErrorContains(t, err, "ended its goroutine")
	}
}

func TestNodesSorted(t *testing.T) {
	for want, ids := range map[bool][][]int64{true: {{-5, 1}, {2}, {3, 4}}, false: {{1, 2}, {2, 3}}} {
		var blocks []pb
		for _, list := range ids {
			zeros := make([]int64, len(list))
			blocks = append(blocks, block(table(), pb{}.bytes(2, pb{}.deltas(1, list...).deltas(8, zeros...).deltas(9, zeros...))), wayBlock)
		}
		got, err := readAll(pbf(t, header(), stored, blocks...), Options{Want: Nodes})
		require.NoError(t, err)
		require.Equal(t, want, got.Stats.NodesSorted)
	}
}

func TestCancellation(t *testing.T) {
	for _, path := range []string{osmdata.Delaware(t), osmdata.Andorra(t)} {
		f, err := Open(path)
		require.NoError(t, err)
		done, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = f.Scan(done, Options{Want: All}, Handler{})
		require.Equal(t, context.Canceled, err)

		ctx, cancel := context.WithCancel(t.Context())
		var at time.Time
		_, err = f.Scan(ctx, Options{Want: All}, Handler{Ordered: func(*Block) error {
			if at.IsZero() {
				at = time.Now()
				cancel()
			}
			return nil
		}})
		require.Equal(t, context.Canceled, err)
		require.Less(t, time.Since(at), time.Second) // far less on an idle machine
		cancel()
	}
}

// A warm worker allocates strings, and otherwise nothing that grows with the number of blocks.
func TestAllocationsPerBlock(t *testing.T) {
	allocs := func(blocks int) float64 {
		f, err := openBytes(manyBlocks(t, blocks, nil))
		require.NoError(t, err)
		scan := func() {
			_, err := f.Scan(t.Context(), Options{Want: Nodes, Workers: 1}, Handler{})
			require.NoError(t, err)
		}
		scan()
		return testing.AllocsPerRun(5, scan)
	}
	require.LessOrEqual(t, allocs(220)-allocs(20), 2.0)
}
