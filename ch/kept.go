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

// arcsOf returns the arcs of a path.
func (k *kept) arcsOf(i int) []uint32 {
	first := uint32(0)
	if i > 0 {
		first = k.paths[i-1].end
	}
	return k.arcs[first:k.paths[i].end]
}

// KeptPath implements graph.Searcher. It panics as Path does.
func (s *Search) KeptPath(i int, dst []graph.EdgeID) []graph.EdgeID {
	if edge := s.kept.paths[i].edge; edge != graph.InvalidEdge {
		return append(dst, edge)
	}
	return s.unpack(dst, s.kept.arcsOf(i))
}

// KeptCost implements graph.Searcher.
func (s *Search) KeptCost(i int) (d graph.Duration, centimeters int64, ok bool) {
	if s.kept.paths[i].edge != graph.InvalidEdge {
		return 0, 0, false
	}
	for _, a := range s.kept.arcsOf(i) {
		d = addDurations(d, s.h.duration[a])
		centimeters += int64(s.h.distance[a])
	}
	return d, centimeters, true
}

// Forget implements graph.Searcher.
func (s *Search) Forget() { s.kept.arcs, s.kept.paths = s.kept.arcs[:0], s.kept.paths[:0] }
