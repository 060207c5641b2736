package testmap

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strings"
)

// Drawing is a small map drawn as text, so that a test of behavior reads as a
// map:
//
//	testmap.Drawing{
//		Map: `
//			a-b-c
//			  |
//			  d`,
//		Ways: []testmap.Row{
//			{"abc", ""},
//			{"bd", "highway=residential oneway=yes"},
//		},
//		Relations: []testmap.Row{
//			{"from=ab via=b to=bd", "type=restriction restriction=no_right_turn"},
//		},
//	}
//
// Letters and digits are nodes, anything else is decoration. A column is half
// a cell, a line a whole one. A cell is 100 m; north is up.
type Drawing struct {
	Map string
	// Ways are named by their nodes. They are highway=primary with the nodes
	// as their name unless tagged otherwise; an empty value takes a tag away.
	Ways []Row
	// Nodes are tags of nodes, by letter.
	Nodes []Row
	// Relations are named by their members: role=reference, where one letter
	// is a node and several are the way of these nodes.
	Relations []Row
	// Cell is the size of a cell in meters, 100 if zero.
	Cell float64
}

// Row is what names an element, and its tags: "key=value key=value", where a
// value may be quoted to hold spaces.
type Row [2]string

// Drawings lie around 1 degree east, 1 degree north.
const drawingOrigin = 1.0

// metersPerDegree returns the size of a degree at the origin, on WGS 84.
func metersPerDegree() (lon, lat float64) {
	const (
		flattening = 1 / 298.257223563
		e2         = flattening * (2 - flattening)
		equator    = math.Pi / 180 * 6378137.0
	)
	cos := math.Cos(drawingOrigin * math.Pi / 180)
	w2 := 1 / (1 - e2*(1-cos*cos))
	w := math.Sqrt(w2)
	return equator * w * cos, equator * w * w2 * (1 - e2)
}

// place is a letter of the map.
type place struct {
	letter   rune
	lon, lat float64
}

// places reads the map, line by line. Its first line with a letter is the
// northernmost, its leftmost letter the westernmost.
func (d *Drawing) places() []place {
	lines := strings.Split(d.Map, "\n")
	cell := d.Cell
	if cell == 0 {
		cell = 100
	}
	perLon, perLat := metersPerDegree()
	var found []place
	left, top := math.MaxInt, -1
	for row, line := range lines {
		// A tab indents the source text, not the map.
		for col, r := range []rune(strings.ReplaceAll(line, "\t", "")) {
			if !isPlace(r) {
				continue
			}
			if top < 0 {
				top = row
			}
			left = min(left, col)
			found = append(found, place{r, float64(col), float64(row)})
		}
	}
	for i := range found {
		p := &found[i]
		p.lon = drawingOrigin + (p.lon-float64(left))/2*cell/perLon
		p.lat = drawingOrigin - (p.lat-float64(top))*cell/perLat
	}
	return found
}

func isPlace(r rune) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' }

// Position returns where a letter stands, in degrees.
func (d *Drawing) Position(letter rune) (lon, lat float64, ok bool) {
	for _, p := range d.places() {
		if p.letter == letter {
			return p.lon, p.lat, true
		}
	}
	return 0, 0, false
}

// NodeID returns the OSM id of a letter, 0 if it is not in the map. Ids are 1,
// 2, 3 … in the order of the map, then of Ways, then of Relations.
func (d *Drawing) NodeID(letter rune) int64 {
	for i, p := range d.places() {
		if p.letter == letter {
			return int64(i + 1)
		}
	}
	return 0
}

// WayID returns the OSM id of the way with these nodes, 0 if there is none.
func (d *Drawing) WayID(nodes string) int64 {
	for i, w := range d.Ways {
		if w[0] == nodes {
			return int64(len(d.places()) + i + 1)
		}
	}
	return 0
}

// OSM returns the map as an OSM XML file. It fails on a row that names what is
// not in the map.
func (d *Drawing) OSM() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("<osm version=\"0.6\" generator=\"testmap\">\n")
	places := d.places()
	for i, p := range places {
		fmt.Fprintf(&b, "<node id=\"%d\" version=\"1\" lon=\"%.7f\" lat=\"%.7f\">\n", i+1, p.lon, p.lat)
		for _, row := range d.Nodes {
			if row[0] == string(p.letter) {
				if err := writeTags(&b, row, nil); err != nil {
					return nil, err
				}
			}
		}
		b.WriteString("</node>\n")
	}
	for i, row := range d.Ways {
		fmt.Fprintf(&b, "<way id=\"%d\" version=\"1\">\n", len(places)+i+1)
		for _, letter := range row[0] {
			id := d.NodeID(letter)
			if id == 0 {
				return nil, fmt.Errorf("testmap: way %s: no %c in the map", row[0], letter)
			}
			fmt.Fprintf(&b, "<nd ref=\"%d\"/>\n", id)
		}
		if err := writeTags(&b, row, []tag{{"highway", "primary"}, {"name", row[0]}}); err != nil {
			return nil, err
		}
		b.WriteString("</way>\n")
	}
	for i, row := range d.Relations {
		fmt.Fprintf(&b, "<relation id=\"%d\" version=\"1\">\n", len(places)+len(d.Ways)+i+1)
		members, err := parseTags(row[0])
		if err != nil {
			return nil, err
		}
		for _, m := range members {
			kind, id := "way", d.WayID(m.value)
			if len(m.value) == 1 {
				kind, id = "node", d.NodeID(rune(m.value[0]))
			}
			if id == 0 {
				return nil, fmt.Errorf("testmap: relation %s: no %s in the map", row[0], m.value)
			}
			fmt.Fprintf(&b, "<member type=\"%s\" ref=\"%d\" role=\"%s\"/>\n", kind, id, escape(m.key))
		}
		if err := writeTags(&b, row, []tag{{"type", "restriction"}}); err != nil {
			return nil, err
		}
		b.WriteString("</relation>\n")
	}
	b.WriteString("</osm>\n")
	return b.Bytes(), nil
}

type tag struct{ key, value string }

// writeTags writes the tags of a row, and the defaults that it does not name.
func writeTags(b *bytes.Buffer, row Row, defaults []tag) error {
	tags, err := parseTags(row[1])
	if err != nil {
		return err
	}
	for _, d := range defaults {
		named := false
		for _, t := range tags {
			named = named || t.key == d.key
		}
		if !named {
			tags = append(tags, d)
		}
	}
	for _, t := range tags {
		if t.value != "" {
			fmt.Fprintf(b, "<tag k=\"%s\" v=\"%s\"/>\n", escape(t.key), escape(t.value))
		}
	}
	return nil
}

// parseTags reads key=value pairs.
func parseTags(s string) ([]tag, error) {
	var tags []tag
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		key, rest, ok := strings.Cut(s, "=")
		if !ok || strings.ContainsAny(key, " \t\"") {
			return nil, fmt.Errorf("testmap: no key=value at %q", s)
		}
		var value string
		if strings.HasPrefix(rest, `"`) {
			if value, s, ok = strings.Cut(rest[1:], `"`); !ok {
				return nil, fmt.Errorf("testmap: no closing quote at %q", s)
			}
		} else {
			value, s, _ = strings.Cut(rest, " ")
		}
		tags = append(tags, tag{key, value})
	}
	return tags, nil
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder does not fail
	return b.String()
}
