package profile

import (
	"testing"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"
)

func TestCarNode(t *testing.T) {
	barrier := Obstacle{Type: ObstacleBarrier}
	gate := Obstacle{Type: ObstacleGate, Direction: DirectionBoth, Duration: 60}
	signals := func(d ObstacleDirection) Obstacle {
		return Obstacle{Type: ObstacleTrafficSignals, Direction: d, Duration: 2}
	}
	w := newCarWorker(t, CarOptions{})
	var r NodeResult
	for _, tc := range []struct {
		tags string
		want []Obstacle
	}{
		{"", nil},
		{"name=Here", nil},
		{"barrier=bollard", []Obstacle{barrier}},
		{"barrier=unheard_of", []Obstacle{barrier}},
		{"barrier=no", nil},
		{"barrier=entrance", nil},
		{"barrier=toll_booth", nil},
		{"barrier=cattle_grid", nil},
		{"barrier=arch", nil},
		{"barrier=gate", []Obstacle{gate}},
		{"barrier=lift_gate", []Obstacle{gate}},
		{"barrier=bollard, bollard=rising", nil},
		{"barrier=kerb", []Obstacle{barrier}},
		{"barrier=kerb, kerb=lowered", nil},
		{"barrier=wall, kerb=flush", nil},
		{"barrier=kerb, kerb=raised", []Obstacle{barrier}},
		{"barrier=kerb, highway=crossing", []Obstacle{{Type: ObstacleCrossing}}},
		{"barrier=fence", []Obstacle{barrier}},
		{"barrier=fence, sensory=audible", nil},
		{"barrier=fence, sensory=audio", nil},
		{"barrier=wall, sensory=audio", []Obstacle{barrier}},
		{"barrier=height_restrictor", nil},
		{"barrier=height_restrictor, maxheight=1.9", []Obstacle{barrier}},
		{"barrier=height_restrictor, maxheight=6'", []Obstacle{barrier}},
		{"barrier=height_restrictor, maxheight=2", nil},
		{"barrier=height_restrictor, maxheight=default", nil},
		// Access tags leave the barrier no say.
		{"barrier=bollard, access=yes", nil},
		{"barrier=gate, motor_vehicle=private", nil},
		{"barrier=no, access=no", []Obstacle{barrier}},
		{"access=no;yes", nil},
		{"access=no, motorcar=yes", nil},
		{"vehicle=no, access=yes", []Obstacle{barrier}},
		{"barrier=bollard, access=", []Obstacle{barrier}},

		{"highway=traffic_signals", []Obstacle{signals(DirectionNone)}},
		{"highway=traffic_signals, direction=forward", []Obstacle{signals(DirectionForward)}},
		{"highway=traffic_signals, direction=forward, traffic_signals:direction=both", []Obstacle{signals(DirectionBoth)}},
		{"highway=traffic_signals, direction=forward, traffic_signals:direction=N", []Obstacle{signals(DirectionNone)}},
		{"highway=stop", []Obstacle{{Type: ObstacleStop, Duration: 2}}},
		{"highway=stop, direction=backward", []Obstacle{{Type: ObstacleStop, Direction: DirectionBackward, Duration: 2}}},
		{"highway=stop, stop=minor", []Obstacle{{Type: ObstacleStopMinor, Duration: 2}}},
		{"highway=stop, stop=all", []Obstacle{{Type: ObstacleStop, Duration: 2}}},
		{"highway=stop_minor", []Obstacle{{Type: ObstacleStopMinor}}},
		{"highway=give_way", []Obstacle{{Type: ObstacleGiveWay, Duration: 1}}},
		{"highway=crossing", []Obstacle{{Type: ObstacleCrossing}}},
		{"highway=traffic_calming", []Obstacle{{Type: ObstacleTrafficCalming}}},
		{"highway=mini_roundabout", []Obstacle{{Type: ObstacleMiniRoundabout}}},
		{"highway=turning_loop", []Obstacle{{Type: ObstacleTurningLoop}}},
		{"highway=turning_circle", []Obstacle{{Type: ObstacleTurningCircle}}},
		{"highway=gate", []Obstacle{{Type: ObstacleGate}}},
		{"highway=none", []Obstacle{{Type: ObstacleNone}}},
		{"highway=barrier", nil},
		{"highway=bus_stop", nil},
		{"highway=give_way, barrier=gate", []Obstacle{gate, {Type: ObstacleGiveWay, Duration: 1}}},
	} {
		require.NoError(t, w.Node(&osm.Node{Tags: parseTags(tc.tags)}, &r))
		require.Equal(t, tc.want, append([]Obstacle(nil), r.Obstacles...), tc.tags)
	}
}
