package extract

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
)

func TestSortIDs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, span := range []int64{1, 2, 1000, 1 << 22, 1 << 40, math.MaxInt64} {
		for _, n := range []int{0, 1, 2, 100, 5000} {
			ids := make([]int64, n)
			for i := range ids {
				ids[i] = rng.Int64N(span) - span/2
			}
			want := slices.Sorted(slices.Values(ids))
			sortIDs(ids, make([]int64, n))
			require.Equal(t, want, append([]int64(nil), ids...))
		}
	}
	extremes := []int64{math.MaxInt64, 0, math.MinInt64, -1}
	sortIDs(extremes, make([]int64, 4))
	require.Equal(t, []int64{math.MinInt64, -1, 0, math.MaxInt64}, extremes)
}

func TestNodeIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	require.Equal(t, graph.InvalidPlace, newNodeIndex(nil).find(1))
	for _, n := range []int{1, 2, 3, 1000, 20000} {
		ids := make([]int64, n)
		for i := range ids {
			// Clustered, as ids of edits of one day are.
			ids[i] = rng.Int64N(5)*1e9 + rng.Int64N(int64(3*n)) - 100
		}
		slices.Sort(ids)
		ids = slices.Compact(ids)
		x := newNodeIndex(ids)
		for i, id := range ids {
			require.Equal(t, graph.PlaceID(i), x.find(id))
		}
		for range 2000 {
			id := rng.Int64N(6e9) - 1000
			want := graph.InvalidPlace
			if i, ok := slices.BinarySearch(ids, id); ok {
				want = graph.PlaceID(i)
			}
			require.Equal(t, want, x.find(id))
		}
		require.Equal(t, graph.InvalidPlace, x.find(math.MinInt64))
		require.Equal(t, graph.InvalidPlace, x.find(math.MaxInt64))
	}
}

func BenchmarkNodeIndex(b *testing.B) {
	ids := make([]int64, 1<<20)
	for i := range ids {
		ids[i] = int64(i) * 7919 % (1 << 33)
	}
	slices.Sort(ids)
	x := newNodeIndex(ids)
	i := 0
	for b.Loop() {
		i = (i + 7919) % len(ids)
		if x.find(ids[i]) == graph.InvalidPlace {
			b.Fatal("lost an id")
		}
	}
}
