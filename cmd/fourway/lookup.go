package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/httpapi"
	"github.com/fourway-routing/fourway/routing"
)

type lookupCmd struct {
	Name     string   `arg:"" help:"Name of the data set, without ending."`
	Elements []string `arg:"" optional:"" help:"OSM ids, as node/ID or way/ID." placeholder:"ELEMENT"`

	algorithm
	Around string  `help:"Find what is near a place, longitude,latitude." placeholder:"LON,LAT"`
	Radius float64 `default:"50" help:"How near, in meters (${default})." placeholder:"M"`
	WaysOf bool    `help:"Find the ways of the nodes that are named, too."`
	Query  string  `short:"q" help:"Answer a query in the Overpass language in JSON instead: see docs/lookup.md." placeholder:"TEXT"`
}

func (c *lookupCmd) Run(t *console) error {
	if c.Query != "" {
		return c.interpret(t)
	}
	req, err := c.request()
	if err != nil {
		return err
	}
	return query(t, c.Name, c.Algorithm, "lookup", func(e *routing.Engine) error {
		res, err := routing.Lookup(t.ctx, e, req)
		if err != nil {
			return err
		}
		if !e.Tagged() {
			fmt.Fprintln(t.err, "the data set has no tags; build it with --tags to see them")
		}
		printElements(t, res)
		return nil
	})
}

func (c *lookupCmd) request() (req routing.LookupRequest, err error) {
	for _, text := range c.Elements {
		kind, digits, _ := strings.Cut(text, "/")
		id, err := strconv.ParseInt(digits, 10, 64)
		switch {
		case err == nil && kind == "node":
			req.Nodes = append(req.Nodes, id)
			if c.WaysOf {
				req.WaysOf = append(req.WaysOf, id)
			}
		case err == nil && kind == "way":
			req.Ways = append(req.Ways, id)
		default:
			return req, fmt.Errorf("%q is no element; write node/ID or way/ID", text)
		}
	}
	if c.Around != "" {
		place, err := parseCoordinate(c.Around)
		if err != nil {
			return req, fmt.Errorf("--around: %w", err)
		}
		req.Around, req.Radius = &place, c.Radius
	}
	if len(c.Elements) == 0 && c.Around == "" {
		return req, errors.New("nothing to look up; name elements as node/ID or way/ID, or use --around or --query")
	}
	return req, nil
}

func printElements(t *console, res *routing.LookupResponse) {
	tags := func(tags []routing.Tag) {
		for _, tag := range tags {
			fmt.Fprintf(t.out, "  %s=%s\n", tag.Key, strconv.Quote(tag.Value))
		}
	}
	for i := range res.Nodes {
		n := &res.Nodes[i]
		fmt.Fprintf(t.out, "node/%d at %s\n", n.ID, place(n.Location))
		tags(n.Tags)
	}
	for i := range res.Ways {
		w := &res.Ways[i]
		fmt.Fprintf(t.out, "way/%d of %d nodes", w.ID, len(w.Nodes))
		if k := len(w.Geometry); k > 0 {
			fmt.Fprintf(t.out, ", from %s to %s", place(w.Geometry[0]), place(w.Geometry[k-1]))
		}
		fmt.Fprintln(t.out)
		tags(w.Tags)
	}
	fmt.Fprintf(t.err, "found %d nodes and %d ways\n", len(res.Nodes), len(res.Ways))
}

func place(p orb.Point) string { return fmt.Sprintf("%.6f,%.6f", p[0], p[1]) }

// interpretTimeout is the time of a query that sets none.
const interpretTimeout = 60 * time.Second

func (c *lookupCmd) interpret(t *console) error {
	if len(c.Elements) > 0 || c.Around != "" {
		return errors.New("--query says all there is to look up; leave out elements and --around")
	}
	q, err := routing.ParseOverpass(c.Query)
	if err != nil {
		return fmt.Errorf("--query: %w", err)
	}
	timeout := interpretTimeout
	if q.Timeout > 0 {
		timeout = min(q.Timeout, httpapi.MaxTimeout)
	}
	return query(t, c.Name, c.Algorithm, "lookup", func(e *routing.Engine) error {
		ctx, cancel := context.WithTimeout(t.ctx, timeout)
		defer cancel()
		answer, err := routing.AppendOverpass(ctx, e, nil, q, routing.OverpassLimits{})
		if err != nil {
			return err
		}
		_, err = t.out.Write(answer)
		return err
	})
}
