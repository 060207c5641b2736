package profile

import (
	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/graph"
)

// footSpeed is the usual speed of everything in km/h, ferries included.
const footSpeed = 5

// Way finds out how a way can be walked. A way that cannot be walked at all
// comes out closed, with nothing else set.
func (w *footWorker) Way(way *osm.Way, r *WayResult) error {
	r.Reset()
	if !hasFootTag(way.Tags) {
		return nil
	}
	w.tags.read(way.Tags)
	w.tagged = way.Tags
	if w.tuner.avoids(way.Tags) || !w.evaluate(r) {
		r.Reset()
	}
	w.tagged = nil
	return nil
}

// hasFootTag sorts out much of a map without looking at all the tags.
func hasFootTag(tags osm.Tags) bool {
	for i := range tags {
		switch tags[i].Key {
		case "highway", "bridge", "route", "man_made", "railway", "platform", "amenity", "public_transport":
			if tags[i].Value != "" {
				return true
			}
		}
	}
	return false
}

// evaluate fills r from w.tags. It returns false as soon as the way turns out
// to be closed.
func (w *footWorker) evaluate(r *WayResult) bool {
	t := &w.tags
	if t[keyMotorroad] == "yes" || t.proposed() || t.impassable() {
		return false
	}
	r.ForwardMode, r.BackwardMode = graph.ModeWalking, graph.ModeWalking
	rules := w.tuner.rules
	f, b := w.tuner.accessTags(t, w.tagged, keyFoot, keyAccess)
	forward, backward := rules.resolve(f), rules.resolve(b)
	// Where the sidewalk is a way of its own, the road needs a tag that opens
	// it, else only one that does not close it.
	separate := hasSeparateSidewalk(t)
	if forward.blocks() || separate && !forward.opens() {
		r.ForwardMode = graph.ModeInaccessible
	}
	if backward.blocks() || separate && !backward.opens() {
		r.BackwardMode = graph.ModeInaccessible
	}
	if r.ForwardMode == graph.ModeInaccessible && r.BackwardMode == graph.ModeInaccessible {
		return false
	}
	// Only a tag about walkers makes a street one-way for them.
	direction, _ := oneWayTag(t[keyOnewayFoot])
	switch direction {
	case oneWayForward:
		r.BackwardMode = graph.ModeInaccessible
	case oneWayBackward:
		r.ForwardMode = graph.ModeInaccessible
	}
	setDestinations(t, direction, r)
	switch {
	case t[keyRoute] == "ferry":
		setTripDuration(t, r)
		r.ForwardMode, r.BackwardMode = graph.ModeFerry, graph.ModeFerry
		r.ForwardSpeed, r.BackwardSpeed = w.options.FerrySpeed, w.options.FerrySpeed
	default:
		if speed := w.speed(); speed > 0 {
			r.ForwardSpeed, r.BackwardSpeed = speed, speed
		} else if !setAccessSpeed(forward, backward, w.options.Speed, r) {
			return false
		}
	}
	limitSpeed(r, min(
		limitOf(w.options.SurfaceSpeeds, t[keySurface], w.surfaceSpeed(t[keySurface])),
		limitOf(w.options.TracktypeSpeeds, t[keyTracktype], noLimit),
		limitOf(w.options.SmoothnessSpeeds, t[keySmoothness], noLimit)))
	followConveyor(t, r)
	setRoadClass(t[keyHighway], t, r)
	setRings(t[keyJunction], r)
	r.IsStartPoint = canStartFoot(r.ForwardMode) || canStartFoot(r.BackwardMode)
	setNames(t, r)
	if w.options.LeftHandDriving {
		r.IsLeftHandDriving = w.tuner.leftHand(t)
	}
	w.setRates(r)
	w.tuner.mark(w.tagged, r)
	return r.ForwardMode != graph.ModeInaccessible || r.BackwardMode != graph.ModeInaccessible
}

// hasSeparateSidewalk tells whether the sidewalk of the road is a way of its
// own.
func hasSeparateSidewalk(t *wayTags) bool {
	const separate = "separate"
	return t[keySidewalk] == separate || t[keySidewalkBoth] == separate ||
		t[keySidewalkLeft] == separate || t[keySidewalkRight] == separate
}

// speed is the usual speed of what the way is, 0 where nobody walks unless a
// tag says so.
func (w *footWorker) speed() float64 {
	if speed, ok := w.options.Speeds[w.tags[keyHighway]]; ok {
		return speed
	}
	if isWalkable(&w.tags) {
		return w.options.Speed
	}
	return 0
}

// setRates derives weights that are not durations.
func (w *footWorker) setRates(r *WayResult) {
	switch w.options.WeightName {
	case weightDistance:
		setDistanceWeights(r)
	case weightWalkability:
		if r.ForwardSpeed > 0 {
			r.ForwardRate = r.ForwardSpeed / 3.6
		}
		if r.BackwardSpeed > 0 {
			r.BackwardRate = r.BackwardSpeed / 3.6
		}
		if r.Duration > 0 {
			r.Weight = r.Duration
		}
	}
}

// isWalkable knows what is walked unless a tag says otherwise.
func isWalkable(t *wayTags) bool {
	switch t[keyHighway] {
	case "primary", "primary_link", "secondary", "secondary_link", "tertiary", "tertiary_link",
		"unclassified", "residential", "living_street", "service",
		"track", "path", "steps", "pedestrian", "platform", "footway", "pier":
		return true
	}
	return t[keyRailway] == "platform" || t[keyManMade] == "pier" ||
		t[keyAmenity] == "parking" || t[keyAmenity] == "parking_entrance"
}

func (w *footWorker) surfaceSpeed(surface string) float64 {
	switch surface {
	case "fine_gravel", "gravel", "pebblestone":
		return w.options.Speed * 0.75
	case "mud", "sand":
		return w.options.Speed * 0.5
	}
	return noLimit
}

// followConveyor closes the wrong direction of escalators and moving walkways.
func followConveyor(t *wayTags, r *WayResult) {
	switch t[keyHighway] {
	case "steps", "footway":
	default:
		return
	}
	if t.first(keyOnewayFoot, keyOneway) == "no" {
		return
	}
	switch t[keyConveying] {
	case "forward":
		r.BackwardMode = graph.ModeInaccessible
	case "backward":
		r.ForwardMode = graph.ModeInaccessible
	}
}
