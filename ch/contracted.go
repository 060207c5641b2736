package ch

// pageArcs is the number of arcs of a page, a power of two.
const pageArcs = 1 << 14

// contracted are the arcs that a contraction has made final, each listed at the
// end that was contracted first.
type contracted struct {
	first, next uint32 // ids of arcs so far: from first to next
	pages       [][]half
	spans       []span
	loops       []loop   // by node
	order       []uint32 // nodes in the order of contraction
}

// span are the ids of the arcs of a node: of its out list from out to in, of its
// in list from in to end.
type span struct{ out, in, end uint32 }

func newContracted(loops []loop, first uint32) *contracted {
	return &contracted{first: first, next: first, spans: make([]span, len(loops)), loops: loops}
}

// arc returns the arc with an id.
func (c *contracted) arc(id uint32) *half {
	id -= c.first
	return &c.pages[id/pageArcs][id%pageArcs]
}

// emit makes the arcs of v final.
func (c *contracted) emit(v uint32, out, in []half) {
	middle := c.next + uint32(len(out))
	c.spans[v] = span{c.next, middle, middle + uint32(len(in))}
	c.order = append(c.order, v)
	c.append(out)
	c.append(in)
}

func (c *contracted) append(list []half) {
	for len(list) > 0 {
		at := (c.next - c.first) % pageArcs
		if at == 0 {
			c.pages = append(c.pages, make([]half, pageArcs))
		}
		n := copy(c.pages[len(c.pages)-1][at:], list)
		list = list[n:]
		c.next += uint32(n)
	}
}
