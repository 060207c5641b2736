package heap

import "github.com/fourway-routing/fourway/pool"

const (
	root         = arity - 1
	firstRecords = 128
)

// QueryHeap is a mutable priority queue of nodes, the smallest key first and,
// among equal keys, the node inserted first. N is the node id, W the key, D what
// the search keeps with a node, S the index storage, which finds the record of a
// node. N, W and D hold no pointers.
//
// A node is inserted at most once between two Clears. Methods that take a node
// and need it in a certain state say so; calling them otherwise is a fault of the
// program, with undefined result.
//
// A QueryHeap belongs to one goroutine at a time.
type QueryHeap[N Node, W Weight, D any, S Storage[N]] struct {
	// entries is the heap, its root at arity-1, so that all children of an entry
	// are in one aligned group. The places below the root are unused.
	entries []entry[W]
	// records are in the order of insertion.
	records []Record[N, W, D]
	index   S
	memory  *pool.Allocator
}

func (h *QueryHeap[N, W, D, S]) init(memory *pool.Allocator) {
	h.memory = memory
	h.entries = pool.Make[entry[W]](memory, firstRecords)[:root]
	h.records = pool.Make[Record[N, W, D]](memory, firstRecords)[:0]
}

// Len returns the number of nodes in the heap.
func (h *QueryHeap[N, W, D, S]) Len() int { return len(h.entries) - root }

// Empty reports whether no node is in the heap.
func (h *QueryHeap[N, W, D, S]) Empty() bool { return len(h.entries) == root }

// Min returns the node that DeleteMin would remove. The heap is not empty.
func (h *QueryHeap[N, W, D, S]) Min() N { return h.records[h.entries[root].slot()].Node }

// MinKey returns the smallest key. The heap is not empty.
func (h *QueryHeap[N, W, D, S]) MinKey() W { return h.entries[root].key() }

// MinSlot returns the slot of the node that DeleteMin would remove. The heap is
// not empty.
func (h *QueryHeap[N, W, D, S]) MinSlot() Slot { return h.entries[root].slot() }

// Find returns the slot of a node, and false if the node was not inserted since
// the last Clear. It is the one lookup behind all methods that take a node.
func (h *QueryHeap[N, W, D, S]) Find(node N) (Slot, bool) {
	slot := h.index.find(node)
	return slot, uint(slot) < uint(len(h.records)) && h.records[slot].Node == node
}

// At returns the record of a slot below the number of insertions. The pointer is
// valid until the next Insert, Relax, Clear, Shrink or Release.
func (h *QueryHeap[N, W, D, S]) At(slot Slot) *Record[N, W, D] { return &h.records[slot] }

// Records returns the records of all nodes inserted since the last Clear, in
// order of insertion, index equal to slot. It is valid as long as an At pointer.
func (h *QueryHeap[N, W, D, S]) Records() []Record[N, W, D] { return h.records }

// WasInserted reports whether the node was inserted since the last Clear,
// removed or not.
func (h *QueryHeap[N, W, D, S]) WasInserted(node N) bool {
	_, ok := h.Find(node)
	return ok
}

// WasRemoved reports whether the node was inserted and removed since the last
// Clear.
func (h *QueryHeap[N, W, D, S]) WasRemoved(node N) bool {
	slot, ok := h.Find(node)
	return ok && h.records[slot].pos == removed
}

// Contains reports whether the node is in the heap: inserted and not removed.
func (h *QueryHeap[N, W, D, S]) Contains(node N) bool {
	slot, ok := h.Find(node)
	return ok && h.records[slot].pos != removed
}

// Key returns the key of a node that was inserted. A removed node has the key it
// was removed with.
func (h *QueryHeap[N, W, D, S]) Key(node N) W { return h.known(node).Key }

// Data returns the data of a node that was inserted.
func (h *QueryHeap[N, W, D, S]) Data(node N) D { return h.known(node).Data }

// SetData replaces the data of a node that was inserted.
func (h *QueryHeap[N, W, D, S]) SetData(node N, data D) { h.known(node).Data = data }

func (h *QueryHeap[N, W, D, S]) known(node N) *Record[N, W, D] {
	slot := h.index.find(node)
	if invariants {
		_, ok := h.Find(node)
		assert(ok, "node was not inserted")
	}
	return &h.records[slot]
}

// Insert adds a node that was not inserted since the last Clear, and returns its
// slot.
func (h *QueryHeap[N, W, D, S]) Insert(node N, key W, data D) Slot {
	if invariants {
		assert(!h.WasInserted(node), "node was inserted before")
	}
	slot := len(h.records)
	if slot == cap(h.records) {
		h.records = pool.Grow(h.memory, h.records, slot+1)
	}
	h.records = h.records[:slot+1]
	r := &h.records[slot]
	r.Node, r.Key, r.Data = node, key, data
	h.index.set(h.memory, node, Slot(slot))

	last := len(h.entries)
	if last == cap(h.entries) {
		h.entries = pool.Grow(h.memory, h.entries, last+1)
	}
	h.entries = h.entries[:last+1]
	h.up(uint(last), pack[W](key, Slot(slot)))
	return Slot(slot)
}

