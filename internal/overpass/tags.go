package overpass

import (
	"slices"

	"github.com/fourway-routing/fourway/graph"
)

// tagFilter is a condition on tags, in terms of the numbers of the different tags
// that the elements have. Those of one key are first to end.
type tagFilter struct {
	kind       filterKind
	first, end uint32
	pair       uint32 // if found
	found      bool
	source     *filter
	// seen says by tag from first on what the pattern said: 0 for not asked yet.
	seen []uint8
}

// marks returns the bytes that seen comes to have.
func (t *tagFilter) marks() int64 {
	if t.source.pattern == nil {
		return 0
	}
	return int64(t.end - t.first)
}

const (
	saidNo = 1 + iota
	saidYes
)

func newTagFilter(e *graph.Elements, f *filter) tagFilter {
	t := tagFilter{kind: f.kind, source: f}
	switch f.kind {
	case equals, differs:
		t.pair, t.found = e.FindPair(f.key, f.value)
	case keyMatches:
		t.end = uint32(e.NumPairs())
	default:
		t.first, t.end = e.PairsOf(f.key)
	}
	return t
}

// accepts says whether tags meet the condition.
func (t *tagFilter) accepts(e *graph.Elements, tags graph.Tags) bool {
	pairs := tags.Pairs()
	switch t.kind {
	case hasKey:
		return t.keyOf(pairs) >= 0
	case lacksKey:
		return t.keyOf(pairs) < 0
	case equals:
		return t.found && contains(pairs, t.pair)
	case differs:
		return !t.found || !contains(pairs, t.pair)
	case matches:
		i := t.keyOf(pairs)
		return i >= 0 && t.matches(e, pairs[i])
	case differsFromAll:
		i := t.keyOf(pairs)
		return i < 0 || !t.matches(e, pairs[i])
	default:
		return slices.ContainsFunc(pairs, func(p uint32) bool { return t.matches(e, p) })
	}
}

// keyOf returns the index of the tag with the key, or -1.
func (t *tagFilter) keyOf(pairs []uint32) int {
	for i, p := range pairs {
		if p >= t.first {
			if p < t.end {
				return i
			}
			return -1
		}
	}
	return -1
}

func contains(pairs []uint32, pair uint32) bool {
	for _, p := range pairs {
		if p >= pair {
			return p == pair
		}
	}
	return false
}

// matches asks the pattern, once for each of the different tags.
func (t *tagFilter) matches(e *graph.Elements, pair uint32) bool {
	if t.seen == nil {
		t.seen = make([]uint8, t.end-t.first)
	}
	said := &t.seen[pair-t.first]
	if *said == 0 {
		*said = saidNo
		key, value := e.Pair(pair)
		if (t.source.keyPattern == nil || t.source.keyPattern.match(key)) && t.source.pattern.match(value) {
			*said = saidYes
		}
	}
	return *said == saidYes
}
