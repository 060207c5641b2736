package junction

import (
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
)

// approach is what decides about turns from one edge into a junction.
type approach struct {
	from nbg.EdgeID
	tail nbg.NodeID
	open bool // from can be driven to the junction
	// uTurn says that turning back is allowed.
	uTurn bool
	// restrictions[first:end] of the junction are those that start at tail.
	first, end int
	// Where roundabout is set the junction lies on one. Angles are between
	// the edge that arrives on it and others: the one that leaves on it, and
	// the road one comes from.
	roundabout              bool
	roundaboutBearing       float64
	roundaboutAngle, origin float64
}

// Allowed says whether one may turn from an edge that enters j into one that
// leaves it: both can be driven, no restriction or barrier forbids it, a U-turn
// has a reason, and a roundabout is not driven against its flow.
func (j *Junction) Allowed(from, to nbg.EdgeID) bool {
	j.approachFrom(from)
	return j.allowed(to)
}

// allowed is Allowed for the last approach.
func (j *Junction) allowed(to nbg.EdgeID) bool {
	p := &j.approach
	out := &j.graph.Edges[to]
	switch {
	case !p.open || out.Reversed || j.restricted(out.Head):
		return false
	case out.Head == p.tail:
		return p.uTurn
	case j.obstacle&nbg.Barrier != 0:
		return false
	case p.roundabout:
		// Forbidden are roads in the sector between the arriving part of
		// the roundabout and the road one comes from, if that lies on the
		// side where the roundabout does not go on.
		target := geo.AngleBetween(p.roundaboutBearing, j.arm(to).Perceived)
		return !(p.origin < p.roundaboutAngle && target < p.origin) &&
			!(p.origin > p.roundaboutAngle && target > p.origin)
	}
	return true
}

// restricted says whether a restriction forbids to go on to a node.
func (j *Junction) restricted(to nbg.NodeID) bool {
	rs := j.restrictions[j.approach.first:j.approach.end]
	for i := range rs {
		if rs[i].restricts(to) {
			return true
		}
	}
	return false
}

// approachFrom sets j.approach for an edge that enters j.
func (j *Junction) approachFrom(from nbg.EdgeID) {
	p := &j.approach
	if p.from == from {
		return
	}
	edge := &j.graph.Edges[from]
	*p = approach{from: from, tail: j.tail(from), open: !edge.Reversed}
	if !p.open {
		return
	}
	rs := j.restrictions
	for p.first < len(rs) && rs[p.first].From < p.tail {
		p.first++
	}
	p.end = p.first
	for p.end < len(rs) && rs[p.end].From == p.tail {
		p.end++
	}
	p.uTurn = j.allowsUTurn(edge)
	if j.circular {
		j.findRoundabout(j.arm(edge.Twin).Perceived)
	}
}

// allowsUTurn says whether one who arrives on an edge may turn back.
func (j *Junction) allowsUTurn(edge *nbg.Edge) bool {
	if j.obstacle&(nbg.Barrier|nbg.Turning) != 0 || len(j.Arms) == 1 {
		return true
	}
	exits, twoWay := 0, 0
	for i := range j.Arms {
		out := &j.graph.Edges[j.Arms[i].Edge]
		if !out.Reversed && !j.restricted(out.Head) {
			exits++
		}
		if !j.graph.Edges[out.Twin].Reversed {
			twoWay++
		}
	}
	if exits == 1 || twoWay <= 1 {
		return true
	}
	if edge.Lanes == 0 {
		return false
	}
	for _, lane := range j.graph.LaneDescriptions[edge.Lanes] {
		if lane&nbg.LaneUTurn != 0 {
			return true
		}
	}
	return false
}

// findRoundabout looks for the edges that arrive and leave on a roundabout,
// seen by one who comes from the road with the given bearing. Of several, as
// where two roundabouts touch, the ones farthest around count.
func (j *Junction) findRoundabout(origin float64) {
	p := &j.approach
	// Not the same to the last bit, which matters where angles are 0.
	origin = geo.ReverseBearing(geo.ReverseBearing(origin))
	var arriving, leaving *Arm
	var widestIn, widestOut float64
	for _, i := range j.order {
		arm := &j.Arms[i]
		out := &j.graph.Edges[arm.Edge]
		if !out.Roundabout && !out.Circular {
			continue
		}
		if out.Reversed {
			if a := geo.AngleBetween(geo.ReverseBearing(arm.Perceived), origin); a > widestIn {
				arriving, widestIn = arm, a
			}
		} else if a := geo.AngleBetween(origin, arm.Perceived); a > widestOut {
			leaving, widestOut = arm, a
		}
	}
	if arriving == nil || leaving == nil {
		return
	}
	p.roundabout = true
	p.roundaboutBearing = geo.ReverseBearing(arriving.Perceived)
	p.roundaboutAngle = geo.AngleBetween(p.roundaboutBearing, leaving.Perceived)
	p.origin = geo.AngleBetween(p.roundaboutBearing, origin)
}
