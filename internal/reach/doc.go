// Package reach finds all that can be reached within a limit: the lightest paths
// from some places to the search nodes of a network, or from these to the places, by
// Dijkstra's algorithm on the edge-expanded graph.
//
// It needs no preparation but the metric, and its work is in proportion to what it
// finds. A sweep of a hierarchy (PHAST) looks at the whole network instead, so that
// it gains only where the limit spans most of it; and what an overlay spares, the
// inside of cells, is just what is asked for.
//
// Paths are compared by weight, then duration, then distance, so that the answer
// depends on the network and the metric alone. Weights are whole numbers, and
// within a limit there are few: the queue is one of buckets (Dial, Algorithm 360:
// Shortest-path forest with topological ordering, 1969).
package reach
