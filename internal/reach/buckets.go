package reach

import (
	"math"
	"math/bits"

	"github.com/fourway-routing/fourway/pool"
)

// buckets is a queue of nodes by weight for searches that never go back to a lighter
// one. Weights up to some distance from the lightest have a list each; what is beyond
// waits apart. Instead of decreasing a key it takes the node once more: whoever takes
// nodes out knows which entries are stale.
//
// It takes half the time of heap.ArrayHeap: see BenchmarkQueue.
type buckets struct {
	memory *pool.Allocator
	heads  []uint32 // by weight less start: index of the first entry, plus one
	used   []uint64 // bit by head that has entries
	list   []entry
	free   uint32 // first entry that can be used again, plus one
	start  uint32
	far    []farEntry
}

type entry struct {
	node uint32
	next uint32 // index plus one
}

type farEntry struct {
	weight, node uint32
}

// numHeads is the number of weights that have a list: 55 minutes where weight is
// time.
const numHeads = 1 << 15

func newBuckets(memory *pool.Allocator) buckets {
	return buckets{
		memory: memory,
		heads:  pool.MakeZeroed[uint32](memory, numHeads),
		used:   pool.MakeZeroed[uint64](memory, numHeads/64),
	}
}

func (b *buckets) release() {
	pool.Free(b.memory, b.heads)
	pool.Free(b.memory, b.used)
	pool.Free(b.memory, b.list)
	pool.Free(b.memory, b.far)
	*b = buckets{}
}

// clear empties the queue. The lightest that comes next has a weight of 0 or more.
func (b *buckets) clear() {
	for i, word := range b.used {
		for ; word != 0; word &= word - 1 {
			b.heads[i<<6+bits.TrailingZeros64(word)] = 0
		}
		b.used[i] = 0
	}
	b.list, b.far, b.free, b.start = b.list[:0], b.far[:0], 0, 0
}

// push adds a node at a weight that is not below the one last taken out.
func (b *buckets) push(weight, node uint32) {
	at := weight - b.start
	if at >= numHeads {
		b.far = pool.Append(b.memory, b.far, farEntry{weight, node})
		return
	}
	slot := b.free
	if slot != 0 {
		x := &b.list[slot-1]
		b.free = x.next
		*x = entry{node, b.heads[at]}
	} else {
		b.list = pool.Append(b.memory, b.list, entry{node, b.heads[at]})
		slot = uint32(len(b.list))
	}
	b.heads[at] = slot
	b.used[at>>6] |= 1 << (at & 63)
}

// lightest returns the least weight in the queue, not below from, and false if it is
// empty.
func (b *buckets) lightest(from uint32) (weight uint32, ok bool) {
	if from >= b.start && from-b.start < numHeads {
		at := from - b.start
		i := at >> 6
		word := b.used[i] >> (at & 63) << (at & 63)
		for {
			if word != 0 {
				return b.start + i<<6 + uint32(bits.TrailingZeros64(word)), true
			}
			if i++; i == numHeads/64 {
				break
			}
			word = b.used[i]
		}
	}
	if len(b.far) == 0 {
		return 0, false
	}
	least := uint32(math.MaxUint32)
	for i := range b.far {
		least = min(least, b.far[i].weight)
	}
	b.start = least
	far := b.far
	b.far = b.far[:0]
	for _, x := range far {
		if x.weight-least < numHeads {
			b.push(x.weight, x.node)
		} else {
			b.far = append(b.far, x) // in place: never more than were read
		}
	}
	return least, true
}

// take takes a node of a weight out, and returns false if there is none.
func (b *buckets) take(weight uint32) (node uint32, ok bool) {
	at := weight - b.start
	slot := b.heads[at]
	if slot == 0 {
		b.used[at>>6] &^= 1 << (at & 63)
		return 0, false
	}
	x := &b.list[slot-1]
	node = x.node
	b.heads[at] = x.next
	x.next, b.free = b.free, slot
	return node, true
}
