package matching

import (
	"math"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// lattice holds the states of the model: state first[i]+k stands for candidate k
// of point i.
type lattice struct {
	first  []uint32
	point  []uint32       // by state
	score  []float64      // of the likeliest sequence that ends in the state, -Inf for none
	length []float64      // of the way of the last step, in meters
	weight []graph.Weight // of that way
	parent []uint32       // state before; a state that begins a sequence is its own
	marked []bool         // whether a way to the end of the piece leads through the state
	broken []bool         // by point: no state has a sequence
}

// reset makes the lattice that of points.
func (l *lattice) reset(memory *pool.Allocator, points []Point) {
	n := len(points)
	l.first = pool.Grow(memory, l.first, n+1)
	l.broken = pool.Grow(memory, l.broken, n)
	states := 0
	for i := range points {
		l.first[i] = uint32(states)
		states += len(points[i].Candidates)
	}
	l.first[n] = uint32(states)
	l.point = pool.Grow(memory, l.point, states)
	l.score = pool.Grow(memory, l.score, states)
	l.length = pool.Grow(memory, l.length, states)
	l.weight = pool.Grow(memory, l.weight, states)
	l.parent = pool.Grow(memory, l.parent, states)
	l.marked = pool.Grow(memory, l.marked, states)
	for i := range points {
		for s := l.first[i]; s < l.first[i+1]; s++ {
			l.point[s] = uint32(i)
		}
	}
	l.clear(0)
}

func (l *lattice) free(memory *pool.Allocator) {
	pool.Free(memory, l.first)
	pool.Free(memory, l.point)
	pool.Free(memory, l.score)
	pool.Free(memory, l.length)
	pool.Free(memory, l.weight)
	pool.Free(memory, l.parent)
	pool.Free(memory, l.marked)
	pool.Free(memory, l.broken)
	*l = lattice{}
}

// clear forgets all sequences that reach a point from the given one on.
func (l *lattice) clear(from int) {
	for s := l.first[from]; s < uint32(len(l.score)); s++ {
		l.score[s], l.length[s], l.weight[s] = math.Inf(-1), 0, 0
		l.parent[s], l.marked[s] = s, false
	}
	for i := from; i < len(l.broken); i++ {
		l.broken[i] = true
	}
}

// start begins sequences at the first point from the given one on that has
// candidates, and returns it; -1 if there is none.
func (l *lattice) start(points []Point, from int) int {
	for i := from; i < len(points); i++ {
		p := &points[i]
		for k := range p.Candidates {
			s := l.first[i] + uint32(k)
			l.score[s] = emission(p.Candidates[k].SnapDistance, p.Deviation)
			if l.live(s) {
				l.broken[i] = false
			}
		}
		if !l.broken[i] {
			return i
		}
	}
	return -1
}

// offer gives a state a sequence that may be likelier than the one it has: from
// state s by a way of the given length and weight. Of equally likely ones that of
// least weight wins, which has no needless turn where two roads begin at one
// place, and then the first.
func (l *lattice) offer(x, s uint32, score, length float64, weight graph.Weight) {
	if score < l.score[x] || math.IsInf(score, -1) {
		return
	}
	if score == l.score[x] && (weight > l.weight[x] || weight == l.weight[x] && s >= l.parent[x]) {
		return
	}
	l.score[x], l.length[x], l.weight[x], l.parent[x] = score, length, weight, s
	l.broken[l.point[x]] = false
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