// Relax inserts the node, or, if the node is in the heap with a larger key,
// decreases its key and replaces its data. It reports whether it did either; a
// removed node stays as it is.
func (h *QueryHeap[N, W, D, S]) Relax(node N, key W, data D) bool {
	slot, ok := h.Find(node)
	if !ok {
		h.Insert(node, key, data)
		return true
	}
	r := &h.records[slot]
	if r.pos == removed || key >= r.Key {
		return false
	}
	r.Key, r.Data = key, data
	h.up(uint(r.pos), pack[W](key, slot))
	return true
}

// DecreaseKey lowers the key of a node in the heap to at most its current key.
func (h *QueryHeap[N, W, D, S]) DecreaseKey(node N, key W) {
	r := h.known(node)
	if invariants {
		assert(r.pos != removed && key <= r.Key, "DecreaseKey of a removed node or to a larger key")
	}
	r.Key = key
	h.up(uint(r.pos), pack[W](key, h.entries[r.pos].slot()))
}

// IncreaseKey raises the key of a node in the heap to at least its current key.
func (h *QueryHeap[N, W, D, S]) IncreaseKey(node N, key W) {
	r := h.known(node)
	if invariants {
		assert(r.pos != removed && key >= r.Key, "IncreaseKey of a removed node or to a smaller key")
	}
	r.Key = key
	h.down(uint(r.pos), pack[W](key, h.entries[r.pos].slot()))
}

// DeleteMin removes the node with the smallest key and returns both. The heap is
// not empty.
func (h *QueryHeap[N, W, D, S]) DeleteMin() (node N, key W) {
	top := h.entries[root]
	last := len(h.entries) - 1
	e := h.entries[last]
	h.entries = h.entries[:last]
	if last > root {
		h.down(root, e)
	}
	r := &h.records[top.slot()]
	r.pos = removed
	return r.Node, top.key()
}

// Clear forgets all nodes, in constant time. Memory stays for the next search,
// unless the allocator's kind is pool.Dropping: then Clear is Shrink.
func (h *QueryHeap[N, W, D, S]) Clear() {
	h.index.clear(len(h.records))
	h.records = h.records[:0]
	h.entries = h.entries[:root]
	if h.memory.Kind() == pool.Dropping {
		h.shrink()
	}
}

// Shrink is Clear, and gives what searches have grown back to the allocator, whose
// Trim gives it to the Go heap. An array index stays.
func (h *QueryHeap[N, W, D, S]) Shrink() {
	h.Clear()
	h.shrink()
}

func (h *QueryHeap[N, W, D, S]) shrink() {
	h.index.shrink(h.memory)
	pool.Free(h.memory, h.entries)
	pool.Free(h.memory, h.records)
	h.init(h.memory)
}

// Release gives all memory back to the allocator. The heap is of no use
// afterwards.
func (h *QueryHeap[N, W, D, S]) Release() {
	h.index.release(h.memory)
	pool.Free(h.memory, h.entries)
	pool.Free(h.memory, h.records)
	h.entries, h.records = nil, nil
}

// up places e at i or at an ancestor of i, moving larger ancestors down.
func (h *QueryHeap[N, W, D, S]) up(i uint, e entry[W]) {
	entries, records := h.entries, h.records
	for i > root {
		parent := i/arity + arity - 2
		p := entries[parent]
		if !e.before(p) {
			break
		}
		entries[i] = p
		records[p.slot()].pos = uint32(i)
		i = parent
	}
	entries[i] = e
	records[e.slot()].pos = uint32(i)
}

// down places e at i or at a descendant of i, moving the smallest children up.
func (h *QueryHeap[N, W, D, S]) down(i uint, e entry[W]) {
	entries, records := h.entries, h.records
	n := uint(len(entries))
	for {
		child := arity * (i - (arity - 2))
		if child >= n {
			break
		}
		c := entries[child]
		if arity == 4 && child+4 <= n {
			g := entries[child : child+4 : child+4]
			c = first[W](first[W](g[0], g[1]), first[W](g[2], g[3]))
		} else {
			for _, s := range entries[child+1 : min(child+arity, n)] {
				c = first[W](c, s)
			}
		}
		if !c.before(e) {
			break
		}
		entries[i] = c
		// The record knows where c was; tracking it in the choice costs branches.
		r := &records[c.slot()]
		r.pos, i = uint32(i), uint(r.pos)
	}
	entries[i] = e
	records[e.slot()].pos = uint32(i)
}
