package profile

import (
	"errors"
	"slices"

	"github.com/paulmach/osm"
)

// BicycleOptions adapts the bicycle. The zero value is OSRM's bicycle.
type BicycleOptions struct {
	Tuning
	// WeightName is what to minimize. "duration", the default, is the plain
	// riding time, "cyclability" the riding time with a dislike of busy roads
	// without cycleways, and "distance" the plain length.
	WeightName string `json:"weight"`
	// Width of the vehicle in meters closes what is narrower; 0 does not.
	Width float64 `json:"width"`
	// MaxSpeed caps all speeds, in km/h, by default at 21.
	MaxSpeed float64 `json:"max_speed"`
	// PushSpeed is that of walking with the bicycle, by default 4 km/h.
	PushSpeed float64 `json:"push_speed"`
	// CargoBike keeps off what is closed to cargo bikes.
	CargoBike bool `json:"cargo_bike"`
	// TurnPenalty, in seconds, is that of a turn at a right angle, by default
	// 6. TurnBias, by default 1.4, makes turns across the oncoming traffic
	// dearer than the others.
	TurnPenalty *float64 `json:"turn_penalty"`
	TurnBias    float64  `json:"turn_bias"`
	// ModePenalty, in units of the weight, is that of getting off, by default
	// 30. It counts where the weight is not the duration.
	ModePenalty *float64 `json:"mode_penalty"`
}

// EnsureDefaults fills in the values that are left zero.
func (o *BicycleOptions) EnsureDefaults() {
	o.WeightName = either(o.WeightName, weightDuration)
	orNumber(&o.MaxSpeed, bicycleMaxSpeed)
	orNumber(&o.PushSpeed, bicyclePushSpeed)
	orNumber(&o.FerrySpeed, bicycleFerrySpeed)
	orNumber(&o.TurnBias, bicycleTurnBias)
	orPenalty(&o.TurnPenalty, bicycleTurnPenalty)
	orPenalty(&o.UTurnPenalty, bicycleUTurnPenalty)
	orPenalty(&o.SignalPenalty, bicycleSignalPenalty)
	orPenalty(&o.ModePenalty, bicycleModePenalty)
}

// Validate reports everything that is wrong with the options, each fault an
// *OptionError.
func (o *BicycleOptions) Validate() error {
	f := faults{vehicle: vehicleBicycle}
	f.oneOf("WeightName", o.WeightName, weightDuration, weightCyclability, weightDistance)
	f.atLeast0("Width", o.Width)
	f.atLeast0("MaxSpeed", o.MaxSpeed)
	f.atLeast0("PushSpeed", o.PushSpeed)
	f.penalty("TurnPenalty", o.TurnPenalty)
	f.atLeast0("TurnBias", o.TurnBias)
	f.penalty("ModePenalty", o.ModePenalty)
	o.validate(&f, either(o.WeightName, weightDuration) == weightDuration, bicycleClassNames[:],
		[]Access{AccessYes, AccessNo, AccessIgnored})
	return errors.Join(f.list...)
}

const weightCyclability = "cyclability"

// The classes of roads that the bicycle tells apart, as bits of a
// graph.ClassMask.
const (
	bicycleFerry = 1 << iota
	bicycleTunnel
)

var bicycleClassNames = [...]string{"ferry", "tunnel"}

// bicycleMatchingSpeed, in meters per second, is the fastest that a trace may
// be.
const bicycleMatchingSpeed = 40 / 3.6

type bicycle struct {
	options    BicycleOptions
	tuner      tuner
	properties Properties
}

// NewBicycle returns the bicycle profile, or an error that lists the faults of
// the options.
func NewBicycle(o BicycleOptions) (Profile, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.EnsureDefaults()
	o.Tuning = o.clone()
	b := &bicycle{
		options: o,
		properties: Properties{
			WeightName:             o.WeightName,
			WeightPrecision:        1,
			MaxSpeedForMapMatching: bicycleMatchingSpeed,
			MaxCollapseDistance:    30,
			TrafficSignalPenalty:   *o.SignalPenalty,
			AreaWalkingSpeed:       1.4,
			Classes:                slices.Clone(bicycleClassNames[:]),
			Restrictions:           []string{"bicycle"},
		},
	}
	b.options.apply(&b.properties)
	var err error
	b.tuner, err = newTuner(&b.options.Tuning, bicycleAccess, &b.properties)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Name returns "bicycle", or the name in the options.
func (b *bicycle) Name() string { return b.options.name(vehicleBicycle) }

// Properties returns the settings that hold for the whole network.
func (b *bicycle) Properties() *Properties { return &b.properties }

// NewWorker returns an evaluator for one goroutine. It never fails.
func (b *bicycle) NewWorker() (Worker, error) { return &bicycleWorker{bicycle: b}, nil }

// bicycleWorker evaluates elements for a bicycle.
type bicycleWorker struct {
	*bicycle
	tagged osm.Tags // of the way being evaluated
	tags   wayTags
	road   bicycleRoad
}

// Segment leaves segments as they are.
func (w *bicycleWorker) Segment(*Segment) error { return nil }
