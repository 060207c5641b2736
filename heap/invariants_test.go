//go:build invariants

package heap

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/pool"
)

func TestBrokenConditionsPanic(t *testing.T) {
	for _, kind := range kinds {
		h := kind.make(pool.New(), 10)
		h.Insert(1, 5, Label{})
		h.Insert(2, 9, Label{})
		require.PanicsWithValue(t, "heap: node was inserted before", func() { h.Insert(1, 1, Label{}) }, kind.name)
		require.Panics(t, func() { h.Key(3) }, kind.name)
		require.Panics(t, func() { h.SetData(3, Label{}) }, kind.name)
		require.Panics(t, func() { h.DecreaseKey(1, 6) }, kind.name)
		require.Panics(t, func() { h.IncreaseKey(1, 4) }, kind.name)
		h.DeleteMin()
		require.Panics(t, func() { h.DecreaseKey(1, 4) }, kind.name)
		require.Panics(t, func() { h.IncreaseKey(1, 6) }, kind.name)
	}
}
