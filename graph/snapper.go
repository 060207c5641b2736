package graph

import (
	"context"
	"math"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/pool"
)

// Approach says from which side a place may be reached.
type Approach uint8

// The approaches. Curb is the side on which one drives; on a one-way road there
// is no choice.
const (
	ApproachUnrestricted Approach = iota
	ApproachCurb
	ApproachOpposite
)

// SnapOptions filter the segments that a coordinate may snap to. The zero value
// admits all that are open and meant for starting on.
type SnapOptions struct {
	// HasRadius limits the distance to Radius, in meters.
	HasRadius bool
	Radius    float64
	// HasBearing limits the direction of travel to Bearing ± BearingRange, in
	// whole degrees clockwise from north.
	HasBearing            bool
	Bearing, BearingRange int
	Approach              Approach
	// AnySegment admits segments that are not meant for starting on too, such
	// as motorways or ferries.
	AnySegment bool
	// Exclude shuts out roads of any of these classes.
	Exclude ClassMask
	// Most limits how many phantoms Within returns; 0 for no limit.
	Most int
}

// Snapper finds the segments near a coordinate. It is used by one goroutine at a
// time; what its methods return lasts until the next call. In steady state it
// allocates nothing from the Go heap.
type Snapper struct {
	network *Network
	metric  *Metric
	alloc   *pool.Allocator
	levels  snapLevels

	query
	queue    []snapNode
	near     []snapHit
	big      []snapHit
	phantoms []Phantom
	around   []AreaID
}

// query is what one call looks for.
type query struct {
	opt   SnapOptions
	input geo.Coord
	point geo.Point // Web Mercator
	x, y  int64     // the same, rounded
	local localMercator
	mode  snapMode
	count int
	// strict checks each segment's weights when it is met. Closed segments are
	// rare, so a first search leaves their random reads out.
	strict bool
	// bound is the key beyond which nothing is wanted, cut the least key of a
	// segment beyond the radius.
	bound, cut uint64
	// reach is bound as an estimate has to exceed it.
	reach float64
}

type snapMode uint8

const (
	snapNearest snapMode = iota
	snapCandidates
)

// snapNode is a box to visit.
type snapNode struct {
	key   uint64 // squared distance
	box   uint32
	level uint32
}

// snapHit is a usable segment.
type snapHit struct {
	key          uint64 // squared distance
	order        uint64
	place        geo.Coord // Web Mercator, rounded
	y, share     float64   // of the place, not rounded
	item         uint32
	own, reverse bool
	small        bool
}

func (h *snapHit) before(o *snapHit) bool {
	return h.key < o.key || h.key == o.key && h.order < o.order
}

// The numbers of boxes visited, and of phantoms made, between looks at the context.
const (
	pollBoxes    = 1 << 10
	pollPhantoms = 1 << 12
)

// NewSnapper returns a snapper whose memory comes from a.
func NewSnapper(n *Network, m *Metric, a *pool.Allocator) *Snapper {
	return &Snapper{network: n, metric: m, alloc: a, levels: makeSnapLevels(len(n.Index.items))}
}

// Free gives the snapper's memory back to its allocator. The snapper can be used
// again.
func (s *Snapper) Free() {
	pool.Free(s.alloc, s.queue)
	pool.Free(s.alloc, s.near)
	pool.Free(s.alloc, s.big)
	pool.Free(s.alloc, s.phantoms)
	s.queue, s.near, s.big, s.phantoms = nil, nil, nil, nil
}

// Nearest returns the count nearest phantoms, nearest first; segments at the
// same distance by chain and position. Each segment gives one, so that
// neighboring segments that meet at the nearest place both count. Components do
// not matter. A coordinate that is not on earth has none. A done context ends it
// with the context's error.
func (s *Snapper) Nearest(ctx context.Context, c geo.Coord, count int, o SnapOptions) ([]Phantom, error) {
	s.phantoms = s.phantoms[:0]
	if count <= 0 || !s.begin(c, o, snapNearest) {
		return nil, nil
	}
	s.count = count
	if err := s.search(ctx); err != nil {
		return nil, err
	}
	if s.count > mostInOrder {
		if err := sortMany(ctx, s.near); err != nil {
			return nil, err
		}
	}
	s.near = dropBeyond(s.near, s.cut)
	for i := range s.near {
		if i%pollPhantoms == pollPhantoms-1 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.addPhantom(&s.near[i])
	}
	return s.phantoms, nil
}

