package graph

import (
	"math"

	"github.com/fourway-routing/fourway/internal/file"
	"github.com/fourway-routing/fourway/internal/packed"
)

var tagsKind = file.Kind{'t', 'a', 'g', 's'}

const tagsVersion = 1

// elementCounts is the section of numbers that no other section's length tells.
type elementCounts struct {
	Ways, Missing uint64
}

// TagsFile is an open file with elements.
type TagsFile struct {
	*Elements
	f *file.File
}

// ID returns the id of the file, which names its content.
func (f *TagsFile) ID() ID { return f.f.ID() }

// Size returns the bytes of the file.
func (f *TagsFile) Size() int64 { return f.f.Size() }

// Close gives the file's memory back. The elements must not be used afterwards.
func (f *TagsFile) Close() error { return f.f.Close() }

// EncodeTags returns a writer of the elements' file, which is bound to their network's.
func (e *Elements) EncodeTags(network ID) *file.Writer {
	w := file.NewWriter(tagsKind, tagsVersion)
	w.Bind(network)
	file.Put(w, "counts", []elementCounts{{uint64(e.wayIDs.Len()), uint64(e.missing.Len())}})
	file.Put(w, "way_id_blocks", e.wayIDs.Blocks)
	file.Put(w, "way_id_data", e.wayIDs.Data)
	file.Put(w, "way_first", e.wayFirst)
	file.Put(w, "way_refs", e.wayRefs)
	file.Put(w, "missing_blocks", e.missing.Blocks)
	file.Put(w, "missing_data", e.missing.Data)
	file.Put(w, "place_first", e.placeFirst)
	file.Put(w, "place_ways", e.placeWays)
	file.Put(w, "place_order", e.placeIndex.order)
	file.Put(w, "place_boxes", e.placeIndex.boxes)
	file.Put(w, "way_order", e.wayIndex.order)
	file.Put(w, "way_boxes", e.wayIndex.boxes)
	file.Put(w, "way_bounds", e.wayBoxes)
	t := &e.tags
	file.Put(w, "way_sets", t.waySets)
	file.Put(w, "tagged_places", t.nodePlaces)
	file.Put(w, "tagged_sets", t.nodeSets)
	file.Put(w, "set_first", t.setFirst)
	file.Put(w, "set_pairs", t.setPairs)
	file.Put(w, "pairs", t.pairs)
	file.Put(w, "string_first", t.strings.First)
	file.Put(w, "string_data", t.strings.Data)
	return w
}

// DecodeTags takes the elements of a network from an open file, which it then owns
// unless there is an error. It checks that the parts fit together in size;
// [TagsFile.Verify] checks the rest.
func DecodeTags(f *file.File, network *NetworkFile) (*TagsFile, error) {
	if err := f.Expect(tagsKind, tagsVersion, network.ID()); err != nil {
		return nil, err
	}
	s := &sections{f: f}
	e := &Elements{net: network.Network}
	places := len(e.net.Coords)
	var counts elementCounts
	if c := sized[elementCounts](s, "counts", 1); s.err == nil {
		counts = c[0]
	}
	e.wayIDs = getInts(s, "way_id", counts.Ways)
	ways := e.wayIDs.Len()
	e.missing = getInts(s, "missing", counts.Missing)
	e.wayRefs = get[Ref](s, "way_refs")
	e.wayFirst = firsts[uint32](s, "way_first", ways, len(e.wayRefs))
	e.placeWays = get[WayIndex](s, "place_ways")
	e.placeFirst = firsts[uint32](s, "place_first", places, len(e.placeWays))
	e.placeIndex = getBoxIndex(s, "place", places)
	e.wayIndex = getBoxIndex(s, "way", ways)
	e.wayBoxes = sized[snapBox](s, "way_bounds", ways)
	t := &e.tags
	t.kept = true
	t.waySets = sized[uint32](s, "way_sets", ways)
	t.nodePlaces = get[PlaceID](s, "tagged_places")
	t.nodeSets = sized[uint32](s, "tagged_sets", len(t.nodePlaces))
	t.setPairs = get[uint32](s, "set_pairs")
	t.setFirst = openFirsts(s, "set_first", len(t.setPairs))
	t.pairs = get[TagPair](s, "pairs")
	t.strings.Data = get[byte](s, "string_data")
	t.strings.First = openFirsts(s, "string_first", len(t.strings.Data))
	if s.err == nil && int64(places)+int64(e.missing.Len()) > math.MaxUint32 {
		s.fail("missing_blocks", 0, "more nodes than references can tell apart")
	}
	if s.err != nil {
		return nil, s.err
	}
	return &TagsFile{e, f}, nil
}

// openFirsts returns a section that says where each of some lists begins among
// total elements, with one more entry for the end of the last.
func openFirsts(s *sections, name string, total int) []uint32 {
	v := get[uint32](s, name)
	if s.err == nil && len(v) == 0 {
		s.fail(name, 0, "no entry for the end")
	}
	if s.err != nil {
		return nil
	}
	return firsts[uint32](s, name, len(v)-1, total)
}

