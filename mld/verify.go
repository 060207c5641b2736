package mld

import (
	"context"
	"errors"
	"fmt"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/parallel"
	"github.com/fourway-routing/fourway/pool"
)

// ErrCorrupt is wrapped by the errors for an Overlay that contradicts itself.
var ErrCorrupt = errors.New("mld: overlay is damaged; build it again")

// Verify checks every index of the Overlay and every weight of its cliques: it
// makes all of it again from the arcs out of the nodes and the cells that they are
// in, and compares. It takes the time of Customize for all sets, and as much
// memory as the Overlay.
func (o *Overlay) Verify() error {
	x, err := o.expand()
	if err != nil {
		return err
	}
	s, err := o.cells.nesting()
	if err != nil {
		return err
	}
	head := make([]graph.NodeID, len(x.Arcs))
	for e := range x.Arcs {
		head[e] = x.Arcs[e].Head
	}
	c, err := newCells(x.First, head, s)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	again, err := newOverlay(c, x)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	again.setOf = o.setOf
	for _, q := range o.cliques {
		p, err := again.customizeSet(context.Background(), q.excluded, parallel.Workers(0), pool.FreeLists)
		if err != nil {
			return err
		}
		again.cliques = append(again.cliques, p)
	}
	if o.Encode(graph.ID{}, graph.ID{}).ID() != again.Encode(graph.ID{}, graph.ID{}).ID() {
		return fmt.Errorf("%w: it is not what its arcs and cells give", ErrCorrupt)
	}
	return nil
}

// expand returns the graph that the arcs out of the nodes are.
func (o *Overlay) expand() (*graph.Expanded, error) {
	c := o.cells
	n, edges := len(c.node), len(o.costs)
	for v, id := range c.id {
		if int64(id) >= int64(n) || c.node[id] != graph.NodeID(v) {
			return nil, fmt.Errorf("%w: node %d has id %d, which is out of range or another's", ErrCorrupt, v, id)
		}
	}
	for i := range 2 * n {
		if c.first[i] > c.first[i+1] {
			return nil, fmt.Errorf("%w: arcs of id %d end before they begin", ErrCorrupt, i/2)
		}
	}
	x := &graph.Expanded{First: make([]graph.EdgeID, n+1), Arcs: make([]graph.Arc, edges)}
	for v, id := range c.id {
		x.First[v+1] = x.First[v] + graph.EdgeID(c.first[2*id+1]-c.first[2*id])
	}
	if int64(x.First[n]) != int64(edges) {
		return nil, fmt.Errorf("%w: %d arcs leave the nodes; there are %d edges", ErrCorrupt, x.First[n], edges)
	}
	seen := graph.MakeBits(edges)
	for v, id := range c.id {
		for i := c.first[2*id]; i < c.first[2*id+1]; i++ {
			e, a := c.edge[i], o.arcs[i]
			if e < x.First[v] || e >= x.First[v+1] || seen.Get(uint32(e)) {
				return nil, fmt.Errorf("%w: node %d lists edge %d, which is another's or listed before", ErrCorrupt, v, e)
			}
			seen.Set(uint32(e))
			if int64(a.Head) >= int64(n) || a.Weight > unreached {
				return nil, fmt.Errorf("%w: edge %d leads to id %d of %d with weight %d", ErrCorrupt, e, a.Head, n, a.Weight)
			}
			k := o.costs[e]
			x.Arcs[e] = graph.Arc{Head: c.node[a.Head], Weight: graph.Weight(a.Weight), Duration: k.Duration, Distance: k.Distance}
		}
	}
	return x, nil
}

// nesting returns which cells contain which, having checked it.
func (c *Cells) nesting() (nesting, error) {
	s, counts := c.nested()
	if len(counts) == 0 {
		return s, nil
	}
	return s, s.check(counts)
}

// nested returns which cells contain which, and the number of cells by level.
func (c *Cells) nested() (s nesting, counts []int) {
	s = nesting{leaf: make([]uint32, len(c.node)), cells: 1}
	if len(c.levels) == 0 {
		return s, nil
	}
	counts = make([]int, len(c.levels))
	for l := range c.levels {
		counts[l] = c.levels[l].cells
		if l < len(c.levels)-1 {
			s.parent = append(s.parent, c.levels[l].parent)
		}
	}
	s.cells = counts[0]
	for id, v := range c.node {
		s.leaf[v] = c.leafOf(uint32(id))
	}
	return s, counts
}

// check checks that nodes are in cells, and those in cells of the next level, of
// each of which there are as many as counts says.
func (s *nesting) check(counts []int) error {
	for v, cell := range s.leaf {
		if int64(cell) >= int64(s.cells) {
			return fmt.Errorf("%w: node %d is in cell %d of %d", ErrCorrupt, v, cell, s.cells)
		}
	}
	for l, parent := range s.parent {
		last := uint32(0)
		for cell, p := range parent {
			if p != last && (p != last+1 || cell == 0) {
				return fmt.Errorf("%w: cell %d of level %d is in cell %d, the one before in %d", ErrCorrupt, cell, l+1, p, last)
			}
			last = p
		}
		if len(parent) != counts[l] || len(parent) == 0 || int(last) != counts[l+1]-1 {
			return fmt.Errorf("%w: the cells of level %d are in %d of %d", ErrCorrupt, l+1, last+1, counts[l+1])
		}
	}
	return nil
}
