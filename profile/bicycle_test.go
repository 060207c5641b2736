package profile

import (
	"math"
	"testing"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
)

const (
	ride  = graph.ModeCycling
	push  = graph.ModePushingBike
	train = graph.ModeTrain
)

func newBicycleWorker(tb testing.TB, o BicycleOptions) Worker {
	tb.Helper()
	p, err := NewBicycle(o)
	require.NoError(tb, err)
	w, err := p.NewWorker()
	require.NoError(tb, err)
	return w
}

func bicycleWay(t *testing.T, o BicycleOptions, tags string) *WayResult {
	t.Helper()
	var r WayResult
	require.NoError(t, newBicycleWorker(t, o).Way(&osm.Way{Tags: parseTags(tags)}, &r))
	return &r
}

func TestBicycleOptions(t *testing.T) {
	_, err := NewBicycle(BicycleOptions{WeightName: "beauty", Width: -1, MaxSpeed: math.NaN()})
	for _, field := range []string{"WeightName", "Width", "MaxSpeed"} {
		require.ErrorContains(t, err, field)
	}
	var o BicycleOptions
	o.EnsureDefaults()
	require.Equal(t, BicycleOptions{
		Tuning:     Tuning{FerrySpeed: 5, UTurnPenalty: new(20.0), SignalPenalty: new(2.0)},
		WeightName: "duration", MaxSpeed: 21, PushSpeed: 4,
		TurnPenalty: new(6.0), TurnBias: 1.4, ModePenalty: new(30.0),
	}, o)
	require.NoError(t, o.Validate())
}

func TestBicycleProperties(t *testing.T) {
	p, err := ByName("bicycle")
	require.NoError(t, err)
	properties := p.Properties()
	require.True(t, properties.DurationIsWeight())
	require.False(t, properties.UseTurnRestrictions)
	require.False(t, properties.ContinueStraightAtWaypoint)
	require.InDelta(t, 11.1, properties.MaxSpeedForMapMatching, 0.1)
	mask, err := properties.ClassMask("tunnel", "ferry")
	require.NoError(t, err)
	require.Equal(t, graph.ClassMask(bicycleTunnel|bicycleFerry), mask)
}

// Ways that a bicycle cannot use come out with nothing set.
func TestBicycleClosedWays(t *testing.T) {
	var closed WayResult
	closed.Reset()
	for _, tags := range []string{
		"",
		"building=yes, bicycle=yes",
		"highway=, route=",
		"highway=motorway",
		"highway=trunk",
		"highway=bridleway",
		"highway=construction, bicycle=yes",
		"highway=proposed, proposed=primary, bicycle=yes",
		"highway=primary, railway=construction",
		"highway=primary, construction=bridge",
		"highway=primary, motorroad=yes",
		"highway=primary, impassable=yes",
		"highway=primary, status=impassable",
		"highway=primary, access=no",
		"highway=primary, vehicle=agricultural",
		"highway=primary, bicycle=use_sidepath",
		"highway=primary, bicycle:forward=no, bicycle:backward=no",
		"highway=primary, bicycle:forward=no;private, bicycle:backward=no",
		"highway=primary, cycleway=separate",
		"highway=primary, cycleway:both=separate, cycleway=lane",
		"highway=primary, cycleway:left=separate, vehicle=yes",
		"route=ferry, duration=10, cycleway:right=separate",
		"highway=footway, foot=no",
		"railway=rail",
		"railway=tram",
		"railway=tram, access=private",
		"amenity=cafe",
		"man_made=bridge",
		"man_made=pier, foot=no",
	} {
		require.Equal(t, &closed, bicycleWay(t, BicycleOptions{}, tags), tags)
	}
}

