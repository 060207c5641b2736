package ch

// pageArcs is the number of arcs of a page, a power of two.
const pageArcs = 1 << 12

// contracted are the arcs that a contraction has made final, each listed at the
// end that was contracted first. Nodes are NodeIDs.
type contracted struct {
	first, next uint32 // ids of arcs so far: from first to next
	pages       [][]half
	order       []uint32 // nodes in the order of contraction
	spans       []span   // by place in the order
	loops       []nodeLoop
}

// span are the ids of the arcs of a node: of its out list from out to in, of its
// in list from in to end.
type span struct{ out, in, end uint32 }

// nodeLoop is the loop of a node.
type nodeLoop struct {
	node uint32
	loop
}

// arc returns the arc with an id.
func (c *contracted) arc(id uint32) *half {
	id -= c.first
	return &c.pages[id/pageArcs][id%pageArcs]
}

// emit makes the arcs of v final and returns their ids.
func (c *contracted) emit(g *working, v uint32) span {
	middle := c.next + uint32(len(g.out[v]))
	s := span{c.next, middle, middle + uint32(len(g.in[v]))}
	c.order = append(c.order, g.names[v])
	c.spans = append(c.spans, s)
	c.append(g.names, g.out[v])
	c.append(g.names, g.in[v])
	if l := g.loops[v]; l.weight <= maxWeight {
		c.loops = append(c.loops, nodeLoop{g.names[v], l})
	}
	return s
}

func (c *contracted) append(names []uint32, list []half) {
	for _, h := range list {
		at := (c.next - c.first) % pageArcs
		if at == 0 {
			c.pages = append(c.pages, make([]half, pageArcs))
		}
		h.node = names[h.node]
		c.pages[len(c.pages)-1][at] = h
		c.next++
	}
}
