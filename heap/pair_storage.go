package heap

import "github.com/fourway-routing/fourway/pool"

// PairStorage is one half of an [ArrayStorage] for two heaps, whose slots of a
// node lie side by side: where a bidirectional search settles a node in one
// direction, the slot that tells whether the other direction reached it is in the
// cache line just read.
type PairStorage[N Node] struct {
	slots []Slot // of node at 2*node
	owner bool
}

// NewPairStorage returns the two halves of a storage for the ids 0 to nodes-1.
// The memory belongs to the first; the second is dead when the first is released.
func NewPairStorage[N Node](memory *pool.Allocator, nodes int) (first, second *PairStorage[N]) {
	first, second = new(PairStorage[N]), new(PairStorage[N])
	first.init(memory, nodes)
	second.share(first)
	return first, second
}

func (s *PairStorage[N]) init(memory *pool.Allocator, nodes int) {
	// One slot more, so that the second half exists in a graph without nodes.
	s.slots = pool.Make[Slot](memory, 2*nodes+1)
	s.owner = true
}

func (s *PairStorage[N]) share(first *PairStorage[N]) { s.slots = first.slots[1:] }

func (s *PairStorage[N]) find(node N) Slot { return s.slots[2*uint64(node)] }

func (s *PairStorage[N]) set(_ *pool.Allocator, node N, slot Slot) { s.slots[2*uint64(node)] = slot }

func (s *PairStorage[N]) clear(int) {}

func (s *PairStorage[N]) shrink(*pool.Allocator) {}

func (s *PairStorage[N]) release(memory *pool.Allocator) {
	if s.owner {
		pool.Free(memory, s.slots)
	}
	s.slots = nil
}
