package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/alecthomas/kong"
	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

// demoModule ships real OSM extracts for its tests.
const demoModule = "github.com/paulmach/osm@v0.9.0"

const demoExtract = "delaware-latest.osm.pbf"

type demoCmd struct {
	Extract string `help:"Extract to use instead of the one of Delaware; then no routes are printed." type:"existingfile" placeholder:"FILE"`
	Listen  string `default:"127.0.0.1:5000" help:"Address to serve on (${default})." placeholder:"HOST:PORT"`
	NoServe bool   `help:"Stop after the routes."`
}

// demoTrips are places in Delaware.
var demoTrips = []struct {
	name     string
	from, to orb.Point
}{
	{"Wilmington to Newark", orb.Point{-75.5466, 39.7447}, orb.Point{-75.7497, 39.6837}},
	{"Dover to Rehoboth Beach", orb.Point{-75.5244, 39.1582}, orb.Point{-75.0760, 38.7210}},
	{"Wilmington to Delmar, end to end", orb.Point{-75.5466, 39.7447}, orb.Point{-75.5774, 38.4565}},
}

func (c *demoCmd) Run(t *console) error {
	extract := c.Extract
	if extract == "" {
		dir, err := moduleDir(t.ctx, demoModule)
		if err != nil {
			return err
		}
		extract = filepath.Join(dir, "testdata", demoExtract)
	}
	dir, err := os.MkdirTemp("", "fourway-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, baseName(extract))
	fmt.Fprintf(t.err, "building %s\n", filepath.Base(extract))
	if _, err := build(t, routing.BuildOptions{
		Input: extract, Output: name, Algorithms: []routing.Algorithm{routing.CH},
	}, false); err != nil {
		return err
	}
	m := newMetrics()
	start := time.Now()
	f, err := openFleet([]dataSet{{name: name}}, false, routing.Options{Observe: m.query})
	if err != nil {
		return err
	}
	defer f.close() //nolint:errcheck // files that were only read
	engine := f.opened[0]
	fmt.Fprintf(t.err, "opened in %s\n", brief(time.Since(start)))
	if c.Extract == "" {
		if err := demoRoutes(t, engine); err != nil {
			return err
		}
	}
	if c.NoServe {
		return nil
	}
	center := engine.Info().Bounds.Center()
	fmt.Fprintf(t.err, "look at the map: http://%s/\n", c.Listen)
	fmt.Fprintf(t.err, "or try: curl 'http://%s/nearest/v1/driving/%.4f,%.4f'\n", c.Listen, center[0], center[1])
	var flags serveFlags
	if err := kong.ApplyDefaults(&flags); err != nil {
		return err
	}
	flags.Listen = c.Listen
	return serve(t, f, m, &flags)
}

func demoRoutes(t *console, engine *routing.Engine) error {
	session := engine.Session()
	defer session.Close()
	for _, trip := range demoTrips {
		req := routing.RouteRequest{Coordinates: []orb.Point{trip.from, trip.to}}
		// The first request of a session takes its memory; time the next.
		if _, err := session.Route(t.ctx, req); err != nil {
			return fmt.Errorf("%s: %w", trip.name, err)
		}
		start := time.Now()
		res, err := session.Route(t.ctx, req)
		if err != nil {
			return fmt.Errorf("%s: %w", trip.name, err)
		}
		took := time.Since(start)
		fmt.Fprintf(t.out, "%-34s %8s %7.1f km  answered in %s\n",
			trip.name, clock(res.Routes[0].Duration), res.Routes[0].Distance/1000, took.Round(time.Microsecond))
	}
	return nil
}

// moduleDir asks the go tool where a module lies, which downloads it if needed.
func moduleDir(ctx context.Context, module string) (string, error) {
	tool, err := exec.LookPath("go")
	if err != nil {
		return "", errors.New("the demo's map comes with a Go module, and there is no go tool to fetch it: install Go from https://go.dev, or give a map with --extract")
	}
	cmd := exec.CommandContext(ctx, tool, "mod", "download", "-json", module)
	cmd.Dir = os.TempDir() // outside of any module
	printed, err := cmd.Output()
	var m struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(printed, &m); jsonErr != nil || m.Error != "" || m.Dir == "" {
		return "", fmt.Errorf("the demo's map could not be fetched: go mod download %s: %w", module, errors.Join(err, jsonErr, errors.New(m.Error)))
	}
	return m.Dir, nil
}
