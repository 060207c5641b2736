package traffic

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// MaxSources is the number of data sources besides the profile.
const MaxSources = math.MaxUint8

// maxSegment is the largest weight and duration of a segment, as at extraction.
const maxSegment = 1<<22 - 2

// WeightRule says where the weight of a segment comes from whose speed changes.
type WeightRule uint8

// The rules.
const (
	// WeightFollows makes the weight what the duration is: a rate of speed/3.6.
	WeightFollows WeightRule = iota
	// WeightRate makes it the length divided by Speed.Rate.
	WeightRate
	// WeightKept keeps the weight as it is.
	WeightKept
)

// Speed is what changes for a segment in one direction.
type Speed struct {
	// KMH is the speed in km/h; 0 and less closes the segment.
	KMH float64
	// Rate is in meters per unit of weight; 0 and less closes the segment. It
	// counts with WeightRate alone.
	Rate float64
	Rule WeightRule
}

// Penalty is what a turn costs besides its roads.
type Penalty struct {
	Seconds float64
	// Weight is in units of weight. NaN makes it what Seconds are, in tenths,
	// as if the weight were a duration.
	Weight float64
}

// Updater makes a metric of another one and changes to it. Changed values are
// rounded as OSRM rounds them.
type Updater struct {
	index *Index
	net   *graph.Network
	base  *graph.Metric
	m     graph.Metric
	unit  float64 // units of weight in 1
	// nodes are the search nodes to sum anew; touched has a bit for each.
	nodes   []graph.NodeID
	touched graph.Bits
	// sources are the names of data sources, those of base first.
	sources []string
	// following are the segments, by direction, whose weight follows their
	// speed though it is no duration; nil where it is one.
	following [2]graph.Bits
	segments  bool // are the segments of m its own
	turns     bool // are the turns of m its own
	report    *Report
}

// NewUpdater returns an Updater that starts from a metric of the index' network.
// It counts what it does in the report.
func NewUpdater(x *Index, base *graph.Metric, report *Report) *Updater {
	u := &Updater{
		index: x, net: x.net, base: base, m: *base,
		unit:    x.unit(),
		touched: graph.MakeBits(x.net.NumNodes()),
		sources: slices.Clone(base.Sources),
		report:  report,
	}
	if len(u.sources) == 0 {
		u.sources = []string{profileSource}
	}
	if x.net.Properties.WeightName != "duration" {
		for d := range u.following {
			u.following[d] = graph.MakeBits(len(x.net.ChainPlaces))
		}
	}
	return u
}

// profileSource is how answers call the profile.
const profileSource = "lua profile"

// ErrTooManySources tells that data sources have no numbers left.
var ErrTooManySources = fmt.Errorf("traffic: more than %d data sources; join some of them", MaxSources)

// Source returns the number of a new data source, whose name answers may show.
func (u *Updater) Source(name string) (uint8, error) {
	if len(u.sources) > MaxSources {
		return 0, ErrTooManySources
	}
	u.sources = append(u.sources, name)
	return uint8(len(u.sources) - 1), nil
}

// ownSegments copies the segments before the first change.
func (u *Updater) ownSegments() {
	if u.segments {
		return
	}
	u.segments = true
	for d := range 2 {
		u.m.SegmentWeight[d] = slices.Clone(u.base.SegmentWeight[d])
		u.m.SegmentDuration[d] = slices.Clone(u.base.SegmentDuration[d])
		if u.m.SegmentSource[d] = slices.Clone(u.base.SegmentSource[d]); u.m.SegmentSource[d] == nil {
			u.m.SegmentSource[d] = make([]uint8, len(u.net.ChainPlaces))
		}
	}
}

// Segment changes the segment from one OSM node to its neighbor; source is where
// that comes from. It reports false if there is none that can be driven in that
// direction.
func (u *Updater) Segment(from, to int64, s Speed, source uint8) bool {
	at, ok := u.index.find(u.index.place(from), u.index.place(to))
	return ok && u.change(at, s, source)
}

