package extract

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
)

// Two nodes are in one component if and only if each reaches the other.
func TestComponentsAgainstReachability(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		n := 1 + rng.IntN(14)
		reach := make([][]bool, n)
		g := sccGraph{first: []graph.EdgeID{0}, twin: make([]graph.NodeID, n)}
		for v := range n {
			reach[v] = make([]bool, n)
			reach[v][v] = true
			g.twin[v] = graph.InvalidNode
		}
		for v := 0; v+1 < n; v += 2 {
			if rng.IntN(3) == 0 {
				g.twin[v], g.twin[v+1] = graph.NodeID(v+1), graph.NodeID(v)
				reach[v][v+1], reach[v+1][v] = true, true
			}
		}
		for v := range n {
			for range rng.IntN(3) {
				to := rng.IntN(n)
				g.head = append(g.head, graph.NodeID(to))
				reach[v][to] = true
			}
			g.first = append(g.first, graph.EdgeID(len(g.head)))
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		of, sizes := g.components()
		count := make([]uint32, len(sizes))
		for i := range n {
			count[of[i]]++
			for j := range n {
				require.Equal(t, reach[i][j] && reach[j][i], of[i] == of[j])
			}
		}
		require.Equal(t, sizes, count)
	}
}

// A long line must not need a deep stack.
func TestComponentsOfALongLine(t *testing.T) {
	const n = 1 << 20
	g := sccGraph{first: make([]graph.EdgeID, n+1), head: make([]graph.NodeID, n), twin: make([]graph.NodeID, n)}
	for v := range n {
		g.first[v+1] = graph.EdgeID(v + 1)
		g.head[v] = graph.NodeID((v + 1) % n)
		g.twin[v] = graph.InvalidNode
	}
	_, sizes := g.components()
	require.Equal(t, []uint32{n}, sizes)
}
