package heap_test

import (
	"fmt"

	"github.com/fourway-routing/fourway/heap"
	"github.com/fourway-routing/fourway/pool"
)

// Dijkstra's algorithm on a graph in adjacency arrays.
func Example() {
	type edge struct {
		head   uint32
		weight int32
	}
	first := []int{0, 2, 4, 5, 5}
	edges := []edge{{1, 4}, {2, 1}, {2, 7}, {3, 1}, {1, 2}}

	h := heap.NewArrayHeap(pool.New(), len(first)-1)
	h.Insert(0, 0, heap.Label{})
	for !h.Empty() {
		node, key := h.DeleteMin()
		for e := first[node]; e < first[node+1]; e++ {
			h.Relax(edges[e].head, key+edges[e].weight, heap.Label{Parent: node, Edge: uint32(e)})
		}
	}
	for _, r := range h.Records() {
		fmt.Printf("node %d: distance %d, from %d\n", r.Node, r.Key, r.Data.Parent)
	}
	// Output:
	// node 0: distance 0, from 0
	// node 1: distance 3, from 2
	// node 2: distance 1, from 0
	// node 3: distance 4, from 1
}

// A heap of other types, here with floating point keys.
func ExampleNew() {
	a := pool.New()
	h := heap.New[uint64, float64, struct{}](a, heap.NewHashStorage[uint64](a))
	h.Insert(1<<40, 2.5, struct{}{})
	h.Insert(7, 1.5, struct{}{})
	h.DecreaseKey(1<<40, 0.5)
	fmt.Println(h.DeleteMin())
	fmt.Println(h.DeleteMin())
	// Output:
	// 1099511627776 0.5
	// 7 1.5
}
