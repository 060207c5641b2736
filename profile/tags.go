package profile

import (
	"strings"

	"github.com/paulmach/osm"
)

// key numbers the keys of ways that profiles look at. Keys up to firstPlainKey
// are directional: behind each come its :forward and :backward forms.
type key uint8

const (
	noKey key = iota

	keyAccess
	_
	_
	keyMotorcar
	_
	_
	keyMotorVehicle
	_
	_
	keyVehicle
	_
	_
	keyBicycle
	_
	_
	keyFoot
	_
	_
	keyMaxheightPhysical
	_
	_
	keyMaxheight
	_
	_
	keyMaxwidthPhysical
	_
	_
	keyMaxwidth
	_
	_
	keyWidth
	_
	_
	keyEstWidth
	_
	_
	keyMaxlength
	_
	_
	keyMaxweightrating
	_
	_
	keyMaxweight
	_
	_
	keyDestinationRef
	_
	_
	keyDestination
	_
	_
	keyDestinationStreet
	_
	_
	keyHovLanes
	_
	_
	keyMaxspeedAdvisory
	_
	_
	keyMaxspeed
	_
	_
	keySourceMaxspeed
	_
	_
	keyMaxspeedType
	_
	_
	keyToll
	_
	_
	keyRoute
	_
	_
	keyLanes
	_
	_
	keyLanesPsv
	_
	_
	keyLanesTaxi
	_
	_
	keyLanesShareTaxi
	_
	_
	keyLanesMinibus
	_
	_
	keyLanesBus
	_
	_
	keyTurnLanes
	_
	_
	keyVehicleLanes
	_
	_

	keyHighway
	keyBridge
	keyArea
	keyRailway
	keyConstruction
	keyProposed
	keyImpassable
	keyStatus
	keyNarrow
	keyOneway
	keyOnewayMotorcar
	keyOnewayMotorVehicle
	keyOnewayVehicle
	keyJunction
	keyDuration
	keyService
	keyHov
	keyTunnel
	keySurface
	keyTracktype
	keySmoothness
	keyLaneMarkings
	keySideRoad
	keyPriority
	keyDrivingSide
	keyName
	keyNamePronunciation
	keyRef
	keyJunctionRef
	keyIsSidepathOfName
	keyStreetName
	keyIsSidepath
	keyFootway
	keyCycleway
	keyMotorroad
	keyManMade
	keyAmenity
	keyPublicTransport
	keyPlatform
	keyOnewayBicycle
	keyOnewayFoot
	keyCyclewayBoth
	keyCyclewayLeft
	keyCyclewayRight
	keySidewalk
	keySidewalkBoth
	keySidewalkLeft
	keySidewalkRight
	keyConveying
	keyCargoBike

	numKeys
)

const firstPlainKey = keyHighway

// Offsets of the directional forms of a key.
const (
	forwardForm  key = 1
	backwardForm key = 2
)

func keyOf(s string) key {
	if base, ok := strings.CutSuffix(s, ":forward"); ok {
		return directionalKey(base, forwardForm)
	}
	if base, ok := strings.CutSuffix(s, ":backward"); ok {
		return directionalKey(base, backwardForm)
	}
	return baseKey(s)
}

func directionalKey(base string, form key) key {
	if k := baseKey(base); k != noKey && k < firstPlainKey {
		return k + form
	}
	return noKey
}

