package profile

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
)

const (
	shut  = graph.ModeInaccessible
	drive = graph.ModeDriving
	ferry = graph.ModeFerry
)

// Ways that a car cannot use come out with nothing set.
func TestCarClosedWays(t *testing.T) {
	var closed WayResult
	closed.Reset()
	for _, tags := range []string{
		"",
		"building=yes",
		"highway=, route=",
		"highway=footway",
		"highway=path",
		"highway=track",
		"highway=steps, access=yes",
		"highway=construction, access=yes",
		"highway=proposed, access=yes",
		"highway=area, access=yes",
		"highway=primary, area=yes",
		"highway=primary, railway=construction",
		"highway=primary, construction=secondary",
		"route=ferry, proposed=yes",
		"highway=primary, oneway=reversible",
		"highway=primary, impassable=yes",
		"highway=primary, status=impassable",
		"highway=primary, access=no",
		"highway=primary, access=yes, motorcar=no",
		"highway=primary, access=bus;psv",
		"highway=primary, motor_vehicle:forward=no, motor_vehicle:backward=military",
		"highway=track, access=private",
		"highway=track, access=agricultural",
		"highway=primary, maxheight=1.9",
		"highway=primary, maxheight:forward=1.9, maxheight:backward=6'2",
		"highway=primary, maxheight:physical=1.5, maxheight=3",
		"highway=primary, maxwidth=1.9",
		"highway=primary, est_width=1",
		"highway=primary, maxlength=4.7",
		"highway=primary, maxweight=1.5",
		"highway=primary, maxweightrating=4000 lbs, maxweight=10",
		"highway=service, service=emergency_access",
		"route=ferry, access=no",
		"route=hiking",
		"highway=road",
	} {
		require.Equal(t, &closed, carWay(t, tags), tags)
	}
}

func TestCarWaysThatStayOpen(t *testing.T) {
	for _, tags := range []string{
		"highway=primary, area=no",
		"highway=primary, construction=minor",
		"highway=primary, construction=no",
		"highway=primary, construction=widening",
		"highway=primary, proposed=motorway",
		"highway=primary, railway=tram",
		"highway=primary, access=no, vehicle=yes",
		"highway=primary, access=no;destination",
		"highway=primary, maxheight=2",
		"highway=primary, maxheight=none",
		"highway=primary, maxheight=below_default",
		"highway=primary, maxwidth=1,91",
		"highway=primary, maxwidth=narrow",
		"highway=primary, narrow=yes",
		"highway=primary, maxlength=4.8",
		"highway=primary, maxweight=2",
		"highway=primary, maxweight=2000 kg",
		"highway=primary, maxweight=unsigned",
	} {
		r := carWay(t, tags)
		require.True(t, r.Routable(false), tags)
		require.True(t, r.Forward() && r.Backward(), tags)
		require.Equal(t, 65.0, r.ForwardSpeed, tags)
	}
}

func TestCarHighwaySpeeds(t *testing.T) {
	for highway, want := range map[string]float64{
		"motorway": 90, "motorway_link": 45, "trunk": 85, "trunk_link": 40,
		"primary": 65, "primary_link": 30, "secondary": 55, "secondary_link": 25,
		"tertiary": 40, "tertiary_link": 20, "unclassified": 25, "residential": 25,
		"living_street": 10, "service": 15, "winter_road": 20, "ice_road": 15,
	} {
		r := carWay(t, "highway="+highway)
		require.Equal(t, drive, r.ForwardMode, highway)
		require.Equal(t, want, r.ForwardSpeed, highway)
		require.Equal(t, want, r.BackwardSpeed, highway)
		require.Equal(t, want/3.6, r.ForwardRate, highway)
		require.True(t, r.IsStartPoint, highway)
		require.False(t, r.Split(false), highway)
		require.True(t, r.Split(true) || highway == "motorway", highway)
	}
}

