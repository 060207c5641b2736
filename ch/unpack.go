package ch

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// Path implements graph.Searcher. It panics with an error that wraps
// graph.ErrCorrupt where shortcuts of a damaged file contain themselves.
func (s *Search) Path(dst []graph.EdgeID) []graph.EdgeID {
	if !s.ok {
		return dst
	}
	if s.edge != graph.InvalidEdge {
		return append(dst, s.edge)
	}
	return s.unpack(dst, s.packed)
}

// unpack appends the edges that arcs stand for.
func (s *Search) unpack(dst []graph.EdgeID, arcs []uint32) []graph.EdgeID {
	h := s.h
	stack := s.stack[:0]
	// A path visits a node once, or a few times where cycles have no weight. What
	// is far longer does not end.
	most := len(dst) + 64 + 4*s.h.NumNodes()
	for _, a := range arcs {
		stack = pool.Append(s.memory, stack, a)
		for len(stack) > 0 {
			a := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			c := h.childOf(a)
			for c[1] != original {
				stack = pool.Append(s.memory, stack, c[1])
				if len(dst)+len(stack) > most {
					panic(damaged("shortcuts contain themselves"))
				}
				c = h.childOf(c[0])
			}
			dst = append(dst, graph.EdgeID(c[0]))
		}
	}
	s.stack = stack
	return dst
}
