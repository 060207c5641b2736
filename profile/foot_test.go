package profile

import (
	"testing"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
)

const walk = graph.ModeWalking

func newFootWorker(tb testing.TB) Worker {
	tb.Helper()
	return newWorker(tb, "foot")
}

func footWay(t *testing.T, tags string) *WayResult {
	t.Helper()
	var r WayResult
	require.NoError(t, newFootWorker(t).Way(&osm.Way{Tags: parseTags(tags)}, &r))
	return &r
}

func TestFootProperties(t *testing.T) {
	foot, err := ByName("foot")
	require.NoError(t, err)
	p := foot.Properties()
	require.True(t, p.DurationIsWeight())
	require.False(t, p.UseTurnRestrictions)
	require.False(t, p.ContinueStraightAtWaypoint)
	require.Equal(t, 10.0, p.MaxCollapseDistance)
	require.Equal(t, []string{"foot"}, p.Restrictions)
}

// Ways that cannot be walked come out with nothing set.
func TestFootClosedWays(t *testing.T) {
	var closed WayResult
	closed.Reset()
	for _, tags := range []string{
		"",
		"building=yes, foot=yes",
		"highway=",
		"highway=motorway",
		"highway=trunk",
		"highway=cycleway",
		"railway=rail",
		"highway=proposed, proposed=footway, foot=yes",
		"highway=primary, motorroad=yes",
		"highway=primary, impassable=yes",
		"highway=primary, access=no",
		"highway=footway, foot=private",
		"highway=primary, foot=use_sidepath",
		"highway=primary, foot:forward=no, access:backward=forestry",
		"highway=primary, sidewalk=separate",
		"highway=primary, sidewalk:both=separate",
		"highway=primary, sidewalk:left=separate, foot=delivery",
		"highway=primary, sidewalk:right=separate, vehicle=yes",
		"highway=trunk, foot:forward=no",
		"amenity=cafe",
		"route=hiking",
	} {
		require.Equal(t, &closed, footWay(t, tags), tags)
	}
}

func TestFootWays(t *testing.T) {
	for _, tc := range []struct {
		tags              string
		forward, backward graph.Mode
		speeds            [2]float64
	}{
		// Kinds of ways.
		{"highway=primary", walk, walk, [2]float64{5, 5}},
		{"highway=steps", walk, walk, [2]float64{5, 5}},
		{"highway=pier", walk, walk, [2]float64{5, 5}},
		{"man_made=pier", walk, walk, [2]float64{5, 5}},
		{"railway=platform", walk, walk, [2]float64{5, 5}},
		{"amenity=parking_entrance", walk, walk, [2]float64{5, 5}},
		{"highway=primary, construction=yes", walk, walk, [2]float64{5, 5}},
		{"highway=primary, oneway=yes", walk, walk, [2]float64{5, 5}},
		{"highway=primary, junction=roundabout", walk, walk, [2]float64{5, 5}},
		{"route=ferry", ferry, ferry, [2]float64{5, 5}},
		{"route=ferry, duration=1:00, foot:forward=no", ferry, ferry, [2]float64{5, 5}},
		// Access.
		{"highway=trunk, foot=yes", walk, walk, [2]float64{5, 5}},
		{"highway=trunk, access=customers", walk, walk, [2]float64{5, 5}},
		{"highway=trunk, foot:forward=yes", walk, shut, [2]float64{5, -1}},
		{"highway=trunk, foot:backward=yes", shut, walk, [2]float64{-1, 5}},
		{"highway=primary, access=no, foot=permissive", walk, walk, [2]float64{5, 5}},
		{"highway=primary, foot:backward=no;private", walk, shut, [2]float64{5, 5}},
		{"highway=primary, foot=no;yes", walk, walk, [2]float64{5, 5}},
		{"highway=primary, sidewalk=separate, foot=yes", walk, walk, [2]float64{5, 5}},
		{"highway=primary, sidewalk:left=separate, foot:forward=destination", walk, shut, [2]float64{5, 5}},
		{"highway=primary, sidewalk=both", walk, walk, [2]float64{5, 5}},
		// Direction.
		{"highway=footway, oneway:foot=yes", walk, shut, [2]float64{5, 5}},
		{"highway=footway, oneway:foot=-1", shut, walk, [2]float64{5, 5}},
		{"highway=steps, conveying=forward", walk, shut, [2]float64{5, 5}},
		{"highway=footway, conveying=backward", shut, walk, [2]float64{5, 5}},
		{"highway=steps, conveying=reversible", walk, walk, [2]float64{5, 5}},
		{"highway=steps, conveying=forward, oneway=no", walk, walk, [2]float64{5, 5}},
		{"highway=path, conveying=forward", walk, walk, [2]float64{5, 5}},
		// Surface.
		{"highway=path, surface=gravel", walk, walk, [2]float64{3.75, 3.75}},
		{"highway=path, surface=mud", walk, walk, [2]float64{2.5, 2.5}},
		{"highway=path, surface=asphalt", walk, walk, [2]float64{5, 5}},
	} {
		r := footWay(t, tc.tags)
		require.Equal(t, tc.forward, r.ForwardMode, tc.tags)
		require.Equal(t, tc.backward, r.BackwardMode, tc.tags)
		require.Equal(t, tc.speeds, [2]float64{r.ForwardSpeed, r.BackwardSpeed}, tc.tags)
		require.Equal(t, tc.forward != ferry, r.IsStartPoint, tc.tags)
		require.True(t, r.Routable(true), tc.tags)
	}
	require.Equal(t, 3600.0, footWay(t, "route=ferry, duration=1:00").Duration)
}

func TestFootGuidance(t *testing.T) {
	r := footWay(t, "highway=footway, footway=sidewalk, is_sidepath:of:name=Main Street, oneway:foot=yes, destination=A;B")
	require.Equal(t, "Main Street", r.Name)
	require.Equal(t, "A, B", r.Destinations)
	require.Equal(t, RoadClass{Priority: PriorityFootPath, MayBeIgnored: true}, r.Class)
}

func TestFootNodes(t *testing.T) {
	for tags, want := range map[string]ObstacleType{
		"":                               0,
		"barrier=bollard":                0,
		"barrier=fence":                  ObstacleBarrier,
		"barrier=fence, sensory=audio":   0,
		"barrier=yes, bollard=rising":    0,
		"barrier=wall, foot=yes":         0,
		"barrier=gate, access=no":        ObstacleBarrier,
		"barrier=gate, vehicle=no":       0,
		"highway=crossing, foot=private": ObstacleBarrier,
		"highway=traffic_signals, traffic_signals:direction=forward": ObstacleTrafficSignals,
	} {
		var r NodeResult
		require.NoError(t, newFootWorker(t).Node(&osm.Node{Tags: parseTags(tags)}, &r))
		var got ObstacleType
		for _, o := range r.Obstacles {
			got |= o.Type
			require.Equal(t, DirectionBoth, o.Direction)
		}
		require.Equal(t, want, got, tags)
	}
}

func TestFootTurns(t *testing.T) {
	for _, tc := range []struct {
		turn Turn
		want float64
	}{
		{Turn{Angle: 90}, 0},
		{Turn{IsUTurn: true}, 2},
		{Turn{HasTrafficLight: true}, 2},
		{Turn{IsUTurn: true, HasTrafficLight: true, Duration: 5}, 2},
	} {
		turn := tc.turn
		require.NoError(t, newFootWorker(t).Turn(&turn))
		require.Equal(t, [2]float64{tc.want, tc.want}, [2]float64{turn.Duration, turn.Weight})
	}
}