func TestCarDirections(t *testing.T) {
	for _, tc := range []struct {
		tags              string
		forward, backward graph.Mode
	}{
		{"highway=primary", drive, drive},
		{"highway=primary, oneway=yes", drive, shut},
		{"highway=primary, oneway=1", drive, shut},
		{"highway=primary, oneway=true", drive, shut},
		{"highway=primary, oneway=-1", shut, drive},
		{"highway=primary, oneway=no", drive, drive},
		{"highway=primary, oneway=reverse", drive, drive},
		{"highway=primary, oneway=alternating", drive, drive},
		{"highway=motorway", drive, shut},
		{"highway=motorway, oneway=no", drive, drive},
		{"highway=motorway, oneway=-1", shut, drive},
		{"highway=motorway, oneway=false", drive, shut},
		{"highway=motorway_link", drive, drive},
		{"highway=primary, junction=roundabout", drive, shut},
		{"highway=primary, junction=circular", drive, shut},
		{"highway=primary, junction=roundabout, oneway=no", drive, drive},
		{"highway=primary, junction=roundabout, oneway=-1", shut, drive},
		{"highway=primary, oneway=yes, oneway:motor_vehicle=no", drive, drive},
		{"highway=primary, oneway=no, oneway:vehicle=-1", shut, drive},
		{"highway=primary, oneway:motorcar=yes, oneway:vehicle=-1", drive, shut},
		{"highway=primary, motor_vehicle:backward=no", drive, shut},
		{"highway=primary, access=no, vehicle:forward=yes", drive, shut},
		{"highway=primary, access:forward=no, vehicle=yes", drive, drive},
		{"highway=primary, maxheight:backward=1.5", drive, shut},
		{"highway=primary, maxweight:forward=1, oneway=no", shut, drive},
		// Only access tags speak for cars: a direction without one is closed.
		{"highway=track, access=yes", drive, drive},
		{"highway=track, motorcar:forward=yes", drive, shut},
		{"highway=track, motorcar:backward=yes", shut, drive},
		// Ferries and bridges that open forget what closed a direction.
		{"route=ferry, oneway=yes", ferry, ferry},
		{"route=shuttle_train, motorcar:forward=no", ferry, ferry},
		{"highway=primary, bridge=movable, oneway=yes", drive, drive},
	} {
		r := carWay(t, tc.tags)
		require.Equal(t, tc.forward, r.ForwardMode, tc.tags)
		require.Equal(t, tc.backward, r.BackwardMode, tc.tags)
	}
}

func TestCarAccess(t *testing.T) {
	for _, tc := range []struct {
		tags              string
		forward, backward bool // restricted
		start             bool
		speed             float64
	}{
		{"highway=service, access=destination", true, true, true, 15},
		{"highway=service, access=private", true, true, false, 15},
		{"highway=service, motor_vehicle:backward=private", false, true, true, 15},
		{"highway=residential, access=private", true, true, true, 25},
		{"highway=residential, access=customers", true, true, true, 25},
		{"highway=residential, access=unknown", true, true, true, 25},
		{"highway=residential, access=permit;yes", false, false, true, 25},
		{"highway=residential, access=no; residents ", true, true, true, 25},
		{"highway=residential, access=whatever", false, false, true, 25},
		{"highway=ice_road, access=delivery", true, true, true, 15},
		{"highway=track, access=permissive", false, false, true, 10},
		{"highway=track, access=unknown", false, false, true, 10},
		{"highway=track, access=whatever", false, false, true, 10},
		{"highway=track, access= ; ", false, false, true, 10},
		{"route=hiking, motorcar=designated", false, false, true, 10},
		{"highway=primary, hov=designated", true, true, true, 65},
		{"highway=primary, hov=yes", false, false, true, 65},
		{"highway=primary, hov:lanes=designated|designated", true, true, true, 65},
		{"highway=primary, hov:lanes:forward=designated", true, false, true, 65},
		{"highway=primary, hov:lanes=designated|yes", false, false, true, 65},
		{"highway=primary, oneway=yes, hov:lanes=designated", true, false, true, 65},
		{"highway=primary, oneway=-1, hov:lanes=designated", false, true, true, 65},
	} {
		r := carWay(t, tc.tags)
		require.Equal(t, tc.forward, r.ForwardRestricted, tc.tags)
		require.Equal(t, tc.backward, r.BackwardRestricted, tc.tags)
		require.Equal(t, tc.start, r.IsStartPoint, tc.tags)
		require.Equal(t, tc.speed, max(r.ForwardSpeed, r.BackwardSpeed), tc.tags)
	}
}

