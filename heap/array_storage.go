package heap

import "github.com/fourway-routing/fourway/pool"

// ArrayStorage keeps one slot per node of the graph, 4 bytes each. It is neither
// initialized nor wiped: a slot left by an earlier search is recognized because
// the record there names another node.
//
// It is the storage for searches that touch much of a graph, or for graphs whose
// ids are close where the search is.
type ArrayStorage[N Node] struct {
	slots []Slot
}

// NewArrayStorage returns a storage for the ids 0 to nodes-1.
func NewArrayStorage[N Node](memory *pool.Allocator, nodes int) *ArrayStorage[N] {
	s := new(ArrayStorage[N])
	s.init(memory, nodes)
	return s
}

func (s *ArrayStorage[N]) init(memory *pool.Allocator, nodes int) {
	s.slots = pool.Make[Slot](memory, nodes)
}

func (s *ArrayStorage[N]) find(node N) Slot { return s.slots[node] }

func (s *ArrayStorage[N]) set(_ *pool.Allocator, node N, slot Slot) { s.slots[node] = slot }

func (s *ArrayStorage[N]) clear(int) {}

func (s *ArrayStorage[N]) shrink(*pool.Allocator) {}

func (s *ArrayStorage[N]) release(memory *pool.Allocator) {
	pool.Free(memory, s.slots)
	s.slots = nil
}