// Candidates returns the phantoms at the nearest usable place, of all segments
// that meet there, one a chain. If all are in small components, big has those at
// the nearest place in a big one. A coordinate that is not on earth has none. A
// done context ends it with the context's error.
func (s *Snapper) Candidates(ctx context.Context, c geo.Coord, o SnapOptions) (nearest, big []Phantom, err error) {
	s.phantoms = s.phantoms[:0]
	if !s.begin(c, o, snapCandidates) {
		return nil, nil, nil
	}
	if err := s.search(ctx); err != nil {
		return nil, nil, err
	}
	s.near, s.big = dropBeyond(s.near, s.cut), dropBeyond(s.big, s.cut)
	if len(s.near) == 0 {
		return nil, nil, nil
	}
	sortHits(s.near)
	sortHits(s.big)

	// Several places can lie at the same distance; the first one counts.
	place := s.near[0].place
	for i := range s.near {
		if h := &s.near[i]; h.place == place && (h.small || s.bigAt(place)) {
			s.addCandidate(0, h)
		}
	}
	n := len(s.phantoms)
	for i := range s.big {
		if h := &s.big[i]; h.place == s.big[0].place && h.place != place {
			s.addCandidate(n, h)
		}
	}
	return s.phantoms[:n:n], s.phantoms[n:], nil
}

// bigAt says whether place is where the big component is nearest.
func (s *Snapper) bigAt(place geo.Coord) bool { return s.big[0].place == place }

func dropBeyond(hits []snapHit, cut uint64) []snapHit {
	kept := hits[:0]
	for _, h := range hits {
		if h.key <= cut {
			kept = append(kept, h)
		}
	}
	return kept
}

// sortHits sorts by insertion: few segments meet at a place.
func sortHits(hits []snapHit) {
	for i := 1; i < len(hits); i++ {
		for j := i; j > 0 && hits[j].before(&hits[j-1]); j-- {
			hits[j], hits[j-1] = hits[j-1], hits[j]
		}
	}
}

func (s *Snapper) begin(c geo.Coord, o SnapOptions, mode snapMode) bool {
	if !c.Valid() || len(s.network.Index.items) == 0 {
		return false
	}
	s.near, s.big = s.near[:0], s.big[:0]
	if s.alloc.Kind() == pool.Dropping {
		pool.Free(s.alloc, s.queue)
		s.queue = nil
	}
	p := geo.ToMercator(c)
	fixed := p.Coord()
	s.query = query{
		opt:   o,
		input: c,
		point: p,
		x:     int64(fixed.Lon), y: int64(fixed.Lat),
		mode: mode,
		cut:  math.MaxUint64,
	}
	s.local = newLocalMercator(c)
	s.setBound(math.MaxUint64)
	return true
}

// search finds the hits.
func (s *Snapper) search(ctx context.Context) error {
	if err := s.visitNearest(ctx); err != nil {
		return err
	}
	if s.hitsOpen(s.near) && s.hitsOpen(s.big) {
		return nil
	}
	s.near, s.big = s.near[:0], s.big[:0]
	s.setBound(math.MaxUint64)
	s.cut = math.MaxUint64
	s.strict = true
	return s.visitNearest(ctx)
}

// hitsOpen says whether all hits are open in the directions admitted.
func (s *Snapper) hitsOpen(hits []snapHit) bool {
	for i := range hits {
		h := &hits[i]
		own, reverse := s.open(&s.network.Index.items[h.item])
		if h.own && !own || h.reverse && !reverse {
			return false
		}
	}
	return true
}

// open says whether an item's segment is open in its own direction and in
// reverse.
func (s *Snapper) open(item *snapItem) (own, reverse bool) {
	segment := s.network.ChainFirst[item.Chain] + item.position()
	d := item.arm() & 1
	return s.metric.SegmentWeight[d][segment] != InvalidWeight,
		s.metric.SegmentWeight[d^1][segment] != InvalidWeight
}

