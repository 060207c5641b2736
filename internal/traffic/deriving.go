package traffic

import (
	"cmp"
	"context"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/parallel"
)

// deriving makes the metric of layers of that of others.
type deriving struct {
	before, next *Layers
	m            graph.Metric
	renumbered   bool
	turns        bool // are the turns of m its own
}

// number numbers the sources: those of the metric below the layers, then the layers
// that have something.
func (d *deriving) number() error {
	l := d.next
	d.m = *d.before.metric
	sources := slices.Clone(l.base.Sources)
	if len(sources) == 0 {
		sources = []string{profileSource}
	}
	l.source = make([]uint8, len(l.layers))
	for i := range l.layers {
		if l.layers[i].empty() {
			continue
		}
		if len(sources) > MaxSources {
			return ErrTooManySources
		}
		l.source[i] = uint8(len(sources))
		sources = append(sources, l.names[i])
	}
	for i, source := range d.before.source {
		d.renumbered = d.renumbered || source != 0 && source != l.source[i]
	}
	d.m.Sources = sources
	return nil
}

// run makes the metric. Segments, by key, and original nodes may have changed. It
// returns the search nodes that have.
func (d *deriving) run(ctx context.Context, keys []uint32, nodes []graph.NodeID) (graph.Bits, error) {
	l := d.next
	switch {
	case len(keys) > 0:
		d.ownSegments()
	case d.renumbered:
		d.ownSources()
	}
	if d.renumbered {
		d.renumber()
	}
	if len(keys) > 0 {
		if err := parallel.Pieces(ctx, parallel.Workers(0), len(keys), atOnce, func(_, from, to int) error {
			d.segments(keys[from:to])
			return nil
		}); err != nil {
			return nil, err
		}
		nodes = d.appendNodes(nodes, keys)
	}
	slices.Sort(nodes)
	nodes = slices.Compact(nodes)
	if len(keys) > 0 {
		d.m.NodeWeight, d.m.NodeDuration = slices.Clone(d.m.NodeWeight), slices.Clone(d.m.NodeDuration)
		n := l.index.net
		if err := parallel.Pieces(ctx, parallel.Workers(0), len(nodes), atOnce, func(_, from, to int) error {
			for _, v := range nodes[from:to] {
				d.m.SumNode(n, v)
				for _, c := range n.CopiesOf(v) {
					d.m.NodeWeight[c.Copy], d.m.NodeDuration[c.Copy] = d.m.NodeWeight[v], d.m.NodeDuration[v]
				}
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	for _, v := range nodes {
		d.setTurns(v)
	}
	differing := d.compare(nodes)
	if l.Empty() {
		d.m = *l.base
	}
	l.metric = &d.m
	return differing, ctx.Err()
}

// ownSegments copies the segments before the first change.
func (d *deriving) ownSegments() {
	for i := range 2 {
		d.m.SegmentWeight[i] = slices.Clone(d.m.SegmentWeight[i])
		d.m.SegmentDuration[i] = slices.Clone(d.m.SegmentDuration[i])
	}
	d.ownSources()
}

func (d *deriving) ownSources() {
	for i := range 2 {
		if d.m.SegmentSource[i] = slices.Clone(d.m.SegmentSource[i]); d.m.SegmentSource[i] == nil {
			d.m.SegmentSource[i] = make([]uint8, len(d.next.index.net.ChainPlaces))
		}
	}
}

// segments gives segments the values of the uppermost layer that has one.
func (d *deriving) segments(keys []uint32) {
	l, m := d.next, &d.m
	n, unit := l.index.net, l.index.unit()
	rest := make([][]segmentSpeed, len(l.layers))
	for i := range l.layers {
		list := l.layers[i].segments
		at, _ := slices.BinarySearchFunc(list, keys[0], func(s segmentSpeed, key uint32) int { return compareKeys(s.key, key) })
		rest[i] = list[at:]
	}
	for _, key := range keys {
		at, direction := key/2, key&1
		weight, duration := l.base.SegmentWeight[direction][at], l.base.SegmentDuration[direction][at]
		source := uint8(0)
		if of := l.base.SegmentSource[direction]; of != nil {
			source = of[at]
		}
		for i := len(rest) - 1; i >= 0; i-- {
			list := rest[i]
			for len(list) > 0 && list[0].key < key {
				list = list[1:]
			}
			rest[i] = list
			var speed Speed
			if len(list) > 0 && list[0].key == key {
				speed = list[0].speed()
			} else if way := d.wayOf(&l.layers[i], at, direction); way != nil {
				speed = way.speed
			} else {
				continue
			}
			weight, duration, _ = speed.units(n, unit, weight, at)
			source = l.source[i]
			break
		}
		m.SegmentWeight[direction][at], m.SegmentDuration[direction][at] = weight, duration
		m.SegmentSource[direction][at] = source
	}
}

func compareKeys(a, b uint32) int {
	if a < b {
		return -1
	}
	return 1 // the first of equal ones is what is looked for
}

// wayOf returns what a layer says of the way of a segment, or nil.
func (d *deriving) wayOf(x *layer, at, direction uint32) *waySpeed {
	if len(x.ways) == 0 {
		return nil
	}
	n := d.next.index.net
	id := n.Ways.Get(n.SegmentWay[at])
	way := DirectedWay{ID: max(id, -id), Backward: id < 0 != (direction != 0)}
	i, ok := slices.BinarySearchFunc(x.ways, way, func(w waySpeed, way DirectedWay) int { return compareWays(w.way, way) })
	if !ok {
		return nil
	}
	return &x.ways[i]
}

// appendNodes appends the original nodes of segments, by key.
func (d *deriving) appendNodes(nodes []graph.NodeID, keys []uint32) []graph.NodeID {
	n := d.next.index.net
	c := graph.ChainID(0)
	nodes = slices.Grow(nodes, len(keys))
	for _, key := range keys {
		for n.ChainFirst[c+1] <= key/2 {
			c++
		}
		v := n.ArmNode[graph.ArmID(c)<<1|graph.ArmID(key&1)]
		// The segments of a chain lie together, but for their directions.
		if k := len(nodes); k > 0 && nodes[k-1] == v || k > 1 && nodes[k-2] == v {
			continue
		}
		nodes = append(nodes, v)
	}
	return nodes
}

// renumber gives the sources of all segments their new numbers.
func (d *deriving) renumber() {
	var number [MaxSources + 1]uint8
	for i := range number {
		number[i] = uint8(i)
	}
	for i, source := range d.before.source {
		if source != 0 {
			number[source] = d.next.source[i]
		}
	}
	for i := range 2 {
		for k, source := range d.m.SegmentSource[i] {
			d.m.SegmentSource[i][k] = number[source]
		}
	}
}

// setTurns gives the turns from an original node and its copies their penalties.
func (d *deriving) setTurns(v graph.NodeID) {
	n := d.next.index.net
	touched := d.layered(v)
	touched = d.setTurnsOf(v) || touched
	for _, c := range n.CopiesOf(v) {
		touched = d.setTurnsOf(c.Copy) || touched
	}
	if !touched {
		return
	}
	d.limitTurns(v)
	for _, c := range n.CopiesOf(v) {
		d.limitTurns(c.Copy)
	}
}

// layered says whether a layer has a segment of an original node.
func (d *deriving) layered(v graph.NodeID) bool {
	n := d.next.index.net
	arm := n.NodeArm[v]
	sources := d.m.SegmentSource[arm&1]
	if sources == nil {
		return false
	}
	own := len(d.m.Sources)
	for i, source := range d.next.source {
		if !d.next.layers[i].empty() {
			own = min(own, int(source))
		}
	}
	for _, source := range sources[n.ChainFirst[arm.Chain()] : n.ChainFirst[arm.Chain()+1]-1] {
		if int(source) >= own {
			return true
		}
	}
	return false
}

// setTurnsOf gives the turns from a node the penalties of the uppermost layer that
// has one, and says whether any layer has.
func (d *deriving) setTurnsOf(v graph.NodeID) (any bool) {
	l := d.next
	first, end := l.index.net.EdgeFirst[v], l.index.net.EdgeFirst[v+1]
	for e := first; e < end; e++ {
		weight, duration := l.base.TurnWeight[e], l.base.TurnDuration[e]
		for i := range l.layers {
			list := l.layers[i].edges
			if len(list) == 0 {
				continue
			}
			at, ok := slices.BinarySearchFunc(list, e, func(p edgePenalty, e graph.EdgeID) int { return cmp.Compare(p.edge, e) })
			if ok {
				weight, duration, any = list[at].weight, list[at].duration, true
			}
		}
		d.setTurn(e, weight, duration)
	}
	return any
}

func (d *deriving) limitTurns(v graph.NodeID) {
	n := d.next.index.net
	for e := n.EdgeFirst[v]; e < n.EdgeFirst[v+1]; e++ {
		weight, duration := limitedTurn(n, &d.m, v, e)
		d.setTurn(e, weight, duration)
	}
}

// setTurn sets the penalty of a turn. The turns are copied before the first change.
func (d *deriving) setTurn(e graph.EdgeID, weight, duration int16) {
	if d.m.TurnWeight[e] == weight && d.m.TurnDuration[e] == duration {
		return
	}
	if !d.turns {
		d.turns = true
		d.m.TurnWeight, d.m.TurnDuration = slices.Clone(d.m.TurnWeight), slices.Clone(d.m.TurnDuration)
	}
	d.m.TurnWeight[e], d.m.TurnDuration[e] = weight, duration
}

// compare returns the search nodes, of originals and their copies, that cost
// something else than before, and notes those that do so than below the layers.
func (d *deriving) compare(nodes []graph.NodeID) graph.Bits {
	n, l := d.next.index.net, d.next
	differing := graph.MakeBits(n.NumNodes())
	l.changed = slices.Clone(d.before.changed)
	one := func(v graph.NodeID) {
		if d.differs(d.before.metric, v) {
			differing.Set(uint32(v))
		}
		is := d.differs(l.base, v)
		if was := l.changed.Get(uint32(v)); is != was {
			l.changed.Put(uint32(v), is)
			if is {
				l.count++
			} else {
				l.count--
			}
		}
	}
	for _, v := range nodes {
		one(v)
		for _, c := range n.CopiesOf(v) {
			one(c.Copy)
		}
	}
	return differing
}

// differs says whether a search node or a turn from it has other costs in a metric.
func (d *deriving) differs(of *graph.Metric, v graph.NodeID) bool {
	m := &d.m
	if m.NodeWeight[v] != of.NodeWeight[v] || m.NodeDuration[v] != of.NodeDuration[v] {
		return true
	}
	n := d.next.index.net
	first, end := n.EdgeFirst[v], n.EdgeFirst[v+1]
	return !slices.Equal(m.TurnWeight[first:end], of.TurnWeight[first:end]) ||
		!slices.Equal(m.TurnDuration[first:end], of.TurnDuration[first:end])
}
