package reach

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/heap"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/pool"
)

// network returns a random network with all that goes wrong: edges of no weight,
// parallel ones, loops, dead ends, closed turns and nodes, turns that make up for what
// the road before costs. Weights are small or great.
func network(rng *rand.Rand, nodes int) (*graph.Network, *graph.Metric) {
	n := &graph.Network{
		NodeArm: make([]graph.ArmID, nodes), ArmRoad: make([]graph.RoadID, 2*nodes),
		Roads: []graph.Road{{}, {Classes: 1}},
	}
	m := &graph.Metric{TurnClosed: graph.MakeBits(8 * nodes)}
	great := graph.Weight(5)
	if rng.IntN(2) == 0 {
		great = 3 * numHeads
	}
	for v := range nodes {
		n.NodeArm[v] = graph.ArmID(v)
		n.ArmRoad[v] = graph.RoadID(rng.IntN(8) / 7)
		n.EdgeFirst = append(n.EdgeFirst, graph.EdgeID(len(n.EdgeHead)))
		for range rng.IntN(5) {
			e := uint32(len(n.EdgeHead))
			n.EdgeHead = append(n.EdgeHead, graph.NodeID(min(max(v+rng.IntN(21)-10, 0), nodes-1)))
			m.TurnWeight = append(m.TurnWeight, int16(rng.IntN(4)-1))
			m.TurnDuration = append(m.TurnDuration, int16(rng.IntN(4)-1))
			m.TurnClosed.Put(e, rng.IntN(12) == 0)
		}
		weight := rng.Int32N(int32(great))
		m.NodeWeight = append(m.NodeWeight, graph.Weight(weight))
		m.NodeDuration = append(m.NodeDuration, graph.Duration(rng.IntN(6)))
		m.NodeDistance = append(m.NodeDistance, graph.Distance(rng.IntN(6)))
		if rng.IntN(15) == 0 {
			m.NodeWeight[v], m.NodeDuration[v] = graph.InvalidWeight, graph.InvalidDuration
		}
	}
	n.EdgeFirst = append(n.EdgeFirst, graph.EdgeID(len(n.EdgeHead)))
	return n, m
}

// relaxed returns the best paths of one edge or more, by going over all edges until
// nothing changes (Bellman and Ford).
func relaxed(n *graph.Network, m *graph.Metric, q *Question) []*Cost {
	best := make([]*Cost, n.NumNodes())
	barred := func(v graph.NodeID) bool { return n.Roads[n.ArmRoad[n.NodeArm[v]]].Classes&q.Exclude != 0 }
	for changed := true; changed; {
		changed = false
		for v := range n.NumNodes() {
			tail := graph.NodeID(v)
			if m.NodeWeight[v] == graph.InvalidWeight {
				continue
			}
			for e := n.EdgeFirst[v]; e < n.EdgeFirst[v+1]; e++ {
				from, to := tail, n.EdgeHead[e]
				if q.Incoming != nil {
					from, to = to, from
				}
				if m.TurnClosed.Get(uint32(e)) || barred(to) {
					continue
				}
				offer := func(c Cost) {
					c.Weight += int64(m.EdgeWeight(tail, e))
					c.Duration += int64(m.EdgeDuration(tail, e))
					c.Distance += int64(m.NodeDistance[tail])
					if best[to] == nil || c.Less(best[to]) {
						best[to] = &c
						changed = true
					}
				}
				for i := range q.Seeds {
					if s := &q.Seeds[i]; s.Node == from {
						offer(Cost{int64(s.Weight), int64(s.Duration), s.Distance})
					}
				}
				if best[from] != nil {
					offer(*best[from])
				}
			}
		}
	}
	return best
}

