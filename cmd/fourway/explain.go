package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/fourway-routing/fourway/routing"
)

type explainCmd struct {
	Name   string   `arg:"" help:"Name of the data set, without ending; built with --tags it tells which tags matter."`
	Places []string `arg:"" help:"Two or more places as longitude,latitude." placeholder:"LON,LAT"`

	algorithm
	Exclude []string `help:"Classes of road to avoid, like toll,ferry." placeholder:"CLASS"`
	JSON    bool     `name:"json" help:"Print the whole answer as JSON."`
}

func (c *explainCmd) Run(t *console) error {
	points, err := parseCoordinates(c.Places)
	if err != nil {
		return err
	}
	req := routing.RouteRequest{Coordinates: points, Exclude: c.Exclude, Explain: true, Overview: routing.OverviewFalse}
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
		route := &res.Routes[0]
		fmt.Fprintf(t.out, "%s, %.1f km, weight %.1f (%s)\n", clock(route.Duration), route.Distance/1000, route.Weight, route.WeightName)
		for i := range route.Legs {
			printExplanation(t.out, route.Legs[i].Explanation)
		}
		return nil
	})
}

// printExplanation prints the segments of a leg, and the ways that they lie on.
func printExplanation(w io.Writer, x *routing.Explanation) {
	fmt.Fprintf(w, "\n%10s %8s %10s %7s  %s\n", "meters", "seconds", "weight", "km/h", "way, nodes, source")
	for i := range x.Segments {
		s := &x.Segments[i]
		fmt.Fprintf(w, "%10.1f %8.1f %10.1f ", s.Distance, s.Duration, s.Weight)
		if s.Kind == routing.SegmentRoad {
			fmt.Fprintf(w, "%7.1f  %d, %d to %d, %s\n", s.Speed, s.Way, s.Nodes[0], s.Nodes[1], s.Source)
		} else {
			fmt.Fprintf(w, "%7s  %s at %d\n", "", s.Kind, s.Nodes[1])
		}
		if turn := s.Turn; turn != nil {
			fmt.Fprintf(w, "%10s %8.1f %10.1f %7s  %s at %d, %s\n", "", turn.Duration, turn.Weight, "", strings.TrimSpace(turn.Type+" "+turn.Modifier), turn.Via, turn.Source)
		}
	}
	for i := range x.Ways {
		printWay(w, &x.Ways[i])
	}
}

// printWay prints what is known of a way.
func printWay(w io.Writer, way *routing.ExplainedWay) {
	fmt.Fprintf(w, "\nway %d, %s, %s", way.Way, orUnnamed(way.Name), way.Mode)
	if len(way.Classes) > 0 {
		fmt.Fprintf(w, ", %s", strings.Join(way.Classes, ", "))
	}
	fmt.Fprintln(w)
	if way.Unknown != "" {
		fmt.Fprintf(w, "  %s\n", way.Unknown)
	}
	for _, e := range way.Effects {
		fmt.Fprintf(w, "  %s=%s decides %s; without it ", e.Key, e.Value, strings.Join(e.Decides, ", "))
		if e.Closed {
			fmt.Fprintln(w, "closed")
		} else {
			fmt.Fprintf(w, "%.1f km/h, %.1f m per unit of weight\n", e.Speed, e.Rate)
		}
	}
}
