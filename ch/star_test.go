package ch

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/pool"
)

// starOf returns a junction of so many two-way roads: nodes 2i lead to it, nodes 2i+1
// away from it, and at their ends one turns around.
func starOf(roads int) *graph.Expanded {
	out := make([][]graph.Arc, 2*roads)
	for i := range roads {
		for j := range roads {
			if i != j {
				out[2*i] = append(out[2*i], graph.Arc{Head: graph.NodeID(2*j + 1), Weight: graph.Weight(100 + i%7 + (i+j)%5)})
			}
		}
		out[2*i+1] = []graph.Arc{{Head: graph.NodeID(2 * i), Weight: graph.Weight(50 + i%11)}}
	}
	return oracle.Build(out)
}

// wheelOf is a star whose roads end at a ring.
func wheelOf(roads int) *graph.Expanded {
	out := make([][]graph.Arc, 4*roads)
	node := func(kind, i int) graph.NodeID { return graph.NodeID(kind*roads + (i+roads)%roads) }
	for i := range roads {
		for j := range roads {
			if i != j {
				out[i] = append(out[i], graph.Arc{Head: node(1, j), Weight: graph.Weight(100 + i%7 + (i+j)%5)})
			}
		}
		out[node(1, i)] = []graph.Arc{{Head: node(2, i), Weight: 60}, {Head: node(3, i), Weight: 61}}
		out[node(2, i)] = []graph.Arc{{Head: node(2, i+1), Weight: 10}, {Head: node(0, i+1), Weight: 12}}
		out[node(3, i)] = []graph.Arc{{Head: node(3, i-1), Weight: 10}, {Head: node(0, i-1), Weight: 12}}
	}
	return oracle.Build(out)
}

// TestContractionOfStars: a junction of many roads is contracted as it should.
func TestContractionOfStars(t *testing.T) {
	for name, g := range map[string]*graph.Expanded{"star": starOf(120), "wheel": wheelOf(100)} {
		h, err := Contract(t.Context(), g, Options{})
		require.NoError(t, err)
		require.NoError(t, h.Verify())
		s := h.NewSearch(pool.New())
		rng := rand.New(rand.NewPCG(1, 1))
		for range 20 {
			sources := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
			tree := oracle.Grow(g, nil, sources)
			for range 20 {
				targets := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
				q := oracle.Question{Sources: sources, Targets: targets, Want: tree.To(targets)}
				oracle.CheckShortest(t, g, nil, s, &q, name)
			}
		}
	}
}

// TestContractionOfStarsEnds: however dense the graph becomes, a done context is
// noticed soon.
func TestContractionOfStarsEnds(t *testing.T) {
	g := wheelOf(700)
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := Contract(ctx, g, Options{})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	// That is some milliseconds on a machine with nothing else to do.
	require.Less(t, time.Since(began), 1500*time.Millisecond)
}
