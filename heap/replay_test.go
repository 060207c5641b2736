package heap

// replay performs a recorded search.
func (h *QueryHeap[N, W, D, S]) replay(tape []op) {
	var data D
	for _, o := range tape {
		switch o.code {
		case opInsert:
			h.Insert(N(o.node), W(o.key), data)
		case opDecrease:
			if h.WasInserted(N(o.node)) {
				h.DecreaseKey(N(o.node), W(o.key))
			}
		case opRemove:
			h.DeleteMin()
		}
	}
	h.Clear()
}
