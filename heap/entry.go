package heap

import "math/bits"

// arity is the number of children of a heap entry. Four is faster than two and
// eight in BenchmarkHeap; four entries of a generated heap are half a cache line.
const arity = 4

// entry is one place in the heap: the key, and the slot of the record, which
// breaks ties in favor of the node inserted first.
type entry[W Weight] struct {
	k W
	s Slot
}

func pack[W Weight](key W, slot Slot) entry[W] { return entry[W]{key, slot} }

func (e entry[W]) key() W     { return e.k }
func (e entry[W]) slot() Slot { return e.s }

func (e entry[W]) before(o entry[W]) bool {
	return e.k < o.k || e.k == o.k && e.s < o.s
}

// first returns the entry that leaves the heap first.
func first[W Weight](a, b entry[W]) entry[W] {
	if b.before(a) {
		return b
	}
	return a
}

// entry32 is the entry of the generated heaps: key and slot in one word, the key
// above and biased to be unsigned, so that one comparison orders both.
type entry32 uint64

const bias32 = 1 << 31

func pack32(key int32, slot Slot) entry32 {
	return entry32(uint32(key)^bias32)<<32 | entry32(slot)
}

func (e entry32) key() int32            { return int32(uint32(e>>32) ^ bias32) }
func (e entry32) slot() Slot            { return Slot(e) }
func (e entry32) before(o entry32) bool { return e < o }

// first32 is first by arithmetic: nobody can predict which of two siblings comes
// first, and in a loop the compiler makes a branch of the built-in min.
func first32(a, b entry32) entry32 {
	d, borrow := bits.Sub64(uint64(a), uint64(b), 0)
	return b + entry32(d&-borrow)
}
