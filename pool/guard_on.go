//go:build invariants

package pool

import (
	"fmt"
	"sync/atomic"
)

// invariants tells whether the guard is on.
const invariants = true

// guard checks the use of an [Allocator]: blocks are freed once, whole, and by
// the allocator that made them, and two goroutines never meet inside it.
type guard struct {
	busy atomic.Bool
	// live maps a pointer to the first element of a block to its capacity.
	live map[any]int
}

func (g *guard) enter() {
	if !g.busy.CompareAndSwap(false, true) {
		panic("pool: allocator used by two goroutines at once")
	}
}

func (g *guard) leave() { g.busy.Store(false) }

func (g *guard) reset() { clear(g.live) }

func made[T any](g *guard, s []T) {
	if g.live == nil {
		g.live = make(map[any]int)
	}
	g.live[&s[0]] = cap(s)
}

func freed[T any](g *guard, s []T) {
	s = s[:cap(s)]
	n, ok := g.live[&s[0]]
	if !ok {
		panic(fmt.Sprintf("pool: slice of %T is not a live block: freed twice, or not from this allocator", s))
	}
	if n != len(s) {
		panic(fmt.Sprintf("pool: slice of %T has capacity %d, its block %d", s, len(s), n))
	}
	delete(g.live, &s[0])
}
