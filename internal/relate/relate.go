package relate

import (
	"cmp"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
)

// Relation tells which nodes of an earlier network those of a later one are.
type Relation struct {
	// Of is the earlier node by later one, or graph.InvalidNode. Where a road was
	// cut in pieces, several have the same.
	Of []graph.NodeID
	// Matched is the number of nodes that have an earlier one.
	Matched int
}

// Nodes relates the nodes of two networks by the identity of what they begin or end
// with: the pair of OSM nodes of their first segment, or else of their last one. Of
// several roads over a pair, one of the same OSM way counts, or else the first. A copy
// is the copy of the same number of the same earlier node, or else that node. The
// result depends on the networks alone; it takes time linear in their size.
func Nodes(earlier, later *graph.Network) Relation {
	m := matcher{earlier: earlier, later: later}
	m.index()
	r := Relation{Of: make([]graph.NodeID, later.NumNodes())}
	for v := range later.Originals {
		of := m.find(later.NodeArm[v])
		r.Of[v] = of
	}
	m.copies(r.Of)
	for _, of := range r.Of {
		if of != graph.InvalidNode {
			r.Matched++
		}
	}
	return r
}

// matcher finds roads of the later network in the earlier one.
type matcher struct {
	earlier, later *graph.Network
	place          []graph.PlaceID // earlier by later one, or nowhere
	// The occurrences of an earlier place p in the chains are
	// at[first[p]:first[p+1]], indices into ChainPlaces.
	first, at []uint32
	chain     []uint32 // by index into ChainPlaces
}

const nowhere = graph.PlaceID(math.MaxUint32)

func (m *matcher) index() {
	m.relatePlaces()
	n := m.earlier
	m.first = make([]uint32, len(n.Coords)+1)
	for _, p := range n.ChainPlaces {
		m.first[p+1]++
	}
	for p := range n.Coords {
		m.first[p+1] += m.first[p]
	}
	m.at = make([]uint32, len(n.ChainPlaces))
	m.chain = make([]uint32, len(n.ChainPlaces))
	next := slices.Clone(m.first)
	for c := range n.NumChains() {
		for i := n.ChainFirst[c]; i < n.ChainFirst[c+1]; i++ {
			p := n.ChainPlaces[i]
			m.at[next[p]] = i
			next[p]++
			m.chain[i] = uint32(c)
		}
	}
}

// relatePlaces fills place by OSM id.
func (m *matcher) relatePlaces() {
	before, after := placesByID(m.earlier), placesByID(m.later)
	m.place = make([]graph.PlaceID, len(m.later.Coords))
	for i := range m.place {
		m.place[i] = nowhere
	}
	i := 0
	for _, p := range after {
		for i < len(before) && before[i].id < p.id {
			i++
		}
		if i < len(before) && before[i].id == p.id {
			m.place[p.place] = before[i].place
		}
	}
}

type placeID struct {
	id    int64
	place graph.PlaceID
}

// placesByID returns the places by ascending OSM id, the order in which they are as a
// rule anyway.
func placesByID(n *graph.Network) []placeID {
	places := make([]placeID, len(n.Coords))
	for p := range places {
		places[p] = placeID{n.OSMNodes.Get(uint32(p)), graph.PlaceID(p)}
	}
	order := func(a, b placeID) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.place, b.place)) }
	if !slices.IsSortedFunc(places, order) {
		slices.SortFunc(places, order)
	}
	return places
}

// find returns the earlier original of an arm of the later network, or InvalidNode.
func (m *matcher) find(arm graph.ArmID) graph.NodeID {
	n := m.later
	c := uint32(arm) >> 1
	first, last := n.ChainFirst[c], n.ChainFirst[c+1]-1
	reverse := arm&1 != 0
	// The chain's ends, without segments of no length.
	low, high := first, last-1
	for low < high && n.ChainPlaces[low] == n.ChainPlaces[low+1] {
		low++
	}
	for high > low && n.ChainPlaces[high] == n.ChainPlaces[high+1] {
		high--
	}
	if reverse {
		low, high = high, low
	}
	if of := m.findSegment(low, reverse); of != graph.InvalidNode || low == high {
		return of
	}
	return m.findSegment(high, reverse)
}

// findSegment returns the earlier original over a segment of the later network in a
// direction, or InvalidNode.
func (m *matcher) findSegment(segment uint32, reverse bool) graph.NodeID {
	n, old := m.later, m.earlier
	from, to := m.place[n.ChainPlaces[segment]], m.place[n.ChainPlaces[segment+1]]
	if from == nowhere || to == nowhere {
		return graph.InvalidNode
	}
	way := magnitude(n.Ways.Get(n.SegmentWay[segment]))
	best := graph.InvalidNode
	for _, i := range m.at[m.first[from]:m.first[from+1]] {
		c := m.chain[i]
		for side := range uint32(2) { // the segment after the place, and that before
			against := side == 1
			if against && i == old.ChainFirst[c] || !against && i+1 == old.ChainFirst[c+1] {
				continue
			}
			next := i + 1
			if against {
				next = i - 1
			}
			if old.ChainPlaces[next] != to {
				continue
			}
			arm := graph.ArmID(2 * c)
			if against != reverse {
				arm++
			}
			v := old.ArmNode[arm]
			if v == graph.InvalidNode {
				continue
			}
			if magnitude(old.Ways.Get(old.SegmentWay[min(i, next)])) == way {
				return v
			}
			if best == graph.InvalidNode {
				best = v
			}
		}
	}
	return best
}

func magnitude(id int64) int64 { return max(id, -id) }

// copies relates the copies, given the originals.
func (m *matcher) copies(of []graph.NodeID) {
	n := m.later
	for v := n.Originals; int(v) < len(of); v++ {
		of[v] = graph.InvalidNode
	}
	for i := 0; i < len(n.Copies); {
		original := n.Copies[i].Original
		end := i
		for end < len(n.Copies) && n.Copies[end].Original == original {
			end++
		}
		if old := of[original]; old != graph.InvalidNode {
			before := m.earlier.CopiesOf(old)
			for k, c := range n.Copies[i:end] {
				of[c.Copy] = old
				if len(before) == end-i {
					of[c.Copy] = before[k].Copy
				}
			}
		}
		i = end
	}
}
