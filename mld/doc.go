// Package mld finds shortest paths by a multi-level overlay of nested cells.
//
// [Partition] divides a network into cells, and those into smaller ones, once.
// [Customize] then computes, for a metric, the paths between the border nodes of
// each cell, in a fraction of a second. A [Search] looks into the cells around its
// ends only and crosses all others from border to border. So a change of the
// metric costs little, where package ch answers faster but prepares longer.
//
//	cells, err := mld.Partition(ctx, network, mld.Options{})
//	overlay, err := mld.Customize(ctx, cells, graph.Expand(network, metric), mld.CustomizeOptions{})
//	s := overlay.NewSearch(pool.New())
//	found, ok, err := s.Shortest(ctx, sources, targets)
//	edges := s.Path(nil)
//
// The method is that of Delling, Goldberg, Pajor and Werneck, Customizable Route
// Planning (2011).
//
// [Cells], an [Overlay] and its [Cliques] are immutable and safe for concurrent
// use. A Search belongs to one goroutine at a time. Results depend on the network
// and the metric alone: not on the number of processors, nor on what else runs.
package mld
