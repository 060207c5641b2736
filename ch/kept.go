package ch

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// kept are paths in the form in which searches find them.
type kept struct {
	arcs  []uint32
	paths []keptPath
}

type keptPath struct {
	end  uint32       // of its arcs
	edge graph.EdgeID // the path, if it is one edge from a node to itself
}

func (k *kept) release(memory *pool.Allocator) {
	pool.Free(memory, k.arcs)
	pool.Free(memory, k.paths)
	*k = kept{}
}

// Keep implements graph.Searcher.
func (s *Search) Keep() int {
	k := &s.kept
	for _, a := range s.packed {
		k.arcs = pool.Append(s.memory, k.arcs, a)
	}
	k.paths = pool.Append(s.memory, k.paths, keptPath{uint32(len(k.arcs)), s.edge})
	return len(k.paths) - 1
}

// KeptPath implements graph.Searcher. It panics as Path does.
func (s *Search) KeptPath(i int, dst []graph.EdgeID) []graph.EdgeID {
	p, first := s.kept.paths[i], uint32(0)
	if i > 0 {
		first = s.kept.paths[i-1].end
	}
	if p.edge != graph.InvalidEdge {
		return append(dst, p.edge)
	}
	return s.unpack(dst, s.kept.arcs[first:p.end])
}

// Forget implements graph.Searcher.
func (s *Search) Forget() { s.kept.arcs, s.kept.paths = s.kept.arcs[:0], s.kept.paths[:0] }
