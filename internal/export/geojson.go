package export

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

// geoJSON writes roads as features of a FeatureCollection.
type geoJSON struct {
	w     *bufio.Writer
	line  []byte
	roads int
}

// NewGeoJSON returns a Writer of GeoJSON (RFC 7946): a LineString for each stretch of
// road, with the properties from, to, way, name, length, duration, weight, source and
// small.
func NewGeoJSON(w io.Writer) Writer { return &geoJSON{w: bufio.NewWriterSize(w, 1<<16)} }

// Node implements Writer: lines know where they end.
func (g *geoJSON) Node(int64, orb.Point) error { return nil }

// Road implements Writer.
func (g *geoJSON) Road(r *routing.RoadSegment) error {
	b := g.line[:0]
	if g.roads == 0 {
		b = append(b, geoJSONHeader...)
	} else {
		b = append(b, ",\n"...)
	}
	g.roads++
	b = append(b, `{"type":"Feature","geometry":{"type":"LineString","coordinates":[`...)
	for i, p := range [...]orb.Point{r.From, r.To} {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendDegrees(append(b, '['), p[0]), ',')
		b = append(appendDegrees(b, p[1]), ']')
	}
	b = strconv.AppendInt(append(b, `]},"properties":{"from":`...), r.Nodes[0], 10)
	b = strconv.AppendInt(append(b, `,"to":`...), r.Nodes[1], 10)
	b = strconv.AppendInt(append(b, `,"way":`...), r.Way, 10)
	b = appendJSON(append(b, `,"name":`...), r.Name)
	b = appendFixed(append(b, `,"length":`...), r.Length)
	b = appendFixed(append(b, `,"duration":`...), r.Duration)
	b = appendFixed(append(b, `,"weight":`...), r.Weight)
	b = appendJSON(append(b, `,"source":`...), r.SpeedFrom)
	b = strconv.AppendBool(append(b, `,"small":`...), r.Small)
	g.line = append(b, "}}"...)
	_, err := g.w.Write(g.line)
	return err
}

const geoJSONHeader = `{"type":"FeatureCollection","features":[` + "\n"

// Close implements Writer.
func (g *geoJSON) Close() error {
	end := "\n]}\n"
	if g.roads == 0 {
		end = geoJSONHeader + "]}\n"
	}
	if _, err := g.w.WriteString(end); err != nil {
		return err
	}
	return g.w.Flush()
}

func appendDegrees(dst []byte, v float64) []byte { return strconv.AppendFloat(dst, v, 'f', -1, 64) }

// appendFixed appends a number to a hundredth, without zeros at the end.
func appendFixed(dst []byte, v float64) []byte {
	dst = strconv.AppendFloat(dst, v, 'f', 2, 64)
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	if dst[len(dst)-1] == '.' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

func appendJSON(dst []byte, s string) []byte {
	text, _ := json.Marshal(s) // strings always can be
	return append(dst, text...)
}
