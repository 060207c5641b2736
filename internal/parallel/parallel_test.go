package parallel

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestPiecesCoverAllOnce(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 5} {
		for _, n := range []int{0, 1, 7, 100} {
			for _, step := range []int{1, 3, 200} {
				seen := make([]int, n)
				require.NoError(t, Pieces(t.Context(), workers, n, step, func(worker, from, to int) error {
					require.Less(t, worker, max(1, workers))
					require.LessOrEqual(t, to-from, step)
					for i := from; i < to; i++ {
						seen[i]++
					}
					return nil
				}))
				for i := range seen {
					require.Equal(t, 1, seen[i])
				}
			}
		}
	}
}

func TestTheFirstErrorCounts(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		var calls atomic.Int32
		err := Each(t.Context(), workers, 1000, func(_, i int) error {
			calls.Add(1)
			if i >= 20 {
				return fmt.Errorf("piece %d", i)
			}
			return nil
		})
		require.EqualError(t, err, "piece 20")
		require.LessOrEqual(t, calls.Load(), int32(20+workers))
	}
}

func TestPanicsAreErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, what := range []any{broken, "no way"} {
		err := Each(t.Context(), 3, 100, func(_, i int) error {
			if i == 50 {
				panic(what)
			}
			return nil
		})
		require.ErrorContains(t, err, fmt.Sprint(what))
		require.Equal(t, what == any(broken), errors.Is(err, broken))
	}
	var fault runtime.Error
	require.ErrorAs(t, Each(t.Context(), 2, 9, func(_, i int) error {
		_ = make([]int, 3)[i]
		return nil
	}), &fault)
}

func TestADoneContextEndsTheWork(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	err := Each(ctx, 1, 100, func(_, i int) error {
		calls++
		cancel()
		return errors.New("other")
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, calls)
	require.ErrorIs(t, Each(ctx, 2, 0, nil), context.Canceled)
}

func TestWorkers(t *testing.T) {
	require.Equal(t, 3, Workers(3))
	require.Equal(t, runtime.GOMAXPROCS(0), Workers(0))
	require.Equal(t, runtime.GOMAXPROCS(0), Workers(-1))
}
