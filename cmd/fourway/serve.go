package main

import (
	"fmt"
	"os"
	"time"

	"github.com/fourway-routing/fourway/httpapi"
	"github.com/fourway-routing/fourway/routing"
)

// limits are the flags that bound requests, named and set as osrm-routed's.
type limits struct {
	MaxViarouteSize   int     `default:"500" help:"Most coordinates of a route; -1 for no limit." placeholder:"N"`
	MaxTableSize      int     `default:"100" help:"Side of the largest table: most cells are its square; -1 for no limit but memory." placeholder:"N"`
	MaxTripSize       int     `default:"100" help:"Most coordinates of a trip; -1 for no limit." placeholder:"N"`
	MaxMatchingSize   int     `default:"100" help:"Most coordinates of a trace; -1 for no limit." placeholder:"N"`
	MaxMatchingRadius float64 `default:"-1" help:"Largest standard deviation of a trace in meters; -1 for no limit." placeholder:"M"`
	MaxNearestSize    int     `default:"100" help:"Most results of nearest; -1 for no limit." placeholder:"N"`
	MaxContours       int     `default:"10" help:"Most contours of an isochrone; -1 for no limit." placeholder:"N"`
	MaxContourMinutes int     `default:"120" help:"Largest contour in minutes; -1 for no limit." placeholder:"N"`
	MaxContourMeters  int     `default:"200000" help:"Largest contour in meters; -1 for no limit." placeholder:"N"`
	MaxAlternatives   int     `default:"3" help:"Most alternatives that may be asked for." placeholder:"N"`
	MaxWork           int     `default:"0" help:"Most search nodes that a request may settle, whatever it asks for; 0 for no limit." placeholder:"N"`
	DefaultRadius     float64 `default:"0" help:"Search radius in meters where a request gives none; 0 for no limit." placeholder:"M"`
}

// load are the flags that bound what the server does at once, and how long.
type load struct {
	Timeout      time.Duration `default:"60s" help:"Time of a request, waiting included, where it wishes for no other (${default}; at most 5m)." placeholder:"TIME"`
	MaxRunning   int           `default:"0" help:"Requests worked on at once; 0 for four per processor." placeholder:"N"`
	MaxWaiting   int           `default:"0" help:"Requests that may wait for their turn; 0 for 16 times --max-running, -1 for none." placeholder:"N"`
	ReadTimeout  time.Duration `default:"30s" help:"Time for a client to send a request (${default})." placeholder:"TIME"`
	WriteTimeout time.Duration `default:"60s" help:"Time for a client to take an answer, on top of the 5m that a request may take (${default})." placeholder:"TIME"`
	IdleTimeout  time.Duration `default:"60s" help:"Time that a connection without requests stays open (${default})." placeholder:"TIME"`
	DrainTime    time.Duration `default:"0s" help:"Time after SIGTERM in which /ready says no while all is served, for balancers to notice (${default})." placeholder:"TIME"`
	StopTimeout  time.Duration `default:"30s" help:"Time that running requests get to end after that (${default})." placeholder:"TIME"`
}

// Validate reports the first flag that makes no sense.
func (l *load) Validate() error {
	if l.Timeout <= 0 || l.Timeout > httpapi.MaxTimeout {
		return fmt.Errorf("--timeout is %s, want more than 0 and at most %s", l.Timeout, httpapi.MaxTimeout)
	}
	if l.MaxRunning < 0 {
		return fmt.Errorf("--max-running is %d, want at least 0", l.MaxRunning)
	}
	for _, f := range []struct {
		name  string
		value time.Duration
		least time.Duration
	}{
		{"read-timeout", l.ReadTimeout, 1},
		{"write-timeout", l.WriteTimeout, 1},
		{"idle-timeout", l.IdleTimeout, 1},
		{"drain-time", l.DrainTime, 0},
		{"stop-timeout", l.StopTimeout, 0},
	} {
		if f.value < f.least {
			return fmt.Errorf("--%s is %s, want more", f.name, f.value)
		}
	}
	return nil
}

