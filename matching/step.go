package matching

import (
	"context"
	"math"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/pool"
)

// How far ways are followed before they are left to a graph.ManyToMany, which
// takes about as long for a single one as it takes to settle some hundred nodes.
const (
	firstGrowth = 8    // settled nodes of a tree, doubled until there are no more than
	maxGrowth   = 256  //
	farStep     = 1000 // meters of a step whose ways are not followed at all
)

// putOff is how much less likely than the likeliest state of its point, as the
// difference of the logarithms, a state is that is put off.
const putOff = 5

// stride is the step that is being made.
type stride struct {
	from, to    uint32 // first states of the two points
	crow, limit float64
	bound       graph.Weight
	differs     exponential
	still       float64 // logarithm of the density of a step that does not move
	late        float64 // mean of the seconds that the way takes longer than time, 0 if that does not count
	time        float64 // in seconds
	lost        float64 // logarithm of the density of what the step leaves out
	hold        int64   // centimeters

	origins    []origin // likeliest first
	leaves     []end    // of the origins
	arrivals   []end    // of the candidates
	arrivalEnd []uint32 // by candidate
	open       []pair
	top        float64  // score of the likeliest candidate
	least      float64  // scores below it are put off
	margin     float64  // and those so much less than top
	stack      []demand // each for the one before
	wanted     []demand
	trail      []passed // of origins
	points     []Point
}

// origin is a state that a step may start in. Its ends are leaves[first:end].
type origin struct {
	state      uint32
	first, end uint32
	score      float64 // at most, if the state is not exact
	// The way that led to it is m.trail[trail:trailEnd], once it has been trailed.
	trail, trailEnd uint32
	trailed         bool
}

// end is one direction, or a copy of it, that a candidate is left in or come by.
type end struct {
	node graph.NodeID
	tree uint32 // of an origin
	// Weight, duration and centimeters to add to those of a way that leads from
	// and to the beginnings of search nodes.
	weight    graph.Weight
	duration  graph.Duration
	direction uint8
	distance  int64
}

// pair is an origin and a candidate, and the most that the candidate's score may
// come to by it.
type pair struct {
	origin, candidate uint32
	most              float64
}

func (s *stride) free(memory *pool.Allocator) {
	pool.Free(memory, s.origins)
	pool.Free(memory, s.leaves)
	pool.Free(memory, s.arrivals)
	pool.Free(memory, s.arrivalEnd)
	pool.Free(memory, s.open)
	pool.Free(memory, s.stack)
	pool.Free(memory, s.wanted)
	pool.Free(memory, s.trail)
	*s = stride{}
}

// step extends the sequences that end at one point to another.
//
// Every live state would offer each candidate of the next point its sequence. An
// offer that cannot be better than one that was taken is not looked into, and most
// of the others are known from the steps before, as are those that stay on a
// search node. For the rest the trees of the states grow, all of them to one size,
// twice that, and so on, so that offers of short ways rule out long ones first.
//
// What is left are long detours, to the other side of the road as a rule, which
// nearly always lead nowhere. They are put off: their states keep a bound of what
// they may come to, and only if that could matter to another state, or to the
// answer, they are resolved.
func (m *Matcher) step(ctx context.Context, t *Trace, from, to int) error {
	m.before[to] = uint32(from)
	for {
		for s := m.first[to]; s < m.first[to+1]; s++ {
			m.upper[s] = math.Inf(-1)
		}
		m.wanted = m.wanted[:0]
		m.least, m.margin, m.top = math.Inf(-1), putOff, math.Inf(-1)
		if m.metric == nil {
			m.margin = math.Inf(1)
		}
		for l := m.leapFrom(to); ; {
			if l.left == 0 || !m.tooFar(t, &l, to) {
				if err := m.prepare(ctx, t, &l, to, all); err != nil {
					return err
				}
				if err := m.extend(ctx); err != nil {
					return err
				}
				// What is still open starts in states that have been put off themselves.
				for i := range m.open {
					m.wanted = pool.Append(m.memory, m.wanted, m.demand(&m.open[i]))
				}
			}
			if !m.farther(t, &l) {
				m.begins(t, &l, to)
				break
			}
		}
		if len(m.wanted) == 0 {
			return nil
		}
		for _, d := range m.wanted {
			if err := m.resolve(ctx, t, d.state, d.least); err != nil {
				return err
			}
		}
	}
}

// all stands for all candidates of a point.
const all = -1

// demand is a state with the score from which on it has to be known.
type demand struct {
	state uint32
	least float64
}

