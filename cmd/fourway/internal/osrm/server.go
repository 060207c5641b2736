package osrm

import (
	"context"
	"errors"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/fourway-routing/fourway/cmd/fourway/internal/notify"
	"github.com/fourway-routing/fourway/httpapi"
	"github.com/fourway-routing/fourway/routing"
)

const (
	// pollEvery is how often a server looks for a new dataset.
	pollEvery = 50 * time.Millisecond
	// readTimeout bounds how long a client may take to send a request.
	readTimeout = 30 * time.Second
	// writeTimeout bounds how long one may take to receive an answer, on top of
	// the time that a request may take.
	writeTimeout = 60 * time.Second
	// stopTimeout is the time that running requests get to end.
	stopTimeout = 2 * time.Second
)

// server is osrm-routed at work.
type server struct {
	*tool
	options *routedOptions
	source  source
	swapper swapper
	closing sync.WaitGroup // data sets that were served
	now     served         // the current data set
	silent  bool           // about requests
}

// load opens the current data set and puts it in the place of the one before.
func (s *server) load() error {
	now, err := s.source.current()
	if err != nil {
		return err
	}
	load := routing.Heap
	if *s.options.memoryMap || *s.options.sharedMemory || *s.options.memoryFile != "" {
		load = routing.Map
	}
	engine, err := routing.Open(now.name, routing.Options{Algorithm: *s.options.algorithm, Load: load})
	if err != nil {
		return err
	}
	opt := s.options.handlerOptions(now.disabled)
	opt.Observe = s.access
	s.now = now
	if old := s.swapper.swap(&generation{engine: engine, handler: httpapi.Handler(engine, opt)}); old != nil {
		s.closing.Go(func() { s.end(old) })
	}
	return nil
}

// end closes a data set when the requests that it serves have ended.
func (s *server) end(g *generation) {
	if err := g.close(); err != nil {
		s.log.warnf("close a data set: %v", err)
	}
}

// close closes the current data set.
func (s *server) close() {
	s.end(s.swapper.current)
	s.closing.Wait()
}

// serve answers until a signal comes.
func (s *server) serve() error {
	o := s.options
	listener, err := net.Listen("tcp", net.JoinHostPort(*o.ip, strconv.Itoa(*o.port)))
	if err != nil {
		return err
	}
	base, cancel := context.WithCancel(context.Background())
	defer cancel()
	h := &http.Server{
		Handler:           s.recording(&s.swapper),
		ReadHeaderTimeout: readTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      httpapi.MaxTimeout + writeTimeout,
		IdleTimeout:       time.Duration(*o.keepAlive) * time.Second,
		MaxHeaderBytes:    http.DefaultMaxHeaderBytes + s.swapper.current.handler.MaxURL(),
		BaseContext:       func(net.Listener) context.Context { return base },
	}
	s.log.infof("Threads: %d", *o.threads)
	s.log.infof("IP address: %s", *o.ip)
	s.log.infof("IP port: %d", listener.Addr().(*net.TCPAddr).Port)
	s.log.infof("Keepalive timeout: %d", *o.keepAlive)
	failure := make(chan error, 1)
	var running sync.WaitGroup
	running.Go(func() { failure <- h.Serve(listener) })
	defer running.Wait()
	defer limitThreads(*o.threads)()
	s.log.infof("running and waiting for requests")
	tellParent()
	if err := notify.Send(notify.Ready); err != nil {
		s.log.warnf("%v", err)
	}
	err = s.attend(failure)
	s.log.infof("initiating shutdown")
	stop, stopped := context.WithTimeout(base, stopTimeout)
	defer stopped()
	if err := h.Shutdown(stop); err != nil {
		s.log.warnf("Didn't exit within %s. Hard abort!", stopTimeout)
		cancel()
		return errors.Join(h.Close(), failed)
	}
	s.log.infof("shutdown completed")
	return err
}

// attend waits for a signal to stop, and follows the data set meanwhile.
func (s *server) attend(failure <-chan error) error {
	poll := make(<-chan time.Time)
	if *s.options.sharedMemory {
		ticker := time.NewTicker(pollEvery)
		defer ticker.Stop()
		poll = ticker.C
	}
	var broken served
	for {
		select {
		case err := <-failure:
			return err
		case <-poll:
			now, err := s.source.current()
			if err != nil || now.same(s.now) || now.same(broken) {
				continue // a dataset that was removed goes on
			}
			if err := s.follow(); err != nil {
				broken = now
				s.log.errorf("the new dataset cannot be loaded, the old one stays: %v", err)
			}
		case sig := <-s.Signals:
			if sig != syscall.SIGHUP {
				s.log.infof("received signal %d", sig)
				return nil
			}
			if err := s.follow(); err != nil {
				s.log.errorf("the data set cannot be loaded, the old one stays: %v", err)
			}
		}
	}
}

// follow loads the data set anew.
func (s *server) follow() error {
	old := s.now.number
	if err := s.load(); err != nil {
		return err
	}
	s.log.infof("updated facade to regions %d and %d with timestamps %d and %d", 2*s.now.number, 2*s.now.number+1, s.now.number, old)
	return nil
}

// limitThreads lets the process use fewer processors than there are, until what it
// returns is called.
func limitThreads(n int) (restore func()) {
	old := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(max(1, min(n, old)))
	return func() { runtime.GOMAXPROCS(old) }
}
