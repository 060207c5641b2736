package routing

import (
	"strconv"

	"github.com/paulmach/orb"
)

// AppendGeoJSON appends the response as a GeoJSON FeatureCollection (RFC 7946) to dst,
// for programs that show or keep lines. Each route is a feature with a LineString and the
// properties route (its index), distance in meters, duration in seconds, weight and
// weight_name. If steps were asked for, each is a feature with a Point, where its
// maneuver is, and the properties route, leg, step, distance, duration, name, type,
// modifier and, once told, instruction. Each waypoint is one with the properties
// waypoint (its index), name and distance, of the coordinate.
//
// The line is the overview; without one it is made of the steps, and null if there are
// none.
func (r *RouteResponse) AppendGeoJSON(dst []byte) []byte {
	w := geojsonWriter{dst: dst}
	w.begin()
	for i := range r.Routes {
		w.route(&r.Routes[i], i, -1)
	}
	for i := range r.Waypoints {
		w.waypoint(&r.Waypoints[i], i)
	}
	return w.end(r.DataVersion)
}

// AppendGeoJSON is that of RouteResponse. Waypoints are in the order of the request and
// have the property position, too: in the order of visits.
func (r *TripResponse) AppendGeoJSON(dst []byte) []byte {
	w := geojsonWriter{dst: dst}
	w.begin()
	for i := range r.Trips {
		w.route(&r.Trips[i], i, -1)
	}
	for i := range r.Waypoints {
		p := &r.Waypoints[i]
		w.waypoint(&p.Waypoint, i, member{"position", p.Position})
	}
	return w.end(r.DataVersion)
}

// AppendGeoJSON is that of RouteResponse. The lines have the property confidence, too.
// The points are those of the trace that fit: waypoint is the index of the coordinate,
// route that of the matching.
func (r *MatchResponse) AppendGeoJSON(dst []byte) []byte {
	w := geojsonWriter{dst: dst}
	w.begin()
	for i := range r.Matchings {
		w.route(&r.Matchings[i].RouteResult, i, r.Matchings[i].Confidence)
	}
	for i, p := range r.Tracepoints {
		if p != nil {
			w.waypoint(&p.Waypoint, i, member{"route", p.Matching})
		}
	}
	return w.end(r.DataVersion)
}

// line returns the geometry of the route, however it was asked for; nil if it was not.
func (r *RouteResult) line() orb.LineString {
	if r.Geometry != nil {
		return r.Geometry
	}
	var line orb.LineString
	join := func(next orb.LineString) {
		if n := len(line); n > 0 && len(next) > 0 && line[n-1] == next[0] {
			next = next[1:]
		}
		line = append(line, next...)
	}
	for i := range r.Legs {
		leg := &r.Legs[i]
		if leg.Geometry != nil {
			join(leg.Geometry)
			continue
		}
		for k := range leg.Steps {
			join(leg.Steps[k].Line())
		}
	}
	return line
}

// geojsonWriter writes a FeatureCollection.
type geojsonWriter struct {
	dst   []byte
	count int
}

type member struct {
	name  string
	value int
}

func (w *geojsonWriter) begin() {
	w.dst = append(w.dst, `{"type":"FeatureCollection","features":[`...)
}

func (w *geojsonWriter) end(version string) []byte {
	return append(appendOptional(append(w.dst, ']'), "data_version", version), '}')
}

// feature begins a feature; what follows are properties.
func (w *geojsonWriter) feature(geometry string, line orb.LineString) {
	w.dst = append(comma(w.dst, w.count), `{"type":"Feature","geometry":`...)
	w.count++
	switch {
	case len(line) == 0:
		w.dst = append(w.dst, "null"...)
	case geometry == "Point":
		w.dst = append(appendPoint(append(w.dst, `{"type":"Point","coordinates":`...), line[0]), '}')
	default:
		if len(line) == 1 { // a line has two points
			line = orb.LineString{line[0], line[0]}
		}
		w.dst = append(appendCoordinates(append(w.dst, `{"type":"LineString","coordinates":`...), line), '}')
	}
	w.dst = append(w.dst, `,"properties":{`...)
}

func (w *geojsonWriter) number(name string, v float64) {
	w.dst = append(append(append(w.dst, '"'), name...), `":`...)
	w.dst = append(appendNumber(w.dst, v), ',')
}

func (w *geojsonWriter) text(name, s string) {
	w.dst = append(append(append(w.dst, '"'), name...), `":`...)
	w.dst = append(appendString(w.dst, s), ',')
}

// done ends a feature.
func (w *geojsonWriter) done(name string, value int) {
	w.dst = append(append(append(w.dst, '"'), name...), `":`...)
	w.dst = append(strconv.AppendInt(w.dst, int64(value), 10), "}}"...)
}

func (w *geojsonWriter) route(r *RouteResult, index int, confidence float64) {
	w.feature("LineString", r.line())
	w.number("distance", r.Distance)
	w.number("duration", r.Duration)
	w.number("weight", r.Weight)
	w.text("weight_name", r.WeightName)
	if confidence >= 0 {
		w.number("confidence", confidence)
	}
	w.done("route", index)
	for i := range r.Legs {
		for k := range r.Legs[i].Steps {
			s := &r.Legs[i].Steps[k]
			w.feature("Point", orb.LineString{s.Maneuver.Location})
			w.number("distance", s.Distance)
			w.number("duration", s.Duration)
			w.text("name", s.Name)
			w.text("type", s.Maneuver.Type)
			w.text("modifier", s.Maneuver.Modifier)
			if s.Maneuver.Instruction != "" {
				w.text("instruction", s.Maneuver.Instruction)
			}
			w.number("step", float64(k))
			w.number("leg", float64(i))
			w.done("route", index)
		}
	}
}

func (w *geojsonWriter) waypoint(p *Waypoint, index int, more ...member) {
	w.feature("Point", orb.LineString{p.Location})
	w.text("name", p.Name)
	w.number("distance", p.Distance)
	for _, m := range more {
		w.number(m.name, float64(m.value))
	}
	w.done("waypoint", index)
}
