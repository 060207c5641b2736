package junction

import (
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
)

// Ahead returns the view of the junction that an edge leads to, without merges;
// closely looks at the first meters of its roads only. It is valid until the
// next use of the worker, but for that of a Junction which At returned.
func (w *Worker) Ahead(e nbg.EdgeID, closely bool) []Turn { return w.viewAhead(e, closely) }

// ArmsOf returns the roads of the junction at n, without merges, in the order
// of their edges. It is valid as long as what Ahead returns.
func (w *Worker) ArmsOf(n nbg.NodeID) []Arm {
	w.load(&w.ahead, n, false)
	return w.ahead.Arms
}

// NameChanges says whether going from one label to another is worth an
// announcement for its name. That is not symmetric.
func (w *Worker) NameChanges(from, to uint32) bool { return w.nameChanges(from, to) }

// SameName says whether two labels name the same road, neither being empty.
func (w *Worker) SameName(a, b uint32) bool { return w.identical(a, b) }

// Nameless says whether a label lacks a name, whatever else it has.
func (a *Analyzer) Nameless(label uint32) bool { return a.nameless(label) }

// Tail returns the node that an edge leaves.
func (a *Analyzer) Tail(e nbg.EdgeID) nbg.NodeID { return a.tail(e) }

// PastDegreeTwo follows a road from an edge on over nodes that have no choice,
// and returns the edge that reaches a junction, or the node it started from.
func (a *Analyzer) PastDegreeTwo(e nbg.EdgeID) nbg.EdgeID { return a.pastDegreeTwo(e) }

// Trace appends the coordinates along an edge to line, without repetitions.
// There is at least one.
func (a *Analyzer) Trace(line []geo.Coord, e nbg.EdgeID) []geo.Coord { return a.trace(line, e) }

// CloseToTurn returns the place of line that tells in which direction it
// leaves its start: the first at some distance from it, or else the last.
func CloseToTurn(line []geo.Coord) geo.Coord { return closeToTurn(line) }
