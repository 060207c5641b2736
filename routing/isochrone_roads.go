package routing

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/contour"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/reach"
)

// isochrones makes isochrones. Its memory is kept for the next one; it belongs to one
// goroutine. Costs are whole numbers in the unit of the search: tenths of a second,
// centimeters, or units of weight.
type isochrones struct {
	net      *graph.Network
	metric   *graph.Metric
	unit     float64 // of weight
	search   *reach.Search
	canvas   *contour.Canvas
	patience int
	limit    *Limits

	seeds   []graph.Seed
	by      ContourUnit
	reverse bool
	shapes  IsochroneShapes
	values  []float64 // of the contours, ascending
	limits  []int64   // the same as costs
	copies  []copied
	ends    []graph.Seed // of denyBeyond
	sets    [][]graph.Seed

	// the stretch at hand, in the direction of travel
	arm      graph.ArmID
	line     []geo.Coord
	costs    []int64
	segments []uint32 // between the places of line

	points []orb.Point // memory of answers
	floats []float64
	ways   []int64
}

// copied is an original whose copy is reached by a better path.
type copied struct {
	original graph.NodeID
	cost     int64
}

func (x *isochrones) begin(r *IsochroneRequest) {
	x.by, x.reverse, x.shapes = r.Unit, r.Reverse, r.shapes()
	x.seeds = x.seeds[:0]
	x.values = append(x.values[:0], r.Contours...)
	slices.Sort(x.values)
	x.values = slices.Compact(x.values)
	x.limits = x.limits[:0]
	for _, v := range x.values {
		x.limits = append(x.limits, int64(min(math.Round(v*x.perUnit()), x.mostCost())))
	}
	x.canvas.Clear()
}

// perUnit returns the costs of the search that make one unit of a contour.
func (x *isochrones) perUnit() float64 {
	switch x.by {
	case ContourDuration:
		return 10
	case ContourDistance:
		return 100
	}
	return x.unit
}

func (x *isochrones) mostCost() float64 {
	if x.by == ContourDistance {
		return math.MaxUint32
	}
	return math.MaxInt32 - 1
}

// most returns the largest limit.
func (x *isochrones) most() int64 { return x.limits[len(x.limits)-1] }

func (x *isochrones) bounds() reach.Limit {
	l := reach.Limit{Weight: -1, Duration: -1, Distance: -1}
	switch x.by {
	case ContourDuration:
		l.Duration = graph.Duration(x.most())
	case ContourDistance:
		l.Distance = x.most()
	default:
		l.Weight = graph.Weight(x.most())
	}
	return l
}

func (x *isochrones) addSeeds(phantoms []graph.Phantom) {
	for i := range phantoms {
		if x.reverse {
			x.seeds = phantoms[i].AppendTargetSeeds(x.seeds, x.net)
		} else {
			x.seeds = phantoms[i].AppendSourceSeeds(x.seeds)
		}
	}
}

// costOf returns what contours measure of a path.
func (x *isochrones) costOf(c *reach.Cost) int64 {
	switch x.by {
	case ContourDuration:
		return c.Duration
	case ContourDistance:
		return c.Distance
	}
	return c.Weight
}

// nodeCost returns what contours measure of a whole search node.
func (x *isochrones) nodeCost(v graph.NodeID) int64 {
	switch x.by {
	case ContourDuration:
		return int64(x.metric.NodeDuration[v])
	case ContourDistance:
		return int64(x.metric.NodeDistance[v])
	}
	return int64(x.metric.NodeWeight[v])
}

// segmentCost returns what contours measure of a segment in a direction, and false if it
// is closed.
func (x *isochrones) segmentCost(direction graph.ArmID, index uint32) (int64, bool) {
	if x.metric.SegmentWeight[direction][index] == graph.InvalidWeight {
		return 0, false
	}
	switch x.by {
	case ContourDuration:
		return int64(x.metric.SegmentDuration[direction][index]), true
	case ContourDistance:
		return int64(x.net.SegmentLength[index]), true
	}
	return int64(x.metric.SegmentWeight[direction][index]), true
}

// step returns the first contour that holds a cost.
func (x *isochrones) step(cost int64) int {
	for i, limit := range x.limits {
		if cost <= limit {
			return i
		}
	}
	return len(x.limits)
}

// reachedPerCheck is the number of search nodes between two looks at the context.
const reachedPerCheck = 1 << 12

// collect marks all that was reached on the canvas, and appends it to the answer.
func (x *isochrones) collect(ctx context.Context, stops []stop, res *IsochroneResponse) error {
	x.points, x.floats, x.ways = nil, nil, nil
	for i := range stops {
		x.collectStop(&stops[i], res)
	}
	x.findCopies()
	copies := x.copies
	reached := x.search.Reached()
	for i := range (int(x.net.Originals) + 63) / 64 {
		if i<<6%reachedPerCheck == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		for word := reached[i]; word != 0; word &= word - 1 {
			v := graph.NodeID(i<<6 + bits.TrailingZeros64(word))
			if uint32(v) >= x.net.Originals {
				break
			}
			for len(copies) > 0 && copies[0].original < v {
				copies = copies[1:]
			}
			if len(copies) == 0 || copies[0].original != v {
				cost := x.search.At(v)
				x.collectNode(v, x.costOf(&cost), res)
			}
		}
		if err := x.limit.CheckReached(res); err != nil {
			return err
		}
	}
	for i := range x.copies {
		x.collectNode(x.copies[i].original, x.copies[i].cost, res)
	}
	x.points, x.floats, x.ways = nil, nil, nil
	return nil
}

