package httpapi

import (
	"math"

	"github.com/fourway-routing/fourway/routing"
)

const (
	routeDistance = iota
	routeDuration
	routeWeight
	routeWeightName
	routeConfidence
	routePolyline
	routeCoordinates
	routeLegs
	routeFields
)

const (
	legDistance = iota
	legDuration
	legWeight
	legSummary
	legAnnotations
	legSteps
	legPolyline
	legCoordinates
	legFields
)

const (
	annotationDistance = iota
	annotationDuration
	annotationDatasources
	annotationNodes
	annotationWeight
	annotationSpeed
	annotationMetadata
	annotationWays
	annotationFields
)

const (
	metadataNames = iota
	metadataFields
)

const (
	stepDistance = iota
	stepDuration
	stepPolyline
	stepCoordinates
	stepWeight
	stepName
	stepRef
	stepPronunciation
	stepDestinations
	stepExits
	stepMode
	stepManeuver
	stepIntersections
	stepRotaryName
	stepRotaryPronunciation
	stepDrivingSide
	stepFields
)

const (
	maneuverLocation = iota
	maneuverBefore
	maneuverAfter
	maneuverType
	maneuverModifier
	maneuverExit
	maneuverFields
)

const (
	intersectionLocation = iota
	intersectionBearings
	intersectionClasses
	intersectionEntry
	intersectionIn
	intersectionOut
	intersectionLanes
	intersectionFields
)

const (
	laneIndications = iota
	laneValid
	laneFields
)

// maneuverTypes are in the order of the schema.
var maneuverTypes = [...]string{
	"turn", "new name", "depart", "arrive", "merge", "on ramp", "off ramp", "fork", "end of road", "continue",
	"roundabout", "rotary", "roundabout turn", "notification", "exit roundabout", "exit rotary",
}

// maneuverNotification stands for a type that the schema does not have.
const maneuverNotification = 13

// turnModifiers are in the order of the schema.
var turnModifiers = [...]string{
	"none", "uturn", "sharp right", "right", "slight right", "straight", "slight left", "left", "sharp left",
}

// enum returns the position of a word, or what stands for others.
func enum(words []string, word string, other byte) byte {
	for i, w := range words {
		if w == word {
			return byte(i)
		}
	}
	return other
}

// noBearing stands for an index that there is not.
const noBearing = math.MaxUint32

func (w *flatWriter) routes(list []routing.RouteResult) flatOffset {
	return w.list(len(list), func(i int) flatOffset { return w.route(&list[i], 0) })
}

func (w *flatWriter) route(r *routing.RouteResult, confidence float32) flatOffset {
	legs := w.list(len(r.Legs), func(i int) flatOffset { return w.leg(&r.Legs[i]) })
	polyline, coordinates := w.geometry(r.Geometry)
	weightName := w.CreateString(r.WeightName)
	w.StartObject(routeFields)
	w.PrependFloat32Slot(routeDistance, float32(r.Distance), 0)
	w.PrependFloat32Slot(routeDuration, float32(r.Duration), 0)
	w.PrependFloat32Slot(routeWeight, float32(r.Weight), 0)
	w.reference(routeWeightName, weightName)
	w.PrependFloat32Slot(routeConfidence, confidence, 0)
	w.reference(routePolyline, polyline)
	w.reference(routeCoordinates, coordinates)
	w.reference(routeLegs, legs)
	return w.EndObject()
}

func (w *flatWriter) leg(l *routing.Leg) flatOffset {
	steps := w.list(len(l.Steps), func(i int) flatOffset { return w.step(&l.Steps[i]) })
	var annotation flatOffset
	if l.Annotation != nil {
		annotation = w.annotation(l.Annotation)
	}
	polyline, coordinates := w.geometry(l.Geometry)
	summary := w.text(l.Summary)
	w.StartObject(legFields)
	w.PrependFloat64Slot(legDistance, l.Distance, 0)
	w.PrependFloat64Slot(legDuration, l.Duration, 0)
	w.PrependFloat64Slot(legWeight, l.Weight, 0)
	w.reference(legSummary, summary)
	w.reference(legAnnotations, annotation)
	w.reference(legSteps, steps)
	w.reference(legPolyline, polyline)
	w.reference(legCoordinates, coordinates)
	return w.EndObject()
}

