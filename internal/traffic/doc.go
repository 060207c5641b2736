// Package traffic changes the metric of a network: speeds and closures of
// segments and penalties of turns, by OSM nodes, and turns that are forbidden at
// times. It reads the CSV files that OSRM reads.
//
// An [Updater] starts from a metric, takes changes one by one, and ends with a
// new metric that shares with the old one what has not changed. The last change of
// a segment or turn counts, and what it leaves open is taken from the metric that
// the Updater started from, so a change does not depend on those that it replaces.
//
// An [Index] is safe for concurrent use; an Updater belongs to one goroutine.
package traffic
