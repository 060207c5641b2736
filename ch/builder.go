package ch

import (
	"context"
	"math/bits"
	"runtime"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/parallel"
	"github.com/fourway-routing/fourway/pool"
)

// builder makes a Hierarchy. It contracts most nodes once, none that any set
// excludes and none with the help of such a node; what is left, the core, once
// for each set without the nodes that the set excludes.
type builder struct {
	x            *graph.Expanded // nil once it is loaded
	nodes, edges int
	tuning       tuning
	ranks        []uint32 // to contract by, or nil
	workers      int
	memory       pool.Kind

	sets   []graph.Bits // the different sets of excluded nodes; the first is nil
	setOf  []uint32     // index into sets by set of the options, with set 0
	bottom *contracted
	cores  []*contracted // by sets; none if no set excludes anything

	progress func(done, total int)
	done     int // nodes contracted before the present contractor's
}

// distinguish fills sets and setOf: sets that exclude the same share a core.
func (b *builder) distinguish(exclude []graph.Bits) {
	words := (b.nodes + 63) / 64
	last := ^uint64(0) >> (uint(-b.nodes) & 63)
	b.sets = []graph.Bits{nil}
	b.setOf = []uint32{0}
	for _, set := range exclude {
		var own graph.Bits
		if len(set) > 0 {
			own = slices.Clone(set[:words])
			if words > 0 {
				own[words-1] &= last
			}
			if !slices.ContainsFunc(own, func(w uint64) bool { return w != 0 }) {
				own = nil
			}
		}
		i := slices.IndexFunc(b.sets, func(s graph.Bits) bool { return slices.Equal(s, own) })
		if i < 0 {
			i = len(b.sets)
			b.sets = append(b.sets, own)
		}
		b.setOf = append(b.setOf, uint32(i))
	}
}

// contract fills bottom and cores.
func (b *builder) contract(ctx context.Context) error {
	n := b.nodes
	g := newWorking(n, b.workers, b.memory)
	if err := g.load(ctx, b.x); err != nil {
		return err
	}
	b.x = nil
	if len(b.sets) == 1 {
		c := newContractor(g, b.tuning, nil, 0)
		c.ranks = b.ranks
		b.bottom = c.done
		return c.run(ctx, 0, b.report)
	}
	excluded := graph.MakeBits(n) // by any set
	allowed := n
	for i := range excluded {
		for _, set := range b.sets[1:] {
			excluded[i] |= set[i]
		}
		allowed -= bits.OnesCount64(excluded[i])
	}
	c := newContractor(g, b.tuning, excluded, 0)
	c.ranks = b.ranks
	if err := c.run(ctx, allowed/coreShare, b.report); err != nil {
		return err
	}
	b.bottom = c.done
	g = c.restrict(c.standing, 1)
	hops := c.hops
	c = nil // garbage, like most of g before
	reclaim(n)
	return b.contractCores(ctx, g, hops)
}

// reclaim collects garbage, in the course of contracting so many nodes, where
// much is left behind and more memory is needed. By itself the collector would
// wait until the heap is twice as large.
func reclaim(nodes int) {
	const large = 50_000 // below, memory is no concern
	if nodes >= large {
		runtime.GC()
	}
}

func (b *builder) report(contracted int) {
	if b.progress != nil {
		b.progress(b.done+contracted, b.nodes)
	}
}

// contractCores contracts the core for each set: for set 0 with the nodes in
// the order that suits it, and for the others, at the same time, in that order.
// hops are those of the arcs so far.
func (b *builder) contractCores(ctx context.Context, g *working, hops []uint16) error {
	b.cores = make([]*contracted, len(b.sets))
	b.done = len(b.bottom.order)
	nodes := make([]uint32, len(g.names))
	for i := range nodes {
		nodes[i] = uint32(i)
	}
	c := newContractor(g.restrict(nodes, b.workers), b.tuning, nil, b.bottom.next)
	c.hops, c.ranks = hops, b.ranks
	if err := c.run(ctx, 0, b.report); err != nil {
		return err
	}
	b.cores[0] = c.done
	return parallel.Pieces(ctx, b.workers, len(b.sets)-1, 1, func(_, i, _ int) error {
		excluded := b.sets[i+1]
		var allowed []uint32
		for _, v := range nodes {
			if !excluded.Get(g.names[v]) {
				allowed = append(allowed, v)
			}
		}
		c := newContractor(g.restrict(allowed, 1), b.tuning, nil, b.bottom.next)
		if err := c.replay(ctx, b.cores[0].order); err != nil {
			return err
		}
		b.cores[i+1] = c.done
		return nil
	})
}
