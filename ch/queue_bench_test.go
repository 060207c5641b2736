package ch

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/heap"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/pool"
)

// localSearch settles up to 60 nodes from a source, as witness searches do, and
// returns the sum of their weights.
type localSearch func(g *working, source uint32) (sum uint64)

const localSettled = 60

func lazySearch(n int) localSearch {
	w := newWorker(n, pool.FreeLists)
	return func(g *working, source uint32) (sum uint64) {
		w.run++
		run, marks, q := w.run, w.marks, w.queue[:0]
		marks[source].run, marks[source].weight = run, 0
		q.push(w.pool, uint64(source))
		for settled := 0; len(q) > 0 && settled < localSettled; {
			x := q.pop()
			node, weight := uint32(x), uint32(x>>32)
			if marks[node].weight != weight {
				continue
			}
			settled++
			sum += uint64(weight)
			for _, h := range g.out[node] {
				m := &marks[h.node]
				if next := weight + h.weight; m.run != run || next < m.weight {
					m.run, m.weight = run, next
					q.push(w.pool, uint64(next)<<32|uint64(h.node))
				}
			}
		}
		w.queue = q
		return sum
	}
}

func arraySearch(n int) localSearch {
	q := heap.NewArrayHeap(pool.New(), n)
	return func(g *working, source uint32) (sum uint64) {
		q.Clear()
		q.Insert(source, 0, heap.Label{})
		for settled := 0; !q.Empty() && settled < localSettled; settled++ {
			node, weight := q.DeleteMin()
			sum += uint64(weight)
			for _, h := range g.out[node] {
				q.Relax(h.node, weight+int32(h.weight), heap.Label{})
			}
		}
		return sum
	}
}

func hashSearch(int) localSearch {
	q := heap.NewHashHeap(pool.New())
	return func(g *working, source uint32) (sum uint64) {
		q.Clear()
		q.Insert(source, 0, heap.Label{})
		for settled := 0; !q.Empty() && settled < localSettled; settled++ {
			node, weight := q.DeleteMin()
			sum += uint64(weight)
			for _, h := range g.out[node] {
				q.Relax(h.node, weight+int32(h.weight), heap.Label{})
			}
		}
		return sum
	}
}

// BenchmarkQueue compares the queue of this package, which leaves stale words,
// with the mutable heaps on searches of the size of witness searches.
func BenchmarkQueue(b *testing.B) {
	x := testmap.Roads(200_000, 1)
	g := newWorking(x.NumNodes(), 1, pool.FreeLists)
	require.NoError(b, g.load(b.Context(), x))
	sources := make([]uint32, 1024)
	rng := rand.New(rand.NewPCG(1, 1))
	at := rng.IntN(x.NumNodes())
	for i := range sources {
		// As contraction goes through the nodes: near the last one.
		at = (at + rng.IntN(20)) % x.NumNodes()
		sources[i] = uint32(at)
	}
	kinds := []struct {
		name string
		new  func(n int) localSearch
	}{{"lazy", lazySearch}, {"array", arraySearch}, {"hash", hashSearch}}
	var want uint64
	for i, k := range kinds {
		search := k.new(x.NumNodes())
		b.Run("queue="+k.name, func(b *testing.B) {
			var sum uint64
			for b.Loop() {
				sum = 0
				for _, s := range sources {
					sum += search(g, s)
				}
			}
			if i == 0 {
				want = sum
			}
			require.Equal(b, want, sum)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(sources)*localSettled), "ns/settled")
		})
	}
}
