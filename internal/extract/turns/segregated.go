package turns

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/junction"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
)

// Segregated says whether an edge of a length in meters lies within a crossing
// of split roads: one-way roads enter it at its start from a side and leave it
// at its end to a side.
func (w *Worker) Segregated(e nbg.EdgeID, length float64) bool {
	const maxLength = 32
	edge := &w.g.Edges[e]
	if edge.Reversed || length > maxLength || circular(edge) {
		return false
	}
	in := w.sideways(edge.Twin, true)
	if !in.oneWay {
		return false
	}
	out := w.sideways(e, false)
	if !out.oneWay {
		return false
	}
	return !(in.left && out.right || in.right && out.left || out.left && out.right)
}

// sides tells what meets an end of an edge.
type sides struct {
	oneWay      bool // a one-way road from or to a side
	left, right bool // turns to or from the edge
}

// sideways looks at the end of an edge for roads that lead on from it or, if
// arriving, into it: then e is seen against its direction.
func (w *Worker) sideways(e nbg.EdgeID, arriving bool) sides {
	var s sides
	at := w.g.Edges[e].Head
	end := w.closeTo(w.g.Edges[e].Twin)
	first, last := w.g.Out(at)
	for o := first; o < last; o++ {
		if w.g.Edges[o].Head == w.Tail(e) {
			continue
		}
		other := &w.g.Edges[o]
		if arriving {
			other = &w.g.Edges[other.Twin]
		}
		if other.Reversed {
			continue
		}
		var angle float64
		if side := w.closeTo(o); arriving {
			angle = geo.Angle(side, w.g.Coords[at], end)
		} else {
			angle = geo.Angle(end, w.g.Coords[at], side)
		}
		switch graph.ModifierOf(angle) {
		case graph.Right, graph.SharpRight:
			s.right = true
		case graph.Left, graph.SharpLeft:
			s.left = true
		}
		twoWay := other.Split || !w.oneWay(other)
		if !twoWay && !other.Class.Link && other.Class.Priority <= prioritySideResidential && !(angle > 150 && angle < 210) {
			s.oneWay = true
		}
	}
	return s
}

// closeTo returns the place that tells in which direction an edge leaves.
func (w *Worker) closeTo(e nbg.EdgeID) geo.Coord {
	w.line = w.Trace(w.line[:0], e)
	return junction.CloseToTurn(w.line)
}