func TestBicycleWays(t *testing.T) {
	for _, tc := range []struct {
		tags              string
		forward, backward graph.Mode
		speeds            [2]float64
	}{
		// Kinds of ways.
		{"highway=primary", ride, ride, [2]float64{15, 15}},
		{"highway=cycleway", ride, ride, [2]float64{15, 15}},
		{"highway=track", ride, ride, [2]float64{12, 12}},
		{"highway=path", ride, ride, [2]float64{13, 13}},
		{"highway=primary, proposed=motorway", ride, ride, [2]float64{15, 15}},
		{"highway=trunk, bicycle=yes", ride, ride, [2]float64{15, 15}},
		{"highway=trunk, access=permissive", ride, ride, [2]float64{15, 15}},
		{"highway=bridleway, bicycle=designated", ride, ride, [2]float64{15, 15}},
		{"amenity=parking", ride, ride, [2]float64{10, 10}},
		{"railway=platform", ride, ride, [2]float64{4, 4}},
		{"public_transport=platform", ride, ride, [2]float64{4, 4}},
		{"railway=tram, access=yes", train, train, [2]float64{10, 10}},
		{"route=ferry", ferry, ferry, [2]float64{5, 5}},
		{"route=ferry, duration=10", ferry, ferry, [2]float64{-1, -1}},
		{"route=ferry, duration=10, foot=yes", push, push, [2]float64{4, 4}},
		{"bridge=movable, highway=primary", ride, ride, [2]float64{5, 5}},
		{"bridge=movable, highway=motorway", ride, ride, [2]float64{5, 5}},
		// Access.
		{"highway=primary, access=no, bicycle=yes", ride, ride, [2]float64{15, 15}},
		{"highway=primary, vehicle:forward=agricultural", shut, ride, [2]float64{0, 15}},
		{"highway=primary, bicycle:backward=no;use_sidepath", ride, shut, [2]float64{15, 0}},
		{"highway=primary, bicycle:backward=no;yes", ride, ride, [2]float64{15, 15}},
		{"highway=primary, cycleway=separate, bicycle=destination", ride, ride, [2]float64{15, 15}},
		// Direction.
		{"highway=primary, oneway=yes", ride, push, [2]float64{15, 4}},
		{"highway=primary, oneway=yes, foot=no", ride, shut, [2]float64{15, 15}},
		{"highway=primary, oneway=-1, foot=no", shut, ride, [2]float64{15, 15}},
		{"highway=primary, oneway=yes, oneway:bicycle=no", ride, ride, [2]float64{15, 15}},
		{"highway=primary, oneway:bicycle=-1, oneway=yes, foot=no", shut, ride, [2]float64{15, 15}},
		{"highway=primary, oneway:bicycle=1, foot=no", ride, shut, [2]float64{15, 15}},
		{"highway=primary, junction=roundabout", ride, shut, [2]float64{15, 15}},
		{"highway=primary, junction=circular, oneway=no", ride, ride, [2]float64{15, 15}},
		// Cycleways.
		{"highway=primary, oneway=yes, cycleway=opposite", ride, ride, [2]float64{15, 15}},
		{"highway=primary, oneway=yes, cycleway:left=opposite_lane", ride, ride, [2]float64{15, 15}},
		{"highway=primary, oneway=yes, foot=no, cycleway=lane", ride, shut, [2]float64{15, 15}},
		{"highway=primary, oneway=-1, foot=no, cycleway:right=track", shut, ride, [2]float64{15, 15}},
		{"highway=footway, cycleway:right=track", ride, push, [2]float64{15, 4}},
		{"highway=footway, cycleway:left=track", push, ride, [2]float64{4, 15}},
		{"highway=footway, cycleway:both=shared", ride, ride, [2]float64{15, 15}},
		{"highway=motorway, cycleway=lane", ride, shut, [2]float64{15, -1}},
		// Pushing.
		{"highway=footway", push, push, [2]float64{4, 4}},
		{"highway=steps", push, push, [2]float64{2, 2}},
		{"man_made=pier", push, push, [2]float64{4, 4}},
		{"highway=trunk, foot=yes", push, push, [2]float64{4, 4}},
		{"highway=trunk, foot:forward=yes", push, shut, [2]float64{4, -1}},
		{"highway=trunk, foot:backward=yes", shut, push, [2]float64{-1, 4}},
		{"highway=motorway, foot=yes", push, shut, [2]float64{4, -1}},
		{"highway=primary, bicycle=dismount", push, push, [2]float64{4, 4}},
		// Limits.
		{"highway=primary, maxspeed=10", ride, ride, [2]float64{10, 10}},
		{"highway=primary, maxspeed=5 mph, maxspeed:backward=6", ride, ride, [2]float64{5 * 1.609, 6}},
		{"highway=primary, maxspeed=0", ride, ride, [2]float64{15, 15}},
		{"highway=primary, surface=cobblestone", ride, ride, [2]float64{7, 7}},
		{"highway=primary, surface=sand, maxspeed=5", ride, ride, [2]float64{3, 3}},
	} {
		r := bicycleWay(t, BicycleOptions{}, tc.tags)
		require.Equal(t, tc.forward, r.ForwardMode, tc.tags)
		require.Equal(t, tc.backward, r.BackwardMode, tc.tags)
		require.Equal(t, tc.speeds, [2]float64{r.ForwardSpeed, r.BackwardSpeed}, tc.tags)
		require.Equal(t, tc.forward != train && tc.forward != ferry, r.IsStartPoint, tc.tags)
		require.True(t, r.Routable(true), tc.tags)
	}
}

