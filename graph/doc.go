// Package graph is the prepared road network and what is asked of it without
// a search: geometry, identity, names, junctions, the edge-expanded graph,
// components, snapping; the metric that gives it weights; the interface that
// the search algorithms fulfil; and the files that hold them.
//
// A search node (edge-based node) is one direction of a chain, a compressed
// road segment; a search edge is a turn. See Network for the layout.
//
// Network and Metric are immutable and safe for concurrent use.
package graph
