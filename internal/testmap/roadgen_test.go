package testmap

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRoadsAreRoadLike(t *testing.T) {
	for _, n := range []int{20_000, 100_000} {
		g := Roads(n, 1)
		require.InEpsilon(t, n, g.NumNodes(), 0.1)
		require.InDelta(t, 2.05, float64(len(g.Arcs))/float64(g.NumNodes()), 0.1)
		require.Equal(t, g, Roads(n, 1))
	}
	require.NotEqual(t, Roads(1000, 1), Roads(1000, 2))
}