// visitNearest scans leaves by distance until none can matter. It first goes
// down to one likely leaf, whose items spare most boxes the queue; of boxes
// around the place, the smallest is likeliest.
func (s *Snapper) visitNearest(ctx context.Context) error {
	boxes := s.network.Index.boxes
	likely := uint32(0)
	for level := range s.levels.leaf {
		first, end := s.levels.children(level, likely)
		likely = first
		best := boxes[first].distance(s.x, s.y)
		for b := first + 1; b < end; b++ {
			if key := boxes[b].distance(s.x, s.y); key < best || key == best && boxes[b].smaller(&boxes[likely]) {
				best, likely = key, b
			}
		}
	}
	s.scan(likely)

	s.queue = pool.Append(s.alloc, s.queue[:0], snapNode{})
	for visited := 1; len(s.queue) > 0; visited++ {
		if visited%pollBoxes == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		top := s.popNode()
		if top.key > s.bound {
			break
		}
		level := int(top.level)
		if level == s.levels.leaf {
			if top.box != likely {
				s.scan(top.box)
			}
			continue
		}
		first, end := s.levels.children(level, top.box)
		for b := first; b < end; b++ {
			if key := boxes[b].distance(s.x, s.y); key <= s.bound {
				s.pushNode(snapNode{key, b, top.level + 1})
			}
		}
	}
	return nil
}

// pushNode and popNode are a binary heap without an index: a box comes in once
// and its key never changes, so that a heap.QueryHeap, which finds entries by
// node, takes about a third longer (BenchmarkSnapQueue).
func (s *Snapper) pushNode(n snapNode) {
	s.queue = pool.Append(s.alloc, s.queue, n)
	q, i := s.queue, len(s.queue)-1
	for i > 0 {
		parent := (i - 1) / 2
		if q[parent].key <= n.key {
			break
		}
		q[i] = q[parent]
		i = parent
	}
	q[i] = n
}

func (s *Snapper) popNode() snapNode {
	top := s.queue[0]
	last := len(s.queue) - 1
	n := s.queue[last]
	s.queue = s.queue[:last]
	q, i := s.queue, 0
	for {
		child := 2*i + 1
		if child >= len(q) {
			break
		}
		if child+1 < len(q) && q[child+1].key < q[child].key {
			child++
		}
		if n.key <= q[child].key {
			break
		}
		q[i] = q[child]
		i = child
	}
	if last > 0 {
		q[i] = n
	}
	return top
}

// scan looks at the items of a leaf, the seemingly nearest first.
func (s *Snapper) scan(leaf uint32) {
	first, end := s.levels.leafItems(leaf, len(s.network.Index.items))
	items := s.network.Index.items[first:end]
	var estimates [snapFanOut]float64
	likely, least := 0, math.MaxFloat64
	for i := range items {
		e := s.local.estimate(items[i].From, items[i].To)
		estimates[i&(snapFanOut-1)] = e
		if e < least {
			likely, least = i, e
		}
	}
	if least > s.reach {
		return
	}
	s.look(uint32(first+likely), &items[likely])
	for i := range items {
		if i != likely && estimates[i&(snapFanOut-1)] <= s.reach {
			s.look(uint32(first+i), &items[i])
		}
	}
}

// look takes an item into account.
func (s *Snapper) look(i uint32, item *snapItem) {
	share, nearest := geo.ProjectPoint(geo.ToMercator(item.From), geo.ToMercator(item.To), s.point)
	place := nearest.Coord()
	dx, dy := int64(place.Lon)-s.x, int64(place.Lat)-s.y
	key := uint64(dx*dx + dy*dy)
	if key > s.bound {
		return
	}
	if s.opt.HasRadius && s.distanceTo(place) > s.opt.Radius {
		// The order is that of the map, so this ends the search even for
		// segments that the map shows as farther but that are not.
		s.cut = min(s.cut, key)
		s.setBound(key)
		return
	}
	own, reverse := s.admits(item)
	if own || reverse {
		s.hit(snapHit{
			key: key, order: item.order(), place: place, y: nearest.Y, share: share,
			item: i, own: own, reverse: reverse,
		})
	}
}

// setBound says beyond which key nothing is wanted.
func (s *Snapper) setBound(key uint64) {
	s.bound = key
	reach := math.Sqrt(float64(key)) + localError
	s.reach = float64(reach * reach)
}

// distanceTo returns the distance in meters to a place in Web Mercator.
func (s *Snapper) distanceTo(place geo.Coord) float64 {
	return geo.Distance(s.input, geo.FromMercator(place.Point()).Coord())
}

// hit takes note of a usable segment within the bound.
func (s *Snapper) hit(h snapHit) {
	if s.mode == snapNearest {
		s.hitNearest(&h)
		return
	}
	arm := s.network.Index.items[h.item].arm()
	h.small = s.network.NodeComponent[s.network.ArmNode[arm]].Small()
	s.near = s.keepNearest(s.near, &h)
	if !h.small {
		s.big = s.keepNearest(s.big, &h)
		s.setBound(min(s.bound, h.key))
	}
}

