package contour

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/pool"
)

// TestOneMark: around one place there is one ring, of about the margin.
func TestOneMark(t *testing.T) {
	c := NewCanvas(pool.New())
	at := geo.FromLonLat(7.4, 43.7)
	c.Begin(0, at)
	c.Mark(10, 3)
	require.NoError(t, c.Draw(t.Context(), 0, 3))
	all := c.Polygons(3, 0)
	require.Len(t, all, 1)
	require.Len(t, all[0], 1)
	ring := all[0][0]
	require.Equal(t, ring[0], ring[len(ring)-1])
	for _, p := range ring {
		require.InDelta(t, 30, geo.Distance(at, geo.FromLonLat(p[0], p[1])), 5)
	}
}