func TestCarMaxSpeed(t *testing.T) {
	const untouched = 65
	for _, tc := range []struct {
		tags              string
		forward, backward float64
	}{
		{"maxspeed=50", 40, 40},
		{"maxspeed=120", 96, 96},
		{"maxspeed=50;30", 40, 40},
		{"maxspeed=50 km/h", 40, 40},
		{"maxspeed=30 mph", 30 * 1.609 * 0.8, 30 * 1.609 * 0.8},
		{"maxspeed=30mph", 30 * 1.609 * 0.8, 30 * 1.609 * 0.8},
		{"maxspeed=30 mp/h", 30 * 1.609 * 0.8, 30 * 1.609 * 0.8},
		{"maxspeed=30 MPH", 24, 24},
		{"maxspeed= 50", untouched, untouched},
		{"maxspeed=-50", untouched, untouched},
		{"maxspeed=0", untouched, untouched},
		{"maxspeed=signals", untouched, untouched},
		{"maxspeed=none", 112, 112},
		{"maxspeed=NONE", 112, 112},
		{"maxspeed=DE:urban", 40, 40},
		{"maxspeed=DE:rural", 80, 80},
		{"maxspeed=de:motorway", untouched, untouched},
		{"maxspeed=de:living_street", 7 * 0.8, 7 * 0.8},
		{"maxspeed=fr:rural", 64, 64},
		{"maxspeed=RO:trunk", 80, 80},
		{"maxspeed=xy:trunk", 88, 88},
		{"maxspeed=gb:nsl_single", 96.54 * 0.8, 96.54 * 0.8},
		{"maxspeed=be-vlg:rural", 56, 56},
		{"maxspeed=be-bru:urban", 24, 24},
		{"maxspeed=ar:urban", 32, 32},
		{"maxspeed=no:motorway", 88, 88},
		{"maxspeed=pl:expressway", 96, 96},
		{"maxspeed=PL:motorway", 112, 112},
		{"maxspeed=za:urban", 48, 48},
		{"maxspeed=es:trunk", 72, 72},
		{"maxspeed=ru:living_street", 16, 16},
		{"maxspeed=uk:nsl_dual", 112.63 * 0.8, 112.63 * 0.8},
		{"maxspeed=xy:motorway", 104, 104},
		{"maxspeed=us:ca:urban", untouched, untouched},
		{"maxspeed=usa:urban", 40, 40},
		{"maxspeed=a:urban", untouched, untouched},
		{"maxspeed=zone:de:urban", untouched, untouched},
		{"maxspeed=xy:urban2", 40, 40},
		{"maxspeed=xy:urbane", untouched, untouched},
		{"maxspeed=xy:", untouched, untouched},
		{"source:maxspeed=xy:urban", 40, 40},
		{"maxspeed:type=xy:rural, source:maxspeed=xy:urban", 40, 40},
		{"maxspeed=100, maxspeed:advisory=50", 40, 40},
		{"maxspeed:forward=50", 40, untouched},
		{"maxspeed:forward=50, maxspeed=80", 40, 64},
		{"maxspeed:advisory:backward=20, maxspeed=80", 64, 16},
		{"maxspeed=signals, maxspeed:type=xy:rural", untouched, untouched},
	} {
		r := carWay(t, "highway=primary, "+tc.tags)
		require.InEpsilon(t, tc.forward, r.ForwardSpeed, 1e-15, tc.tags)
		require.InEpsilon(t, tc.backward, r.BackwardSpeed, 1e-15, tc.tags)
	}
}

func TestCarSurface(t *testing.T) {
	for _, tc := range []struct {
		tags string
		want float64
	}{
		{"surface=asphalt", 85},
		{"surface=concrete:plates", 85},
		{"surface=unheard_of", 85},
		{"surface=compacted", 80},
		{"surface=paving_stones", 60},
		{"surface=gravel", 40},
		{"surface=cobblestone", 30},
		{"surface=snow", 30},
		{"surface=sand", 20},
		{"surface=laterite", 15},
		{"surface=mud", 10},
		{"tracktype=grade1", 60},
		{"tracktype=grade2", 40},
		{"tracktype=grade3", 30},
		{"tracktype=grade4", 25},
		{"tracktype=grade5", 20},
		{"tracktype=grade6", 85},
		{"smoothness=good", 85},
		{"smoothness=intermediate", 80},
		{"smoothness=bad", 40},
		{"smoothness=very_bad", 20},
		{"smoothness=horrible", 10},
		{"smoothness=very_horrible", 5},
		{"surface=gravel, smoothness=bad, tracktype=grade3", 30},
		{"surface=gravel, maxspeed=100", 40},
		{"surface=gravel, maxspeed=30", 24},
	} {
		r := carWay(t, "highway=trunk, "+tc.tags)
		require.Equal(t, tc.want, r.ForwardSpeed, tc.tags)
		require.Equal(t, tc.want, r.BackwardSpeed, tc.tags)
	}
	impassable := carWay(t, "highway=trunk, smoothness=impassable")
	require.Zero(t, impassable.ForwardSpeed)
	require.False(t, impassable.Routable(false))
	require.False(t, impassable.Routable(true))
}

