package traffic

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/parallel"
)

// Layers are speeds and penalties on top of a metric, by layer: what a layer says
// counts before what those below it say, and the speed of a segment before that of
// its way in the same layer. They are immutable and safe for concurrent use; With
// makes others of them in time for what changes, besides copies of flat arrays.
type Layers struct {
	index  *Index
	base   *graph.Metric
	names  []string
	layers []layer
	metric *graph.Metric
	// source is by layer its number among the sources of metric.
	source []uint8
	// changed are the search nodes whose costs differ from those of base, count of
	// them.
	changed graph.Bits
	count   int
}

// LayerChange adds to a layer.
type LayerChange struct {
	Layer int // index of the names of the layers
	// Clear forgets what the layer has, before the rest is added to it.
	Clear  bool
	Speeds []SegmentSpeed
	Ways   []WaySpeed
	Turns  []TurnPenalty
}

// SegmentSpeed is the speed from an OSM node to its neighbor.
type SegmentSpeed struct {
	From, To int64
	Speed
	Remove bool // takes the segment out of the layer
}

// WaySpeed is the speed along an OSM way.
type WaySpeed struct {
	Way DirectedWay
	Speed
	Remove bool
}

// TurnPenalty is what the turn costs at an OSM node from one neighbor to another.
type TurnPenalty struct {
	From, Via, To int64
	Penalty
	Remove bool
}

// LayerCount tells what a layer has, and how much of it the network has too.
type LayerCount struct {
	Speeds, Ways, Turns                int
	FoundSpeeds, FoundWays, FoundTurns int
}

// layer is the content of a layer. Its lists are ascending and never changed.
type layer struct {
	segments []segmentSpeed // that the network has
	absent   []SegmentSpeed // that it has not, or that cannot be driven
	ways     []waySpeed
	turns    []turnPenalty
	edges    []edgePenalty // of turns
}

// segmentSpeed is the speed of a segment in a direction.
type segmentSpeed struct {
	kmh, rate float64
	key       uint32 // twice the segment, and 1 against the stored direction
	rule      WeightRule
}

type waySpeed struct {
	way   DirectedWay
	speed Speed
	found bool // the network has it, and it can be driven
}

type turnPenalty struct {
	from, via, to int64
	penalty       Penalty
	found         bool // the network has it
}

type edgePenalty struct {
	edge             graph.EdgeID
	weight, duration int16
}

func (l *layer) empty() bool {
	return len(l.segments)+len(l.absent)+len(l.ways)+len(l.turns) == 0
}

// NewLayers returns empty layers, the lowest first, on top of a metric of the index'
// network.
func NewLayers(x *Index, base *graph.Metric, names []string) *Layers {
	return &Layers{
		index: x, base: base, names: names, layers: make([]layer, len(names)), metric: base,
		source: make([]uint8, len(names)), changed: graph.MakeBits(x.net.NumNodes()),
	}
}

// Metric returns the metric with all layers: that below them if these are empty.
func (l *Layers) Metric() *graph.Metric { return l.metric }

// Base returns the metric below the layers.
func (l *Layers) Base() *graph.Metric { return l.base }

// Changed returns the search nodes whose costs differ from those of the metric below
// the layers, and their number. The set must not be changed.
func (l *Layers) Changed() (graph.Bits, int) { return l.changed, l.count }

// Empty says whether no layer has anything.
func (l *Layers) Empty() bool {
	return !slices.ContainsFunc(l.layers, func(x layer) bool { return !x.empty() })
}

// Count tells what a layer has.
func (l *Layers) Count(i int) LayerCount {
	x := &l.layers[i]
	c := LayerCount{
		Speeds: len(x.segments) + len(x.absent), Ways: len(x.ways), Turns: len(x.turns),
		FoundSpeeds: len(x.segments),
	}
	for i := range x.ways {
		if x.ways[i].found {
			c.FoundWays++
		}
	}
	for i := range x.turns {
		if x.turns[i].found {
			c.FoundTurns++
		}
	}
	return c
}

// Bytes returns the memory that the layers' lists take.
func (l *Layers) Bytes() int64 {
	sum := int64(len(l.changed)) * 8
	for i := range l.layers {
		x := &l.layers[i]
		sum += int64(len(x.segments))*24 + int64(len(x.absent))*48 + int64(len(x.ways))*48 +
			int64(len(x.turns))*48 + int64(len(x.edges))*8
	}
	return sum
}

