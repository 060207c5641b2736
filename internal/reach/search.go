package reach

import (
	"context"
	"math"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// Limit bounds a search: a path within it exceeds none of the three. A field that is
// negative does not bound.
type Limit struct {
	Weight   graph.Weight
	Duration graph.Duration
	Distance int64 // centimeters
}

// Question says what to find.
type Question struct {
	// Seeds are sources, or targets if Incoming is set: see graph.Seed.
	Seeds []graph.Seed
	// Incoming has the search go against the direction of travel.
	Incoming *Incoming
	// Exclude are classes of roads to keep out of.
	Exclude graph.ClassMask
	Limit   Limit
	// Patience, if above 0, is the number of nodes beyond the limit that the search
	// settles one after the other before it follows only paths within. Then what it
	// still finds may be reached by a lighter path beyond the limit: see
	// Search.Doubtful.
	Patience int
}

// Search finds what can be reached. It belongs to one goroutine at a time and keeps
// its working memory: once it has seen its largest question it allocates nothing.
type Search struct {
	net    *graph.Network
	metric *graph.Metric
	memory *pool.Allocator

	labels  []label // by node; those of another epoch do not count
	epoch   uint32
	reached graph.Bits
	queue   buckets
	// of the question
	exclude  graph.ClassMask
	shift    shift
	most     shift // within the limit, without the shift
	backward bool
	within   int // labels in the queue that are within the limit
	settled  int
	doubtful []graph.NodeID
	spent    int
}

// label is the lightest path found to a node, without the shift. The low bit of state
// is set once the node has been expanded; the others are the epoch.
type label struct {
	weight   uint32
	duration int32
	distance uint32
	state    uint32
}

// shift is what labels leave out, lest they be negative or too large.
type shift struct {
	weight, duration, distance int64
}

// New returns a Search whose working memory comes from the allocator: 16 bytes a
// node, and what its queue needs.
func New(n *graph.Network, m *graph.Metric, memory *pool.Allocator) *Search {
	return &Search{
		net: n, metric: m, memory: memory,
		labels:  pool.MakeZeroed[label](memory, n.NumNodes()),
		reached: pool.MakeZeroed[uint64](memory, (n.NumNodes()+63)/64),
		queue:   newBuckets(memory),
	}
}

// Release gives the working memory back to the allocator. The Search is of no use
// afterwards.
func (s *Search) Release() {
	pool.Free(s.memory, s.labels)
	pool.Free(s.memory, s.reached)
	pool.Free(s.memory, s.doubtful)
	s.queue.release()
	s.labels, s.reached = nil, nil
}

// pollEvery is the number of nodes settled between looks at the context.
const pollEvery = 1 << 12

// Run finds the lightest path from the best of the sources to the beginning of each
// node's segment, or from there to the best of the targets. The paths have at least one
// edge: what lies on the segments of the seeds themselves is the caller's. A done
// context ends it with an error that errors.Is the context's.
//
// Within the limit is a node whose path is; against the direction of travel, one whose
// path is from the end of its segment on. Nodes that are reached by their lightest path
// beyond the limit do not count, even if a heavier path is within: so a search by
// duration or distance may go on for a while where nothing is within.
func (s *Search) Run(ctx context.Context, q *Question) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.begin(q)
	for i := range q.Seeds {
		x := &q.Seeds[i]
		from := label{
			weight:   uint32(int64(x.Weight) - s.shift.weight),
			duration: int32(int64(x.Duration) - s.shift.duration),
			distance: uint32(x.Distance - s.shift.distance),
		}
		if s.backward {
			s.expandBack(q.Incoming, x.Node, from)
		} else {
			s.expand(x.Node, from)
		}
	}
	var weight uint32
	beyond, patient := 0, true
	for s.within > 0 {
		var ok bool
		if weight, ok = s.queue.lightest(weight); !ok {
			break
		}
		for {
			v, ok := s.queue.take(weight)
			if !ok {
				break
			}
			x := &s.labels[v]
			if x.weight != weight || x.state&1 != 0 {
				continue // stale
			}
			x.state |= 1
			node := graph.NodeID(v)
			in := s.isWithin(node, x)
			if in {
				s.within--
			}
			s.reached.Put(v, in)
			switch {
			case in && !patient:
				s.doubtful = pool.Append(s.memory, s.doubtful, node)
			case in:
				beyond = 0
			case !patient:
				continue
			default:
				beyond++
				patient = q.Patience <= 0 || beyond <= q.Patience
			}
			s.spent++
			if s.settled++; s.settled%pollEvery == 0 {
				if err := ctx.Err(); err != nil {
					return err
				}
			}
			if s.backward {
				s.expandBack(q.Incoming, node, *x)
			} else {
				s.expand(node, *x)
			}
		}
	}
	return nil
}

// begin forgets the last search.
func (s *Search) begin(q *Question) {
	if s.epoch++; s.epoch == 1<<31 {
		clear(s.labels)
		s.epoch = 1
	}
	clear(s.reached)
	s.queue.clear()
	s.within, s.settled, s.doubtful = 0, 0, s.doubtful[:0]
	s.exclude, s.backward = q.Exclude, q.Incoming != nil
	s.shift = shift{}
	for i := range q.Seeds {
		x := &q.Seeds[i]
		at := shift{int64(x.Weight), int64(x.Duration), x.Distance}
		if i == 0 {
			s.shift = at
			continue
		}
		s.shift.weight = min(s.shift.weight, at.weight)
		s.shift.duration = min(s.shift.duration, at.duration)
		s.shift.distance = min(s.shift.distance, at.distance)
	}
	bound := func(limit, shift, most int64) int64 {
		if limit < 0 {
			return most
		}
		return min(limit-shift, most)
	}
	s.most = shift{
		weight:   bound(int64(q.Limit.Weight), s.shift.weight, heaviest),
		duration: bound(int64(q.Limit.Duration), s.shift.duration, heaviest),
		distance: bound(q.Limit.Distance, s.shift.distance, math.MaxUint32),
	}
}

