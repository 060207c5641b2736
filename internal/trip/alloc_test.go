//go:build !invariants

package trip

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/pool"
)

// The order is all that is allocated.
func TestSteadyStateAllocatesTheOrder(t *testing.T) {
	a := pool.New()
	for _, n := range []int{2, 12, 40} {
		m := streets(newRand(1), n)
		for _, k := range kinds {
			opt := k.options(n)
			opt.Allocator = a
			allocs := testing.AllocsPerRun(3, func() {
				if _, err := Solve(t.Context(), m, opt); err != nil {
					panic(err)
				}
			})
			require.LessOrEqual(t, allocs, 1.0, "%d stops, %v", n, k)
		}
	}
}
