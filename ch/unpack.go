package ch

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// Path implements graph.Searcher.
func (s *Search) Path(dst []graph.EdgeID) []graph.EdgeID {
	if !s.ok {
		return dst
	}
	if s.edge != graph.InvalidEdge {
		return append(dst, s.edge)
	}
	child := s.h.child
	stack := s.stack[:0]
	for _, a := range s.packed {
		stack = pool.Append(s.memory, stack, a)
		for len(stack) > 0 {
			a := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			c := child[a]
			for c[1] != original {
				stack = pool.Append(s.memory, stack, c[1])
				c = child[c[0]]
			}
			dst = append(dst, graph.EdgeID(c[0]))
		}
	}
	s.stack = stack
	return dst
}
