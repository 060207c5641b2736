package profile

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
)

func runTurn(t *testing.T, o CarOptions, turn Turn) Turn {
	t.Helper()
	require.NoError(t, newCarWorker(t, o).Turn(&turn))
	return turn
}

func TestCarTurnAngles(t *testing.T) {
	for _, tc := range []struct {
		angle float64
		left  bool
		want  float64
	}{
		{0, false, 0.006918751772},
		{30, false, 0.051612132474},
		{90, false, 2.105255544504},
		{-90, false, 5.394744455496},
		{135, false, 6.668757626784},
		{180, false, 7.454800311951},
		{-180, false, 7.497298493280},
		{0, true, 0.017703871863},
		{30, true, 0.177914918897},
		{90, true, 5.394744455496},
		{-90, true, 2.105255544504},
		{135, true, 7.412106002313},
		{180, true, 7.497298493280},
		{-180, true, 7.454800311951},
	} {
		turn := runTurn(t, CarOptions{}, Turn{Angle: tc.angle, NumRoads: 3, IsLeftHandDriving: tc.left})
		require.InDelta(t, tc.want, turn.Duration, 1e-12, "%v", tc)
		require.Equal(t, turn.Duration, turn.Weight, "%v", tc)
	}
}

func TestCarTurnIsOne(t *testing.T) {
	straight := Turn{Angle: 90, NumRoads: 2}
	require.Zero(t, runTurn(t, CarOptions{}, straight).Duration, "a bend is no turn")

	boarding := straight
	boarding.Target.Mode = graph.ModeFerry
	require.Positive(t, runTurn(t, CarOptions{}, boarding).Duration)

	uTurn := Turn{Angle: 180, NumRoads: 2, IsUTurn: true}
	require.InDelta(t, 20+7.455, runTurn(t, CarOptions{}, uTurn).Duration, 0.01)
}

func TestCarTurnRestricted(t *testing.T) {
	enter := Turn{NumRoads: 2}
	enter.Target.Restricted = true
	require.Equal(t, 3276.7, runTurn(t, CarOptions{}, enter).Weight)
	require.Zero(t, runTurn(t, CarOptions{}, enter).Duration)
	require.Zero(t, runTurn(t, CarOptions{WeightName: "duration"}, enter).Weight)
	within := enter
	within.Source.Restricted = true
	require.Zero(t, runTurn(t, CarOptions{}, within).Weight)
}

func TestCarTurnWeights(t *testing.T) {
	turn := Turn{Angle: 90, NumRoads: 4, Obstacles: []Obstacle{{Type: ObstacleGate, Duration: 60}}}
	duration := runTurn(t, CarOptions{}, turn).Duration
	require.Equal(t, duration, runTurn(t, CarOptions{WeightName: "duration"}, turn).Weight)
	require.Zero(t, runTurn(t, CarOptions{WeightName: "distance"}, turn).Weight)
	require.Equal(t, duration, runTurn(t, CarOptions{WeightName: "distance"}, turn).Duration)

	turn.Duration = -1e6
	require.Equal(t, -3276.7, runTurn(t, CarOptions{}, turn).Duration)
	turn.Duration = 1e6
	require.Equal(t, 3276.7, runTurn(t, CarOptions{}, turn).Weight)
}

func TestCarTurnObstacles(t *testing.T) {
	stop := Obstacle{Type: ObstacleStop, Duration: 2}
	stopForward := Obstacle{Type: ObstacleStop, Duration: 2, Direction: DirectionForward}
	minor := Obstacle{Type: ObstacleStopMinor, Duration: 2}
	signals := Obstacle{Type: ObstacleTrafficSignals, Duration: 2}
	leg := func(speed int) []TurnLeg { return []TurnLeg{{Speed: speed}} }
	road := func(d float64) TurnLeg { return TurnLeg{Distance: d} }
	for name, tc := range map[string]struct {
		turn Turn
		want float64
	}{
		"none":            {Turn{}, 0},
		"signals":         {Turn{Obstacles: []Obstacle{signals}}, 2},
		"two":             {Turn{Obstacles: []Obstacle{signals, {Type: ObstacleGate, Duration: 60}}}, 62},
		"stop":            {Turn{Obstacles: []Obstacle{stop}, SourceRoad: road(50), TargetRoad: road(10)}, 2},
		"stop behind":     {Turn{Obstacles: []Obstacle{stop}, SourceRoad: road(10), TargetRoad: road(50)}, 0},
		"stop forward":    {Turn{Obstacles: []Obstacle{stopForward}, SourceRoad: road(10), TargetRoad: road(50)}, 2},
		"stop at 20 m":    {Turn{Obstacles: []Obstacle{stop}, SourceRoad: road(20), TargetRoad: road(50)}, 2},
		"both short":      {Turn{Obstacles: []Obstacle{stop}, SourceRoad: road(10), TargetRoad: road(20)}, 2},
		"minor, alone":    {Turn{Obstacles: []Obstacle{minor}}, 0},
		"minor, target":   {Turn{Obstacles: []Obstacle{minor}, Source: TurnRoad{Speed: 30}, Target: TurnRoad{Speed: 50}}, 2},
		"minor, right":    {Turn{Obstacles: []Obstacle{minor}, Source: TurnRoad{Speed: 30}, RoadsRight: leg(50)}, 2},
		"minor, left":     {Turn{Obstacles: []Obstacle{minor}, Source: TurnRoad{Speed: 30}, RoadsLeft: leg(50)}, 2},
		"minor, is major": {Turn{Obstacles: []Obstacle{minor}, Source: TurnRoad{Speed: 50}, RoadsLeft: leg(50)}, 0},
	} {
		tc.turn.NumRoads = 2
		require.Equal(t, tc.want, runTurn(t, CarOptions{}, tc.turn).Duration, name)
	}
	crowded := Turn{NumRoads: 3, Obstacles: []Obstacle{stop}, SourceRoad: road(10), TargetRoad: road(50)}
	require.Greater(t, runTurn(t, CarOptions{}, crowded).Duration, 2.0)
}
