package matcheval

import (
	"math"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/routing"
)

// Score says how far what was matched is from what was driven. Scores add up.
type Score struct {
	Traces int
	Failed int // traces that no way was found for
	// Meters are the length of the ways driven, Missed what the matches leave out
	// of them, Added what they have besides, and Matched their whole length.
	Meters, Missed, Added, Matched float64
	// Points is the number of points; Right are those placed on a segment of the
	// way driven, in its direction. Only ways told by segments count.
	Points, Right int
	Unmatched     int // points, of all traces
}

// Mismatch returns the route mismatch fraction of Newson and Krumm: what was left
// out and what was added, by the length of the ways driven.
func (s *Score) Mismatch() float64 { return ratio(s.Missed+s.Added, s.Meters) }

// LengthRatio returns the length of the ways matched by that of the ways driven.
func (s *Score) LengthRatio() float64 { return ratio(s.Matched, s.Meters) }

// PointAccuracy returns the share of points that are placed right.
func (s *Score) PointAccuracy() float64 { return ratio(float64(s.Right), float64(s.Points)) }

func ratio(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

// Add adds another score.
func (s *Score) Add(o Score) {
	s.Traces += o.Traces
	s.Failed += o.Failed
	s.Meters += o.Meters
	s.Missed += o.Missed
	s.Added += o.Added
	s.Matched += o.Matched
	s.Points += o.Points
	s.Right += o.Right
	s.Unmatched += o.Unmatched
}

// score compares a response, nil if there is none, with the way driven. It needs
// the annotations of nodes and distances, or the whole line.
func score(t *Trace, res *routing.MatchResponse) Score {
	s := Score{Traces: 1, Meters: t.Way.length()}
	if res == nil {
		s.Failed, s.Missed, s.Unmatched = 1, s.Meters, len(t.Points)
		if t.Way.Line == nil {
			s.Points = len(t.Points)
		}
		return s
	}
	for _, p := range res.Tracepoints {
		if p == nil {
			s.Unmatched++
		}
	}
	if t.Way.Line != nil {
		s.compareLines(t.Way.Line, res)
	} else {
		s.compareSegments(t, res)
	}
	return s
}

type ends [2]int64

func (s *Score) compareSegments(t *Trace, res *routing.MatchResponse) {
	driven := make(map[ends]float64)
	for _, seg := range t.Way.Segments {
		driven[ends{seg.From, seg.To}] += seg.Meters
	}
	s.Points += len(t.Points)
	for _, p := range res.Tracepoints {
		if p == nil {
			continue
		}
		if _, ok := driven[p.Ends]; ok {
			s.Right++
		}
	}
	// Segments in their order, so that sums do not depend on that of a map.
	for i := range res.Matchings {
		for k := range res.Matchings[i].Legs {
			a := res.Matchings[i].Legs[k].Annotation
			for j, meters := range a.Distance {
				e := ends{a.Nodes[j], a.Nodes[j+1]}
				s.Matched += meters
				both := min(meters, driven[e])
				if both > 0 {
					driven[e] -= both
				}
				s.Added += meters - both
			}
		}
	}
	for _, seg := range t.Way.Segments {
		e := ends{seg.From, seg.To}
		s.Missed += driven[e]
		driven[e] = 0
	}
}

// apart is the distance in meters from which on two lines are taken to lead along
// different roads, and pace that between the places where they are compared.
const (
	apart = 10
	pace  = 2
)

func (s *Score) compareLines(driven orb.LineString, res *routing.MatchResponse) {
	var lines []orb.LineString
	for i := range res.Matchings {
		lines = append(lines, res.Matchings[i].Geometry)
		s.Matched += lineLength(res.Matchings[i].Geometry)
	}
	s.Missed += outside(driven, lines)
	for _, l := range lines {
		s.Added += outside(l, []orb.LineString{driven})
	}
}

// outside returns how many meters of a line are apart from all others.
func outside(line orb.LineString, others []orb.LineString) float64 {
	sum := 0.0
	for i := 1; i < len(line); i++ {
		a, b := coord(line[i-1]), coord(line[i])
		length := geo.Distance(a, b)
		pieces := math.Ceil(length / pace)
		for k := range int(pieces) {
			if !near(geo.Interpolate((float64(k)+0.5)/pieces, a, b), others) {
				sum += length / pieces
			}
		}
	}
	return sum
}

func near(at geo.Coord, lines []orb.LineString) bool {
	for _, l := range lines {
		for i := 1; i < len(l); i++ {
			if geo.DistanceToSegment(at, coord(l[i-1]), coord(l[i])) < apart {
				return true
			}
		}
	}
	return false
}

func lineLength(line orb.LineString) float64 {
	sum := 0.0
	for i := 1; i < len(line); i++ {
		sum += geo.Distance(coord(line[i-1]), coord(line[i]))
	}
	return sum
}

func coord(p orb.Point) geo.Coord { return geo.FromLonLat(p[0], p[1]) }
