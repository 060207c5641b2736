package graph

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
)

// TagPair is a key with a value, as indices of strings.
type TagPair struct {
	Key, Value StringID
}

// TagData are the tags of ElementData. Strings and pairs may be in any order, but
// must be unique; a set has no key twice.
type TagData struct {
	Strings Strings
	Pairs   []TagPair
	// Set i is SetPairs[SetFirst[i]:SetFirst[i+1]], indices of Pairs.
	SetFirst []uint32
	SetPairs []uint32
	// WaySets are the sets of the ways of ElementData. Nodes without tags are in
	// no list; the places are ascending.
	WaySets    []uint32
	NodePlaces []PlaceID
	NodeSets   []uint32
}

// tagTable is a table of tags in its final order: strings and pairs ascend, so
// that the pairs of a key are neighbors.
type tagTable struct {
	kept       bool
	strings    Strings
	pairs      []TagPair
	setFirst   []uint32
	setPairs   []uint32
	waySets    []uint32
	nodePlaces []PlaceID
	nodeSets   []uint32
}

// newTagTable sorts tags; order lists the ways that count.
func newTagTable(n *Network, d *TagData, order []uint32) tagTable {
	if d == nil {
		return tagTable{}
	}
	t := tagTable{kept: true, nodePlaces: d.NodePlaces, nodeSets: d.NodeSets}
	sorted, stringTo := sortStrings(&d.Strings)
	t.strings = sorted
	t.pairs = slices.Clone(d.Pairs)
	for i := range t.pairs {
		t.pairs[i] = TagPair{stringTo[t.pairs[i].Key], stringTo[t.pairs[i].Value]}
	}
	byPair := make([]uint32, len(t.pairs))
	for i := range byPair {
		byPair[i] = uint32(i)
	}
	unsorted := t.pairs
	slices.SortFunc(byPair, func(a, b uint32) int { return comparePairs(unsorted[a], unsorted[b]) })
	t.pairs = make([]TagPair, len(byPair))
	pairTo := make([]uint32, len(byPair))
	for to, from := range byPair {
		t.pairs[to] = unsorted[from]
		pairTo[from] = uint32(to)
	}
	t.setFirst, t.setPairs = d.SetFirst, make([]uint32, len(d.SetPairs))
	for i, p := range d.SetPairs {
		t.setPairs[i] = pairTo[p]
	}
	for i := range len(t.setFirst) - 1 {
		slices.Sort(t.setPairs[t.setFirst[i]:t.setFirst[i+1]])
	}
	t.waySets = make([]uint32, len(order))
	for i, w := range order {
		t.waySets[i] = d.WaySets[w]
	}
	return t
}

func comparePairs(a, b TagPair) int {
	return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value))
}

// sortStrings returns the strings in ascending order, and where each has gone.
func sortStrings(s *Strings) (Strings, []StringID) {
	count := len(s.First) - 1
	order := make([]StringID, count)
	for i := range order {
		order[i] = StringID(i)
	}
	slices.SortFunc(order, func(a, b StringID) int { return bytes.Compare(s.view(a), s.view(b)) })
	sorted := Strings{First: make([]uint32, 1, count+1), Data: make([]byte, 0, len(s.Data))}
	to := make([]StringID, count)
	for i, from := range order {
		to[from] = StringID(i)
		sorted.Data = append(sorted.Data, s.view(from)...)
		sorted.First = append(sorted.First, uint32(len(sorted.Data)))
	}
	return sorted, to
}

// view returns string i without copying.
func (s *Strings) view(i StringID) []byte { return s.Data[s.First[i]:s.First[i+1]:s.First[i+1]] }

// find returns the index of a string in an ascending table.
func (s *Strings) find(text string) (StringID, bool) {
	count := len(s.First) - 1
	i := sort.Search(count, func(i int) bool { return string(s.view(StringID(i))) >= text })
	return StringID(i), i < count && string(s.view(StringID(i))) == text
}

