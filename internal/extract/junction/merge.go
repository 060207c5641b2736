package junction

import (
	"math"

	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
)

const (
	// mergeAngle is how far apart roads to be merged may leave.
	mergeAngle = 95.0
	// mergeReach is how near a junction must be for its merges to matter.
	mergeReach = 30.0
)

// merge gives the halves of split roads one bearing: where they meet at j, and
// where they do so at the other end of a short road.
func (w *Worker) merge(j *Junction) {
	n := len(j.ring)
	if n >= 3 {
		for i := range n {
			if !w.mergeable(j, i) {
				continue
			}
			l, r := j.ringArm(i), j.ringArm(i+1)
			_, bearing := w.mergedBearing(j, l, r, false)
			l.Initial, l.Perceived = bearing, bearing
			r.Initial, r.Perceived = bearing, bearing
			half := l
			if w.graph.Edges[r.Edge].Reversed {
				half = r
			}
			half.Merged = true
			j.joined = append(j.joined, l.Edge, r.Edge)
		}
	}
	if n < 2 {
		return
	}
	for i := range n {
		arm := j.ringArm(i)
		if arm.Length <= mergeReach && !j.isJoined(arm.Edge) {
			w.followMerge(arm)
		}
	}
}

// ringArm returns the i-th arm clockwise, counted around.
func (j *Junction) ringArm(i int) *Arm {
	return &j.Arms[j.ring[(i+len(j.ring))%len(j.ring)]]
}

// isJoined says whether an edge was merged with another at j.
func (j *Junction) isJoined(e nbg.EdgeID) bool {
	for _, k := range j.joined {
		if k == e {
			return true
		}
	}
	return false
}

// followMerge turns a short road by as much as it is turned at its other end
// by a merge there.
func (w *Worker) followMerge(arm *Arm) {
	edge := &w.graph.Edges[arm.Edge]
	if !w.mayMergeAt(edge.Head, edge.Twin) {
		return
	}
	j := &w.near
	w.load(j, edge.Head, false)
	n := len(j.ring)
	at := 0
	for j.ringArm(at).Edge != edge.Twin {
		at++
	}
	back := j.ringArm(at)
	switch {
	case w.mergeable(j, (at+n-1)%n):
		if ok, bearing := w.mergedBearing(j, j.ringArm(at-1), back, true); ok {
			arm.turn(-geo.AngularDeviation(bearing, back.Perceived))
		}
	case w.mergeable(j, at):
		if ok, bearing := w.mergedBearing(j, back, j.ringArm(at+1), true); ok {
			arm.turn(geo.AngularDeviation(bearing, back.Perceived))
		}
	}
}

// turn turns the arm clockwise, by less than a circle.
func (a *Arm) turn(degrees float64) {
	bearing := a.Perceived
	if degrees < 0 {
		bearing += 360
	}
	a.Perceived = math.Mod(bearing+degrees, 360)
	a.Initial = a.Perceived
}

// mayMergeAt says whether an edge that leaves n can have another half there,
// without a look at geometry.
func (w *Worker) mayMergeAt(n nbg.NodeID, e nbg.EdgeID) bool {
	if w.graph.Degree(n) <= 2 {
		return false // the same road would stand on both sides
	}
	first, end := w.graph.Out(n)
	for other := first; other < end; other++ {
		if other != e && w.areHalves(e, other) {
			return true
		}
	}
	return false
}

// areHalves says whether two edges that leave a node look like one road: one
// half leaves, the other arrives.
func (w *Worker) areHalves(l, r nbg.EdgeID) bool {
	a, b := &w.graph.Edges[l], &w.graph.Edges[r]
	return a.Reversed != b.Reversed && w.sameRoad(a, b)
}

// sameRoad says whether edges have what halves of one road have in common.
func (w *Worker) sameRoad(a, b *nbg.Edge) bool {
	return !a.Roundabout && !b.Roundabout && a.Mode == b.Mode &&
		a.Class.Motorway == b.Class.Motorway && a.Class.Link == b.Class.Link &&
		a.Class.MayBeIgnored == b.Class.MayBeIgnored && a.Class.Priority == b.Class.Priority &&
		w.identical(a.Names, b.Names)
}

// mergeable says whether the roads i and i+1 clockwise are halves of one, and
// no other road could take part.
func (w *Worker) mergeable(j *Junction, i int) bool {
	l, r := j.ringArm(i), j.ringArm(i+1)
	return geo.AngularDeviation(l.Perceived, r.Perceived) <= mergeAngle &&
		w.areHalves(l.Edge, r.Edge) &&
		w.distinct(j.ringArm(i-1), l) && w.distinct(r, j.ringArm(i+2)) &&
		w.formOneRoad(j.Node, l, r)
}

