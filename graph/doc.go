// Package graph is the prepared road network and what is asked of it without
// a search: geometry, identity, names, junctions, the edge-expanded graph,
// components, snapping; the metric that gives it weights; the interface that
// the search algorithms fulfil; and the files that hold them.
//
// A search node (edge-based node) is one direction of a chain, a compressed
// road segment; a search edge is a turn. See Network for the layout.
//
// A Snapper finds the phantoms, the places on segments, where a route from or to
// a coordinate can start or end. Which count, and in which order, are OSRM's
// rules. Areas are what one crosses in straight lines; a coordinate in one has a
// phantom for each way out.
//
// [OpenNetwork] and [OpenMetric] map their files: opening takes well under a
// millisecond whatever their size, what is touched is read then, and slices die
// with Close. A file that is damaged behind its header is found by Verify, which
// reads everything; searching in one without may panic with an index or memory
// fault, which package routing turns into [ErrCorrupt].
//
// Network and Metric are immutable and safe for concurrent use; a Snapper belongs
// to one goroutine at a time.
package graph
