package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/fourway-routing/fourway/httpapi"
	"github.com/fourway-routing/fourway/routing"
)

const (
	// readHeaderTimeout bounds how long a client may take to ask.
	readHeaderTimeout = 10 * time.Second
	// idleTimeout ends a connection that asks nothing more.
	idleTimeout = 60 * time.Second
	// drainTimeout bounds how long running requests may take after the
	// signal to stop.
	drainTimeout = 10 * time.Second
)

// limits are the flags that bound requests, named and set as osrm-routed's.
type limits struct {
	MaxViarouteSize   int     `default:"500" help:"Most coordinates of a route; -1 for no limit." placeholder:"N"`
	MaxTableSize      int     `default:"100" help:"Side of the largest table: most cells are its square; -1 for no limit but memory." placeholder:"N"`
	MaxTripSize       int     `default:"100" help:"Most coordinates of a trip; -1 for no limit." placeholder:"N"`
	MaxMatchingSize   int     `default:"100" help:"Most coordinates of a trace; -1 for no limit." placeholder:"N"`
	MaxMatchingRadius float64 `default:"-1" help:"Largest standard deviation of a trace in meters; -1 for no limit." placeholder:"M"`
	MaxNearestSize    int     `default:"100" help:"Most results of nearest; -1 for no limit." placeholder:"N"`
	MaxAlternatives   int     `default:"3" help:"Most alternatives that may be asked for." placeholder:"N"`
	DefaultRadius     float64 `default:"0" help:"Search radius in meters where a request gives none; 0 for no limit." placeholder:"M"`
}

func (l *limits) options() httpapi.Options {
	alternatives := l.MaxAlternatives
	if alternatives == 0 {
		alternatives = -1
	}
	return httpapi.Options{
		MaxRouteSize:    l.MaxViarouteSize,
		MaxTableSize:    l.MaxTableSize,
		MaxTripSize:     l.MaxTripSize,
		MaxMatchSize:    l.MaxMatchingSize,
		MaxMatchRadius:  l.MaxMatchingRadius,
		MaxNearestSize:  l.MaxNearestSize,
		MaxAlternatives: alternatives,
		DefaultRadius:   l.DefaultRadius,
		KeepAlive:       idleTimeout,
	}
}

type serveCmd struct {
	Name   string `arg:"" help:"Name of the data set, without ending."`
	Listen string `default:"127.0.0.1:5000" help:"Address to listen on (${default})." placeholder:"HOST:PORT"`
	algorithm
	limits
}

func (c *serveCmd) Run(t *console) error {
	start := time.Now()
	engine, err := routing.Open(c.Name, routing.Options{Algorithm: c.Algorithm})
	if err != nil {
		return err
	}
	defer engine.Close()
	fmt.Fprintf(t.err, "opened %s in %s, peak memory %s\n", c.Name, brief(time.Since(start)), megabytes(peakMemory()))
	return serve(t, engine, c.Listen, c.options())
}

// serve answers until the console's context is done, then lets running
// requests end.
func serve(t *console, engine *routing.Engine, address string, opt httpapi.Options) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("listen: %w; choose another address with --listen", err)
	}
	server := &http.Server{
		Handler:           httpapi.Handler(engine, opt),
		ReadHeaderTimeout: readHeaderTimeout,
		IdleTimeout:       idleTimeout,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	fmt.Fprintf(t.err, "running and waiting for requests on http://%s\n", listener.Addr())
	select {
	case err := <-failed:
		return err
	case <-t.ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.Background(), drainTimeout)
	defer cancel()
	if err := server.Shutdown(drain); err != nil {
		return errors.Join(err, server.Close())
	}
	fmt.Fprintf(t.err, "stopped; peak memory %s\n", megabytes(peakMemory()))
	return nil
}
