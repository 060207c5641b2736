package routing

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/internal/geo"
)

// MarshalJSON returns AppendJSON(nil).
func (r *RouteResponse) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// AppendJSON appends the response as OSRM v1 writes it to dst.
func (r *RouteResponse) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"code":"Ok","routes":[`...)
	for i := range r.Routes {
		dst = comma(dst, i)
		dst = r.Routes[i].appendJSON(dst, r.geometries)
	}
	dst = append(dst, ']')
	if !r.skipWaypoints {
		dst = appendWaypoints(dst, "waypoints", r.Waypoints)
	}
	return append(appendOptional(dst, "data_version", r.DataVersion), '}')
}

// MarshalJSON returns AppendJSON(nil).
func (r *NearestResponse) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// AppendJSON appends the response as OSRM v1 writes it to dst.
func (r *NearestResponse) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"code":"Ok"`...)
	if !r.skipWaypoints {
		dst = append(dst, `,"waypoints":[`...)
		for i := range r.Waypoints {
			w := &r.Waypoints[i]
			dst = comma(dst, i)
			dst = w.appendFields(append(dst, '{'))
			dst = append(dst, `,"nodes":[`...)
			dst = strconv.AppendInt(dst, w.Nodes[0], 10)
			dst = append(dst, ',')
			dst = strconv.AppendInt(dst, w.Nodes[1], 10)
			dst = append(dst, "]}"...)
		}
		dst = append(dst, ']')
	}
	if r.tellMetric {
		dst = appendMetric(dst, r.Metric)
	}
	return append(appendOptional(dst, "data_version", r.DataVersion), '}')
}

