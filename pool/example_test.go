package pool_test

import (
	"fmt"

	"github.com/fourway-routing/fourway/pool"
)

func Example() {
	a := pool.New()
	ids := pool.Make[uint32](a, 3) // not zeroed
	copy(ids, []uint32{1, 2, 3})
	for id := range uint32(100) {
		ids = pool.Append(a, ids, id)
	}
	fmt.Println(len(ids), cap(ids), a.Live())
	pool.Free(a, ids)
	fmt.Println(a.Live(), a.HighWater())
	// Output:
	// 103 128 512
	// 0 768
}

// A workspace owns an allocator, and a Bounded lends workspaces.
func ExampleBounded() {
	type workspace struct{ memory *pool.Allocator }
	workspaces := pool.NewBounded(pool.BoundedOptions[*workspace]{
		Max: 2,
		New: func() *workspace { return &workspace{pool.New()} },
		Keep: func(w *workspace) bool {
			w.memory.Trim(64 << 20)
			return true
		},
	})
	defer workspaces.Close()

	for range 3 {
		w := workspaces.Get()
		s := pool.Make[int32](w.memory, 1000)
		pool.Free(w.memory, s)
		workspaces.Put(w)
	}
	s := workspaces.Stats()
	fmt.Println("made", s.Made, "reused", s.Reused)
	// Output: made 1 reused 2
}
