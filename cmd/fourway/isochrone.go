package main

import (
	"errors"
	"io"

	"github.com/fourway-routing/fourway/routing"
)

type isochroneCmd struct {
	Name   string   `arg:"" help:"Name of the data set, without ending."`
	Places []string `arg:"" help:"Place as longitude,latitude; of several the best counts." placeholder:"LON,LAT"`

	algorithm
	contours
	Segments bool   `help:"Write the roads that are reached, too."`
	Lines    bool   `help:"Write the rims of areas instead of areas."`
	Output   string `short:"o" default:"-" help:"File to write; - writes to the terminal (${default})." placeholder:"FILE"`
}

// contours are the flags that say which isochrone is meant.
type contours struct {
	Minutes    []float64 `help:"Limits in minutes, like 10,20,30." placeholder:"N,..."`
	Meters     []float64 `help:"Limits in meters along the road, instead." placeholder:"N,..."`
	Reverse    bool      `help:"Ask from where the place can be reached."`
	Resolution float64   `help:"Size of the cells that areas are drawn by, in meters. Default: about 1/400 of the extent." placeholder:"M"`
	Exclude    []string  `help:"Classes of road to avoid, like toll,ferry." placeholder:"CLASS"`
}

func (c *contours) request(places []string) (req routing.IsochroneRequest, err error) {
	if req.Coordinates, err = parseCoordinates(places); err != nil {
		return req, err
	}
	req.Reverse, req.Resolution, req.Exclude = c.Reverse, c.Resolution, c.Exclude
	switch {
	case len(c.Minutes) > 0 && len(c.Meters) > 0:
		return req, errors.New("--minutes or --meters, not both")
	case len(c.Meters) > 0:
		req.Contours, req.Unit = c.Meters, routing.ContourDistance
	case len(c.Minutes) > 0:
		for _, m := range c.Minutes {
			req.Contours = append(req.Contours, 60*m)
		}
	default:
		return req, errors.New("say how far with --minutes or --meters")
	}
	return req, nil
}

func (c *isochroneCmd) Run(t *console) error {
	req, err := c.request(c.Places)
	if err != nil {
		return err
	}
	req.Shapes = routing.IsochronePolygons
	if c.Lines {
		req.Shapes = routing.IsochroneLines
	}
	if c.Segments {
		req.Shapes |= routing.IsochroneRoads
	}
	return query(t, c.Name, c.Algorithm, "isochrone", func(e *routing.Engine) error {
		hintOrder(t, e, req.Coordinates)
		res, err := routing.Isochrone(t.ctx, e, req)
		if err != nil {
			return err
		}
		return writeTo(t, c.Output, func(w io.Writer) error {
			_, err := w.Write(append(res.AppendJSON(nil), '\n'))
			return err
		})
	})
}
