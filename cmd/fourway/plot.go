package main

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/internal/plot"
	"github.com/fourway-routing/fourway/routing"
)

type plotCmd struct {
	Name string `arg:"" help:"Name of the data set, without ending."`

	algorithm
	Output    string   `short:"o" required:"" help:"File to write, .svg or .png." placeholder:"FILE"`
	Box       string   `help:"Rectangle to draw. Default: around what is asked for, or the data set." placeholder:"WEST,SOUTH,EAST,NORTH"`
	Width     int      `default:"1200" help:"Width in pixels, up to 8192 (${default})." placeholder:"N"`
	Route     []string `sep:";" help:"Place of a route as longitude,latitude; several, by a ; or by one flag each." placeholder:"LON,LAT"`
	Isochrone string   `help:"Draw what is reached from a place, within --minutes or --meters." placeholder:"LON,LAT"`
	Cells     int      `help:"Color roads by the cells of a level of the partition, from 1; with --algorithm mld." placeholder:"LEVEL"`
	contours
}

func (c *plotCmd) Run(t *console) error {
	kind := strings.ToLower(filepath.Ext(c.Output))
	switch {
	case kind != ".svg" && kind != ".png":
		return fmt.Errorf("--output: %q ends neither in .svg nor in .png", c.Output)
	case c.Width < 1 || c.Width > plot.MaxSide:
		return fmt.Errorf("--width: %d is not from 1 to %d", c.Width, plot.MaxSide)
	case c.Cells < 0 || c.Cells > 0 && c.Algorithm != routing.MLD:
		return errors.New("--cells: levels count from 1, and are those of --algorithm mld")
	case c.Isochrone == "" && len(c.Minutes)+len(c.Meters) > 0:
		return errors.New("--minutes and --meters need an --isochrone")
	}
	return query(t, c.Name, c.Algorithm, "plot", func(e *routing.Engine) error {
		m, err := c.draw(t, e)
		if err != nil {
			return err
		}
		return writeTo(t, c.Output, func(w io.Writer) error {
			if kind == ".png" {
				return m.WritePNG(w)
			}
			return m.WriteSVG(w)
		})
	})
}

// draw draws, from the bottom up, what is reached, the roads, a route, and its ends.
func (c *plotCmd) draw(t *console, e *routing.Engine) (*plot.Map, error) {
	var reached *routing.IsochroneResponse
	var route *routing.RouteResponse
	bounds := e.Info().Bounds
	if c.Isochrone != "" {
		req, err := c.request([]string{c.Isochrone})
		if err != nil {
			return nil, err
		}
		if reached, err = routing.Isochrone(t.ctx, e, req); err != nil {
			return nil, err
		}
		bounds = around(reached.Contours[0].Polygons.Bound())
	}
	if len(c.Route) > 0 {
		points, err := parseCoordinates(c.Route)
		if err != nil {
			return nil, err
		}
		hintOrder(t, e, points)
		route, err = routing.Route(t.ctx, e, routing.RouteRequest{Coordinates: points, Overview: routing.OverviewFull})
		if err != nil {
			return nil, err
		}
		line := around(route.Routes[0].Geometry.Bound())
		if reached != nil {
			line = line.Union(bounds)
		}
		bounds = line
	}
	bounds, err := parseBox(c.Box, bounds)
	if err != nil {
		return nil, err
	}
	m := plot.NewMap(bounds, c.Width)
	if reached != nil {
		for i := range reached.Contours {
			m.Area(reached.Contours[i].Polygons, contourColors[min(i, len(contourColors)-1)])
		}
	}
	if c.Cells > 0 {
		err = drawCells(t, e, m, bounds, c.Cells)
	} else {
		err = drawStreets(t, e, m, bounds)
	}
	if err != nil {
		return nil, err
	}
	if route != nil {
		m.Line(route.Routes[0].Geometry, routeColor, 5)
		for _, w := range route.Waypoints {
			m.Dot(w.Location, placeColor, 12)
		}
	}
	if reached != nil {
		for _, w := range reached.Waypoints {
			m.Dot(w.Location, placeColor, 12)
		}
	}
	return m, nil
}

// around returns a rectangle with some room on all sides.
func around(b orb.Bound) orb.Bound {
	return b.Pad(0.05 * max(b.Max[0]-b.Min[0], b.Max[1]-b.Min[1], 0.002))
}

