package matcheval

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

func matching(geometry orb.LineString, nodes []int64, meters ...float64) routing.Matching {
	return routing.Matching{RouteResult: routing.RouteResult{
		Geometry: geometry,
		Legs:     []routing.Leg{{Annotation: &routing.Annotation{Nodes: nodes, Distance: meters}}},
	}}
}

func TestScoreSegments(t *testing.T) {
	trace := Trace{
		Points: make([]orb.Point, 4),
		Way:    Way{Segments: []Segment{{1, 2, 50}, {2, 3, 100}, {3, 2, 100}, {2, 4, 50}}},
	}
	at := func(from, to int64) *routing.Tracepoint { return &routing.Tracepoint{Ends: [2]int64{from, to}} }
	s := score(&trace, &routing.MatchResponse{
		// Less of the first segment, not out to 3 and back, 20 m more of the last, and on to 5.
		Matchings:   []routing.Matching{matching(nil, []int64{1, 2, 4, 5}, 40, 70, 10)},
		Tracepoints: []*routing.Tracepoint{at(1, 2), at(2, 1), nil, at(2, 4)},
	})
	require.Equal(t, Score{
		Traces: 1, Meters: 300, Missed: 10 + 200, Added: 20 + 10, Matched: 120, Points: 4, Right: 2, Unmatched: 1,
	}, s)
	require.InDelta(t, 0.8, s.Mismatch(), 1e-9)
	require.InDelta(t, 0.4, s.LengthRatio(), 1e-9)
	require.InDelta(t, 0.5, s.PointAccuracy(), 1e-9)

	s.Add(score(&trace, nil))
	require.Equal(t, 1, s.Failed)
	require.InDelta(t, (210+30+300)/600.0, s.Mismatch(), 1e-9)
	require.True(t, math.IsNaN(new(Score).Mismatch()))
}

func TestScoreLines(t *testing.T) {
	const meter = 1 / 111_195.0
	east := func(x, y float64) orb.Point { return orb.Point{x * meter, y * meter} }
	trace := Trace{Points: make([]orb.Point, 2), Way: Way{Line: orb.LineString{east(0, 0), east(1000, 0)}}}
	s := score(&trace, &routing.MatchResponse{
		Matchings: []routing.Matching{
			matching(orb.LineString{east(0, 3), east(500, 3), east(500, 200)}, nil),
			matching(orb.LineString{east(600, 0), east(1000, 0)}, nil),
		},
		Tracepoints: []*routing.Tracepoint{{}, nil},
	})
	require.InDelta(t, 1000, s.Meters, 5)
	require.InDelta(t, 80, s.Missed, 5, "but for what lies within 10 m of the ends")
	require.InDelta(t, 190, s.Added, 5)
	require.InDelta(t, 1097, s.Matched, 8)
	require.Zero(t, s.Points)
	require.Equal(t, 1, s.Unmatched)
}
