package testmap

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/paulmach/orb"
)

// Picture shows a drawing, and a route on it, to whoever looks at what a test
// says.
type Picture struct {
	Title   string
	Drawing Drawing
	Line    orb.LineString // of the route, longitude and latitude
	Turns   []PictureTurn
}

// PictureTurn is a place of the route where something is told.
type PictureTurn struct {
	At            orb.Point
	Before, After int // bearings of the route there, in degrees
	Depart        bool
	Arrive        bool
	Text          string
}

const (
	pictureCell = 100.0 // pixels of a cell
	margin      = 50.0
	lineHeight  = 18.0
	turnLength  = 26.0 // of the arrow that shows a turn
)

// roadColors are fills of roads by class, the first of which a class begins with.
var roadColors = []struct {
	class, color string
	width        float64
}{
	{"motorway", "#e892a2", 11},
	{"trunk", "#f9b29c", 10},
	{"primary", "#fcd6a4", 9},
	{"secondary", "#f7fabf", 8},
	{"service", "#ffffff", 5},
	{"footway", "#fa8072", 2},
	{"cycleway", "#4070c0", 2},
	{"path", "#8a6d3b", 2},
	{"steps", "#fa8072", 3},
	{"", "#ffffff", 7},
}

// canvas maps degrees to pixels.
type canvas struct {
	bytes.Buffer
	west, north, perLon, perLat float64
}

func (c *canvas) at(lon, lat float64) (x, y float64) {
	return margin + (lon-c.west)*c.perLon, margin + lineHeight + (c.north-lat)*c.perLat
}

// SVG returns the picture as a file of Scalable Vector Graphics. It fails where
// Drawing.OSM does.
func (p *Picture) SVG() ([]byte, error) {
	places := p.Drawing.places()
	if len(places) == 0 {
		return nil, fmt.Errorf("testmap: %s: no places in the map", p.Title)
	}
	cell := p.Drawing.Cell
	if cell == 0 {
		cell = 100
	}
	perLon, perLat := metersPerDegree()
	c := canvas{west: math.Inf(1), north: math.Inf(-1), perLon: perLon / cell * pictureCell, perLat: perLat / cell * pictureCell}
	east, south := math.Inf(-1), math.Inf(1)
	for _, place := range places {
		c.west, east = min(c.west, place.lon), max(east, place.lon)
		south, c.north = min(south, place.lat), max(c.north, place.lat)
	}
	width, height := c.at(east, south)
	width = max(width+margin, 460)
	fmt.Fprintf(&c, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" font-family="sans-serif" font-size="13">`+"\n",
		width, height+margin+lineHeight*float64(len(p.Turns)+1))
	c.WriteString(`<defs><marker id="tip" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="4" markerHeight="4" orient="auto">` +
		`<path d="M0,0L10,5L0,10z" fill="#c00"/></marker></defs>` + "\n" +
		`<rect width="100%" height="100%" fill="#f2efe9"/>` + "\n")
	fmt.Fprintf(&c, `<text x="10" y="%.0f" font-weight="bold">%s</text>`+"\n", lineHeight, escape(p.Title))
	if err := c.roads(&p.Drawing); err != nil {
		return nil, err
	}
	for _, place := range places {
		x, y := c.at(place.lon, place.lat)
		fmt.Fprintf(&c, `<circle cx="%.1f" cy="%.1f" r="2"/><text x="%.1f" y="%.1f">%c</text>`+"\n", x, y, x+5, y-7, place.letter)
	}
	c.route(p)
	c.legend(p, height+margin)
	c.WriteString("</svg>\n")
	return c.Bytes(), nil
}