// findCopies finds the originals to which a copy leads better: whoever goes there may
// come by any copy, whoever starts there is on the original.
func (x *isochrones) findCopies() {
	x.copies = x.copies[:0]
	if x.reverse {
		return
	}
	reached := x.search.Reached()
	var best reach.Cost
	for _, c := range x.net.Copies {
		if !reached.Get(uint32(c.Copy)) {
			continue
		}
		cost := x.search.At(c.Copy)
		last := len(x.copies) - 1
		known := last >= 0 && x.copies[last].original == c.Original
		switch {
		case known && !cost.Less(&best):
			continue
		case !known && reached.Get(uint32(c.Original)):
			if own := x.search.At(c.Original); !cost.Less(&own) {
				continue
			}
		}
		best = cost
		if !known {
			x.copies = append(x.copies, copied{original: c.Original})
			last++
		}
		x.copies[last].cost = x.costOf(&cost)
	}
}

// collectNode collects what is within the limits of the segment of a search node, to
// whose beginning a path of the cost leads, or from where it starts.
func (x *isochrones) collectNode(v graph.NodeID, cost int64, res *IsochroneResponse) {
	arm := x.net.NodeArm[v]
	if x.shapes&IsochroneRoads == 0 {
		if low, high, ok := x.steps(v, cost); ok {
			if arm.Reverse() && x.coveredByTwin(arm, low) {
				return
			}
			if low == high {
				x.markChain(arm.Chain(), low)
				return
			}
		}
	}
	if x.reverse {
		x.upTo(arm, segments(x.net, arm)-1, nil, cost, 0)
	} else {
		x.along(arm, 0, nil, cost, cost)
	}
	x.add(res)
}

// steps returns the first and the last contour that hold places of a whole search node;
// ok is false if some place is in none.
func (x *isochrones) steps(v graph.NodeID, cost int64) (low, high int, ok bool) {
	if x.metric.NodeWeight[v] == graph.InvalidWeight {
		return 0, 0, false
	}
	near, far := cost, cost+x.nodeCost(v)
	if x.reverse {
		near, far = cost-x.nodeCost(v), cost
	}
	if far > x.most() {
		return 0, 0, false
	}
	low, high = x.step(near), x.step(far)
	return low, high, true
}

// coveredByTwin says whether a contour that the other direction of a road is in holds
// it too.
func (x *isochrones) coveredByTwin(arm graph.ArmID, low int) bool {
	twin := x.net.ArmNode[arm.Twin()]
	if twin == graph.InvalidNode || !x.search.Reached().Get(uint32(twin)) {
		return false
	}
	cost := x.search.At(twin)
	_, high, ok := x.steps(twin, x.costOf(&cost))
	return ok && high <= low
}

// markChain marks a whole chain.
func (x *isochrones) markChain(c graph.ChainID, step int) {
	n := x.net
	places := n.ChainPlaces[n.ChainFirst[c]:n.ChainFirst[c+1]]
	x.canvas.Begin(step, n.Coords[places[0]])
	for _, p := range places[1:] {
		x.canvas.Line(step, n.Coords[p])
	}
}

// collectStop collects what lies on the roads of a coordinate.
func (x *isochrones) collectStop(s *stop, res *IsochroneResponse) {
	phantoms := s.far()
	for i := range phantoms {
		p := &phantoms[i]
		walk := x.costOf(&reach.Cost{Weight: int64(p.Walk.Weight), Duration: int64(p.Walk.Duration), Distance: int64(p.Walk.Distance)})
		if p.InArea {
			x.canvas.Begin(0, p.Input)
		}
		if walk > x.most() {
			continue
		}
		if p.InArea {
			x.canvas.Line(x.step(walk), p.Place)
		}
		x.canvas.Begin(x.step(walk), p.Place)
		for d := range graph.ArmID(2) {
			ok := p.Source[d]
			if x.reverse {
				ok = p.Target[d]
			}
			if !ok {
				continue
			}
			arm := graph.ArmID(p.Chain)<<1 | d
			at := int(p.Segment)
			if arm.Reverse() {
				at = segments(x.net, arm) - 1 - at
			}
			offset := x.costOf(&reach.Cost{Weight: int64(p.Weight[d]), Duration: int64(p.Duration[d]), Distance: int64(p.Distance[d])})
			if x.reverse {
				x.upTo(arm, at, &p.Place, walk+offset, walk)
			} else {
				x.along(arm, at, &p.Place, walk-offset, walk)
			}
			x.add(res)
		}
	}
}

