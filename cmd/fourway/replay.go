package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/fourway-routing/fourway/httpapi"
	"github.com/fourway-routing/fourway/internal/measure"
	"github.com/fourway-routing/fourway/internal/replay"
	"github.com/fourway-routing/fourway/pool"
	"github.com/fourway-routing/fourway/routing"
)

type replayCmd struct {
	Log string `arg:"" help:"Log of requests: lines of seconds and paths, as fourway synth-day writes, or the log of fourway serve --access-log or of osrm-routed." type:"existingfile"`

	Data string `help:"Name of the data set to ask in this process." placeholder:"NAME" xor:"target"`
	URL  string `help:"Server to ask instead, like http://127.0.0.1:5000." placeholder:"URL" xor:"target"`
	algorithm
	Pool    pool.Kind `default:"freelist" help:"With --data: memory of searches, freelist, syncpool, make or gc (${default})." placeholder:"KIND"`
	HTTP    bool      `name:"http" help:"With --data: ask over HTTP, on the loopback interface, and not the handler."`
	Workers int       `default:"7" help:"Requests asked at once (${default})." placeholder:"N"`

	Recorded bool          `help:"Ask when the log did, and charge a request for the time until a worker was free; else as fast as the workers can."`
	Speed    float64       `default:"1" help:"With --recorded: seconds of the log in one second (${default})." placeholder:"N"`
	Timeout  time.Duration `default:"60s" help:"Time of a request (${default}; at most 5m)." placeholder:"TIME"`
	JSON     string        `name:"json" help:"File to write the report to, as JSON." placeholder:"FILE" type:"path"`
	Slow     string        `help:"File to write the slowest requests to, with what they did; else they are printed." placeholder:"FILE" type:"path"`
	Slowest  int           `default:"20" help:"How many of them (${default})." placeholder:"N"`
}

// Validate reports the first flag that makes no sense.
func (c *replayCmd) Validate() error {
	switch {
	case c.Data == "" && c.URL == "":
		return errors.New("--data or --url is missing: what to ask")
	case c.Data == "" && c.HTTP:
		return errors.New("--http goes with --data")
	case c.Workers < 1 || c.Workers > 10_000:
		return fmt.Errorf("--workers is %d, want 1 to 10000", c.Workers)
	case c.Slowest < 0:
		return fmt.Errorf("--slowest is %d, want at least 0", c.Slowest)
	case !(c.Speed > 0):
		return fmt.Errorf("--speed is %g, want more than 0", c.Speed)
	case c.Timeout <= 0 || c.Timeout > httpapi.MaxTimeout:
		return fmt.Errorf("--timeout is %s, want more than 0 and at most %s", c.Timeout, httpapi.MaxTimeout)
	}
	return nil
}

func (c *replayCmd) Run(t *console) error {
	log, err := os.Open(c.Log)
	if err != nil {
		return err
	}
	defer log.Close()
	target, closeTarget, err := c.target()
	if err != nil {
		return err
	}
	defer closeTarget()
	p := progress{w: t.err}
	opt := replay.Options{Workers: c.Workers, Slowest: c.Slowest}
	if c.Recorded {
		opt.Speed = c.Speed
	}
	opt.Progress = func(n int) { p.show(routing.Progress{Stage: "replay", Done: int64(n), Total: int64(n) + 1}) }
	r := replay.NewReader(log, filepath.Base(c.Log))
	result, err := replay.Play(t.ctx, r, target, opt)
	p.end()
	if err != nil {
		return err
	}
	if n := r.Skipped(); n > 0 {
		fmt.Fprintf(t.err, "left out %d lines of the log, which are no GET of a service\n", n)
	}
	return c.report(t, result, target)
}

