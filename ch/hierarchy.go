package ch

import "github.com/fourway-routing/fourway/graph"

// arc is the hot part of an arc: 8 bytes. Its fields are exported for package
// file.
type arc struct {
	Head   uint32 // rank of the upper end
	Weight uint32
}

// Hierarchy is a contraction hierarchy: the arcs of the graph and shortcuts,
// each listed at its lower end. It is immutable and safe for concurrent use.
//
// Nodes are numbered by rank: 0 is the top, and every arc leads to a smaller
// rank, so that the part of the arrays that all searches visit is contiguous.
// The forward arcs of rank v, arcs[first[2v]:first[2v+1]], lead up from v; the
// backward arcs, arcs[first[2v+1]:first[2v+2]], lead down to v from their head.
//
// Ranks below core are the core, of which each further set of excluded nodes
// has an index of its own; the arcs of the ranks from core on are shared.
type Hierarchy struct {
	edges uint32   // of the graph
	rank  []uint32 // by NodeID
	first []uint32
	arcs  []arc
	// By arc: what it stands for, see childOf, and what belongs to it.
	child    []child
	far      []farChild // by arc, ascending
	duration []graph.Duration
	distance []graph.Distance

	core  uint32
	cores []core // by set of excluded nodes; that of set 0 is empty
	loops []loops
	// coreOf gives the index into cores and loops by set.
	coreOf []uint32

	// barred are the ranks that an Order was customized to exclude; nil for none.
	barred graph.Bits
}

// core is the top of the hierarchy where a set of nodes is excluded.
type core struct {
	first  []uint32   // as Hierarchy.first, for ranks below core
	barred graph.Bits // ranks below core that are excluded
}

// loops are the cheapest ways from a node back to itself over lower nodes,
// ascending by rank.
type loops struct {
	rank     []uint32
	weight   []uint32
	child    [][2]uint32 // as childOf
	duration []graph.Duration
	distance []graph.Distance
}

// NumNodes returns the number of nodes of the graph.
func (h *Hierarchy) NumNodes() int { return len(h.rank) }

// NumArcs returns the number of arcs, shortcuts and all cores included.
func (h *Hierarchy) NumArcs() int { return len(h.arcs) }

// NumSets returns the number of sets of excluded nodes, the empty set 0
// included.
func (h *Hierarchy) NumSets() int { return len(h.coreOf) }
