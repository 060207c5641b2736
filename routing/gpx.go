package routing

import (
	"strconv"
	"unicode/utf8"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/internal/geo"
)

// AppendGPX appends the response as GPX 1.1 to dst, for devices and programs that follow
// routes: waypoints (wpt), the maneuvers of each route (rte) if steps were asked for,
// and the line of each route (trk), in one segment, or with OverviewByLegs in one for
// each leg. Without an overview the line is made of the steps; without these there is
// none.
func (r *RouteResponse) AppendGPX(dst []byte) []byte {
	dst = append(dst, gpxHeader...)
	for i := range r.Waypoints {
		dst = r.Waypoints[i].appendGPX(dst, i)
	}
	for i := range r.Routes {
		dst = r.Routes[i].appendManeuvers(dst, "route", i)
	}
	for i := range r.Routes {
		dst = r.Routes[i].appendTrack(dst, "route", i)
	}
	return append(dst, gpxEnd...)
}

// AppendGPX is that of RouteResponse, with the waypoints in the order of visits.
func (r *TripResponse) AppendGPX(dst []byte) []byte {
	dst = append(dst, gpxHeader...)
	if len(r.Waypoints) > 0 {
		for _, i := range r.Order {
			dst = r.Waypoints[i].appendGPX(dst, i)
		}
	}
	for i := range r.Trips {
		dst = r.Trips[i].appendManeuvers(dst, "trip", i)
	}
	for i := range r.Trips {
		dst = r.Trips[i].appendTrack(dst, "trip", i)
	}
	return append(dst, gpxEnd...)
}

// AppendGPX is that of RouteResponse, with the places of the trace as waypoints.
func (r *MatchResponse) AppendGPX(dst []byte) []byte {
	dst = append(dst, gpxHeader...)
	for i, p := range r.Tracepoints {
		if p != nil {
			dst = p.appendGPX(dst, i)
		}
	}
	for i := range r.Matchings {
		dst = r.Matchings[i].appendManeuvers(dst, "matching", i)
	}
	for i := range r.Matchings {
		dst = r.Matchings[i].appendTrack(dst, "matching", i)
	}
	return append(dst, gpxEnd...)
}

const (
	gpxHeader = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="fourway">` + "\n"
	gpxEnd = "</gpx>\n"
)

// appendGPX appends a waypoint, named by its number and the road.
func (w *Waypoint) appendGPX(dst []byte, i int) []byte {
	dst = appendGPXPoint(dst, "wpt", w.Location)
	dst = strconv.AppendInt(append(dst, "><name>"...), int64(i+1), 10)
	dst = append(dst, "</name>"...)
	if w.Name != "" {
		dst = append(appendXML(append(dst, "<desc>"...), w.Name), "</desc>"...)
	}
	return append(dst, "</wpt>\n"...)
}

// appendGPXPoint appends the beginning of a tag with a place.
func appendGPXPoint(dst []byte, tag string, p orb.Point) []byte {
	c := geo.FromLonLat(p[0], p[1])
	dst = append(append(append(dst, '<'), tag...), ` lat="`...)
	dst = appendDegrees(dst, c.Lat)
	dst = appendDegrees(append(dst, `" lon="`...), c.Lon)
	return append(dst, '"')
}

// appendGPXName appends the name of a route or a track.
func appendGPXName(dst []byte, kind string, i int) []byte {
	dst = append(append(append(dst, "<name>"...), kind...), ' ')
	return append(strconv.AppendInt(dst, int64(i+1), 10), "</name>"...)
}

// appendManeuvers appends the maneuvers of a route, nothing if it has none.
func (r *RouteResult) appendManeuvers(dst []byte, kind string, index int) []byte {
	count := 0
	for i := range r.Legs {
		for k := range r.Legs[i].Steps {
			s := &r.Legs[i].Steps[k]
			if count == 0 {
				dst = append(appendGPXName(append(dst, "<rte>"...), kind, index), '\n')
			}
			count++
			dst = append(appendGPXPoint(dst, "rtept", s.Maneuver.Location), '>')
			if s.Name != "" {
				dst = append(appendXML(append(dst, "<name>"...), s.Name), "</name>"...)
			}
			if s.Maneuver.Instruction != "" {
				dst = append(appendXML(append(dst, "<desc>"...), s.Maneuver.Instruction), "</desc>"...)
			}
			dst = appendXML(append(dst, "<type>"...), s.Maneuver.Type)
			if s.Maneuver.Modifier != "" {
				dst = appendXML(append(dst, ' '), s.Maneuver.Modifier)
			}
			dst = append(dst, "</type></rtept>\n"...)
		}
	}
	if count == 0 {
		return dst
	}
	return append(dst, "</rte>\n"...)
}

// appendTrack appends the line of a route, nothing if it has none.
func (r *RouteResult) appendTrack(dst []byte, kind string, index int) []byte {
	line := r.line()
	if len(line) == 0 {
		return dst
	}
	dst = append(appendGPXName(append(dst, "<trk>"...), kind, index), '\n')
	if r.Geometry == nil && len(r.Legs) > 0 && r.Legs[0].Geometry != nil {
		for i := range r.Legs {
			dst = appendTrackSegment(dst, r.Legs[i].Geometry)
		}
	} else {
		dst = appendTrackSegment(dst, line)
	}
	return append(dst, "</trk>\n"...)
}

func appendTrackSegment(dst []byte, line orb.LineString) []byte {
	dst = append(dst, "<trkseg>\n"...)
	for _, p := range line {
		dst = append(appendGPXPoint(dst, "trkpt", p), "/>\n"...)
	}
	return append(dst, "</trkseg>\n"...)
}

// appendXML appends text with what XML has for itself escaped; what it cannot hold
// becomes U+FFFD.
func appendXML(dst []byte, s string) []byte {
	for _, c := range s {
		switch {
		case c == '&':
			dst = append(dst, "&amp;"...)
		case c == '<':
			dst = append(dst, "&lt;"...)
		case c == '>':
			dst = append(dst, "&gt;"...)
		case c < ' ' && c != '\t' && c != '\n' && c != '\r', c == 0xFFFE, c == 0xFFFF:
			dst = append(dst, "\uFFFD"...)
		default:
			dst = utf8.AppendRune(dst, c)
		}
	}
	return dst
}