func TestCarRates(t *testing.T) {
	for _, tc := range []struct {
		tags              string
		forward, backward float64
	}{
		{"service=alley", 0.5, 0.5},
		{"service=parking_aisle", 0.5, 0.5},
		{"service=drive-thru", 0.5, 0.5},
		{"service=bus", 1, 1},
		{"lanes=1", 0.5, 0.5},
		{"lanes=0", 0.5, 0.5},
		{"lanes=1;2", 0.5, 0.5},
		{"lanes=2", 1, 1},
		{"lanes=one", 1, 1},
		{"lanes=1, oneway=yes", 1, 0},
		{"width=3", 0.5, 0.5},
		{"width=3.5", 0.6, 0.6},
		{"width=4", 0.75, 0.75},
		{"width=5.5 m", 0.8, 0.8},
		{"width=6", 1, 1},
		{"width=12'", 0.6, 0.6},
		{"width=2.5, oneway=yes", 1, 0},
		{"lane_markings=no", 0.75, 0.75},
		{"lane_markings=no, width=5.5", 0.8, 0.8},
		{"lane_markings=no, width=7", 0.75, 0.75},
		{"lane_markings=no, oneway=yes", 1, 0},
		{"lane_markings=no, width=5.5, lanes=1", 0.5, 0.5},
		{"oneway=alternating", 0.4, 0.4},
		{"side_road=yes", 0.8, 0.8},
		{"side_road=rotary", 0.8, 0.8},
		{"priority=forward", 1, 0.7},
		{"priority=backward", 0.7, 1},
		{"priority=backward, lanes=1", 0.5, 0.5},
		{"priority=backward, side_road=yes", 0.7, 0.8},
	} {
		r := carWay(t, "highway=primary, "+tc.tags)
		require.Equal(t, 65*tc.forward/3.6, r.ForwardRate, tc.tags)
		if tc.backward > 0 {
			require.Equal(t, 65*tc.backward/3.6, r.BackwardRate, tc.tags)
		} else {
			require.Equal(t, shut, r.BackwardMode, tc.tags)
		}
		require.EqualValues(t, Unset, r.Weight, tc.tags)
		require.Equal(t, tc.backward > 0 && tc.forward != tc.backward, r.Split(false), tc.tags)
	}
}

func TestCarFerriesAndBridges(t *testing.T) {
	r := carWay(t, "route=ferry, duration=01:00")
	require.Equal(t, ferry, r.ForwardMode)
	require.Equal(t, 5.0, r.ForwardSpeed)
	require.Equal(t, 3600.0, r.Duration)
	require.Equal(t, 3600.0, r.Weight)
	require.False(t, r.IsStartPoint)

	require.EqualValues(t, Unset, carWay(t, "route=ferry, duration=one hour").Duration)
	require.Equal(t, 1.0, carWay(t, "route=ferry, duration=P").Duration)
	require.Equal(t, 10.0, carWay(t, "route=shuttle_train").ForwardSpeed)
	require.Equal(t, 40.0, carWay(t, "route=ferry, maxspeed=50").ForwardSpeed)

	r = carWay(t, "route=ferry, duration=10, lanes=1")
	require.Equal(t, 1200.0, r.Weight)
	r = carWay(t, "route=ferry, duration=10, priority=forward")
	require.EqualValues(t, Unset, r.Weight)

	r = carWay(t, "highway=primary, bridge=movable")
	require.Equal(t, drive, r.ForwardMode)
	require.Equal(t, 5.0, r.ForwardSpeed)
	r = carWay(t, "highway=primary, bridge=movable, duration=PT5M")
	require.Equal(t, 65.0, r.ForwardSpeed)
	require.Equal(t, 300.0, r.Duration)
	require.Equal(t, 300.0, r.Weight)
	r = carWay(t, "route=bus, bridge=movable, duration=5")
	require.EqualValues(t, Unset, r.ForwardSpeed)
	require.True(t, r.Routable(false))
	require.True(t, r.Forward() && r.Backward())
}

