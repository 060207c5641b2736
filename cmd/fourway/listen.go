package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/fourway-routing/fourway/cmd/fourway/internal/notify"
	"github.com/fourway-routing/fourway/httpapi"
)

// readHeaderTimeout bounds how long a client may take for the header.
const readHeaderTimeout = 10 * time.Second

// serve answers until the console's context is done, and opens the data sets anew at
// each SIGHUP. In the end it says by /ready that it will go, and lets running requests
// end.
func serve(t *console, f *fleet, m *metrics, c *serveFlags) error {
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w; choose another address with --listen", err)
	}
	log := newRequestLog(t.err, c.AccessLog)
	opt := c.options()
	opt.Interpreter = f.first
	opt.Observe = func(o httpapi.Observation) {
		m.request(&o)
		log.request(&o)
	}
	handler := httpapi.Mux(f.engines, opt)
	m.watch(handler, f.engines)
	// Requests that do not end in time are cancelled with base.
	base, cancel := context.WithCancel(context.WithoutCancel(t.ctx))
	defer cancel()
	server := &http.Server{
		Handler:           m.handler(handler),
		ReadHeaderTimeout: min(readHeaderTimeout, c.ReadTimeout),
		ReadTimeout:       c.ReadTimeout,
		WriteTimeout:      httpapi.MaxTimeout + c.WriteTimeout,
		IdleTimeout:       c.IdleTimeout,
		MaxHeaderBytes:    http.DefaultMaxHeaderBytes + handler.MaxURL(),
		BaseContext:       func(net.Listener) context.Context { return base },
		ErrorLog:          slog.NewLogLogger(log.log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	fmt.Fprintf(t.err, "running and waiting for requests on http://%s\n", listener.Addr())
	if err := notify.Send(notify.Ready); err != nil {
		fmt.Fprintln(t.err, err)
	}
	for t.ctx.Err() == nil {
		select {
		case err := <-failed:
			return err
		case <-hangups:
			f.reopen(t)
		case <-t.ctx.Done():
		}
	}
	handler.Drain()
	_ = notify.Send(notify.Stopping) // it may not be there any more
	if c.DrainTime > 0 {
		fmt.Fprintf(t.err, "draining for %s\n", c.DrainTime)
		select {
		case err := <-failed:
			return err
		case <-time.After(c.DrainTime):
		}
	}
	stop, stopped := context.WithTimeout(base, c.StopTimeout)
	defer stopped()
	if err := server.Shutdown(stop); err != nil {
		cancel()
		return errors.Join(fmt.Errorf("requests were cancelled that had not ended %s after the signal: %w", c.DrainTime+c.StopTimeout, err), server.Close())
	}
	fmt.Fprintf(t.err, "stopped; peak memory %s\n", megabytes(peakMemory()))
	return nil
}