// keepNearest adds a hit to those at the least distance.
func (s *Snapper) keepNearest(hits []snapHit, h *snapHit) []snapHit {
	if len(hits) > 0 {
		if h.key > hits[0].key {
			return hits
		}
		if h.key < hits[0].key {
			hits = hits[:0]
		}
	}
	return pool.Append(s.alloc, hits, *h)
}

// hitNearest keeps the nearest hits: a few sorted, many as a heap.
func (s *Snapper) hitNearest(h *snapHit) {
	switch {
	case len(s.near) < s.count:
		s.near = pool.Append(s.alloc, s.near, *h)
		if s.count > mostInOrder {
			raise(s.near)
		} else {
			sink(s.near, h)
		}
	case s.count > mostInOrder:
		if !h.before(&s.near[0]) {
			return
		}
		s.near[0] = *h
		lower(s.near)
	default:
		if !h.before(&s.near[len(s.near)-1]) {
			return
		}
		sink(s.near, h)
	}
	if len(s.near) == s.count {
		s.setBound(min(s.bound, s.farthest().key))
	}
}

// farthest returns the last of the nearest hits.
func (s *Snapper) farthest() *snapHit {
	if s.count > mostInOrder {
		return &s.near[0]
	}
	return &s.near[len(s.near)-1]
}

func (s *Snapper) addPhantom(h *snapHit) {
	s.phantoms = pool.Append(s.alloc, s.phantoms, Phantom{})
	s.fill(&s.phantoms[len(s.phantoms)-1], h)
}

func (s *Snapper) fill(p *Phantom, h *snapHit) {
	place := geo.FromMercator(geo.Point{X: h.place.Point().X, Y: h.y}).Coord()
	at := geo.Projection{Place: place, Share: h.share, Distance: geo.Distance(s.input, place)}
	p.fill(s.network, s.metric, &s.network.Index.items[h.item], at, s.input, h.own, h.reverse)
}

// addCandidate adds a hit to the candidates from first on, one a chain. Where two
// segments of a chain meet, the first in the direction of the items counts,
// unless only the second can be driven both ways.
func (s *Snapper) addCandidate(first int, h *snapHit) {
	item := &s.network.Index.items[h.item]
	for i := first; i < len(s.phantoms); i++ {
		p := &s.phantoms[i]
		if p.Chain != item.Chain {
			continue
		}
		had := p.Nodes[0] != InvalidNode && p.Nodes[1] != InvalidNode
		both := h.own && h.reverse
		hadFirst := p.Segment < item.position() != (item.Segment&snapReversed != 0)
		if hadFirst && both && !had || !hadFirst && (!had || both) {
			s.fill(p, h)
		}
		return
	}
	s.addPhantom(h)
}

// admits says whether an item passes the filters in its own direction and in
// reverse.
func (s *Snapper) admits(item *snapItem) (own, reverse bool) {
	if item.Segment&snapStart == 0 && !s.opt.AnySegment {
		return false, false
	}
	own, reverse = true, item.Segment&snapOneWay == 0
	if s.strict {
		ownOpen, reverseOpen := s.open(item)
		own, reverse = own && ownOpen, reverse && reverseOpen
	}
	n, arm := s.network, item.arm()
	if s.opt.Exclude != 0 {
		own = own && n.Roads[n.ArmRoad[arm]].Classes&s.opt.Exclude == 0
		reverse = reverse && n.Roads[n.ArmRoad[arm.Twin()]].Classes&s.opt.Exclude == 0
	}
	if s.opt.Approach != ApproachUnrestricted && item.Segment&snapOneWay == 0 {
		right := !geo.CounterClockwise(item.From, item.To, s.input)
		if n.Roads[n.ArmRoad[arm]].Flags&RoadLeftHand != 0 {
			right = !right
		}
		if s.opt.Approach == ApproachOpposite {
			right = !right
		}
		own, reverse = own && right, reverse && !right
	}
	if s.opt.HasBearing && (own || reverse) {
		bearing := geo.Bearing(item.From, item.To)
		back := bearing + 180
		if back > 360 {
			back = bearing - 180
		}
		own = own && geo.BearingWithin(int(math.Round(bearing)), s.opt.Bearing, s.opt.BearingRange)
		reverse = reverse && geo.BearingWithin(int(math.Round(back)), s.opt.Bearing, s.opt.BearingRange)
	}
	return own, reverse
}
