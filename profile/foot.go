package profile

import (
	"errors"

	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/graph"
)

// Costs of nodes and turns in seconds.
const (
	footSignalPenalty = 2
	footUTurnPenalty  = 2
)

// footMatchingSpeed, in meters per second, is the fastest that a trace may be.
const footMatchingSpeed = 40 / 3.6

// FootOptions adapts those who walk. The zero value is OSRM's foot.
type FootOptions struct {
	Tuning
	// WeightName is what to minimize. "duration", the default, is the plain
	// walking time, "walkability" the same with Factors, and "distance" the
	// plain length.
	WeightName string `json:"weight"`
	// Speed is that of walking, by default 5 km/h. Bad ground slows it down in
	// proportion.
	Speed float64 `json:"speed"`
	// Areas makes ways across squares: closed ways with highway=pedestrian and
	// area=yes, and multipolygons with highway=pedestrian. Without it squares
	// are walked around.
	Areas bool `json:"areas"`
}

// EnsureDefaults fills in the values that are left zero.
func (o *FootOptions) EnsureDefaults() {
	o.WeightName = either(o.WeightName, weightDuration)
	orNumber(&o.Speed, footSpeed)
	orNumber(&o.FerrySpeed, footSpeed)
	orPenalty(&o.UTurnPenalty, footUTurnPenalty)
	orPenalty(&o.SignalPenalty, footSignalPenalty)
}

// Validate reports everything that is wrong with the options, each fault an
// *OptionError.
func (o *FootOptions) Validate() error {
	f := faults{vehicle: vehicleFoot}
	f.oneOf("WeightName", o.WeightName, weightDuration, weightWalkability, weightDistance)
	f.atLeast0("Speed", o.Speed)
	o.validate(&f, either(o.WeightName, weightDuration) == weightDuration, nil,
		[]Access{AccessYes, AccessNo, AccessIgnored})
	return errors.Join(f.list...)
}

const weightWalkability = "walkability"

type foot struct {
	options    FootOptions
	tuner      tuner
	properties Properties
}

// NewFoot returns the profile of those who walk, or an error that lists the
// faults of the options.
func NewFoot(o FootOptions) (Profile, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.EnsureDefaults()
	o.Tuning = o.clone()
	f := &foot{
		options: o,
		properties: Properties{
			WeightName:             o.WeightName,
			WeightPrecision:        1,
			MaxSpeedForMapMatching: footMatchingSpeed,
			// Crossing a street on foot is worth a step of its own.
			MaxCollapseDistance:  10,
			TrafficSignalPenalty: *o.SignalPenalty,
			AreaWalkingSpeed:     areaSpeed,
			Restrictions:         []string{"foot"},
			SuffixList: []string{
				"N", "NE", "E", "SE", "S", "SW", "W", "NW", "North", "South", "West", "East",
			},
		},
	}
	if o.Speed != footSpeed {
		f.properties.AreaWalkingSpeed = o.Speed / 3.6
	}
	f.options.apply(&f.properties)
	var err error
	f.tuner, err = newTuner(&f.options.Tuning, footAccess, &f.properties)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Name returns "foot", or the name in the options.
func (f *foot) Name() string { return f.options.name(vehicleFoot) }

// Properties returns the settings that hold for the whole network.
func (f *foot) Properties() *Properties { return &f.properties }

// NewWorker returns an evaluator for one goroutine. It never fails.
func (f *foot) NewWorker() (Worker, error) {
	if f.options.Areas {
		return &areaWorker{footWorker{foot: f}}, nil
	}
	return &footWorker{foot: f}, nil
}

// footWorker evaluates elements for those who walk.
type footWorker struct {
	*foot
	tagged osm.Tags // of the way being evaluated
	tags   wayTags
}

// Segment leaves segments as they are.
func (w *footWorker) Segment(*Segment) error { return nil }

// Node finds barriers and signals.
func (w *footWorker) Node(n *osm.Node, r *NodeResult) error {
	r.Reset()
	if len(n.Tags) == 0 {
		return nil
	}
	if value := w.tuner.nodeAccess(n.Tags, "foot", "access"); value != "" {
		if w.tuner.rules(value)&accessForbidden != 0 {
			r.addBarrier()
		}
	} else if passes, ok := w.options.Barriers[n.Tags.Find("barrier")]; ok {
		if !passes {
			r.addBarrier()
		}
	} else if blocksSlowTraffic(n.Tags.Find("barrier")) && !isVirtualFence(n.Tags) && n.Tags.Find("bollard") != "rising" {
		r.addBarrier()
	}
	// Directions of signals are for vehicles.
	if n.Tags.Find("highway") == "traffic_signals" {
		r.add(Obstacle{Type: ObstacleTrafficSignals, Direction: DirectionBoth, Duration: float32(*w.options.SignalPenalty)})
	}
	return nil
}

// Turn charges for turning around and for signals, the latter alone where
// there are both.
func (w *footWorker) Turn(t *Turn) error {
	t.Duration = 0
	if t.IsUTurn {
		t.Duration = w.properties.UTurnPenalty
	}
	if t.HasTrafficLight {
		t.Duration = *w.options.SignalPenalty
	}
	if w.options.WeightName == weightWalkability {
		t.Weight = t.Duration
	}
	t.Finish(&w.properties)
	return nil
}

// footAccess sorts the values of access tags.
func footAccess(value string) accessSet {
	switch value {
	case "yes", "foot", "permissive", "designated":
		return accessAllowed
	case "no", "agricultural", "forestry", "private", "delivery", "use_sidepath":
		return accessForbidden
	}
	return 0
}

func canStartFoot(m graph.Mode) bool { return m == graph.ModeWalking }
