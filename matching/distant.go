package matching

import (
	"cmp"
	"context"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// distant is a table of the ways that trees have not grown to.
type distant struct {
	sources, targets [][]graph.Seed
	seeds            []graph.Seed
	roots, heads     []uint32                                   // trees, and arrivals
	row              func(source int, cells []graph.Cell) error // takeRow, made once
}

// beforeStart makes a source lie behind the target on its own node, so that a way
// that comes back to it is found.
const beforeStart = 1

// table adds to the trees of open pairs what they miss.
func (m *Matcher) table(ctx context.Context) error {
	m.roots, m.heads = m.roots[:0], m.heads[:0]
	for i := range m.open {
		leaves, arrivals := m.endsOf(&m.open[i])
		for i := range leaves {
			m.roots = append(m.roots, leaves[i].tree)
		}
		for i := range arrivals {
			m.heads = append(m.heads, uint32(arrivals[i].node))
		}
	}
	slices.Sort(m.roots)
	slices.Sort(m.heads)
	m.roots, m.heads = slices.Compact(m.roots), slices.Compact(m.heads)
	m.seeds = slices.Grow(m.seeds[:0], len(m.roots)+len(m.heads))
	m.sources, m.targets = m.sources[:0], m.targets[:0]
	set := func(seed graph.Seed) []graph.Seed {
		m.seeds = append(m.seeds, seed)
		return m.seeds[len(m.seeds)-1:]
	}
	for _, i := range m.roots {
		m.sources = append(m.sources, set(graph.Seed{Node: m.trees[i].root, Weight: -beforeStart}))
	}
	for _, v := range m.heads {
		m.targets = append(m.targets, set(graph.Seed{Node: graph.NodeID(v)}))
	}
	return m.paths.Table(ctx, m.sources, m.targets, m.row)
}

// takeRow keeps the ways from one root.
func (m *Matcher) takeRow(source int, cells []graph.Cell) error {
	t := &m.trees[m.roots[source]]
	known := len(t.far)
	t.far = pool.Grow(m.memory, t.far, known+len(cells))[:known]
	all := t.far
	for k := range cells {
		v := graph.NodeID(m.heads[k])
		if _, _, ok := t.find(v); ok {
			continue
		}
		s := span{v, cells[k].Weight, cost{cells[k].Duration, cells[k].Distance}}
		if s.weight != graph.InvalidWeight {
			s.weight += beforeStart
		}
		all = append(all, s)
	}
	t.far = all
	slices.SortFunc(t.far, func(a, b span) int { return cmp.Compare(a.node, b.node) })
	return nil
}
