package mld

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// kept are paths in the form in which searches find them.
type kept struct {
	hops []hop
	ends []uint32 // of the hops of each path
}

func (k *kept) release(memory *pool.Allocator) {
	pool.Free(memory, k.hops)
	pool.Free(memory, k.ends)
	*k = kept{}
}

// Keep implements graph.Searcher.
func (s *Search) Keep() int {
	k := &s.kept
	for _, h := range s.hops {
		k.hops = pool.Append(s.memory, k.hops, h)
	}
	k.ends = pool.Append(s.memory, k.ends, uint32(len(k.hops)))
	return len(k.ends) - 1
}

// KeptPath implements graph.Searcher.
func (s *Search) KeptPath(i int, dst []graph.EdgeID) []graph.EdgeID {
	k, first := &s.kept, uint32(0)
	if i > 0 {
		first = k.ends[i-1]
	}
	return s.unpackAll(dst, k.hops[first:k.ends[i]])
}

// KeptCost implements graph.Searcher. What cliques cost is that of the quickest of
// their paths, which need not be the one that KeptPath finds.
func (s *Search) KeptCost(int) (d graph.Duration, centimeters int64, ok bool) { return 0, 0, false }

// Forget implements graph.Searcher.
func (s *Search) Forget() { s.kept.hops, s.kept.ends = s.kept.hops[:0], s.kept.ends[:0] }
