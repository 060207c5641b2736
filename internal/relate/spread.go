package relate

import (
	"slices"

	"github.com/fourway-routing/fourway/graph"
)

// Spread visits the nodes without an earlier one: in round 1 those beside a node that
// has one, in round 2 those beside these, and so on, by ascending id; then, in round
// 0, those that no search edge joins to any. It tells the neighbors, by either
// direction of an edge, that have an earlier node or were visited in a round before;
// the slice is valid until visit returns.
//
// The edges of node v have the heads head[first[v]:first[v+1]].
func Spread(of []graph.NodeID, first []graph.EdgeID, head []graph.NodeID, visit func(v graph.NodeID, round int, neighbors []graph.NodeID)) {
	s := newSpread(of, first, head)
	if len(s.nodes) == 0 {
		return
	}
	var neighbors []graph.NodeID
	var front, next []uint32 // places in nodes
	for i := range s.nodes {
		if neighbors = s.before(uint32(i), 1, neighbors[:0]); len(neighbors) > 0 {
			front = append(front, uint32(i))
		}
	}
	for round := 1; len(front) > 0; round++ {
		for _, i := range front {
			s.round[i] = round
		}
		next = next[:0]
		for _, i := range front {
			v := s.nodes[i]
			neighbors = s.before(i, round, neighbors[:0])
			visit(v, round, neighbors)
			for _, u := range s.around(i) {
				if at := s.place(u); at >= 0 && s.round[at] == 0 {
					next = append(next, uint32(at))
				}
			}
		}
		slices.Sort(next)
		next = slices.Compact(next)
		front, next = next, front
	}
	for i, v := range s.nodes {
		if s.round[i] == 0 {
			visit(v, 0, nil)
		}
	}
}

// spread is the state of Spread.
type spread struct {
	of    []graph.NodeID
	nodes []graph.NodeID // without an earlier one, ascending
	round []int          // by place in nodes; 0 while it was not visited
	// near[nearFirst[i]:nearFirst[i+1]] are the neighbors of nodes[i].
	nearFirst []uint32
	near      []graph.NodeID
}

func newSpread(of []graph.NodeID, first []graph.EdgeID, head []graph.NodeID) *spread {
	s := &spread{of: of}
	for v, old := range of {
		if old == graph.InvalidNode {
			s.nodes = append(s.nodes, graph.NodeID(v))
		}
	}
	s.round = make([]int, len(s.nodes))
	s.nearFirst = make([]uint32, len(s.nodes)+1)
	if len(s.nodes) == 0 {
		return s
	}
	each := func(put func(i int, u graph.NodeID)) {
		for v := range of {
			at := s.place(graph.NodeID(v))
			for _, u := range head[first[v]:first[v+1]] {
				if at >= 0 {
					put(at, u)
				}
				if of[u] == graph.InvalidNode {
					put(s.place(u), graph.NodeID(v))
				}
			}
		}
	}
	each(func(i int, _ graph.NodeID) { s.nearFirst[i+1]++ })
	for i := range s.nodes {
		s.nearFirst[i+1] += s.nearFirst[i]
	}
	s.near = make([]graph.NodeID, s.nearFirst[len(s.nodes)])
	next := slices.Clone(s.nearFirst)
	each(func(i int, u graph.NodeID) {
		s.near[next[i]] = u
		next[i]++
	})
	for i := range s.nodes {
		slices.Sort(s.around(uint32(i)))
	}
	return s
}

// place returns the place of a node in nodes, -1 if it has an earlier node.
func (s *spread) place(v graph.NodeID) int {
	if s.of[v] != graph.InvalidNode {
		return -1
	}
	at, _ := slices.BinarySearch(s.nodes, v)
	return at
}

func (s *spread) around(i uint32) []graph.NodeID {
	return s.near[s.nearFirst[i]:s.nearFirst[i+1]]
}

// before appends the neighbors of nodes[i] that have an earlier node, or were visited
// before the round.
func (s *spread) before(i uint32, round int, dst []graph.NodeID) []graph.NodeID {
	for _, u := range s.around(i) {
		at := s.place(u)
		if at < 0 || s.round[at] != 0 && s.round[at] < round {
			dst = append(dst, u)
		}
	}
	return dst
}
