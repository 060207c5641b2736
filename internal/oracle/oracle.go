package oracle

import (
	"container/heap"
	"fmt"
	"math"

	"github.com/fourway-routing/fourway/graph"
)

// Unreached is the weight of what cannot be reached.
const Unreached = math.MaxInt64

// Tree holds the lightest paths of at least one edge from some seeds to all
// nodes.
type Tree struct {
	g       *graph.Expanded
	barred  graph.Bits
	sources []graph.Seed
	// Weight is by node, the seed's included.
	Weight []int64
	// into lists the edges into a node.
	into [][]graph.EdgeID
	tail []graph.NodeID
}

// Answer is what Tree.To found.
type Answer struct {
	Reached bool
	Weight  int64
	// Unique is set if there is one path of this weight; then Duration and
	// Distance are those of the path with its seeds.
	Unique   bool
	Duration int64
	Distance int64
}

// Grow finds the lightest paths from the sources over nodes that are not barred,
// by Dijkstra's algorithm. barred may be nil.
func Grow(g *graph.Expanded, barred graph.Bits, sources []graph.Seed) *Tree {
	n := g.NumNodes()
	t := &Tree{g: g, barred: barred, sources: sources, Weight: make([]int64, n)}
	t.tail, t.into = incoming(g)
	for v := range t.Weight {
		t.Weight[v] = Unreached
	}
	var q queue
	relax := func(v graph.NodeID, weight int64) {
		for e := g.First[v]; e < g.First[v+1]; e++ {
			a := &g.Arcs[e]
			if a.Weight == graph.InvalidWeight || t.bars(a.Head) {
				continue
			}
			if next := weight + int64(a.Weight); next < t.Weight[a.Head] {
				t.Weight[a.Head] = next
				heap.Push(&q, item{next, a.Head})
			}
		}
	}
	for _, s := range sources {
		if !t.bars(s.Node) {
			relax(s.Node, int64(s.Weight))
		}
	}
	for len(q) > 0 {
		x := heap.Pop(&q).(item)
		if x.weight == t.Weight[x.node] {
			relax(x.node, x.weight)
		}
	}
	return t
}

func incoming(g *graph.Expanded) (tail []graph.NodeID, into [][]graph.EdgeID) {
	tail = make([]graph.NodeID, len(g.Arcs))
	into = make([][]graph.EdgeID, g.NumNodes())
	for v := range into {
		for e := g.First[v]; e < g.First[v+1]; e++ {
			tail[e] = graph.NodeID(v)
			if a := &g.Arcs[e]; a.Weight != graph.InvalidWeight {
				into[a.Head] = append(into[a.Head], e)
			}
		}
	}
	return tail, into
}

func (t *Tree) bars(v graph.NodeID) bool { return t.barred != nil && t.barred.Get(uint32(v)) }

// To returns the lightest path to the targets.
func (t *Tree) To(targets []graph.Seed) Answer {
	best := Answer{Weight: Unreached}
	ways := 0 // (source, target) pairs, or targets reached by edges, of weight best
	offer := func(a Answer) bool {
		if a.Weight < best.Weight {
			best, ways = a, 0
		}
		if a.Weight == best.Weight {
			ways++
			return true
		}
		return false
	}
	var end *graph.Seed
	for i := range targets {
		x := &targets[i]
		if t.bars(x.Node) {
			continue
		}
		for _, s := range t.sources {
			if s.Node == x.Node && s.Precedes(x) {
				direct := int64(s.Weight) + int64(x.Weight)
				if offer(Answer{true, direct, true, int64(s.Duration) + int64(x.Duration), s.Distance + x.Distance}) {
					end = nil
				}
			}
		}
		if t.Weight[x.Node] != Unreached && offer(Answer{Reached: true, Weight: t.Weight[x.Node] + int64(x.Weight)}) {
			end = x
		}
	}
	if ways != 1 {
		best.Unique = false
	} else if end != nil {
		best.Duration, best.Distance, best.Unique = t.trace(end.Node)
		best.Duration += int64(end.Duration)
		best.Distance += end.Distance
	}
	return best
}

// trace follows the lightest path back from a node, as long as there is only
// one.
func (t *Tree) trace(v graph.NodeID) (duration, distance int64, unique bool) {
	for {
		choices := 0
		var edge graph.EdgeID
		var start *graph.Seed
		for _, e := range t.into[v] {
			u, a := t.tail[e], &t.g.Arcs[e]
			if t.bars(u) {
				continue
			}
			if t.Weight[u] != Unreached && t.Weight[u]+int64(a.Weight) == t.Weight[v] {
				choices++
				edge, start = e, nil
			}
			for i := range t.sources {
				if s := &t.sources[i]; s.Node == u && int64(s.Weight)+int64(a.Weight) == t.Weight[v] {
					choices++
					edge, start = e, s
				}
			}
		}
		if choices != 1 {
			return 0, 0, false
		}
		duration += int64(t.g.Arcs[edge].Duration)
		distance += int64(t.g.Arcs[edge].Distance)
		if start != nil {
			return duration + int64(start.Duration), distance + start.Distance, true
		}
		v = t.tail[edge]
	}
}

// Path is the sum of a path that CheckPath followed, its seeds included.
type Path struct {
	Weight, Duration, Distance int64
}

// CheckPath follows a path edge by edge and says what is wrong with it.
func CheckPath(g *graph.Expanded, barred graph.Bits, source, target graph.Seed, edges []graph.EdgeID) (Path, error) {
	p := Path{
		int64(source.Weight) + int64(target.Weight),
		int64(source.Duration) + int64(target.Duration),
		source.Distance + target.Distance,
	}
	at := source.Node
	if barred != nil && barred.Get(uint32(at)) {
		return p, fmt.Errorf("source %d is barred", at)
	}
	for i, e := range edges {
		if int(e) >= len(g.Arcs) || e < g.First[at] || e >= g.First[at+1] {
			return p, fmt.Errorf("edge %d, at place %d of %v, does not leave node %d", e, i, edges, at)
		}
		a := &g.Arcs[e]
		if a.Weight == graph.InvalidWeight {
			return p, fmt.Errorf("edge %d, at place %d of %v, is closed", e, i, edges)
		}
		at = a.Head
		if barred != nil && barred.Get(uint32(at)) {
			return p, fmt.Errorf("edge %d, at place %d of %v, leads to barred node %d", e, i, edges, at)
		}
		p.Weight += int64(a.Weight)
		p.Duration += int64(a.Duration)
		p.Distance += int64(a.Distance)
	}
	if at != target.Node {
		return p, fmt.Errorf("path %v ends at node %d, not %d", edges, at, target.Node)
	}
	if len(edges) == 0 && !source.Precedes(&target) {
		return p, fmt.Errorf("the direct piece on node %d leads back", at)
	}
	return p, nil
}

type item struct {
	weight int64
	node   graph.NodeID
}

type queue []item

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].weight < q[j].weight }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(item)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}
