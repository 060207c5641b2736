package ch

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// Tables, trees and alternatives of a damaged file may be wrong, and may fail by an
// index error or graph.ErrCorrupt, but they end.
func TestSearchesOfDamagedFilesEnd(t *testing.T) {
	g, h, _ := smallCase(t)
	rng := rand.New(rand.NewPCG(8, 8))
	n := g.NumNodes()
	seed := func() []graph.Seed { return []graph.Seed{{Node: graph.NodeID(rng.IntN(n))}} }
	failed := 0
	for range 400 {
		damaged := h.clone()
		for range 1 + rng.IntN(4) {
			i, bit := rng.IntN(len(damaged.arcs)), uint32(1)<<rng.IntN(32)
			switch rng.IntN(4) {
			case 0:
				damaged.arcs[i].Head ^= bit % 64
			case 1:
				damaged.arcs[i].Weight ^= bit
			case 2:
				damaged.child[i][rng.IntN(5)] ^= byte(bit)
			case 3:
				damaged.first[rng.IntN(len(damaged.first))] ^= bit % 64
			}
		}
		for _, run := range []func() error{
			func() error {
				s := damaged.NewSearch(pool.New())
				sources, targets := [][]graph.Seed{seed(), seed()}, [][]graph.Seed{seed(), seed()}
				for _, way := range []tableWay{byBuckets, downward, upward} {
					if err := s.tableBy(t.Context(), way, sources, targets, func(int, []graph.Cell) error { return nil }); err != nil {
						return err
					}
				}
				return nil
			},
			func() error { return damaged.NewTree(pool.New()).Grow(t.Context(), seed(), Limit{}) },
			func() error {
				s := damaged.NewSearch(pool.New())
				for range 20 {
					count, err := s.Alternatives(t.Context(), seed(), seed(), 3, looseRules)
					if err != nil {
						return err
					}
					for i := range count {
						s.AlternativePath(i, nil)
					}
				}
				return nil
			},
		} {
			func() {
				defer func() {
					if p := recover(); p != nil {
						failed++
						err, _ := p.(error)
						_, index := errors.AsType[runtime.Error](err)
						require.True(t, index || errors.Is(err, graph.ErrCorrupt), "%v", p)
					}
				}()
				require.NoError(t, run())
			}()
		}
	}
	require.Positive(t, failed)
}
