package overpass

import (
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

const (
	// apiVersion is that of OSM's data model, which answers tell.
	apiVersion = "0.6"
	generator  = "Fourway"
	copyright  = "© OpenStreetMap contributors (www.openstreetmap.org/copyright); the data is available under the Open Database License."
)

// head begins the answer.
func (x *evaluation) head() {
	x.dst = append(x.dst, "{\"version\":"+apiVersion+",\"generator\":\""+generator+"\",\"osm3s\":{"...)
	if t := x.elements.Network().Properties.DataTime; t != 0 {
		x.dst = append(x.dst, "\"timestamp_osm_base\":\""...)
		x.dst = time.Unix(t, 0).UTC().AppendFormat(x.dst, time.RFC3339)
		x.dst = append(x.dst, "\","...)
	}
	x.dst = append(x.dst, "\"copyright\":\""+copyright+"\"},\"elements\":["...)
}

// tail ends the answer.
func (x *evaluation) tail(remark string) {
	x.dst = append(x.dst, "\n]"...)
	if remark != "" {
		x.dst = append(x.dst, ",\"remark\":"...)
		x.dst = appendString(x.dst, remark)
	}
	x.dst = append(x.dst, "}\n"...)
}

// next begins an element.
func (x *evaluation) next(kind string, id int64) {
	if x.printed {
		x.dst = append(x.dst, ',')
	}
	x.printed = true
	x.dst = append(x.dst, "\n{\"type\":\""...)
	x.dst = append(x.dst, kind...)
	x.dst = append(x.dst, "\",\"id\":"...)
	x.dst = strconv.AppendInt(x.dst, id, 10)
}

// print runs out.
func (x *evaluation) print(s *statement) error {
	from := &x.sets[s.from]
	nodes, ways := from.nodes, from.ways
	if s.out.limit >= 0 {
		nodes = nodes[:min(len(nodes), s.out.limit)]
		ways = ways[:min(len(ways), s.out.limit-len(nodes))]
	}
	if s.out.verbosity == showCount {
		x.count(len(nodes), len(ways))
		return nil
	}
	for i, p := range nodes {
		if i%pollEvery == 0 {
			if err := x.check(set{}); err != nil {
				return err
			}
			if err := x.poll(); err != nil {
				return err
			}
		}
		x.node(p, &s.out)
	}
	for i, w := range ways {
		if i%(pollEvery/16) == 0 {
			if err := x.check(set{}); err != nil {
				return err
			}
			if err := x.poll(); err != nil {
				return err
			}
		}
		x.way(w, &s.out)
	}
	return nil
}

func (x *evaluation) count(nodes, ways int) {
	x.next("count", 0)
	x.dst = append(x.dst, ",\"tags\":{\"nodes\":\""...)
	x.dst = strconv.AppendInt(x.dst, int64(nodes), 10)
	x.dst = append(x.dst, "\",\"ways\":\""...)
	x.dst = strconv.AppendInt(x.dst, int64(ways), 10)
	x.dst = append(x.dst, "\",\"relations\":\"0\",\"total\":\""...)
	x.dst = strconv.AppendInt(x.dst, int64(nodes+ways), 10)
	x.dst = append(x.dst, "\"}}"...)
}

func (x *evaluation) node(p graph.PlaceID, o *output) {
	e := x.elements
	x.next("node", e.NodeID(p))
	if o.verbosity == showBody || o.verbosity == showSkeleton || o.shape != noShape {
		c := e.Network().Coords[p]
		x.dst = append(x.dst, ',')
		x.dst = appendPlace(x.dst, e7(c.Lat), e7(c.Lon))
	}
	if o.verbosity == showBody || o.verbosity == showTags {
		x.tags(e.NodeTags(p))
	}
	x.dst = append(x.dst, '}')
}

func (x *evaluation) way(w graph.WayIndex, o *output) {
	e := x.elements
	x.next("way", e.WayID(w))
	x.outline(w, o.shape)
	if o.verbosity == showBody || o.verbosity == showSkeleton {
		x.dst = append(x.dst, ",\"nodes\":["...)
		for i, r := range e.Refs(w) {
			if i > 0 {
				x.dst = append(x.dst, ',')
			}
			x.dst = strconv.AppendInt(x.dst, e.RefID(r), 10)
		}
		x.dst = append(x.dst, ']')
	}
	if o.shape == showGeometry {
		x.geometry(w, o.box)
	}
	if o.verbosity == showBody || o.verbosity == showTags {
		x.tags(e.WayTags(w))
	}
	x.dst = append(x.dst, '}')
}

// outline shows the bounds or the center of a way.
func (x *evaluation) outline(w graph.WayIndex, s shape) {
	lo, hi, ok := x.elements.WayBounds(w)
	if !ok {
		return
	}
	switch s {
	case showBounds, showGeometry:
		x.dst = append(x.dst, ",\"bounds\":{\"minlat\":"...)
		x.dst = appendDegrees(x.dst, e7(lo.Lat))
		x.dst = append(x.dst, ",\"minlon\":"...)
		x.dst = appendDegrees(x.dst, e7(lo.Lon))
		x.dst = append(x.dst, ",\"maxlat\":"...)
		x.dst = appendDegrees(x.dst, e7(hi.Lat))
		x.dst = append(x.dst, ",\"maxlon\":"...)
		x.dst = appendDegrees(x.dst, e7(hi.Lon))
		x.dst = append(x.dst, '}')
	case showCenter:
		x.dst = append(x.dst, ",\"center\":{"...)
		x.dst = appendPlace(x.dst, (e7(lo.Lat)+e7(hi.Lat))/2, (e7(lo.Lon)+e7(hi.Lon))/2)
		x.dst = append(x.dst, '}')
	}
}

// geometry shows the places of a way's nodes, and null for those that the extract
// lacks or that are outside of the box.
func (x *evaluation) geometry(w graph.WayIndex, box *graph.Box) {
	e := x.elements
	x.dst = append(x.dst, ",\"geometry\":["...)
	for i, r := range e.Refs(w) {
		if i > 0 {
			x.dst = append(x.dst, ',')
		}
		p, ok := e.Place(r)
		if !ok || box != nil && !e.NodeIn(p, *box) {
			x.dst = append(x.dst, "null"...)
			continue
		}
		c := e.Network().Coords[p]
		x.dst = append(x.dst, '{')
		x.dst = appendPlace(x.dst, e7(c.Lat), e7(c.Lon))
		x.dst = append(x.dst, '}')
	}
	x.dst = append(x.dst, ']')
}

func (x *evaluation) tags(t graph.Tags) {
	if t.Len() == 0 {
		return
	}
	x.dst = append(x.dst, ",\"tags\":{"...)
	for i := range t.Len() {
		if i > 0 {
			x.dst = append(x.dst, ',')
		}
		key, value := t.At(i)
		x.dst = appendString(x.dst, key)
		x.dst = append(x.dst, ':')
		x.dst = appendString(x.dst, value)
	}
	x.dst = append(x.dst, '}')
}

// e7 returns micro-degrees in units of 1e-7 degrees.
func e7(micro int32) int64 { return int64(micro) * (1e7 / geo.Precision) }

func appendPlace(dst []byte, lat, lon int64) []byte {
	dst = append(dst, "\"lat\":"...)
	dst = appendDegrees(dst, lat)
	dst = append(dst, ",\"lon\":"...)
	return appendDegrees(dst, lon)
}

// appendDegrees appends 1e-7 degrees as a decimal number of no more digits than it
// needs.
func appendDegrees(dst []byte, v int64) []byte {
	if v < 0 {
		dst = append(dst, '-')
		v = -v
	}
	dst = strconv.AppendInt(dst, v/1e7, 10)
	rest := v % 1e7
	if rest == 0 {
		return dst
	}
	dst = append(dst, '.')
	for unit := int64(1e6); rest > 0; unit /= 10 {
		dst = append(dst, byte('0'+rest/unit))
		rest %= unit
	}
	return dst
}

// appendString appends a string in JSON. What is not UTF-8 becomes the replacement
// character.
func appendString[T ~string | ~[]byte](dst []byte, text T) []byte {
	const hexDigits = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(string(text[i:min(i+utf8.UTFMax, len(text))]))
			if r == utf8.RuneError && size == 1 {
				dst = append(dst, text[start:i]...)
				dst = append(dst, "\ufffd"...)
				start = i + 1
			}
			i += size
			continue
		}
		dst = append(dst, text[start:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		start = i
	}
	dst = append(dst, text[start:]...)
	return append(dst, '"')
}