func TestBicycleOptionalLimits(t *testing.T) {
	require.Equal(t, 9.0, bicycleWay(t, BicycleOptions{MaxSpeed: 9}, "highway=primary").ForwardSpeed)
	for _, tags := range []string{"highway=path, width=0.8", "highway=path, width=2'6"} {
		require.True(t, bicycleWay(t, BicycleOptions{}, tags).Forward(), tags)
		require.False(t, bicycleWay(t, BicycleOptions{Width: 1}, tags).Forward(), tags)
	}
	require.True(t, bicycleWay(t, BicycleOptions{Width: 1}, "highway=path, width=wide").Forward())
	require.False(t, bicycleWay(t, BicycleOptions{CargoBike: true}, "highway=path, cargo_bike=no").Forward())
}

func TestBicycleCyclability(t *testing.T) {
	for _, tc := range []struct {
		tags              string
		forward, backward float64
	}{
		{"highway=residential", 1, 1},
		{"highway=primary", 0.5, 0.5},
		{"highway=primary_link", 0.5, 0.5},
		{"highway=secondary", 0.65, 0.65},
		{"highway=secondary_link", 0.65, 0.65},
		{"highway=tertiary", 0.8, 0.8},
		{"highway=primary, cycleway:right=lane", 1, 0.5},
		{"highway=primary, oneway=yes, oneway:bicycle=no, cycleway:left=lane", 0.5, 1},
		{"highway=primary, junction=roundabout, oneway=no", 0.25, 0.25},
		{"highway=secondary, junction=circular, oneway=no", 0.65 * 0.6, 0.65 * 0.6},
		{"highway=service, service=alley", 0.5, 0.5},
		{"highway=service, service=driveway", 1, 1},
	} {
		r := bicycleWay(t, BicycleOptions{WeightName: "cyclability"}, tc.tags)
		require.InDelta(t, tc.forward*15/3.6, r.ForwardRate, 1e-9, tc.tags)
		require.InDelta(t, tc.backward*15/3.6, r.BackwardRate, 1e-9, tc.tags)
		require.Equal(t, float64(Unset), r.Weight, tc.tags)
	}
	r := bicycleWay(t, BicycleOptions{WeightName: "cyclability"}, "route=ferry, highway=primary, duration=1:00")
	require.Equal(t, 7200.0, r.Weight)
	r = bicycleWay(t, BicycleOptions{WeightName: "distance"}, "highway=primary, oneway=yes, foot=no")
	require.Equal(t, [2]float64{1, Unset}, [2]float64{r.ForwardRate, r.BackwardRate})
}

func TestBicycleGuidance(t *testing.T) {
	r := bicycleWay(t, BicycleOptions{}, "highway=cycleway, cycleway=sidepath, street:name=High Street, ref=R1;R2, lanes=2, tunnel=yes, junction=roundabout")
	require.Equal(t, "High Street", r.Name)
	require.Equal(t, "R1; R2", r.ForwardRef)
	require.Equal(t, RoadClass{Priority: PriorityConnectivity, MayBeIgnored: true, NumLanes: 2}, r.Class)
	require.Equal(t, graph.ClassMask(bicycleTunnel), r.ForwardClasses)
	require.True(t, r.Roundabout)
	r = bicycleWay(t, BicycleOptions{}, "bridge=movable, highway=primary, route:backward=ferry")
	require.Equal(t, PriorityConnectivity, r.Class.Priority)
	require.Equal(t, [2]graph.ClassMask{0, bicycleFerry}, [2]graph.ClassMask{r.ForwardClasses, r.BackwardClasses})
}

