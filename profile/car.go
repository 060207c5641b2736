package profile

import (
	"errors"
	"maps"
	"slices"

	"github.com/paulmach/osm"
)

// CarOptions adapts the car. The zero value is OSRM's car.
type CarOptions struct {
	Tuning
	// WeightName is what to minimize. "routability", the default, is the
	// driving time with a dislike of narrow, service and destination-only
	// roads; "duration" is the plain time and "distance" the plain length.
	WeightName string `json:"weight"`
	// Size of the vehicle in meters; the defaults are 2.0 high, 1.9 wide and
	// 4.8 long.
	Height float64 `json:"height"`
	Width  float64 `json:"width"`
	Length float64 `json:"length"`
	// Mass of the vehicle in kilograms, by default 2000.
	Mass float64 `json:"mass"`
	// MaxSpeed caps all speeds, in km/h; 0 does not.
	MaxSpeed float64 `json:"max_speed"`
	// AccessSpeed is driven where only an access tag allows driving, by default
	// 10 km/h.
	AccessSpeed float64 `json:"access_speed"`
	// LimitFactor is the part of a speed limit that is driven, by default 0.8.
	LimitFactor float64 `json:"limit_factor"`
	// PlaceLimits are the speed limits that tags like maxspeed=DE:rural stand
	// for, by the tag in lower case, in km/h.
	PlaceLimits map[string]float64 `json:"place_limits"`
	// TurnPenalty, in seconds, is that of the sharpest turn, by default 7.5.
	// TurnBias, by default 1.075, makes turns across the oncoming traffic
	// dearer than the others.
	TurnPenalty *float64 `json:"turn_penalty"`
	TurnBias    float64  `json:"turn_bias"`
	// Delays at signs and gates in seconds, by default 2, 1 and 60.
	StopPenalty    *float64 `json:"stop_penalty"`
	GiveWayPenalty *float64 `json:"give_way_penalty"`
	GatePenalty    *float64 `json:"gate_penalty"`
}

// EnsureDefaults fills in the values that are left zero.
func (o *CarOptions) EnsureDefaults() {
	o.WeightName = either(o.WeightName, weightRoutability)
	orNumber(&o.Height, 2.0)
	orNumber(&o.Width, 1.9)
	orNumber(&o.Length, 4.8)
	orNumber(&o.Mass, 2000)
	orNumber(&o.AccessSpeed, carDefaultSpeed)
	orNumber(&o.LimitFactor, carSpeedReduction)
	orNumber(&o.FerrySpeed, carFerrySpeed)
	orNumber(&o.TurnBias, carTurnBias)
	orPenalty(&o.TurnPenalty, carTurnPenalty)
	orPenalty(&o.UTurnPenalty, carUTurnPenalty)
	orPenalty(&o.SignalPenalty, carSignalPenalty)
	orPenalty(&o.StopPenalty, carStopPenalty)
	orPenalty(&o.GiveWayPenalty, carGiveWayPenalty)
	orPenalty(&o.GatePenalty, carGatePenalty)
}

// orNumber replaces 0 by a default.
func orNumber(value *float64, standard float64) {
	if *value == 0 {
		*value = standard
	}
}

// orPenalty replaces nil by a default.
func orPenalty(value **float64, standard float64) {
	if *value == nil {
		*value = new(standard)
	}
}

// Validate reports everything that is wrong with the options, each fault an
// *OptionError.
func (o *CarOptions) Validate() error {
	f := faults{vehicle: vehicleCar}
	f.oneOf("WeightName", o.WeightName, weightRoutability, weightDuration, weightDistance)
	f.atLeast0("Height", o.Height)
	f.atLeast0("Width", o.Width)
	f.atLeast0("Length", o.Length)
	f.atLeast0("Mass", o.Mass)
	f.atLeast0("MaxSpeed", o.MaxSpeed)
	f.atLeast0("AccessSpeed", o.AccessSpeed)
	f.atLeast0("LimitFactor", o.LimitFactor)
	f.speeds("PlaceLimits", o.PlaceLimits)
	f.penalty("TurnPenalty", o.TurnPenalty)
	f.atLeast0("TurnBias", o.TurnBias)
	f.penalty("StopPenalty", o.StopPenalty)
	f.penalty("GiveWayPenalty", o.GiveWayPenalty)
	f.penalty("GatePenalty", o.GatePenalty)
	o.validate(&f, o.WeightName == weightDuration, carClassNames[:], []Access{AccessYes, AccessDestination, AccessNo, AccessIgnored})
	return errors.Join(f.list...)
}

const (
	vehicleBicycle = "bicycle"
	vehicleCar     = "car"
	vehicleFoot    = "foot"
)

const (
	weightRoutability = "routability"
	weightDuration    = "duration"
	weightDistance    = "distance"
)

// The classes of roads that the car tells apart, as bits of a graph.ClassMask.
const (
	carToll = 1 << iota
	carMotorway
	carFerry
	carRestricted
	carTunnel
)

var carClassNames = [...]string{"toll", "motorway", "ferry", "restricted", "tunnel"}

// Costs of nodes and turns in seconds.
const (
	carUTurnPenalty   = 20
	carTurnPenalty    = 7.5 // the sharpest turn
	carSignalPenalty  = 2
	carStopPenalty    = 2
	carGiveWayPenalty = 1
	carGatePenalty    = 60
)

type car struct {
	options    CarOptions
	tuner      tuner
	properties Properties
}

// NewCar returns the car profile, or an error that lists the faults of the
// options.
func NewCar(o CarOptions) (Profile, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.EnsureDefaults()
	o.Tuning, o.PlaceLimits = o.clone(), maps.Clone(o.PlaceLimits)
	c := &car{
		options: o,
		properties: Properties{
			WeightName:                 o.WeightName,
			WeightPrecision:            1,
			UseTurnRestrictions:        true,
			ContinueStraightAtWaypoint: true,
			MaxSpeedForMapMatching:     180 / 3.6,
			MaxCollapseDistance:        30,
			AreaWalkingSpeed:           1.4,
			Classes:                    slices.Clone(carClassNames[:]),
			Excludable:                 [][]string{{"toll"}, {"motorway"}, {"ferry"}},
			Restrictions:               []string{"motorcar", "motor_vehicle", "vehicle"},
			SuffixList: []string{
				"N", "NE", "E", "SE", "S", "SW", "W", "NW",
				"North", "South", "West", "East", "Nor", "Sou", "We", "Ea",
			},
			RelationTypes: []string{"route"},
		},
	}
	c.options.apply(&c.properties)
	var err error
	c.tuner, err = newTuner(&c.options.Tuning, carAccess, &c.properties)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Name returns "car", or the name in the options.
func (c *car) Name() string { return c.options.name(vehicleCar) }

// Properties returns the settings that hold for the whole network.
func (c *car) Properties() *Properties { return &c.properties }

// NewWorker returns an evaluator for one goroutine. It never fails.
func (c *car) NewWorker() (Worker, error) { return &carWorker{car: c}, nil }

// carWorker evaluates elements for a car.
type carWorker struct {
	*car
	located
	tagged osm.Tags // of the way being evaluated
	tags   wayTags
	// lower is scratch memory for a value in lower case.
	lower []byte
}

// Segment leaves segments as they are.
func (w *carWorker) Segment(*Segment) error { return nil }
