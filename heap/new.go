package heap

import "github.com/fourway-routing/fourway/pool"

//go:generate go run ./internal/gen

// New returns an empty heap over an index storage that no other heap uses. All
// its memory comes from the allocator.
//
//	h := heap.New[uint32, float64, heap.Label](a, heap.NewHashStorage[uint32](a))
func New[N Node, W Weight, D any, S Storage[N]](memory *pool.Allocator, index S) *QueryHeap[N, W, D, S] {
	h := &QueryHeap[N, W, D, S]{index: index}
	h.init(memory)
	return h
}

// NewArrayHeap returns an empty heap for the ids 0 to nodes-1.
func NewArrayHeap(memory *pool.Allocator, nodes int) *ArrayHeap {
	h := new(ArrayHeap)
	h.index.init(memory, nodes)
	h.init(memory)
	return h
}

// NewPairHeaps returns the two empty heaps of a bidirectional search over the ids
// 0 to nodes-1, which share an index array. Release both.
func NewPairHeaps(memory *pool.Allocator, nodes int) (forward, backward *PairHeap) {
	forward, backward = new(PairHeap), new(PairHeap)
	forward.index.init(memory, nodes)
	backward.index.share(&forward.index)
	forward.init(memory)
	backward.init(memory)
	return forward, backward
}

// NewHashHeap returns an empty heap for any ids.
func NewHashHeap(memory *pool.Allocator) *HashHeap {
	h := new(HashHeap)
	h.index.init(memory)
	h.init(memory)
	return h
}

// NewTwoLevelHeap returns an empty heap for any ids, of which those below overlay
// are found by array and the others by hash.
func NewTwoLevelHeap(memory *pool.Allocator, overlay int) *TwoLevelHeap {
	h := new(TwoLevelHeap)
	h.index.init(memory, overlay)
	h.init(memory)
	return h
}
