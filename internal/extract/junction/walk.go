package junction

import (
	"math"

	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
)

// maxHops ends walks that go in circles.
const maxHops = 1000

// pastDegreeTwo follows a road from an edge on over nodes that have no choice,
// and returns the edge that reaches a junction, or the node it started from.
func (a *Analyzer) pastDegreeTwo(e nbg.EdgeID) nbg.EdgeID {
	g := a.graph
	start := a.tail(e)
	for range maxHops {
		n := g.Edges[e].Head
		if n == start || g.Degree(n) != 2 {
			break
		}
		next, _ := g.Out(n)
		if g.Edges[next].Head == a.tail(e) {
			next++
		}
		e = next
	}
	return e
}

// viewAhead returns the view of the junction that an edge leads to, with the
// first meters of its roads for their bearings and no merges. It is valid until
// the next use of w.ahead.
func (w *Worker) viewAhead(e nbg.EdgeID, closely bool) []Turn {
	w.load(&w.ahead, w.graph.Edges[e].Head, closely)
	return w.ahead.View(e)
}

// collector sees the edges of a walk.
type collector interface {
	// pass is called with an edge and the view of the junction at its end.
	pass(w *Worker, e nbg.EdgeID, view []Turn)
	// done says whether to end, now that the walk could go on.
	done() bool
}

// follower chooses the way of a walk: the straightmost road, or the only one,
// that has the wanted label.
type follower struct {
	label   uint32
	bearing float64 // of the start
	// unambiguous ends the walk before a sharp turn that is one choice of
	// several.
	unambiguous bool
}

// walk follows a road from an edge on.
func (w *Worker) walk(e nbg.EdgeID, f follower, c collector) {
	start := w.tail(e)
	for range maxHops {
		view := w.viewAhead(e, true)
		c.pass(w, e, view)
		if w.graph.Edges[e].Head == start || len(view) <= 1 {
			return
		}
		next, ok := w.next(f, view)
		if !ok || c.done() {
			return
		}
		e = next
	}
}

// next returns the edge on which f goes on.
func (w *Worker) next(f follower, view []Turn) (nbg.EdgeID, bool) {
	const (
		otherLabel = 180 // what another label counts, in degrees
		maxTurn    = 100
	)
	same := 0
	best, least := 1, math.Inf(1)
	for i := range view {
		deviation := geo.AngularDeviation(view[i].Angle, straightAngle)
		if w.graph.Edges[view[i].Edge].Names == f.label {
			same++
		} else {
			deviation += otherLabel
		}
		if i > 0 && deviation < least {
			best, least = i, deviation
		}
	}
	if same > 2 {
		return 0, false
	}
	t := &view[best]
	turn := geo.AngularDeviation(t.Angle, straightAngle)
	if (len(view) == 2 || closest(view, straightAngle) == best) && turn < narrowTurn &&
		geo.AngularDeviation(f.bearing, t.Perceived) < narrowTurn {
		return t.Edge, true
	}
	if f.unambiguous && turn > groupAngle {
		opposite := &view[closest(view, geo.ReverseBearing(t.Angle))]
		if geo.AngularDeviation(t.Angle, opposite.Angle) > 180-fuzzyAngle {
			return 0, false
		}
		if ahead := &view[closest(view, straightAngle)]; geo.AngularDeviation(ahead.Angle, straightAngle) < fuzzyAngle {
			return 0, false
		}
	}
	// A stronger turn is fine where a road splits into carriageways.
	return t.Edge, w.graph.Edges[t.Edge].Names == f.label && turn < maxTurn
}

// finder is a collector that looks for the next junction with a choice.
type finder struct {
	hops uint8
	via  nbg.EdgeID // that reached it
	view []Turn
}

const finderHops = 5

func (f *finder) reset() { f.hops, f.view = 0, f.view[:0] }

func (f *finder) pass(_ *Worker, e nbg.EdgeID, view []Turn) {
	f.hops++
	f.via = e
	f.view = append(f.view[:0], view...)
}

func (f *finder) done() bool {
	if len(f.view) > 2 || f.hops == finderHops {
		f.hops = 0
		return true
	}
	return false
}

// tracer is a collector of the coordinates of a road, up to traceLength.
type tracer struct {
	line   []geo.Coord
	length float64
}

const traceLength = 120.0

func (t *tracer) reset() { t.line, t.length = t.line[:0], 0 }

func (t *tracer) pass(w *Worker, e nbg.EdgeID, _ []Turn) {
	line := w.trace(w.line[:0], e)
	w.line = line
	length := geo.Length(line)
	if length+t.length > traceLength {
		line = trim(line, traceLength-t.length)
	}
	t.line = append(t.line, line...)
	t.length = min(t.length+length, traceLength)
}

func (t *tracer) done() bool { return t.length >= traceLength }
