package pool

import (
	"math/bits"
	"reflect"
)

const (
	// minClass makes a block at least one cache line, so that every block
	// starts on a line of its own.
	minClass = 6
	// maxClass bounds a block to 16 TiB (1 GiB where int has 32 bits), so that
	// sizes are computed without overflow.
	maxClass = 30 + bits.UintSize/64*14
	classes  = maxClass + 1
)

// Allocator hands out blocks of pointer-free memory and takes them back. The
// functions [Make], [MakeZeroed], [Grow], [Append] and [Free] work on it.
//
// An Allocator is used by one goroutine at a time. Its zero value is not ready:
// call [New].
type Allocator struct {
	store
	guard guard
	types []elemType
	used  [classes]int
	live  int64
	high  int64
	pools *syncPools // where kind is SyncPool
	kind  Kind
}

// elemType is an element type that passed the check for pointers.
type elemType struct {
	shelf shelf
	// key is a nil pointer to the type: interfaces of different types compare by
	// one word, which reflect.Type values do not.
	key any
}

// New returns an empty allocator. It takes its first slab at the first [Make].
func New() *Allocator { return NewKind(FreeLists) }

// NewPlain returns an allocator whose blocks come from the built-in make and go
// to the garbage collector at [Free]. Capacities and statistics are those of an
// ordinary one; it is the yardstick that shows what the free lists are worth.
func NewPlain() *Allocator { return NewKind(Plain) }

// Make returns a slice of length n whose capacity fills its size class, the
// smallest power of two bytes (at least 64) that holds n elements. The content
// is not zeroed. Make(a, 0) is nil and takes no block.
//
// Make panics if T contains pointers, and, like the built-in make, if n is
// negative or too large.
func Make[T any](a *Allocator, n int) []T {
	size := sizeOf[T]()
	if n == 0 {
		return nil
	}
	if size == 0 {
		return make([]T, n)
	}
	c := classOf(n, size)
	i := typeIndex[T](a)
	a.guard.enter()
	s := take[T](a, i, c)
	a.used[c]++
	a.live += 1 << c
	if a.live > a.high {
		a.high = a.live
	}
	made(&a.guard, s)
	a.guard.leave()
	return s[:n]
}

// MakeZeroed is [Make] with all n elements set to zero. Elements between the
// length and the capacity stay as they were.
func MakeZeroed[T any](a *Allocator, n int) []T {
	s := Make[T](a, n)
	if a.kind < Plain {
		clear(s)
	}
	return s
}

// Free gives the block of s back; s and every slice that shares its memory are
// dead afterwards. s comes from this allocator's [Make], [MakeZeroed], [Grow] or
// [Append], with its start and capacity unchanged. Freeing a slice of capacity 0
// does nothing.
func Free[T any](a *Allocator, s []T) {
	size := sizeOf[T]()
	if cap(s) == 0 || size == 0 {
		return
	}
	c := classOf(cap(s), size)
	a.guard.enter()
	freed(&a.guard, s)
	if invariants {
		scribble(s[:cap(s)])
	}
	a.used[c]--
	a.live -= 1 << c
	switch a.kind {
	case FreeLists:
		give(a, s, c)
	case SyncPool:
		giveSyncPool(a, s, c)
	}
	a.guard.leave()
}

// Grow returns s with length n. If n exceeds the capacity, the content moves to
// a larger block and the old one is freed. Elements past the old length are not
// zeroed.
func Grow[T any](a *Allocator, s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	t := Make[T](a, n)
	copy(t, s)
	Free(a, s)
	return t
}

// Append adds v at the end of s, moving to a block of the next class (about
// twice the size) when s is full.
func Append[T any](a *Allocator, s []T, v T) []T {
	if len(s) == cap(s) {
		s = widen(a, s)
	}
	return append(s, v)
}

// widen moves s to a block of the next class. It stands apart so that Append is
// inlined.
//
//go:noinline
func widen[T any](a *Allocator, s []T) []T {
	return Grow(a, s, len(s)+1)[:len(s)]
}

// Kind returns what the allocator was made as.
func (a *Allocator) Kind() Kind { return a.kind }

// Live returns the bytes of all blocks handed out and not yet freed.
func (a *Allocator) Live() int64 { return a.live }

// Held returns the bytes taken from the Go heap and not given back to it: live
// blocks, free blocks, and what is not carved yet. Where the garbage collector
// has the free blocks, those do not count.
func (a *Allocator) Held() int64 {
	if a.kind != FreeLists {
		return a.live
	}
	return a.held
}

// HighWater returns the largest value that [Allocator.Live] has had.
func (a *Allocator) HighWater() int64 { return a.high }

// Stats describes an [Allocator] at one moment.
type Stats struct {
	Live      int64 // bytes handed out
	Held      int64 // bytes taken from the Go heap
	HighWater int64 // largest Live so far, in bytes
	// Classes lists the size classes that have blocks, smallest first.
	Classes []ClassStats
}

// ClassStats counts the blocks of one size class.
type ClassStats struct {
	Size int64 // bytes of one block, a power of two
	Live int   // blocks handed out
	Free int   // blocks on the free list
}

// Stats returns the statistics of a. Unlike [Allocator.Live], [Allocator.Held]
// and [Allocator.HighWater] it allocates.
func (a *Allocator) Stats() Stats {
	s := Stats{Live: a.live, Held: a.Held(), HighWater: a.high}
	for c, live := range a.used {
		if free := a.freeBlocks(c); live+free > 0 {
			s.Classes = append(s.Classes, ClassStats{Size: 1 << c, Live: live, Free: free})
		}
	}
	return s
}

// Trim gives memory that holds no live block back to the Go heap, largest pieces
// first, until at most limit bytes are held or none is left to give. It costs
// time linear in the number of free blocks, and nothing if the limit is met.
// Live blocks stay where they are.
func (a *Allocator) Trim(limit int64) {
	if a.Held() <= limit {
		return
	}
	a.guard.enter()
	a.trim(limit)
	a.guard.leave()
}

// Reset frees every live block at once; all slices from this allocator are dead
// afterwards. The memory stays held for reuse (with the build tag nounsafe, live
// blocks go to the garbage collector instead). The high-water mark stays.
func (a *Allocator) Reset() {
	a.guard.enter()
	a.guard.reset()
	if a.kind == FreeLists {
		a.reset()
	}
	a.used = [classes]int{}
	a.live = 0
	a.guard.leave()
}

// classOf returns the exponent of the smallest block that holds n elements. The
// capacity of a block leads back to its class, because the elements that fill a
// block need more than half of it.
func classOf(n int, size uintptr) int {
	hi, lo := bits.Mul64(uint64(n), uint64(size))
	if hi != 0 || lo > 1<<maxClass {
		panic("pool: length out of range")
	}
	return max(bits.Len64(lo-1), minClass)
}

// typeIndex returns the place of T in a.types. A search uses a handful of types,
// so a scan beats a map.
func typeIndex[T any](a *Allocator) int {
	key := any((*T)(nil))
	for i := range a.types {
		if a.types[i].key == key {
			return i
		}
	}
	if t := reflect.TypeFor[T](); !pointerFree(t) {
		panic("pool: element type " + t.String() + " contains pointers; a block holds numbers, arrays and structs of them only")
	}
	a.types = append(a.types, elemType{newShelf[T](), key})
	return len(a.types) - 1
}

func pointerFree(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() == 0 || pointerFree(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !pointerFree(t.Field(i).Type) {
				return false
			}
		}
		return true
	default:
		return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128
	}
}
