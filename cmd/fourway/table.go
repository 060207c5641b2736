package main

import (
	"fmt"
	"math"
	"text/tabwriter"

	"github.com/fourway-routing/fourway/routing"
)

type tableCmd struct {
	Name   string   `arg:"" help:"Name of the data set, without ending."`
	Places []string `arg:"" help:"Two or more places as longitude,latitude." placeholder:"LON,LAT"`

	algorithm
	Sources      []int    `help:"Numbers of the places to start from, the first being 0. Default: all." placeholder:"N,..."`
	Destinations []int    `help:"Numbers of the places to go to. Default: all." placeholder:"N,..."`
	Exclude      []string `help:"Classes of road to avoid, like toll,ferry." placeholder:"CLASS"`
	JSON         bool     `name:"json" help:"Print the whole answer as OSRM's JSON."`
}

func (c *tableCmd) Run(t *console) error {
	points, err := parseCoordinates(c.Places)
	if err != nil {
		return err
	}
	req := routing.TableRequest{
		Coordinates: points, Sources: c.Sources, Destinations: c.Destinations, Exclude: c.Exclude,
		Annotations: routing.TableDurations | routing.TableDistances,
	}
	return query(t, c.Name, c.Algorithm, "table", func(e *routing.Engine) error {
		res, err := routing.Table(t.ctx, e, req)
		if err != nil {
			return err
		}
		if c.JSON {
			_, err := fmt.Fprintf(t.out, "%s\n", res.AppendJSON(nil))
			return err
		}
		hintOrder(t, e, points)
		return printTable(t, &req, res)
	})
}

// printTable prints a row for each source: time and kilometers to each
// destination.
func printTable(t *console, req *routing.TableRequest, res *routing.TableResponse) error {
	number := func(chosen []int, i int) int {
		if len(chosen) > 0 {
			return chosen[i]
		}
		return i
	}
	tab := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tab, "from\\to\t")
	for j := range res.Destinations {
		fmt.Fprintf(tab, "%d\t", number(req.Destinations, j))
	}
	fmt.Fprintln(tab)
	for i, row := range res.Durations {
		fmt.Fprintf(tab, "%d\t", number(req.Sources, i))
		for j, duration := range row {
			if math.IsInf(duration, 1) {
				fmt.Fprint(tab, "no route\t")
				continue
			}
			fmt.Fprintf(tab, "%s %.1f km\t", clock(duration), res.Distances[i][j]/1000)
		}
		fmt.Fprintln(tab)
	}
	return tab.Flush()
}
