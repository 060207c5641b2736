package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/internal/export"
	"github.com/fourway-routing/fourway/routing"
)

type exportCmd struct {
	Name   string   `arg:"" help:"Name of the data set, without ending."`
	Places []string `arg:"" optional:"" help:"Places of a route as longitude,latitude. Without any the road network is written." placeholder:"LON,LAT"`

	algorithm
	Format string `short:"f" default:"geojson" enum:"geojson,csv,gpx,polyline" help:"One of geojson, csv (the network), gpx and polyline (a route) (${default})." placeholder:"FORMAT"`
	Output string `short:"o" default:"-" help:"File to write, with csv the beginning of the names of two; - writes to the terminal (${default})." placeholder:"FILE"`
	Box    string `help:"Write the roads in a rectangle only." placeholder:"WEST,SOUTH,EAST,NORTH"`
	Match  bool   `help:"Take the places for a trace, and write the roads driven."`
	Steps  bool   `help:"Write the maneuvers of a route, too."`
}

// everywhere is more than any data set.
var everywhere = orb.Bound{Min: orb.Point{-180, -90}, Max: orb.Point{180, 90}}

func (c *exportCmd) Run(t *console) error {
	if len(c.Places) > 0 {
		return c.route(t)
	}
	box, err := parseBox(c.Box, everywhere)
	switch {
	case err != nil:
		return err
	case c.Format == "gpx" || c.Format == "polyline":
		return fmt.Errorf("--format %s is for routes: name two places or more", c.Format)
	case c.Match || c.Steps:
		return errors.New("--match and --steps are for routes: name two places or more")
	case c.Format == "csv" && c.Output == "-":
		return errors.New("--format csv makes two tables: say with --output how their names begin")
	}
	return query(t, c.Name, c.Algorithm, "export", func(e *routing.Engine) error {
		if c.Format == "geojson" {
			return writeTo(t, c.Output, func(w io.Writer) error {
				return export.Network(t.ctx, e, box, export.NewGeoJSON(w))
			})
		}
		return writeTo(t, c.Output+".nodes.csv", func(nodes io.Writer) error {
			return writeTo(t, c.Output+".edges.csv", func(edges io.Writer) error {
				w, err := export.NewCSV(nodes, edges)
				if err != nil {
					return err
				}
				return export.Network(t.ctx, e, box, w)
			})
		})
	})
}

// route writes a route, or the roads of a trace.
func (c *exportCmd) route(t *console) error {
	points, err := parseCoordinates(c.Places)
	switch {
	case err != nil:
		return err
	case c.Format == "csv":
		return errors.New("--format csv is for the network: leave out the places")
	case c.Box != "":
		return errors.New("--box is for the network: leave out the places")
	}
	return query(t, c.Name, c.Algorithm, "route", func(e *routing.Engine) error {
		hintOrder(t, e, points)
		var res interface {
			AppendGeoJSON(dst []byte) []byte
			AppendGPX(dst []byte) []byte
		}
		var routes []routing.RouteResult
		if c.Match {
			match, err := routing.Match(t.ctx, e, routing.MatchRequest{Coordinates: points, Overview: routing.OverviewFull, Steps: c.Steps})
			if err != nil {
				return err
			}
			for _, m := range match.Matchings {
				routes = append(routes, m.RouteResult)
			}
			res = match
		} else {
			route, err := routing.Route(t.ctx, e, routing.RouteRequest{Coordinates: points, Overview: routing.OverviewFull, Steps: c.Steps})
			if err != nil {
				return err
			}
			routes, res = route.Routes, route
		}
		return writeTo(t, c.Output, func(w io.Writer) error {
			var text []byte
			switch c.Format {
			case "geojson":
				text = append(res.AppendGeoJSON(nil), '\n')
			case "gpx":
				text = res.AppendGPX(nil)
			default:
				for _, r := range routes {
					text = append(routing.AppendPolyline(text, r.Geometry, 5), '\n')
				}
			}
			_, err := w.Write(text)
			return err
		})
	})
}
