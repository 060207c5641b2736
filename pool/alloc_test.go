//go:build !invariants

package pool

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	a := New()
	work := func() {
		var s []label
		for i := range uint32(1000) {
			s = Append(a, s, label{parent: i})
		}
		u := MakeZeroed[uint32](a, 5000)
		v := Grow(a, Make[uint8](a, 10), 100_000)
		Free(a, s)
		Free(a, u)
		Free(a, v)
	}
	require.Zero(t, testing.AllocsPerRun(100, work))
}