func TestBicycleNodes(t *testing.T) {
	barrier := []Obstacle{{Type: ObstacleBarrier, Direction: DirectionBoth}}
	signals := func(d ObstacleDirection) []Obstacle {
		return []Obstacle{{Type: ObstacleTrafficSignals, Direction: d, Duration: 2}}
	}
	for tags, want := range map[string][]Obstacle{
		"":                                   {},
		"barrier=bollard":                    {},
		"barrier=fence":                      barrier,
		"barrier=fence, sensory=audible":     {},
		"barrier=wall, sensory=audio":        barrier,
		"barrier=wall, access=yes":           {},
		"barrier=gate, bicycle=no":           barrier,
		"barrier=gate, vehicle=private":      barrier,
		"barrier=gate, access=customers":     {},
		"highway=crossing, bicycle=no":       {},
		"highway=traffic_signals":            signals(DirectionBoth),
		"highway=stop":                       {},
		"opening=0.5":                        {},
		"highway=traffic_signals, access=no": append(barrier[:1:1], signals(DirectionBoth)...),
		"highway=traffic_signals, traffic_signals:direction=forward":  signals(DirectionForward),
		"highway=traffic_signals, traffic_signals:direction=backward": signals(DirectionBackward),
		"highway=traffic_signals, direction=backward":                 signals(DirectionBoth),
	} {
		var r NodeResult
		r.Obstacles = []Obstacle{}
		require.NoError(t, newBicycleWorker(t, BicycleOptions{}).Node(&osm.Node{Tags: parseTags(tags)}, &r))
		require.Equal(t, want, r.Obstacles, tags)
	}
	cargo := newBicycleWorker(t, BicycleOptions{Width: 1, CargoBike: true})
	for tags, want := range map[string]int{
		"opening=0.5": 1, "maxwidth:physical=0.9 m": 1, "opening=1": 0, "opening=narrow": 0, "cargo_bike=no": 1, "cargo_bike=no, opening=0": 2,
	} {
		var r NodeResult
		require.NoError(t, cargo.Node(&osm.Node{Tags: parseTags(tags)}, &r))
		require.Len(t, r.Obstacles, want, tags)
	}
}

func TestBicycleTurns(t *testing.T) {
	for _, tc := range []struct {
		turn     Turn
		duration float64
	}{
		{Turn{}, 0},
		{Turn{Angle: 90}, 6 / 1.4},
		{Turn{Angle: -90}, 6 * 1.4},
		{Turn{Angle: 45, NumRoads: 2}, 1.5 / 1.4},
		{Turn{Angle: 180, IsUTurn: true}, 24/1.4 + 20},
		{Turn{HasTrafficLight: true, Duration: 7}, 2},
		{Turn{Source: TurnRoad{Mode: ride}, Target: TurnRoad{Mode: push}}, 0},
	} {
		turn := tc.turn
		require.NoError(t, newBicycleWorker(t, BicycleOptions{}).Turn(&turn))
		require.InDelta(t, tc.duration, turn.Duration, 1e-9)
		require.Equal(t, turn.Duration, turn.Weight)
	}
	w := newBicycleWorker(t, BicycleOptions{WeightName: "cyclability"})
	turn := Turn{Angle: -90, Source: TurnRoad{Mode: ride}, Target: TurnRoad{Mode: push}}
	require.NoError(t, w.Turn(&turn))
	require.InDelta(t, 38.4, turn.Weight, 1e-9)
	turn = Turn{Source: TurnRoad{Mode: push}, Target: TurnRoad{Mode: ride}}
	require.NoError(t, w.Turn(&turn))
	require.Zero(t, turn.Weight)
}
