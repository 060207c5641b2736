package junction

import (
	"math"

	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
)

// Lengths in meters and angles in degrees that OSRM tuned.
const (
	laneWidth = 3.25
	// assumedLanes is how many lanes a junction has whose roads do not tell.
	assumedLanes = 2
	// initialLength is where the initial bearing looks.
	initialLength = 2.0
	// inaccuracy is what repeated places and drawing errors amount to.
	inaccuracy = 2.0
	// lookahead and farLookahead are how far a driver's view goes along the
	// road, the area of the junction's lanes apart.
	lookahead    = 10.0
	farLookahead = 40.0
	// shortVector is the length below which a vector tells no direction.
	shortVector = 2.0
	// near is the distance of a place that shows a road's direction roughly.
	near = 1.0

	straightAngle   = 180.0
	orthogonalAngle = 90.0
	leftAngle       = 270.0
	// noTurn is how far a road that goes straight on may deviate.
	noTurn = 3.0
	// narrowTurn lies between roads that can hardly be told apart.
	narrowTurn = 40.0
	groupAngle = 60.0
	fuzzyAngle = 25.0
)

// Priorities of roads that have wide junctions.
const (
	priorityTrunk   = 2
	priorityPrimary = 4
)

// offsetFactor says by how much the area of a junction is wider than its
// lanes: exits of motorways leave at small angles.
func offsetFactor(c nbg.RoadClass) float64 {
	switch {
	case c.Motorway:
		return 2.5
	case c.Priority == priorityTrunk:
		return 2
	case c.Priority == priorityPrimary:
		return 1.5
	}
	return 1
}

// closeToTurn returns the first place of line that is not right at its start,
// or the last.
func closeToTurn(line []geo.Coord) geo.Coord {
	for _, c := range line[1:] {
		if geo.Distance(c, line[0]) > near {
			return c
		}
	}
	return line[len(line)-1]
}

// representative returns the place such that the direction to it from the
// start of line is that in which a driver perceives the road to leave. Loop
// says that the road returns to its start, lanes is the largest number of lanes
// of the junction's roads, 0 if unknown. It overwrites line.
func (w *Worker) representative(line []geo.Coord, edge *nbg.Edge, loop bool, lanes uint8) geo.Coord {
	if loop && len(line) > 1 {
		return line[1]
	}
	if len(line) <= 2 {
		return line[len(line)-1]
	}
	if edge.Roundabout || edge.Circular {
		return atLength(inaccuracy, line)
	}
	if edge.Class.MayBeIgnored {
		// Small roads are drawn too differently for anything finer.
		line = trim(line, lookahead)
		return line[len(line)-1]
	}
	if lanes == 0 {
		lanes = assumedLanes
	}
	considered := offsetFactor(edge.Class) * float64(lanes)
	width := considered * laneWidth
	if geo.Distance(line[0], line[1]) > width+lookahead {
		return line[1]
	}
	return w.representativeOfShape(line, considered, width)
}

// representativeOfShape is representative for a road whose shape near a junction
// of a width decides; considered is the width in lanes.
func (w *Worker) representativeOfShape(line []geo.Coord, considered, width float64) geo.Coord {
	start := line[0]
	limit := farLookahead + width
	w.steps = appendSteps(w.steps[:0], line, limit)
	line = trimBySteps(line, limit, w.steps)
	steps := w.steps[:len(line)]
	last := len(line) - 1
	steps[last] = min(steps[last], limit)
	total := 0.0
	for _, step := range steps {
		total += step
	}
	if last == 1 || total <= inaccuracy {
		return line[last]
	}
	if deviation(line, line[0], line[last]) < 0.5*laneWidth {
		if line[0] == line[last] {
			return atLength(inaccuracy, line)
		}
		return line[last]
	}

	straight, straightLength := straightPart(line, steps)
	if straightLength >= width+lookahead {
		return atLengthBySteps(5, line, steps)
	}
	if a, b := w.regressionAlong(line); deviation(line, a, b) < 0.35*laneWidth {
		return moved(start, onSegment(a, b, line[0]), onSegment(a, b, line[last]))
	}
	if isOffset(line, steps, straight, straightLength, total, considered) {
		return moved(start, line[straight], line[straight+1])
	}
	if w.isCurve(line, steps, total, width) {
		return curveStart(line, steps)
	}
	return w.representativeBeyond(line, steps, total, width)
}

// representativeBeyond is representative for a road of which nothing better is
// known than where it leads.
func (w *Worker) representativeBeyond(line []geo.Coord, steps []float64, total, width float64) geo.Coord {
	start := line[0]
	// Beyond the junction's area the road may be straight.
	length := 0.8 * width
	w.rest = appendBeyond(w.rest[:0], line, 0.8*length)
	if len(w.rest) >= 2 && total >= length+2 {
		if a, b := w.regressionAlong(w.rest); deviation(w.rest, a, b) < 0.5*laneWidth {
			return moved(start, a, b)
		}
	}
	if at := atLengthBySteps(lookahead, line, steps); at != start {
		return at
	}
	for _, c := range line {
		if c != start {
			return c
		}
	}
	return start
}

