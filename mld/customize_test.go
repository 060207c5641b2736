package mld

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// TestSetsShareCells: what no excluded node changes is not held again.
func TestSetsShareCells(t *testing.T) {
	p := delaware(t)
	base := p.overlay.cliques[0]
	for set := 1; set < len(p.overlay.cliques); set++ {
		q := p.overlay.cliques[set]
		require.Same(t, base, q.base)
		require.NotEmpty(t, q.costs)
		require.Less(t, 2*len(q.costs), len(base.costs))
		for _, excluded := range []graph.Bits{nil, q.excluded} {
			one, err := p.overlay.customizeSet(t.Context(), excluded, 2, pool.FreeLists)
			require.NoError(t, err)
			if excluded == nil {
				require.Same(t, base, one)
			} else {
				require.Equal(t, q, one)
			}
		}
	}
}

// TestSetsAgreeWithAWholeGraph: cliques of a set are those of a graph whose arcs into
// the excluded nodes are closed, and from them.
func TestSetsAgreeWithAWholeGraph(t *testing.T) {
	p := delaware(t)
	for set, excluded := range p.exclude {
		closed := &graph.Expanded{First: p.expanded.First, Arcs: slices.Clone(p.expanded.Arcs)}
		for v := range closed.NumNodes() {
			for e := closed.First[v]; e < closed.First[v+1]; e++ {
				if excluded.Get(uint32(v)) || excluded.Get(uint32(closed.Arcs[e].Head)) {
					closed.Arcs[e].Weight = graph.InvalidWeight
				}
			}
		}
		whole, err := Customize(t.Context(), p.overlay.Cells(), closed, CustomizeOptions{})
		require.NoError(t, err)
		want, have := whole.cliques[0], p.overlay.Cliques(set+1)
		c := p.overlay.cells
		for l := range c.levels {
			v := &c.levels[l]
			for id := range v.border {
				for d := range 2 {
					r := &v.rows[d][id]
					if r.N == 0 || excluded.Get(uint32(c.node[id])) {
						continue
					}
					h, shift := have.home(uint32(l+1), id)
					require.True(t, slices.Equal(want.weight[d][r.Clique:][:r.N], h.weight[d][r.Clique+shift:][:r.N]))
				}
			}
			if v.climbFirst[0] == nil {
				continue
			}
			for cell := range uint32(v.cells) {
				for d, first := range v.climbFirst {
					ends := v.ends(d, cell)
					above := c.levels[l+1].ends(d, v.parent[cell])
					x, at := have.climbs(d, l+1, cell)
					for i, end := range ends {
						for j, goal := range above {
							k := uint32(i*len(above) + j)
							if !excluded.Get(uint32(c.node[end])) && !excluded.Get(uint32(c.node[goal])) {
								require.Equal(t, want.climb[d][first[cell]+k], x.climb[d][at+k])
								require.Equal(t, want.climbCosts[d][first[cell]+k], x.climbCosts[d][at+k])
							}
						}
					}
				}
			}
		}
	}
}
