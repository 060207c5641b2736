// Package dump writes a network and its metric down in a form that does not
// depend on how they are stored: roads, turns and junctions are named by the
// ids of OpenStreetMap and sorted. Two profiles that lead to the same dump give
// the same answers. It is for tests only.
package dump