// along makes the stretch of an arm from a place on one of its segments, or from its
// beginning, to where the limit is. base is what it takes to the beginning of the arm,
// or would, cost what it takes to the place.
func (x *isochrones) along(arm graph.ArmID, first int, place *geo.Coord, base, cost int64) {
	n := x.net
	x.startStretch(arm)
	limit, upTo := x.most(), base
	for i := range segments(n, arm) {
		index, from, to := segment(n, arm, i)
		c, ok := x.segmentCost(arm&1, index)
		if i < first {
			upTo += c
			continue
		}
		if !ok {
			return
		}
		if i == first {
			if place == nil {
				place = &n.Coords[from]
			}
			x.stretchTo(*place, cost)
		}
		upTo += c
		// Rounding within the segment may have put the place behind its end.
		after := max(upTo, cost)
		x.segments = append(x.segments, index)
		if after > limit {
			share := float64(limit-cost) / float64(after-cost)
			x.stretchTo(geo.Interpolate(share, x.line[len(x.line)-1], n.Coords[to]), limit)
			return
		}
		x.stretchTo(n.Coords[to], after)
		cost = after
	}
}

// upTo makes the stretch of an arm from where the limit is to a place on one of its
// segments, or to its end. base is what it takes from the beginning of the arm, or
// would, cost what it takes from the place on.
func (x *isochrones) upTo(arm graph.ArmID, last int, place *geo.Coord, base, cost int64) {
	n := x.net
	x.startStretch(arm)
	limit, from := x.most(), base
	for i := range last + 1 {
		index, begin, end := segment(n, arm, i)
		c, ok := x.segmentCost(arm&1, index)
		if !ok {
			x.startStretch(arm)
			continue
		}
		after := from - c
		to := n.Coords[end]
		if i == last && place != nil {
			after, to = cost, *place
		}
		from = max(from, after)
		if after <= limit {
			if len(x.line) == 0 {
				at, cost := n.Coords[begin], from
				if cost > limit {
					at, cost = geo.Interpolate(float64(cost-limit)/float64(cost-after), at, to), limit
				}
				x.stretchTo(at, cost)
			}
			x.segments = append(x.segments, index)
			x.stretchTo(to, after)
		}
		from = after
	}
}

func (x *isochrones) startStretch(arm graph.ArmID) {
	x.arm, x.line, x.costs, x.segments = arm, x.line[:0], x.costs[:0], x.segments[:0]
}

func (x *isochrones) stretchTo(to geo.Coord, cost int64) {
	x.line, x.costs = append(x.line, to), append(x.costs, max(0, cost))
}

// add marks the stretch at hand, and appends it to the answer if that is wanted.
func (x *isochrones) add(res *IsochroneResponse) {
	if len(x.line) < 2 {
		return
	}
	if x.shapes&(IsochronePolygons|IsochroneLines) != 0 {
		x.mark()
	}
	if x.shapes&IsochroneRoads != 0 {
		res.Roads = append(res.Roads, x.road())
	}
}

// mark marks the stretch at hand, cut where a contour ends.
func (x *isochrones) mark() {
	step := x.step(x.costs[0])
	x.canvas.Begin(step, x.line[0])
	for i := range x.segments {
		from, to := x.line[i], x.line[i+1]
		a, b := x.costs[i], x.costs[i+1]
		for ; step < len(x.limits)-1 && b > x.limits[step]; step++ {
			x.canvas.Line(step, geo.Interpolate(float64(x.limits[step]-a)/float64(b-a), from, to))
		}
		for ; step > 0 && b <= x.limits[step-1]; step-- {
			at := geo.Interpolate(float64(a-x.limits[step-1])/float64(a-b), from, to)
			x.canvas.Line(step, at)
			x.canvas.Line(step-1, at)
		}
		x.canvas.Line(step, to)
	}
}

// chunk is the number of values that are allocated at once for the stretches of an
// answer.
const chunk = 1 << 12

// withRoom returns a slice with room for n more.
func withRoom[T any](s []T, n int) []T {
	if cap(s)-len(s) >= n {
		return s
	}
	return make([]T, 0, max(n, chunk))
}

// road returns the stretch at hand as an answer has it.
func (x *isochrones) road() ReachedRoad {
	n := x.net
	count := len(x.line)
	x.points, x.floats, x.ways = withRoom(x.points, count), withRoom(x.floats, count), withRoom(x.ways, count-1)
	p, f, w := len(x.points), len(x.floats), len(x.ways)
	for i, at := range x.line {
		x.points = append(x.points, point(at))
		x.floats = append(x.floats, float64(x.costs[i])/x.perUnit())
	}
	for _, index := range x.segments {
		way := n.Ways.Get(n.SegmentWay[index])
		if x.arm.Reverse() {
			way = -way
		}
		x.ways = append(x.ways, way)
	}
	return ReachedRoad{
		Line:  orb.LineString(x.points[p : p+count : p+count]),
		Costs: x.floats[f : f+count : f+count],
		Ways:  x.ways[w : w+count-1 : w+count-1],
		Name:  n.Strings.Get(n.Roads[n.ArmRoad[x.arm]].Name),
	}
}
