package reach

import "github.com/fourway-routing/fourway/graph"

// Incoming are the search edges of a network by the node that they lead to, for
// searches against the direction of travel: eight bytes an edge, four a node. It is
// immutable and safe for concurrent use.
type Incoming struct {
	first []uint32 // of arcs, by node
	arcs  []incoming
}

type incoming struct {
	tail graph.NodeID
	edge graph.EdgeID
}

// NewIncoming sorts the edges of a network.
func NewIncoming(n *graph.Network) *Incoming {
	x := &Incoming{first: make([]uint32, n.NumNodes()+2), arcs: make([]incoming, n.NumEdges())}
	// Counts are two further up, so that filling in moves them one down.
	count := x.first[1:]
	for _, head := range n.EdgeHead {
		count[head+1]++
	}
	for v := range n.NumNodes() {
		count[v+1] += count[v]
	}
	for v := range n.NumNodes() {
		for e := n.EdgeFirst[v]; e < n.EdgeFirst[v+1]; e++ {
			at := &count[n.EdgeHead[e]]
			x.arcs[*at] = incoming{graph.NodeID(v), e}
			*at++
		}
	}
	x.first = x.first[:n.NumNodes()+1]
	return x
}