// Tags are the tags of a node or way, by key in ascending order. The zero value
// has none. They are a view on Elements.
type Tags struct {
	table *tagTable
	pairs []uint32
}

// Len returns the number of tags.
func (t Tags) Len() int { return len(t.pairs) }

// At returns tag i without copying.
func (t Tags) At(i int) (key, value []byte) {
	p := t.table.pairs[t.pairs[i]]
	return t.table.strings.view(p.Key), t.table.strings.view(p.Value)
}

// Get returns the value of a key without copying; ok is false if there is none.
func (t Tags) Get(key string) (value []byte, ok bool) {
	for _, i := range t.pairs {
		p := t.table.pairs[i]
		if string(t.table.strings.view(p.Key)) == key {
			return t.table.strings.view(p.Value), true
		}
	}
	return nil, false
}

// Pairs returns the tags as indices of Elements.Pair, ascending, without copying.
func (t Tags) Pairs() []uint32 { return t.pairs }

func (t *tagTable) set(i uint32) Tags {
	return Tags{t, t.setPairs[t.setFirst[i]:t.setFirst[i+1]]}
}

// Tagged says whether tags were kept.
func (e *Elements) Tagged() bool { return e.tags.kept }

// WayTags returns the tags of a way: none if they were not kept.
func (e *Elements) WayTags(w WayIndex) Tags {
	if !e.tags.kept {
		return Tags{}
	}
	return e.tags.set(e.tags.waySets[w])
}

// NodeTags returns the tags of a node: none if they were not kept.
func (e *Elements) NodeTags(p PlaceID) Tags {
	i, ok := slices.BinarySearch(e.tags.nodePlaces, p)
	if !ok {
		return Tags{}
	}
	return e.tags.set(e.tags.nodeSets[i])
}

// Way returns the tags of the way with an OSM id; ok is false if there is no such way.
// It does not allocate.
func (e *Elements) Way(id int64) (tags Tags, ok bool) {
	w, ok := e.FindWay(id)
	if !ok {
		return Tags{}, false
	}
	return e.WayTags(w), true
}

// Node returns the tags of the node with an OSM id; ok is false if there is no such
// node. It does not allocate.
func (e *Elements) Node(id int64) (tags Tags, ok bool) {
	p, ok := e.FindNode(id)
	if !ok {
		return Tags{}, false
	}
	return e.NodeTags(p), true
}

// TaggedNodes returns the nodes that have tags, ascending, without copying.
func (e *Elements) TaggedNodes() []PlaceID { return e.tags.nodePlaces }

// NumPairs returns the number of different tags.
func (e *Elements) NumPairs() int { return len(e.tags.pairs) }

// Pair returns the i-th of the different tags, without copying. They ascend by
// key, then by value.
func (e *Elements) Pair(i uint32) (key, value []byte) {
	p := e.tags.pairs[i]
	return e.tags.strings.view(p.Key), e.tags.strings.view(p.Value)
}

// PairsOf returns the range of the different tags with a key; it is empty if there is
// none.
func (e *Elements) PairsOf(key string) (first, end uint32) {
	id, ok := e.tags.strings.find(key)
	if !ok {
		return 0, 0
	}
	pairs := e.tags.pairs
	lo := sort.Search(len(pairs), func(i int) bool { return pairs[i].Key >= id })
	hi := lo + sort.Search(len(pairs)-lo, func(i int) bool { return pairs[lo+i].Key > id })
	return uint32(lo), uint32(hi)
}

// FindPair returns the index of a tag among the different ones.
func (e *Elements) FindPair(key, value string) (uint32, bool) {
	k, ok := e.tags.strings.find(key)
	v, okValue := e.tags.strings.find(value)
	if !ok || !okValue {
		return 0, false
	}
	i, ok := slices.BinarySearchFunc(e.tags.pairs, TagPair{k, v}, comparePairs)
	return uint32(i), ok
}
