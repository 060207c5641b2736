package profile

import (
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

type foot struct {
	properties Properties
}

// NewFoot returns the profile of those who walk.
func NewFoot() Profile {
	return &foot{properties: Properties{
		WeightName:             weightDuration,
		WeightPrecision:        1,
		MaxSpeedForMapMatching: footMatchingSpeed,
		// Crossing a street on foot is worth a step of its own.
		MaxCollapseDistance:  10,
		TrafficSignalPenalty: footSignalPenalty,
		UTurnPenalty:         footUTurnPenalty,
		AreaWalkingSpeed:     1.4,
		Restrictions:         []string{"foot"},
		SuffixList: []string{
			"N", "NE", "E", "SE", "S", "SW", "W", "NW", "North", "South", "West", "East",
		},
	}}
}

// Name returns "foot".
func (f *foot) Name() string { return "foot" }

// Properties returns the settings that hold for the whole network.
func (f *foot) Properties() *Properties { return &f.properties }

// NewWorker returns an evaluator for one goroutine. It never fails.
func (f *foot) NewWorker() (Worker, error) { return &footWorker{foot: f}, nil }

// footWorker evaluates elements for those who walk.
type footWorker struct {
	*foot
	tags wayTags
}

// Segment leaves segments as they are.
func (w *footWorker) Segment(*Segment) error { return nil }

// Node finds barriers and signals.
func (w *footWorker) Node(n *osm.Node, r *NodeResult) error {
	r.Reset()
	if len(n.Tags) == 0 {
		return nil
	}
	if value := firstTag(n.Tags, "foot", "access"); value != "" {
		if footAccess(value)&accessForbidden != 0 {
			r.addBarrier()
		}
	} else if blocksSlowTraffic(n.Tags.Find("barrier")) && !isVirtualFence(n.Tags) && n.Tags.Find("bollard") != "rising" {
		r.addBarrier()
	}
	// Directions of signals are for vehicles.
	if n.Tags.Find("highway") == "traffic_signals" {
		r.add(Obstacle{Type: ObstacleTrafficSignals, Direction: DirectionBoth, Duration: footSignalPenalty})
	}
	return nil
}

// Turn charges for turning around and for signals, the latter alone where
// there are both.
func (w *footWorker) Turn(t *Turn) error {
	t.Duration = 0
	if t.IsUTurn {
		t.Duration = footUTurnPenalty
	}
	if t.HasTrafficLight {
		t.Duration = footSignalPenalty
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
