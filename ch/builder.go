package ch

import (
	"context"
	"slices"

	"github.com/fourway-routing/fourway/graph"
)

// builder makes a Hierarchy. It contracts most nodes once, none that any set
// excludes and none with the help of such a node; what is left, the core, once
// for each set without the nodes that the set excludes.
type builder struct {
	x       *graph.Expanded
	tuning  tuning
	workers int

	sets   []graph.Bits // the different sets of excluded nodes; the first is nil
	setOf  []uint32     // index into sets by set of the options, with set 0
	bottom *contractor
	nodes  []uint32      // of the core, ascending; the index is the id there
	cores  []*contractor // by sets; none if no set excludes anything

	progress func(done, total int)
	done     int // nodes contracted before the present contractor's
}

// distinguish fills sets and setOf: sets that exclude the same share a core.
func (b *builder) distinguish(exclude []graph.Bits) {
	words := (b.x.NumNodes() + 63) / 64
	last := ^uint64(0) >> (uint(-b.x.NumNodes()) & 63)
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

func (b *builder) contract(ctx context.Context) error {
	n := b.x.NumNodes()
	g := newWorking(n, b.workers)
	g.load(b.x)
	if len(b.sets) == 1 {
		b.bottom = newContractor(g, b.tuning, nil, 0)
		return b.bottom.run(ctx, 0, b.report)
	}
	any := graph.MakeBits(n)
	for _, set := range b.sets[1:] {
		for i, word := range set {
			any[i] |= word
		}
	}
	b.bottom = newContractor(g, b.tuning, any, 0)
	allowed := n
	for v := range n {
		if any.Get(uint32(v)) {
			allowed--
		}
	}
	if err := b.bottom.run(ctx, allowed/coreShare, b.report); err != nil {
		return err
	}
	b.nodes = b.bottom.standing
	hops := b.bottom.hops
	b.bottom.discard()
	return b.contractCores(ctx, hops)
}

func (b *builder) report(contracted int) {
	if b.progress != nil {
		b.progress(b.done+contracted, b.x.NumNodes())
	}
}

// contractCores contracts the core for each set: for set 0 with the nodes in
// the order that suits it, and for the others, at the same time, in that order. hops are those of the arcs so far.
func (b *builder) contractCores(ctx context.Context, hops []uint16) error {
	b.cores = make([]*contractor, len(b.sets))
	b.done = len(b.bottom.order)
	full := b.newCore(nil, b.workers)
	full.hops = hops
	b.cores[0] = full
	if err := full.run(ctx, 0, b.report); err != nil {
		return err
	}
	full.discard()
	return parallel(ctx, b.workers, len(b.sets)-1, 1, func(_, i, _ int) {
		c := b.newCore(b.sets[i+1], 1)
		if c.replay(ctx, full.order) == nil {
			c.discard()
			b.cores[i+1] = c
		}
	})
}

// newCore returns a contractor of the core without the excluded nodes.
func (b *builder) newCore(excluded graph.Bits, workers int) *contractor {
	const absent = ^uint32(0)
	local := make([]uint32, b.x.NumNodes())
	for i, v := range b.nodes {
		local[v] = uint32(i)
		if excluded != nil && excluded.Get(v) {
			local[v] = absent
		}
	}
	g := newWorking(len(b.nodes), workers)
	copyList := func(owner int, list []half) []half {
		var own []half
		for _, h := range list {
			if h.node = local[h.node]; h.node != absent {
				own = insert(g.pools[owner], own, h)
			}
		}
		return own
	}
	for i, v := range b.nodes {
		if local[v] == absent {
			continue
		}
		owner := g.owner(uint32(i))
		g.out[i] = copyList(owner, b.bottom.out[v])
		g.in[i] = copyList(owner, b.bottom.in[v])
		g.loops[i] = b.bottom.loops[v]
	}
	c := newContractor(g, b.tuning, nil, b.bottom.arcs)
	for i, v := range b.nodes {
		c.level[i] = b.bottom.level[v]
	}
	return c
}
