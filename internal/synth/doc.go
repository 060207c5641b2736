// Package synth makes up road networks of any size, as OpenStreetMap files, for
// measurements of growth.
//
// [Country] invents one: metropolises, towns, villages and the land between them,
// crossed by motorways with interchanges and by roads of every class; in towns
// one-way streets, dead ends, signals, roundabouts and turn restrictions. [Mosaic]
// lays copies of a real extract side by side and joins them by roads.
//
// Both write the file in one go and hold a constant amount of it in memory: a
// Country one tile of 4 km, a Mosaic one block of the extract and a list of its
// main roads' nodes. The same options give the same bytes.
package synth
