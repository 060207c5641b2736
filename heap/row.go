package heap

// RelaxRow is Relax of all nodes of a row, which are below the bound of the overlay, with
// the key plus their weight where that is at most most, and the same data.
func (h *TwoLevelHeap) RelaxRow(nodes, weights []uint32, key, most uint32, data Label) {
	slots := h.index.overlay.slots
	weights = weights[:len(nodes)]
	for i, node := range nodes {
		next := key + weights[i]
		if next > most {
			continue
		}
		slot := slots[node]
		if uint(slot) >= uint(len(h.records)) || h.records[slot].Node != node {
			h.Insert(node, int32(next), data)
			continue
		}
		if r := &h.records[slot]; int32(next) < r.Key && r.pos != removed {
			r.Key, r.Data = int32(next), data
			h.up(uint(r.pos), pack32(int32(next), slot))
		}
	}
}
