package extract

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/profile"
)

// maxSegment is the largest weight and duration of a segment: 22 bits less
// the value that stands for closed, about 116 hours.
const maxSegment = 1<<22 - 2

// segment is what a way contributes between two neighboring places lo < hi.
type segment struct {
	hi       graph.PlaceID
	way      uint32
	weight   int32
	duration int32
	length   graph.Distance
	kind     segmentKind
}

// segmentKind are the yes-or-no properties of a segment.
type segmentKind uint8

const (
	segmentUp      segmentKind = 1 << iota // open from lo to hi
	segmentDown                            // open from hi to lo
	segmentAlong                           // the way's nodes go from lo to hi
	segmentBackOfW                         // has the values of the way's backward direction
)

// direction is the direction of the way whose values the segment has.
func (k segmentKind) direction() int {
	if k&segmentBackOfW != 0 {
		return 1
	}
	return 0
}

// weigher prices segments.
type weigher struct {
	worker     profile.Worker
	hasSegment bool
	multiplier float64
	dropped    *Dropped
}

// price rounds the cost of a segment to whole units, at least one.
func price(cost, multiplier float64, capped *int) int32 {
	units := math.Round(cost * multiplier)
	switch {
	case !(units >= 1): // NaN too
		return 1
	case units > maxSegment:
		*capped++
		return maxSegment
	}
	return int32(units)
}

// price returns weight and duration of one segment of a way in a direction.
func (x *weigher) price(w *way, dir int, from, to geo.Coord, meters float64) (weight, duration int32, err error) {
	d := &w.dir[dir]
	wt, dur := d.weight.of(meters), d.duration.of(meters)
	if x.hasSegment {
		both := !w.split && w.dir[0].open && w.dir[1].open
		s := profile.Segment{
			Source: point(from), Target: point(to), Distance: meters,
			Forward: dir == 0, Backward: dir == 1 || both, IsSplit: w.split,
			Roundabout: w.flags.has(flagRoundabout), Circular: w.flags.has(flagCircular),
			StartPoint: w.flags.has(flagStartPoint), Restricted: d.restricted,
			Class:            w.flags.classForSegment(),
			HighwayTurnClass: w.flags.highwayTurnClass(), AccessTurnClass: w.flags.accessTurnClass(),
			Duration: dur, Weight: wt,
		}
		if err := x.worker.Segment(&s); err != nil {
			return 0, 0, err
		}
		wt, dur = s.Weight, s.Duration
	}
	return price(wt, x.multiplier, &x.dropped.CappedWeights), price(dur, 10, &x.dropped.CappedDurations), nil
}

func point(c geo.Coord) orb.Point {
	lon, lat := c.LonLat()
	return orb.Point{lon, lat}
}

// segments are the segments by their lower place lo: list[first[lo]:first[lo+1]],
// sorted by hi.
type segments struct {
	first []uint32
	list  []segment
}