// TestRunFindsAllWithin compares with the paths that Bellman and Ford find.
func TestRunFindsAllWithin(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 60
	}
	within, denied := 0, 0
	for round := range rounds {
		rng := rand.New(rand.NewPCG(uint64(round), 4))
		n, m := network(rng, 2+rng.IntN(60))
		s := New(n, m, pool.New())
		in := NewIncoming(n)
		for range 3 {
			q := Question{Limit: Limit{Weight: -1, Duration: -1, Distance: -1}, Exclude: graph.ClassMask(rng.IntN(2))}
			if rng.IntN(2) == 0 {
				q.Incoming = in
			}
			for range 1 + rng.IntN(3) {
				v := rng.IntN(n.NumNodes())
				if n.Roads[n.ArmRoad[v]].Classes&q.Exclude != 0 {
					continue
				}
				q.Seeds = append(q.Seeds, graph.Seed{
					Node: graph.NodeID(v), Weight: graph.Weight(rng.IntN(9) - 4),
					Duration: graph.Duration(rng.IntN(9) - 4), Distance: int64(rng.IntN(9) - 4),
				})
			}
			switch rng.IntN(4) {
			case 0:
				q.Limit.Weight = graph.Weight(rng.IntN(40))
			case 1:
				q.Limit.Duration = graph.Duration(rng.IntN(30))
			case 2:
				q.Limit.Distance = int64(rng.IntN(30))
			}
			if q.Limit.Distance < 0 {
				q.Patience = rng.IntN(4)
			}
			where := fmt.Sprintf("round %d, %+v", round, q)
			require.NoError(t, s.Run(t.Context(), &q))
			all := relaxed(n, m, &q)
			for _, v := range s.Doubtful() {
				if all[v].Weight < s.At(v).Weight {
					s.Deny(v)
					denied++
				}
			}
			for v, best := range all {
				id := graph.NodeID(v)
				want := best != nil
				if want {
					at := *best
					if q.Incoming != nil {
						at.Weight -= int64(m.NodeWeight[v])
						at.Duration -= int64(m.NodeDuration[v])
						at.Distance -= int64(m.NodeDistance[v])
					}
					l := &q.Limit
					want = (l.Weight < 0 || at.Weight <= int64(l.Weight)) &&
						(l.Duration < 0 || at.Duration <= int64(l.Duration)) && (l.Distance < 0 || at.Distance <= l.Distance)
				}
				require.Equal(t, want, s.Reached().Get(uint32(v)), "%s: node %d", where, v)
				if want {
					within++
					require.Equal(t, *best, s.At(id), "%s: node %d", where, v)
				}
			}
		}
	}
	require.Greater(t, within, 10*rounds)
	require.Positive(t, denied)
}

func TestIncoming(t *testing.T) {
	n, _ := network(rand.New(rand.NewPCG(1, 1)), 50)
	in := NewIncoming(n)
	count := 0
	for v := range n.NumNodes() {
		last := graph.EdgeID(0)
		for i, a := range in.arcs[in.first[v]:in.first[v+1]] {
			require.Equal(t, graph.NodeID(v), n.EdgeHead[a.edge])
			require.True(t, n.EdgeFirst[a.tail] <= a.edge && a.edge < n.EdgeFirst[a.tail+1])
			require.True(t, i == 0 || a.edge > last)
			last = a.edge
			count++
		}
	}
	require.Equal(t, n.NumEdges(), count)
}

func TestCanceled(t *testing.T) {
	n, m := network(rand.New(rand.NewPCG(1, 1)), 50)
	s := New(n, m, pool.New())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, s.Run(ctx, &Question{Seeds: []graph.Seed{{}}}), context.Canceled)
}

// roads returns a made-up road network as a Network, each node of which has one cost.
func roads(nodes int) (*graph.Network, *graph.Metric) {
	g := testmap.Roads(nodes, 7)
	n := &graph.Network{NodeArm: make([]graph.ArmID, g.NumNodes()), EdgeFirst: g.First}
	m := &graph.Metric{}
	for v := range g.NumNodes() {
		weight := graph.InvalidWeight
		for _, a := range g.Arcs[g.First[v]:g.First[v+1]] {
			weight = min(weight, a.Weight)
		}
		m.NodeWeight = append(m.NodeWeight, weight)
		m.NodeDuration = append(m.NodeDuration, graph.Duration(weight))
		m.NodeDistance = append(m.NodeDistance, graph.Distance(weight))
	}
	for v := range g.NumNodes() {
		for _, a := range g.Arcs[g.First[v]:g.First[v+1]] {
			n.EdgeHead = append(n.EdgeHead, a.Head)
			turn := int16(0)
			if a.Weight != graph.InvalidWeight {
				turn = int16(min(int64(a.Weight)-int64(m.NodeWeight[v]), math.MaxInt16))
			}
			m.TurnWeight, m.TurnDuration = append(m.TurnWeight, turn), append(m.TurnDuration, turn)
		}
	}
	return n, m
}