// resolve makes a state exact, or shows that its score is less than the one given.
func (m *Matcher) resolve(ctx context.Context, t *Trace, s uint32, least float64) error {
	m.stack = pool.Append(m.memory, m.stack[:0], demand{s, least})
	for len(m.stack) > 0 {
		d := m.stack[len(m.stack)-1]
		if s := d.state; m.upper[s] >= d.least && !m.exact(s) {
			upper := m.upper[s]
			if ok, err := m.settle(ctx, t, s, d.least); err != nil {
				return err
			} else if !ok {
				m.upper[s] = upper
				m.stack = pool.Append(m.memory, m.stack, m.demand(&m.open[0]))
				continue
			}
		}
		m.stack = m.stack[:len(m.stack)-1]
	}
	return nil
}

// settle makes the steps to a state again, for what scores no less than the given.
// It returns false at the first origin that is not exact itself, of m.open[0].
func (m *Matcher) settle(ctx context.Context, t *Trace, s uint32, least float64) (bool, error) {
	i := int(m.point[s])
	m.upper[s] = math.Inf(-1)
	m.least, m.margin, m.top = least, math.Inf(1), math.Inf(-1)
	for l := m.leapFrom(i); ; {
		if err := m.prepare(ctx, t, &l, i, int(s-m.first[i])); err != nil {
			return false, err
		}
		if err := m.extend(ctx); err != nil {
			return false, err
		}
		if len(m.open) > 0 {
			return false, nil
		}
		if !m.farther(t, &l) {
			return true, nil
		}
	}
}

// demand returns what has to be known of the origin of an open pair.
func (m *Matcher) demand(p *pair) demand {
	// Less by what rounding may add.
	o, x := &m.origins[p.origin], m.to+p.candidate
	return demand{o.state, o.score - (p.most - max(m.score[x], m.floor())) - 1e-6}
}

// prepare fills the stride for the step to a point, or to one of its candidates.
func (m *Matcher) prepare(ctx context.Context, t *Trace, l *leap, to, only int) error {
	a, b := &t.Points[l.from], &t.Points[to]
	m.crow, m.limit = geo.Distance(a.Place, b.Place), maxDifference
	m.late, m.lost = 0, l.lost
	if t.Timed {
		m.time = float64(b.Time - a.Time)
		m.limit = m.time*t.MaxSpeed + t.Model.Hold*b.Deviation
		if t.Model.Pace {
			m.late = lateSeconds + lateShare*m.time
		}
	}
	m.bound = graph.Weight(min((m.crow+m.limit)/minSpeed*t.WeightPerSecond, float64(graph.InvalidWeight)))
	m.differs = t.Model.differences(m.crow)
	if m.bridged[to] {
		m.limit, m.bound = math.Inf(1), graph.InvalidWeight
		m.late, m.differs = 0, newExponential(m.crow+maxDifference)
	}
	// What stands still moves by its noise alone, however long the step.
	m.still = m.differs.top - m.crow/t.Model.differences(0).mean
	m.points, m.hold = t.Points, int64(100*t.Model.Hold*b.Deviation)
	m.from, m.to = m.first[l.from], m.first[to]
	m.depart(a)
	m.arrive(b, only)
	return ctx.Err()
}

// floor returns the score below which offers are put off.
func (m *Matcher) floor() float64 { return max(m.least, m.top-m.margin) }

// extend makes the step of the stride. What can only be known when the states that it
// starts in are exact stays in m.open.
func (m *Matcher) extend(ctx context.Context) error {
	m.open = m.open[:0]
	if len(m.origins) == 0 || len(m.arrivals) == 0 {
		return nil
	}
	straight := m.differs.top + m.lost
	first := uint32(0)
	for k, end := range m.arrivalEnd {
		if first == end {
			continue
		}
		first = end
		x := m.to + uint32(k)
		for i := range m.origins {
			most := m.origins[i].score + m.near[x] + straight
			if most < m.score[x] {
				break
			}
			p := pair{uint32(i), uint32(k), most}
			if !m.try(&p) {
				m.open = pool.Append(m.memory, m.open, p)
			}
		}
	}
	if m.metric != nil && m.crow < farStep {
		for size := firstGrowth; size <= maxGrowth && len(m.open) > 0; size *= 2 {
			m.grow(size)
		}
	}
	m.sift()
	if len(m.open) > 0 {
		if err := m.table(ctx); err != nil {
			return err
		}
		open := m.open
		m.open = m.open[:0]
		for _, p := range open {
			if !m.try(&p) {
				m.open = append(m.open, p)
			}
		}
		m.sift()
	}
	m.keepWays()
	return nil
}