// change changes a segment. It reports false if it cannot be driven.
func (u *Updater) change(at segment, s Speed, source uint8) bool {
	segment, d := at.index, at.arm&1
	if u.base.SegmentWeight[d][segment] == graph.InvalidWeight {
		return false
	}
	u.ownSegments()
	weight, duration, capped := s.units(u.net, u.unit, u.base.SegmentWeight[d][segment], segment)
	u.report.Capped += capped
	u.m.SegmentWeight[d][segment], u.m.SegmentDuration[d][segment] = weight, duration
	u.m.SegmentSource[d][segment] = source
	if u.following[d] != nil {
		u.following[d].Put(segment, s.Rule == WeightFollows)
	}
	u.touch(u.net.ArmNode[at.arm])
	return true
}

// units returns what a segment costs whose weight was kept, in units of 1/unit of the
// weight, and how many of the values were capped.
func (s *Speed) units(n *graph.Network, unit float64, kept graph.Weight, segment uint32) (w graph.Weight, d graph.Duration, capped int) {
	if s.KMH <= 0 || s.Rule == WeightRate && s.Rate <= 0 {
		return graph.InvalidWeight, graph.InvalidDuration, 0
	}
	meters := geo.Distance(n.Coords[n.ChainPlaces[segment]], n.Coords[n.ChainPlaces[segment+1]])
	cost := func(cost, unit float64) int32 {
		units, over := whole(cost * unit)
		if over {
			capped++
		}
		return units
	}
	d = graph.Duration(cost(meters/(s.KMH/3.6), 10))
	switch s.Rule {
	case WeightFollows:
		kept = graph.Weight(cost(meters/(s.KMH/3.6), unit))
	case WeightRate:
		kept = graph.Weight(cost(meters/s.Rate, unit))
	}
	return kept, d, capped
}

// whole rounds a cost to whole units, at least one, and says whether it was too much.
func whole(cost float64) (units int32, capped bool) {
	cost = math.Round(cost)
	switch {
	case cost > maxSegment:
		return maxSegment, true
	case cost >= 1:
		return int32(cost), false
	}
	return 1, false
}

// touch marks an original search node and its copies as changed.
func (u *Updater) touch(node graph.NodeID) {
	if u.touched.Get(uint32(node)) {
		return
	}
	u.touched.Set(uint32(node))
	u.nodes = append(u.nodes, node)
	for _, c := range u.net.CopiesOf(node) {
		u.touched.Set(uint32(c.Copy))
		u.nodes = append(u.nodes, c.Copy)
	}
}

// Turn changes the turn at the OSM node via that leads from its neighbor from to
// its neighbor to. It reports false if there is none.
func (u *Updater) Turn(from, via, to int64, p Penalty) bool {
	node, arm, ok := u.index.turn(from, via, to)
	if !ok {
		return false
	}
	weight, duration, capped := p.units(u.unit)
	u.report.Capped += capped
	found := false
	u.index.turnsTo(node, arm, func(e graph.EdgeID) {
		u.ownTurns()
		u.m.TurnWeight[e], u.m.TurnDuration[e] = weight, duration
		found = true
	})
	if found {
		u.touch(node)
	}
	return found
}

// turn returns the original search node and the arm that the turn at an OSM node joins,
// from one neighbor to another.
func (x *Index) turn(from, via, to int64) (node graph.NodeID, arm graph.ArmID, ok bool) {
	at := x.place(via)
	in, ok1 := x.find(x.place(from), at)
	out, ok2 := x.find(at, x.place(to))
	// It leads from the last segment of an arm to the first of another.
	if !ok1 || !ok2 || !x.ends(in, false) || !x.ends(out, true) {
		return 0, 0, false
	}
	node = x.net.ArmNode[in.arm]
	return node, out.arm, node != graph.InvalidNode
}