func baseKey(s string) key {
	switch s {
	case "access":
		return keyAccess
	case "motorcar":
		return keyMotorcar
	case "motor_vehicle":
		return keyMotorVehicle
	case "vehicle":
		return keyVehicle
	case "maxheight:physical":
		return keyMaxheightPhysical
	case "maxheight":
		return keyMaxheight
	case "maxwidth:physical":
		return keyMaxwidthPhysical
	case "maxwidth":
		return keyMaxwidth
	case "width":
		return keyWidth
	case "est_width":
		return keyEstWidth
	case "maxlength":
		return keyMaxlength
	case "maxweightrating":
		return keyMaxweightrating
	case "maxweight":
		return keyMaxweight
	case "destination:ref":
		return keyDestinationRef
	case "destination":
		return keyDestination
	case "destination:street":
		return keyDestinationStreet
	case "hov:lanes":
		return keyHovLanes
	case "maxspeed:advisory":
		return keyMaxspeedAdvisory
	case "maxspeed":
		return keyMaxspeed
	case "source:maxspeed":
		return keySourceMaxspeed
	case "maxspeed:type":
		return keyMaxspeedType
	case "toll":
		return keyToll
	case "route":
		return keyRoute
	case "lanes":
		return keyLanes
	case "lanes:psv":
		return keyLanesPsv
	case "lanes:taxi":
		return keyLanesTaxi
	case "lanes:share_taxi":
		return keyLanesShareTaxi
	case "lanes:minibus":
		return keyLanesMinibus
	case "lanes:bus":
		return keyLanesBus
	case "turn:lanes":
		return keyTurnLanes
	case "vehicle:lanes":
		return keyVehicleLanes
	case "highway":
		return keyHighway
	case "bridge":
		return keyBridge
	case "area":
		return keyArea
	case "railway":
		return keyRailway
	case "construction":
		return keyConstruction
	case "proposed":
		return keyProposed
	case "impassable":
		return keyImpassable
	case "status":
		return keyStatus
	case "narrow":
		return keyNarrow
	case "oneway":
		return keyOneway
	case "oneway:motorcar":
		return keyOnewayMotorcar
	case "oneway:motor_vehicle":
		return keyOnewayMotorVehicle
	case "oneway:vehicle":
		return keyOnewayVehicle
	case "junction":
		return keyJunction
	case "duration":
		return keyDuration
	case "service":
		return keyService
	case "hov":
		return keyHov
	case "tunnel":
		return keyTunnel
	case "surface":
		return keySurface
	case "tracktype":
		return keyTracktype
	case "smoothness":
		return keySmoothness
	case "lane_markings":
		return keyLaneMarkings
	case "side_road":
		return keySideRoad
	case "priority":
		return keyPriority
	case "driving_side":
		return keyDrivingSide
	case "name":
		return keyName
	case "name:pronunciation":
		return keyNamePronunciation
	case "ref":
		return keyRef
	case "junction:ref":
		return keyJunctionRef
	case "is_sidepath:of:name":
		return keyIsSidepathOfName
	case "street:name":
		return keyStreetName
	case "is_sidepath":
		return keyIsSidepath
	case "footway":
		return keyFootway
	case "cycleway":
		return keyCycleway
	case "bicycle":
		return keyBicycle
	case "foot":
		return keyFoot
	case "motorroad":
		return keyMotorroad
	case "man_made":
		return keyManMade
	case "amenity":
		return keyAmenity
	case "public_transport":
		return keyPublicTransport
	case "platform":
		return keyPlatform
	case "oneway:bicycle":
		return keyOnewayBicycle
	case "oneway:foot":
		return keyOnewayFoot
	case "cycleway:both":
		return keyCyclewayBoth
	case "cycleway:left":
		return keyCyclewayLeft
	case "cycleway:right":
		return keyCyclewayRight
	case "sidewalk":
		return keySidewalk
	case "sidewalk:both":
		return keySidewalkBoth
	case "sidewalk:left":
		return keySidewalkLeft
	case "sidewalk:right":
		return keySidewalkRight
	case "conveying":
		return keyConveying
	case "cargo_bike":
		return keyCargoBike
	}
	return noKey
}

// wayTags holds the values of a way's tags by key. An empty value is the same
// as no tag.
type wayTags [numKeys]string

// read takes the values from tags. If a key is there twice the first counts.
func (t *wayTags) read(tags osm.Tags) {
	*t = wayTags{}
	for i := len(tags) - 1; i >= 0; i-- {
		t[keyOf(tags[i].Key)] = tags[i].Value
	}
	t[noKey] = ""
}

// directions returns the values of a key for both directions, taking that of
// the key itself where a directional form is missing.
func (t *wayTags) directions(k key) (forward, backward string) {
	return either(t[k+forwardForm], t[k]), either(t[k+backwardForm], t[k])
}

// drivenDirections is directions for ways that may be one-way: there the key
// itself counts for the open direction only.
func (t *wayTags) drivenDirections(k key, w oneWay) (forward, backward string) {
	forward, backward = t[k+forwardForm], t[k+backwardForm]
	if w != oneWayBackward {
		forward = either(forward, t[k])
	}
	if w != oneWayForward {
		backward = either(backward, t[k])
	}
	return forward, backward
}

// firstDirections returns for each direction the value of the first key that
// has one.
func (t *wayTags) firstDirections(keys ...key) (forward, backward string) {
	for _, k := range keys {
		f, b := t.directions(k)
		forward, backward = either(forward, f), either(backward, b)
	}
	return forward, backward
}

// first returns the value of the first key that has one.
func (t *wayTags) first(keys ...key) string {
	for _, k := range keys {
		if t[k] != "" {
			return t[k]
		}
	}
	return ""
}

// either returns a unless it is empty, else b.
func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// oneWay is the direction in which the oneway tags allow traffic.
type oneWay uint8

const (
	bothWays oneWay = iota
	oneWayForward
	oneWayBackward
)
