package graph

import (
	"cmp"
	"slices"
)

// ElementsOf returns the elements that a network holds by itself, without tags.
// A way is as its segments are: the nodes that these join, in the way's order.
// What extraction left out is missing: ways that the vehicle cannot use, and of
// several segments between two nodes all but one. A way that falls into pieces
// because of that has them one after the other, and one that passes nodes more
// than once may have its loops in another order. It takes time and memory linear
// in the network's size, but for sorting; ways with kept tags have all of this.
func ElementsOf(n *Network) *Elements {
	type piece struct {
		way      int64
		from, to PlaceID
	}
	pieces := make([]piece, 0, len(n.ChainPlaces))
	for c := range n.NumChains() {
		for i := n.ChainFirst[c]; i+1 < n.ChainFirst[c+1]; i++ {
			p := piece{n.Ways.Get(n.SegmentWay[i]), n.ChainPlaces[i], n.ChainPlaces[i+1]}
			if p.from == p.to {
				continue // an obstacle
			}
			if p.way < 0 {
				p.way, p.from, p.to = -p.way, p.to, p.from
			}
			pieces = append(pieces, p)
		}
	}
	slices.SortFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.way, b.way), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	var (
		d      = ElementData{WayFirst: []uint32{0}, Refs: make([]PlaceID, 0, len(pieces)+len(pieces)/8)}
		used   []bool
		starts []int
	)
	for len(pieces) > 0 {
		count := 1
		for count < len(pieces) && pieces[count].way == pieces[0].way {
			count++
		}
		way := pieces[:count]
		pieces = pieces[count:]
		used = append(used[:0], make([]bool, count)...)
		next := func(from PlaceID) int {
			i, _ := slices.BinarySearchFunc(way, from, func(p piece, v PlaceID) int { return cmp.Compare(p.from, v) })
			for ; i < count && way[i].from == from; i++ {
				if !used[i] {
					return i
				}
			}
			return -1
		}
		// Strings of segments begin where none arrives; rings begin anywhere.
		arrives := make(map[PlaceID]bool, count)
		for i := range way {
			arrives[way[i].to] = true
		}
		starts = starts[:0]
		for i := range way {
			if !arrives[way[i].from] {
				starts = append(starts, i)
			}
		}
		for i := range way {
			starts = append(starts, i)
		}
		for _, s := range starts {
			if used[s] {
				continue
			}
			d.Refs = append(d.Refs, way[s].from)
			for i := s; i >= 0; i = next(way[i].to) {
				used[i] = true
				d.Refs = append(d.Refs, way[i].to)
			}
		}
		d.WayIDs = append(d.WayIDs, way[0].way)
		d.WayFirst = append(d.WayFirst, uint32(len(d.Refs)))
	}
	return NewElements(n, d)
}