// TestSteadyState: a search like one before allocates nothing.
func TestSteadyState(t *testing.T) {
	n, m := roads(2000)
	s := New(n, m, pool.New())
	q := Question{Seeds: []graph.Seed{{Node: 5}}, Limit: Limit{-1, 3000, -1}}
	run := func() { _ = s.Run(context.Background(), &q) }
	run()
	require.Greater(t, s.Settled(), 100)
	require.Zero(t, testing.AllocsPerRun(5, run))
}

// BenchmarkRun finds all that is within a limit.
func BenchmarkRun(b *testing.B) {
	n, m := roads(200_000)
	s := New(n, m, pool.New())
	q := Question{Seeds: []graph.Seed{{Node: graph.NodeID(n.NumNodes() / 2)}}, Limit: Limit{-1, 6000, -1}}
	b.ReportAllocs()
	for b.Loop() {
		_ = s.Run(b.Context(), &q)
	}
	b.ReportMetric(float64(s.Settled()), "settled/op")
}

// BenchmarkQueue compares the queue with the heap of other searches, by Dijkstra's
// algorithm and little else.
func BenchmarkQueue(b *testing.B) {
	n, m := roads(200_000)
	middle := graph.NodeID(n.NumNodes() / 2)
	b.Run("buckets", func(b *testing.B) {
		q := newBuckets(pool.New())
		labels := make([]label, n.NumNodes())
		settled := 0
		for b.Loop() {
			q.clear()
			clear(labels)
			settled = 0
			q.push(0, uint32(middle))
			weight := uint32(0)
			labels[middle].state = 2
			for {
				var ok bool
				if weight, ok = q.lightest(weight); !ok || weight > 6000 {
					break
				}
				for {
					v, ok := q.take(weight)
					if !ok {
						break
					}
					at := &labels[v]
					if at.weight != weight || at.state&1 != 0 {
						continue
					}
					at.state |= 1
					settled++
					if m.NodeWeight[v] == graph.InvalidWeight {
						continue
					}
					for e := n.EdgeFirst[v]; e < n.EdgeFirst[v+1]; e++ {
						x := &labels[n.EdgeHead[e]]
						next := weight + uint32(m.EdgeWeight(graph.NodeID(v), e))
						if x.state != 0 && x.weight <= next {
							continue
						}
						*x = label{next, at.duration + int32(m.EdgeDuration(graph.NodeID(v), e)), at.distance + uint32(m.NodeDistance[v]), 2}
						q.push(next, uint32(n.EdgeHead[e]))
					}
				}
			}
		}
		b.ReportMetric(float64(settled), "settled/op")
	})
	b.Run("heap", func(b *testing.B) {
		h := heap.NewArrayHeap(pool.New(), n.NumNodes())
		settled := 0
		for b.Loop() {
			h.Clear()
			settled = 0
			h.Insert(uint32(middle), 0, heap.Label{})
			for !h.Empty() && h.MinKey() <= 6000 {
				v, key := h.DeleteMin()
				settled++
				at := h.Data(v)
				for e := n.EdgeFirst[v]; e < n.EdgeFirst[v+1]; e++ {
					if m.NodeWeight[v] == graph.InvalidWeight {
						continue
					}
					h.Relax(uint32(n.EdgeHead[e]), key+int32(m.EdgeWeight(graph.NodeID(v), e)), heap.Label{
						Parent: at.Parent + uint32(m.EdgeDuration(graph.NodeID(v), e)), Edge: at.Edge + uint32(m.NodeDistance[v]),
					})
				}
			}
		}
		b.ReportMetric(float64(settled), "settled/op")
	})
}
