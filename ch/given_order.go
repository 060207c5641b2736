package ch

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/relate"
)

// RanksFor returns ranks for the nodes of another graph, the top one's being 0, for
// Options.Ranks: of tells which node of the Hierarchy's graph each is, or
// graph.InvalidNode. Nodes that are known keep their order; a new one comes just below
// the lowest of its neighbors. The edges of node v have the heads
// head[first[v]:first[v+1]].
func (h *Hierarchy) RanksFor(of []graph.NodeID, first []graph.EdgeID, head []graph.NodeID) []uint32 {
	return ranksFor(h.rank, of, first, head)
}

// Ranks returns a copy of the ranks of all nodes, the top one's being 0, for the
// contraction of the same graph with other weights.
func (h *Hierarchy) Ranks() []uint32 { return slices.Clone(h.rank) }

// RanksFor is Hierarchy.RanksFor, for OrderBy.
func (o *Order) RanksFor(of []graph.NodeID, first []graph.EdgeID, head []graph.NodeID) []uint32 {
	return ranksFor(o.rank, of, first, head)
}

func ranksFor(earlier []uint32, of []graph.NodeID, first []graph.EdgeID, head []graph.NodeID) []uint32 {
	// A node's place is the rank of the node that it is, or is beside, and how far
	// beside.
	type place struct{ rank, beside uint32 }
	places := make([]place, len(of))
	for v, old := range of {
		if old != graph.InvalidNode {
			places[v].rank = earlier[old]
		}
	}
	relate.Spread(of, first, head, func(v graph.NodeID, round int, neighbors []graph.NodeID) {
		p := place{uint32(len(earlier)), uint32(round)}
		if len(neighbors) > 0 {
			p.rank = 0
		}
		for _, u := range neighbors {
			p.rank = max(p.rank, places[u].rank)
		}
		places[v] = p
	})
	order := make([]uint32, len(of))
	for v := range order {
		order[v] = uint32(v)
	}
	slices.SortFunc(order, func(v, u uint32) int {
		a, b := places[v], places[u]
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.beside, b.beside), cmp.Compare(v, u))
	})
	ranks := make([]uint32, len(of))
	for r, v := range order {
		ranks[v] = uint32(r)
	}
	return ranks
}

// checkRanks returns an error unless the ranks are a permutation of n numbers.
func checkRanks(ranks []uint32, n int) error {
	if len(ranks) != n {
		return fmt.Errorf("%w: %d ranks are given for %d nodes", ErrGraph, len(ranks), n)
	}
	seen := graph.MakeBits(n)
	for v, r := range ranks {
		if int64(r) >= int64(n) || seen.Get(r) {
			return fmt.Errorf("%w: node %d has rank %d, which is too high or another's too", ErrGraph, v, r)
		}
		seen.Set(r)
	}
	return nil
}

// OrderBy is Dissect with ranks that are known: each node's, the top one's being 0.
// The arcs are those that contraction in the order of the ranks can need; the Order
// numbers the nodes anew, so that customization works on independent parts side by
// side, by the tree of which node is joined to which above it.
func OrderBy(ctx context.Context, n *graph.Network, ranks []uint32) (*Order, error) {
	if err := checkRanks(ranks, n.NumNodes()); err != nil {
		return nil, err
	}
	return fillIn(ctx, n.EdgeFirst, n.EdgeHead, placeByTree(n.EdgeFirst, n.EdgeHead, ranks))
}

// placeByTree makes parts of an order. The elimination tree (Liu, The Role of
// Elimination Trees in Sparse Factorization, 1990) leads from each node to the lowest
// of those that it is joined to above it once all below have been contracted; arcs lead
// from nodes to their ancestors alone. Nodes that are joined in the tree are a part if
// the number of nodes below them has as many bits: so that there are few layers, and
// of two parts of a layer none is above the other.
func placeByTree(edgeFirst []graph.EdgeID, edgeHead []graph.NodeID, ranks []uint32) placing {
	n := len(ranks)
	parent := eliminationTree(edgeFirst, edgeHead, ranks)
	below := make([]uint32, n) // and the node itself, by rank
	for r := n - 1; r >= 0; r-- {
		below[r]++
		if p := parent[r]; p != absent {
			below[p] += below[r]
		}
	}
	most := 0
	for r := range n {
		most = max(most, bits.Len32(below[r]))
	}
	layerOf := func(r uint32) uint32 { return uint32(most - bits.Len32(below[r])) }
	// A part is named by its highest node. Parts are sorted by layer, and by the
	// order of a walk down the tree within it, which keeps what is near together.
	top := make([]uint32, n)
	for r := range uint32(n) {
		top[r] = r
		if p := parent[r]; p != absent && layerOf(p) == layerOf(r) {
			top[r] = top[p]
		}
	}
	var tops []uint32
	for _, r := range walkDown(parent) {
		if top[r] == r {
			tops = append(tops, r)
		}
	}
	slices.SortStableFunc(tops, func(a, b uint32) int { return cmp.Compare(layerOf(a), layerOf(b)) })
	part := make([]uint32, n) // by rank of the top
	s := placing{part: make([]uint32, n), layer: make([]uint32, len(tops)), ranks: ranks}
	for i, r := range tops {
		part[r] = uint32(i)
		s.layer[i] = layerOf(r)
	}
	for v, r := range ranks {
		s.part[v] = part[top[r]]
	}
	return s
}

// eliminationTree returns the parents by rank; those of roots are absent.
func eliminationTree(edgeFirst []graph.EdgeID, edgeHead []graph.NodeID, ranks []uint32) []uint32 {
	n := len(ranks)
	// Lower ends by upper one: the tree grows from the bottom.
	first := make([]uint32, n+1)
	each := func(put func(upper, lower uint32)) {
		for v, r := range ranks {
			for _, u := range edgeHead[edgeFirst[v]:edgeFirst[v+1]] {
				if q := ranks[u]; q < r {
					put(q, r)
				} else if r < q {
					put(r, q)
				}
			}
		}
	}
	each(func(upper, _ uint32) { first[upper+1]++ })
	for r := range n {
		first[r+1] += first[r]
	}
	lower := make([]uint32, first[n])
	next := slices.Clone(first)
	each(func(u, l uint32) {
		lower[next[u]] = l
		next[u]++
	})
	parent, ancestor := make([]uint32, n), make([]uint32, n)
	for r := range parent {
		parent[r], ancestor[r] = absent, absent
	}
	for i := n - 1; i >= 0; i-- {
		r := uint32(i)
		for _, l := range lower[first[r]:first[r+1]] {
			for l != r { // up to the root so far, which r is above
				up := ancestor[l]
				ancestor[l] = r
				if up == absent {
					parent[l] = r
					break
				}
				l = up
			}
		}
	}
	return parent
}

// walkDown returns the ranks of a forest in preorder, of siblings the lower number first.
func walkDown(parent []uint32) []uint32 {
	n := len(parent)
	child, sibling := make([]uint32, n), make([]uint32, n)
	for r := range child {
		child[r] = absent
	}
	root := uint32(absent)
	for i := n - 1; i >= 0; i-- {
		r := uint32(i)
		at := &root
		if p := parent[r]; p != absent {
			at = &child[p]
		}
		sibling[r], *at = *at, r
	}
	order := make([]uint32, 0, n)
	var stack []uint32
	for r := root; ; {
		for r != absent {
			order = append(order, r)
			stack = append(stack, r)
			r = child[r]
		}
		if len(stack) == 0 {
			return order
		}
		r = sibling[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
	}
}
