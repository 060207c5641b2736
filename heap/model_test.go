package heap

import (
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/pool"
)

// queue is the method set that all heaps share.
type queue[N Node, W Weight, D any] interface {
	Len() int
	Empty() bool
	Min() N
	MinKey() W
	MinSlot() Slot
	Find(N) (Slot, bool)
	At(Slot) *Record[N, W, D]
	Records() []Record[N, W, D]
	WasInserted(N) bool
	WasRemoved(N) bool
	Contains(N) bool
	Key(N) W
	Data(N) D
	SetData(N, D)
	Insert(N, W, D) Slot
	Relax(N, W, D) bool
	DecreaseKey(N, W)
	IncreaseKey(N, W)
	DeleteMin() (N, W)
	Clear()
	Shrink()
	Release()
	check(t require.TestingT)
	replay([]op)
}

type labelQueue = queue[uint32, int32, Label]

// kinds make one heap of each kind for ids below nodes; the two-level ones keep
// the lower half in their array.
var kinds = []struct {
	name string
	make func(a *pool.Allocator, nodes int) labelQueue
}{
	{"array", func(a *pool.Allocator, n int) labelQueue { return NewArrayHeap(a, n) }},
	{"forward", func(a *pool.Allocator, n int) labelQueue { f, _ := NewPairHeaps(a, n); return f }},
	{"backward", func(a *pool.Allocator, n int) labelQueue { _, b := NewPairHeaps(a, n); return b }},
	{"hash", func(a *pool.Allocator, n int) labelQueue { return NewHashHeap(a) }},
	{"twolevel", func(a *pool.Allocator, n int) labelQueue { return NewTwoLevelHeap(a, n/2) }},
	{"binary", func(a *pool.Allocator, n int) labelQueue { return newBinaryHeap(a, n) }},
	{"octonary", func(a *pool.Allocator, n int) labelQueue { return newOctonaryHeap(a, n) }},
	{"generic-array", func(a *pool.Allocator, n int) labelQueue {
		return New[uint32, int32, Label](a, NewArrayStorage[uint32](a, n))
	}},
	{"generic-pair", func(a *pool.Allocator, n int) labelQueue {
		_, s := NewPairStorage[uint32](a, n)
		return New[uint32, int32, Label](a, s)
	}},
	{"generic-hash", func(a *pool.Allocator, n int) labelQueue {
		return New[uint32, int32, Label](a, NewHashStorage[uint32](a))
	}},
	{"generic-twolevel", func(a *pool.Allocator, n int) labelQueue {
		return New[uint32, int32, Label](a, NewTwoLevelStorage[uint32](a, n/2))
	}},
}

const (
	arity2 = 2
	arity8 = 8
)

func newBinaryHeap(a *pool.Allocator, nodes int) *binaryHeap {
	h := new(binaryHeap)
	h.index.init(a, nodes)
	h.init(a)
	return h
}

func newOctonaryHeap(a *pool.Allocator, nodes int) *octonaryHeap {
	h := new(octonaryHeap)
	h.index.init(a, nodes)
	h.init(a)
	return h
}

// model is the reference: a list in the order of insertion, searched in full.
type model[N Node, W Weight, D any] struct {
	items []modelItem[N, W, D]
}

type modelItem[N Node, W Weight, D any] struct {
	node    N
	key     W
	data    D
	removed bool
}

func (m *model[N, W, D]) find(node N) (int, bool) {
	for i := range m.items {
		if m.items[i].node == node {
			return i, true
		}
	}
	return 0, false
}

// min returns the index of the first item with the smallest key.
func (m *model[N, W, D]) min() (best int, found bool) {
	for i := range m.items {
		if it := &m.items[i]; !it.removed && (!found || it.key < m.items[best].key) {
			best, found = i, true
		}
	}
	return best, found
}

func (m *model[N, W, D]) len() int {
	n := 0
	for i := range m.items {
		if !m.items[i].removed {
			n++
		}
	}
	return n
}

// requireEqual compares all that a heap tells with the model, for the ids below
// nodes.
func (m *model[N, W, D]) requireEqual(t require.TestingT, h queue[N, W, D], nodes N) {
	h.check(t)
	require.Equal(t, m.len(), h.Len())
	require.Equal(t, m.len() == 0, h.Empty())
	if i, ok := m.min(); ok {
		require.Equal(t, m.items[i].node, h.Min())
		require.Equal(t, m.items[i].key, h.MinKey())
		require.Equal(t, Slot(i), h.MinSlot())
	}
	require.Len(t, h.Records(), len(m.items))
	for node := N(0); node < nodes; node++ {
		i, inserted := m.find(node)
		if h.WasInserted(node) != inserted {
			require.Equal(t, inserted, h.WasInserted(node), "node %d", node)
		}
		if !inserted {
			require.False(t, h.WasRemoved(node) || h.Contains(node), "node %d", node)
			continue
		}
		it := m.items[i]
		slot, _ := h.Find(node)
		require.Equal(t, Slot(i), slot)
		require.Equal(t, it, modelItem[N, W, D]{node, h.Key(node), h.Data(node), h.WasRemoved(node)})
		require.Equal(t, !it.removed, h.Contains(node))
		r := h.At(slot)
		require.Equal(t, it, modelItem[N, W, D]{r.Node, r.Key, r.Data, r.Removed()})
	}
}
