package mld

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

func BenchmarkPartition(b *testing.B) {
	p := delaware(b)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				_, err := Partition(context.Background(), p.network, Options{Workers: workers})
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkCustomize(b *testing.B) {
	p := delaware(b)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				_, err := Customize(context.Background(), p.overlay.Cells(), p.expanded, CustomizeOptions{Workers: workers})
				require.NoError(b, err)
			}
		})
	}
}

// pairs returns seeds of random pairs.
func (p *prepared) pairs(n int) (sources, targets [][]graph.Seed) {
	rng := rand.New(rand.NewPCG(42, 1))
	for range n {
		sources = append(sources, randomSeed(rng, p.expanded, true))
		targets = append(targets, randomSeed(rng, p.expanded, false))
	}
	return sources, targets
}

func BenchmarkShortest(b *testing.B) {
	p := delaware(b)
	sources, targets := p.pairs(500)
	s := p.overlay.NewSearch(pool.New())
	b.ReportAllocs()
	i, settled := 0, 0
	for b.Loop() {
		_, _, _ = s.Shortest(context.Background(), sources[i%500], targets[i%500])
		settled += s.Settled()
		i++
	}
	b.ReportMetric(float64(settled)/float64(i), "settled/op")
}

// BenchmarkPath unpacks with a cold cache, and with one that holds what 500 paths
// leave there.
func BenchmarkPath(b *testing.B) {
	p := delaware(b)
	sources, targets := p.pairs(500)
	s := p.overlay.NewSearch(pool.New())
	var path []graph.EdgeID
	for _, cold := range []bool{true, false} {
		b.Run(fmt.Sprintf("cold=%v", cold), func(b *testing.B) {
			b.ReportAllocs()
			i, edges := 0, 0
			for b.Loop() {
				b.StopTimer()
				_, _, _ = s.Shortest(context.Background(), sources[i%500], targets[i%500])
				if cold {
					s.descent.forget()
				}
				b.StartTimer()
				path = s.Path(path[:0])
				edges += len(path)
				i++
			}
			b.ReportMetric(float64(edges)/float64(i), "edges/op")
		})
	}
}

func BenchmarkTable(b *testing.B) {
	p := delaware(b)
	sources, targets := p.pairs(1000)
	s := p.overlay.NewSearch(pool.New())
	for _, shape := range [][2]int{{3, 3}, {25, 25}, {50, 50}, {100, 100}, {1, 25}, {1, 1000}, {1000, 1}, {25, 1}} {
		b.Run(fmt.Sprintf("size=%dx%d", shape[0], shape[1]), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				err := s.Table(context.Background(), sources[:shape[0]], targets[:shape[1]], func(int, []graph.Cell) error { return nil })
				require.NoError(b, err)
			}
		})
	}
}

// BenchmarkNearTable makes tables of places a few junctions apart, as map matching
// does.
func BenchmarkNearTable(b *testing.B) {
	p := delaware(b)
	rng := rand.New(rand.NewPCG(42, 1))
	const n, side = 200, 5
	var sources, targets [n][][]graph.Seed
	for i := range n {
		from := randomSeed(rng, p.expanded, true)
		v := from[0].Node
		for range side {
			sources[i] = append(sources[i], from)
			for range 1 + rng.IntN(4) {
				if first, end := p.expanded.First[v], p.expanded.First[v+1]; first < end {
					v = p.expanded.Arcs[first+graph.EdgeID(rng.IntN(int(end-first)))].Head
				}
			}
			targets[i] = append(targets[i], []graph.Seed{{Node: v}})
			from = []graph.Seed{{Node: v}}
		}
	}
	s := p.overlay.NewSearch(pool.New())
	b.ReportAllocs()
	i, settled := 0, 0
	for b.Loop() {
		err := s.Table(context.Background(), sources[i%n], targets[i%n], func(int, []graph.Cell) error { return nil })
		require.NoError(b, err)
		settled += s.Settled()
		i++
	}
	b.ReportMetric(float64(settled)/float64(i), "settled/op")
}

func BenchmarkReach(b *testing.B) {
	p := delaware(b)
	sources, _ := p.pairs(100)
	s := p.overlay.NewSearch(pool.New())
	for _, minutes := range []int{5, 20, 0} {
		b.Run(fmt.Sprintf("minutes=%d", minutes), func(b *testing.B) {
			b.ReportAllocs()
			i, nodes := 0, 0
			for b.Loop() {
				_ = s.Reach(context.Background(), sources[i%100], Limit{Duration: graph.Duration(600 * minutes)}, func(graph.NodeID, graph.Cell) error {
					nodes++
					return nil
				})
				i++
			}
			b.ReportMetric(float64(nodes)/float64(i), "nodes/op")
		})
	}
}
