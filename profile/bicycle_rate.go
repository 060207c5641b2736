package profile

// Parts of the speed by which busy roads without a cycleway count.
const (
	bicyclePrimaryFactor   = 0.5
	bicycleSecondaryFactor = 0.65
	bicycleTertiaryFactor  = 0.8
	bicycleAlleyFactor     = 0.5
	// One-way roads of these kinds are likely parts of dual carriageways.
	bicycleDualPrimaryFactor   = 0.5
	bicycleDualSecondaryFactor = 0.6
)

// setCyclability derives the weights from the speeds and from how much
// cyclists dislike the road.
func (w *bicycleWorker) setCyclability(r *WayResult) {
	t, road := &w.tags, &w.road
	busy := 1.0
	switch road.kind {
	case "primary":
		busy = bicyclePrimaryFactor
		if !road.twoWay {
			busy *= bicycleDualPrimaryFactor
		}
	case "secondary":
		busy = bicycleSecondaryFactor
		if !road.twoWay {
			busy *= bicycleDualSecondaryFactor
		}
	case "primary_link":
		busy = bicyclePrimaryFactor
	case "secondary_link":
		busy = bicycleSecondaryFactor
	case "tertiary", "tertiary_link":
		busy = bicycleTertiaryFactor
	}
	forward, backward := busy, busy
	if road.cyclewayForward {
		forward = 1
	}
	if road.cyclewayBackward {
		backward = 1
	}
	if road.kind == "service" && t[keyService] == "alley" {
		forward, backward = bicycleAlleyFactor, bicycleAlleyFactor
	}
	if r.ForwardSpeed > 0 {
		r.ForwardRate = r.ForwardSpeed / 3.6 * forward
	}
	if r.BackwardSpeed > 0 {
		r.BackwardRate = r.BackwardSpeed / 3.6 * backward
	}
	if r.Duration > 0 {
		r.Weight = r.Duration / forward
	}
}
