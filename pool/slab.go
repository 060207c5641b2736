//go:build !nounsafe

package pool

import (
	"cmp"
	"slices"
	"sync"
	"unsafe"
)

const (
	firstSlab = 20 // 1 MiB
	lastSlab  = 26 // 64 MiB
)

// store keeps memory as slabs of words, which the collector does not scan, and
// free blocks as pointers to their first byte.
type store struct {
	free [classes][]unsafe.Pointer
	// shared are the slabs that blocks are carved from: the first carved ones
	// are cut up, except for rest, the end of the last of them; those behind
	// wait untouched.
	shared [][]uint64
	carved int
	rest   []uint64
	// own are slabs that are one block each, too large for a shared one.
	own  [][]uint64
	held int64
}

// shelf is empty here: blocks of all types share the free lists.
type shelf = struct{}

func newShelf[T any]() shelf { return shelf{} }

func sizeOf[T any]() uintptr {
	var zero T
	return unsafe.Sizeof(zero)
}

// take returns a block of class c at its full capacity.
func take[T any](a *Allocator, _ int, c int) []T {
	n := int((1 << c) / sizeOf[T]())
	if stack := a.free[c]; len(stack) > 0 {
		p := stack[len(stack)-1]
		a.free[c] = stack[:len(stack)-1]
		return unsafe.Slice((*T)(p), n)
	}
	switch a.kind {
	case FreeLists:
		return unsafe.Slice((*T)(a.carve(c)), n)
	case SyncPool:
		return unsafe.Slice((*T)(a.pools.take(c)), n)
	}
	return make([]T, n)
}

func give[T any](a *Allocator, s []T, c int) {
	a.free[c] = append(a.free[c], unsafe.Pointer(unsafe.SliceData(s)))
}

// syncPools are the free blocks of a SyncPool, as pointers to their first byte.
type syncPools [classes]sync.Pool

func (p *syncPools) take(c int) unsafe.Pointer {
	if block, ok := p[c].Get().(unsafe.Pointer); ok {
		return block
	}
	return unsafe.Pointer(unsafe.SliceData(make([]uint64, 1<<(c-3))))
}

func giveSyncPool[T any](a *Allocator, s []T, c int) {
	a.pools[c].Put(unsafe.Pointer(unsafe.SliceData(s)))
}

// scribble makes a use of freed memory visible.
func scribble[T any](s []T) {
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), uintptr(len(s))*sizeOf[T]())
	for i := range b {
		b[i] = 0xdb
	}
}

func (s *store) freeBlocks(c int) int { return len(s.free[c]) }

// carve cuts a block of class c from a shared slab, or makes it a slab.
func (s *store) carve(c int) unsafe.Pointer {
	words := 1 << (c - 3)
	for len(s.rest) < words {
		next := 1 << (min(firstSlab+len(s.shared), lastSlab) - 3)
		if s.carved < len(s.shared) {
			next = len(s.shared[s.carved])
		}
		if words >= next {
			s.own = append(s.own, s.slab(words))
			return unsafe.Pointer(unsafe.SliceData(s.own[len(s.own)-1]))
		}
		s.shelveRest()
		if s.carved == len(s.shared) {
			s.shared = append(s.shared, s.slab(next))
		}
		s.rest = s.shared[s.carved]
		s.carved++
	}
	p := unsafe.Pointer(unsafe.SliceData(s.rest))
	s.rest = s.rest[words:]
	return p
}

func (s *store) slab(words int) []uint64 {
	s.held += slabBytes(words)
	return make([]uint64, words)
}

func slabBytes(words int) int64 { return int64(words) * 8 }

// shelveRest puts the uncarved end of the current slab on the free lists, as the
// largest blocks that fit.
func (s *store) shelveRest() {
	for c := lastSlab; c >= minClass; c-- {
		for words := 1 << (c - 3); len(s.rest) >= words; s.rest = s.rest[words:] {
			s.free[c] = append(s.free[c], unsafe.Pointer(unsafe.SliceData(s.rest)))
		}
	}
	s.rest = nil
}

// extent is a slab as trim sees it.
type extent struct {
	start  uintptr
	mem    []uint64
	unused int64 // bytes in free blocks
	drop   bool
}

// trim adds up the free blocks of each slab and drops the slabs that are free as
// a whole.
func (s *store) trim(limit int64) {
	s.shelveRest()
	for ; s.carved < len(s.shared); s.carved++ {
		s.rest = s.shared[s.carved]
		s.shelveRest()
	}
	extents := make([]extent, 0, len(s.shared)+len(s.own))
	for _, mem := range slices.Concat(s.shared, s.own) {
		extents = append(extents, extent{start: uintptr(unsafe.Pointer(unsafe.SliceData(mem))), mem: mem})
	}
	slices.SortFunc(extents, func(a, b extent) int { return cmp.Compare(a.start, b.start) })
	home := func(p unsafe.Pointer) *extent {
		i, found := slices.BinarySearchFunc(extents, uintptr(p), func(e extent, p uintptr) int { return cmp.Compare(e.start, p) })
		if !found {
			i--
		}
		return &extents[i]
	}
	for c := range s.free {
		for _, p := range s.free[c] {
			home(p).unused += 1 << c
		}
	}

	var whole []*extent
	for i := range extents {
		if e := &extents[i]; e.unused == slabBytes(len(e.mem)) {
			whole = append(whole, e)
		}
	}
	slices.SortStableFunc(whole, func(a, b *extent) int { return cmp.Compare(len(b.mem), len(a.mem)) })
	for _, e := range whole {
		if s.held <= limit {
			break
		}
		e.drop = true
		s.held -= e.unused
	}

	for c := range s.free {
		s.free[c] = slices.DeleteFunc(s.free[c], func(p unsafe.Pointer) bool { return home(p).drop })
		clear(s.free[c][len(s.free[c]):cap(s.free[c])]) // popped entries would keep slabs alive
	}
	dropped := func(mem []uint64) bool { return home(unsafe.Pointer(unsafe.SliceData(mem))).drop }
	s.shared = slices.DeleteFunc(s.shared, dropped)
	s.own = slices.DeleteFunc(s.own, dropped)
	s.carved = len(s.shared)
}

// reset makes all memory free: shared slabs are carved anew.
func (s *store) reset() {
	for c := range s.free {
		s.free[c] = s.free[c][:0]
	}
	s.rest, s.carved = nil, 0
	for _, mem := range s.own {
		c := classOf(len(mem), 8)
		s.free[c] = append(s.free[c], unsafe.Pointer(unsafe.SliceData(mem)))
	}
}
