// Command fourway prepares OpenStreetMap extracts, answers routing queries
// about them on the terminal, and serves them over OSRM's HTTP interface.
//
//	fourway build -o delaware delaware.osm.pbf
//	fourway route delaware -75.52,39.74 -75.60,39.68
//	fourway serve delaware
//	fourway serve car=delaware-car bike=delaware-bicycle
//
// "fourway demo" does all of it with an extract that every Go user can have.
//
// Called by the name of one of OSRM's tools, osrm-extract, osrm-partition,
// osrm-customize, osrm-contract, osrm-routed or osrm-datastore, or with that name
// as first argument, it is that tool.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/fourway-routing/fourway/cmd/fourway/internal/osrm"
	"github.com/fourway-routing/fourway/routing"
)

// cli is the command line.
type cli struct {
	Build     buildCmd     `cmd:"" help:"Prepare an OpenStreetMap extract for routing."`
	Route     routeCmd     `cmd:"" help:"Find the fastest route through two or more places."`
	Table     tableCmd     `cmd:"" help:"Find the times and distances between places."`
	Nearest   nearestCmd   `cmd:"" help:"Find the road segments nearest to a place."`
	Explain   explainCmd   `cmd:"" help:"Tell what the time of a route is made of, and which tags decide it."`
	MatchEval matchEvalCmd `cmd:"" help:"Measure how well traces are matched, simulated or recorded ones."`
	Lookup    lookupCmd    `cmd:"" help:"Look up OSM nodes and ways of the road network, with their tags."`
	Isochrone isochroneCmd `cmd:"" help:"Find what can be reached within limits of time or distance."`
	Export    exportCmd    `cmd:"" help:"Write a route or the road network for other programs."`
	Plot      plotCmd      `cmd:"" help:"Draw streets, a route, what is reached, or cells, as SVG or PNG."`
	Info      infoCmd      `cmd:"" help:"Tell what a data set holds."`
	Verify    verifyCmd    `cmd:"" help:"Check every checksum and every index of a data set."`
	Serve     serveCmd     `cmd:"" help:"Serve data sets over OSRM's HTTP interface."`
	Demo      demoCmd      `cmd:"" help:"Build a real extract, answer a few routes, and serve it."`
	measuring

	Completion completionCmd `cmd:"" help:"Write the script that completes command lines in a shell."`
	Man        manCmd        `cmd:"" help:"Write the page of the manual."`
}

// console is where a command writes: answers to out, everything else to err.
type console struct {
	ctx      context.Context
	out, err io.Writer
}

func main() {
	if name, ok := osrm.Tool(os.Args[0]); ok {
		os.Exit(runTool(name, os.Args[1:]))
	}
	if len(os.Args) > 1 {
		if name, ok := osrm.Tool(os.Args[1]); ok {
			os.Exit(runTool(name, os.Args[2:]))
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// stopTimeout is how long a tool that prepares data may clean up when it is told
// to stop. A script in an endless loop does not hear of that.
const stopTimeout = 3 * time.Second

// runTool runs a tool of OSRM. A signal to stop lets it clean up; a second one, or
// stopTimeout, ends the process at once.
func runTool(name string, args []string) int {
	came, signals := make(chan os.Signal, 1), make(chan os.Signal, 1)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGHUP} {
		// What nohup and shells have ignored stays so, but for the SIGHUP that
		// lets a server reload.
		if !signal.Ignored(sig) || sig == syscall.SIGHUP && name == "osrm-routed" {
			signal.Notify(came, sig)
		}
	}
	go func() {
		for sig := range came {
			if sig != syscall.SIGHUP || name != "osrm-routed" {
				signal.Stop(came)
			}
			if name != "osrm-routed" { // that has a bound of its own
				time.AfterFunc(stopTimeout, func() { os.Exit(1) })
			}
			signals <- sig
		}
	}()
	return osrm.Run(name, &osrm.Process{
		Name: name, Args: args, In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Signals: signals,
	})
}

// run runs one command and returns the exit code: 0, 1 for a failure, 2 for a
// command line that cannot be read.
func run(ctx context.Context, args []string, out, errOut io.Writer) int {
	var c cli
	exited := -1
	parser, err := newParser(&c, out, errOut, kong.Exit(func(code int) { exited = code }))
	if err != nil {
		fmt.Fprintln(errOut, "fourway:", err)
		return 2
	}
	command, err := parser.Parse(shieldCoordinates(args))
	if exited >= 0 {
		return exited // help was asked for
	}
	if err != nil {
		fmt.Fprintf(errOut, "fourway: %v\nTry \"fourway --help\".\n", err)
		return 2
	}
	if err := command.Run(&console{ctx: ctx, out: out, err: errOut}); err != nil {
		if errors.Is(err, context.Canceled) && ctx.Err() != nil {
			fmt.Fprintln(errOut, "fourway: interrupted")
		} else {
			fmt.Fprintln(errOut, "fourway:", err)
		}
		return 1
	}
	return 0
}

// newParser returns what reads command lines into c.
func newParser(c *cli, out, errOut io.Writer, more ...kong.Option) (*kong.Kong, error) {
	return kong.New(c, append([]kong.Option{
		kong.Name("fourway"),
		kong.Description("A routing engine for OpenStreetMap data."),
		kong.Writers(out, errOut),
		kong.Vars{"languages": strings.Join(routing.InstructionLanguages(), ", ")},
		kong.WithHyphenPrefixedParameters(true),
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.PostBuild(showExamples),
	}, more...)...)
}
