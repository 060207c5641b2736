package profile

import (
	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/graph"
)

// Speeds in km/h.
const (
	bicycleDefaultSpeed = 15
	bicycleMaxSpeed     = 21
	bicycleTrackSpeed   = 12
	bicyclePathSpeed    = 13
	bicycleFerrySpeed   = 5
	bicycleTrainSpeed   = 10
	bicycleMovableSpeed = 5 // bridges that open
	bicycleParkingSpeed = 10
	bicyclePushSpeed    = 4
	bicycleStepsSpeed   = 2
)

// bicycleRoad is what the evaluation of a way needs in several places.
type bicycleRoad struct {
	// kind is the highway tag, or "movable" for bridges that open.
	kind              string
	forward, backward access
	// ring marks roads that are one-way without saying so.
	ring bool
	// twoWay tells whether cyclists meet oncoming traffic, reversed that the
	// road is one-way against the order of its nodes.
	twoWay, reversed                  bool
	cyclewayForward, cyclewayBackward bool
	// pushable roads let those walk who push a bicycle.
	pushable bool
}

// Way finds out how a bicycle can use a way. A way that it cannot use at all
// comes out closed, with nothing else set.
func (w *bicycleWorker) Way(way *osm.Way, r *WayResult) error {
	r.Reset()
	if !hasBicycleTag(way.Tags) {
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

// hasBicycleTag sorts out much of a map without looking at all the tags.
func hasBicycleTag(tags osm.Tags) bool {
	for i := range tags {
		switch tags[i].Key {
		case "highway", "route", "railway", "amenity", "man_made", "public_transport", "bridge":
			if tags[i].Value != "" {
				return true
			}
		}
	}
	return false
}

// evaluate fills r from w.tags. It returns false as soon as the way turns out
// to be closed.
func (w *bicycleWorker) evaluate(r *WayResult) bool {
	t := &w.tags
	if bicycleBlocked(t) {
		return false
	}
	w.road = bicycleRoad{kind: t[keyHighway]}
	if !w.setAccess() {
		return false
	}
	r.ForwardMode, r.BackwardMode = graph.ModeCycling, graph.ModeCycling
	w.setSpeed(r)
	w.setOneWay(r)
	w.useCycleways(r)
	w.push(r)
	w.limitWidth(r)
	w.limitSpeed(r)
	if w.options.WeightName == weightCyclability {
		w.setCyclability(r)
	}
	w.closeForbidden(r)
	if w.hasSeparateCycleway() {
		return false
	}
	limitSpeed(r, min(
		limitOf(w.options.SurfaceSpeeds, t[keySurface], bicycleSurfaceSpeed(t[keySurface])),
		limitOf(w.options.TracktypeSpeeds, t[keyTracktype], noLimit),
		limitOf(w.options.SmoothnessSpeeds, t[keySmoothness], noLimit)))
	limitSpeed(r, w.options.MaxSpeed)
	setRoadClass(w.road.kind, t, r)
	r.IsStartPoint = canStartBicycle(r.ForwardMode) || canStartBicycle(r.BackwardMode)
	setRings(t[keyJunction], r)
	setNames(t, r)
	setBicycleClasses(t, r)
	if w.options.LeftHandDriving {
		r.IsLeftHandDriving = w.tuner.leftHand(t)
	}
	if w.options.WeightName == weightDistance {
		setDistanceWeights(r)
	}
	w.tuner.mark(w.tagged, r)
	return r.ForwardMode != graph.ModeInaccessible || r.BackwardMode != graph.ModeInaccessible
}

// bicycleBlocked knows the tags that close a way whatever else they say.
func bicycleBlocked(t *wayTags) bool {
	return t[keyHighway] == "construction" || t[keyRailway] == "construction" || t.underConstruction() ||
		t[keyMotorroad] == "yes" || t.proposed() || t.impassable()
}

// bicycleAccess sorts the values of access tags.
func bicycleAccess(value string) accessSet {
	switch value {
	case "yes", "permissive", "designated":
		return accessAllowed
	case "no", "private", "agricultural", "forestry", "delivery", "use_sidepath":
		return accessForbidden
	}
	return 0
}

// accessTag is the value that counts where directions do not matter.
func (w *bicycleWorker) accessTag() string {
	if w.options.AccessTags != nil {
		return firstTag(w.tagged, w.options.AccessTags...)
	}
	return w.tags.first(keyBicycle, keyVehicle, keyAccess)
}

// setAccess finds the access tags of both directions. It returns false if they
// close the way.
func (w *bicycleWorker) setAccess() bool {
	rules := w.tuner.rules
	forward, backward := w.tuner.accessTags(&w.tags, w.tagged, keyBicycle, keyVehicle, keyAccess)
	w.road.forward, w.road.backward = rules.resolve(forward), rules.resolve(backward)
	return rules(w.accessTag())&accessForbidden == 0 &&
		!(w.road.forward.blocks() && w.road.backward.blocks())
}

// setSpeed sets the usual speed of what the way is.
func (w *bicycleWorker) setSpeed(r *WayResult) {
	t := &w.tags
	w.road.pushable = true
	var speed float64
	switch {
	case t[keyBridge] == "movable":
		w.road.kind = "movable"
		setTripDuration(t, r)
		speed = bicycleMovableSpeed
	case t[keyRoute] == "ferry":
		w.road.pushable = false
		r.ForwardMode, r.BackwardMode = graph.ModeFerry, graph.ModeFerry
		if setTripDuration(t, r) {
			return
		}
		speed = w.options.FerrySpeed
	case t[keyRailway] == "platform", t[keyPublicTransport] == "platform":
		speed = w.options.PushSpeed
	case isPassengerRailway(t[keyRailway]) && w.tuner.rules(w.accessTag()) == accessAllowed:
		w.road.pushable = false
		r.ForwardMode, r.BackwardMode = graph.ModeTrain, graph.ModeTrain
		speed = bicycleTrainSpeed
	case t[keyAmenity] == "parking", t[keyAmenity] == "parking_entrance":
		speed = bicycleParkingSpeed
	default:
		speed = w.tuner.speed(w.road.kind, bicycleSpeed)
		if speed == 0 && w.tuner.rules(w.accessTag()) == accessAllowed {
			speed = bicycleDefaultSpeed
		}
		if speed == 0 {
			w.road.pushable = false
			return
		}
	}
	r.ForwardSpeed, r.BackwardSpeed = speed, speed
}

func isPassengerRailway(railway string) bool {
	switch railway {
	case "train", "railway", "subway", "light_rail", "monorail", "tram":
		return true
	}
	return false
}

// bicycleSpeed is the usual speed on a kind of highway in km/h, 0 where
// bicycles are not ridden.
func bicycleSpeed(highway string) float64 {
	switch highway {
	case "cycleway", "primary", "primary_link", "secondary", "secondary_link", "tertiary", "tertiary_link",
		"residential", "unclassified", "living_street", "service":
		return bicycleDefaultSpeed
	case "track":
		return bicycleTrackSpeed
	case "path":
		return bicyclePathSpeed
	}
	return 0
}

// setOneWay closes the wrong direction of one-way roads.
func (w *bicycleWorker) setOneWay(r *WayResult) {
	t := &w.tags
	w.road.ring = t[keyJunction] == "roundabout" || t[keyJunction] == "circular" || w.road.kind == "motorway"
	direction, said := oneWayTag(t[keyOnewayBicycle])
	if !said {
		direction, said = oneWayTag(t[keyOneway])
	}
	if !said && w.road.ring {
		direction = oneWayForward
	}
	switch direction {
	case oneWayForward:
		r.BackwardMode = graph.ModeInaccessible
	case oneWayBackward:
		r.ForwardMode = graph.ModeInaccessible
		w.road.reversed = true
	}
	w.road.twoWay = direction == bothWays && !w.road.ring
}

// oneWayTag reads a tag that says in which direction traffic flows.
func oneWayTag(value string) (direction oneWay, said bool) {
	switch value {
	case "yes", "1", "true":
		return oneWayForward, true
	case "-1":
		return oneWayBackward, true
	case "no", "0", "false":
		return bothWays, true
	}
	return bothWays, false
}

// useCycleways opens the directions that have a cycleway along the road, even
// against a one-way street.
func (w *bicycleWorker) useCycleways(r *WayResult) {
	t, road := &w.tags, &w.road
	both := either(t[keyCycleway], t[keyCyclewayBoth])
	left, right := t[keyCyclewayLeft], t[keyCyclewayRight]
	switch {
	case road.twoWay:
		road.cyclewayForward = isCycleway(both) || isCycleway(right) || isContraflow(left)
		road.cyclewayBackward = isCycleway(both) || isCycleway(left) || isContraflow(right)
	case isContraflow(both), isContraflow(left), isContraflow(right):
		road.cyclewayForward, road.cyclewayBackward = true, true
	case isCycleway(both), isCycleway(left), isCycleway(right):
		road.cyclewayForward, road.cyclewayBackward = !road.reversed, road.reversed
	}
	if road.cyclewayBackward {
		r.BackwardMode, r.BackwardSpeed = graph.ModeCycling, bicycleDefaultSpeed
	}
	if road.cyclewayForward {
		r.ForwardMode, r.ForwardSpeed = graph.ModeCycling, bicycleDefaultSpeed
	}
}

func isCycleway(value string) bool {
	switch value {
	case "track", "lane", "share_busway", "sharrow", "shared", "shared_lane":
		return true
	}
	return false
}

// isContraflow knows the cycleways against a one-way street.
func isContraflow(value string) bool {
	switch value {
	case "opposite", "opposite_lane", "opposite_track":
		return true
	}
	return false
}

// push lets cyclists walk where they cannot ride, and where they must.
func (w *bicycleWorker) push(r *WayResult) {
	t := &w.tags
	if t[keyFoot] != "no" {
		forward, backward := w.pushSpeeds()
		if forward > 0 && (r.ForwardMode == graph.ModeInaccessible || r.ForwardSpeed == Unset) {
			r.ForwardMode, r.ForwardSpeed = graph.ModePushingBike, forward
		}
		if backward > 0 && (r.BackwardMode == graph.ModeInaccessible || r.BackwardSpeed == Unset) {
			r.BackwardMode, r.BackwardSpeed = graph.ModePushingBike, backward
		}
	}
	if t[keyBicycle] == "dismount" {
		r.ForwardMode, r.BackwardMode = graph.ModePushingBike, graph.ModePushingBike
		r.ForwardSpeed, r.BackwardSpeed = w.options.PushSpeed, w.options.PushSpeed
	}
}

// pushSpeeds are the speeds of walking with a bicycle, 0 where it is not done.
func (w *bicycleWorker) pushSpeeds() (forward, backward float64) {
	t := &w.tags
	switch w.road.kind {
	case "footway", "pedestrian":
		return w.options.PushSpeed, w.options.PushSpeed
	case "steps":
		return bicycleStepsSpeed, bicycleStepsSpeed
	}
	if t[keyManMade] == "pier" {
		return w.options.PushSpeed, w.options.PushSpeed
	}
	switch {
	case t[keyFoot] == "yes":
	case t[keyFoot+forwardForm] == "yes":
		return w.options.PushSpeed, 0
	case t[keyFoot+backwardForm] == "yes":
		return 0, w.options.PushSpeed
	case !w.road.pushable:
		return 0, 0
	}
	if w.road.ring {
		return w.options.PushSpeed, 0
	}
	return w.options.PushSpeed, w.options.PushSpeed
}

// limitWidth closes what is too narrow for the vehicle.
func (w *bicycleWorker) limitWidth(r *WayResult) {
	t, o := &w.tags, &w.options
	narrow := o.Width > 0 && metersOr(t[keyWidth], wideOpen) < o.Width
	if narrow || o.CargoBike && t[keyCargoBike] == "no" {
		r.ForwardMode, r.BackwardMode = graph.ModeInaccessible, graph.ModeInaccessible
	}
}

// limitSpeed keeps to the speed limit and closes directions without a speed.
func (w *bicycleWorker) limitSpeed(r *WayResult) {
	t := &w.tags
	forward, backward := t[keyMaxspeed+forwardForm], t[keyMaxspeed+backwardForm]
	both := speedLimit(t[keyMaxspeed], noLimit)
	r.ForwardSpeed = min(r.ForwardSpeed, speedLimit(forward, both))
	r.BackwardSpeed = min(r.BackwardSpeed, speedLimit(backward, both))
	if r.Duration > 0 {
		return
	}
	if r.ForwardSpeed <= 0 {
		r.ForwardMode = graph.ModeInaccessible
	}
	if r.BackwardSpeed <= 0 {
		r.BackwardMode = graph.ModeInaccessible
	}
}

// speedLimit reads a speed in km/h above 0.
func speedLimit(s string, otherwise float64) float64 {
	if speed, ok := parseSpeed(s); ok && speed > 0 {
		return speed
	}
	return otherwise
}

// limitSpeed caps the speeds of both directions.
func limitSpeed(r *WayResult, limit float64) {
	r.ForwardSpeed = min(r.ForwardSpeed, limit)
	r.BackwardSpeed = min(r.BackwardSpeed, limit)
}

// closeForbidden closes the directions that access tags forbid.
func (w *bicycleWorker) closeForbidden(r *WayResult) {
	if w.road.forward.blocks() {
		r.ForwardMode, r.ForwardSpeed = graph.ModeInaccessible, 0
	}
	if w.road.backward.blocks() {
		r.BackwardMode, r.BackwardSpeed = graph.ModeInaccessible, 0
	}
}

// hasSeparateCycleway tells whether the cycleway of the road is a way of its
// own, unless the road is explicitly for bicycles too.
func (w *bicycleWorker) hasSeparateCycleway() bool {
	t := &w.tags
	const separate = "separate"
	if t[keyCycleway] != separate && t[keyCyclewayBoth] != separate &&
		t[keyCyclewayLeft] != separate && t[keyCyclewayRight] != separate {
		return false
	}
	return w.tuner.rules(t[keyBicycle]) != accessAllowed && t[keyBicycle] != "destination"
}

func bicycleSurfaceSpeed(surface string) float64 {
	switch surface {
	case "asphalt", "chipseal", "concrete", "concrete_lanes":
		return 15
	case "wood", "metal", "cobblestone:flattened", "paving_stones", "compacted", "fine_gravel", "ground":
		return 10
	case "sett":
		return 9
	case "dirt":
		return 8
	case "cobblestone":
		return 7
	case "unpaved", "gravel", "pebblestone", "grass_paver", "earth", "grass":
		return 6
	case "laterite":
		return 5
	case "mud", "sand", "woodchips":
		return 3
	}
	return noLimit
}

func canStartBicycle(m graph.Mode) bool {
	return m == graph.ModeCycling || m == graph.ModePushingBike
}

// setBicycleClasses marks ferries and tunnels.
func setBicycleClasses(t *wayTags, r *WayResult) {
	if tunnel := t[keyTunnel]; tunnel != "" && tunnel != "no" {
		r.ForwardClasses, r.BackwardClasses = bicycleTunnel, bicycleTunnel
	}
	forward, backward := t.directions(keyRoute)
	if forward == "ferry" {
		r.ForwardClasses |= bicycleFerry
	}
	if backward == "ferry" {
		r.BackwardClasses |= bicycleFerry
	}
}
