// Package suite is the list of benchmarks that OSRM's measurement of pooled heaps
// had, by the same names, and a few more: what the root's bench_test.go and
// "fourway bench" run.
//
//	alias, json-render, packedvector, rtree
//	match, route                                  fixed requests
//	random_{nearest,route,table,trip,match}       random ones
//	binding_{nearest,route,table,trip,match}      the typed call, without and with JSON
//	e2e_{nearest,route,table,trip,match}          over HTTP
//	extract, partition, customize, contract       see RunStage
//
// Where searches take part, each is there by algorithm, and by the kind of memory
// that they have: pool=gc, pool=make, pool=syncpool, pool=freelist.
//
// A case is verified before it is measured: its answers are not empty, and equal
// to those of the searches with free lists.
package suite
