package extract

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParallel(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		var done [100]atomic.Int32
		require.NoError(t, parallel(t.Context(), workers, len(done), func(worker, chunk int) error {
			require.Less(t, worker, workers)
			done[chunk].Add(1)
			return nil
		}))
		for i := range done {
			require.Equal(t, int32(1), done[i].Load())
		}
		require.ErrorContains(t, parallel(t.Context(), workers, 3, func(int, int) error { panic("no way") }), "panic: no way")
		err := parallel(t.Context(), 1, 9, func(_, chunk int) error { return fmt.Errorf("chunk %d", chunk) })
		require.EqualError(t, err, "chunk 0")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, parallel(ctx, 2, 3, func(int, int) error { return nil }), context.Canceled)
	require.NoError(t, parallel(ctx, 2, 0, nil))
}
