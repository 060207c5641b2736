package profile

import (
	"errors"
	"fmt"
	"math"
)

// BicycleOptions adapts the bicycle. The zero value is OSRM's bicycle.
type BicycleOptions struct {
	// WeightName is what to minimize. "duration", the default, is the plain
	// riding time, "cyclability" the riding time with a dislike of busy roads
	// without cycleways, and "distance" the plain length.
	WeightName string
	// Width of the vehicle in meters closes what is narrower; 0 does not.
	Width float64
	// MaxSpeed caps all speeds, in km/h, by default at 21.
	MaxSpeed float64
	// CargoBike keeps off what is closed to cargo bikes.
	CargoBike bool
}

// EnsureDefaults fills in the values that are left zero.
func (o *BicycleOptions) EnsureDefaults() {
	if o.WeightName == "" {
		o.WeightName = weightDuration
	}
	if o.MaxSpeed == 0 {
		o.MaxSpeed = bicycleMaxSpeed
	}
}

// Validate reports everything that is wrong with the options.
func (o *BicycleOptions) Validate() error {
	var faults []error
	switch o.WeightName {
	case "", weightDuration, weightCyclability, weightDistance:
	default:
		faults = append(faults, fmt.Errorf("profile: bicycle: WeightName %q is none of %s, %s and %s",
			o.WeightName, weightDuration, weightCyclability, weightDistance))
	}
	for _, d := range [...]struct {
		name  string
		value float64
	}{{"Width", o.Width}, {"MaxSpeed", o.MaxSpeed}} {
		if !(d.value >= 0) || math.IsInf(d.value, 0) {
			faults = append(faults, fmt.Errorf("profile: bicycle: %s is %v, want a number of at least 0", d.name, d.value))
		}
	}
	return errors.Join(faults...)
}

const weightCyclability = "cyclability"

// The classes of roads that the bicycle tells apart, as bits of a
// graph.ClassMask.
const (
	bicycleFerry = 1 << iota
	bicycleTunnel
)

// bicycleMatchingSpeed, in meters per second, is the fastest that a trace may
// be.
const bicycleMatchingSpeed = 40 / 3.6

type bicycle struct {
	options    BicycleOptions
	properties Properties
}

// NewBicycle returns the bicycle profile, or an error that lists the faults of
// the options.
func NewBicycle(o BicycleOptions) (Profile, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.EnsureDefaults()
	return &bicycle{
		options: o,
		properties: Properties{
			WeightName:             o.WeightName,
			WeightPrecision:        1,
			MaxSpeedForMapMatching: bicycleMatchingSpeed,
			MaxCollapseDistance:    30,
			TrafficSignalPenalty:   bicycleSignalPenalty,
			UTurnPenalty:           bicycleUTurnPenalty,
			AreaWalkingSpeed:       1.4,
			Classes:                []string{"ferry", "tunnel"},
			Restrictions:           []string{"bicycle"},
		},
	}, nil
}

// Name returns "bicycle".
func (b *bicycle) Name() string { return "bicycle" }

// Properties returns the settings that hold for the whole network.
func (b *bicycle) Properties() *Properties { return &b.properties }

// NewWorker returns an evaluator for one goroutine. It never fails.
func (b *bicycle) NewWorker() (Worker, error) { return &bicycleWorker{bicycle: b}, nil }

// bicycleWorker evaluates elements for a bicycle.
type bicycleWorker struct {
	*bicycle
	tags wayTags
	road bicycleRoad
}

// Segment leaves segments as they are.
func (w *bicycleWorker) Segment(*Segment) error { return nil }
