package profile

import "strings"

// setNames takes over name, ref, pronunciation and exits. Side paths without a
// name get that of the street that they accompany.
func setNames(t *wayTags, r *WayResult) {
	r.Name = t[keyName]
	if r.Name == "" && isSidePath(t) {
		r.Name = t.first(keyIsSidepathOfName, keyStreetName)
	}
	r.Pronunciation = t[keyNamePronunciation]
	r.ForwardRef = spaceList(t[keyRef], ';')
	r.BackwardRef = r.ForwardRef
	r.Exits = spaceList(t[keyJunctionRef], ';')
}

func isSidePath(t *wayTags) bool {
	switch t[keyHighway] {
	case "footway", "cycleway", "path":
		return t[keyFootway] == "sidewalk" || t[keyCycleway] == "sidepath" || t[keyIsSidepath] == "yes"
	}
	return false
}

// setDestinations assembles what the signs of a one-way road say: the refs, a
// colon and the places, or the streets if there is neither.
func setDestinations(t *wayTags, w oneWay, r *WayResult) {
	if w == bothWays {
		return
	}
	signed := func(k key) string {
		forward, backward := t.directions(k)
		if w == oneWayBackward {
			forward = backward
		}
		return strings.ReplaceAll(forward, ";", ", ")
	}
	ref, places := signed(keyDestinationRef), signed(keyDestination)
	destinations := either(ref, places)
	switch {
	case ref != "" && places != "":
		destinations = ref + ": " + places
	case destinations == "":
		destinations = signed(keyDestinationStreet)
	}
	r.Destinations = spaceList(destinations, ',')
}

// setTurnLanes takes over the turn lanes of both directions, without the lanes
// that only buses, taxis and their like may use.
func setTurnLanes(t *wayTags, w oneWay, r *WayResult) {
	forward, backward := t.drivenDirections(keyTurnLanes, w)
	if forward == "" && backward == "" {
		return
	}
	psvForward, psvBackward := psvLanes(t, w)
	accessForward, accessBackward := t.drivenDirections(keyVehicleLanes, w)
	r.TurnLanesForward = drivableLanes(forward, accessForward, psvBackward, psvForward)
	r.TurnLanesBackward = drivableLanes(backward, accessBackward, psvForward, psvBackward)
}

func drivableLanes(lanes, access string, left, right int32) string {
	if lanes == "" || access == "" {
		return trimLanes(lanes, left, right)
	}
	return accessibleLanes(lanes, access)
}

// psvLanes counts the lanes for public service vehicles.
func psvLanes(t *wayTags, w oneWay) (forward, backward int32) {
	var forwardTag, backwardTag string
	for _, k := range [...]key{keyLanesPsv, keyLanesTaxi, keyLanesShareTaxi, keyLanesMinibus, keyLanesBus} {
		f, b := t.drivenDirections(k, w)
		forwardTag, backwardTag = either(forwardTag, f), either(backwardTag, b)
	}
	count := func(tag string) int32 {
		n, _ := positiveInteger(tag)
		return max(int32(n), 0)
	}
	return count(forwardTag), count(backwardTag)
}

// setRoadClass ranks the road by its kind and counts its lanes.
func setRoadClass(highway string, t *wayTags, r *WayResult) {
	r.Class = highwayClass(highway)
	if total := t[keyLanes]; total != "" {
		n, _ := positiveInteger(total)
		r.Class.NumLanes = uint8(n)
		return
	}
	forward, _ := positiveInteger(t[keyLanes+forwardForm])
	backward, _ := positiveInteger(t[keyLanes+backwardForm])
	r.Class.NumLanes = uint8(forward + backward)
}

func highwayClass(highway string) RoadClass {
	switch highway {
	case "motorway":
		return RoadClass{Priority: PriorityMotorway, Motorway: true}
	case "motorway_link":
		return RoadClass{Priority: PriorityMotorwayLink, Motorway: true, Link: true}
	case "trunk":
		return RoadClass{Priority: PriorityTrunk, Motorway: true}
	case "trunk_link":
		return RoadClass{Priority: PriorityTrunkLink, Motorway: true, Link: true}
	case "primary":
		return RoadClass{Priority: PriorityPrimary}
	case "primary_link":
		return RoadClass{Priority: PriorityPrimaryLink, Link: true}
	case "secondary":
		return RoadClass{Priority: PrioritySecondary}
	case "secondary_link":
		return RoadClass{Priority: PrioritySecondaryLink, Link: true}
	case "tertiary":
		return RoadClass{Priority: PriorityTertiary}
	case "tertiary_link":
		return RoadClass{Priority: PriorityTertiaryLink, Link: true}
	case "unclassified":
		return RoadClass{Priority: PriorityUnclassified}
	case "residential":
		return RoadClass{Priority: PriorityMainResidential}
	case "living_street":
		return RoadClass{Priority: PrioritySideResidential}
	case "service":
		return RoadClass{Priority: PriorityAlley, MayBeIgnored: true}
	case "track", "path":
		return RoadClass{Priority: PriorityBikePath, MayBeIgnored: true}
	case "footway", "pedestrian", "steps":
		return RoadClass{Priority: PriorityFootPath, MayBeIgnored: true}
	}
	return RoadClass{Priority: PriorityConnectivity, MayBeIgnored: true}
}

// setRings marks roundabouts and what looks like one.
func setRings(junction string, r *WayResult) {
	r.Roundabout = junction == "roundabout"
	r.Circular = junction == "circular"
}
