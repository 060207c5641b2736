package matching

import (
	"context"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/pool"
)

// Point is a place of a trace.
type Point struct {
	Place     geo.Coord
	Time      int64   // in seconds, if the trace is timed
	Deviation float64 // standard deviation of Place in meters, above 0
	// Candidates are the spots that the place may stand for, nearest first: see
	// the function Candidates.
	Candidates []graph.Phantom
}

// Trace is a sequence of places.
type Trace struct {
	Points []Point
	// Timed says that points have times, which do not descend. A step then covers
	// at most MaxSpeed, in m/s, times its duration more than the way of the crow.
	Timed    bool
	MaxSpeed float64
	// Whole keeps a timed trace from being parted for the time alone that a step
	// takes.
	Whole bool
	// WeightPerSecond is the number of units of weight in a second, by which ways
	// of less than 4 m/s are told.
	WeightPerSecond float64
	Model           Model
}

// Match is the likeliest way for a piece of a trace, two points or more.
type Match struct {
	Steps []Step
	// Ways lead from each step to the next.
	Ways []Way
	// Confidence is the probability, 0 … 1, that the way is the right one.
	Confidence float64
}

// Step is a point that a way leads by.
type Step struct {
	Point     int // index of Trace.Points
	Candidate int // index of Point.Candidates
	// At is the index of the step at whose place the trace is taken to be: its own,
	// or that of a later step that fell back (see Model.Hold).
	At int
	// Alternatives is the number of other candidates of the point through which
	// ways to the end of the piece lead.
	Alternatives int
}

// Way is how a match gets from one step to the next.
type Way struct {
	// Known says that the Matcher has come by the edges. If not, the way is the
	// lightest one between the candidates.
	Known bool
	// From and To are the directions of the candidates, indices of Phantom.Nodes,
	// that the way leaves and comes by.
	From, To int
	// Edges are empty if the way stays on one search node. They are valid until
	// the next Match.
	Edges []graph.EdgeID
}

// Matcher matches traces. It belongs to one goroutine at a time.
type Matcher struct {
	roads
	paths graph.ManyToMany

	lattice
	sound   []int // points that sequences reach, a stack
	splits  []int // ends of pieces
	times   []int64
	states  []uint32 // of a match
	lengths []int64
	// Of Fit.
	distances, excesses []float64

	leaping
	stride
	grove
	distant
}

// New returns a Matcher for a network; its memory comes from the allocator. Short
// ways it finds itself, in the metric; long ones, or without a metric all, are
// those of paths, which searches in the same metric.
func New(n *graph.Network, m *graph.Metric, paths graph.ManyToMany, memory *pool.Allocator) *Matcher {
	x := &Matcher{roads: roads{net: n, metric: m, memory: memory}, paths: paths}
	x.row = x.takeRow
	return x
}

// Exclude makes ways keep out of roads of any of these classes from now on. The
// caller does the same to paths, and to the candidates.
func (m *Matcher) Exclude(classes graph.ClassMask) { m.exclude = classes }

// Free gives the working memory back to the allocator. The Matcher can be used
// again.
func (m *Matcher) Free() {
	m.lattice.free(m.memory)
	m.stride.free(m.memory)
	m.grove.free(m.memory)
	m.distant = distant{row: m.row}
	pool.Free(m.memory, m.states)
	pool.Free(m.memory, m.lengths)
	m.states, m.lengths = nil, nil
}

// Settled returns the number of search nodes that the last Match settled itself.
func (m *Matcher) Settled() int { return m.settled }

// Spent returns the number of search nodes that it has settled for all traces so far,
// the present one included.
func (m *Matcher) Spent() int { return m.spent + m.settled }

// Match finds the ways for the pieces of a trace, in its order; there is none if
// no two points fit together. A done context gives an error that errors.Is the
// context's.
func (m *Matcher) Match(ctx context.Context, t Trace) ([]Match, error) {
	m.lattice.reset(m.memory, t.Points)
	if len(t.Points) < 2 {
		return nil, ctx.Err()
	}
	m.grove.reset()
	m.splits = m.splits[:0]
	start := m.start(t.Points, 0)
	if start < 0 {
		return nil, ctx.Err()
	}
	var err error
	if t.Model.Outlier > 0 || t.Model.Bridge {
		m.leaping = leaping{start + 1, start, -1}
		if err = m.forwardLeaping(ctx, &t, m.longest(&t), true); m.last >= 0 {
			m.splits = append(m.splits, m.last+1)
		}
	} else {
		err = m.forward(ctx, &t, start)
	}
	if err != nil {
		return nil, err
	}
	// All of them first: it moves the edges of ways.
	begin := start
	for _, end := range m.splits {
		first, last := m.trim(begin, end)
		if begin = end; last <= first {
			continue
		}
		if err := m.resolveEnds(ctx, &t, last); err != nil {
			return nil, err
		}
	}
	var matches []Match
	begin = start
	for _, end := range m.splits {
		if piece, ok := m.piece(&t, begin, end); ok {
			matches = append(matches, piece)
		}
		begin = end
	}
	return matches, nil
}

