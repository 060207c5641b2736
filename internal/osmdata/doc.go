// Package osmdata finds the two OpenStreetMap extracts that tests and benchmarks run on.
//
// Both come with the module github.com/paulmach/osm and so are in the module cache of everybody who can build the tests:
// Delaware as PBF (723,870 nodes) and Andorra as bzip2-compressed XML. They are not copied into this tree.
//
// The package is for tests only. Its functions may be called from any goroutine that may call [testing.TB.Fatalf].
package osmdata
