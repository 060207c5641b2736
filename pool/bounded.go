package pool

import "sync"

// Bounded lends values of W, usually workspaces that each own an [Allocator],
// and keeps a limited number of returned ones for the next borrower. Unlike
// sync.Pool it never loses a kept value to the garbage collector, for a
// workspace can be hundreds of megabytes. The value returned last is lent first,
// while the caches still know it.
//
// A Bounded is safe for concurrent use; what it lends belongs to one borrower.
type Bounded[W any] struct {
	opt    BoundedOptions[W]
	mu     sync.Mutex
	kept   []W
	stats  BoundedStats
	closed bool
}

// BoundedOptions configures a [Bounded].
type BoundedOptions[W any] struct {
	// Max is the number of values kept while nobody borrows them. Zero keeps
	// none.
	Max int
	// New makes a value when none is kept. It may be called by several
	// goroutines at once. Required.
	New func() W
	// Keep, if set, prepares a returned value for the next borrower, for
	// instance by trimming it, and reports whether it is worth keeping.
	Keep func(W) bool
	// Drop, if set, is called for each value that is not kept.
	Drop func(W)
}

// BoundedStats counts what a [Bounded] did.
type BoundedStats struct {
	Kept    int   // values waiting for a borrower
	Lent    int   // values out now
	MaxLent int   // most values out at once
	Made    int64 // values made by New
	Reused  int64 // Gets served by a kept value
	Dropped int64 // values not kept
}

// NewBounded returns an empty free list.
func NewBounded[W any](opt BoundedOptions[W]) *Bounded[W] {
	return &Bounded[W]{opt: opt}
}

// Get returns a kept value, or a new one. It never waits for a Put. The caller
// gives the value back with Put, once.
func (b *Bounded[W]) Get() W {
	b.mu.Lock()
	b.stats.Lent++
	b.stats.MaxLent = max(b.stats.MaxLent, b.stats.Lent)
	if last := len(b.kept) - 1; last >= 0 {
		w := b.kept[last]
		clear(b.kept[last:])
		b.kept = b.kept[:last]
		b.stats.Reused++
		b.mu.Unlock()
		return w
	}
	b.stats.Made++
	b.mu.Unlock()
	return b.opt.New()
}

// Put gives a value back. It is kept if there is room, the list is not closed,
// and Keep agrees; otherwise it is dropped.
func (b *Bounded[W]) Put(w W) {
	worthy := b.opt.Keep == nil || b.opt.Keep(w)
	b.mu.Lock()
	b.stats.Lent--
	if worthy && !b.closed && len(b.kept) < b.opt.Max {
		b.kept = append(b.kept, w)
		b.mu.Unlock()
		return
	}
	b.stats.Dropped++
	b.mu.Unlock()
	if b.opt.Drop != nil {
		b.opt.Drop(w)
	}
}

// Drain drops the kept values; values out now are kept when they return.
func (b *Bounded[W]) Drain() { b.drain(false) }

// Close drops the kept values and every value that returns later. Get still
// works, so that requests in flight finish. Close may be called more than once.
func (b *Bounded[W]) Close() { b.drain(true) }

func (b *Bounded[W]) drain(closing bool) {
	b.mu.Lock()
	b.closed = b.closed || closing
	kept := b.kept
	b.kept = nil
	b.stats.Dropped += int64(len(kept))
	b.mu.Unlock()
	if b.opt.Drop != nil {
		for _, w := range kept {
			b.opt.Drop(w)
		}
	}
}

// Stats returns the counters at this moment.
func (b *Bounded[W]) Stats() BoundedStats {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.stats
	s.Kept = len(b.kept)
	return s
}
