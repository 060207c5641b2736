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
	MaxViarouteSize int     `default:"500" help:"Most coordinates of a route; -1 for no limit." placeholder:"N"`
	MaxNearestSize  int     `default:"100" help:"Most results of nearest; -1 for no limit." placeholder:"N"`
	MaxAlternatives int     `default:"3" help:"Most alternatives that may be asked for." placeholder:"N"`
	DefaultRadius   float64 `default:"0" help:"Search radius in meters where a request gives none; 0 for no limit." placeholder:"M"`
}

func (l *limits) options() routing.Limits {
	alternatives := l.MaxAlternatives
	if alternatives == 0 {
		alternatives = -1
	}
	return routing.Limits{
		RouteCoordinates: max(l.MaxViarouteSize, 0),
		NearestResults:   max(l.MaxNearestSize, 0),
		Alternatives:     alternatives,
		DefaultRadius:    l.DefaultRadius,
	}
}

type serveCmd struct {
	Name      string `arg:"" help:"Name of the data set, without ending."`
	Listen    string `default:"127.0.0.1:5000" help:"Address to listen on (${default})." placeholder:"HOST:PORT"`
	Algorithm string `default:"ch" enum:"ch" help:"Search (${enum})."`
	limits
}

func (c *serveCmd) Run(t *console) error {
	start := time.Now()
	engine, err := routing.Open(c.Name, routing.Options{Limits: c.options()})
	if err != nil {
		return err
	}
	defer engine.Close()
	fmt.Fprintf(t.err, "opened %s in %s, peak memory %s\n", c.Name, brief(time.Since(start)), megabytes(peakMemory()))
	return serve(t, engine, c.Listen)
}

// serve answers until the console's context is done, then lets running
// requests end.
func serve(t *console, engine *routing.Engine, address string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("listen: %w; choose another address with --listen", err)
	}
	server := &http.Server{
		Handler:           httpapi.Handler(engine, httpapi.Options{}),
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
