package osrm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/fourway-routing/fourway/cmd/fourway/internal/options"
	"github.com/fourway-routing/fourway/graph"
)

// Version is what the tools answer to --version: the release of OSRM whose
// behavior they have.
const Version = "v26.8.0"

// Process is what a tool has of its process.
type Process struct {
	Name     string   // of the tool, as it was called
	Args     []string // without the name
	In       io.Reader
	Out, Err io.Writer
	// Signals are what the process is sent: each ends the tool, but a SIGHUP
	// osrm-routed, which loads its data set anew.
	Signals <-chan os.Signal
}

// tool is the state of a tool that runs.
type tool struct {
	*Process
	ctx     context.Context
	log     *logger
	options *options.Set
	general general
}

// general are the options of all tools.
type general struct {
	version, help, listInputs *bool
	verbosity                 *string
}

// tools are what Run knows, by the names of the programs.
var tools = map[string]func(*tool) error{
	"osrm-extract":   runExtract,
	"osrm-partition": runPartition,
	"osrm-customize": runCustomize,
	"osrm-contract":  runContract,
	"osrm-routed":    runRouted,
	"osrm-datastore": runDatastore,
}

// Tool returns the name of the tool that a path of a program, the first argument
// of a process, names.
func Tool(path string) (string, bool) {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
	_, ok := tools[name]
	return name, ok
}

// Run runs the tool with the given name and returns the exit code.
func Run(name string, p *Process) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	t := &tool{Process: p, ctx: ctx, log: newLogger(p.Out, p.Err), options: options.New()}
	if name != "osrm-routed" {
		stop := cancelOn(p.Signals, cancel)
		defer stop()
	}
	err := tools[name](t)
	var code exitCode
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.Is(err, context.Canceled):
		t.log.errorf("interrupted")
	default:
		t.log.errorf("%v", err)
	}
	return codeOf(err)
}

// cancelOn cancels when a signal comes, until stop is called.
func cancelOn(signals <-chan os.Signal, cancel func()) (stop func()) {
	done := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		select {
		case <-signals:
			cancel()
		case <-done:
		}
	})
	return func() {
		close(done)
		running.Wait()
	}
}

// exitCode ends a tool with a code, after it has said what there is to say.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// The codes that are not those of errors.
const (
	failed           exitCode = 1
	unknownAlgorithm exitCode = 10
	unknownFeature   exitCode = 11
)

// failf logs an error and returns the code for it.
func (t *tool) failf(format string, args ...any) error {
	t.log.errorf(format, args...)
	return failed
}

// codeOf returns the exit code for an error. From 2 on they are those of OSRM.
func codeOf(err error) int {
	switch {
	case errors.Is(err, graph.ErrForeign):
		return 2
	case errors.Is(err, graph.ErrVersion):
		return 3
	case errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission):
		return 4
	case errors.Is(err, syscall.ENOSPC):
		return 6
	case errors.Is(err, graph.ErrTruncated):
		return 8
	case errors.Is(err, graph.ErrMismatch):
		return 9
	}
	return 1
}

// addGeneral adds the options of all tools.
func (t *tool) addGeneral() *options.Group {
	g := t.options.Group("Options")
	t.general = general{
		version:    options.Flag(g, "version,v", "Print the version and exit"),
		help:       options.Flag(g, "help,h", "Print this text and exit"),
		listInputs: options.Flag(g, "list-inputs", "Print the endings of the files that are read and exit"),
		verbosity:  options.Add(g, "verbosity,l", "INFO", options.Text, "What to log at most: NONE, ERROR, WARNING, INFO or DEBUG"),
	}
	return g
}

// parse reads the command line and answers what is asked for without an input.
// If it has done all there is to do it returns an exitCode.
func (t *tool) parse(usage string, inputs ...input) error {
	if err := t.options.Parse(t.Args); err != nil {
		t.log.errorf("%v", err)
		var code exitCode
		if errors.As(err, &code) {
			return code
		}
		return failed
	}
	t.log.setLevel(*t.general.verbosity)
	switch {
	case *t.general.version:
		fmt.Fprintln(t.Out, Version)
	case *t.general.help:
		return t.usage(usage, 0)
	case *t.general.listInputs:
		for _, in := range inputs {
			fmt.Fprintln(t.Out, in)
		}
	default:
		return nil
	}
	return exitCode(0)
}

// usage prints what the options are and returns the code.
func (t *tool) usage(usage string, code exitCode) error {
	if err := t.options.Usage(t.Out, t.Name+" "+usage); err != nil {
		return err
	}
	return code
}

// input is a file of a data set that a tool reads.
type input struct {
	suffix   string
	optional bool
}

func (in input) String() string {
	if in.optional {
		return "optional .osrm" + in.suffix
	}
	return "required .osrm" + in.suffix
}

// missing returns the paths of the files that a data set lacks.
func missing(name string, inputs []input) []string {
	var paths []string
	for _, in := range inputs {
		if info, err := os.Stat(name + in.suffix); !in.optional && (err != nil || !info.Mode().IsRegular()) {
			paths = append(paths, name+in.suffix)
		}
	}
	return paths
}

// complete says whether a data set has the files that a tool reads, and logs those
// that are missing.
func (t *tool) complete(name string, inputs []input) bool {
	paths := missing(name, inputs)
	for _, path := range paths {
		t.log.warnf("Missing/Broken File: %s", path)
	}
	return len(paths) == 0
}

// endings are what the name of a data set may be followed by.
var endings = []string{".osm.bz2", ".osm.pbf", ".osm.xml", ".osm.gz", ".pbf", ".osm", ".osrm"}

// dataSet returns the name of the data set that a path means.
func dataSet(path string) string {
	for _, ending := range endings {
		if base, ok := strings.CutSuffix(path, ending); ok {
			return base + ".osrm"
		}
	}
	return path + ".osrm"
}
