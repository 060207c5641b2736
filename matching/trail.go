package matching

import (
	"math"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// passed is a search node that a sequence came through. Its beginning lies so many
// centimeters behind the end of the sequence, and what of it was passed up to most.
type passed struct {
	node        graph.NodeID
	start, most int64
}

// longestTrail bounds the states that a trail goes back by.
const longestTrail = 64

// behind says whether a pair's candidate lies on the way that led to its origin,
// which is exact, no more than m.hold before the end of that way; and how many
// centimeters before, in which direction.
func (m *Matcher) behind(p *pair) (back int64, direction uint8, ok bool) {
	o := &m.origins[p.origin]
	if !o.trailed {
		o.trail = uint32(len(m.trail))
		m.follow(o.state)
		o.trailEnd, o.trailed = uint32(len(m.trail)), true
	}
	_, arrivals := m.endsOf(p)
	for _, v := range m.trail[o.trail:o.trailEnd] {
		for i := range arrivals {
			if arrivals[i].node != v.node {
				continue
			}
			if back := v.start - arrivals[i].distance; back >= 0 && back <= min(m.hold, v.most) {
				return back, arrivals[i].direction, true
			}
		}
	}
	return 0, 0, false
}

// follow appends the last search nodes of the way to a state to m.trail, as far
// back as m.hold goes.
func (m *Matcher) follow(s uint32) {
	first, last := len(m.trail), int64(0)
	// A way that has fallen back does not reach what lies ahead of there.
	until := graph.InvalidNode
	pass := func(v graph.NodeID, start, most int64) {
		if until != graph.InvalidNode && !m.sameRoad(v, until) || start < last {
			return
		}
		until, last = graph.InvalidNode, start
		if i := len(m.trail) - 1; i >= first && m.trail[i].node == v && start-m.trail[i].start <= rounding {
			m.trail[i].most = min(m.trail[i].most, most)
			return
		}
		m.trail = pool.Append(m.memory, m.trail, passed{v, start, most})
	}
	skip := int64(0) // centimeters by which the end of the way lies behind s
	for range longestTrail {
		k, parent, c := &m.link[s], m.parent[s], m.candidate(s)
		if k.held {
			if until == graph.InvalidNode {
				until = c.Nodes[k.to]
			}
			skip += int64(k.lo)
			s = parent
			continue
		}
		d, ok := m.direction(s)
		if !ok {
			return
		}
		start := int64(c.Distance[d]) - skip
		if !k.known {
			pass(c.Nodes[d], start, start)
			return
		}
		before, ok := m.direction(parent)
		turned := !ok || before != int(k.from)
		skip -= m.centimeters(s)
		if turned && k.lo == k.hi {
			pass(c.Nodes[d], start, -skip)
			return
		}
		pass(c.Nodes[d], start, start)
		for e := k.hi; e > k.lo; e-- {
			if start > m.hold {
				return
			}
			v, most := m.candidate(parent).Nodes[k.from], int64(math.MaxInt64)
			if e > k.lo+1 {
				v = m.net.EdgeHead[m.edges[e-2]]
			} else if turned {
				most = -skip
			}
			start += int64(m.metric.NodeDistance[v])
			pass(v, start, most)
		}
		if turned || -skip > m.hold {
			return
		}
		s = parent
	}
}

// candidate returns that of a state.
func (m *Matcher) candidate(s uint32) *graph.Phantom {
	i := m.point[s]
	return &m.points[i].Candidates[s-m.first[i]]
}

// direction returns the one in which a sequence comes to a state.
func (m *Matcher) direction(s uint32) (d int, ok bool) {
	if k := &m.link[s]; k.known {
		return int(k.to), true
	}
	c := m.candidate(s)
	if c.Nodes[1] == graph.InvalidNode {
		return 0, c.Nodes[0] != graph.InvalidNode
	}
	return 1, c.Nodes[0] == graph.InvalidNode
}

// centimeters returns the length of the way to a state from the one before.
func (l *lattice) centimeters(s uint32) int64 { return int64(math.Round(l.length[s] * 100)) }

// rounding is by how many centimeters lengths may differ: shares of a segment's
// weight and length are not rounded alike.
const rounding = 100

// standStill takes back what the ways of a match have driven too far: where a step
// lies behind those before it, these move back to its place. It returns how many
// meters that are. The states are those of the steps.
func (m *Matcher) standStill(t *Trace, match *Match, states []uint32) float64 {
	sum := int64(0)
	m.lengths = pool.Grow(m.memory, m.lengths, len(states))
	for k, s := range states {
		match.Steps[k].At = k
		m.lengths[k] = m.centimeters(s)
		link := &m.link[s]
		if k == 0 || !link.held {
			continue
		}
		m.lengths[k] = 0
		back := int64(link.lo)
		j, edges, rest := m.meet(t, match, k, int(link.to), back)
		if j < 0 {
			match.Ways[k-1] = Way{} // whoever draws it finds the way
			continue
		}
		for i := j; i < k; i++ {
			match.Steps[i].At = k
			if i > j || j > 0 {
				sum += m.lengths[i]
				m.lengths[i] = 0
			}
			match.Ways[i] = Way{Known: true, From: int(link.to), To: int(link.to)}
		}
		if j > 0 {
			way := &match.Ways[j-1]
			if way.Known {
				way.To, way.Edges = int(link.to), way.Edges[:edges]
			}
			m.lengths[j] = rest
			sum -= rest
		}
	}
	return float64(sum) / 100
}

// meet finds where the ways before step k, which fell back by so many centimeters,
// pass its place: on the way to step j, after so many edges of it, which leaves the
// rest of its length. j is 0 if the first step lies ahead too, and -1 if they do
// not pass.
func (m *Matcher) meet(t *Trace, match *Match, k, direction int, back int64) (j, edges int, rest int64) {
	at := func(k int) *graph.Phantom {
		s := &match.Steps[k]
		return &t.Points[s.Point].Candidates[s.Candidate]
	}
	to := at(k)
	target, offset := to.Nodes[direction], int64(to.Distance[direction])
	for j = k - 1; j > 0 && back >= -rounding; j-- {
		way := &match.Ways[j-1]
		if !way.Known { // the lightest one passes there
			return j, 0, max(0, m.lengths[j]-back)
		}
		root := at(match.Steps[j-1].At).Nodes[way.From]
		start := int64(at(match.Steps[j].At).Distance[way.To]) // of the node, behind the end
		for e := len(way.Edges); ; e-- {
			v := root
			if e > 0 {
				v = m.net.EdgeHead[way.Edges[e-1]]
			}
			if behind := start - offset; m.sameRoad(v, target) && abs(behind-back) <= rounding && behind <= m.lengths[j] {
				return j, e, max(0, m.lengths[j]-behind)
			}
			if e == 0 {
				break
			}
			if v = root; e > 1 {
				v = m.net.EdgeHead[way.Edges[e-2]]
			}
			start += int64(m.metric.NodeDistance[v])
		}
		back -= m.lengths[j]
	}
	first := at(match.Steps[0].At)
	if j == 0 && first.Nodes[direction] == target && first.Chain == to.Chain {
		return 0, 0, 0
	}
	return -1, 0, 0
}

func abs(x int64) int64 { return max(x, -x) }

// sameRoad says whether a search node is an original or a copy of it.
func (m *Matcher) sameRoad(v, original graph.NodeID) bool {
	return v == original || m.net.NodeArm[v] == m.net.NodeArm[original]
}
