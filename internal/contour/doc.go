// Package contour draws outlines around roads: the places within a margin of what has
// been marked, in several steps, each of which contains the one before.
//
// A Canvas is a grid of square cells. The distance of each corner of a cell to the
// nearest mark is found by passing the nearest mark on from corner to corner
// (Danielsson, Euclidean Distance Mapping, 1980), and the outline, where that distance
// is the margin, by marching squares (Lorensen and Cline, Marching Cubes, 1987) with
// linear interpolation. Two corners inside that face each other across a cell are
// joined.
//
// So rings are simple and do not meet, and keep what is inside on their left: those
// around places run counter-clockwise, those around holes clockwise. Each edge of a
// cell has one corner of one ring at most, away from the ends of the edge, and it
// moves outward from step to step.
//
// Results depend on the marks alone, not on their order; arithmetic rounds products
// before it adds, so that all machines compute the same.
package contour
