package pool

import (
	"fmt"
	"slices"
)

// Kind is where an [Allocator] has its blocks from and what becomes of freed
// ones. Allocators of all kinds behave alike; the others are the yardsticks that
// show what the free lists are worth.
type Kind uint8

// The kinds.
const (
	// FreeLists carves blocks from slabs and keeps freed ones: the kind of [New].
	FreeLists Kind = iota
	// SyncPool keeps freed blocks in a sync.Pool for each size class, which the
	// garbage collector empties.
	SyncPool
	// Plain has blocks from the built-in make and leaves freed ones to the
	// garbage collector: the kind of [NewPlain].
	Plain
	// Dropping is Plain for owners that keep nothing from one use to the next:
	// the heaps of package heap free their storage at each Clear.
	Dropping
)

// kindNames are what benchmarks and command lines call the kinds.
var kindNames = [...]string{FreeLists: "freelist", SyncPool: "syncpool", Plain: "make", Dropping: "gc"}

// NewKind returns an empty allocator of a kind.
func NewKind(k Kind) *Allocator {
	a := &Allocator{kind: k}
	if k == SyncPool {
		a.pools = new(syncPools)
	}
	return a
}

// Valid says whether k is one of the kinds.
func (k Kind) Valid() bool { return int(k) < len(kindNames) }

// String returns freelist, syncpool, make or gc.
func (k Kind) String() string {
	if !k.Valid() {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return kindNames[k]
}

// MarshalText returns what String does.
func (k Kind) MarshalText() ([]byte, error) {
	if !k.Valid() {
		return nil, fmt.Errorf("pool: Kind has no value %d", uint8(k))
	}
	return []byte(k.String()), nil
}

// UnmarshalText reads what String returns.
func (k *Kind) UnmarshalText(text []byte) error {
	i := slices.Index(kindNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("pool: unknown kind %q: want freelist, syncpool, make or gc", text)
	}
	*k = Kind(i)
	return nil
}
