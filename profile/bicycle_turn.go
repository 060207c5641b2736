package profile

import "github.com/fourway-routing/fourway/graph"

// Costs of turns in seconds.
const (
	bicycleTurnPenalty   = 6 // at a right angle
	bicycleSignalPenalty = 2
	bicycleUTurnPenalty  = 20
	bicycleModePenalty   = 30 // getting off, as a weight
)

// bicycleTurnBias makes turns across the oncoming traffic dearer than the
// others.
const bicycleTurnBias = 1.4

// Turn prices a turn by the square of its angle.
func (w *bicycleWorker) Turn(t *Turn) error {
	// The conversions keep products from being fused with sums.
	right := t.Angle / 90
	t.Duration = float64(right * right * *w.options.TurnPenalty)
	if right >= 0 != t.IsLeftHandDriving {
		t.Duration = float64(t.Duration / w.options.TurnBias)
	} else {
		t.Duration = float64(t.Duration * w.options.TurnBias)
	}
	if t.IsUTurn {
		t.Duration += w.properties.UTurnPenalty
	}
	if t.HasTrafficLight {
		t.Duration += *w.options.SignalPenalty
	}
	if w.options.WeightName == weightCyclability {
		t.Weight = t.Duration
	}
	if t.Source.Mode == graph.ModeCycling && t.Target.Mode != graph.ModeCycling {
		t.Weight += *w.options.ModePenalty
	}
	t.Finish(&w.properties)
	return nil
}
