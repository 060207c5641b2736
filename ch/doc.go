// Package ch finds shortest paths by a contraction hierarchy.
//
// [Contract] prepares a graph under one metric: it takes the nodes out one by
// one, least important first, and puts in a shortcut wherever a shortest path
// led through. A [Search] then only climbs, from both ends, and meets near the
// top: a few hundred nodes instead of the graph. A change of the metric needs a
// new contraction.
//
// [Dissect] makes an [Order] that suits any metric instead: a customizable
// contraction hierarchy. [Order.Customize] makes a Hierarchy of it in a fraction of
// the time that contraction takes, and [Order.Update] renews one where costs have
// changed; searches take half as long again.
//
//	h, err := ch.Contract(ctx, graph.Expand(network, metric), ch.Options{})
//	s := h.NewSearch(pool.New())
//	found, ok, err := s.Shortest(ctx, sources, targets)
//	edges := s.Path(nil)
//
// The same Search makes tables of many sources and targets, and finds
// alternatives to a shortest path. A [Tree] has the paths from some sources to all
// nodes.
//
// The method is that of Geisberger, Sanders, Schultes and Delling, Contraction
// Hierarchies: Faster and Simpler Hierarchical Routing in Road Networks (2008).
//
// A [Hierarchy] is immutable and safe for concurrent use. A Search belongs to
// one goroutine at a time. Results depend on the graph alone: not on the number
// of processors, nor on what else runs.
package ch
