package heap

import "github.com/fourway-routing/fourway/pool"

// TwoLevelStorage is an [ArrayStorage] for the ids below a bound and a
// [HashStorage] for the others. It suits a graph whose first ids are the nodes of
// an overlay, which a search visits often, and whose other nodes it visits near
// its ends only.
type TwoLevelStorage[N Node] struct {
	bound   N
	overlay ArrayStorage[N]
	rest    HashStorage[N]
}

// NewTwoLevelStorage returns a storage that keeps the ids 0 to overlay-1 in the
// array.
func NewTwoLevelStorage[N Node](memory *pool.Allocator, overlay int) *TwoLevelStorage[N] {
	s := new(TwoLevelStorage[N])
	s.init(memory, overlay)
	return s
}

func (s *TwoLevelStorage[N]) init(memory *pool.Allocator, overlay int) {
	s.bound = N(overlay)
	s.overlay.init(memory, overlay)
	s.rest.init(memory)
}

func (s *TwoLevelStorage[N]) find(node N) Slot {
	if node < s.bound {
		return s.overlay.find(node)
	}
	return s.rest.find(node)
}

func (s *TwoLevelStorage[N]) set(memory *pool.Allocator, node N, slot Slot) {
	if node < s.bound {
		s.overlay.set(memory, node, slot)
	} else {
		s.rest.set(memory, node, slot)
	}
}

func (s *TwoLevelStorage[N]) clear(count int) { s.rest.clear(count) }

func (s *TwoLevelStorage[N]) shrink(memory *pool.Allocator) { s.rest.shrink(memory) }

func (s *TwoLevelStorage[N]) release(memory *pool.Allocator) {
	s.overlay.release(memory)
	s.rest.release(memory)
}
