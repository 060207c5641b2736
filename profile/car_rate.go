package profile

import "github.com/fourway-routing/fourway/graph"

// The dislikes of roads, as factors of the speed. Of several that apply the
// strongest counts.
const (
	carServiceFactor     = 0.5
	carUnmarkedFactor    = 0.75 // no lane markings
	carSingleLaneFactor  = 0.5
	carAlternatingFactor = 0.4 // one-way, changing direction every few minutes
	carSideRoadFactor    = 0.8
	carGiveWayFactor     = 0.7 // the direction that must yield at a bottleneck
)

// setCarRates derives the weights from the speeds and from how much drivers
// dislike the road.
func setCarRates(t *wayTags, oneway string, r *WayResult) {
	common := min(carService(t[keyService]), carWidth(t, r))
	if oneway == "alternating" {
		common = min(common, carAlternatingFactor)
	}
	switch t[keySideRoad] {
	case "yes", "rotary":
		common = min(common, carSideRoadFactor)
	}
	forward, backward := common, common
	switch t[keyPriority] {
	case "forward":
		backward = min(common, carGiveWayFactor)
	case "backward":
		forward = min(common, carGiveWayFactor)
	}
	if r.ForwardSpeed > 0 {
		r.ForwardRate = r.ForwardSpeed * forward / 3.6
	}
	if r.BackwardSpeed > 0 {
		r.BackwardRate = r.BackwardSpeed * backward / 3.6
	}
	// The weight of the whole way holds for both directions; where they differ
	// the rates decide.
	if r.Duration > 0 && forward == backward {
		r.Weight = r.Duration / forward
	}
}

func carService(service string) float64 {
	switch service {
	case "alley", "parking", "parking_aisle", "driveway", "drive-through", "drive-thru":
		return carServiceFactor
	}
	return 1
}

// carWidth is the dislike of two-way roads where oncoming cars are a nuisance.
func carWidth(t *wayTags, r *WayResult) float64 {
	if r.ForwardMode == graph.ModeInaccessible || r.BackwardMode == graph.ModeInaccessible {
		return 1
	}
	if digits := leadingDigits(t[keyLanes]); digits != "" && digitsNumeral(digits).float() <= 1 {
		return carSingleLaneFactor
	}
	if meters, ok := parseMeters(t[keyWidth]); ok {
		switch {
		case meters <= 3:
			return 0.5
		case meters < 4:
			return 0.6
		case meters < 5:
			return 0.75
		case meters < 6:
			return 0.8
		}
	}
	if t[keyLaneMarkings] == "no" {
		return carUnmarkedFactor
	}
	return 1
}
