package graph

import (
	"math/rand/v2"
	"testing"

	"github.com/fourway-routing/fourway/heap"
	"github.com/fourway-routing/fourway/pool"
)

// BenchmarkSnapQueue puts boxes in a queue and takes them out nearest first, as
// many as a search for the nearest segment does.
func BenchmarkSnapQueue(b *testing.B) {
	const boxes = 48
	rng := rand.New(rand.NewPCG(1, 1))
	keys := make([]uint64, 1<<12)
	for i := range keys {
		keys[i] = rng.Uint64N(1 << 50)
	}
	b.Run("queue=own", func(b *testing.B) {
		s := &Snapper{alloc: pool.New()}
		at := 0
		for b.Loop() {
			s.queue = s.queue[:0]
			for box := range uint32(boxes) {
				s.pushNode(snapNode{keys[at&(len(keys)-1)], box, 3})
				at++
			}
			for len(s.queue) > 0 {
				s.popNode()
			}
		}
	})
	b.Run("queue=heap", func(b *testing.B) {
		a := pool.New()
		q := heap.New[uint32, uint64, uint32](a, heap.NewHashStorage[uint32](a))
		at := 0
		for b.Loop() {
			q.Clear()
			for box := range uint32(boxes) {
				q.Insert(box, keys[at&(len(keys)-1)], 3)
				at++
			}
			for !q.Empty() {
				q.DeleteMin()
			}
		}
	})
}
