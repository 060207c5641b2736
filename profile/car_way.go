package profile

import (
	"math"

	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/graph"
)

const (
	carDefaultSpeed = 10 // km/h, where only an access tag allows driving
	carFerrySpeed   = 5
	carTrainSpeed   = 10
	carMovableSpeed = 5 // bridges that open
	// carSpeedReduction is the part of the speed limit that is driven.
	carSpeedReduction = 0.8
	// carNarrowWidth, in meters, is what a way tagged narrow is short of.
	carNarrowWidth = 2.2
)

// Way finds out how a car can use a way. A way that a car cannot use at all
// comes out closed, with nothing else set.
func (w *carWorker) Way(way *osm.Way, r *WayResult) error {
	r.Reset()
	if !hasRoadTag(way.Tags) {
		return nil
	}
	w.tags.read(way.Tags)
	if w.tags[keyDrivingSide] == "" {
		w.tags[keyDrivingSide] = w.text(way, "driving_side")
	}
	w.tagged = way.Tags
	if w.tuner.avoids(way.Tags) || !w.evaluate(r) {
		r.Reset()
	}
	w.tagged = nil
	return nil
}

// hasRoadTag sorts out most of a map without looking at all the tags.
func hasRoadTag(tags osm.Tags) bool {
	for i := range tags {
		switch tags[i].Key {
		case "highway", "route":
			if tags[i].Value != "" {
				return true
			}
		}
	}
	return false
}

// evaluate fills r from w.tags. It returns false as soon as the way turns out
// to be closed.
func (w *carWorker) evaluate(r *WayResult) bool {
	t := &w.tags
	if carBlocked(t) {
		return false
	}
	r.ForwardMode, r.BackwardMode = graph.ModeDriving, graph.ModeDriving
	w.limitSize(r)
	forward, backward := w.accessTags()
	if !w.setAccess(forward, backward, r) {
		return false
	}
	direction, oneway := carOneWay(t, r)
	setDestinations(t, direction, r)
	w.setFerry(r)
	setCarMovableBridge(t, r)
	if t[keyService] == "emergency_access" {
		return false
	}
	w.limitHOV(direction, r)
	if !w.setSpeed(forward, backward, r) {
		return false
	}
	w.setMaxSpeed(r)
	w.limitSurface(r)
	w.capSpeed(r)
	if w.options.WeightName == weightRoutability {
		setCarRates(t, oneway, r)
	}
	setCarClasses(t, direction, r)
	setTurnLanes(t, direction, r)
	setRoadClass(t[keyHighway], t, r)
	setRings(t[keyJunction], r)
	r.IsStartPoint = (r.ForwardMode == graph.ModeDriving || r.BackwardMode == graph.ModeDriving) &&
		!(t[keyHighway] == "service" && forward.value == "private")
	r.IsLeftHandDriving = w.tuner.leftHand(t)
	setNames(t, r)
	if w.options.WeightName == weightDistance {
		setDistanceWeights(r)
	}
	w.tuner.mark(w.tagged, r)
	return true
}

// carBlocked knows the tags that close a way whatever else they say.
func carBlocked(t *wayTags) bool {
	highway := t[keyHighway]
	switch highway {
	case "area", "reversible", "impassable", "hov_lanes", "steps", "construction", "proposed":
		return true
	}
	if t[keyArea] == "yes" || t[keyRailway] == "construction" ||
		t[keyOneway] == "reversible" || t.impassable() || t.underConstruction() {
		return true
	}
	return t.proposed()
}

// limitSize closes the directions that the vehicle does not fit through.
func (w *carWorker) limitSize(r *WayResult) {
	t, o := &w.tags, &w.options
	forward, backward := t.firstDirections(keyMaxheightPhysical, keyMaxheight)
	if h, ok := parseMaxHeight(forward); ok && h < o.Height {
		r.ForwardMode = graph.ModeInaccessible
	}
	if h, ok := parseMaxHeight(backward); ok && h < o.Height {
		r.BackwardMode = graph.ModeInaccessible
	}
	narrow := t[keyNarrow] == "yes"
	forward, backward = t.firstDirections(keyMaxwidthPhysical, keyMaxwidth, keyWidth, keyEstWidth)
	if w.tooWide(forward, narrow) {
		r.ForwardMode = graph.ModeInaccessible
	}
	if w.tooWide(backward, narrow) {
		r.BackwardMode = graph.ModeInaccessible
	}
	forward, backward = t.firstDirections(keyMaxlength)
	if l, ok := parseMeters(forward); ok && l < o.Length {
		r.ForwardMode = graph.ModeInaccessible
	}
	if l, ok := parseMeters(backward); ok && l < o.Length {
		r.BackwardMode = graph.ModeInaccessible
	}
	forward, backward = t.firstDirections(keyMaxweightrating, keyMaxweight)
	if m, ok := parseKilograms(forward); ok && m < o.Mass {
		r.ForwardMode = graph.ModeInaccessible
	}
	if m, ok := parseKilograms(backward); ok && m < o.Mass {
		r.BackwardMode = graph.ModeInaccessible
	}
}

