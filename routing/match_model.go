package routing

import (
	"math"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/matching"
)

// MatchModel says what a match may do beyond OSRM. The zero value is OSRM's way;
// RobustModel serves noisy traces best.
type MatchModel struct {
	// EstimateNoise finds the standard deviation of coordinates that Radiuses say
	// nothing of from the trace itself, and with it how far away roads count and
	// how much longer than the crow flies a way may be. It matches the trace two or
	// three times.
	EstimateNoise bool
	// DropOutliers leaves out coordinates, up to three in a row, that fit worse
	// than one five standard deviations off its road. Without it, a coordinate that
	// no way leads to takes the one before with it.
	DropOutliers bool
	// StandStill lets coordinates fall back on the way by up to three standard
	// deviations, as they do when a vehicle is slow or waits. Without it they only
	// fit a way that turns around.
	StandStill bool
	// KeepPace finds steps unlikely that take longer by road than between their
	// Timestamps.
	KeepPace bool
	// BridgeGaps keeps a trace in one piece as long as any way leads on, however
	// long a step takes and however long its way is.
	BridgeGaps bool
	// UTurns says where a trace may turn around on the road.
	UTurns MatchUTurns
}

// RobustModel returns the model that has all of it.
func RobustModel() MatchModel { return MatchModel{true, true, true, true, true, UTurnsClear} }

// MatchUTurns says at which coordinates a trace may turn around.
type MatchUTurns uint8

// The kinds.
const (
	UTurnsSharp MatchUTurns = iota // where its line turns back by 45 degrees or less
	UTurnsClear                    // where it does so and the steps are longer than its noise
	UTurnsNever
)

// The settings of the model, found with simulated traces: see docs/matching.md. In
// their neighborhood little depends on them.
const (
	firstDeviation = 10 // meters, before there is an estimate
	firstPoints    = 4  // that this counts as when there is one
	firstRadius    = 50
	leastDeviation = 2
	mostDeviation  = 100
	leastRadius    = 20
	// In standard deviations.
	estimateRadius = 4
	outlierBound   = 5
	fallBackBound  = 3
	turnBound      = 4
	// stretch is how much of a step's length adds to the mean of what its way is
	// longer than the crow flies. The rest of that is the standard deviation.
	stretch = 0.1
	// An estimate that is so much off the one before asks for another round.
	settledRatio = 1.25
	mostRounds   = 3
)

// noise is what is taken to be true of coordinates that nothing is known of.
type noise struct{ deviation, radius float64 }

// noise returns that of the first round.
func (m *MatchModel) noise() noise {
	if m.EstimateNoise {
		return noise{firstDeviation, firstRadius}
	}
	return noise{matching.DefaultDeviation, matching.DefaultDeviation * candidateRadius}
}

// refine takes an estimate over, up to a limit in meters, and says whether it is so
// much off the one before that another round is worth while.
func (n *noise) refine(f matching.Fit, limit float64) bool {
	if f.Points < 2 {
		return false
	}
	before := *n
	points := float64(f.Points)
	d := math.Sqrt((points*f.Deviation*f.Deviation + firstPoints*firstDeviation*firstDeviation) / (points + firstPoints))
	n.deviation = min(max(leastDeviation, d), mostDeviation, limit)
	n.radius = max(leastRadius, estimateRadius*n.deviation)
	off := func(a, b float64) bool { return max(a, b) > settledRatio*min(a, b) }
	return off(before.deviation, n.deviation) || off(before.radius, n.radius)
}

// model returns the parameters of the matcher.
func (m *MatchModel) model(n *noise) (x matching.Model) {
	if m.EstimateNoise {
		x.Beta, x.Stretch = n.deviation, stretch
	}
	if m.DropOutliers {
		x.Outlier = outlierBound
	}
	if m.StandStill {
		x.Hold = fallBackBound
	}
	x.Pace, x.Bridge = m.KeepPace, m.BridgeGaps
	return x
}

// turns says whether a trace of the given deviation that comes from a to b and
// goes on to c may turn around at b.
func (m *MatchModel) turns(deviation float64, a, b, c geo.Coord) bool {
	switch {
	case m.UTurns == UTurnsNever || !matching.TurnsBack(a, b, c):
		return false
	case m.UTurns == UTurnsClear:
		return min(geo.Distance(a, b), geo.Distance(b, c)) > turnBound*deviation
	}
	return true
}

// validate finds what has no meaning.
func (m *MatchModel) validate() error {
	if m.UTurns > UTurnsNever {
		return invalid(-1, "Model.UTurns has no value %d", m.UTurns)
	}
	return nil
}
