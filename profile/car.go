package profile

import (
	"errors"
	"fmt"
	"math"
)

// CarOptions adapts the car. The zero value is OSRM's car.
type CarOptions struct {
	// WeightName is what to minimize. "routability", the default, is the
	// driving time with a dislike of narrow, service and destination-only
	// roads; "duration" is the plain time and "distance" the plain length.
	WeightName string
	// Size of the vehicle in meters; the defaults are 2.0 high, 1.9 wide and
	// 4.8 long.
	Height, Width, Length float64
	// Mass of the vehicle in kilograms, by default 2000.
	Mass float64
	// MaxSpeed caps all speeds, in km/h; 0 does not.
	MaxSpeed float64
	// LeftHandDriving is the side to assume where a way does not say.
	LeftHandDriving bool
}

// EnsureDefaults fills in the values that are left zero.
func (o *CarOptions) EnsureDefaults() {
	if o.WeightName == "" {
		o.WeightName = weightRoutability
	}
	for _, d := range [...]struct {
		value    *float64
		standard float64
	}{{&o.Height, 2.0}, {&o.Width, 1.9}, {&o.Length, 4.8}, {&o.Mass, 2000}} {
		if *d.value == 0 {
			*d.value = d.standard
		}
	}
}

// Validate reports everything that is wrong with the options.
func (o *CarOptions) Validate() error {
	var faults []error
	switch o.WeightName {
	case "", weightRoutability, weightDuration, weightDistance:
	default:
		faults = append(faults, fmt.Errorf("profile: car: WeightName %q is none of %s, %s and %s",
			o.WeightName, weightRoutability, weightDuration, weightDistance))
	}
	for _, d := range [...]struct {
		name  string
		value float64
	}{{"Height", o.Height}, {"Width", o.Width}, {"Length", o.Length}, {"Mass", o.Mass}, {"MaxSpeed", o.MaxSpeed}} {
		if !(d.value >= 0) || math.IsInf(d.value, 0) {
			faults = append(faults, fmt.Errorf("profile: car: %s is %v, want a number of at least 0", d.name, d.value))
		}
	}
	return errors.Join(faults...)
}

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
	properties Properties
}

// NewCar returns the car profile, or an error that lists the faults of the
// options.
func NewCar(o CarOptions) (Profile, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.EnsureDefaults()
	return &car{
		options: o,
		properties: Properties{
			WeightName:                 o.WeightName,
			WeightPrecision:            1,
			LeftHandDriving:            o.LeftHandDriving,
			UseTurnRestrictions:        true,
			ContinueStraightAtWaypoint: true,
			MaxSpeedForMapMatching:     180 / 3.6,
			MaxCollapseDistance:        30,
			UTurnPenalty:               carUTurnPenalty,
			AreaWalkingSpeed:           1.4,
			Classes:                    []string{"toll", "motorway", "ferry", "restricted", "tunnel"},
			Excludable:                 [][]string{{"toll"}, {"motorway"}, {"ferry"}},
			Restrictions:               []string{"motorcar", "motor_vehicle", "vehicle"},
			SuffixList: []string{
				"N", "NE", "E", "SE", "S", "SW", "W", "NW",
				"North", "South", "West", "East", "Nor", "Sou", "We", "Ea",
			},
			RelationTypes: []string{"route"},
		},
	}, nil
}

// Name returns "car".
func (c *car) Name() string { return "car" }

// Properties returns the settings that hold for the whole network.
func (c *car) Properties() *Properties { return &c.properties }

// NewWorker returns an evaluator for one goroutine. It never fails.
func (c *car) NewWorker() (Worker, error) { return &carWorker{car: c}, nil }

// carWorker evaluates elements for a car.
type carWorker struct {
	*car
	tags wayTags
	// lower is scratch memory for a value in lower case.
	lower []byte
}

// Segment leaves segments as they are.
func (w *carWorker) Segment(*Segment) error { return nil }
