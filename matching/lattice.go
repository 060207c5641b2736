package matching

import (
	"math"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// lattice holds the states of the model: state first[i]+k stands for candidate k
// of point i.
type lattice struct {
	first   []uint32
	point   []uint32       // by state
	near    []float64      // logarithm of the density of the candidate's distance
	score   []float64      // of the likeliest sequence that ends in the state, -Inf for none
	upper   []float64      // that score may rise to by what is put off, -Inf for nothing
	length  []float64      // of the way of the last step, in meters
	weight  []graph.Weight // of that way
	parent  []uint32       // state before; a state that begins a sequence is its own
	marked  []bool         // whether a way to the end of the piece leads through the state
	link    []link         // how the way of the last step runs
	broken  []bool         // by point: no state has a sequence
	before  []uint32       // by point: the one that steps came from, itself where they begin
	bridged []bool         // by point: steps to it may be of any length
	edges   []graph.EdgeID // of ways
	spare   []graph.EdgeID // for them to move to
}

// link is a way in l.edges.
type link struct {
	lo, hi   uint32
	from, to uint8 // directions
	known    bool
	held     bool // the state lies lo centimeters behind the one before
	fresh    bool // lo and hi are a slot and a tree instead
}

// reset makes the lattice that of points.
func (l *lattice) reset(memory *pool.Allocator, points []Point) {
	states := 0
	for i := range points {
		states += len(points[i].Candidates)
	}
	l.resize(memory, len(points), states)
	l.edges = l.edges[:0]
	l.first[0] = 0
	for i := range points {
		l.first[i+1] = l.first[i] + uint32(len(points[i].Candidates))
		l.weigh(i, &points[i])
	}
	l.clear(0)
}

// extend appends a point.
func (l *lattice) extend(memory *pool.Allocator, p *Point) {
	n, states := len(l.broken), len(l.score)+len(p.Candidates)
	l.resize(memory, n+1, states)
	l.first[n+1] = uint32(states)
	l.weigh(n, p)
	l.clear(n)
}

func (l *lattice) resize(memory *pool.Allocator, points, states int) {
	l.first = pool.Grow(memory, l.first, points+1)
	l.broken = pool.Grow(memory, l.broken, points)
	l.before = pool.Grow(memory, l.before, points)
	l.bridged = pool.Grow(memory, l.bridged, points)
	l.point = pool.Grow(memory, l.point, states)
	l.near = pool.Grow(memory, l.near, states)
	l.score = pool.Grow(memory, l.score, states)
	l.upper = pool.Grow(memory, l.upper, states)
	l.length = pool.Grow(memory, l.length, states)
	l.weight = pool.Grow(memory, l.weight, states)
	l.parent = pool.Grow(memory, l.parent, states)
	l.marked = pool.Grow(memory, l.marked, states)
	l.link = pool.Grow(memory, l.link, states)
}

// weigh fills in what is known of the candidates of a point alone.
func (l *lattice) weigh(i int, p *Point) {
	density := gaussian(p.Deviation)
	for k := range p.Candidates {
		s := l.first[i] + uint32(k)
		l.point[s], l.near[s] = uint32(i), density.at(p.Candidates[k].SnapDistance)
	}
}

// drop forgets the first points. What comes from them begins a sequence instead.
func (l *lattice) drop(memory *pool.Allocator, points int) {
	states := l.first[points]
	edges := l.spare[:0]
	for s := states; s < uint32(len(l.score)); s++ {
		x := s - states
		k := l.link[s]
		if l.parent[s] < states {
			l.parent[x], k = x, link{}
		} else {
			l.parent[x] = l.parent[s] - states
		}
		if k.known && !k.held {
			lo := uint32(len(edges))
			for _, e := range l.edges[k.lo:k.hi] {
				edges = pool.Append(memory, edges, e)
			}
			k.lo, k.hi = lo, uint32(len(edges))
		}
		l.link[x], l.point[x] = k, l.point[s]-uint32(points)
		l.near[x], l.score[x], l.upper[x] = l.near[s], l.score[s], l.upper[s]
		l.length[x], l.weight[x], l.marked[x] = l.length[s], l.weight[s], l.marked[s]
	}
	l.edges, l.spare = edges, l.edges
	left := len(l.broken) - points
	for i := range left {
		l.first[i] = l.first[i+points] - states
		l.before[i] = max(l.before[i+points], uint32(points)) - uint32(points)
		l.broken[i], l.bridged[i] = l.broken[i+points], l.bridged[i+points]
	}
	l.first[left] = l.first[left+points] - states
	l.resize(memory, left, len(l.score)-int(states))
}

func (l *lattice) free(memory *pool.Allocator) {
	pool.Free(memory, l.first)
	pool.Free(memory, l.point)
	pool.Free(memory, l.near)
	pool.Free(memory, l.score)
	pool.Free(memory, l.upper)
	pool.Free(memory, l.length)
	pool.Free(memory, l.weight)
	pool.Free(memory, l.parent)
	pool.Free(memory, l.marked)
	pool.Free(memory, l.link)
	pool.Free(memory, l.broken)
	pool.Free(memory, l.before)
	pool.Free(memory, l.bridged)
	pool.Free(memory, l.edges)
	pool.Free(memory, l.spare)
	*l = lattice{}
}

// clear forgets all sequences that reach a point from the given one on.
func (l *lattice) clear(from int) {
	for s := l.first[from]; s < uint32(len(l.score)); s++ {
		l.score[s], l.upper[s], l.length[s], l.weight[s] = math.Inf(-1), math.Inf(-1), 0, 0
		l.parent[s], l.marked[s], l.link[s] = s, false, link{}
	}
	for i := from; i < len(l.broken); i++ {
		l.broken[i], l.bridged[i] = true, false
	}
}

// start begins sequences at the first point from the given one on that has
// candidates, and returns it; -1 if there is none.
func (l *lattice) start(points []Point, from int) int {
	for i := from; i < len(points); i++ {
		for s := l.first[i]; s < l.first[i+1]; s++ {
			l.score[s] = l.near[s]
			if l.live(s) {
				l.broken[i] = false
			}
		}
		if !l.broken[i] {
			l.before[i] = uint32(i)
			return i
		}
	}
	return -1
}

// offer gives a state a sequence that may be likelier than the one it has: from
// state s by a way of the given length and weight. Of equally likely ones that of
// least weight wins, which has no needless turn where two roads begin at one
// place, and then the first. It says whether the state takes the offer.
func (l *lattice) offer(x, s uint32, score, length float64, weight graph.Weight) bool {
	if score < l.score[x] || math.IsInf(score, -1) {
		return false
	}
	if score == l.score[x] && (weight > l.weight[x] || weight == l.weight[x] && s >= l.parent[x]) {
		return false
	}
	l.score[x], l.length[x], l.weight[x], l.parent[x] = score, length, weight, s
	l.broken[l.point[x]] = false
	return true
}

// way returns the way to a state from the one before.
func (l *lattice) way(x uint32) Way {
	k := &l.link[x]
	if k.held {
		return Way{}
	}
	return Way{Known: k.known, From: int(k.from), To: int(k.to), Edges: l.edges[k.lo:k.hi:k.hi]}
}

// exact says whether nothing that is put off could change a state.
func (l *lattice) exact(s uint32) bool {
	return l.upper[s] < l.score[s] || l.upper[s] < -math.MaxFloat64
}

// live says whether a sequence ends in a state.
func (l *lattice) live(s uint32) bool { return l.score[s] >= -math.MaxFloat64 }

// best returns the likeliest state of a point, the first of equals.
func (l *lattice) best(i int) uint32 {
	best := l.first[i]
	for s := best + 1; s < l.first[i+1]; s++ {
		if l.score[s] > l.score[best] {
			best = s
		}
	}
	return best
}
