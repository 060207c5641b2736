package profile

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
)

func TestByName(t *testing.T) {
	for _, name := range Names() {
		p, err := ByName(name)
		require.NoError(t, err)
		require.Equal(t, name, p.Name())
		require.LessOrEqual(t, len(p.Properties().Classes), MaxClasses)
		for _, set := range p.Properties().Excludable {
			_, err := p.Properties().ClassMask(set...)
			require.NoError(t, err)
		}
	}
	_, err := ByName("zeppelin")
	var unknown *UnknownError
	require.ErrorAs(t, err, &unknown)
	require.Equal(t, "zeppelin", unknown.Name)
	require.ErrorContains(t, err, "car")
}

func TestCarProperties(t *testing.T) {
	p, err := ByName("car")
	require.NoError(t, err)
	properties := p.Properties()
	require.Equal(t, "routability", properties.WeightName)
	require.False(t, properties.DurationIsWeight())
	require.Equal(t, 10.0, properties.WeightMultiplier())
	require.Equal(t, 3276.7, properties.MaxTurnWeight())
	require.Equal(t, 50.0, properties.MaxSpeedForMapMatching)
	require.Equal(t, []string{"motorcar", "motor_vehicle", "vehicle"}, properties.Restrictions)

	mask, err := properties.ClassMask("toll", "tunnel")
	require.NoError(t, err)
	require.Equal(t, graph.ClassMask(carToll|carTunnel), mask)
	mask, err = properties.ClassMask("motorway", "ferry", "restricted")
	require.NoError(t, err)
	require.Equal(t, graph.ClassMask(carMotorway|carFerry|carRestricted), mask)
	_, err = properties.ClassMask("toll", "cobbles")
	require.ErrorContains(t, err, "cobbles")
}

func TestCarOptions(t *testing.T) {
	_, err := NewCar(CarOptions{WeightName: "beauty", Height: -1, Width: math.NaN(), Mass: math.Inf(1)})
	for _, field := range []string{"WeightName", "Height", "Width", "Mass"} {
		require.ErrorContains(t, err, field)
	}
	require.NotContains(t, err.Error(), "Length")

	o := CarOptions{Width: 2.2}
	o.EnsureDefaults()
	require.Equal(t, CarOptions{
		Tuning:     Tuning{FerrySpeed: 5, UTurnPenalty: new(20.0), SignalPenalty: new(2.0)},
		WeightName: "routability", Height: 2, Width: 2.2, Length: 4.8, Mass: 2000, AccessSpeed: 10, LimitFactor: 0.8,
		TurnPenalty: new(7.5), TurnBias: 1.075, StopPenalty: new(2.0), GiveWayPenalty: new(1.0), GatePenalty: new(60.0),
	}, o)
	require.NoError(t, o.Validate())
}

func TestWayResultSplit(t *testing.T) {
	base := WayResult{ForwardMode: drive, BackwardMode: drive, ForwardSpeed: 50, BackwardSpeed: 50, Duration: Unset, Weight: Unset}
	require.False(t, base.Split(false))
	require.True(t, base.Split(true))
	for name, change := range map[string]func(*WayResult){
		"rate":    func(r *WayResult) { r.ForwardRate = 1 },
		"speed":   func(r *WayResult) { r.BackwardSpeed = 40 },
		"mode":    func(r *WayResult) { r.ForwardMode = ferry },
		"classes": func(r *WayResult) { r.BackwardClasses = carToll },
		"ref":     func(r *WayResult) { r.ForwardRef = "A 1" },
		"lanes":   func(r *WayResult) { r.TurnLanesForward = "left" },
	} {
		r := base
		change(&r)
		require.True(t, r.Split(false), name)
	}
	restricted := base
	restricted.ForwardRestricted = true
	require.False(t, restricted.Split(false))
	oneWay := base
	oneWay.BackwardMode = shut
	require.False(t, oneWay.Split(true))
}

func TestAccessResolve(t *testing.T) {
	for value, want := range map[string]string{
		"yes": "yes", "no;yes": "yes", "no;private": "private", "bus ; no": "bus", "no; foo": "no", "foo;bar": "foo",
		";": ";", ";;": ";;", " ;": "", "\tdestination\v;": "destination",
	} {
		got := accessRules(carAccess).resolve(value)
		require.True(t, got.tagged, value)
		require.Equal(t, want, got.value, value)
	}
	require.False(t, accessRules(carAccess).resolve("").tagged)
}
