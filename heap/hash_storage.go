package heap

import (
	"math/bits"

	"github.com/fourway-routing/fourway/pool"
)

const (
	firstCells = 512
	// lastTag is where tags start over, which leaves a search 2^31 insertions.
	lastTag = 1 << 31
)

// cell is one place of a [HashStorage]. Its tag is the slot plus the sum of all
// insertions before the last clear, so a tag below that sum is of an earlier
// search and marks the cell as free.
type cell[N Node] struct {
	node N
	tag  uint32
}

// HashStorage keeps a slot per node reached, in an open-addressing table of
// 8-byte cells (16 for 64-bit ids) that is at most half full. It doubles when
// needed and is cleared in constant time.
//
// It is the storage for searches that touch little of a large graph, whose table
// stays in the first level cache: witness searches, local searches, and searches
// over scattered ids. Between two clears it takes up to 2^31 nodes.
type HashStorage[N Node] struct {
	cells []cell[N]
	base  uint32 // smallest tag of this search
	shift uint8
	used  int
}

// NewHashStorage returns an empty storage.
func NewHashStorage[N Node](memory *pool.Allocator) *HashStorage[N] {
	s := new(HashStorage[N])
	s.init(memory)
	return s
}

func (s *HashStorage[N]) init(memory *pool.Allocator) {
	s.base = 1
	s.used = 0
	s.make(memory, firstCells)
}

func (s *HashStorage[N]) make(memory *pool.Allocator, cells int) {
	s.cells = pool.MakeZeroed[cell[N]](memory, cells)
	s.shift = uint8(64 - bits.Len(uint(cells-1)))
}

// home returns the first cell to try, by Fibonacci hashing: neighbors in id get
// cells far apart, and no two of a run of ids share one early.
func (s *HashStorage[N]) home(node N) uint {
	return uint(uint64(node) * 0x9e3779b97f4a7c15 >> (s.shift & 63))
}

func (s *HashStorage[N]) find(node N) Slot {
	cells := s.cells
	for i := s.home(node); ; i++ {
		c := &cells[i&uint(len(cells)-1)]
		if c.tag < s.base {
			return none
		}
		if c.node == node {
			return Slot(c.tag - s.base)
		}
	}
}

func (s *HashStorage[N]) set(memory *pool.Allocator, node N, slot Slot) {
	if 2*s.used >= len(s.cells) {
		s.grow(memory)
	}
	s.used++
	s.put(cell[N]{node, s.base + uint32(slot)})
}

func (s *HashStorage[N]) put(c cell[N]) {
	cells := s.cells
	i := s.home(c.node) & uint(len(cells)-1)
	for cells[i].tag >= s.base {
		i = (i + 1) & uint(len(cells)-1)
	}
	cells[i] = c
}

func (s *HashStorage[N]) grow(memory *pool.Allocator) {
	old := s.cells
	s.make(memory, 2*len(old))
	for _, c := range old {
		if c.tag >= s.base {
			s.put(c)
		}
	}
	pool.Free(memory, old)
}

func (s *HashStorage[N]) clear(count int) {
	s.used = 0
	s.base += uint32(count)
	if s.base > lastTag {
		clear(s.cells)
		s.base = 1
	}
}

func (s *HashStorage[N]) shrink(memory *pool.Allocator) {
	s.release(memory)
	s.init(memory)
}

func (s *HashStorage[N]) release(memory *pool.Allocator) {
	pool.Free(memory, s.cells)
	s.cells = nil
}