// distinct says whether two roads cannot be taken for halves of one.
func (w *Worker) distinct(l, r *Arm) bool {
	return geo.AngularDeviation(l.Perceived, r.Perceived) > mergeAngle ||
		!w.identical(w.graph.Edges[l.Edge].Names, w.graph.Edges[r.Edge].Names)
}

// mergedBearing returns the bearing of the road that l and r, its neighbor
// clockwise, are merged to, and whether neighbors of the junction should follow
// it. Nearby is set at the neighbor of the junction that is analyzed.
func (w *Worker) mergedBearing(j *Junction, l, r *Arm, nearby bool) (follow bool, bearing float64) {
	entry := l
	if w.graph.Edges[l.Edge].Reversed {
		entry = r
	}
	opposite := j.oppositeBearing(entry.Perceived)
	if geo.AngularDeviation(geo.AngleBetween(opposite, entry.Perceived), straightAngle) < noTurn {
		// A road goes straight over the junction; a merge would bend it.
		return false, entry.Perceived
	}
	bearing = bisector(r.Perceived, l.Perceived)
	if nearby {
		off := func(b float64) float64 {
			return geo.AngularDeviation(geo.AngleBetween(opposite, b), straightAngle)
		}
		if merged := off(bearing); off(l.Perceived) < merged || off(r.Perceived) < merged {
			return false, opposite
		}
	}
	return true, bearing
}

// oppositeBearing returns the bearing in which one drives out of the road that
// lies most nearly opposite to a bearing.
func (j *Junction) oppositeBearing(bearing float64) float64 {
	bearing = geo.ReverseBearing(bearing)
	best, least := 0.0, math.Inf(1)
	for i := range j.ring {
		arm := j.ringArm(i)
		if d := geo.AngularDeviation(arm.Perceived, bearing); d < least {
			best, least = arm.Perceived, d
		}
	}
	return geo.ReverseBearing(best)
}

// bisector returns the bearing in the middle of two.
func bisector(a, b float64) float64 {
	a, b = radians(a), radians(b)
	middle := 180 * math.Atan2(math.Sin(a)+math.Sin(b), math.Cos(a)+math.Cos(b)) * (1 / math.Pi)
	return math.Mod(middle+360, 360)
}

// formOneRoad says whether the geometry of two halves is that of one road, for
// all that a driver cares.
func (w *Worker) formOneRoad(n nbg.NodeID, l, r *Arm) bool {
	head := func(e nbg.EdgeID) nbg.NodeID { return w.graph.Edges[e].Head }
	if head(l.Edge) == n || head(r.Edge) == n {
		return false
	}
	left, right := w.pastDegreeTwo(l.Edge), w.pastDegreeTwo(r.Edge)
	switch {
	case head(left) == n || head(right) == n: // a loop
		return false
	case head(left) == head(right) && w.isIsland(n, head(left)):
		return true
	case w.isLink(l.Edge, left) || w.isLink(r.Edge, right):
		return false
	case w.isNarrowTriangle(n, l, r):
		return true
	}
	return w.sameDirection(l, r) && !w.isCircle(l, r)
}

// isIsland says whether the ways between two nodes, where they split and join,
// pass a mere traffic island.
func (w *Worker) isIsland(split, join nbg.NodeID) bool {
	const (
		short = 15 // meters
		long  = 30 // if the road does nothing but split and join
	)
	distance := geo.Distance(w.graph.Coords[split], w.graph.Coords[join])
	first, second := w.onlySplits(split), w.onlySplits(join)
	return first && second && distance < long || (first != second) && distance < short
}

// onlySplits says whether a node has three roads, all of the same name.
func (w *Worker) onlySplits(n nbg.NodeID) bool {
	if w.graph.Degree(n) != 3 {
		return false
	}
	first, end := w.graph.Out(n)
	wanted := first
	for e := first + 1; e < end; e++ {
		if w.following(e, n) < w.following(wanted, n) {
			wanted = e
		}
	}
	label := w.graph.Edges[wanted].Names
	for e := first; e < end; e++ {
		other := w.graph.Edges[e].Names
		if w.nameless(label) && w.nameless(other) ||
			w.nameChanges(label, other) && w.nameChanges(other, label) {
			return false
		}
	}
	return true
}

// isLink says whether a road is only a link to another one that has its name.
// End is its last edge before the junction with that.
func (w *Worker) isLink(road, end nbg.EdgeID) bool {
	view := w.viewAhead(end, false)
	label := w.graph.Edges[road].Names
	on, least := -1, math.Inf(1)
	for i := range view {
		other := w.graph.Edges[view[i].Edge].Names
		if w.nameless(label) || w.nameless(other) ||
			w.nameChanges(label, other) || w.nameChanges(other, label) {
			continue
		}
		if d := geo.AngularDeviation(view[i].Angle, straightAngle); d < least {
			on, least = i, d
		}
	}
	if on < 0 {
		return false
	}
	ahead := &view[on]
	behind := &view[closest(view, geo.NormalizeAngle(ahead.Angle+straightAngle))]
	a, b := &w.graph.Edges[ahead.Edge], &w.graph.Edges[behind.Edge]
	if b.Head == w.tail(end) {
		return false
	}
	// The road one comes from might be the opposite one as well.
	if geo.AngularDeviation(geo.AngularDeviation(ahead.Angle, straightAngle), geo.AngularDeviation(behind.Angle, 0)) < fuzzyAngle {
		return false
	}
	return geo.AngularDeviation(behind.Angle, ahead.Angle) >= straightAngle-fuzzyAngle &&
		a.Reversed == b.Reversed && w.sameRoad(a, b)
}

