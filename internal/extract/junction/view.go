package junction

import (
	"math"

	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
)

// Turn is a road of a junction as seen from another one.
type Turn struct {
	Arm
	// Angle of the turn into the road, 0 … 360: 0 is a U-turn, 90 right, 180
	// straight on, 270 left. (What profiles call a turn's angle is 180 less
	// this.)
	Angle float64
	// Allowed says whether one may turn into the road.
	Allowed bool
	// key orders the roads as they are mapped.
	key float64
}

// zeroAngle is the bound below which an angle is 0.
const zeroAngle = 0x1p-52

func isUTurn(angle float64) bool { return math.Abs(angle) < zeroAngle }

// UTurn says whether the angle is one of a U-turn.
func (t *Turn) UTurn() bool { return !(t.Angle > 0 && t.Angle < 360) }

// View returns the roads of j as seen from an edge that enters it: first the
// road one comes from (or what stands for it, see below), then
// counter-clockwise, that is from sharp right to sharp left. Every allowed turn
// is in it, once; so are roads that one may not enter, unless they were merged
// with another. The road one comes from is left out where another road, such as
// the other carriageway, allows the U-turn instead of it. The result is valid
// until the next View.
func (j *Junction) View(from nbg.EdgeID) []Turn {
	j.approachFrom(from)
	// The edge may have been merged with another, with the bearing of both.
	in := *j.arm(j.graph.Edges[from].Twin)
	in.Initial, in.Perceived = geo.ReverseBearing(in.Initial), geo.ReverseBearing(in.Perceived)

	view := append(j.view[:0], Turn{})
	back := Turn{Arm: Arm{Edge: nbg.InvalidEdge}}
	uTurns := 0
	for _, i := range j.order {
		t := Turn{Arm: j.Arms[i], Allowed: j.allowed(j.Arms[i].Edge)}
		t.Angle = turnAngle(in.Perceived, t.Perceived)
		initial := geo.AngleBetween(in.Initial, t.Initial)
		// A sharp turn that is mapped to the other side is a U-turn: the
		// side is noise.
		if t.Allowed && (t.Angle < 15 && initial > 180 || t.Angle > 345 && initial < 180) {
			t.Angle, initial = 0, 0
		}
		if j.graph.Edges[t.Edge].Head == j.approach.tail {
			back = t
			continue
		}
		if !t.Allowed && (t.Merged || isUTurn(t.Angle)) {
			continue
		}
		if isUTurn(t.Angle) {
			uTurns++
		}
		t.key = orderKey(t.Angle, initial)
		view = append(view, t)
	}
	view[0] = back
	j.view = view
	rest := view[1:]
	if back.Edge != nbg.InvalidEdge && (back.Allowed || uTurns == 0) {
		rest = view
	}
	sortTurns(rest)
	keepOrder(rest)
	if back.Edge != nbg.InvalidEdge && !hasUTurn(rest) {
		// The U-turn that stood for the way back was moved to another angle.
		return view
	}
	return rest
}

// turnAngle is the angle between two bearings in [0, 360), without the noise
// of their computation.
func turnAngle(in, out float64) float64 {
	angle := math.Round(geo.AngleBetween(in, out)*1e8) / 1e8
	if angle >= 360 {
		angle -= 360
	}
	return angle
}

// orderKey returns the angle by which a road is put in order: the one between
// initial bearings, unless it lies on the other side of the road one comes from
// than the perceived one.
func orderKey(angle, initial float64) float64 {
	switch {
	case isUTurn(initial) && angle > 180:
		return 360
	case isUTurn(initial):
		return 0
	case angle > 270 && initial < 90 || angle < 90 && initial > 270:
		return angle
	}
	return initial
}

// sortTurns sorts by key and angle; equal ones stay in order. Roads are few.
func sortTurns(view []Turn) {
	for i := 1; i < len(view); i++ {
		for k := i; k > 0; k-- {
			a, b := &view[k-1], &view[k]
			if a.key < b.key || a.key == b.key && a.Angle <= b.Angle {
				break
			}
			*a, *b = *b, *a
		}
	}
}

// keepOrder moves angles so that they rise in the order of the mapped roads.
func keepOrder(view []Turn) {
	const step = 0.5
	for i := 1; i < len(view); i++ {
		before, t := &view[i-1], &view[i]
		if t.Angle < before.Angle {
			gap := geo.NormalizeAngle(360 - before.Angle)
			t.Angle = geo.NormalizeAngle(before.Angle + min(step, gap/2))
		}
	}
}

func hasUTurn(view []Turn) bool {
	for i := range view {
		if isUTurn(view[i].Angle) {
			return true
		}
	}
	return false
}

// Sides returns the roads of a view that lie to the right and to the left of
// turn i; neither holds the first one or the turn itself. For a U-turn there is
// no left: both slices together are its right. Number is OSRM's number of
// roads, the one that profiles see.
func Sides(view []Turn, i int) (right, left []Turn, number int) {
	if i > 0 {
		right = view[1:i]
	}
	left = view[i+1:]
	number = len(right) + len(left) + 2
	if view[i].UTurn() {
		number--
	}
	return right, left, number
}

// closest returns the index of the road of view whose angle is nearest to
// angle, the first of equal ones.
func closest(view []Turn, angle float64) int {
	best, least := 0, math.Inf(1)
	for i := range view {
		if d := geo.AngularDeviation(view[i].Angle, angle); d < least {
			best, least = i, d
		}
	}
	return best
}
