package routing

import (
	"strconv"

	"github.com/paulmach/orb"
)

// IsochroneResponse is the answer to an IsochroneRequest. It owns its memory.
type IsochroneResponse struct {
	// Contours has one for each number of the request, the largest first. None is
	// without the place of a coordinate.
	Contours []Contour
	// Roads are what the largest contour holds, with IsochroneRoads.
	Roads []ReachedRoad
	// Waypoints are the places that the coordinates snapped to, one for each
	// coordinate of the request; nil with SkipWaypoints.
	Waypoints []Waypoint
	// Resolution and Margin are those that outlines were drawn with, in meters; 0 if
	// there are no outlines.
	Resolution, Margin float64
	// DataVersion is the free text given at build, often a date.
	DataVersion string
	// Metric is the name of the metric that the costs are of.
	Metric string

	tellMetric    bool
	unit          ContourUnit
	shapes        IsochroneShapes
	skipWaypoints bool
}

// Contour is what can be reached within a limit.
type Contour struct {
	Value float64 // of IsochroneRequest.Contours
	// Polygons holds every reached place, and no place that is farther from one than
	// the margin and one and a half times the resolution. Outer rings run
	// counter-clockwise, holes clockwise; rings are closed, and neither cross
	// themselves nor meet another. Holes smaller than a circle with the margin as its
	// radius are filled. Each contour holds the smaller ones. It is nil unless
	// asked for, and so is Lines.
	Polygons orb.MultiPolygon
	// Lines are the rings of Polygons.
	Lines orb.MultiLineString
}

// ReachedRoad is a stretch of one direction of a road on which every place is reached;
// where the limit lies between two OSM nodes it ends there, or with
// IsochroneRequest.Reverse begins. The road of a coordinate may be there twice: from
// the coordinate on, and where one comes back to it.
type ReachedRoad struct {
	Line orb.LineString // in the direction of travel, two points or more
	// Costs are by point what it takes to get there, in the unit of the contours.
	// Between two points they grow, or with IsochroneRequest.Reverse shrink, evenly.
	Costs []float64
	// Ways are the OSM ways between the points; an id is negative against the order
	// of the way's nodes.
	Ways []int64
	Name string // empty if the road has none
}

// MarshalJSON returns AppendJSON(nil).
func (r *IsochroneResponse) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// AppendJSON appends the response as a GeoJSON FeatureCollection (RFC 7946) to dst.
// Each contour is a feature, or two: a MultiPolygon, and a MultiLineString. Their
// properties are contour, a number, and metric: "time" with contour in minutes,
// "distance" with meters, or "weight". Reached roads follow as features of type
// LineString with the properties metric, costs (by point, in seconds, meters, or
// weight), ways and name. The members code, resolution, margin, waypoints, metric (its
// name, if the request chose it) and data_version of the collection are not part of
// GeoJSON.
func (r *IsochroneResponse) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"type":"FeatureCollection","code":"Ok","features":[`...)
	count := 0
	begin := func(geometry string) {
		dst = comma(dst, count)
		count++
		dst = append(dst, `{"type":"Feature","geometry":{"type":"`...)
		dst = append(append(dst, geometry...), `","coordinates":`...)
	}
	for i := range r.Contours {
		c := &r.Contours[i]
		if r.shapes&IsochronePolygons != 0 {
			begin("MultiPolygon")
			dst = append(dst, '[')
			for k, p := range c.Polygons {
				dst = append(comma(dst, k), '[')
				for j, ring := range p {
					dst = appendCoordinates(comma(dst, j), ring)
				}
				dst = append(dst, ']')
			}
			dst = r.appendContour(append(dst, ']'), c)
		}
		if r.shapes&IsochroneLines != 0 {
			begin("MultiLineString")
			dst = append(dst, '[')
			for k, line := range c.Lines {
				dst = appendCoordinates(comma(dst, k), line)
			}
			dst = r.appendContour(append(dst, ']'), c)
		}
	}
	for i := range r.Roads {
		road := &r.Roads[i]
		begin("LineString")
		dst = appendCoordinates(dst, road.Line)
		dst = r.appendMetric(append(dst, `},"properties":{`...))
		dst = appendNumbers(append(dst, ','), "costs", road.Costs)
		dst = appendIDs(dst, "ways", road.Ways)
		dst = append(dst, `"name":`...)
		dst = append(appendString(dst, road.Name), "}}"...)
	}
	dst = append(dst, ']')
	if r.Resolution > 0 {
		dst = appendNumber(append(dst, `,"resolution":`...), r.Resolution)
		dst = appendNumber(append(dst, `,"margin":`...), r.Margin)
	}
	if !r.skipWaypoints {
		dst = appendWaypoints(dst, "waypoints", r.Waypoints)
	}
	if r.tellMetric {
		dst = appendMetric(dst, r.Metric)
	}
	return append(appendOptional(dst, "data_version", r.DataVersion), '}')
}

// appendContour ends the feature of a contour.
func (r *IsochroneResponse) appendContour(dst []byte, c *Contour) []byte {
	value := c.Value
	if r.unit == ContourDuration {
		value /= 60
	}
	dst = append(dst, `},"properties":{"contour":`...)
	dst = strconv.AppendFloat(dst, value, 'g', 10, 64)
	return append(r.appendMetric(append(dst, ',')), "}}"...)
}

func (r *IsochroneResponse) appendMetric(dst []byte) []byte {
	switch r.unit {
	case ContourDuration:
		return append(dst, `"metric":"time"`...)
	case ContourDistance:
		return append(dst, `"metric":"distance"`...)
	}
	return append(dst, `"metric":"weight"`...)
}

// appendCoordinates appends a list of coordinates.
func appendCoordinates[T ~[]orb.Point](dst []byte, line T) []byte {
	dst = append(dst, '[')
	for i, p := range line {
		dst = appendPoint(comma(dst, i), p)
	}
	return append(dst, ']')
}
