package heap

import "github.com/fourway-routing/fourway/pool"

// Storage is an index of a [QueryHeap]: it maps a node to its slot. It is
// fulfilled by [*ArrayStorage], [*PairStorage], [*HashStorage] and
// [*TwoLevelStorage].
type Storage[N Node] interface {
	// find returns the slot that was set for the node since the last clear. For
	// another node it may return anything: the heap compares the record.
	find(node N) Slot
	set(memory *pool.Allocator, node N, slot Slot)
	// clear forgets all nodes; slots up to count-1 were set.
	clear(count int)
	// shrink gives back what set has grown. It follows a clear.
	shrink(memory *pool.Allocator)
	release(memory *pool.Allocator)
}
