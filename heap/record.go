package heap

// Slot is the number of an insertion since the last Clear: the first node
// inserted has slot 0. A slot is a dense name for a node that the search has
// reached, smaller and closer in memory than its id.
type Slot uint32

// none is the slot of a node that an index storage does not know.
const none = ^Slot(0)

// removed is the place of a record that has left the heap. No entry is there,
// because the root is at arity-1.
const removed = 0

// Record is what a heap keeps of a node from its insertion to the next Clear,
// beyond its removal.
type Record[N Node, W Weight, D any] struct {
	Node N
	// Key is the current key, or the last one if the node was removed. It is
	// changed through the heap only.
	Key  W
	Data D
	// pos is the place of the node's entry in the heap.
	pos uint32
}

// Removed reports whether the node has been removed by DeleteMin: in a search,
// settled.
func (r *Record[N, W, D]) Removed() bool { return r.pos == removed }

// Label is the data of the generated heaps: how a search reached a node.
type Label struct {
	// Parent is the predecessor, as node id or as slot: the search decides.
	Parent uint32
	// Edge is the edge from the predecessor.
	Edge uint32
}

// LabelRecord is the record of the generated heaps, 20 bytes.
type LabelRecord = Record[uint32, int32, Label]