// MarshalJSON returns AppendJSON(nil).
func (r *TableResponse) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// AppendJSON appends the response as OSRM v1 writes it to dst. That has the
// durations of Estimated a tenth of what they are. The member moved_cells, which
// OSRM has not, lists Moved if there is any.
func (r *TableResponse) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"code":"Ok"`...)
	if r.Durations != nil {
		dst = append(dst, `,"durations":[`...)
		rest := r.Estimated
		for i, row := range r.Durations {
			dst = append(comma(dst, i), '[')
			for j, v := range row {
				if len(rest) > 0 && rest[0] == (TableCell{i, j}) {
					v, rest = math.Trunc(v)/10, rest[1:]
				}
				dst = appendNumber(comma(dst, j), v)
			}
			dst = append(dst, ']')
		}
		dst = append(dst, ']')
	}
	if r.Distances != nil {
		dst = append(dst, `,"distances":[`...)
		for i, row := range r.Distances {
			dst = append(comma(dst, i), '[')
			for j, v := range row {
				dst = appendNumber(comma(dst, j), v)
			}
			dst = append(dst, ']')
		}
		dst = append(dst, ']')
	}
	if r.estimates {
		dst = appendTableCells(dst, "fallback_speed_cells", r.Estimated)
	}
	if len(r.Moved) > 0 {
		dst = appendTableCells(dst, "moved_cells", r.Moved)
	}
	if !r.skipWaypoints {
		dst = appendWaypoints(dst, "sources", r.Sources)
		dst = appendWaypoints(dst, "destinations", r.Destinations)
	}
	if r.tellMetric {
		dst = appendMetric(dst, r.Metric)
	}
	return append(appendOptional(dst, "data_version", r.DataVersion), '}')
}

// appendMetric appends the name of a metric, which OSRM's answers have not.
func appendMetric(dst []byte, name string) []byte {
	return appendString(append(dst, `,"metric":`...), name)
}

func appendTableCells(dst []byte, name string, cells []TableCell) []byte {
	dst = append(append(append(dst, `,"`...), name...), `":[`...)
	for i, c := range cells {
		dst = appendInt(append(comma(dst, i), '['), c.Source)
		dst = append(appendInt(append(dst, ','), c.Destination), ']')
	}
	return append(dst, ']')
}

func appendWaypoints(dst []byte, name string, list []Waypoint) []byte {
	dst = append(append(append(dst, `,"`...), name...), `":[`...)
	for i := range list {
		dst = append(list[i].appendFields(append(comma(dst, i), '{')), '}')
	}
	return append(dst, ']')
}

// MarshalJSON returns AppendJSON(nil).
func (r *TripResponse) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// AppendJSON appends the response as OSRM v1 writes it to dst.
func (r *TripResponse) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"code":"Ok","trips":[`...)
	for i := range r.Trips {
		dst = r.Trips[i].appendJSON(comma(dst, i), r.geometries)
	}
	dst = append(dst, ']')
	if !r.skipWaypoints {
		dst = append(dst, `,"waypoints":[`...)
		for i := range r.Waypoints {
			w := &r.Waypoints[i]
			dst = w.appendFields(append(comma(dst, i), '{'))
			dst = appendInt(append(dst, `,"trips_index":`...), w.Trip)
			dst = appendInt(append(dst, `,"waypoint_index":`...), w.Position)
			dst = append(dst, '}')
		}
		dst = append(dst, ']')
	}
	return append(appendOptional(dst, "data_version", r.DataVersion), '}')
}

// MarshalJSON returns AppendJSON(nil).
func (r *MatchResponse) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// AppendJSON appends the response as OSRM v1 writes it to dst, and more if Details
// were asked for.
func (r *MatchResponse) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"code":"Ok","matchings":[`...)
	for i := range r.Matchings {
		m := &r.Matchings[i]
		dst = m.appendFields(append(comma(dst, i), '{'), r.geometries)
		dst = append(appendNumber(append(dst, `,"confidence":`...), m.Confidence), '}')
	}
	dst = append(dst, ']')
	if !r.skipWaypoints {
		dst = append(dst, `,"tracepoints":[`...)
		for i, w := range r.Tracepoints {
			if dst = comma(dst, i); w == nil {
				dst = append(dst, "null"...)
				continue
			}
			dst = w.appendFields(append(dst, '{'))
			dst = appendInt(append(dst, `,"matchings_index":`...), w.Matching)
			dst = append(dst, `,"waypoint_index":`...)
			if w.Position < 0 {
				dst = append(dst, "null"...)
			} else {
				dst = appendInt(dst, w.Position)
			}
			dst = appendInt(append(dst, `,"alternatives_count":`...), w.Alternatives)
			if r.details {
				dst = w.appendDetails(dst)
			}
			dst = append(dst, '}')
		}
		dst = append(dst, ']')
	}
	if r.details {
		dst = r.appendDetails(dst)
	}
	return append(appendOptional(dst, "data_version", r.DataVersion), '}')
}

// appendDetails appends what is known of coordinates without a tracepoint, and of
// the noise.
func (r *MatchResponse) appendDetails(dst []byte) []byte {
	if r.Unmatched != nil {
		dst = append(dst, `,"unmatched":[`...)
		for i, why := range r.Unmatched {
			if dst = comma(dst, i); why == "" {
				dst = append(dst, "null"...)
				continue
			}
			dst = appendString(dst, string(why))
		}
		dst = append(dst, ']')
	}
	if r.Deviation > 0 {
		dst = appendNumber(append(dst, `,"deviation":`...), r.Deviation)
	}
	return dst
}

// appendDetails appends where on its way a tracepoint is.
func (t *Tracepoint) appendDetails(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `,"way":`...), t.Way, 10)
	dst = strconv.AppendInt(append(dst, `,"nodes":[`...), t.Ends[0], 10)
	dst = strconv.AppendInt(append(dst, ','), t.Ends[1], 10)
	return appendNumber(append(dst, `],"fraction":`...), t.Fraction)
}

// AppendJSON appends the error as OSRM v1 writes it to dst, with its detail if it
// has any.
func (e *Error) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"code":`...)
	dst = appendString(dst, string(e.Code))
	dst = append(dst, `,"message":`...)
	dst = appendString(dst, e.Message)
	return append(appendOptional(dst, "detail", e.Detail), '}')
}

func (r *RouteResult) appendJSON(dst []byte, g Geometries) []byte {
	return append(r.appendFields(append(dst, '{'), g), '}')
}

func (r *RouteResult) appendFields(dst []byte, g Geometries) []byte {
	dst = append(dst, `"distance":`...)
	dst = appendNumber(dst, r.Distance)
	dst = append(dst, `,"duration":`...)
	dst = appendNumber(dst, r.Duration)
	dst = append(dst, `,"weight":`...)
	dst = appendNumber(dst, r.Weight)
	dst = append(dst, `,"weight_name":`...)
	dst = appendString(dst, r.WeightName)
	dst = appendGeometry(dst, r.Geometry, g)
	dst = append(dst, `,"legs":[`...)
	for i := range r.Legs {
		dst = comma(dst, i)
		dst = r.Legs[i].appendJSON(dst, g)
	}
	return append(dst, ']')
}

func (l *Leg) appendJSON(dst []byte, g Geometries) []byte {
	dst = append(dst, `{"distance":`...)
	dst = appendNumber(dst, l.Distance)
	dst = append(dst, `,"duration":`...)
	dst = appendNumber(dst, l.Duration)
	dst = append(dst, `,"weight":`...)
	dst = appendNumber(dst, l.Weight)
	if l.tellMetric {
		dst = appendMetric(dst, l.Metric)
	}
	dst = append(dst, `,"summary":`...)
	dst = appendString(dst, l.Summary)
	dst = appendGeometry(dst, l.Geometry, g)
	if l.Annotation != nil {
		dst = l.Annotation.appendJSON(dst)
	}
	if l.Explanation != nil {
		dst = l.Explanation.appendJSON(dst)
	}
	dst = append(dst, `,"steps":[`...)
	for i := range l.Steps {
		dst = comma(dst, i)
		dst = l.Steps[i].appendJSON(dst, g)
	}
	return append(dst, "]}"...)
}

func (a *Annotation) appendJSON(dst []byte) []byte {
	dst = append(dst, `,"annotation":{`...)
	start := len(dst)
	dst = appendNumbers(dst, "distance", a.Distance)
	dst = appendNumbers(dst, "duration", a.Duration)
	dst = appendNumbers(dst, "weight", a.Weight)
	dst = appendNumbers(dst, "speed", a.Speed)
	if a.Datasources != nil {
		dst = append(dst, `"datasources":[`...)
		for i, d := range a.Datasources {
			dst = strconv.AppendUint(comma(dst, i), uint64(d), 10)
		}
		dst = append(dst, `],"metadata":{"datasource_names":`...)
		dst = append(appendStrings(dst, a.DatasourceNames), "},"...)
	}
	dst = appendIDs(dst, "nodes", a.Nodes)
	dst = appendIDs(dst, "ways", a.Ways)
	if len(dst) > start {
		dst = dst[:len(dst)-1] // the last comma
	}
	return append(dst, '}')
}

func (s *Step) appendJSON(dst []byte, g Geometries) []byte {
	dst = append(dst, `{"distance":`...)
	dst = appendNumber(dst, s.Distance)
	dst = append(dst, `,"duration":`...)
	dst = appendNumber(dst, s.Duration)
	dst = append(dst, `,"weight":`...)
	dst = appendNumber(dst, s.Weight)
	dst = appendGeometry(dst, s.Line(), g)
	dst = append(dst, `,"name":`...)
	dst = appendString(dst, s.Name)
	dst = appendOptional(dst, "ref", s.Ref)
	dst = appendOptional(dst, "pronunciation", s.Pronunciation)
	dst = appendOptional(dst, "destinations", s.Destinations)
	dst = appendOptional(dst, "exits", s.Exits)
	if s.RotaryName != "" {
		dst = appendOptional(dst, "rotary_name", s.RotaryName)
		dst = appendOptional(dst, "rotary_pronunciation", s.RotaryPronunciation)
	}
	dst = appendOptional(dst, "mode", s.Mode)
	dst = appendOptional(dst, "driving_side", s.DrivingSide)
	dst = s.Maneuver.appendJSON(dst)
	dst = append(dst, `,"intersections":[`...)
	for i := range s.Intersections {
		dst = comma(dst, i)
		dst = s.Intersections[i].appendJSON(dst)
	}
	return append(dst, "]}"...)
}

func (m *Maneuver) appendJSON(dst []byte) []byte {
	dst = append(dst, `,"maneuver":{"location":`...)
	dst = appendPoint(dst, m.Location)
	dst = append(dst, `,"bearing_before":`...)
	dst = appendInt(dst, m.BearingBefore)
	dst = append(dst, `,"bearing_after":`...)
	dst = appendInt(dst, m.BearingAfter)
	dst = append(dst, `,"type":`...)
	dst = appendString(dst, m.Type)
	dst = appendOptional(dst, "modifier", m.Modifier)
	if m.Exit != 0 {
		dst = append(dst, `,"exit":`...)
		dst = appendInt(dst, m.Exit)
	}
	return append(appendOptional(dst, "instruction", m.Instruction), '}')
}

func (x *Intersection) appendJSON(dst []byte) []byte {
	dst = append(dst, `{"location":`...)
	dst = appendPoint(dst, x.Location)
	dst = append(dst, `,"bearings":[`...)
	for i, b := range x.Bearings {
		dst = appendInt(comma(dst, i), b)
	}
	dst = append(dst, `],"entry":[`...)
	for i, e := range x.Entry {
		if dst = comma(dst, i); e {
			dst = append(dst, "true"...)
		} else {
			dst = append(dst, "false"...)
		}
	}
	dst = append(dst, ']')
	if x.In >= 0 {
		dst = append(dst, `,"in":`...)
		dst = appendInt(dst, x.In)
	}
	if x.Out >= 0 {
		dst = append(dst, `,"out":`...)
		dst = appendInt(dst, x.Out)
	}
	if len(x.Lanes) > 0 {
		dst = append(dst, `,"lanes":[`...)
		for i, l := range x.Lanes {
			dst = append(comma(dst, i), `{"indications":`...)
			dst = appendStrings(dst, l.Indications)
			dst = append(dst, `,"valid":`...)
			dst = append(strconv.AppendBool(dst, l.Valid), '}')
		}
		dst = append(dst, ']')
	}
	if len(x.Classes) > 0 {
		dst = append(dst, `,"classes":`...)
		dst = appendStrings(dst, x.Classes)
	}
	return append(dst, '}')
}

func (w *Waypoint) appendFields(dst []byte) []byte {
	dst = append(dst, `"location":`...)
	dst = appendPoint(dst, w.Location)
	dst = append(dst, `,"name":`...)
	dst = appendString(dst, w.Name)
	dst = append(dst, `,"distance":`...)
	dst = appendNumber(dst, w.Distance)
	return appendOptional(dst, "hint", w.Hint)
}

// appendGeometry appends a geometry member, nothing if there is no line.
func appendGeometry(dst []byte, line orb.LineString, g Geometries) []byte {
	if line == nil {
		return dst
	}
	switch g {
	case GeometryPolyline:
		dst = append(dst, `,"geometry":`...)
		return appendQuotedPolyline(dst, line, 5)
	case GeometryPolyline6:
		dst = append(dst, `,"geometry":`...)
		return appendQuotedPolyline(dst, line, 6)
	}
	dst = append(dst, `,"geometry":{"type":"LineString","coordinates":[`...)
	for i, p := range line {
		dst = appendPoint(comma(dst, i), p)
	}
	if len(line) == 1 { // a line has two points
		dst = appendPoint(append(dst, ','), line[0])
	}
	return append(dst, "]}"...)
}

func appendQuotedPolyline(dst []byte, line orb.LineString, precision int) []byte {
	return append(appendPolyline(append(dst, '"'), line, precision, &escaped), '"')
}

func appendPoint(dst []byte, p orb.Point) []byte {
	c := geo.FromLonLat(p[0], p[1])
	dst = appendDegrees(append(dst, '['), c.Lon)
	dst = appendDegrees(append(dst, ','), c.Lat)
	return append(dst, ']')
}

// appendDegrees appends micro-degrees as degrees.
func appendDegrees(dst []byte, micro int32) []byte {
	u := uint32(micro)
	if micro < 0 {
		dst = append(dst, '-')
		u = -u
	}
	whole, rest := u/geo.Precision, u%geo.Precision
	dst = appendInt(dst, int(whole))
	if rest == 0 {
		return dst
	}
	a, b, c := rest/1e4, rest/100%100, rest%100
	dst = append(dst, '.', twoDigits[2*a], twoDigits[2*a+1], twoDigits[2*b], twoDigits[2*b+1], twoDigits[2*c], twoDigits[2*c+1])
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// twoDigits has the numbers below 100 one after the other.
const twoDigits = "" +
	"0001020304050607080910111213141516171819" +
	"2021222324252627282930313233343536373839" +
	"4041424344454647484950515253545556575859" +
	"6061626364656667686970717273747576777879" +
	"8081828384858687888990919293949596979899"

// appendInt is strconv.AppendInt, faster for what is below 1000.
func appendInt(dst []byte, v int) []byte {
	switch u := uint(v); {
	case u < 10:
		return append(dst, '0'+byte(u))
	case u < 100:
		return append(dst, twoDigits[2*u], twoDigits[2*u+1])
	case u < 1000:
		rest := u % 100
		return append(dst, '0'+byte(u/100), twoDigits[2*rest], twoDigits[2*rest+1])
	}
	return strconv.AppendInt(dst, int64(v), 10)
}

// appendNumber appends v as OSRM does: whole numbers up to 2^53 exactly,
// others with ten significant digits, what is no number as null.
func appendNumber(dst []byte, v float64) []byte {
	if v >= 0 && v <= 1<<53 {
		whole := uint64(v)
		if float64(whole) == v {
			return strconv.AppendUint(dst, whole, 10)
		}
		// Most numbers are tenths.
		if t := uint64(v*10 + 0.5); t < 1e10 && float64(t)/10 == v {
			return append(strconv.AppendUint(dst, t/10, 10), '.', '0'+byte(t%10))
		}
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(dst, "null"...)
	}
	return strconv.AppendFloat(dst, v, 'g', 10, 64)
}

// appendNumbers appends a member and a comma, nothing if list is nil.
func appendNumbers(dst []byte, name string, list []float64) []byte {
	if list == nil {
		return dst
	}
	dst = append(append(append(dst, '"'), name...), `":[`...)
	for i, v := range list {
		dst = appendNumber(comma(dst, i), v)
	}
	return append(dst, "],"...)
}

// appendIDs is appendNumbers for OSM ids.
func appendIDs(dst []byte, name string, list []int64) []byte {
	if list == nil {
		return dst
	}
	dst = append(append(append(dst, '"'), name...), `":[`...)
	for i, v := range list {
		dst = strconv.AppendInt(comma(dst, i), v, 10)
	}
	return append(dst, "],"...)
}

func appendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		dst = appendString(comma(dst, i), s)
	}
	return append(dst, ']')
}

// appendOptional appends a member after a comma, nothing if s is empty.
func appendOptional(dst []byte, name, s string) []byte {
	if s == "" {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return appendString(dst, s)
}

// appendString appends s in quotes; bytes that are no UTF-8 become U+FFFD.
func appendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	plain := 0 // start of what needs no change
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		if size > 1 {
			i += size
			continue
		}
		dst = append(dst, s[plain:i]...)
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < utf8.RuneSelf:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, `\ufffd`...)
		}
		i += size
		plain = i
	}
	return append(append(dst, s[plain:]...), '"')
}

func comma(dst []byte, i int) []byte {
	if i > 0 {
		return append(dst, ',')
	}
	return dst
}
