package extracttest

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/profile"
)

// Map is the network of a drawing.
type Map struct {
	testmap.Drawing
	*extract.Result
	places map[rune]graph.PlaceID
	tb     testing.TB
}

// Car extracts a drawing for the car with default settings.
func Car(tb testing.TB, d testmap.Drawing) *Map {
	tb.Helper()
	car, err := profile.ByName("car")
	require.NoError(tb, err)
	return Extract(tb, d, car, extract.Options{})
}

// Extract extracts a drawing. It fails the test if that is not possible.
func Extract(tb testing.TB, d testmap.Drawing, p profile.Profile, opts extract.Options) *Map {
	tb.Helper()
	data, err := d.OSM()
	require.NoError(tb, err)
	f, err := osmfile.OpenReaderAt(bytes.NewReader(data), int64(len(data)), "drawing")
	require.NoError(tb, err)
	r, err := extract.Run(context.Background(), f, p, opts)
	require.NoError(tb, err)
	m := &Map{Drawing: d, Result: r, places: make(map[rune]graph.PlaceID), tb: tb}
	for _, letter := range "abcdefghijklmnopqrstuvwxyz0123456789" {
		m.places[letter] = graph.InvalidPlace
		if id := d.NodeID(letter); id != 0 {
			for p := range r.Network.Coords {
				if r.Network.OSMNodes.Get(uint32(p)) == id {
					m.places[letter] = graph.PlaceID(p)
				}
			}
		}
	}
	return m
}

// Place returns the place of a letter, or graph.InvalidPlace if no road passes
// there.
func (m *Map) Place(letter rune) graph.PlaceID { return m.places[letter] }

// step is a segment in the direction of travel.
type step struct {
	node    graph.NodeID
	segment uint32 // index of the segment
	dir     int
	// at is the number of the segment in the direction of travel, of count.
	at, count int
}

// step finds the segment from one place to the next one.
func (m *Map) step(from, to graph.PlaceID) (s step, ok bool) {
	n := m.Network
	for arm := range graph.ArmID(2 * n.NumChains()) {
		first, end := n.ChainFirst[arm.Chain()], n.ChainFirst[arm.Chain()+1]
		for i := first; i+1 < end; i++ {
			a, b := n.ChainPlaces[i], n.ChainPlaces[i+1]
			s := step{node: n.ArmNode[arm], segment: i, at: int(i - first), count: int(end - first - 1)}
			if arm.Reverse() {
				a, b = b, a
				s.dir, s.at = 1, s.count-1-s.at
			}
			if a == from && b == to && s.node != graph.InvalidNode {
				return s, true
			}
		}
	}
	return s, false
}

// Node returns the original search node of the road from one place to its
// neighbor, or graph.InvalidNode if it cannot be driven that way.
func (m *Map) Node(road string) graph.NodeID {
	s, ok := m.step(m.two(road))
	if !ok {
		return graph.InvalidNode
	}
	return s.node
}

func (m *Map) two(road string) (from, to graph.PlaceID) {
	m.tb.Helper()
	require.Len(m.tb, road, 2, "a road is two letters")
	return m.places[rune(road[0])], m.places[rune(road[1])]
}

// Cost is what a drive costs from its first place to its last, the turns on
// the way included, in the units of the metric.
type Cost struct {
	Weight   graph.Weight
	Duration graph.Duration
	Distance graph.Distance
}

// Drive follows a path, letter by letter, obeying every restriction and closure on
// it. It says false if a step is not possible.
func (m *Map) Drive(path string) (c Cost, ok bool) {
	m.tb.Helper()
	n, metric := m.Network, m.Metric
	at := graph.InvalidNode
	var last step
	for i := 1; i < len(path); i++ {
		s, ok := m.step(m.two(path[i-1 : i+1]))
		if !ok || metric.SegmentWeight[s.dir][s.segment] == graph.InvalidWeight {
			return c, false
		}
		switch {
		case i == 1:
			at = s.node
		case s.node == last.node && s.at > last.at:
			// The passage of an obstacle between the two is a segment too.
			for k := last.at + 1; k < s.at; k++ {
				between := last.segment + uint32(k-last.at)
				if s.dir == 1 {
					between = last.segment - uint32(k-last.at)
				}
				c.Weight += metric.SegmentWeight[s.dir][between]
				c.Duration += metric.SegmentDuration[s.dir][between]
			}
		default:
			if last.at != last.count-1 || s.at != 0 {
				return c, false
			}
			e, found := m.edge(at, n.NodeArm[s.node])
			if !found {
				return c, false
			}
			c.Weight += graph.Weight(metric.TurnWeight[e])
			c.Duration += graph.Duration(metric.TurnDuration[e])
			at = n.EdgeHead[e]
		}
		c.Weight += metric.SegmentWeight[s.dir][s.segment]
		c.Duration += metric.SegmentDuration[s.dir][s.segment]
		c.Distance += n.SegmentLength[s.segment]
		last = s
	}
	return c, true
}

// edge finds the edge from a search node onto an arm.
func (m *Map) edge(from graph.NodeID, arm graph.ArmID) (graph.EdgeID, bool) {
	n := m.Network
	for e := n.EdgeFirst[from]; e < n.EdgeFirst[from+1]; e++ {
		if n.NodeArm[n.EdgeHead[e]] == arm {
			closed := m.Metric.TurnClosed
			return e, closed == nil || !closed.Get(uint32(e))
		}
	}
	return graph.InvalidEdge, false
}

// Can says whether a path can be driven.
func (m *Map) Can(path string) bool {
	m.tb.Helper()
	_, ok := m.Drive(path)
	return ok
}

// Turn returns what the turn in the middle of three letters costs, in tenths
// of a second, besides the roads. It fails the test if it is not possible.
func (m *Map) Turn(path string) graph.Duration {
	m.tb.Helper()
	require.Len(m.tb, path, 3, "a turn is three letters")
	whole, ok := m.Drive(path)
	require.True(m.tb, ok, "the turn %s is not possible", path)
	before, _ := m.Drive(path[:2])
	after, _ := m.Drive(path[1:])
	return whole.Duration - before.Duration - after.Duration
}