func (w *carWorker) tooWide(width string, narrow bool) bool {
	if (narrow || width == "narrow") && w.options.Width > carNarrowWidth {
		return true
	}
	meters, ok := parseMeters(width)
	return ok && meters <= w.options.Width
}

// carAccess sorts the values of access tags.
func carAccess(value string) accessSet {
	switch value {
	case "yes", "motorcar", "motor_vehicle", "vehicle", "permissive", "designated", "hov":
		return accessAllowed
	case "private", "delivery", "destination", "customers", "permit", "residents":
		return accessForbidden | accessRestricted
	case "unknown":
		return accessRestricted
	case "no", "agricultural", "forestry", "emergency", "psv", "taxi", "share_taxi", "minibus", "bus",
		"foot", "emergency_vehicle", "restricted", "military", "official":
		return accessForbidden
	}
	return 0
}

// accessTags finds the access tags that apply to the vehicle.
func (w *carWorker) accessTags() (forward, backward access) {
	f, b := w.tuner.accessTags(&w.tags, w.tagged, keyMotorcar, keyMotorVehicle, keyVehicle, keyAccess)
	if f == "" && b == "" {
		return access{}, access{}
	}
	return w.tuner.rules.resolve(f), w.tuner.rules.resolve(b)
}

// setAccess closes or restricts directions. Only on real roads can a car
// enter where its driver must have business. It returns false if both
// directions are closed.
func (w *carWorker) setAccess(forward, backward access, r *WayResult) bool {
	if w.tuner.speed(w.tags[keyHighway], carSpeed) > 0 {
		r.ForwardRestricted = forward.set&accessRestricted != 0
		r.BackwardRestricted = backward.set&accessRestricted != 0
	}
	if forward.set&accessForbidden != 0 && !r.ForwardRestricted {
		r.ForwardMode = graph.ModeInaccessible
	}
	if backward.set&accessForbidden != 0 && !r.BackwardRestricted {
		r.BackwardMode = graph.ModeInaccessible
	}
	return r.ForwardMode != graph.ModeInaccessible || r.BackwardMode != graph.ModeInaccessible
}

// carOneWay closes the wrong direction of one-way roads and returns the tag
// that decided. Motorways and rings are one-way without saying so.
func carOneWay(t *wayTags, r *WayResult) (direction oneWay, oneway string) {
	oneway = t.first(keyOnewayMotorcar, keyOnewayMotorVehicle, keyOnewayVehicle, keyOneway)
	switch oneway {
	case "-1":
		direction = oneWayBackward
	case "yes", "1", "true":
		direction = oneWayForward
	case "no":
	default:
		if t[keyHighway] == "motorway" || t[keyJunction] == "roundabout" || t[keyJunction] == "circular" {
			direction = oneWayForward
		}
	}
	switch direction {
	case oneWayForward:
		r.BackwardMode = graph.ModeInaccessible
	case oneWayBackward:
		r.ForwardMode = graph.ModeInaccessible
	}
	return direction, oneway
}

// setFerry puts the car on a ferry or shuttle train, in both directions
// whatever the access tags say.
func (w *carWorker) setFerry(r *WayResult) {
	t := &w.tags
	var speed float64
	switch t[keyRoute] {
	case "ferry":
		speed = w.options.FerrySpeed
	case "shuttle_train":
		speed = carTrainSpeed
	default:
		return
	}
	setTripDuration(t, r)
	r.ForwardMode, r.BackwardMode = graph.ModeFerry, graph.ModeFerry
	r.ForwardSpeed, r.BackwardSpeed = speed, speed
}

// setCarMovableBridge allows for bridges that open.
func setCarMovableBridge(t *wayTags, r *WayResult) {
	if t[keyBridge] != "movable" {
		return
	}
	r.ForwardMode, r.BackwardMode = graph.ModeDriving, graph.ModeDriving
	if !setTripDuration(t, r) {
		r.ForwardSpeed, r.BackwardSpeed = carMovableSpeed, carMovableSpeed
	}
}

// setTripDuration takes over a duration tag, at least a second. It returns
// false if there is none that can be read.
func setTripDuration(t *wayTags, r *WayResult) bool {
	seconds, ok := parseDuration(t[keyDuration])
	if ok {
		r.Duration = float64(max(seconds, 1))
	}
	return ok
}