// heaviest is the weight, and the duration, of paths that are not followed further.
const heaviest = math.MaxInt32 - 1

// isWithin says whether a node's label is within the limit.
func (s *Search) isWithin(v graph.NodeID, x *label) bool {
	if !s.backward {
		return int64(x.weight) <= s.most.weight && int64(x.duration) <= s.most.duration && int64(x.distance) <= s.most.distance
	}
	m := s.metric
	return int64(x.weight)-int64(m.NodeWeight[v]) <= s.most.weight &&
		int64(x.duration)-int64(m.NodeDuration[v]) <= s.most.duration &&
		int64(x.distance)-int64(m.NodeDistance[v]) <= s.most.distance
}

// expand relaxes the edges of a node.
func (s *Search) expand(v graph.NodeID, from label) {
	n, m := s.net, s.metric
	weight, duration := m.NodeWeight[v], m.NodeDuration[v]
	if weight == graph.InvalidWeight {
		return
	}
	distance := uint64(from.distance) + uint64(m.NodeDistance[v])
	for e := n.EdgeFirst[v]; e < n.EdgeFirst[v+1]; e++ {
		if m.TurnClosed != nil && m.TurnClosed.Get(uint32(e)) {
			continue
		}
		head := n.EdgeHead[e]
		if s.exclude != 0 && s.isExcluded(head) {
			continue
		}
		s.relax(head,
			int64(from.weight)+int64(max(0, weight+graph.Weight(m.TurnWeight[e]))),
			int64(from.duration)+int64(max(0, duration+graph.Duration(m.TurnDuration[e]))),
			distance)
	}
}

// expandBack relaxes the edges that lead to a node.
func (s *Search) expandBack(in *Incoming, v graph.NodeID, from label) {
	m := s.metric
	for _, a := range in.arcs[in.first[v]:in.first[v+1]] {
		weight := m.NodeWeight[a.tail]
		if weight == graph.InvalidWeight || m.TurnClosed != nil && m.TurnClosed.Get(uint32(a.edge)) || s.exclude != 0 && s.isExcluded(a.tail) {
			continue
		}
		s.relax(a.tail,
			int64(from.weight)+int64(max(0, weight+graph.Weight(m.TurnWeight[a.edge]))),
			int64(from.duration)+int64(max(0, m.NodeDuration[a.tail]+graph.Duration(m.TurnDuration[a.edge]))),
			uint64(from.distance)+uint64(m.NodeDistance[a.tail]))
	}
}

func (s *Search) isExcluded(v graph.NodeID) bool {
	return s.net.Roads[s.net.ArmRoad[s.net.NodeArm[v]]].Classes&s.exclude != 0
}

// relax offers a path to a node.
func (s *Search) relax(v graph.NodeID, weight, duration int64, distance uint64) {
	if weight > heaviest || !s.backward && weight > s.most.weight {
		return // as everything behind it
	}
	next := label{
		weight:   uint32(weight),
		duration: int32(min(duration, heaviest)),
		distance: uint32(min(distance, math.MaxUint32)),
		state:    s.epoch << 1,
	}
	x := &s.labels[v]
	if x.state>>1 == s.epoch {
		if next.weight > x.weight || next.weight == x.weight &&
			(next.duration > x.duration || next.duration == x.duration && next.distance >= x.distance) {
			return
		}
		queued := x.state&1 == 0
		if queued && s.isWithin(v, x) {
			s.within--
		}
		same := queued && next.weight == x.weight
		*x = next
		if s.isWithin(v, x) {
			s.within++
		}
		if same {
			return
		}
	} else {
		*x = next
		if s.isWithin(v, x) {
			s.within++
		}
	}
	s.queue.push(next.weight, uint32(v))
}

// Reached are the nodes within the limit, valid until the next Run. They must not be
// changed.
func (s *Search) Reached() graph.Bits { return s.reached }

// Doubtful are the nodes within the limit that were found once the search had lost its
// patience. The path of such a node is the lightest one if no path is lighter; if one is,
// it is not within the limit, and the node is to be denied. They may be there more than
// once, and are valid until the next Run.
func (s *Search) Doubtful() []graph.NodeID { return s.doubtful }

// Deny takes a node out of those within the limit.
func (s *Search) Deny(v graph.NodeID) { s.reached.Put(uint32(v), false) }

// Cost is what a path takes.
type Cost struct {
	Weight, Duration int64
	Distance         int64 // centimeters
}

// Less says whether c is preferred: it has less weight, then less duration, then less
// distance.
func (c *Cost) Less(d *Cost) bool {
	if c.Weight != d.Weight {
		return c.Weight < d.Weight
	}
	if c.Duration != d.Duration {
		return c.Duration < d.Duration
	}
	return c.Distance < d.Distance
}

// At returns the path of a node that was reached.
func (s *Search) At(v graph.NodeID) Cost {
	x := &s.labels[v]
	return Cost{
		int64(x.weight) + s.shift.weight,
		int64(x.duration) + s.shift.duration,
		int64(x.distance) + s.shift.distance,
	}
}

// Settled returns the number of nodes that Run last settled.
func (s *Search) Settled() int { return s.settled }

// Spent returns the number of nodes that all searches have settled.
func (s *Search) Spent() int { return s.spent }