// cutWays makes segments of all ways.
func (x *extraction) cutWays() (segments, error) {
	worker, err := x.worker(0)
	if err != nil {
		return segments{}, err
	}
	dropped := &x.report.Dropped
	wg := weigher{
		worker: worker, hasSegment: x.props.HasSegment,
		multiplier: x.props.WeightMultiplier(), dropped: dropped,
	}
	p, n := &x.wayPass, &x.nodePass
	s := segments{first: make([]uint32, len(n.coords)+1)}
	total := 0
	for i := range p.numWays() {
		w := &p.ways[i]
		each := 0
		for dir := range w.dir {
			if w.separate(dir) {
				each++
			}
		}
		missing := false
		refs := n.refs[w.firstRef:p.ways[i+1].firstRef]
		for k := 1; k < len(refs); k++ {
			a, b := refs[k-1], refs[k]
			switch {
			case a == graph.InvalidPlace || b == graph.InvalidPlace:
				dropped.SegmentsMissingNodes++
				missing = true
			case a == b:
				dropped.LoopSegments++
			default:
				s.first[min(a, b)+1] += uint32(each)
				total += each
			}
		}
		if missing {
			dropped.WaysMissingNodes++
		}
	}
	if total > math.MaxUint32/2 {
		return segments{}, &SizeError{What: "segments", Limit: math.MaxUint32 / 2}
	}
	for i := 1; i < len(s.first); i++ {
		s.first[i] += s.first[i-1]
	}
	s.list = make([]segment, total)
	next := slices.Clone(s.first[:len(n.coords)])
	for i := range p.numWays() {
		w := &p.ways[i]
		refs := n.refs[w.firstRef:p.ways[i+1].firstRef]
		for k := 1; k < len(refs); k++ {
			a, b := refs[k-1], refs[k]
			if a == graph.InvalidPlace || b == graph.InvalidPlace || a == b {
				continue
			}
			ca, cb := n.coords[a], n.coords[b]
			meters := geo.Distance(ca, cb)
			for dir := range w.dir {
				if !w.separate(dir) {
					continue
				}
				from, to := ca, cb
				if dir == 1 {
					from, to = cb, ca
				}
				weight, duration, err := wg.price(w, dir, from, to, meters)
				if err != nil {
					return segments{}, fmt.Errorf("extract: way %d at node %d: %w", w.id, n.osmNodes[refs[k-1]], err)
				}
				seg := segment{
					hi: max(a, b), way: uint32(i), weight: weight, duration: duration,
					length: graph.Distance(geo.Centimeters(meters)),
				}
				along, against := segmentUp, segmentDown
				if a < b {
					seg.kind |= segmentAlong
				} else {
					along, against = against, along
				}
				if dir == 0 {
					seg.kind |= along
				}
				if dir == 1 || !w.split && w.dir[1].open {
					seg.kind |= against
				}
				if dir == 1 {
					seg.kind |= segmentBackOfW
				}
				at := &next[min(a, b)]
				s.list[*at] = seg
				*at++
			}
		}
	}
	x.sortSegments(&s)
	return s, nil
}

// sortSegments orders the segments of each place. Of several with the same
// ends those whose road has a name come first, by name; else the order of the
// file stays.
func (x *extraction) sortSegments(s *segments) {
	p := &x.wayPass
	name := func(seg *segment) []byte {
		note := &p.notes.values[p.ways[seg.way].dir[seg.kind.direction()].note]
		return p.texts.text(p.labels.values[note.labels].Name)
	}
	labels := func(seg *segment) uint32 {
		return p.notes.values[p.ways[seg.way].dir[seg.kind.direction()].note].labels
	}
	compare := func(a, b segment) int {
		if a.hi != b.hi {
			return cmp.Compare(a.hi, b.hi)
		}
		la, lb := labels(&a), labels(&b)
		switch {
		case la == lb:
			return 0
		case la == 0:
			return 1
		case lb == 0:
			return -1
		}
		return bytes.Compare(name(&a), name(&b))
	}
	for lo := range len(s.first) - 1 {
		if list := s.list[s.first[lo]:s.first[lo+1]]; len(list) > 1 {
			slices.SortStableFunc(list, compare)
		}
	}
}

// cheapest finds among segments with the same ends the ones to use in each
// direction: those of least weight, then duration, then order. -1 is none.
func cheapest(list []segment) (up, down int) {
	up, down = -1, -1
	cheaper := func(i, best int) bool {
		if best < 0 {
			return true
		}
		a, b := &list[i], &list[best]
		return a.weight < b.weight || a.weight == b.weight && a.duration < b.duration
	}
	for i := range list {
		if list[i].kind&segmentUp != 0 && cheaper(i, up) {
			up = i
		}
		if list[i].kind&segmentDown != 0 && cheaper(i, down) {
			down = i
		}
	}
	return up, down
}