func (w *flatWriter) annotation(a *routing.Annotation) flatOffset {
	distance, duration, weight := w.wholes(a.Distance), w.wholes(a.Duration), w.wholes(a.Weight)
	speed := w.floats(a.Speed)
	datasources := vector(w, a.Datasources, 4, func(v uint8) { w.PrependUint32(uint32(v)) })
	nodes := fullVector(w, a.Nodes, 8, func(v int64) { w.PrependUint64(uint64(v)) })
	ways := vector(w, a.Ways, 8, w.PrependInt64)
	var metadata flatOffset
	if a.Datasources != nil {
		names := w.texts(a.DatasourceNames)
		w.StartObject(metadataFields)
		w.reference(metadataNames, names)
		metadata = w.EndObject()
	}
	w.StartObject(annotationFields)
	w.reference(annotationDistance, distance)
	w.reference(annotationDuration, duration)
	w.reference(annotationDatasources, datasources)
	w.reference(annotationNodes, nodes)
	w.reference(annotationWeight, weight)
	w.reference(annotationSpeed, speed)
	w.reference(annotationMetadata, metadata)
	w.reference(annotationWays, ways)
	return w.EndObject()
}

func (w *flatWriter) step(s *routing.Step) flatOffset {
	intersections := w.list(len(s.Intersections), func(i int) flatOffset { return w.intersection(&s.Intersections[i]) })
	maneuver := w.maneuver(&s.Maneuver)
	line := s.Geometry
	if w.geometries != routing.GeometryGeoJSON {
		line = s.Line()
	}
	polyline, coordinates := w.geometry(line)
	name, mode := w.CreateString(s.Name), w.CreateString(s.Mode)
	ref, pronunciation, destinations, exits := w.text(s.Ref), w.text(s.Pronunciation), w.text(s.Destinations), w.text(s.Exits)
	rotary := w.text(s.RotaryName)
	var rotaryPronunciation flatOffset
	if rotary != 0 {
		rotaryPronunciation = w.text(s.RotaryPronunciation)
	}
	w.StartObject(stepFields)
	w.PrependFloat32Slot(stepDistance, float32(s.Distance), 0)
	w.PrependFloat32Slot(stepDuration, float32(s.Duration), 0)
	w.reference(stepPolyline, polyline)
	w.reference(stepCoordinates, coordinates)
	w.PrependFloat32Slot(stepWeight, float32(s.Weight), 0)
	w.reference(stepName, name)
	w.reference(stepRef, ref)
	w.reference(stepPronunciation, pronunciation)
	w.reference(stepDestinations, destinations)
	w.reference(stepExits, exits)
	w.reference(stepMode, mode)
	w.reference(stepManeuver, maneuver)
	w.reference(stepIntersections, intersections)
	w.reference(stepRotaryName, rotary)
	w.reference(stepRotaryPronunciation, rotaryPronunciation)
	w.PrependBoolSlot(stepDrivingSide, s.DrivingSide == "left", false)
	return w.EndObject()
}

func (w *flatWriter) maneuver(m *routing.Maneuver) flatOffset {
	w.StartObject(maneuverFields)
	w.PrependStructSlot(maneuverLocation, w.position(m.Location), 0)
	w.PrependUint16Slot(maneuverBefore, uint16(m.BearingBefore), 0)
	w.PrependUint16Slot(maneuverAfter, uint16(m.BearingAfter), 0)
	w.PrependByteSlot(maneuverType, enum(maneuverTypes[:], m.Type, maneuverNotification), 0)
	w.PrependByteSlot(maneuverModifier, enum(turnModifiers[:], m.Modifier, 0), 0)
	w.PrependByteSlot(maneuverExit, byte(min(m.Exit, math.MaxUint8)), 0)
	return w.EndObject()
}

func (w *flatWriter) intersection(x *routing.Intersection) flatOffset {
	lanes := w.list(len(x.Lanes), func(i int) flatOffset {
		lane := &x.Lanes[i]
		indications := make([]byte, len(lane.Indications))
		for k, word := range lane.Indications {
			indications[k] = enum(turnModifiers[:], word, 0)
		}
		signs := w.CreateByteVector(indications)
		w.StartObject(laneFields)
		w.reference(laneIndications, signs)
		w.PrependBoolSlot(laneValid, lane.Valid, false)
		return w.EndObject()
	})
	classes := w.texts(x.Classes)
	bearings := fullVector(w, x.Bearings, 2, func(b int) { w.PrependInt16(int16(b)) })
	entry := fullVector(w, x.Entry, 1, w.PrependBool)
	w.StartObject(intersectionFields)
	w.PrependStructSlot(intersectionLocation, w.position(x.Location), 0)
	w.reference(intersectionBearings, bearings)
	w.reference(intersectionClasses, classes)
	w.reference(intersectionEntry, entry)
	w.PrependUint32Slot(intersectionIn, armIndex(x.In), 0)
	w.PrependUint32Slot(intersectionOut, armIndex(x.Out), 0)
	w.reference(intersectionLanes, lanes)
	return w.EndObject()
}

func armIndex(i int) uint32 {
	if i < 0 {
		return noBearing
	}
	return uint32(i)
}
