package profile

import (
	"testing"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"
)

func BenchmarkWay(b *testing.B) {
	_, ways := delaware(b)
	for _, name := range Names() {
		b.Run("profile="+name, func(b *testing.B) { benchmarkWay(b, ways, newWorker(b, name)) })
	}
}

func benchmarkWay(b *testing.B, ways []*osm.Way, w Worker) {
	var r WayResult
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i == len(ways) {
			i = 0
		}
		if err := w.Way(ways[i], &r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCarNode(b *testing.B) {
	nodes, _ := delaware(b)
	w := newCarWorker(b, CarOptions{})
	var r NodeResult
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i == len(nodes) {
			i = 0
		}
		if err := w.Node(nodes[i], &r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCarTurn(b *testing.B) {
	w := newCarWorker(b, CarOptions{})
	var turn Turn
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		turn = Turn{Angle: float64(i%360 - 180), NumRoads: 3}
		if err := w.Turn(&turn); err != nil {
			b.Fatal(err)
		}
	}
}

// Evaluation allocates only where a text has to be rewritten.
func TestAllocations(t *testing.T) {
	for _, name := range Names() {
		w := newWorker(t, name)
		var r WayResult
		for _, tc := range []struct {
			tags string
			want float64
		}{
			{"", 0},
			{"building=yes, name=Town Hall, addr:street=Main Street", 0},
			{"highway=residential, name=Main Street, surface=asphalt, maxspeed=25 mph, oneway=yes", 0},
			{"highway=primary, ref=DE 1, maxspeed=DE:rural, lanes=2, turn:lanes=left|through;right, width=6'3", 0},
			{"highway=primary, ref=DE 1;DE 9", 1},
		} {
			way := &osm.Way{Tags: parseTags(tc.tags)}
			allocs := testing.AllocsPerRun(100, func() {
				if err := w.Way(way, &r); err != nil {
					t.Fatal(err)
				}
			})
			require.Equal(t, tc.want, allocs, "%s: %s", name, tc.tags)
		}
		node := &osm.Node{Tags: parseTags("highway=traffic_signals, barrier=gate, direction=forward")}
		var n NodeResult
		turn := Turn{NumRoads: 3, Obstacles: []Obstacle{{Type: ObstacleStop, Duration: 2}}}
		require.Zero(t, testing.AllocsPerRun(100, func() {
			if w.Node(node, &n) != nil || w.Turn(&turn) != nil {
				t.Fatal("built-in profiles never fail")
			}
		}), name)
	}
}