// ends tells whether a segment is the last of its arm, or the first.
func (x *Index) ends(s segment, first bool) bool {
	c := s.arm.Chain()
	if s.arm.Reverse() != first {
		return s.index == x.net.ChainFirst[c]
	}
	return s.index == x.net.ChainFirst[c+1]-2
}

// turnsTo calls f for the turns from an original search node, and from its copies, to
// an arm.
func (x *Index) turnsTo(node graph.NodeID, arm graph.ArmID, f func(graph.EdgeID)) {
	n := x.net
	from := func(v graph.NodeID) {
		for e := n.EdgeFirst[v]; e < n.EdgeFirst[v+1]; e++ {
			if n.NodeArm[n.EdgeHead[e]] == arm {
				f(e)
			}
		}
	}
	from(node)
	for _, c := range n.CopiesOf(node) {
		from(c.Copy)
	}
}

func (u *Updater) ownTurns() {
	if !u.turns {
		u.turns = true
		u.m.TurnWeight, u.m.TurnDuration = slices.Clone(u.base.TurnWeight), slices.Clone(u.base.TurnDuration)
	}
}

// units returns what a turn costs, in units of 1/unit of the weight and in tenths of a
// second, and how many of the values were capped.
func (p *Penalty) units(unit float64) (weight, duration int16, capped int) {
	round := func(v float64) int16 {
		v = math.Round(v)
		if v > math.MaxInt16 || v < math.MinInt16 {
			capped++
		}
		return int16(max(math.MinInt16, min(v, math.MaxInt16)))
	}
	duration = round(p.Seconds * 10)
	if math.IsNaN(p.Weight) {
		weight = round(float64(duration) * unit / 10)
	} else {
		weight = round(p.Weight * unit)
	}
	return weight, duration, capped
}

// Finish returns the metric, and the search nodes whose costs, or whose turns'
// costs, have changed, in ascending order. The Updater must not be used afterwards.
func (u *Updater) Finish() (m *graph.Metric, changed []graph.NodeID) {
	slices.Sort(u.nodes)
	if len(u.nodes) > 0 {
		u.m.NodeWeight, u.m.NodeDuration = slices.Clone(u.base.NodeWeight), slices.Clone(u.base.NodeDuration)
	}
	for _, v := range u.nodes {
		u.m.SumNode(u.net, v)
		u.limitTurns(v)
	}
	for _, f := range u.following {
		for _, word := range f {
			u.report.FollowingWeights += bits.OnesCount64(word)
		}
	}
	u.m.Sources = u.sources
	return &u.m, u.nodes
}

// limitTurns raises penalties that would make a search node and the turn behind it
// cost less than a unit for each of its places.
func (u *Updater) limitTurns(v graph.NodeID) {
	n := u.net
	for e := n.EdgeFirst[v]; e < n.EdgeFirst[v+1]; e++ {
		weight, duration := limitedTurn(n, &u.m, v, e)
		if weight == u.m.TurnWeight[e] && duration == u.m.TurnDuration[e] {
			continue
		}
		u.ownTurns()
		u.report.RaisedTurns++
		u.m.TurnWeight[e], u.m.TurnDuration[e] = weight, duration
	}
}

// limitedTurn returns the penalty of a turn from a search node, raised as limitTurns
// says.
func limitedTurn(n *graph.Network, m *graph.Metric, v graph.NodeID, e graph.EdgeID) (weight, duration int16) {
	weight, duration = m.TurnWeight[e], m.TurnDuration[e]
	if weight >= 0 && duration >= 0 || m.NodeWeight[v] == graph.InvalidWeight {
		return weight, duration
	}
	c := n.NodeArm[v].Chain()
	least := int64(n.ChainFirst[c+1] - n.ChainFirst[c])
	if least := least - int64(m.NodeWeight[v]); weight < 0 && int64(weight) < least {
		weight = int16(min(least, math.MaxInt16))
	}
	if least := least - int64(m.NodeDuration[v]); duration < 0 && int64(duration) < least {
		duration = int16(min(least, math.MaxInt16))
	}
	return weight, duration
}