func getBoxIndex(s *sections, name string, n int) boxIndex {
	levels := makeSnapLevels(n)
	x := boxIndex{order: sized[uint32](s, name+"_order", n)}
	x.boxes = get[snapBox](s, name+"_boxes")
	want := 0
	if n > 0 {
		want = levels.boxes()
	}
	s.length(name+"_boxes", len(x.boxes), want)
	return x
}

// Check checks every index and order in the elements against their network, which must
// have passed its own check, and returns an error that says what is wrong first. It takes
// time linear in their size.
func (e *Elements) Check() error {
	c := &checker{fault: plainFault}
	e.check(c)
	return c.err
}

// Verify reads the whole file, checks all checksums and then the elements as
// [Elements.Check] does.
func (f *TagsFile) Verify() error {
	if err := f.f.Verify(); err != nil {
		return err
	}
	c := &checker{fault: f.f.Fault}
	f.Elements.check(c)
	return c.err
}

func (e *Elements) check(c *checker) {
	for _, step := range []func(*checker){e.checkWays, e.checkDerived, e.checkTags} {
		if step(c); c.err != nil {
			return // what follows relies on it
		}
	}
}

// ascendingIDs checks a packed array of ids.
func ascendingIDs(c *checker, section string, p *packed.Ints) {
	if block, err := p.Check(); err != nil {
		c.fail(section, block, "%v", err)
		return
	}
	for i := 1; i < p.Len(); i++ {
		if p.Get(uint32(i)) <= p.Get(uint32(i-1)) {
			c.fail(section, i/packed.BlockLen, "ids do not ascend")
			return
		}
	}
}

func (e *Elements) checkWays(c *checker) {
	ascendingIDs(c, "way_id_blocks", &e.wayIDs)
	ascendingIDs(c, "missing_blocks", &e.missing)
	ascending(c, "way_first", e.wayFirst, len(e.wayRefs))
	below(c, "way_refs", e.wayRefs, len(e.net.Coords)+e.missing.Len(), false)
}

// checkDerived compares what follows from the ways.
func (e *Elements) checkDerived(c *checker) {
	want := &Elements{net: e.net, wayIDs: e.wayIDs, wayFirst: e.wayFirst, wayRefs: e.wayRefs}
	want.complete()
	same(c, "place_first", e.placeFirst, want.placeFirst)
	same(c, "place_ways", e.placeWays, want.placeWays)
	same(c, "place_order", e.placeIndex.order, want.placeIndex.order)
	same(c, "place_boxes", e.placeIndex.boxes, want.placeIndex.boxes)
	same(c, "way_bounds", e.wayBoxes, want.wayBoxes)
	same(c, "way_order", e.wayIndex.order, want.wayIndex.order)
	same(c, "way_boxes", e.wayIndex.boxes, want.wayIndex.boxes)
}

func same[T comparable](c *checker, section string, have, want []T) {
	if len(have) != len(want) {
		c.length(section, len(have), len(want))
		return
	}
	for i, v := range want {
		if have[i] != v {
			c.fail(section, i, "%v instead of %v", have[i], v)
			return
		}
	}
}

func (e *Elements) checkTags(c *checker) {
	t := &e.tags
	if !t.kept {
		return
	}
	sets := len(t.setFirst) - 1
	ascending(c, "string_first", t.strings.First, len(t.strings.Data))
	ascending(c, "set_first", t.setFirst, len(t.setPairs))
	below(c, "way_sets", t.waySets, sets, false)
	below(c, "tagged_places", t.nodePlaces, len(e.net.Coords), false)
	below(c, "tagged_sets", t.nodeSets, sets, false)
	below(c, "set_pairs", t.setPairs, len(t.pairs), false)
	if c.err != nil {
		return
	}
	count := len(t.strings.First) - 1
	for i := 1; i < count; i++ {
		if string(t.strings.view(StringID(i-1))) >= string(t.strings.view(StringID(i))) {
			c.fail("string_first", i, "strings do not ascend")
			return
		}
	}
	for i, p := range t.pairs {
		if int64(p.Key) >= int64(count) || int64(p.Value) >= int64(count) {
			c.fail("pairs", i, "no string %d or %d", p.Key, p.Value)
			return
		}
		if i > 0 && comparePairs(t.pairs[i-1], p) >= 0 {
			c.fail("pairs", i, "pairs do not ascend")
			return
		}
	}
	for i := range sets {
		for k := t.setFirst[i] + 1; k < t.setFirst[i+1]; k++ {
			if t.pairs[t.setPairs[k-1]].Key >= t.pairs[t.setPairs[k]].Key {
				c.fail("set_pairs", int(k), "a set has a key twice or out of order")
				return
			}
		}
	}
	for i := 1; i < len(t.nodePlaces); i++ {
		if t.nodePlaces[i-1] >= t.nodePlaces[i] {
			c.fail("tagged_places", i, "places do not ascend")
			return
		}
	}
}