func TestCarClasses(t *testing.T) {
	for _, tc := range []struct {
		tags              string
		forward, backward graph.ClassMask
	}{
		{"highway=primary", 0, 0},
		{"highway=primary, toll=yes", carToll, carToll},
		{"highway=primary, toll:forward=yes", carToll, 0},
		{"highway=primary, toll=yes, oneway=yes", carToll, 0},
		{"highway=primary, toll=yes, oneway=-1", 0, carToll},
		{"highway=primary, toll=no", 0, 0},
		{"highway=motorway, toll=yes", carToll | carMotorway, carMotorway},
		{"highway=motorway_link", carMotorway, carMotorway},
		{"highway=trunk", 0, 0},
		{"route=ferry", carFerry, carFerry},
		{"route=shuttle_train", 0, 0},
		{"highway=primary, access=destination", carRestricted, carRestricted},
		{"highway=primary, access:backward=destination", 0, carRestricted},
		{"highway=primary, tunnel=yes", carTunnel, carTunnel},
		{"highway=primary, tunnel=building_passage", carTunnel, carTunnel},
		{"highway=primary, tunnel=no", 0, 0},
	} {
		r := carWay(t, tc.tags)
		require.Equal(t, tc.forward, r.ForwardClasses, tc.tags)
		require.Equal(t, tc.backward, r.BackwardClasses, tc.tags)
	}
}

func TestCarFlags(t *testing.T) {
	r := carWay(t, "highway=primary, junction=roundabout")
	require.True(t, r.Roundabout)
	require.False(t, r.Circular)
	r = carWay(t, "highway=primary, junction=circular")
	require.False(t, r.Roundabout)
	require.True(t, r.Circular)

	require.True(t, carWay(t, "highway=primary, driving_side=left").IsLeftHandDriving)
	require.False(t, carWay(t, "highway=primary, driving_side=right").IsLeftHandDriving)
	require.False(t, carWay(t, "highway=primary, driving_side=both").IsLeftHandDriving)
	left := CarOptions{Tuning: Tuning{LeftHandDriving: true}}
	require.True(t, optionsWay(t, left, "highway=primary").IsLeftHandDriving)
	require.False(t, optionsWay(t, left, "highway=primary, driving_side=right").IsLeftHandDriving)
}

// The first of two tags with the same key counts.
func TestCarDuplicateKeys(t *testing.T) {
	require.Equal(t, 40.0, carWay(t, "highway=primary, maxspeed=50, maxspeed=80").ForwardSpeed)
	require.Equal(t, 65.0, carWay(t, "highway=primary, maxspeed=, maxspeed=80").ForwardSpeed)
}

func TestCarWeightNames(t *testing.T) {
	const tags = "highway=primary, lanes=1, hov:lanes:forward=designated"
	duration := optionsWay(t, CarOptions{WeightName: "duration"}, tags)
	require.EqualValues(t, Unset, duration.BackwardRate)
	require.Equal(t, shut, duration.ForwardMode, "without restrictions lanes for several people are closed")
	require.False(t, duration.ForwardRestricted)
	require.True(t, duration.Routable(true))
	require.False(t, duration.Routable(false))

	distance := optionsWay(t, CarOptions{WeightName: "distance"}, tags)
	require.EqualValues(t, Unset, distance.ForwardRate)
	require.Equal(t, 1.0, distance.BackwardRate)
	require.EqualValues(t, Unset, distance.Weight)
}

func TestCarVehicle(t *testing.T) {
	truck := CarOptions{Height: 4, Width: 2.5, Length: 12, Mass: 12000, MaxSpeed: 80}
	for _, tags := range []string{
		"maxheight=3.9", "maxwidth=2.5", "width=narrow", "narrow=yes", "maxlength=11", "maxweight=7.5",
	} {
		require.False(t, optionsWay(t, truck, "highway=primary, "+tags).Routable(false), tags)
		require.True(t, carWay(t, "highway=primary, "+tags).Routable(false), tags)
	}
	require.Equal(t, 80.0, optionsWay(t, truck, "highway=motorway").ForwardSpeed)
	require.Equal(t, 65.0, optionsWay(t, truck, "highway=primary").ForwardSpeed)
	require.Equal(t, 80.0, optionsWay(t, truck, "highway=primary, maxspeed=none").ForwardSpeed)
}
