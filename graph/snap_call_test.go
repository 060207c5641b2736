package graph

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/pool"
)

func nearest(t testing.TB, s *Snapper, c geo.Coord, count int, o SnapOptions) []Phantom {
	t.Helper()
	found, err := s.Nearest(t.Context(), c, count, o)
	require.NoError(t, err)
	return found
}

func candidates(t testing.TB, s *Snapper, c geo.Coord, o SnapOptions) (near, big []Phantom) {
	t.Helper()
	near, big, err := s.Candidates(t.Context(), c, o)
	require.NoError(t, err)
	return near, big
}

func within(t testing.TB, s *Snapper, c geo.Coord, meters float64, o SnapOptions) []Phantom {
	t.Helper()
	found, err := s.Within(t.Context(), c, meters, o)
	require.NoError(t, err)
	return found
}

// TestSnapEndsWhenTheContextIsDone: where no segment is admitted, or all are wanted, a
// search would look at the whole map.
func TestSnapEndsWhenTheContextIsDone(t *testing.T) {
	n, m := randomMap(rand.New(rand.NewPCG(2, 2)), mapOptions{
		chains: 30_000, maxPlaces: 8, center: geo.FromLonLat(-75.5, 39.2), size: 1_000_000, step: 700,
	})
	s := NewSnapper(n, m, pool.New())
	at := n.Coords[0]
	for looks := range 2 {
		ctx := func() *countdown { return &countdown{t.Context(), looks} }
		_, err := s.Nearest(ctx(), at, 1, SnapOptions{HasBearing: true, BearingRange: -1})
		require.ErrorIs(t, err, context.Canceled)
		_, _, err = s.Candidates(ctx(), at, SnapOptions{HasBearing: true, BearingRange: -1})
		require.ErrorIs(t, err, context.Canceled)
		_, err = s.Within(ctx(), at, 1e6, SnapOptions{})
		require.ErrorIs(t, err, context.Canceled)
	}
	for looks := range 30 {
		_, err := s.Nearest(&countdown{t.Context(), looks}, at, math.MaxInt, SnapOptions{})
		require.ErrorIs(t, err, context.Canceled)
	}
	require.Len(t, nearest(t, s, at, math.MaxInt, SnapOptions{}), len(n.Index.items))
}

// countdown is a context that is done when it was looked at so many times.
type countdown struct {
	context.Context
	looks int
}

func (c *countdown) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}
