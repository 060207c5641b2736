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
}

// Match is the likeliest way for a piece of a trace, two points or more.
type Match struct {
	Steps []Step
	// Confidence is the probability, 0 … 1, that the way is the right one.
	Confidence float64
}

// Step is a point that a way leads by.
type Step struct {
	Point     int // index of Trace.Points
	Candidate int // index of Point.Candidates
	// Alternatives is the number of other candidates of the point through which
	// ways to the end of the piece lead.
	Alternatives int
}

// Matcher matches traces. It belongs to one goroutine at a time.
type Matcher struct {
	net    *graph.Network
	paths  graph.ManyToMany
	memory *pool.Allocator

	lattice
	sound   []int // points that sequences reach, a stack
	splits  []int // ends of pieces
	times   []int64
	seeds   []graph.Seed
	states  []uint32 // of the sources of a step
	sources [][]graph.Seed
	targets [][]graph.Seed

	stride
	row func(source int, cells []graph.Cell) error // takeRow, made once
}

// stride is the step that is being made.
type stride struct {
	to          *Point
	base        uint32 // first state of to
	crow, limit float64
	bound       graph.Weight
}

// New returns a Matcher for the network in which paths searches; its memory comes
// from the allocator.
func New(n *graph.Network, paths graph.ManyToMany, memory *pool.Allocator) *Matcher {
	m := &Matcher{net: n, paths: paths, memory: memory}
	m.row = m.takeRow
	return m
}

// Free gives the working memory back to the allocator. The Matcher can be used
// again.
func (m *Matcher) Free() { m.lattice.free(m.memory) }

// Match finds the ways for the pieces of a trace, in its order; there is none if
// no two points fit together. A done context gives an error that errors.Is the
// context's.
func (m *Matcher) Match(ctx context.Context, t Trace) ([]Match, error) {
	if len(t.Points) < 2 {
		return nil, ctx.Err()
	}
	m.reset(m.memory, t.Points)
	start := m.start(t.Points, 0)
	if start < 0 {
		return nil, ctx.Err()
	}
	if err := m.forward(ctx, &t, start); err != nil {
		return nil, err
	}
	var matches []Match
	begin := start
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
	longest := int64(math.MaxInt64)
	if t.Timed {
		m.times = slices.Grow(m.times[:0], len(t.Points))
		longest = maxSkipped * medianStep(m.times, t.Points)
	}
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

// step extends the sequences that end at one point to another.
func (m *Matcher) step(ctx context.Context, t *Trace, from, to int) error {
	a, b := &t.Points[from], &t.Points[to]
	crow, limit := geo.Distance(a.Place, b.Place), float64(maxDifference)
	if t.Timed {
		limit = float64(b.Time-a.Time) * t.MaxSpeed
	}
	bound := min((crow+limit)/minSpeed*t.WeightPerSecond, float64(graph.InvalidWeight))
	m.stride = stride{b, m.first[to], crow, limit, graph.Weight(bound)}
	m.seed(a, b, from)
	if len(m.sources) == 0 || len(m.targets) == 0 {
		return ctx.Err()
	}
	return m.paths.Table(ctx, m.sources, m.targets, m.row)
}

// takeRow extends the sequences that end in one state.
func (m *Matcher) takeRow(source int, cells []graph.Cell) error {
	s := m.states[source]
	for k := range cells {
		cell := &cells[k]
		if cell.Weight >= m.bound {
			continue
		}
		length := float64(cell.Distance) / 100
		difference := math.Abs(length - m.crow)
		if difference >= m.limit {
			continue
		}
		score := m.score[s] + emission(m.to.Candidates[k].SnapDistance, m.to.Deviation) + transition(difference)
		m.offer(m.base+uint32(k), s, score, length, cell.Weight)
	}
	return nil
}

// seed fills the sources and targets of a step.
func (m *Matcher) seed(a, b *Point, from int) {
	m.seeds, m.states = m.seeds[:0], m.states[:0]
	m.sources, m.targets = m.sources[:0], m.targets[:0]
	for k := range a.Candidates {
		s := m.first[from] + uint32(k)
		if !m.live(s) {
			continue
		}
		start := len(m.seeds)
		m.seeds = a.Candidates[k].AppendSourceSeeds(m.seeds)
		m.sources = append(m.sources, m.seeds[start:len(m.seeds):len(m.seeds)])
		m.states = append(m.states, s)
	}
	for k := range b.Candidates {
		start := len(m.seeds)
		m.seeds = b.Candidates[k].AppendTargetSeeds(m.seeds, m.net)
		m.targets = append(m.targets, m.seeds[start:len(m.seeds):len(m.seeds)])
	}
}

// piece follows the likeliest sequence of the points from begin to before end.
func (m *Matcher) piece(t *Trace, begin, end int) (Match, bool) {
	last := end - 1
	for last >= begin && m.broken[last] {
		last--
	}
	for begin < end && m.broken[begin] {
		begin++
	}
	if last <= begin {
		return Match{}, false
	}
	var match Match
	way := 0.0
	for s := m.best(last); ; s = m.parent[s] {
		i := m.point[s]
		m.marked[s] = true
		way += m.length[s]
		match.Steps = append(match.Steps, Step{Point: int(i), Candidate: int(s - m.first[i])})
		if int(i) <= begin || m.parent[s] == s {
			break
		}
	}
	if len(match.Steps) < 2 {
		return Match{}, false
	}
	slices.Reverse(match.Steps)
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
