package graph

import (
	"math"

	"github.com/fourway-routing/fourway/internal/geo"
)

const (
	snapFanOut    = 16
	maxSnapLevels = 10 // 16^9 leaves are beyond 32 bits
)

// What snapItem.Segment holds below the position.
const (
	snapReversed = 1 // the item runs against the stored order
	snapOneWay   = 2 // drivable in the item's direction only
	snapStart    = 4 // ChainStart
	snapFlagBits = 3
)

// SnapIndex is the spatial index over the segments of a network: a static R-tree
// (Kamel and Faloutsos, Hilbert R-tree, 1994) whose items lie along the Hilbert
// curve and whose nodes are full but for the last of each level, so that
// children are found by arithmetic. Boxes are in rounded Web Mercator, root
// first, level by level. It is immutable and safe for concurrent use.
type SnapIndex struct {
	items []snapItem
	boxes []snapBox
}

// snapItem is a segment, in the direction that can be driven if only one can.
type snapItem struct {
	From, To geo.Coord
	Chain    ChainID
	Segment  uint32 // position in the chain's stored order, and flags
}

func (i *snapItem) position() uint32 { return i.Segment >> snapFlagBits }

// arm returns the direction that the item runs in.
func (i *snapItem) arm() ArmID { return ArmID(i.Chain)<<1 | ArmID(i.Segment&snapReversed) }

// order breaks ties between items at the same distance.
func (i *snapItem) order() uint64 { return uint64(i.Chain)<<32 | uint64(i.Segment) }

// snapBox bounds items, ends included.
type snapBox struct {
	MinX, MinY, MaxX, MaxY int32
}

var emptySnapBox = snapBox{math.MaxInt32, math.MaxInt32, math.MinInt32, math.MinInt32}

func (b *snapBox) merge(o snapBox) {
	b.MinX, b.MinY = min(b.MinX, o.MinX), min(b.MinY, o.MinY)
	b.MaxX, b.MaxY = max(b.MaxX, o.MaxX), max(b.MaxY, o.MaxY)
}

// distance returns the squared distance from the box to a place.
func (b *snapBox) distance(x, y int64) uint64 {
	dx := max(int64(b.MinX)-x, x-int64(b.MaxX), 0)
	dy := max(int64(b.MinY)-y, y-int64(b.MaxY), 0)
	return uint64(dx*dx + dy*dy)
}

// smaller says whether b is the smaller of two boxes, by half its outline.
func (b *snapBox) smaller(o *snapBox) bool {
	half := func(b *snapBox) int64 { return int64(b.MaxX) - int64(b.MinX) + int64(b.MaxY) - int64(b.MinY) }
	return half(b) < half(o)
}

func (b *snapBox) intersects(o *snapBox) bool {
	return b.MinX <= o.MaxX && b.MaxX >= o.MinX && b.MinY <= o.MaxY && b.MaxY >= o.MinY
}

// snapLevels says where the levels of a tree begin in its boxes.
type snapLevels struct {
	start [maxSnapLevels + 1]uint32
	leaf  int // level whose boxes bound items
}

func makeSnapLevels(items int) (l snapLevels) {
	if items == 0 {
		return l
	}
	var sizes [maxSnapLevels]uint32
	n, depth := items, 0
	for {
		n = (n + snapFanOut - 1) / snapFanOut
		sizes[depth] = uint32(n)
		depth++
		if n == 1 {
			break
		}
	}
	l.leaf = depth - 1
	for level := range depth {
		l.start[level+1] = l.start[level] + sizes[depth-1-level]
	}
	return l
}

// boxes returns the number of boxes of all levels.
func (l *snapLevels) boxes() int { return int(l.start[l.leaf+1]) }

// children returns the boxes below a box of an inner level.
func (l *snapLevels) children(level int, box uint32) (first, end uint32) {
	first = l.start[level+1] + (box-l.start[level])*snapFanOut
	return first, min(first+snapFanOut, l.start[level+2])
}

// leafItems returns the items below a box of the leaf level.
func (l *snapLevels) leafItems(box uint32, items int) (first, end int) {
	first = int(box-l.start[l.leaf]) * snapFanOut
	return first, min(first+snapFanOut, items)
}

// BuildSnapIndex indexes the drivable segments of a network; those of no length
// are left out. The result depends on nothing but the network.
func BuildSnapIndex(n *Network) SnapIndex {
	items := snapItems(n)
	sortHilbert(items)
	return SnapIndex{items, snapBoxes(items)}
}

// snapBoxes bounds items, which are in their final order.
func snapBoxes(items []snapItem) []snapBox {
	levels := makeSnapLevels(len(items))
	boxes := newSnapBoxes(&levels)
	for i := range items {
		boxes[int(levels.start[levels.leaf])+i/snapFanOut].merge(snapBoxOf(&items[i]))
	}
	raiseSnapBoxes(&levels, boxes)
	return boxes
}

// newSnapBoxes returns the boxes of a tree, which are empty.
func newSnapBoxes(levels *snapLevels) []snapBox {
	boxes := make([]snapBox, levels.boxes())
	for i := range boxes {
		boxes[i] = emptySnapBox
	}
	return boxes
}

// raiseSnapBoxes makes boxes bound those below them, from the leaves up.
func raiseSnapBoxes(levels *snapLevels, boxes []snapBox) {
	for level := levels.leaf - 1; level >= 0; level-- {
		for b := levels.start[level]; b < levels.start[level+1]; b++ {
			first, end := levels.children(level, b)
			for child := first; child < end; child++ {
				boxes[b].merge(boxes[child])
			}
		}
	}
}

func snapItems(n *Network) []snapItem {
	items := make([]snapItem, 0, len(n.ChainPlaces))
	for c := range n.NumChains() {
		flags, ok := snapFlags(n, ChainID(c))
		if !ok {
			continue
		}
		places := n.ChainPlaces[n.ChainFirst[c]:n.ChainFirst[c+1]]
		for i := 1; i < len(places); i++ {
			from, to := n.Coords[places[i-1]], n.Coords[places[i]]
			if from == to {
				continue
			}
			if flags&snapReversed != 0 {
				from, to = to, from
			}
			items = append(items, snapItem{from, to, ChainID(c), uint32(i-1)<<snapFlagBits | flags})
		}
	}
	return items
}

// snapFlags returns the flags of a chain's items; ok is false if the chain is
// not drivable.
func snapFlags(n *Network, c ChainID) (flags uint32, ok bool) {
	forward := n.ArmNode[ArmID(c)<<1] != InvalidNode
	reverse := n.ArmNode[ArmID(c)<<1|1] != InvalidNode
	if !forward {
		flags |= snapReversed
	}
	if forward != reverse {
		flags |= snapOneWay
	}
	if n.ChainStart.Get(uint32(c)) {
		flags |= snapStart
	}
	return flags, forward || reverse
}

func snapBoxOf(i *snapItem) snapBox {
	u, v := geo.ToMercator(i.From).Coord(), geo.ToMercator(i.To).Coord()
	return snapBox{min(u.Lon, v.Lon), min(u.Lat, v.Lat), max(u.Lon, v.Lon), max(u.Lat, v.Lat)}
}