// Changes returns what makes layers like these of empty ones, of another network too.
func (l *Layers) Changes() []LayerChange {
	var all []LayerChange
	n := l.index.net
	for i := range l.layers {
		x := &l.layers[i]
		if x.empty() {
			continue
		}
		c := LayerChange{Layer: i, Speeds: slices.Clone(x.absent)}
		for _, s := range x.segments {
			at := s.key / 2
			from, to := n.OSMNodes.Get(uint32(n.ChainPlaces[at])), n.OSMNodes.Get(uint32(n.ChainPlaces[at+1]))
			if s.key&1 != 0 {
				from, to = to, from
			}
			c.Speeds = append(c.Speeds, SegmentSpeed{From: from, To: to, Speed: s.speed()})
		}
		for _, w := range x.ways {
			c.Ways = append(c.Ways, WaySpeed{Way: w.way, Speed: w.speed})
		}
		for _, t := range x.turns {
			c.Turns = append(c.Turns, TurnPenalty{From: t.from, Via: t.via, To: t.to, Penalty: t.penalty})
		}
		all = append(all, c)
	}
	return all
}

func (s *segmentSpeed) speed() Speed { return Speed{KMH: s.kmh, Rate: s.rate, Rule: s.rule} }

// With returns the layers after changes, which count one after the other, and the
// search nodes whose costs, or whose turns' costs, may differ between the metrics of
// the two. It gives ErrTooManySources, or a done context's error.
func (l *Layers) With(ctx context.Context, changes []LayerChange) (*Layers, graph.Bits, error) {
	next := *l
	next.layers = slices.Clone(l.layers)
	t := touched{index: l.index, base: l.base}
	for i := range changes {
		if err := t.change(ctx, &next.layers[changes[i].Layer], &changes[i]); err != nil {
			return nil, nil, err
		}
	}
	d := deriving{before: l, next: &next}
	if err := d.number(); err != nil {
		return nil, nil, err
	}
	differing, err := d.run(ctx, t.segments(), t.nodes)
	return &next, differing, err
}

// touched collects what changes may change.
type touched struct {
	index *Index
	base  *graph.Metric
	keys  []uint32       // segments, as in segmentSpeed
	nodes []graph.NodeID // originals that turns begin at
	some  []segment
}

// segments returns the segments, ascending.
func (t *touched) segments() []uint32 {
	slices.Sort(t.keys)
	return slices.Compact(t.keys)
}

// change makes a change to a layer.
func (t *touched) change(ctx context.Context, x *layer, c *LayerChange) error {
	if c.Clear {
		for i := range x.segments {
			t.keys = append(t.keys, x.segments[i].key)
		}
		for i := range x.ways {
			t.way(x.ways[i].way)
		}
		for i := range x.edges {
			t.edge(x.edges[i].edge)
		}
		*x = layer{}
	}
	if err := t.speeds(ctx, x, c.Speeds); err != nil {
		return err
	}
	t.ways(x, c.Ways)
	t.turns(x, c.Turns)
	return ctx.Err()
}

// atOnce is the number of segments that a worker takes at a time.
const atOnce = 1 << 12

// notFound is the key of no segment.
const notFound = math.MaxUint32

// speeds changes the speeds of segments.
func (t *touched) speeds(ctx context.Context, x *layer, speeds []SegmentSpeed) error {
	if len(speeds) == 0 {
		return nil
	}
	// By key, then by their order, of which the last counts.
	order := make([]uint64, len(speeds))
	if err := parallel.Pieces(ctx, parallel.Workers(0), len(speeds), atOnce, func(_, from, to int) error {
		for i := from; i < to; i++ {
			order[i] = uint64(t.key(speeds[i].From, speeds[i].To))<<32 | uint64(i)
		}
		return nil
	}); err != nil {
		return err
	}
	if !slices.IsSorted(order) {
		slices.Sort(order)
	}
	found, _ := slices.BinarySearch(order, notFound<<32)
	changed := make([]edit[segmentSpeed], 0, found)
	t.keys = slices.Grow(t.keys, found)
	for k, at := range order[:found] {
		key := uint32(at >> 32)
		if k+1 < found && uint32(order[k+1]>>32) == key {
			continue
		}
		s := &speeds[uint32(at)]
		t.keys = append(t.keys, key)
		changed = append(changed, edit[segmentSpeed]{segmentSpeed{s.KMH, s.Rate, key, s.Rule}, s.Remove})
	}
	x.segments = edited(x.segments, changed, func(a, b *segmentSpeed) int { return cmp.Compare(a.key, b.key) })
	absent := make([]edit[SegmentSpeed], 0, len(order)-found)
	for _, at := range order[found:] {
		s := speeds[uint32(at)]
		absent = append(absent, edit[SegmentSpeed]{s, s.Remove})
	}
	x.absent = edited(x.absent, lastOf(absent, comparePairs), comparePairs)
	return nil
}

func comparePairs(a, b *SegmentSpeed) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
}

// key returns the key of the segment from an OSM node to its neighbor, or notFound
// if there is none that can be driven.
func (t *touched) key(from, to int64) uint32 {
	x := t.index
	at, ok := x.find(x.place(from), x.place(to))
	if !ok {
		return notFound
	}
	return t.keyOf(at)
}

