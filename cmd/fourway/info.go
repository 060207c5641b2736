package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/fourway-routing/fourway/routing"
)

type infoCmd struct {
	Name string `arg:"" help:"Name of the data set, without ending."`

	algorithm
	JSON bool `name:"json" help:"Print JSON."`
}

func (c *infoCmd) Run(t *console) error {
	return query(t, c.Name, c.Algorithm, "read", func(e *routing.Engine) error {
		info := e.Info()
		if c.JSON {
			enc := json.NewEncoder(t.out)
			enc.SetIndent("", "  ")
			return enc.Encode(info)
		}
		return printInfo(t.out, &info)
	})
}

func printInfo(w io.Writer, info *routing.Info) error {
	var sets []string
	for _, s := range info.Excludable {
		sets = append(sets, strings.Join(s, "+"))
	}
	when := "unknown"
	if !info.DataTime.IsZero() {
		when = info.DataTime.UTC().Format(time.RFC3339)
	}
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range [][2]string{
		{"profile", info.Profile},
		{"weight", info.WeightName},
		{"bounds", fmt.Sprintf("%.6f,%.6f to %.6f,%.6f", info.Bounds.Min[0], info.Bounds.Min[1], info.Bounds.Max[0], info.Bounds.Max[1])},
		{"classes", cmp.Or(strings.Join(info.Classes, ", "), "none")},
		{"excludable", cmp.Or(strings.Join(sets, ", "), "none")},
		{"data version", cmp.Or(info.DataVersion, "none")},
		{"data time", when},
		{"algorithm", info.Algorithm.String()},
		{"graph id", info.GraphID},
		{"metric id", info.MetricID},
		{"hierarchy id", info.HierarchyID},
		{"segments", fmt.Sprint(info.Segments)},
		{"chains", fmt.Sprint(info.Chains)},
		{"search nodes", fmt.Sprint(info.Nodes)},
		{"search edges", fmt.Sprint(info.Edges)},
		{"hierarchy arcs", fmt.Sprint(info.Arcs)},
	} {
		fmt.Fprintf(tab, "%s\t%s\n", row[0], row[1])
	}
	return tab.Flush()
}

type verifyCmd struct {
	Name string `arg:"" help:"Name of the data set, without ending."`
}

func (c *verifyCmd) Run(t *console) error {
	start := time.Now()
	if err := routing.Verify(t.ctx, c.Name, routing.Options{}); err != nil {
		return err
	}
	fmt.Fprintf(t.err, "%s is sound; checked in %s, peak memory %s\n", c.Name, brief(time.Since(start)), megabytes(peakMemory()))
	return nil
}