// Colors are told apart by most people (Okabe and Ito, 2008), but for those of streets.
var (
	routeColor = color.NRGBA{0x00, 0x72, 0xb2, 0xff}
	placeColor = color.NRGBA{0xd5, 0x5e, 0x00, 0xff}
	// contourColors are those of the largest contour and the ones in it.
	contourColors = []color.NRGBA{{0x56, 0xb4, 0xe9, 0x50}, {0x00, 0x9e, 0x73, 0x50}, {0xe6, 0x9f, 0x00, 0x60}, {0xd5, 0x5e, 0x00, 0x60}}
	cellColors    = []color.NRGBA{
		{0x00, 0x72, 0xb2, 0xff},
		{0xd5, 0x5e, 0x00, 0xff},
		{0x00, 0x9e, 0x73, 0xff},
		{0xcc, 0x79, 0xa7, 0xff},
		{0xe6, 0x9f, 0x00, 0xff},
		{0x56, 0xb4, 0xe9, 0xff},
		{0x88, 0x22, 0x55, 0xff},
		{0x60, 0x60, 0x60, 0xff},
	}
)

// pen is how streets of a class are drawn.
type pen struct {
	color color.NRGBA
	width float64 // pixels, where a street is as it is on the ground
}

// pens are by routing.StreetClass.
var pens = [...]pen{
	routing.StreetMotorway:  {color.NRGBA{0xd0, 0x5a, 0x6e, 0xff}, 4},
	routing.StreetTrunk:     {color.NRGBA{0xdd, 0x84, 0x52, 0xff}, 3.5},
	routing.StreetPrimary:   {color.NRGBA{0xd9, 0xa4, 0x41, 0xff}, 3},
	routing.StreetSecondary: {color.NRGBA{0xb9, 0xa9, 0x3e, 0xff}, 2.5},
	routing.StreetTertiary:  {color.NRGBA{0x9a, 0x9a, 0x90, 0xff}, 2},
	routing.StreetMinor:     {color.NRGBA{0xa8, 0xa8, 0xa0, 0xff}, 1.5},
	routing.StreetLiving:    {color.NRGBA{0xa8, 0xa8, 0xa0, 0xff}, 1.25},
	routing.StreetService:   {color.NRGBA{0xc4, 0xc4, 0xbc, 0xff}, 1},
	routing.StreetPath:      {color.NRGBA{0xa3, 0xb8, 0x8c, 0xff}, 1},
	routing.StreetFerry:     {color.NRGBA{0x7a, 0xa5, 0xc7, 0xff}, 1.5},
	routing.StreetTrain:     {color.NRGBA{0x90, 0x80, 0x90, 0xff}, 1.5},
}

// closeZoom is the zoom from which lines have their full width.
const closeZoom = 14

// drawStreets draws the streets of a rectangle, the main ones above the others.
func drawStreets(t *console, e *routing.Engine, m *plot.Map, bounds orb.Bound) error {
	zoom := m.Zoom()
	res, err := routing.Streets(t.ctx, e, routing.StreetsRequest{Bounds: onEarth(bounds), Zoom: min(max(int(zoom), 0), 20)})
	if err != nil {
		return err
	}
	slices.SortStableFunc(res.Streets, func(a, b routing.Street) int { return int(b.Class) - int(a.Class) })
	thin := math.Pow(2, min(0, (zoom-closeZoom)/4))
	for i := range res.Streets {
		s := &res.Streets[i]
		p := pens[s.Class]
		width := p.width
		if s.Link {
			width *= 0.7
		}
		m.Line(s.Line, p.color, width*thin)
	}
	return nil
}

// boxesASide is the number of boxes to a side by which roads are read.
const boxesASide = 16

// drawCells draws the roads of a rectangle in the colors of their cells.
func drawCells(t *console, e *routing.Engine, m *plot.Map, bounds orb.Bound, level int) error {
	bounds = onEarth(bounds)
	wide, tall := (bounds.Max[0]-bounds.Min[0])/boxesASide, (bounds.Max[1]-bounds.Min[1])/boxesASide
	byColor := make([][]orb.LineString, len(cellColors))
	for i := range boxesASide * boxesASide {
		low := orb.Point{bounds.Min[0] + float64(i%boxesASide)*wide, bounds.Min[1] + float64(i/boxesASide)*tall}
		res, err := routing.Roads(t.ctx, e, routing.RoadsRequest{
			Bounds: orb.Bound{Min: low, Max: orb.Point{low[0] + wide, low[1] + tall}}, Network: true,
		})
		if err != nil {
			return err
		}
		for k := range res.Roads {
			r := &res.Roads[k]
			if level > len(r.Cells) {
				return fmt.Errorf("--cells: the partition has %d levels", len(r.Cells))
			}
			// Neighbors have numbers that follow one another; their colors should not.
			at := r.Cells[level-1] * 0x9e3779b97f4a7c15 >> 32 % uint64(len(cellColors))
			byColor[at] = append(byColor[at], orb.LineString{r.From, r.To})
		}
	}
	for i, lines := range byColor {
		for _, line := range lines {
			m.Line(line, cellColors[i], 1.25)
		}
	}
	return nil
}

// onEarth cuts a rectangle to the globe.
func onEarth(b orb.Bound) orb.Bound {
	for i := range 2 {
		b.Min[i], b.Max[i] = max(b.Min[i], everywhere.Min[i]), min(b.Max[i], everywhere.Max[i])
	}
	return b
}
