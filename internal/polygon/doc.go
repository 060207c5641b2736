// Package polygon is the geometry of open areas: polygons with holes in which
// one walks in straight lines. It tells what lies inside, which vertices see
// one another, and the shortest way from one place to another.
//
// All tests of where something lies are exact: coordinates are whole numbers,
// and the products of their differences fit 64 bits. Boundaries belong to the
// polygon: one may walk along a wall and touch a corner. Lengths are meters by
// [geo.Distance].
//
// A shortest way bends at corners only, vertices at which the polygon takes
// more than a straight angle, and at each of them passes the polygon on one
// side (Lee and Preparata, Euclidean Shortest Paths in the Presence of
// Rectilinear Barriers, 1984; de Berg et al., Computational Geometry, chapter
// 15). Corners that see one another are found by trying all pairs against all
// edges, in O(k²n) time for k corners of n vertices, most pairs ending at one
// of the first edges.
//
// Polygons that cross the 180th meridian are not supported. The values of this
// package are safe for concurrent reading.
package polygon
