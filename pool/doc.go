// Package pool hands out the scratch memory of searches.
//
// An [Allocator] rounds a request up to a power of two bytes (its size class),
// carves the block from a slab (1 MiB, then doubling) and keeps freed blocks on
// one free list per class. A program that repeats the same kind of work soon
// stops allocating from the Go heap: every request is met by a free list.
//
//	a := pool.New()
//	ids := pool.Make[uint32](a, 1000) // length 1000, capacity 1024, not zeroed
//	ids = pool.Append(a, ids, 7)      // moves to a larger block when full
//	pool.Free(a, ids)
//
// # Lifetime
//
// A block belongs to the caller from [Make] until [Free] (or [Allocator.Reset]),
// and must not be touched afterwards. Free takes the slice that Make, [Grow] or
// [Append] returned, or any s[:n] of it; a slice that starts elsewhere (s[1:]) or
// has its capacity cut (s[:n:n]) is not a block. Blocks that are never freed are
// not lost: they live as long as their Allocator, and the garbage collector takes
// both. The build tag invariants turns on detection of double frees, foreign
// slices and use by two goroutines at once, and overwrites freed blocks.
//
// # Content
//
// A block holds what its previous owner left there, so write an element before
// reading it, or ask [MakeZeroed]. Element types hold no pointers: no pointer,
// string, slice, map, channel, function or interface at any depth. That is
// checked once per type and Allocator, and a violation panics, for it is a fault
// of the program, not of its input. In exchange the garbage collector never scans
// a slab.
//
// # Concurrency
//
// An Allocator takes no lock and belongs to one goroutine at a time. Go has no
// goroutine-local storage, so ownership is explicit: an Allocator lives in a
// workspace, and workspaces are lent out by a [Bounded] free list, which is safe
// for concurrent use.
//
// # Without unsafe
//
// The build tag nounsafe replaces slabs by ordinary slices on free lists per
// element type: same interface, no unsafe, blocks of one type never serve another.
package pool
