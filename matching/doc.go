// Package matching finds the way on a road network that fits a trace of noisy
// places best, by a hidden Markov model (Newson and Krumm, Hidden Markov Map
// Matching Through Noise and Sparseness, 2009).
//
// Each place of a trace has candidates: spots on roads near it. A candidate is
// the more likely the nearer it is, and a step from one candidate to the next the
// more likely the less the way by road differs from that of the crow. The
// Viterbi algorithm finds the likeliest sequence. Where no step is possible the
// places around are left out; where that does not help, or too much time has
// passed, the trace is parted, and each piece has a Match of its own.
//
//	m := matching.New(network, metric, paths, memory)
//	matches, err := m.Match(ctx, matching.Trace{Points: points, WeightPerSecond: 10})
//
// A Model changes what is likely: points may be left out, stand still, or keep to the
// time that there was. Its zero value is OSRM's. Fit estimates the noise of a trace
// from its match, and Online matches a trace while it comes in.
//
// The package finds neither candidates, apart from making those of package graph
// fit (Candidates), nor the line of the way. Short ways it finds by Dijkstra's
// algorithm on the edge-expanded graph, in trees that the steps of a trace share;
// long ones by a graph.ManyToMany. Steps to states that are too unlikely to matter
// are put off until they do, which changes no result.
//
// A Matcher belongs to one goroutine at a time and keeps its memory for the next
// trace. Results depend on the trace and, where ways of one weight differ in
// length, on which of them the searcher has.
package matching
