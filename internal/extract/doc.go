// Package extract turns an OpenStreetMap file and a profile into a road
// network and its metric: it reads the file twice (ways and relations, then
// the nodes that those name), weighs each segment, resolves turn
// restrictions, joins segments to chains, expands junctions to turns and
// labels the components of the result.
//
// Behavior follows OSRM 26.8 rule by rule, so that weights, durations and
// allowed turns are equal to its: which of several parallel segments counts,
// where chains end, how penalties round, what a restriction over several ways
// forbids. Departures are few and deliberate: lengths are whole centimeters,
// values that do not fit are capped and counted instead of wrapping, and where
// OSRM's order depends on threads or on an unstable sort, the order of the
// file decides.
//
// # Stages
//
//	ways       which ways may be used; restriction relations; node ids;
//	           before that the relations that the profile wants, if any
//	nodes      coordinates and obstacles of the nodes that ways name; then the
//	           ways across open areas, if the profile has any
//	segments   weight, duration and length of each pair of neighboring nodes
//	compress   chains through nodes where nothing can happen
//	expand     search nodes (directions of chains) and search edges (turns)
//	assemble   the network, in its final arrangement
//	components strongly connected components
//	index      what places are found with
//	tags       ways and nodes to look up, if tags are kept
//
// # Concurrency
//
// Run uses Options.Workers goroutines for reading, profiles and turns. What it
// returns depends on the file, the profile and the options only, byte for
// byte, never on the number of workers. All goroutines have ended when it
// returns.
//
// # Bad input
//
// A way with missing nodes, a restriction that cannot be read, a weight beyond
// range: extraction goes on, and the Report counts it by reason.
package extract
