package main

import (
	"cmp"
	"fmt"
	"time"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

type routeCmd struct {
	Name   string   `arg:"" help:"Name of the data set, without ending."`
	Places []string `arg:"" help:"Two or more places as longitude,latitude." placeholder:"LON,LAT"`

	algorithm
	Exclude     []string `help:"Classes of road to avoid, like toll,ferry." placeholder:"CLASS"`
	JSON        bool     `name:"json" help:"Print the whole answer as OSRM's JSON."`
	Steps       bool     `help:"Print the steps."`
	Language    string   `help:"Language of the steps that are printed, of ${languages} (${default})." default:"en" placeholder:"TAG"`
	Annotations bool     `help:"With --json: add values by segment."`
}

func (c *routeCmd) Run(t *console) error {
	points, err := parseCoordinates(c.Places)
	if err != nil {
		return err
	}
	req := routing.RouteRequest{Coordinates: points, Steps: c.Steps, Exclude: c.Exclude}
	if c.JSON && c.Annotations {
		req.Annotations = routing.AnnotateAll | routing.AnnotateWays
	}
	instructions, err := routing.NewInstructions(c.Language)
	if err != nil {
		return fmt.Errorf("--language: %w", err)
	}
	return query(t, c.Name, c.Algorithm, "route", func(e *routing.Engine) error {
		res, err := routing.Route(t.ctx, e, req)
		if err != nil {
			return err
		}
		if c.JSON {
			_, err := fmt.Fprintf(t.out, "%s\n", res.AppendJSON(nil))
			return err
		}
		hintOrder(t, e, points)
		instructions.Tell(&res.Routes[0])
		printRoute(t, res)
		return nil
	})
}

func printRoute(t *console, res *routing.RouteResponse) {
	for i, w := range res.Waypoints {
		fmt.Fprintf(t.out, "place %d: %.6f,%.6f, %.1f m from the one asked, %s\n",
			i+1, w.Location[0], w.Location[1], w.Distance, orUnnamed(w.Name))
	}
	route := &res.Routes[0]
	fmt.Fprintf(t.out, "%s, %.1f km\n", clock(route.Duration), route.Distance/1000)
	for i := range route.Legs {
		for _, s := range route.Legs[i].Steps {
			fmt.Fprintf(t.out, "  %8s %8.2f km  %s\n", clock(s.Duration), s.Distance/1000, s.Maneuver.Instruction)
		}
	}
}

// hintOrder tells of places off the map, which are often latitude,longitude.
func hintOrder(t *console, e *routing.Engine, points []orb.Point) {
	bounds := e.Info().Bounds
	for i, p := range points {
		if bounds.Contains(p) {
			continue
		}
		fmt.Fprintf(t.err, "place %d is outside the data set", i+1)
		if bounds.Contains(orb.Point{p[1], p[0]}) {
			fmt.Fprint(t.err, ": places are longitude,latitude, not the other way round")
		}
		fmt.Fprintln(t.err)
	}
}

func orUnnamed(name string) string { return cmp.Or(name, "(unnamed)") }

// clock writes seconds as h:mm:ss.
func clock(s float64) string {
	d := time.Duration(s * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf("%d:%02d:%02d", int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60)
}

type nearestCmd struct {
	Name  string `arg:"" help:"Name of the data set, without ending."`
	Place string `arg:"" help:"Place as longitude,latitude." placeholder:"LON,LAT"`

	algorithm
	Number int  `short:"n" default:"1" help:"How many segments (${default})." placeholder:"N"`
	JSON   bool `name:"json" help:"Print the whole answer as OSRM's JSON."`
}

func (c *nearestCmd) Run(t *console) error {
	point, err := parseCoordinate(c.Place)
	if err != nil {
		return err
	}
	return query(t, c.Name, c.Algorithm, "nearest", func(e *routing.Engine) error {
		res, err := routing.Nearest(t.ctx, e, routing.NearestRequest{Coordinate: point, Number: c.Number})
		if err != nil {
			return err
		}
		if c.JSON {
			_, err := fmt.Fprintf(t.out, "%s\n", res.AppendJSON(nil))
			return err
		}
		hintOrder(t, e, []orb.Point{point})
		for _, w := range res.Waypoints {
			fmt.Fprintf(t.out, "%.6f,%.6f %8.1f m  way %d  %s\n", w.Location[0], w.Location[1], w.Distance, w.Way, orUnnamed(w.Name))
		}
		return nil
	})
}

// algorithm is the flag for the search that answers.
type algorithm struct {
	Algorithm routing.Algorithm `default:"ch" help:"Search, ch, mld or cch (${default})." placeholder:"ALGORITHM"`
}

// query opens a data set, runs one query on it, and tells what that took.
func query(t *console, name string, a routing.Algorithm, what string, run func(*routing.Engine) error) error {
	start := time.Now()
	engine, err := routing.Open(name, routing.Options{Algorithm: a})
	if err != nil {
		return err
	}
	defer engine.Close()
	opened := time.Now()
	if err := run(engine); err != nil {
		return err
	}
	fmt.Fprintf(t.err, "opened in %s, %s in %s, peak memory %s\n",
		brief(opened.Sub(start)), what, brief(time.Since(opened)), megabytes(peakMemory()))
	return nil
}

func brief(d time.Duration) string { return d.Round(10 * time.Microsecond).String() }
