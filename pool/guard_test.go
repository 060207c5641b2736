//go:build invariants

package pool

import (
	"testing"
)

func TestGuardFindsMisuse(t *testing.T) {
	for _, a := range []*Allocator{New(), NewPlain(), NewKind(SyncPool)} {
		s := Make[uint32](a, 100)
		requirePanics(t, "not a live block", func() { Free(a, s[1:]) })
		a.guard.leave()
		requirePanics(t, "its block 128", func() { Free(a, s[:10:10]) })
		a.guard.leave()
		requirePanics(t, "not a live block", func() { Free(a, make([]uint32, 128)) })
		a.guard.leave()
		Free(a, s)
		requirePanics(t, "freed twice", func() { Free(a, s) })
		a.guard.leave()
		s = Make[uint32](a, 100)
		a.Reset()
		requirePanics(t, "not a live block", func() { Free(a, s) })
		requirePanics(t, "two goroutines", func() { Make[uint32](a, 1) })
	}
}
