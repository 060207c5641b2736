//go:build nounsafe

package pool

import (
	"reflect"
	"sync"
)

// store keeps no memory itself here: blocks lie on the shelf of their type.
type store struct {
	held int64
}

// shelf is what an [Allocator] needs of the free lists of any element type.
type shelf interface {
	count(c int) int
	drop(c int)
}

// typedShelf holds the free blocks of one element type.
type typedShelf[T any] struct {
	free  [classes][][]T
	pools [classes]sync.Pool // of *[]T, of a SyncPool
}

// syncPools is empty here: each type has its own.
type syncPools struct{}

func newShelf[T any]() shelf { return &typedShelf[T]{} }

func (s *typedShelf[T]) count(c int) int { return len(s.free[c]) }

func (s *typedShelf[T]) drop(c int) {
	last := len(s.free[c]) - 1
	s.free[c][last] = nil
	s.free[c] = s.free[c][:last]
}

func sizeOf[T any]() uintptr { return reflect.TypeFor[T]().Size() }

// take returns a block of class c at its full capacity.
func take[T any](a *Allocator, i int, c int) []T {
	shelf := a.types[i].shelf.(*typedShelf[T])
	if stack := shelf.free[c]; len(stack) > 0 {
		s := stack[len(stack)-1]
		shelf.drop(c)
		return s
	}
	switch a.kind {
	case FreeLists:
		a.held += 1 << c
	case SyncPool:
		if s, ok := shelf.pools[c].Get().(*[]T); ok {
			return *s
		}
	}
	return make([]T, (1<<c)/sizeOf[T]())
}

func give[T any](a *Allocator, s []T, c int) {
	shelf := a.types[typeIndex[T](a)].shelf.(*typedShelf[T])
	shelf.free[c] = append(shelf.free[c], s[:cap(s)])
}

func giveSyncPool[T any](a *Allocator, s []T, c int) {
	s = s[:cap(s)]
	a.types[typeIndex[T](a)].shelf.(*typedShelf[T]).pools[c].Put(&s)
}

// scribble makes a use of freed memory visible.
func scribble[T any](s []T) { clear(s) }

func (a *Allocator) freeBlocks(c int) int {
	n := 0
	for i := range a.types {
		n += a.types[i].shelf.count(c)
	}
	return n
}

// trim drops free blocks, largest class first.
func (a *Allocator) trim(limit int64) {
	for c := maxClass; c >= minClass; c-- {
		for i := range a.types {
			for a.held > limit && a.types[i].shelf.count(c) > 0 {
				a.types[i].shelf.drop(c)
				a.held -= 1 << c
			}
		}
	}
}

// reset forgets the live blocks, whose slices are known to their owners only.
func (a *Allocator) reset() { a.held -= a.live }
