package osmfile

import (
	"math/bits"
	"strings"

	"github.com/paulmach/osm"
)

// Kind is a set of element kinds.
type Kind uint8

// The three kinds of OSM elements, and all of them.
const (
	Nodes Kind = 1 << iota
	Ways
	Relations
	All = Nodes | Ways | Relations
)

// Marks in a remembered set: known, since the empty set is a valid answer; and known only if the file is as sorted as it
// says.
const (
	kindsKnown   Kind = 1 << 7
	kindsAssumed Kind = 1 << 6
)

// String lists the kinds, like "nodes|ways".
func (k Kind) String() string {
	names := make([]string, 0, 3)
	for rest := uint8(k & All); rest != 0; rest &= rest - 1 {
		names = append(names, [...]string{"nodes", "ways", "relations"}[bits.TrailingZeros8(rest)])
	}
	return strings.Join(names, "|")
}

// A Block is the decoded content of one piece of the file. It is reused: see the package comment for lifetimes.
type Block struct {
	Seq    int // grows in file order; numbers of pieces with nothing wanted are missing
	Worker int // 0 ≤ Worker < the number of workers; a worker handles one block at a time

	// All nodes of the block in file order, tagged or not. Coordinates are micro-degrees, rounded as by [MicroDegrees].
	NodeIDs []osm.NodeID
	Lons    []int32
	Lats    []int32

	Nodes     []Node // the nodes that have tags
	Ways      []Way
	Relations []Relation

	// Meta data, one per element of Nodes, Ways and Relations; empty unless [Options.Meta] is set.
	NodeMeta     []Meta
	WayMeta      []Meta
	RelationMeta []Meta

	// Unlocated counts nodes left out because they have no position or one outside ±180, ±90 degrees.
	Unlocated int

	refs    arena[osm.NodeID]
	tags    arena[osm.Tag]
	members arena[Member]
}

// A Node is a node with tags.
type Node struct {
	ID   osm.NodeID
	Row  int // where its id and coordinates stand in the block's columns
	Tags osm.Tags
}

// A Way is an ordered list of node references; Refs may be empty, and may name nodes that the file lacks.
type Way struct {
	ID   osm.WayID
	Refs []osm.NodeID
	Tags osm.Tags
	End  WayEnd // with [Options.WayEnds]
}

// A WayEnd is where the last node of a way is, if the file stores the places of nodes with their ways: micro-degrees.
type WayEnd struct {
	Lon, Lat int32
	Known    bool
}

// wayEnd makes a WayEnd of 1e-7 degrees.
func wayEnd(lon7, lat7 int64) WayEnd {
	if !onEarth(lon7, lat7) {
		return WayEnd{}
	}
	return WayEnd{MicroDegrees(int32(lon7)), MicroDegrees(int32(lat7)), true}
}

// A Relation is an ordered list of members; they may be absent from the file.
type Relation struct {
	ID      osm.RelationID
	Members []Member
	Tags    osm.Tags
}

// A Member is one entry of a relation.
type Member struct {
	Type osm.Type // node, way or relation
	Ref  int64
	Role string
}

// Meta tells who changed an element last and when. Fields that the file lacks are zero.
type Meta struct {
	Version   int32
	Timestamp int64 // seconds since 1970 UTC
	Changeset osm.ChangesetID
	UserID    osm.UserID
	User      string
}

// reset empties the block and keeps its memory.
func (b *Block) reset() {
	b.NodeIDs, b.Lons, b.Lats = b.NodeIDs[:0], b.Lons[:0], b.Lats[:0]
	b.Nodes, b.Ways, b.Relations = b.Nodes[:0], b.Ways[:0], b.Relations[:0]
	b.NodeMeta, b.WayMeta, b.RelationMeta = b.NodeMeta[:0], b.WayMeta[:0], b.RelationMeta[:0]
	b.Unlocated = 0
	b.refs.reset()
	b.tags.reset()
	b.members.reset()
}

// addNode appends a row, or counts the node as unlocated.
func (b *Block) addNode(id osm.NodeID, lon7, lat7 int64) bool {
	if !onEarth(lon7, lat7) {
		b.Unlocated++
		return false
	}
	b.NodeIDs = append(b.NodeIDs, id)
	b.Lons = append(b.Lons, MicroDegrees(int32(lon7)))
	b.Lats = append(b.Lats, MicroDegrees(int32(lat7)))
	return true
}

// An arena hands out slices that live as long as the block. It grows by chunks, which stay where they are and are kept
// for the next block: doubling one slice would leave its own size in garbage.
type arena[T any] struct {
	chunks [][]T
	at     int // chunk in use
	taken  int // in all chunks of this block
}

const arenaChunk = 4096

// take returns n elements with unspecified content.
func (a *arena[T]) take(n int) []T {
	a.taken += n
	for ; a.at < len(a.chunks); a.at++ {
		c := a.chunks[a.at]
		if lo := len(c); cap(c)-lo >= n {
			a.chunks[a.at] = c[:lo+n]
			return c[lo : lo+n : lo+n]
		}
	}
	c := make([]T, n, max(n, arenaChunk))
	a.chunks = append(a.chunks, c)
	return c[:n:n]
}

func (a *arena[T]) reset() {
	for i := range a.chunks {
		a.chunks[i] = a.chunks[i][:0]
	}
	a.at, a.taken = 0, 0
}
