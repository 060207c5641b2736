// Package workload makes the requests that measurements ask: those of OSRM's own
// benchmarks, and whole days of mixed ones.
//
// All choices are made by a seed: the same places and the same seed give the same
// requests. [Check] tells an answer that measures nothing.
package workload
