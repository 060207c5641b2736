package routing

import (
	"fmt"
	"slices"

	"github.com/fourway-routing/fourway/ch"
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/mld"
	"github.com/fourway-routing/fourway/pool"
)

// Algorithm is how shortest paths are found. Answers are the same but for
// which of several routes of equal weight is taken.
type Algorithm uint8

// The algorithms.
const (
	// CH is contraction hierarchies: the fastest answers.
	CH Algorithm = iota
	// MLD is multi-level Dijkstra: a shorter build, and any set of classes
	// can be excluded. Engine.Update changes weights.
	MLD
	// CCH is customizable contraction hierarchies: answers nearly as fast as
	// with CH, any set of classes can be excluded, and Engine.Update changes
	// weights.
	CCH
)

// algorithmNames are what command lines and texts call the algorithms.
var algorithmNames = [...]string{CH: "ch", MLD: "mld", CCH: "cch"}

func (a Algorithm) valid() bool { return int(a) < len(algorithmNames) }

// String returns ch, mld or cch.
func (a Algorithm) String() string {
	if !a.valid() {
		return fmt.Sprintf("Algorithm(%d)", uint8(a))
	}
	return algorithmNames[a]
}

// MarshalText returns ch, mld or cch.
func (a Algorithm) MarshalText() ([]byte, error) {
	if !a.valid() {
		return nil, fmt.Errorf("routing: Algorithm has no value %d", uint8(a))
	}
	return []byte(a.String()), nil
}

// UnmarshalText reads ch, mld or cch.
func (a *Algorithm) UnmarshalText(text []byte) error {
	i := slices.Index(algorithmNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("routing: unknown algorithm %q: want ch, mld or cch", text)
	}
	*a = Algorithm(i)
	return nil
}

// searcher is what a workspace asks of a search algorithm.
type searcher interface {
	graph.Searcher
	graph.ManyToMany
	graph.AlternativeSearcher
	// exclude chooses what searches from now on keep out of.
	exclude(x exclusion)
	// Settled returns the number of search nodes that the last search settled.
	Settled() int
	// Spent returns the number of search nodes that all searches so far have settled.
	Spent() int
	// Cells returns the number of cells that the last search touched, 0 where
	// there are none. It takes its time.
	Cells() int
}

// newSearcher returns a searcher with the Engine's algorithm.
func (e *dataset) newSearcher(memory *pool.Allocator) searcher {
	switch {
	case e.overlay != nil:
		return overlaySearch{e.overlay.NewSearch(memory)}
	case e.order != nil:
		return orderSearch{e.hierarchy.NewSearch(memory), e.hierarchy}
	}
	return hierarchySearch{e.hierarchy.NewSearch(memory)}
}

type hierarchySearch struct{ *ch.Search }

func (s hierarchySearch) exclude(x exclusion) { s.SetExclude(x.set) }

func (hierarchySearch) Cells() int { return 0 }

type overlaySearch struct{ *mld.Search }

func (s overlaySearch) exclude(x exclusion) {
	if x.cliques != nil {
		s.Use(x.cliques)
	} else {
		s.SetExclude(x.set)
	}
}

// orderSearch searches hierarchies of one order: that which excludes nothing, or
// another.
type orderSearch struct {
	*ch.Search
	all *ch.Hierarchy
}

func (orderSearch) Cells() int { return 0 }

func (s orderSearch) exclude(x exclusion) {
	if x.hierarchy != nil {
		s.Use(x.hierarchy)
	} else {
		s.Use(s.all)
	}
}
