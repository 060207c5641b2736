package ch

import (
	"context"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/parallel"
)

// tuning are the numbers that steer a contraction. They change how long it takes
// and how good the result is, not whether it is correct; the defaults were found
// by measuring, see BenchmarkContract.
type tuning struct {
	// The most nodes that a search for witnesses settles, when it is for
	// estimating a priority, and when it decides on shortcuts. A search that
	// ends early only costs superfluous shortcuts.
	simulate, contract int
	// A priority is estimated anew when a node has lost at least so many arcs,
	// and one in so many of those that it has. In dense cores, where each node
	// is a neighbor of most, this is what keeps contraction from repeating itself.
	lost   uint16
	lostOf int
	// Weights of the parts of a priority: levels below, shortcuts needed for
	// each arc removed, and original edges in them for each in those.
	levels, arcs, hops int
}

var defaultTuning = tuning{
	simulate: 60,
	contract: 300,
	lost:     2,
	lostOf:   4,
	levels:   1,
	arcs:     3,
	hops:     2,
}

const (
	// scale is what a ratio of 1 adds to a priority.
	scale = 1024
	// stale, as the number of arcs lost, is that of a node noted for a new
	// estimate.
	stale = math.MaxUint16
	// A graph above compactAbove nodes is compacted when less than compactBelow in
	// compactOf nodes still stand.
	compactAbove = 1024
	compactBelow = 1
	compactOf    = 2
	// never is the key of a node that is not to be contracted.
	never = math.MaxUint64
)

// contractor contracts a graph.
type contractor struct {
	*working
	done    *contracted
	tuning  tuning
	workers []*worker
	// avoid are the nodes that are neither contracted nor within a witness.
	avoid graph.Bits
	// ranks, by NodeID, is the order to contract in, the top one's being 0; nil if
	// priorities make one.
	ranks []uint32

	// standing are the nodes not contracted, ascending.
	standing []uint32
	// key is the priority above a scrambled id, which breaks ties so that
	// independent nodes are many in uniform graphs; never if not to be contracted.
	key   []uint64
	near  []uint64   // smallest key among a node and its neighbors
	ratio []uint32   // the priority without the level
	lost  []uint16   // arcs lost since the ratio was estimated, or stale
	batch graph.Bits // the chosen nodes

	hops []uint16 // original edges of an arc, by id

	chosen  []uint32
	spans   []span // ids of the arcs of the chosen nodes
	results []result
	stale   []uint32
}

// result is what simulating the contraction of a node gave.
type result struct {
	worker      int
	first, last int // in the worker's found
	ratio       uint32
}

func newContractor(g *working, t tuning, avoid graph.Bits, firstArc uint32) *contractor {
	n := len(g.out)
	c := &contractor{
		working:  g,
		done:     &contracted{first: firstArc, next: firstArc},
		tuning:   t,
		avoid:    avoid,
		standing: make([]uint32, n),
		key:      make([]uint64, n),
		near:     make([]uint64, n),
		ratio:    make([]uint32, n),
		lost:     make([]uint16, n),
		batch:    graph.MakeBits(n),
	}
	for range g.pools {
		c.workers = append(c.workers, newWorker(n, g.kind()))
	}
	for v := range c.standing {
		c.standing[v] = uint32(v)
	}
	return c
}

// run contracts nodes in rounds until at most rest are left besides those to
// avoid. progress, if not nil, hears of the nodes contracted.
func (c *contractor) run(ctx context.Context, rest int, progress func(contracted int)) error {
	if err := c.estimate(ctx, c.standing); err != nil {
		return err
	}
	barred := 0
	for _, v := range c.standing {
		if c.avoided(v) {
			c.key[v] = never
			barred++
		}
	}
	for len(c.standing)-barred > rest {
		if err := c.choose(ctx); err != nil {
			return err
		}
		limit := len(c.standing) - barred - rest
		if err := c.contract(ctx, limit); err != nil {
			return err
		}
		if len(c.standing) > compactAbove && len(c.standing)*compactOf < len(c.out)*compactBelow {
			c.compact()
		}
		if progress != nil {
			progress(len(c.done.order))
		}
	}
	return nil
}

// compact gives the standing nodes new ids without gaps.
func (c *contractor) compact() {
	c.working = c.restrict(c.standing, len(c.pools))
	avoid := c.avoid
	if avoid != nil {
		avoid = graph.MakeBits(len(c.standing))
	}
	for i, v := range c.standing { // i is at most v
		c.key[i], c.ratio[i], c.lost[i] = c.key[v], c.ratio[v], c.lost[v]
		if c.avoided(v) {
			avoid.Set(uint32(i))
		}
		c.standing[i] = uint32(i)
	}
	c.avoid = avoid
	reclaim(len(c.near))
	n := len(c.standing)
	c.near, c.key, c.ratio, c.lost = c.near[:n], c.key[:n], c.ratio[:n], c.lost[:n]
}

