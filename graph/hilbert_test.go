package graph

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
)

// Neighbors on the curve are neighbors on the map, and every cell has its place.
func TestHilbertKey(t *testing.T) {
	const side = 32
	type cell struct{ x, y uint32 }
	at := map[uint64]cell{}
	for x := range uint32(side) {
		for y := range uint32(side) {
			at[hilbertKey(x, y, hilbertOrder)] = cell{x, y}
		}
	}
	require.Len(t, at, side*side)
	for key := uint64(1); key < side*side; key++ {
		a, b := at[key-1], at[key]
		dx, dy := int(a.x)-int(b.x), int(a.y)-int(b.y)
		require.Equal(t, 1, dx*dx+dy*dy, "%d: %v %v", key, a, b)
	}
	const last = 1<<hilbertOrder - 1
	require.Less(t, hilbertKey(last, last, hilbertOrder), uint64(1)<<(2*hilbertOrder))
}

func TestSortHilbert(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 2, 1000} {
		items := make([]snapItem, n)
		for i := range items {
			// Few cells, so that some items share one.
			c := geo.Coord{Lon: rng.Int32N(20) * 17e6, Lat: rng.Int32N(20) * 3}
			items[i] = snapItem{From: c, To: c, Chain: ChainID(i)}
		}
		want := slices.Clone(items)
		slices.SortStableFunc(want, func(a, b snapItem) int {
			ka, kb := hilbertKeyOf(&a), hilbertKeyOf(&b)
			switch {
			case ka < kb:
				return -1
			case ka > kb:
				return 1
			}
			return 0
		})
		sortHilbert(items)
		require.Equal(t, want, items)
	}
}