func (t *touched) keyOf(s segment) uint32 {
	d := s.arm & 1
	if t.base.SegmentWeight[d][s.index] == graph.InvalidWeight {
		return notFound
	}
	return s.index<<1 | uint32(d)
}

// way touches the segments of a way, and says whether there are any.
func (t *touched) way(way DirectedWay) (found bool) {
	t.some = t.index.ways().segments(t.some[:0], way)
	for _, s := range t.some {
		if key := t.keyOf(s); key != notFound {
			t.keys, found = append(t.keys, key), true
		}
	}
	return found
}

// ways changes the speeds of ways.
func (t *touched) ways(x *layer, ways []WaySpeed) {
	if len(ways) == 0 {
		return
	}
	changed := make([]edit[waySpeed], len(ways))
	for i, w := range ways {
		changed[i] = edit[waySpeed]{waySpeed{w.Way, w.Speed, t.way(w.Way)}, w.Remove}
	}
	compare := func(a, b *waySpeed) int { return compareWays(a.way, b.way) }
	x.ways = edited(x.ways, lastOf(changed, compare), compare)
}

func compareWays(a, b DirectedWay) int {
	if c := cmp.Compare(a.ID, b.ID); c != 0 || a.Backward == b.Backward {
		return c
	}
	if b.Backward {
		return -1
	}
	return 1
}

// edge touches the node that an edge leaves.
func (t *touched) edge(e graph.EdgeID) {
	n := t.index.net
	after, _ := slices.BinarySearchFunc(n.EdgeFirst, e, func(first, e graph.EdgeID) int {
		if first <= e {
			return -1
		}
		return 1
	})
	t.nodes = append(t.nodes, n.ArmNode[n.NodeArm[after-1]])
}

// turns changes the penalties of turns.
func (t *touched) turns(x *layer, turns []TurnPenalty) {
	if len(turns) == 0 {
		return
	}
	changed := make([]edit[turnPenalty], len(turns))
	for i, p := range turns {
		changed[i] = edit[turnPenalty]{turnPenalty{from: p.From, via: p.Via, to: p.To, penalty: p.Penalty}, p.Remove}
	}
	changed = lastOf(changed, compareTurns)
	var edges []edit[edgePenalty]
	for i := range changed {
		p := &changed[i].item
		node, arm, ok := t.index.turn(p.from, p.via, p.to)
		if !ok {
			continue
		}
		weight, duration, _ := p.penalty.units(t.index.unit())
		t.index.turnsTo(node, arm, func(e graph.EdgeID) {
			p.found = true
			edges = append(edges, edit[edgePenalty]{edgePenalty{e, weight, duration}, changed[i].remove})
		})
		if p.found {
			t.nodes = append(t.nodes, node)
		}
	}
	x.turns = edited(x.turns, changed, compareTurns)
	byEdge := func(a, b *edgePenalty) int { return cmp.Compare(a.edge, b.edge) }
	x.edges = edited(x.edges, lastOf(edges, byEdge), byEdge)
}

func compareTurns(a, b *turnPenalty) int {
	return cmp.Or(cmp.Compare(a.via, b.via), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
}

// edit puts an item into a list, in the place of the one that is equal, or takes that
// out.
type edit[E any] struct {
	item   E
	remove bool
}

// lastOf sorts edits, and keeps the last of those that are equal.
func lastOf[E any](edits []edit[E], compare func(a, b *E) int) []edit[E] {
	slices.SortStableFunc(edits, func(a, b edit[E]) int { return compare(&a.item, &b.item) })
	kept := edits[:0]
	for i := range edits {
		if i+1 == len(edits) || compare(&edits[i].item, &edits[i+1].item) != 0 {
			kept = append(kept, edits[i])
		}
	}
	return kept
}

// edited returns a new ascending list after edits, which are ascending too.
func edited[E any](list []E, edits []edit[E], compare func(a, b *E) int) []E {
	if len(edits) == 0 {
		return list
	}
	out := make([]E, 0, len(list)+len(edits))
	for i := range edits {
		for len(list) > 0 && compare(&list[0], &edits[i].item) < 0 {
			out, list = append(out, list[0]), list[1:]
		}
		if len(list) > 0 && compare(&list[0], &edits[i].item) == 0 {
			list = list[1:]
		}
		if !edits[i].remove {
			out = append(out, edits[i].item)
		}
	}
	return append(out, list...)
}

// TurnLayer returns the name of the uppermost layer with a turn that the network has,
// empty if there is none.
func (l *Layers) TurnLayer(from, via, to int64) string {
	want := turnPenalty{from: from, via: via, to: to}
	for i := len(l.layers) - 1; i >= 0; i-- {
		list := l.layers[i].turns
		at, ok := slices.BinarySearchFunc(list, &want, func(p turnPenalty, want *turnPenalty) int { return compareTurns(&p, want) })
		if ok && list[at].found {
			return l.names[i]
		}
	}
	return ""
}