type serveCmd struct {
	Data []string `arg:"" help:"Name of the data set, without ending; or several as PROFILE=NAME, where PROFILE is what URLs call it." placeholder:"NAME"`
	serveFlags
}

type serveFlags struct {
	Listen string `default:"127.0.0.1:5000" help:"Address to listen on (${default})." placeholder:"HOST:PORT"`
	algorithm
	Metric     []string `help:"Name of a metric to open besides the default one, for requests to choose by metric=NAME; may be repeated. fourway build --from writes them." placeholder:"METRIC"`
	Week       string   `help:"File of lines days,hours,metric, such as Mo-Fr,7-9,rush, which says what metric requests with depart= get." type:"existingfile" placeholder:"FILE"`
	AnyProfile bool     `help:"Answer profiles that are not known by the data set named driving, or else by the first."`
	NoMap      bool     `help:"Serve no map page at /."`
	AccessLog  bool     `help:"Write a line for each request to standard error."`
	changes
	load
	limits
	updateToken string
}

func (c *serveCmd) Run(t *console) error {
	sets, err := parseDataSets(c.Data)
	if err != nil {
		return err
	}
	if c.updateToken, err = c.token(c.Algorithm); err != nil {
		return err
	}
	if c.AllowUpdates && c.updateToken == "" {
		fmt.Fprintf(t.err, "everybody who reaches %s may change what is served; --update-token-file says who may\n", c.Listen)
	}
	week, err := readWeek(c.Week)
	if err != nil {
		return err
	}
	start := time.Now()
	m := newMetrics()
	f, err := openFleet(sets, c.AnyProfile, routing.Options{
		Algorithm: c.Algorithm, Metrics: c.Metric, Week: week, Observe: m.query, Limits: routing.Limits{Work: c.MaxWork},
	})
	if err != nil {
		return err
	}
	defer f.close() //nolint:errcheck // files that were only read
	for _, set := range sets {
		fmt.Fprintf(t.err, "opened %s", set.name)
		if set.profile != "" {
			fmt.Fprintf(t.err, " as %s", set.profile)
		}
		fmt.Fprintln(t.err)
	}
	fmt.Fprintf(t.err, "opening took %s, peak memory %s\n", brief(time.Since(start)), megabytes(peakMemory()))
	return serve(t, f, m, &c.serveFlags)
}

// readWeek reads a file that says which metric counts when; there may be none.
func readWeek(path string) (routing.Week, error) {
	if path == "" {
		return routing.Week{}, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return routing.Week{}, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	week, err := routing.ParseWeek(f)
	if err != nil {
		return routing.Week{}, fmt.Errorf("%s: %w", path, err)
	}
	return *week, nil
}

// options are those of the handler.
func (c *serveFlags) options() httpapi.Options {
	alternatives := c.MaxAlternatives
	if alternatives == 0 {
		alternatives = -1
	}
	return httpapi.Options{
		MaxRouteSize:      c.MaxViarouteSize,
		MaxTableSize:      c.MaxTableSize,
		MaxTripSize:       c.MaxTripSize,
		MaxMatchSize:      c.MaxMatchingSize,
		MaxMatchRadius:    c.MaxMatchingRadius,
		MaxNearestSize:    c.MaxNearestSize,
		MaxContours:       c.MaxContours,
		MaxContourMinutes: c.MaxContourMinutes,
		MaxContourMeters:  c.MaxContourMeters,
		MaxAlternatives:   alternatives,
		DefaultRadius:     c.DefaultRadius,
		Timeout:           c.Timeout,
		MaxRunning:        c.MaxRunning,
		MaxWaiting:        c.MaxWaiting,
		KeepAlive:         c.IdleTimeout,
		AnyProfile:        c.AnyProfile,
		AllowUpdates:      c.AllowUpdates,
		UpdateToken:       c.updateToken,
		Map:               !c.NoMap,
	}
}
