package mld

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/heap"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/pool"
)

// distances returns the weights of the paths from a node to all, or to it from all.
func distances(o *Overlay, d int, id uint32) []uint32 {
	c := o.cells
	q := heap.NewArrayHeap(pool.New(), c.NumNodes())
	all := make([]uint32, c.NumNodes())
	for i := range all {
		all[i] = unreached
	}
	q.Insert(id, 0, heap.Label{})
	for !q.Empty() {
		v, key := q.DeleteMin()
		all[v] = uint32(key)
		for _, x := range o.arcs[c.first[2*v+uint32(d)]:c.first[2*v+uint32(d)+1]] {
			if x.Weight < unreached {
				q.Relax(x.Head, key+int32(x.Weight), heap.Label{})
			}
		}
	}
	return all
}

// What labels and climbs tell of plateaus is what Dijkstra's algorithm does, but for one of
// a thousand: the label of a node where a cell is only entered, or only left, does not tell
// of ways to it inside the cell.
func TestPlateausAreExact(t *testing.T) {
	g := testmap.Roads(20_000, 4)
	o := overlayOf(t, g)
	c, s := o.cells, o.NewSearch(pool.New())
	rng := rand.New(rand.NewPCG(6, 1))
	checked, climbed, other := 0, 0, 0
	for range 40 {
		sources := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
		targets := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
		_, err := s.Alternatives(t.Context(), sources, targets, 3, graph.AlternativeRules{Shared: 0.5, Optimal: 0.4, Candidates: 20})
		require.NoError(t, err)
		a := &s.alternatives
		if len(a.candidates) == 0 {
			continue
		}
		if s.climbs[0].top != 0 || s.climbs[1].top != 0 {
			climbed++
		}
		from, to := distances(o, 0, c.id[sources[0].Node]), distances(o, 1, c.id[targets[0].Node])
		for _, x := range a.candidates {
			r := s.heaps[0].At(x.slot)
			via, key := r.Node, uint32(r.Key)
			if from[via] != key || to[via] != x.weight-key {
				continue // at the border of its cell, reached sooner from inside
			}
			s.pack(via, sources)
			s.inspect(sources[0].Node, s.appendPath(nil, s.hops))
			var want [2]uint32
			for i, id := range a.nodes {
				if at := a.at[i]; at >= key && from[id] == at {
					want[0] = max(want[0], at-key)
				} else if at < key && to[id] == x.weight-at {
					want[1] = max(want[1], key-at)
				}
			}
			a.finest, a.sources = 0, sources
			for d := range want {
				got, err := s.extent(t.Context(), d, via, x.weight, unreached-1)
				require.NoError(t, err)
				if got != want[d] {
					other++
				}
				checked++
			}
		}
	}
	t.Logf("%d plateaus, %d of them found otherwise; %d searches with climbs", checked, other, climbed)
	require.Less(t, 1000*other, checked)
	require.Greater(t, checked, 200)
	require.Positive(t, climbed)
}
