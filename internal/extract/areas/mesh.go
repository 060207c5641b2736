package areas

import (
	"cmp"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/heap"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/polygon"
	"github.com/fourway-routing/fourway/pool"
)

// MaxSights bounds the vertices, entries and corners, that are tried against one
// another.
const MaxSights = 256

// Entries returns the indices of the nodes of an area's outer ring at which one
// can come in or go out, ascending: those where a way comes to the ring or leaves
// it. waysAt lists the ways at a node, sorted. There are none unless two ways
// make two entries: with less, there is nothing to cross to.
func Entries(a *Area, waysAt func(node int64) []int64) []uint32 {
	ring := a.Nodes[:a.Ends[0]]
	entry := make([]bool, len(ring))
	last := len(ring) - 1
	before := waysAt(ring[last].ID)
	count, way, several := 0, int64(0), false
	mark := func(i int) {
		if !entry[i] {
			entry[i] = true
			count++
		}
	}
	for i := range ring {
		here := waysAt(ring[i].ID)
		for _, w := range here {
			several = several || way != 0 && w != way
			way = w
		}
		if !contains(before, here) {
			mark(i)
		}
		if !contains(here, before) {
			mark(last)
		}
		before, last = here, i
	}
	if count < 2 || !several {
		return nil
	}
	var entries []uint32
	for i, is := range entry {
		if is {
			entries = append(entries, uint32(i))
		}
	}
	return entries
}

// contains says whether all of the few values of part are among those of whole.
func contains(whole, part []int64) bool {
	for _, v := range part {
		if !slices.Contains(whole, v) {
			return false
		}
	}
	return true
}

// Mesh returns the ways, pairs of node ids of which the first is less, that join an
// area's entries: the edges of its rings, and the lines of sight that are on
// shortest ways from an entry to a vertex, or all of them if whole is set. meshed is
// false where there are too many vertices for anything but the rings. The ways are
// sorted.
func Mesh(a *Area, entries []uint32, whole bool) (ways [][2]int64, meshed bool) {
	p := a.Polygon()
	m := newMesher(a)
	first := uint32(0)
	for _, end := range a.Ends {
		before := end - 1
		for i := first; i < end; i++ {
			m.join(before, i)
			before = i
		}
		first = end
	}
	ways = m.ways()
	work := p.AppendCorners(slices.Clone(entries))
	slices.Sort(work)
	work = slices.Compact(work)
	if len(work) > MaxSights {
		return ways, false
	}
	for _, s := range p.Sights(work) {
		m.join(s[0], s[1])
	}
	if whole {
		return m.ways(), true
	}
	m.sort()
	for _, e := range entries {
		ways = m.appendTree(ways, m.node[e])
	}
	slices.SortFunc(ways, comparePairs)
	return slices.Compact(ways), true
}

func comparePairs(a, b [2]int64) int {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
}

// mesher finds shortest ways among the nodes of an area, which are numbered by
// their ids: rings may share a node.
type mesher struct {
	ids   []int64     // sorted
	at    []geo.Coord // by node
	node  []uint32    // by vertex
	links []link2     // both directions
	first []uint32    // of a node's links
	queue *heap.QueryHeap[uint32, int64, uint32, *heap.ArrayStorage[uint32]]
}

// link2 leads from one node to another.
type link2 struct {
	from, to uint32
	length   int64
}

// lengthUnit is the part of a meter in which ways are compared. Ways whose lengths
// differ by rounding alone have to be equal.
const lengthUnit = 1e4

func newMesher(a *Area) *mesher {
	m := &mesher{node: make([]uint32, len(a.Nodes))}
	for i := range a.Nodes {
		m.ids = append(m.ids, a.Nodes[i].ID)
	}
	slices.Sort(m.ids)
	m.ids = slices.Compact(m.ids)
	m.at = make([]geo.Coord, len(m.ids))
	for i := range a.Nodes {
		at, _ := slices.BinarySearch(m.ids, a.Nodes[i].ID)
		m.node[i], m.at[at] = uint32(at), a.Nodes[i].At
	}
	memory := pool.New()
	m.queue = heap.New[uint32, int64, uint32](memory, heap.NewArrayStorage[uint32](memory, len(m.ids)))
	return m
}

// join links two vertices.
func (m *mesher) join(u, v uint32) {
	a, b := m.node[u], m.node[v]
	if a == b {
		return
	}
	length := int64(math.Round(geo.Distance(m.at[a], m.at[b]) * lengthUnit))
	m.links = append(m.links, link2{a, b, length}, link2{b, a, length})
}

// ways returns all links as pairs of ids.
func (m *mesher) ways() [][2]int64 {
	var pairs [][2]int64
	for _, l := range m.links {
		if l.from < l.to {
			pairs = append(pairs, [2]int64{m.ids[l.from], m.ids[l.to]})
		}
	}
	slices.SortFunc(pairs, comparePairs)
	return slices.Compact(pairs)
}

// sort arranges the links for searches.
func (m *mesher) sort() {
	slices.SortFunc(m.links, func(a, b link2) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	m.links = slices.Compact(m.links)
	m.first = make([]uint32, len(m.ids)+1)
	for _, l := range m.links {
		m.first[l.from+1]++
	}
	for i := range m.ids {
		m.first[i+1] += m.first[i]
	}
}

// appendTree appends the ways of the tree of shortest ways from a node. Of equal
// ways to a node, that over the neighbor of the least id counts.
func (m *mesher) appendTree(ways [][2]int64, root uint32) [][2]int64 {
	q := m.queue
	q.Clear()
	q.Insert(root, 0, root)
	for !q.Empty() {
		u, length := q.DeleteMin()
		if parent := q.Data(u); parent != u {
			ways = append(ways, [2]int64{m.ids[min(u, parent)], m.ids[max(u, parent)]})
		}
		for _, l := range m.links[m.first[u]:m.first[u+1]] {
			next := length + l.length
			slot, ok := q.Find(l.to)
			if !ok {
				q.Insert(l.to, next, u)
				continue
			}
			switch r := q.At(slot); {
			case r.Removed():
			case next < r.Key:
				r.Data = u
				q.DecreaseKey(l.to, next)
			case next == r.Key && u < r.Data:
				r.Data = u
			}
		}
	}
	return ways
}

// Gates returns the indices of the vertices of an area at which a way through it
// can leave it or bend, ascending: entries, corners, and those at which a way of
// the map is.
func Gates(a *Area, p *polygon.Polygon, waysAt func(node int64) []int64) []uint32 {
	gates := p.AppendCorners(nil)
	for i := range a.Nodes {
		if len(waysAt(a.Nodes[i].ID)) > 0 {
			gates = append(gates, uint32(i))
		}
	}
	slices.Sort(gates)
	return slices.Compact(gates)
}
