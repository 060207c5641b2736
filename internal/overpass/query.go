package overpass

import (
	"time"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// Query is a query that was understood.
type Query struct {
	// Timeout and MaxSize are what the query sets: 0 if it does not.
	Timeout time.Duration
	MaxSize int64 // bytes

	bounds     *graph.Box // of all statements that have none of their own
	statements []statement
	sets       int // the number of names; the default set is 0
	light      bool
}

// Light says whether the query does no more than look up a few ids.
func (q *Query) Light() bool { return q.light }

// operation is what a statement does.
type operation uint8

const (
	opQuery operation = iota
	opUnion
	opDifference
	opItem
	opDown // from ways to their nodes
	opUp   // from nodes to their ways
	opOut
)

// name is what errors call a statement.
func (o operation) name() string {
	return [...]string{"query", "union", "difference", "item", "recurse", "recurse", "print"}[o]
}

// statement is one statement. Sets are numbered.
type statement struct {
	op         operation
	at         position
	from, into int

	nodes, ways bool        // of a query
	filters     []filter    // of a query
	parts       []statement // of a union or difference
	out         output
}

// position is a place in the text, from 1 on.
type position struct{ line, column int }

// filterKind is what a filter asks for.
type filterKind uint8

const (
	hasKey filterKind = iota
	lacksKey
	equals
	differs
	matches
	differsFromAll // !~
	keyMatches     // ~key~value
	byID
	inBox
	aroundPlace
	inSet
	ofWays  // nodes of the ways in a set
	ofNodes // ways of the nodes in a set
)

// filter is a condition of a query.
type filter struct {
	kind       filterKind
	key, value string
	pattern    *pattern // of value
	keyPattern *pattern
	ids        []int64
	box        graph.Box
	center     geo.Coord
	radius     float64 // m
	set        int
}

// verbosity is how much of each element is shown.
type verbosity uint8

const (
	showBody verbosity = iota
	showIDs
	showSkeleton
	showTags
	showCount
)

// shape is what of the geometry is shown.
type shape uint8

const (
	noShape shape = iota
	showGeometry
	showCenter
	showBounds
)

// output are the options of out.
type output struct {
	verbosity verbosity
	shape     shape
	limit     int        // -1 for none
	box       *graph.Box // of showGeometry
}
