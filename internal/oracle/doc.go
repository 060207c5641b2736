// Package oracle answers shortest path questions the slow and simple way, to
// check the fast ways against: by Dijkstra's algorithm on the edge-expanded
// graph. It also makes random graphs with everything that goes wrong.
//
// It is for tests. Its values belong to one goroutine.
package oracle
