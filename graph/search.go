package graph

import "context"

// Seed is where a search starts or ends: a search node with the cost to add.
// A source at some place along its segment has the negated cost from the
// segment's start to the place; a target the cost from the segment's start to
// the place. The cost of a path is source seed + edges + target seed, where
// an edge costs its tail's whole segment plus the turn.
//
// A search that goes on from where others ended has sources that were reached at
// different costs: Weight then holds that cost too, and Spent says how much of it
// that is, so that Weight-Spent is still where the seed lies on its segment.
type Seed struct {
	Node     NodeID
	Weight   Weight
	Spent    Weight
	Duration Duration
	Distance int64 // centimeters
}

// Precedes says whether the target lies at or behind the source, if both lie on
// one search node: whether the direct piece between them can be driven.
func (s *Seed) Precedes(target *Seed) bool {
	return int64(s.Weight)-int64(s.Spent)+int64(target.Weight)-int64(target.Spent) >= 0
}

// Found is the outcome of a point-to-point search.
type Found struct {
	// Source and Target index the seeds that the path begins and ends with.
	Source, Target int
	Weight         Weight
}

// Searcher finds shortest paths. It is owned by one goroutine at a time and
// keeps its working memory; what Path returns lasts until the next call.
type Searcher interface {
	// Shortest finds a path of least weight from any source to any target.
	// A path whose source and target are one search node is the direct piece
	// between them where the target is not before the source, else it
	// leaves the node and comes back. ok is false if there is none. A done
	// context ends the search with an error that errors.Is the context's.
	Shortest(ctx context.Context, sources, targets []Seed) (f Found, ok bool, err error)
	// Path appends the edges of the path last found, first to last; none if
	// source and target lie on one search node in order.
	Path(dst []EdgeID) []EdgeID

	// From gives the sources of the calls of To up to the next other search, which
	// share what they find around them. The sources must not change meanwhile.
	From(sources []Seed)
	// To is Shortest from the sources of From. On a tie it may find another path.
	To(ctx context.Context, targets []Seed) (f Found, ok bool, err error)

	// Keep notes the path last found, without its edges, and returns its number:
	// that of paths kept before it.
	Keep() int
	// KeptPath is Path for a path that was kept.
	KeptPath(i int, dst []EdgeID) []EdgeID
	// KeptCost returns what the edges of a path that was kept take, without the
	// seeds. ok is false if it takes KeptPath to tell.
	KeptCost(i int) (d Duration, centimeters int64, ok bool)
	// Forget drops all paths that were kept. So does a change of what searches
	// keep out of.
	Forget()
}

// Expanded is the edge-expanded graph under one metric, as contraction and
// partition take it: arcs of n are Arcs[First[n]:First[n+1]], arc i being
// search edge i. Closed turns, and arcs that leave closed nodes, have
// InvalidWeight and are to be skipped. An arc that enters a closed node stays:
// a target may lie before the place that is closed.
type Expanded struct {
	First []EdgeID
	Arcs  []Arc
}

// Arc is a search edge with its cost.
type Arc struct {
	Head     NodeID
	Weight   Weight
	Duration Duration
	Distance Distance
}

// NumNodes returns the number of nodes.
func (g *Expanded) NumNodes() int { return len(g.First) - 1 }

// Expand combines a network and a metric.
func Expand(n *Network, m *Metric) *Expanded {
	g := &Expanded{First: n.EdgeFirst, Arcs: make([]Arc, len(n.EdgeHead))}
	for v := range n.NumNodes() {
		tail := NodeID(v)
		closed := m.NodeWeight[v] == InvalidWeight
		for e := n.EdgeFirst[v]; e < n.EdgeFirst[v+1]; e++ {
			head := n.EdgeHead[e]
			if closed || m.TurnClosed != nil && m.TurnClosed.Get(uint32(e)) {
				g.Arcs[e] = Arc{Head: head, Weight: InvalidWeight}
				continue
			}
			g.Arcs[e] = Arc{
				Head:     head,
				Weight:   m.EdgeWeight(tail, e),
				Duration: m.EdgeDuration(tail, e),
				Distance: m.NodeDistance[v],
			}
		}
	}
	return g
}