// report prints what was measured, and explains the slowest requests.
func (c *replayCmd) report(t *console, result *replay.Result, target replay.Target) error {
	report := result.Report(c.Workers)
	if err := report.WriteText(t.out); err != nil {
		return err
	}
	if c.Data != "" {
		printMemory(t.out)
	}
	late := result.All.Max() > c.Timeout
	fmt.Fprintf(t.out, "The slowest took %s, the time of a request being %s: none exceeded it: %t.\n", replay.Brief(result.All.Max()), c.Timeout, !late)
	if c.JSON != "" {
		text, err := json.MarshalIndent(report, "", "\t")
		if err != nil {
			return err
		}
		if err := os.WriteFile(c.JSON, append(text, '\n'), 0o644); err != nil {
			return err
		}
	}
	if len(result.Slowest) == 0 {
		return nil
	}
	slow, err := c.explain(t, result.Slowest, target)
	if err != nil {
		return err
	}
	if c.Slow == "" {
		fmt.Fprintln(t.out)
		return replay.WriteSlow(t.out, slow)
	}
	return writeFile(c.Slow, func(w io.Writer) error { return replay.WriteSlow(w, slow) })
}

// printMemory prints the memory of this process, which serves.
func printMemory(w io.Writer) {
	runtime.GC()
	m := measure.ReadMemory()
	fmt.Fprintf(w, "Memory: Go heap %s live; private %s; with mapped files %s, at most %s.\n",
		megabytes(measure.Live()), megabytes(m.Private), megabytes(m.Resident), megabytes(m.Peak))
}

// options are those of the handler: limits that a day's requests keep.
func (c *replayCmd) options() httpapi.Options {
	return httpapi.Options{
		MaxTableSize: 1000, MaxMatchSize: 1000, MaxTripSize: 1000, MaxNearestSize: 1000,
		Timeout: c.Timeout, MaxRunning: max(c.Workers, 4*runtime.GOMAXPROCS(0)), MaxWaiting: c.Workers,
	}
}

// target returns what is asked, and a function that closes it.
func (c *replayCmd) target() (replay.Target, func(), error) {
	if c.Data == "" {
		client := c.client()
		return replay.OverHTTP(client, strings.TrimSuffix(c.URL, "/")), client.CloseIdleConnections, nil
	}
	engine, err := routing.Open(c.Data, routing.Options{Algorithm: c.Algorithm, Memory: c.Pool, Workspaces: c.Workers})
	if err != nil {
		return nil, nil, err
	}
	closeEngine := func() { _ = engine.Close() } // files that were only read
	handler := httpapi.Handler(engine, c.options())
	if !c.HTTP {
		return replay.InProcess(handler), closeEngine, nil
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		closeEngine()
		return nil, nil, err
	}
	server := &http.Server{Handler: handler, MaxHeaderBytes: handler.MaxURL() + 1<<20}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(listener) // ends by Close
	}()
	client := c.client()
	return replay.OverHTTP(client, "http://"+listener.Addr().String()), func() {
		client.CloseIdleConnections()
		_ = server.Close()
		<-served
		closeEngine()
	}, nil
}

// client keeps a connection for each worker. It waits longer than a server may.
func (c *replayCmd) client() *http.Client {
	return &http.Client{
		Timeout:   httpapi.MaxTimeout + 10*time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: c.Workers, DisableCompression: true},
	}
}

// explain asks the slowest requests again, of an engine that tells what it did if
// there is one.
func (c *replayCmd) explain(t *console, slow []replay.Slow, target replay.Target) ([]replay.Explained, error) {
	if c.Data == "" {
		return replay.Explain(t.ctx, slow, target, nil)
	}
	var seen routing.Observation // one request at a time, in this goroutine
	engine, err := routing.Open(c.Data, routing.Options{
		Algorithm: c.Algorithm, CountCells: true, Observe: func(o routing.Observation) { seen = o },
	})
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	return replay.Explain(t.ctx, slow, replay.InProcess(httpapi.Handler(engine, c.options())), func() routing.Observation { return seen })
}