// straightPart returns the index of the last place up to which line is nearly
// straight, at least 1, and the length up to there.
func straightPart(line []geo.Coord, steps []float64) (index int, length float64) {
	length = steps[1]
	for i := 2; i < len(line); i++ {
		if deviation(line[:i], line[0], line[i]) >= 0.25*laneWidth {
			return i - 1, length
		}
		length += steps[i]
	}
	return len(line) - 1, length
}

// moved returns head, shifted by most of what base is off from start: the
// direction from start to it is that from base to head. If base and head are
// too near to each other for that, it is head.
func moved(start, base, head geo.Coord) geo.Coord {
	if geo.Distance(base, head) < shortVector {
		return head
	}
	const percent = 90
	return geo.Coord{
		Lon: head.Lon - percent*(base.Lon-start.Lon)/100,
		Lat: head.Lat - percent*(base.Lat-start.Lat)/100,
	}
}

// isOffset says whether line begins with a short way across the junction's
// lanes and goes on straight: up to the place straight, which is straightLength
// away, it crosses.
func isOffset(line []geo.Coord, steps []float64, straight int, straightLength, total, lanes float64) bool {
	if straight+1 >= len(line) {
		return false
	}
	across := 0.0
	for _, step := range steps[:straight+1] {
		across += step
	}
	// OSRM counts whole lanes here.
	half := 0.5 * math.Trunc(min(lanes, math.MaxUint8)) * laneWidth
	if !(across-half < laneWidth) {
		return false
	}
	if total < 0.4*farLookahead || total-max(straightLength, steps[1]) < 0.1*total {
		return false
	}
	end := straight
	for end < len(steps) && steps[end] < 30 {
		end++
	}
	end = min(end+1, len(line))
	return 0.5*laneWidth > deviation(line[straight:end], line[straight], line[end-1])
}

// isCurve says whether line bends steadily to one side. Width is that of the
// junction, total the length of line, both in meters.
func (w *Worker) isCurve(line []geo.Coord, steps []float64, total, width float64) bool {
	last := len(line) - 1
	turn := geo.AngularDeviation(geo.Bearing(line[0], line[1]), geo.Bearing(line[last-1], line[last]))
	if turn <= 0.5*narrowTurn {
		return false
	}
	for i := 2; i < last; i++ {
		if geo.CounterClockwise(line[0], line[last], line[i]) != geo.CounterClockwise(line[0], line[last], line[1]) {
			return false
		}
	}
	peak, most, ok := bulge(line)
	if !ok {
		return false
	}
	toPeak := 0.0
	for _, step := range steps[:peak+1] {
		toPeak += step
	}
	if total > lookahead && (toPeak <= 0.35*total || most < max(0.3*width, 0.5*laneWidth)) {
		return false
	}
	w.angles = w.angles[:0]
	for i := 0; i+2 < len(line); i++ {
		w.angles = append(w.angles, geo.Angle(line[i], line[i+1], line[i+2]))
	}
	return total > 2*width && bendsSteadily(w.angles, steps, total, width)
}

// bulge returns the place of line that deviates most from the segment between
// its ends, and by how many meters, if the deviation rises up to there and
// falls behind.
func bulge(line []geo.Coord) (peak int, most float64, ok bool) {
	last := len(line) - 1
	off := func(i int) float64 { return geo.DistanceToSegment(line[i], line[0], line[last]) }
	if last == 2 {
		return 1, off(1), true
	}
	peak, most = 1, off(1)
	for peak < last {
		next := off(peak + 1)
		if next < most {
			break
		}
		peak, most = peak+1, next
	}
	if peak == last {
		return last, 0, true
	}
	before := off(peak + 1)
	for i := peak + 2; i <= last; i++ {
		next := off(i)
		if next > before {
			return 0, 0, false
		}
		before = next
	}
	return peak, most, true
}

// bendsSteadily says whether the angles at the inner places of a line belong
// to a curve: none turns back, and no straight part is long.
func bendsSteadily(angles, steps []float64, total, width float64) bool {
	const nearlyStraight = 5
	lastStraight := false
	straight := max(0, steps[1]-width)
	for i := 1; i < len(angles); i++ {
		before, angle := angles[i-1], angles[i]
		if geo.AngularDeviation(before, straightAngle) > fuzzyAngle &&
			geo.AngularDeviation(angle, straightAngle) > fuzzyAngle &&
			(before > straightAngle) == (angle < straightAngle) {
			return false
		}
		isStraight := geo.AngularDeviation(angle, straightAngle) < nearlyStraight
		switch step := steps[i+1]; {
		case isStraight:
			straight += step
			if lastStraight && straight > 0.3*total {
				return false
			}
		case straight > 0.3*total:
			return false
		default:
			straight = step
		}
		lastStraight = isStraight
	}
	return true
}

// curveStart returns the place that shows how a curve begins, past what models
// the turn itself. It overwrites line and steps.
func curveStart(line []geo.Coord, steps []float64) geo.Coord {
	start := line[0]
	line = trimBySteps(line, 3*inaccuracy, steps)
	last := len(line) - 1
	steps = steps[:last+1]
	steps[last] = geo.Distance(line[last-1], line[last])
	head := line[last]
	line = trimBySteps(line, 2*inaccuracy, steps)
	return moved(start, line[len(line)-1], head)
}
