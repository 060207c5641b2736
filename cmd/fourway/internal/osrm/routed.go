package osrm

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/fourway-routing/fourway/cmd/fourway/internal/options"
	"github.com/fourway-routing/fourway/httpapi"
	"github.com/fourway-routing/fourway/routing"
)

// routedInputs are what osrm-routed and osrm-datastore read.
var routedInputs = []input{{suffix: ".graph"}, {suffix: ".metric"}, {".ch", true}, {".ch.metric", true}, {".mld", true}, {".mld.metric", true}, {".cch", true}, {".cch.metric", true}}

// routedOptions are the options of osrm-routed.
type routedOptions struct {
	trial        *bool
	ip           *string
	port         *int
	threads      *int
	keepAlive    *int
	sharedMemory *bool
	memoryMap    *bool
	memoryFile   *string
	dataset      *string
	algorithm    *routing.Algorithm
	disabled     *[]feature
	base         *string

	viaroute, trip, table, matching, nearest, alternatives *int
	matchingRadius, radius                                 *float64
	header, body                                           *int
}

func parseAlgorithm(s string) (a routing.Algorithm, err error) {
	if a.UnmarshalText([]byte(strings.ToLower(s))) != nil {
		return a, unknownAlgorithm
	}
	return a, nil
}

func (t *tool) addRoutedOptions() routedOptions {
	g := t.addGeneral()
	trial := options.Switch(g, "trial", false, "Load the data and exit")
	c := t.options.Group("Configuration")
	o := routedOptions{
		trial:          trial,
		ip:             options.Add(c, "ip,i", "0.0.0.0", options.Text, "Address to listen on"),
		port:           options.Add(c, "port,p", 5000, options.Integer, "Port to listen on"),
		threads:        options.Add(c, "threads,t", runtime.GOMAXPROCS(0), options.Integer, "Number of threads"),
		keepAlive:      options.Add(c, "keepalive-timeout,k", 5, options.Integer, "Seconds that a connection without requests stays open"),
		sharedMemory:   options.Switch(c, "shared-memory,s", false, "Serve a dataset of osrm-datastore, and follow it"),
		memoryFile:     options.Add(c, "memory_file", "", options.Text, "As --mmap"),
		memoryMap:      options.Switch(c, "mmap,m", false, "Map the files instead of reading them into memory"),
		dataset:        options.Add(c, "dataset-name", "", options.Text, "Name of the dataset"),
		algorithm:      options.Add(c, "algorithm,a", routing.CH, parseAlgorithm, "CH, MLD or CCH"),
		disabled:       t.addFeatures(c),
		viaroute:       options.Add(c, "max-viaroute-size", 500, options.Integer, "Most coordinates of a route"),
		trip:           options.Add(c, "max-trip-size", 100, options.Integer, "Most coordinates of a trip"),
		table:          options.Add(c, "max-table-size", 100, options.Integer, "Most coordinates of a square table"),
		matching:       options.Add(c, "max-matching-size", 100, options.Integer, "Most coordinates of a trace"),
		nearest:        options.Add(c, "max-nearest-size", 100, options.Integer, "Most results of nearest"),
		alternatives:   options.Add(c, "max-alternatives", 3, options.Integer, "Most alternatives of a route"),
		matchingRadius: options.Add(c, "max-matching-radius", -1, options.Limit, "Largest radius of a trace in meters, or unlimited"),
		radius:         options.Add(c, "default-radius", -1, options.Limit, "Radius in meters of coordinates without one, or unlimited"),
		header:         options.Add(c, "max-header-size", 0, options.Unsigned, "Most bytes of the header of a request; 0 for what the limits need"),
		body:           options.Add(c, "max-request-body-size", 0, options.Unsigned, "Most bytes of the body of a request; 0 for what the limits need"),
	}
	o.base = options.Add(t.options.Hidden(), "base,b", "", options.Path, "")
	t.options.Positional("base")
	return o
}

func runRouted(t *tool) error {
	const usage = "<base.osrm> [<options>]"
	o := t.addRoutedOptions()
	if err := t.parse(usage, routedInputs...); err != nil {
		return err
	}
	if *o.sharedMemory && *o.base != "" {
		t.log.warnf("Shared memory settings conflict with path settings.")
	}
	if *o.sharedMemory == (*o.base != "") {
		return t.usage(usage, 0)
	}
	if err := o.check(); err != nil {
		return err
	}
	src, err := t.source(&o)
	if err != nil {
		return err
	}
	t.log.infof("starting up engines, %s", Version)
	s := &server{tool: t, options: &o, source: src, silent: os.Getenv("DISABLE_ACCESS_LOGGING") != ""}
	if err := s.load(); err != nil {
		return err
	}
	defer s.close()
	if *o.trial {
		t.log.infof("trial run, quitting after successful initialization")
		return nil
	}
	return s.serve()
}

// check checks the limits.
func (o *routedOptions) check() error {
	var errs []error
	need := func(name string, ok bool) {
		if !ok {
			errs = append(errs, fmt.Errorf("the argument for option '--%s' is out of range", name))
		}
	}
	size := func(name string, n, most int) { need(name, n == -1 || n > most) }
	size("max-viaroute-size", *o.viaroute, 2)
	size("max-trip-size", *o.trip, 2)
	size("max-table-size", *o.table, 2)
	size("max-matching-size", *o.matching, 2)
	size("max-nearest-size", *o.nearest, 0)
	need("max-alternatives", *o.alternatives >= 0)
	need("max-matching-radius", *o.matchingRadius == -1 || *o.matchingRadius > 0)
	need("default-radius", *o.radius == -1 || *o.radius > 0)
	need("port", *o.port >= 0 && *o.port < 1<<16)
	need("keepalive-timeout", *o.keepAlive >= 0)
	return errors.Join(errs...)
}

// handlerOptions are those of the handler of a data set with disabled features.
func (o *routedOptions) handlerOptions(disabled []feature) httpapi.Options {
	opt := httpapi.Options{
		MaxRouteSize: *o.viaroute, MaxTripSize: *o.trip, MaxTableSize: *o.table, MaxMatchSize: *o.matching,
		MaxNearestSize: *o.nearest, MaxAlternatives: *o.alternatives,
		MaxMatchRadius: max(*o.matchingRadius, 0), DefaultRadius: max(*o.radius, 0),
		MaxURL: *o.header, MaxBody: int64(*o.body),
		KeepAlive: time.Duration(*o.keepAlive) * time.Second, AnyProfile: true,
	}
	if opt.MaxAlternatives == 0 {
		opt.MaxAlternatives = -1
	}
	for _, f := range slices.Concat(*o.disabled, disabled) {
		opt.NoSteps = opt.NoSteps || f == routeSteps
		opt.NoGeometry = opt.NoGeometry || f == routeGeometry
	}
	return opt
}