// limitHOV keeps the car off ways for several people per car. If weights can
// express it, they remain a last resort.
func (w *carWorker) limitHOV(direction oneWay, r *WayResult) {
	t := &w.tags
	if t[keyHov] == "designated" {
		r.ForwardRestricted, r.BackwardRestricted = true, true
	}
	forward, backward := t.drivenDirections(keyHovLanes, direction)
	allForward, allBackward := allLanesDesignated(forward), allLanesDesignated(backward)
	if w.options.WeightName == weightRoutability {
		r.ForwardRestricted = r.ForwardRestricted || allForward
		r.BackwardRestricted = r.BackwardRestricted || allBackward
		return
	}
	if allForward {
		r.ForwardMode = graph.ModeInaccessible
	}
	if allBackward {
		r.BackwardMode = graph.ModeInaccessible
	}
}

// carSpeed is the usual speed on a kind of highway in km/h, 0 where cars do
// not belong.
func carSpeed(highway string) float64 {
	switch highway {
	case "motorway":
		return 90
	case "motorway_link":
		return 45
	case "trunk":
		return 85
	case "trunk_link":
		return 40
	case "primary":
		return 65
	case "primary_link":
		return 30
	case "secondary":
		return 55
	case "secondary_link":
		return 25
	case "tertiary":
		return 40
	case "tertiary_link":
		return 20
	case "unclassified", "residential":
		return 25
	case "living_street":
		return 10
	case "service":
		return 15
	case "winter_road":
		return 20
	case "ice_road":
		return 15
	}
	return 0
}

// setSpeed sets the usual speed, or a low one where only access tags speak
// for cars. It returns false if there is neither.
func (w *carWorker) setSpeed(forward, backward access, r *WayResult) bool {
	if r.ForwardSpeed != Unset {
		return true
	}
	if speed := w.tuner.speed(w.tags[keyHighway], carSpeed); speed > 0 {
		r.ForwardSpeed, r.BackwardSpeed = speed, speed
		return true
	}
	return setAccessSpeed(forward, backward, w.options.AccessSpeed, r)
}

// setMaxSpeed replaces usual speeds by a part of the speed limit.
func (w *carWorker) setMaxSpeed(r *WayResult) {
	forward, backward := w.tags.firstDirections(keyMaxspeedAdvisory, keyMaxspeed, keySourceMaxspeed, keyMaxspeedType)
	limit := w.carMaxSpeed(forward)
	if limit > 0 {
		r.ForwardSpeed = limit * w.options.LimitFactor
	}
	if backward != forward {
		limit = w.carMaxSpeed(backward)
	}
	if limit > 0 {
		r.BackwardSpeed = limit * w.options.LimitFactor
	}
}

// carMaxSpeed reads a speed limit in km/h: a number or a place like
// "DE:rural". It returns 0 where there is none.
func (w *carWorker) carMaxSpeed(s string) float64 {
	if s == "" {
		return 0
	}
	if speed, ok := parseSpeed(s); ok {
		return speed
	}
	w.lower = appendLower(w.lower[:0], s)
	if speed, ok := w.options.PlaceLimits[string(w.lower)]; ok {
		return speed
	}
	if speed, ok := carPlaceMaxSpeed(string(w.lower)); ok {
		return speed
	}
	return carZoneMaxSpeed(w.lower)
}

// appendLower appends s to dst with ASCII letters in lower case.
func appendLower(dst []byte, s string) []byte {
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		dst = append(dst, c)
	}
	return dst
}

// carPlaceMaxSpeed knows the places whose limits differ from the usual ones.
func carPlaceMaxSpeed(place string) (speed float64, ok bool) {
	switch place {
	case "at:rural", "at:trunk", "ch:trunk", "de:rural", "nl:trunk", "ph:motorway", "pl:rural", "ro:trunk", "za:rural":
		return 100, true
	case "ar:urban", "ph:urban":
		return 40, true
	case "ar:rural", "by:motorway", "no:motorway", "ru:motorway":
		return 110, true
	case "be:motorway", "ch:motorway", "pl:expressway":
		return 120, true
	case "be-bru:rural", "be-vlg:rural":
		return 70, true
	case "be-bru:urban":
		return 30, true
	case "bg:motorway", "pl:motorway", "none":
		return 140, true
	case "by:urban", "ru:urban", "za:urban":
		return 60, true
	case "ca-on:rural", "ch:rural", "dk:rural", "fr:rural", "nl:rural", "no:rural", "ph:rural":
		return 80, true
	case "es:trunk":
		return 90, true
	case "de:living_street":
		return 7, true
	case "lv:living_street", "ru:living_street":
		return 20, true
	case "de:motorway":
		return 0, true
	case "gb:nsl_single", "uk:nsl_single":
		return 60 * kilometersPerMile, true
	case "gb:nsl_dual", "gb:motorway", "uk:nsl_dual", "uk:motorway":
		return 70 * kilometersPerMile, true
	}
	return 0, false
}

