package graph

import "context"

// Cell is an entry of a table: the path of least weight, and of least duration
// among those, from a source to a target. Its Weight is InvalidWeight, and its
// Duration InvalidDuration, where there is none.
type Cell struct {
	Weight   Weight
	Duration Duration
	Distance Distance
}

// ManyToMany computes tables. It is owned by one goroutine at a time and keeps
// its working memory.
type ManyToMany interface {
	// Table finds the paths from each of the sources to each of the targets, a
	// source or target being a set of seeds of which the best serves, by the rules
	// of Searcher.Shortest. Sources and targets may repeat; an empty set reaches
	// nothing; sources have spent nothing. row is called once for each source, in
	// any order, with an entry for each target, which is valid during the call; its
	// error ends the table and is returned. A done context ends it with an error that
	// errors.Is the context's.
	Table(ctx context.Context, sources, targets [][]Seed, row func(source int, cells []Cell) error) error
}
