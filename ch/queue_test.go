package ch

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/pool"
)

func TestQueueSorts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	p := pool.New()
	for range 200 {
		var q queue
		var want []uint64
		for range rng.IntN(100) {
			x := rng.Uint64N(50)<<32 | rng.Uint64N(10)
			q.push(p, x)
			want = append(want, x)
			if rng.IntN(3) == 0 {
				least := slices.Min(want)
				require.Equal(t, least, q.pop())
				want = slices.Delete(want, slices.Index(want, least), slices.Index(want, least)+1)
			}
		}
		slices.Sort(want)
		for _, x := range want {
			require.Equal(t, x, q.pop())
		}
		require.Empty(t, q)
		pool.Free(p, q)
	}
	require.Zero(t, p.Live())
}