// forward runs the Viterbi algorithm from a start on and fills m.splits.
func (m *Matcher) forward(ctx context.Context, t *Trace, start int) error {
	longest := m.longest(t)
	m.splits, m.sound = m.splits[:0], append(m.sound[:0], start)
	const none = math.MaxInt
	breakage := none // first point that no step leads to
	for i := start + 1; i < len(t.Points); i++ {
		last := m.sound[len(m.sound)-1]
		gap := i-last > maxSkipped
		if t.Timed && !t.Whole {
			gap = t.Points[i].Time-t.Points[last].Time > longest
		}
		if !gap {
			if err := m.step(ctx, t, last, i); err != nil {
				return err
			}
			if m.broken[i] {
				// One of the two does not belong to the trace, maybe both.
				breakage = min(breakage, i)
				m.sound = m.sound[:len(m.sound)-1]
			} else {
				m.sound = append(m.sound, i)
			}
		}
		if !gap && len(m.sound) > 0 {
			continue
		}
		// What was broken may begin a piece, so go back there.
		split := i
		if breakage != none {
			split, breakage = breakage, none
		}
		m.splits = append(m.splits, split)
		m.clear(split)
		if i = m.start(t.Points, split); i < 0 {
			return nil
		}
		m.sound = append(m.sound[:0], i)
	}
	m.splits = append(m.splits, m.sound[len(m.sound)-1]+1)
	return nil
}

// longest returns the time in seconds that a step may take before it parts the
// trace.
func (m *Matcher) longest(t *Trace) int64 {
	if !t.Timed || t.Whole {
		return math.MaxInt64
	}
	m.times = slices.Grow(m.times[:0], len(t.Points))
	return maxSkipped * medianStep(m.times, t.Points)
}

// trim returns the first and the last of the points from begin to before end that
// have sequences; the last is not above the first if no two have.
func (m *Matcher) trim(begin, end int) (first, last int) {
	last = end - 1
	for last >= begin && m.broken[last] {
		last--
	}
	for begin < end && m.broken[begin] {
		begin++
	}
	return begin, last
}

// piece follows the likeliest sequence of the points from begin to before end.
func (m *Matcher) piece(t *Trace, begin, end int) (Match, bool) {
	begin, last := m.trim(begin, end)
	if last <= begin {
		return Match{}, false
	}
	s := m.finish(t, last)
	last, count := int(m.point[s]), 1
	for x := s; int(m.point[x]) > begin && m.parent[x] != x; x = m.parent[x] {
		count++
	}
	if count < 2 {
		return Match{}, false
	}
	match := Match{Steps: make([]Step, count), Ways: make([]Way, count-1)}
	way := 0.0
	m.states = pool.Grow(m.memory, m.states, count)
	for k := count - 1; k >= 0; k-- {
		i := m.point[s]
		m.states[k] = s
		m.marked[s] = true
		way += m.length[s]
		match.Steps[k] = Step{Point: int(i), Candidate: int(s - m.first[i]), At: k}
		if k > 0 {
			match.Ways[k-1] = m.way(s)
		}
		s = m.parent[s]
	}
	if t.Model.Hold > 0 {
		way -= m.standStill(t, &match, m.states)
	}
	m.mark(begin, last)
	line := 0.0
	for k := range match.Steps {
		step := &match.Steps[k]
		for s := m.first[step.Point]; s < m.first[step.Point+1]; s++ {
			if m.marked[s] && s != m.first[step.Point]+uint32(step.Candidate) {
				step.Alternatives++
			}
		}
		if k > 0 {
			line += geo.Distance(t.Points[match.Steps[k-1].Point].Place, t.Points[step.Point].Place)
		}
	}
	match.Confidence = Confidence(line, way)
	return match, true
}

// finish returns the state in which the likeliest sequence of a piece ends.
func (m *Matcher) finish(t *Trace, last int) uint32 {
	best, most := uint32(0), math.Inf(-1)
	for l := (leap{from: last}); ; {
		s := m.best(l.from)
		if score := m.score[s] + l.lost; score > most || l.left == 0 {
			best, most = s, score
		}
		if !m.farther(t, &l) {
			return best
		}
	}
}

// mark marks the states that sequences to any state of the last point lead
// through. A state without a sequence is marked at the last point, as in OSRM.
func (m *Matcher) mark(begin, last int) {
	for s := m.first[last]; s < m.first[last+1]; s++ {
		x := s
		for int(m.point[x]) > begin && !m.marked[x] && m.live(x) {
			m.marked[x] = true
			x = m.parent[x]
		}
		m.marked[x] = true
	}
}
