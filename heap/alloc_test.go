//go:build !invariants

package heap

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/pool"
)

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	const nodes = 10_000
	for _, kind := range kinds {
		a := pool.New()
		h := kind.make(a, nodes)
		require.Zero(t, testing.AllocsPerRun(10, func() {
			for i := range uint32(4000) {
				h.Insert(i*7%nodes, int32(i*31%1009), Label{})
			}
			for range 3000 {
				node, key := h.DeleteMin()
				h.Relax((node*3+1)%nodes, key+5, Label{Parent: node})
			}
			h.Clear()
		}), kind.name)
	}
}
