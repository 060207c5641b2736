package profile

import (
	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/graph"
)

// footSpeed is the speed of everything in km/h, ferries included.
const footSpeed = 5

// Way finds out how a way can be walked. A way that cannot be walked at all
// comes out closed, with nothing else set.
func (w *footWorker) Way(way *osm.Way, r *WayResult) error {
	r.Reset()
	if !hasFootTag(way.Tags) {
		return nil
	}
	w.tags.read(way.Tags)
	if !w.evaluate(r) {
		r.Reset()
	}
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
	rules := accessRules(footAccess)
	f, b := t.firstDirections(keyFoot, keyAccess)
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
		r.ForwardSpeed, r.BackwardSpeed = footSpeed, footSpeed
	case isWalkable(t):
		r.ForwardSpeed, r.BackwardSpeed = footSpeed, footSpeed
	default:
		if !setAccessSpeed(forward, backward, footSpeed, r) {
			return false
		}
	}
	limitSpeed(r, footSurfaceSpeed(t[keySurface]))
	followConveyor(t, r)
	setRoadClass(t[keyHighway], t, r)
	setRings(t[keyJunction], r)
	r.IsStartPoint = canStartFoot(r.ForwardMode) || canStartFoot(r.BackwardMode)
	setNames(t, r)
	return r.ForwardMode != graph.ModeInaccessible || r.BackwardMode != graph.ModeInaccessible
}

// hasSeparateSidewalk tells whether the sidewalk of the road is a way of its
// own.
func hasSeparateSidewalk(t *wayTags) bool {
	const separate = "separate"
	return t[keySidewalk] == separate || t[keySidewalkBoth] == separate ||
		t[keySidewalkLeft] == separate || t[keySidewalkRight] == separate
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

func footSurfaceSpeed(surface string) float64 {
	switch surface {
	case "fine_gravel", "gravel", "pebblestone":
		return footSpeed * 0.75
	case "mud", "sand":
		return footSpeed * 0.5
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