// depart finds the origins of a step.
func (m *Matcher) depart(a *Point) {
	m.origins, m.leaves, m.trail = m.origins[:0], m.leaves[:0], m.trail[:0]
	m.grove.begin(m.memory)
	for k := range a.Candidates {
		s := m.from + uint32(k)
		o := origin{state: s, first: uint32(len(m.leaves)), score: max(m.score[s], m.upper[s])}
		if o.score < -math.MaxFloat64 {
			continue
		}
		c := &a.Candidates[k]
		for d, ok := range c.Source {
			if ok {
				m.leaves = pool.Append(m.memory, m.leaves, end{
					node: c.Nodes[d], tree: m.treeOf(&m.roads, c.Nodes[d]), direction: uint8(d),
					weight: -c.Weight[d], duration: -c.Duration[d], distance: -int64(c.Distance[d]),
				})
			}
		}
		o.end = uint32(len(m.leaves))
		if o.first == o.end {
			continue
		}
		m.origins = pool.Append(m.memory, m.origins, o)
		i := len(m.origins) - 1
		for ; i > 0 && m.origins[i-1].score < o.score; i-- {
			m.origins[i] = m.origins[i-1]
		}
		m.origins[i] = o
	}
}

// arrive finds the ends of the candidates of a step, or of one.
func (m *Matcher) arrive(b *Point, only int) {
	m.arrivals, m.arrivalEnd = m.arrivals[:0], m.arrivalEnd[:0]
	for k := range b.Candidates {
		c := &b.Candidates[k]
		for d, ok := range c.Target {
			if !ok || only != all && only != k {
				continue
			}
			e := end{
				node: c.Nodes[d], direction: uint8(d),
				weight: c.Weight[d], duration: c.Duration[d], distance: int64(c.Distance[d]),
			}
			m.arrivals = pool.Append(m.memory, m.arrivals, e)
			for _, copied := range m.net.CopiesOf(c.Nodes[d]) {
				e.node = copied.Copy
				m.arrivals = pool.Append(m.memory, m.arrivals, e)
			}
		}
		m.arrivalEnd = pool.Append(m.memory, m.arrivalEnd, uint32(len(m.arrivals)))
	}
}

// endsOf returns the ends of a pair.
func (m *Matcher) endsOf(p *pair) (leaves, arrivals []end) {
	o := &m.origins[p.origin]
	first := uint32(0)
	if p.candidate > 0 {
		first = m.arrivalEnd[p.candidate-1]
	}
	return m.leaves[o.first:o.end], m.arrivals[first:m.arrivalEnd[p.candidate]]
}

// found is the best way between the ends of a pair.
type found struct {
	weight   int64
	duration int64
	distance int64 // centimeters
	from, to *end
	slot     uint32 // in the tree of from, planted if on one search node
	far      bool   // not in the tree
}

// meters returns the length of the way.
func (f *found) meters() float64 { return float64(max(0, min(f.distance, math.MaxUint32))) / 100 }

// lateness is what a way loses of the logarithm of its density by taking longer
// than there was time.
func (s *stride) lateness(d int64) float64 {
	if s.late == 0 {
		return 0
	}
	return max(0, float64(d)/10-s.time) / s.late
}

// offer considers another way.
func (f *found) offer(g *found) {
	if g.weight < f.weight || g.weight == f.weight &&
		(g.duration < f.duration || g.duration == f.duration && g.distance > f.distance) {
		*f = *g
	}
}

// between returns the way from one end to another. If that is not known, ok is
// false and the way's weight and distance are the least it can have.
func (m *Matcher) between(a, b *end) (f found, ok bool) {
	f = found{
		weight: int64(a.weight) + int64(b.weight), duration: int64(a.duration) + int64(b.duration),
		distance: a.distance + b.distance, from: a, to: b,
	}
	if a.node == b.node && f.weight >= 0 {
		f.slot = planted
		return f, true
	}
	t := &m.trees[a.tree]
	s, slot, ok := t.find(b.node)
	if !ok {
		f.weight += int64(t.next())
		f.distance += int64(t.least)
		return f, false
	}
	f.slot, f.far = slot, slot == planted
	if s.weight == graph.InvalidWeight {
		f.weight = math.MaxInt64
		return f, true
	}
	f.weight += int64(s.weight)
	f.duration += int64(s.duration)
	f.distance += int64(s.distance)
	return f, true
}

