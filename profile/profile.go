package profile

import (
	"fmt"
	"math"
	"strings"

	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/graph"
)

// Profile is a vehicle and its habits. Implementations are immutable and safe
// for concurrent use.
type Profile interface {
	// Name is the short name by which files and commands know the profile.
	Name() string
	// Properties returns the settings that hold for the whole network. The
	// slices in it are shared and must not be changed.
	Properties() *Properties
	// NewWorker returns an evaluator for one goroutine.
	NewWorker() (Worker, error)
}

// Worker evaluates elements. It belongs to one goroutine at a time. Every
// method overwrites its result completely. A method fails only if the profile
// itself is at fault (a script, say); odd tags are never an error.
type Worker interface {
	// Node finds the obstacles that a node's tags describe.
	Node(*osm.Node, *NodeResult) error
	// Way finds out how a way can be used.
	Way(*osm.Way, *WayResult) error
	// Segment may change the weight and duration of a piece of a way. It is
	// called only if Properties.HasSegment is set.
	Segment(*Segment) error
	// Turn prices a turn, or the passage of a node between two segments.
	Turn(*Turn) error
}

// Properties are the settings of a profile that hold for the whole network.
type Properties struct {
	// WeightName names what is minimized. "duration" makes weights equal to
	// durations; any other name gives weights a scale of their own.
	WeightName string
	// WeightPrecision is the number of decimal digits kept of a weight.
	WeightPrecision int
	// LeftHandDriving is the side to assume where a way does not say.
	LeftHandDriving bool
	// UseTurnRestrictions tells whether restriction relations apply.
	UseTurnRestrictions bool
	// ContinueStraightAtWaypoint forbids turning around at a waypoint unless
	// the request says otherwise.
	ContinueStraightAtWaypoint bool
	// ForceSplitEdges keeps both directions of every way apart.
	ForceSplitEdges bool
	// HasSegment tells that Worker.Segment does something.
	HasSegment bool
	// TaglessNodes tells that Worker.Node wants nodes without tags too.
	TaglessNodes bool
	// MaxSpeedForMapMatching, in meters per second, bounds how far a trace
	// may jump.
	MaxSpeedForMapMatching float64
	// MaxCollapseDistance, in meters, bounds the steps that guidance merges.
	MaxCollapseDistance float64
	// TrafficSignalPenalty and UTurnPenalty are in seconds.
	TrafficSignalPenalty, UTurnPenalty float64
	// AreaWalkingSpeed, in meters per second, is the speed across open areas.
	AreaWalkingSpeed float64
	// AreaVisibilityGraph keeps every line of sight across open areas, not
	// only those on shortest paths between their entries.
	AreaVisibilityGraph bool
	// Classes names the road classes; bit i of a graph.ClassMask stands for
	// Classes[i]. There are at most MaxClasses.
	Classes []string
	// Excludable lists the sets of classes that a request may exclude.
	Excludable [][]string
	// Restrictions is the vehicle's place in the access hierarchy, from
	// special to general, for restriction:<mode> and except=<mode>.
	Restrictions []string
	// SuffixList holds the words that do not tell two road names apart.
	SuffixList []string
	// RelationTypes are the types of relations that the profile looks at.
	RelationTypes []string
}

// MaxClasses is the largest number of road classes of a profile.
const MaxClasses = 7

// maxTurnPenalty is the largest stored penalty of a turn, in units of the
// weight precision or tenths of a second.
const maxTurnPenalty = math.MaxInt16

// DurationIsWeight tells whether weights are durations.
func (p *Properties) DurationIsWeight() bool { return p.WeightName == "duration" }

// WeightMultiplier is 10 to the power of WeightPrecision.
func (p *Properties) WeightMultiplier() float64 {
	return math.Pow10(p.WeightPrecision)
}

// MaxTurnWeight is the largest weight of a turn.
func (p *Properties) MaxTurnWeight() float64 {
	return maxTurnPenalty / p.WeightMultiplier()
}

// ClassMask returns the set of the named classes. It fails if one is not in
// Classes.
func (p *Properties) ClassMask(names ...string) (graph.ClassMask, error) {
	var mask graph.ClassMask
next:
	for _, name := range names {
		for i, class := range p.Classes {
			if class == name {
				mask |= 1 << i
				continue next
			}
		}
		return 0, fmt.Errorf("profile: no road class %q among %s", name, strings.Join(p.Classes, ", "))
	}
	return mask, nil
}
