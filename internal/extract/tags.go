package extract

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// errTags tells that different tags exceed what 32-bit indices reach.
var errTags = errors.New("extract: kept tags take more than 32-bit indices reach; use a smaller extract, or keep no tags")

// tagKeeper collects the tags of the ways and nodes of the network. What it holds grows
// with the number of ways and of different tags, not with that of tags. A nil
// keeper keeps nothing.
type tagKeeper struct {
	strings *stringTable
	pairs   *unique[graph.TagPair]
	sets    map[string]uint32 // by the pairs' numbers
	data    graph.TagData
	scratch []byte

	nodes []taggedNode
	// ended is set once all ways are known; those after them are made across areas
	// and are not OSM's.
	ended    bool
	wayIDs   []int64
	wayFirst []uint32 // of refs
	refs     []graph.PlaceID
	missing  []int64
}

type taggedNode struct {
	id  int64
	set uint32
}

func newTagKeeper() *tagKeeper {
	return &tagKeeper{
		strings: newStringTable(), pairs: newUnique[graph.TagPair](),
		sets: make(map[string]uint32), data: graph.TagData{SetFirst: []uint32{0}},
	}
}

// set returns the number of a set of tags. Of several tags with one key the first
// counts.
func (k *tagKeeper) set(tags osm.Tags) (uint32, error) {
	k.scratch = k.scratch[:0]
	for i := range tags {
		if slices.ContainsFunc(tags[:i], func(t osm.Tag) bool { return t.Key == tags[i].Key }) {
			continue
		}
		key, err := k.strings.id(tags[i].Key)
		if err != nil {
			return 0, err
		}
		value, err := k.strings.id(tags[i].Value)
		if err != nil {
			return 0, err
		}
		k.scratch = binary.LittleEndian.AppendUint32(k.scratch, k.pairs.id(graph.TagPair{Key: key, Value: value}))
	}
	if set, ok := k.sets[string(k.scratch)]; ok {
		return set, nil
	}
	d := &k.data
	if uint64(len(d.SetPairs))+uint64(len(k.scratch)/4) > math.MaxUint32 || uint64(len(d.SetFirst)) >= math.MaxUint32 {
		return 0, errTags
	}
	set := uint32(len(d.SetFirst) - 1)
	k.sets[string(k.scratch)] = set
	for b := k.scratch; len(b) > 0; b = b[4:] {
		d.SetPairs = append(d.SetPairs, binary.LittleEndian.Uint32(b))
	}
	d.SetFirst = append(d.SetFirst, uint32(len(d.SetPairs)))
	return set, nil
}

// addWay keeps the tags of the next way.
func (k *tagKeeper) addWay(tags osm.Tags) error {
	if k == nil || k.ended {
		return nil
	}
	set, err := k.set(tags)
	k.data.WaySets = append(k.data.WaySets, set)
	return err
}

// addNode keeps the tags of a node that is a place.
func (k *tagKeeper) addNode(id osm.NodeID, tags osm.Tags) error {
	set, err := k.set(tags)
	k.nodes = append(k.nodes, taggedNode{int64(id), set})
	return err
}

// endWays takes note of the ways and of the nodes that they lack, before others are
// made across areas.
func (k *tagKeeper) endWays(p *wayPass, index *nodeIndex, coords []geo.Coord) {
	if k == nil {
		return
	}
	k.ended = true
	for i := range p.ways { // the last one bounds the references
		k.wayIDs, k.wayFirst = append(k.wayIDs, p.ways[i].id), append(k.wayFirst, p.ways[i].firstRef)
	}
	k.wayIDs = k.wayIDs[:p.numWays()]
	for _, id := range p.refs {
		if coords[index.find(id)] == nowhere {
			k.missing = append(k.missing, id)
		}
	}
}

// endNodes takes over the places of references, when no more tags come.
func (k *tagKeeper) endNodes(refs []graph.PlaceID) {
	if k == nil {
		return
	}
	k.refs = refs[:k.wayFirst[len(k.wayIDs)]]
	k.data.Strings, k.data.Pairs = k.strings.table, k.pairs.values
	k.strings, k.pairs, k.sets = nil, nil, nil
}

// elements makes the elements of the network, which is complete.
func (k *tagKeeper) elements(net *graph.Network) *graph.Elements {
	d := graph.ElementData{WayIDs: k.wayIDs, WayFirst: k.wayFirst, Refs: k.refs, Missing: k.missing, Tags: &k.data}
	// Of several nodes with one id the first counts, as for places.
	slices.SortStableFunc(k.nodes, func(a, b taggedNode) int { return cmp.Compare(a.id, b.id) })
	k.nodes = slices.CompactFunc(k.nodes, func(a, b taggedNode) bool { return a.id == b.id })
	place := 0
	for _, n := range k.nodes {
		for place < net.OSMNodes.Len() && net.OSMNodes.Get(uint32(place)) < n.id {
			place++
		}
		if place < net.OSMNodes.Len() && net.OSMNodes.Get(uint32(place)) == n.id {
			k.data.NodePlaces = append(k.data.NodePlaces, graph.PlaceID(place))
			k.data.NodeSets = append(k.data.NodeSets, n.set)
		}
	}
	k.nodes = nil
	return graph.NewElements(net, d)
}
