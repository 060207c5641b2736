// Package mld finds shortest paths by a multi-level overlay of nested cells.
//
// [Partition] divides a network into cells, and those into smaller ones, once.
// [Customize] then computes, for a metric, the paths between the border nodes of
// each cell, in a fraction of a second. A [Search] looks into the cells around its
// ends only and crosses all others from border to border. So a change of the
// metric, or one more set of excluded nodes, costs little, where package ch answers
// faster but prepares longer; and [Overlay.Update] takes time for the cells alone
// where costs have changed.
//
//	cells, err := mld.Partition(ctx, network, mld.Options{})
//	overlay, err := mld.Customize(ctx, cells, graph.Expand(network, metric), mld.CustomizeOptions{})
//	s := overlay.NewSearch(pool.New())
//	found, ok, err := s.Shortest(ctx, sources, targets)
//	edges := s.Path(nil)
//
// A Search also makes tables ([Search.Table]) and finds all that is within a limit
// ([Search.Reach]).
//
// # Method
//
// The method is that of Delling, Goldberg, Pajor and Werneck, Customizable Route
// Planning (2011). Two things are added. Besides the cliques, which lead from the
// entries of a cell to its exits, there are climbs, which lead from the exits of a
// cell to those of its parent (backward: to the entries). With them a search that
// has left a small cell goes on at the border of the largest cell that does not
// hold the other end. And unpacking needs a search inside small cells only.
//
// # Cost
//
// Where borders are short, as on real roads, cliques take some 35 bytes a node, and
// a set of excluded nodes what its cells have of their own; time and memory grow in
// proportion to the network. In a uniform grid borders grow with the square root of a cell, and all costs with them.
//
// # Lifetime and concurrency
//
// [Cells], an [Overlay] and its [Cliques] are immutable and safe for concurrent
// use. A Search belongs to one goroutine at a time, and to the workspace whose
// allocator it uses; once it has seen its largest query it allocates nothing. What
// comes from a [File] dies with it. Results depend on the network and the metric
// alone: not on the number of processors, nor on what else runs.
package mld