// search returns the way between a pair and sets p.most by what is known of it; ok
// says whether the way is.
func (m *Matcher) search(p *pair) (f found, ok bool) {
	leaves, arrivals := m.endsOf(p)
	f.weight, p.most = math.MaxInt64, math.Inf(-1)
	floor := int64(math.MaxInt64) // of ways not known
	for i := range leaves {
		for j := range arrivals {
			g, known := m.between(&leaves[i], &arrivals[j])
			if g.weight >= int64(m.bound) {
				continue
			}
			difference := g.meters() - m.crow
			if known {
				difference = math.Abs(difference)
				f.offer(&g)
			} else {
				difference = max(0, difference)
				floor = min(floor, g.weight)
			}
			if difference < m.limit {
				p.most = max(p.most, m.origins[p.origin].score+m.near[m.to+p.candidate]+m.lost+m.differs.at(difference))
			}
		}
	}
	return f, f.weight < floor || floor == math.MaxInt64
}

// try offers a candidate the sequence of an origin. It returns false if that may
// be of use and is not known yet.
func (m *Matcher) try(p *pair) bool {
	x := m.to + p.candidate
	o := &m.origins[p.origin]
	still := math.Inf(-1) // score of a trace that has not moved
	if m.hold > 0 && m.crow < m.limit {
		still = o.score + m.near[x] + m.lost + m.still
		if m.exact(o.state) && m.fallBack(p, still) {
			return true
		}
	}
	f, ok := m.search(p)
	if !m.exact(o.state) {
		p.most = max(p.most, still)
	}
	if p.most < m.score[x] || p.most < -math.MaxFloat64 {
		return true
	}
	if !ok || !m.exact(o.state) {
		return false
	}
	length := f.meters()
	difference := math.Abs(length - m.crow)
	if difference >= m.limit {
		return true
	}
	score := o.score + m.near[x] + m.lost + m.differs.at(difference) - m.lateness(f.duration)
	if !m.offer(x, o.state, score, length, graph.Weight(f.weight)) {
		return true
	}
	m.top = max(m.top, score)
	m.link[x] = link{}
	if !f.far {
		m.link[x] = link{
			lo: f.slot, hi: f.from.tree, from: f.from.direction, to: f.to.direction,
			known: true, fresh: true,
		}
	}
	return true
}

// fallBack offers a candidate that lies behind its origin the sequence of that, and
// says whether it does.
func (m *Matcher) fallBack(p *pair, score float64) bool {
	back, direction, ok := m.behind(p)
	if !ok {
		return false
	}
	x := m.to + p.candidate
	if m.offer(x, m.origins[p.origin].state, score, 0, 0) {
		m.top = max(m.top, score)
		m.link[x] = link{lo: uint32(back), to: direction, known: true, held: true}
	}
	return true
}

// sift drops the open pairs that are of no use by now, and puts off those below the
// floor.
func (m *Matcher) sift() {
	open := m.open
	m.open = m.open[:0]
	for i := range open {
		p := &open[i]
		x := m.to + p.candidate
		switch {
		case p.most < m.score[x]:
		case p.most < m.floor():
			m.upper[x] = max(m.upper[x], p.most)
		default:
			m.open = append(m.open, *p)
		}
	}
}

// grow lets the trees of open pairs grow to a size.
func (m *Matcher) grow(size int) {
	m.sift()
	open := m.open
	m.open = m.open[:0]
	for _, p := range open {
		if p.most < m.score[m.to+p.candidate] {
			continue
		}
		leaves, _ := m.endsOf(&p)
		for i := range leaves {
			e := &leaves[i]
			t := &m.trees[e.tree]
			before := t.settled
			t.grow(&m.roads, size, graph.Weight(min(int64(m.bound)-int64(e.weight), int64(graph.InvalidWeight))))
			m.settled += t.settled - before
		}
		if !m.try(&p) {
			m.open = append(m.open, p)
		}
	}
}

// keepWays keeps the edges of the ways to the candidates, as the trees will not
// stay.
func (m *Matcher) keepWays() {
	for k := range m.arrivalEnd {
		l := &m.link[m.to+uint32(k)]
		if !l.fresh {
			continue
		}
		slot, tree := l.lo, l.hi
		l.fresh = false
		l.lo = uint32(len(m.edges))
		m.edges = m.trees[tree].appendWay(m.memory, m.edges, slot)
		l.hi = uint32(len(m.edges))
	}
}