// isNarrowTriangle says whether the road splits just before another one that
// both halves meet: the three roads form a narrow triangle.
func (w *Worker) isNarrowTriangle(n nbg.NodeID, l, r *Arm) bool {
	const (
		maxDistance = 80 // meters
		maxIsland   = 10
	)
	g := w.graph
	f := follower{label: g.Edges[l.Edge].Names, bearing: l.Perceived}
	corner := func(f *finder) nbg.NodeID { return g.Edges[f.via].Head }

	left, right := &w.left, &w.right
	w.findCorner(left, l.Edge, f, orthogonalAngle)
	if geo.Distance(g.Coords[n], g.Coords[corner(left)]) > maxDistance {
		return false
	}
	w.findCorner(right, r.Edge, f, leftAngle)

	connector := left.view[closest(left.view, orthogonalAngle)]
	if geo.AngularDeviation(connector.Angle, orthogonalAngle) > narrowTurn {
		return false
	}
	lanes := int(max(g.Edges[l.Edge].Class.Lanes, 1)) + int(max(g.Edges[r.Edge].Class.Lanes, 1))
	if geo.Distance(g.Coords[corner(left)], g.Coords[corner(right)]) > float64(float64(lanes)*laneWidth)+maxIsland {
		return false
	}
	w.connection.reset()
	w.walk(connector.Edge, f, &w.connection)
	return corner(&w.connection) == corner(right)
}

// findCorner looks for the junction at the end of a half, where a road leaves
// at about the given angle. It passes one small side road.
func (w *Worker) findCorner(c *finder, e nbg.EdgeID, f follower, angle float64) {
	c.reset()
	w.walk(e, f, c)
	if geo.AngularDeviation(c.view[closest(c.view, angle)].Angle, angle) > narrowTurn {
		w.walk(c.view[closest(c.view, straightAngle)].Edge, f, c)
	}
}

// sameDirection says whether two halves run parallel and near each other.
func (w *Worker) sameDirection(l, r *Arm) bool {
	const (
		minLength     = 40 // meters
		interval      = 5
		maxSeparation = 12
	)
	w.traceHalf(&w.leftTrace, l, l.Perceived, true)
	if w.leftTrace.length <= minLength {
		return false
	}
	w.traceHalf(&w.rightTrace, r, l.Perceived, true)
	if w.rightTrace.length <= minLength {
		return false
	}
	left, right := w.leftTrace.line, w.rightTrace.line
	joins := left[len(left)-1] == right[len(right)-1]
	w.samples = appendSamples(w.samples[:0], left, traceLength, interval)
	w.rest = appendSamples(w.rest[:0], right, traceLength, interval)
	left, right = w.samples, w.rest
	if !joins {
		left, right = left[len(left)/3:], right[len(right)/3:]
	}
	if !w.parallel(left, right) {
		return false
	}
	distance := min(
		geo.DistanceToLine(left[len(left)/2], right),
		geo.DistanceToLine(right[len(right)/2], left),
	)
	g := w.graph
	lanes := int(max(1, g.Edges[l.Edge].Class.Lanes)) + int(max(1, g.Edges[r.Edge].Class.Lanes))
	return distance <= float64(0.5*float64(lanes)*laneWidth)+maxSeparation
}

// traceHalf sets t to the coordinates of a half and what follows it.
func (w *Worker) traceHalf(t *tracer, arm *Arm, bearing float64, unambiguous bool) {
	t.reset()
	w.walk(arm.Edge, follower{w.graph.Edges[arm.Edge].Names, bearing, unambiguous}, t)
}

// isCircle says whether two halves form nearly a circle, which one would not
// take for one road.
func (w *Worker) isCircle(l, r *Arm) bool {
	// roundness is the least share of a circle's area, for the perimeter, of
	// what counts as one. That of a square is 0.79.
	const roundness = 0.85 / (4 * math.Pi)
	w.traceHalf(&w.leftTrace, l, l.Perceived, false)
	w.traceHalf(&w.rightTrace, r, l.Perceived, false)
	left, right := w.leftTrace.line, w.rightTrace.line
	end := left[len(left)-1]
	if end != right[len(right)-1] || end != left[0] {
		return false
	}
	return math.Abs(area(left))/(w.leftTrace.length*w.leftTrace.length) >= roundness
}