// carZoneMaxSpeed reads the first zone behind a two-letter country anywhere in
// s, as in "fr:urban", and returns its usual limit or 0.
func carZoneMaxSpeed(s []byte) float64 {
	for i := 3; i < len(s); i++ {
		if s[i-1] != ':' || !isLetter(s[i-2]) || !isLetter(s[i-3]) || !isLetter(s[i]) {
			continue
		}
		end := i + 1
		for end < len(s) && isLetter(s[end]) {
			end++
		}
		switch string(s[i:end]) {
		case "urban":
			return 50
		case "rural":
			return 90
		case "trunk":
			return 110
		case "motorway":
			return 130
		}
		return 0
	}
	return 0
}

// limitSurface slows down on bad ground.
func (w *carWorker) limitSurface(r *WayResult) {
	surface, track, smoothness := w.tags[keySurface], w.tags[keyTracktype], w.tags[keySmoothness]
	limitSpeed(r, min(
		limitOf(w.options.SurfaceSpeeds, surface, carSurfaceSpeed(surface)),
		limitOf(w.options.TracktypeSpeeds, track, carTracktypeSpeed(track)),
		limitOf(w.options.SmoothnessSpeeds, smoothness, carSmoothnessSpeed(smoothness))))
}

// noLimit is a speed that limits nothing.
const noLimit = math.MaxFloat64

func carSurfaceSpeed(surface string) float64 {
	switch surface {
	case "cement", "compacted", "fine_gravel":
		return 80
	case "paving_stones", "metal", "bricks":
		return 60
	case "grass", "wood", "sett", "grass_paver", "gravel", "unpaved", "ground", "dirt", "pebblestone", "tartan":
		return 40
	case "cobblestone", "clay", "snow":
		return 30
	case "earth", "stone", "rocky", "sand", "ice":
		return 20
	case "laterite":
		return 15
	case "mud":
		return 10
	}
	return noLimit
}

func carTracktypeSpeed(tracktype string) float64 {
	switch tracktype {
	case "grade1":
		return 60
	case "grade2":
		return 40
	case "grade3":
		return 30
	case "grade4":
		return 25
	case "grade5":
		return 20
	}
	return noLimit
}

func carSmoothnessSpeed(smoothness string) float64 {
	switch smoothness {
	case "intermediate":
		return 80
	case "bad":
		return 40
	case "very_bad":
		return 20
	case "horrible":
		return 10
	case "very_horrible":
		return 5
	case "impassable":
		return 0
	}
	return noLimit
}

// capSpeed keeps to what the vehicle can do.
func (w *carWorker) capSpeed(r *WayResult) {
	limit := w.options.MaxSpeed
	if limit == 0 {
		return
	}
	r.ForwardSpeed = min(r.ForwardSpeed, limit)
	r.BackwardSpeed = min(r.BackwardSpeed, limit)
}

// setCarClasses marks the classes that requests can exclude or answers show.
func setCarClasses(t *wayTags, direction oneWay, r *WayResult) {
	var forward, backward graph.ClassMask
	if tunnel := t[keyTunnel]; tunnel != "" && tunnel != "no" {
		forward, backward = carTunnel, carTunnel
	}
	switch t[keyHighway] {
	case "motorway", "motorway_link":
		forward |= carMotorway
		backward |= carMotorway
	}
	tollForward, tollBackward := t.drivenDirections(keyToll, direction)
	routeForward, routeBackward := t.drivenDirections(keyRoute, direction)
	r.ForwardClasses = forward | carClasses(tollForward, routeForward, r.ForwardRestricted)
	r.BackwardClasses = backward | carClasses(tollBackward, routeBackward, r.BackwardRestricted)
}

func carClasses(toll, route string, restricted bool) (mask graph.ClassMask) {
	if toll == "yes" {
		mask |= carToll
	}
	if route == "ferry" {
		mask |= carFerry
	}
	if restricted {
		mask |= carRestricted
	}
	return mask
}

// setDistanceWeights makes weights equal to lengths.
func setDistanceWeights(r *WayResult) {
	if r.ForwardMode != graph.ModeInaccessible && r.ForwardSpeed > 0 {
		r.ForwardRate = 1
	}
	if r.BackwardMode != graph.ModeInaccessible && r.BackwardSpeed > 0 {
		r.BackwardRate = 1
	}
}
