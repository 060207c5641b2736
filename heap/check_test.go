package heap

import "github.com/stretchr/testify/require"

// checkHeap verifies the heap order and the places that the records keep.
func checkHeap[N Node, W Weight, D any, E interface {
	comparable
	key() W
	slot() Slot
	before(E) bool
}](t require.TestingT, entries []E, records []Record[N, W, D], arity int) {
	in := 0
	for i := arity - 1; i < len(entries); i++ {
		e := entries[i]
		r := &records[e.slot()]
		require.Equal(t, uint32(i), r.pos)
		require.Equal(t, r.Key, e.key())
		if i > arity-1 {
			require.True(t, entries[i/arity+arity-2].before(e))
		}
	}
	for i := range records {
		if !records[i].Removed() {
			in++
		}
	}
	require.Equal(t, len(entries)-arity+1, in)
}

func (h *QueryHeap[N, W, D, S]) check(t require.TestingT) {
	checkHeap[N, W, D](t, h.entries, h.records, arity)
}
func (h *ArrayHeap) check(t require.TestingT)    { checkHeap(t, h.entries, h.records, arity) }
func (h *PairHeap) check(t require.TestingT)     { checkHeap(t, h.entries, h.records, arity) }
func (h *HashHeap) check(t require.TestingT)     { checkHeap(t, h.entries, h.records, arity) }
func (h *TwoLevelHeap) check(t require.TestingT) { checkHeap(t, h.entries, h.records, arity) }
func (h *binaryHeap) check(t require.TestingT)   { checkHeap(t, h.entries, h.records, 2) }
func (h *octonaryHeap) check(t require.TestingT) { checkHeap(t, h.entries, h.records, 8) }