func (c *contractor) avoided(v uint32) bool { return c.avoid != nil && c.avoid.Get(v) }

// estimate sets the ratios and keys of the nodes anew.
func (c *contractor) estimate(ctx context.Context, nodes []uint32) error {
	if c.ranks != nil {
		for _, v := range nodes {
			c.key[v] = c.keyOf(v)
		}
		return nil
	}
	return parallel.Pieces(ctx, len(c.workers), len(nodes), 4, func(worker, from, to int) error {
		w := c.workers[worker]
		for _, v := range nodes[from:to] {
			if c.avoided(v) {
				continue
			}
			w.found = w.found[:0]
			w.search(c.working, v, c.avoid, nil, c.tuning.simulate)
			c.ratio[v] = c.rate(v, w.found)
			c.lost[v] = 0
			c.key[v] = c.keyOf(v)
		}
		return nil
	})
}

// rate returns the priority, without the level, of a node whose contraction
// needs the shortcuts.
func (c *contractor) rate(v uint32, needed []shortcut) uint32 {
	if c.ranks != nil {
		return 0
	}
	in, out := c.in[v], c.out[v]
	removed := len(in) + len(out)
	if removed == 0 {
		return 0
	}
	removedHops := 0
	for i := range in {
		removedHops += int(c.hopsOf(&in[i]))
	}
	for i := range out {
		removedHops += int(c.hopsOf(&out[i]))
	}
	added, addedHops := 0, 0
	for i := range needed {
		s := &needed[i]
		a, b := &in[s.from], &out[s.to]
		if a.node == b.node {
			continue
		}
		added++
		addedHops += int(c.hopsOf(a)) + int(c.hopsOf(b))
	}
	r := scale*c.tuning.arcs*added/removed + scale*c.tuning.hops*addedHops/removedHops
	return uint32(r)
}

func (c *contractor) hopsOf(h *half) uint16 {
	if h.b == original {
		return 1
	}
	return c.hops[h.a] + c.hops[h.b]
}

func (c *contractor) keyOf(v uint32) uint64 {
	if c.ranks != nil {
		return uint64(math.MaxUint32 - c.ranks[c.names[v]])
	}
	priority := uint64(c.ratio[v]) + uint64(c.level[v])*uint64(c.tuning.levels)*scale
	// Multiplying by an odd number permutes the ids.
	return (min(priority, math.MaxUint32-2)+1)<<32 | uint64(c.names[v]*0x9e3779b1)
}

// choose sets chosen to the nodes without a smaller key within two steps, in
// ascending order, and batch accordingly.
func (c *contractor) choose(ctx context.Context) error {
	const step = 1024
	standing := c.standing
	err := parallel.Pieces(ctx, len(c.workers), len(standing), step, func(_, from, to int) error {
		for _, v := range standing[from:to] {
			least := c.key[v]
			for i := range c.out[v] {
				least = min(least, c.key[c.out[v][i].node])
			}
			for i := range c.in[v] {
				least = min(least, c.key[c.in[v][i].node])
			}
			c.near[v] = least
		}
		return nil
	})
	if err != nil {
		return err
	}
	c.chosen = c.chosen[:0]
	for _, v := range standing {
		if c.near[v] == c.key[v] && c.key[v] != never && c.leastWithinTwo(v) {
			c.chosen = append(c.chosen, v)
			c.batch.Set(v)
		}
	}
	return nil
}

func (c *contractor) leastWithinTwo(v uint32) bool {
	key := c.key[v]
	for i := range c.out[v] {
		if c.near[c.out[v][i].node] != key {
			return false
		}
	}
	for i := range c.in[v] {
		if c.near[c.in[v][i].node] != key {
			return false
		}
	}
	return true
}

