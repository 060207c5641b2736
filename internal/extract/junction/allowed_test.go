package junction

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
)

// Places of a crossing and beyond.
const (
	center nbg.NodeID = iota
	north
	east
	south
	west
)

var crossing = places(0, 0, 0, 100, 100, 0, 0, -100, -100, 0)

func TestAllowed(t *testing.T) {
	all := []road{street(center, north), street(center, east), street(center, south), street(center, west)}
	lanes := func(i uint32) func(*nbg.Edge) { return func(e *nbg.Edge) { e.Lanes = i } }
	for _, test := range []struct {
		name         string
		roads        []road
		obstacle     nbg.ObstacleType
		restrictions []NodeRestriction
		want         []nbg.NodeID // from the south, in order of the view
	}{
		{name: "crossing", roads: all, want: []nbg.NodeID{east, north, west}},
		{name: "dead end", roads: []road{street(center, south)}, want: []nbg.NodeID{south}},
		{
			name:  "one-way roads that leave",
			roads: []road{street(south, center), oneway(center, north), oneway(east, center)},
			want:  []nbg.NodeID{north},
		},
		{
			name:  "the only two-way road",
			roads: []road{street(south, center), oneway(center, north), oneway(center, east)},
			want:  []nbg.NodeID{south, east, north},
		},
		{
			name:  "no other exit",
			roads: []road{street(south, center), oneway(north, center), oneway(east, center)},
			want:  []nbg.NodeID{south},
		},
		{
			name:         "no other exit for restrictions",
			roads:        []road{street(south, center), street(center, north), street(center, east)},
			restrictions: []NodeRestriction{{From: south, Via: center, To: north}, {From: south, Via: center, To: east}},
			want:         []nbg.NodeID{south},
		},
		{name: "arrival against a one-way road", roads: []road{oneway(center, south), street(center, north)}, want: []nbg.NodeID{}},
		{name: "barrier", roads: all, obstacle: nbg.Barrier, want: []nbg.NodeID{south}},
		{name: "gate", roads: all, obstacle: nbg.Gate, want: []nbg.NodeID{east, north, west}},
		{name: "turning circle", roads: all, obstacle: nbg.TurningCircle, want: []nbg.NodeID{south, east, north, west}},
		{name: "mini roundabout", roads: all, obstacle: nbg.MiniRoundabout, want: []nbg.NodeID{south, east, north, west}},
		{name: "signals", roads: all, obstacle: nbg.TrafficSignals, want: []nbg.NodeID{east, north, west}},
		{
			name:  "U-turn lane",
			roads: []road{all[0], all[1], all[2].with(lanes(1)), all[3]},
			want:  []nbg.NodeID{south, east, north, west},
		},
		{
			name:  "other lanes",
			roads: []road{all[0], all[1].with(lanes(1)), all[2].with(lanes(2)), all[3]},
			want:  []nbg.NodeID{east, north, west},
		},
		{
			name:         "no turn",
			roads:        all,
			restrictions: []NodeRestriction{{From: south, Via: center, To: east}, {From: north, Via: center, To: west}},
			want:         []nbg.NodeID{north, west},
		},
		{
			name:         "only turn",
			roads:        all,
			restrictions: []NodeRestriction{{From: south, Via: center, To: east, Only: true}},
			want:         []nbg.NodeID{east},
		},
		{
			name:         "only turns contradict each other",
			roads:        all,
			restrictions: []NodeRestriction{{From: south, Via: center, To: east, Only: true}, {From: south, Via: center, To: west, Only: true}},
			want:         []nbg.NodeID{},
		},
		{
			name:         "restriction elsewhere",
			roads:        all,
			restrictions: []NodeRestriction{{From: center, Via: south, To: east}, {From: south, Via: north, To: east}},
			want:         []nbg.NodeID{east, north, west},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, texts := build(crossing, test.roads...)
			if test.obstacle != 0 {
				g.Obstacles = []nbg.Obstacle{
					{Node: center, From: north, Type: test.obstacle},
					{Node: north, From: graph.InvalidPlace, Type: nbg.Barrier},
				}
			}
			w := New(g, texts, nil, test.restrictions).NewWorker()
			require.Equal(t, test.want, allowed(w, w.At(center).View(g.Find(south, center))))
		})
	}
}

// A road meets a roundabout that runs counter-clockwise, from west to east:
//
//	west → center → east
//	         |
//	       south
func TestRoundaboutIsNotLeftAgainstItsFlow(t *testing.T) {
	round := func(e *nbg.Edge) { e.Roundabout = true }
	for _, test := range []struct {
		name  string
		third nbg.NodeID // a road within or outside of the roundabout
		from  nbg.NodeID
		want  []nbg.NodeID
	}{
		{"from outside", south, south, []nbg.NodeID{east}},
		{"out", south, west, []nbg.NodeID{south, east}},
		{"from inside", north, north, []nbg.NodeID{east}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := worker(crossing, oneway(west, center).with(round), oneway(center, east).with(round), street(center, test.third))
			require.Equal(t, test.want, allowed(w, w.At(center).View(w.graph.Find(test.from, center))))
		})
	}

	// Between two roads outside, one would cross the arriving part.
	coords := append(slices.Clone(crossing), meters(-80, -80))
	w := worker(coords, oneway(west, center).with(round), oneway(center, east).with(round),
		street(center, south), street(center, 5))
	require.NotContains(t, allowed(w, w.At(center).View(w.graph.Find(south, center))), nbg.NodeID(5))
	require.Contains(t, allowed(w, w.At(center).View(w.graph.Find(5, center))), south)
	w = worker(coords, oneway(west, center), oneway(center, east), street(center, south), street(center, 5))
	require.Contains(t, allowed(w, w.At(center).View(w.graph.Find(south, center))), nbg.NodeID(5))
}
