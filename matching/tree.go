package matching

import (
	"math"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/heap"
	"github.com/fourway-routing/fourway/pool"
)

// roads is the graph that trees grow in: the edge-expanded one, without what is
// closed or excluded.
type roads struct {
	net     *graph.Network
	metric  *graph.Metric // nil for no roads
	exclude graph.ClassMask
	memory  *pool.Allocator
}

func (r *roads) excluded(v graph.NodeID) bool {
	return r.exclude != 0 && r.net.Roads[r.net.ArmRoad[r.net.NodeArm[v]]].Classes&r.exclude != 0
}

// tree holds the lightest ways from the beginning of a search node to others, the
// settled ones, by Dijkstra's algorithm, which goes on when more are wanted. Of
// ways of one weight that of least duration counts, and of these the longest: as
// good as any, and OSRM's answers have it more often than the shortest.
//
// The ways leave the node and may come back. The steps of a trace that start on
// one road share its tree.
type tree struct {
	root    graph.NodeID
	used    int  // number of the step that last did
	whole   bool // when the heap is empty, there is nothing more to find
	heap    *heap.HashHeap
	costs   []cost // by slot
	settled int
	// No node that is not settled has a way shorter than least.
	least   graph.Distance
	measure int    // settled nodes at which least is found anew
	far     []span // ways that others have found, by node
}

// cost is what belongs to a weight.
type cost struct {
	duration graph.Duration
	distance graph.Distance
}

func (c cost) plus(d graph.Duration, m graph.Distance) cost {
	return cost{
		graph.Duration(min(int64(c.duration)+int64(d), int64(graph.InvalidDuration)-1)),
		graph.Distance(min(uint64(c.distance)+uint64(m), math.MaxUint32)),
	}
}

// before says whether of two ways of one weight that of cost c counts.
func (c cost) before(d cost) bool {
	return c.duration < d.duration || c.duration == d.duration && c.distance > d.distance
}

// span is the lightest way to a node. Its weight is InvalidWeight if there is none.
type span struct {
	node   graph.NodeID
	weight graph.Weight
	cost
}

// planted is the parent of the labels of the edges that leave the root.
const planted = math.MaxUint32

// plant starts the tree of a node.
func (t *tree) plant(r *roads, root graph.NodeID) {
	if t.heap == nil {
		t.heap = heap.NewHashHeap(r.memory)
	}
	t.heap.Clear()
	t.root, t.settled, t.least, t.measure = root, 0, 0, 0
	t.costs, t.far = t.costs[:0], t.far[:0]
	t.whole = r.metric != nil
	if t.whole && !r.excluded(root) {
		t.leave(r, root, 0, cost{}, planted)
	}
}

func (t *tree) free(memory *pool.Allocator) {
	t.heap.Release()
	pool.Free(memory, t.costs)
	pool.Free(memory, t.far)
	*t = tree{}
}

// grow settles nodes of less than a weight until so many are settled.
func (t *tree) grow(r *roads, count int, bound graph.Weight) {
	q := t.heap
	for t.settled < count && !q.Empty() && graph.Weight(q.MinKey()) < bound {
		slot := q.MinSlot()
		v, key := q.DeleteMin()
		t.settled++
		t.leave(r, graph.NodeID(v), graph.Weight(key), t.costs[slot], uint32(slot))
	}
	if t.settled >= t.measure {
		t.survey()
	}
}

// leave relaxes the edges of a node.
func (t *tree) leave(r *roads, v graph.NodeID, key graph.Weight, c cost, parent uint32) {
	n, m := r.net, r.metric
	if m.NodeWeight[v] == graph.InvalidWeight {
		return
	}
	q := t.heap
	for e := n.EdgeFirst[v]; e < n.EdgeFirst[v+1]; e++ {
		head := n.EdgeHead[e]
		if m.TurnClosed != nil && m.TurnClosed.Get(uint32(e)) || r.excluded(head) {
			continue
		}
		weight := int64(key) + int64(m.EdgeWeight(v, e))
		if weight >= int64(graph.InvalidWeight) {
			continue
		}
		next := c.plus(m.EdgeDuration(v, e), m.NodeDistance[v])
		label := heap.Label{Parent: parent, Edge: uint32(e)}
		slot, ok := q.Find(uint32(head))
		if !ok {
			q.Insert(uint32(head), int32(weight), label)
			t.costs = pool.Append(r.memory, t.costs, next)
			continue
		}
		l := q.At(slot)
		if l.Removed() || weight > int64(l.Key) || weight == int64(l.Key) && !next.before(t.costs[slot]) {
			continue
		}
		l.Data, t.costs[slot] = label, next
		if weight < int64(l.Key) {
			q.DecreaseKey(uint32(head), int32(weight))
		}
	}
}

// survey finds t.least: a node that is not settled lies behind one in the heap.
func (t *tree) survey() {
	t.least = math.MaxUint32
	records := t.heap.Records()
	for slot := range records {
		if !records[slot].Removed() {
			t.least = min(t.least, t.costs[slot].distance)
		}
	}
	t.measure = t.settled + max(16, t.settled/4)
}

// next returns the least weight that nodes that are not settled can have.
func (t *tree) next() graph.Weight {
	if t.heap.Empty() {
		return 0
	}
	return graph.Weight(t.heap.MinKey())
}

// find returns the way to a node; ok is false if it is not known yet.
func (t *tree) find(v graph.NodeID) (s span, slot uint32, ok bool) {
	if at, ok := t.heap.Find(uint32(v)); ok {
		if l := t.heap.At(at); l.Removed() {
			return span{v, graph.Weight(l.Key), t.costs[at]}, uint32(at), true
		}
	}
	lo, hi := 0, len(t.far)
	for lo < hi {
		if mid := (lo + hi) / 2; t.far[mid].node < v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(t.far) && t.far[lo].node == v {
		return t.far[lo], planted, true
	}
	return span{node: v, weight: graph.InvalidWeight}, planted, t.whole && t.heap.Empty()
}

// appendWay appends the edges of the way to the node of a slot.
func (t *tree) appendWay(memory *pool.Allocator, dst []graph.EdgeID, slot uint32) []graph.EdgeID {
	start := len(dst)
	for slot != planted {
		l := t.heap.At(heap.Slot(slot))
		dst = pool.Append(memory, dst, graph.EdgeID(l.Data.Edge))
		slot = l.Data.Parent
	}
	way := dst[start:]
	for i, k := 0, len(way)-1; i < k; i, k = i+1, k-1 {
		way[i], way[k] = way[k], way[i]
	}
	return dst
}