// contract contracts those of the chosen nodes, but at most limit, that are
// still the least around them when simulated with full effort.
func (c *contractor) contract(ctx context.Context, limit int) error {
	chosen := c.chosen
	if cap(c.results) < len(chosen) {
		c.results = make([]result, len(chosen))
	}
	results := c.results[:len(chosen)]
	for _, w := range c.workers {
		w.found = w.found[:0]
	}
	err := parallel.Pieces(ctx, len(c.workers), len(chosen), 2, func(worker, from, to int) error {
		w := c.workers[worker]
		for i := from; i < to; i++ {
			v := chosen[i]
			first := len(w.found)
			w.search(c.working, v, c.avoid, c.batch, c.tuning.contract)
			results[i] = result{worker, first, len(w.found), c.rate(v, w.found[first:])}
		}
		return nil
	})
	for _, v := range chosen {
		c.batch[v>>6] = 0
	}
	if err != nil {
		return err
	}
	accepted, least := 0, 0
	for i, v := range chosen {
		r := results[i]
		old := c.ratio[v]
		c.ratio[v], c.lost[v] = r.ratio, 0
		if accepted == limit || r.ratio > old && !c.stillLeast(v) {
			c.key[v] = c.keyOf(v)
			if c.key[v] < c.key[chosen[least]] {
				least = i
			}
			continue
		}
		chosen[accepted], results[accepted] = v, r
		accepted++
	}
	if accepted == 0 { // at least one, so that it ends
		chosen[0], results[0] = chosen[least], results[least]
		accepted = 1
	}
	chosen, results = chosen[:accepted], results[:accepted]
	c.spans = c.spans[:0]
	for _, v := range chosen {
		c.countHops(v)
		c.spans = append(c.spans, c.done.emit(c.working, v))
	}
	err = parallel.Pieces(ctx, len(c.pools), len(c.pools), 1, func(_, owner, _ int) error {
		for i, v := range chosen {
			r := &results[i]
			c.link(v, c.spans[i], c.workers[r.worker].found[r.first:r.last], owner)
		}
		return nil
	})
	if err != nil {
		return err
	}
	c.stale = c.stale[:0]
	for _, v := range chosen {
		c.key[v] = 0 // marks it as contracted for the sweep below
		for i := range c.out[v] {
			c.touch(c.out[v][i].node)
		}
		for i := range c.in[v] {
			c.touch(c.in[v][i].node)
		}
		c.drop(v)
	}
	standing := c.standing[:0]
	for _, v := range c.standing {
		if c.key[v] != 0 {
			standing = append(standing, v)
		}
	}
	c.standing = standing
	return c.estimate(ctx, c.stale)
}

// stillLeast says whether the new ratio of v leaves it with the smallest key
// within two steps.
func (c *contractor) stillLeast(v uint32) bool {
	key := c.keyOf(v)
	for i := range c.out[v] {
		if c.lessAround(c.out[v][i].node, v, key) {
			return false
		}
	}
	for i := range c.in[v] {
		if c.lessAround(c.in[v][i].node, v, key) {
			return false
		}
	}
	return true
}

func (c *contractor) lessAround(u, v uint32, key uint64) bool {
	if c.key[u] < key {
		return true
	}
	for i := range c.out[u] {
		if w := c.out[u][i].node; w != v && c.key[w] < key {
			return true
		}
	}
	for i := range c.in[u] {
		if w := c.in[u][i].node; w != v && c.key[w] < key {
			return true
		}
	}
	return false
}

// countHops notes the hops of the arcs of v.
func (c *contractor) countHops(v uint32) {
	if c.ranks != nil {
		return
	}
	for i := range c.out[v] {
		c.hops = append(c.hops, min(c.hopsOf(&c.out[v][i]), math.MaxInt16))
	}
	for i := range c.in[v] {
		c.hops = append(c.hops, min(c.hopsOf(&c.in[v][i]), math.MaxInt16))
	}
}

// link takes v out of the lists of its neighbors and puts the shortcuts in, as
// far as they belong to the owner.
func (c *contractor) link(v uint32, ids span, needed []shortcut, owner int) {
	in, out, p := c.in[v], c.out[v], c.pools[owner]
	for i := range in {
		if u := in[i].node; c.owner(u) == owner {
			c.out[u] = remove(c.out[u], v)
			c.level[u] = max(c.level[u], c.level[v]+1)
		}
	}
	for i := range out {
		if u := out[i].node; c.owner(u) == owner {
			c.in[u] = remove(c.in[u], v)
			c.level[u] = max(c.level[u], c.level[v]+1)
		}
	}
	for i := range needed {
		s := &needed[i]
		tail, head := in[s.from].node, out[s.to].node
		a, b := ids.in+s.from, ids.out+s.to
		if tail == head {
			if c.owner(tail) == owner && s.weight < c.loops[tail].weight {
				c.loops[tail] = loop{s.weight, a, b}
			}
			continue
		}
		if c.owner(tail) == owner {
			c.out[tail] = insert(p, c.out[tail], half{head, s.weight, a, b})
		}
		if c.owner(head) == owner {
			c.in[head] = insert(p, c.in[head], half{tail, s.weight, a, b})
		}
	}
}

// touch notes that u lost an arc.
func (c *contractor) touch(u uint32) {
	if c.key[u] == never || c.ranks != nil {
		return
	}
	c.key[u] = c.keyOf(u) // the level may have risen
	if c.lost[u] == stale {
		return
	}
	c.lost[u]++
	if c.lost[u] >= c.tuning.lost && int(c.lost[u])*c.tuning.lostOf >= len(c.out[u])+len(c.in[u]) {
		c.lost[u] = stale
		c.stale = append(c.stale, u)
	}
}

// replay contracts all nodes, in the order that names them, on one goroutine.
func (c *contractor) replay(ctx context.Context, order []uint32) error {
	w := c.workers[0]
	for i, name := range order {
		if i&63 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		at, ok := slices.BinarySearch(c.names, name)
		if !ok {
			continue
		}
		v := uint32(at)
		w.found = w.found[:0]
		w.search(c.working, v, nil, nil, c.tuning.contract)
		c.link(v, c.done.emit(c.working, v), w.found, 0)
		c.drop(v)
	}
	return nil
}
