package mld

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/pool"
)

// The cells that a search touches, counted by the numbers of cells instead of
// codes.
func TestCellsTouched(t *testing.T) {
	p := delaware(t)
	rng := rand.New(rand.NewPCG(4, 5))
	s := p.overlay.NewSearch(pool.New())
	c := p.overlay.Cells()
	most := 0
	for range 50 {
		_, _, err := s.Shortest(t.Context(), randomSeed(rng, p.expanded, true), randomSeed(rng, p.expanded, false))
		require.NoError(t, err)
		want := map[[2]int]bool{}
		for _, h := range s.heaps {
			for _, r := range h.Records() {
				level := 0
				if r.Node < c.levels[0].border {
					level = levelOf(c, s.codes, r.Node)
				}
				cell := c.leafOf(r.Node)
				for l := 1; l < level; l++ {
					cell = c.levels[l-1].parent[cell]
				}
				want[[2]int{level, int(cell)}] = true
			}
		}
		require.Equal(t, len(want), s.Cells())
		most = max(most, len(want))
	}
	require.Greater(t, most, 5)
}
