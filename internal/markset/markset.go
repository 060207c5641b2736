// Package markset keeps sets of small marks on numbers, for one query at a time.
//
// A Set belongs to one goroutine at a time.
package markset

import "github.com/fourway-routing/fourway/pool"

// Set maps numbers to marks, by open addressing in memory of an allocator. Its zero
// value is ready for Clear.
type Set struct {
	slots []slot
	n     int
}

type slot struct{ key, marks uint32 } // marks 0: free

const firstSlots = 1 << 10

// Clear removes all marks.
func (s *Set) Clear(memory *pool.Allocator) {
	if s.slots == nil {
		s.slots = pool.Make[slot](memory, firstSlots)
	}
	clear(s.slots)
	s.n = 0
}

// Release gives the memory back.
func (s *Set) Release(memory *pool.Allocator) {
	pool.Free(memory, s.slots)
	*s = Set{}
}

// Get returns the marks of a number, 0 if there is none.
func (s *Set) Get(key uint32) uint32 { return s.find(key).marks }

// Add puts a mark, which is not 0, on a number, and says whether all of it was
// there before.
func (s *Set) Add(memory *pool.Allocator, key, mark uint32) bool {
	m := s.find(key)
	if m.marks&mark == mark {
		return true
	}
	if m.marks == 0 {
		s.n++
	}
	*m = slot{key, m.marks | mark}
	if 2*s.n > len(s.slots) {
		s.grow(memory)
	}
	return false
}

// find returns the slot of a number, or a free one.
func (s *Set) find(key uint32) *slot {
	mask := uint32(len(s.slots) - 1)
	for i := key * 0x9e3779b1 >> 8; ; i++ {
		if m := &s.slots[i&mask]; m.marks == 0 || m.key == key {
			return m
		}
	}
}

func (s *Set) grow(memory *pool.Allocator) {
	old := s.slots
	s.slots = pool.MakeZeroed[slot](memory, 2*len(old))
	for _, m := range old {
		if m.marks != 0 {
			*s.find(m.key) = m
		}
	}
	pool.Free(memory, old)
}
