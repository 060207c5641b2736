// Package relate finds the search nodes of an earlier network of a region in those
// of a later one, so that what was computed for the earlier one helps with the later.
// Nothing is shared; a Relation is the caller's.
package relate