// roads draws the ways, named and with the direction of those that have one.
func (c *canvas) roads(d *Drawing) error {
	var names bytes.Buffer
	for _, row := range d.Ways {
		tags, err := parseTags(row[1])
		if err != nil {
			return err
		}
		of := map[string]string{"highway": "primary", "name": row[0]}
		for _, t := range tags {
			of[t.key] = t.value
		}
		var line [][2]float64
		for _, letter := range row[0] {
			lon, lat, ok := d.Position(letter)
			if !ok {
				return fmt.Errorf("testmap: way %s: no %c in the map", row[0], letter)
			}
			x, y := c.at(lon, lat)
			line = append(line, [2]float64{x, y})
		}
		color, width := "", 0.0
		for _, r := range roadColors {
			if strings.HasPrefix(of["highway"], r.class) {
				color, width = r.color, r.width
				break
			}
		}
		c.polyline(line, fmt.Sprintf(`stroke="#999" stroke-width="%.0f"`, width+2))
		c.polyline(line, fmt.Sprintf(`stroke="%s" stroke-width="%.0f"`, color, width))
		along, back := " →", " ←"
		middle := max(1, len(line)/2)
		a, b := line[middle-1], line[min(middle, len(line)-1)]
		angle := math.Atan2(b[1]-a[1], b[0]-a[0]) * 180 / math.Pi
		if angle > 90 || angle <= -90 { // would stand on its head
			angle -= math.Copysign(180, angle)
			along, back = back, along
		}
		label := strings.TrimSpace(of["name"] + " " + of["ref"])
		switch oneway := of["oneway"]; {
		case oneway == "-1":
			label += back
		case oneway == "yes", oneway == "" && (of["junction"] != "" || strings.HasPrefix(of["highway"], "motorway")):
			label += along
		}
		if label = strings.TrimSpace(label); label != "" {
			fmt.Fprintf(&names, `<text transform="translate(%.1f %.1f) rotate(%.0f)" text-anchor="middle" dy="-8" fill="#666" font-size="10">%s</text>`+"\n",
				(a[0]+b[0])/2, (a[1]+b[1])/2, angle, escape(label))
		}
	}
	_, err := names.WriteTo(c)
	return err
}

func (c *canvas) polyline(line [][2]float64, style string) {
	c.WriteString(`<polyline fill="none" stroke-linejoin="round" stroke-linecap="round" ` + style + ` points="`)
	for _, p := range line {
		fmt.Fprintf(c, "%.1f,%.1f ", p[0], p[1])
	}
	c.WriteString("\"/>\n")
}

// route draws the line and an arrow at each turn.
func (c *canvas) route(p *Picture) {
	var line [][2]float64
	for _, point := range p.Line {
		x, y := c.at(point[0], point[1])
		line = append(line, [2]float64{x, y})
	}
	c.polyline(line, `stroke="#3b82f6" stroke-width="4" stroke-opacity="0.6"`)
	along := func(x, y float64, bearing int, length float64) [2]float64 {
		sin, cos := math.Sincos(float64(bearing) * math.Pi / 180)
		return [2]float64{x + length*sin, y - length*cos}
	}
	for i, t := range p.Turns {
		x, y := c.at(t.At[0], t.At[1])
		var arrow [][2]float64
		if !t.Depart {
			arrow = append(arrow, along(x, y, t.Before, -turnLength))
		}
		arrow = append(arrow, [2]float64{x, y})
		if !t.Arrive {
			arrow = append(arrow, along(x, y, t.After, turnLength))
		}
		c.polyline(arrow, `stroke="#c00" stroke-width="3" marker-end="url(#tip)"`)
		fmt.Fprintf(c, `<circle cx="%.1f" cy="%.1f" r="8" fill="#c00"/><text x="%.1f" y="%.1f" fill="#fff" font-size="11" text-anchor="middle">%d</text>`+"\n",
			x-12, y+12, x-12, y+16, i+1)
	}
}

// legend lists what is told.
func (c *canvas) legend(p *Picture, y float64) {
	for i, t := range p.Turns {
		fmt.Fprintf(c, `<text x="10" y="%.0f">%d. %s</text>`+"\n", y+lineHeight*float64(i), i+1, escape(t.Text))
	}
}
