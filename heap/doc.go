// Package heap is the priority queue of all searches: a mutable d-ary heap of
// nodes that remembers what it removed, so that one structure serves as queue, as
// set of settled nodes, and as store of distances and parents.
//
// [QueryHeap] is the generic form. [ArrayHeap], [PairHeap], [HashHeap] and
// [TwoLevelHeap] are the same source written out for uint32 nodes, int32 keys and
// [Label] data, one per index storage, for hot loops: they take half the time of
// the generic form (BenchmarkHeap), because Go calls methods of a type parameter
// through a dictionary, and because key and slot fit one word, which orders
// siblings without branches.
//
//	a := pool.New()
//	h := heap.NewArrayHeap(a, nodes)
//	h.Insert(source, 0, heap.Label{})
//	for !h.Empty() {
//		node, key := h.DeleteMin()
//		for _, e := range edges[first[node]:first[node+1]] {
//			h.Relax(e.Head, key+e.Weight, heap.Label{Parent: node, Edge: e.ID})
//		}
//	}
//	h.Clear()
//
// # Order
//
// Nodes leave by key, and among equal keys in the order of their insertion. So
// the course of a search depends on its input alone, not on memory.
//
// # Cost
//
// Insert, DecreaseKey and IncreaseKey are O(log n), DeleteMin is O(d log n) with
// d = 4, every lookup is O(1), and Clear is O(1) but for a wipe of the hash table
// every 2^31 insertions. All memory comes from a [pool.Allocator]: once a heap has
// seen its largest search, it allocates nothing.
//
// # Lifetime and concurrency
//
// A heap belongs to the workspace whose allocator it uses, and to one goroutine
// at a time. Release gives its memory back; it may be skipped when the allocator
// is dropped too. Calls that break a stated condition are faults of the program;
// the build tag invariants makes them panic.
//
// The heap with back pointers follows Johnson (1975); keeping the records in the
// order of insertion and recognizing stale index entries by them is the sparse
// set of Briggs and Torczon (1993).
package heap
