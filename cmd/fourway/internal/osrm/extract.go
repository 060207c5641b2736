package osrm

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/fourway-routing/fourway/cmd/fourway/internal/lean"
	"github.com/fourway-routing/fourway/cmd/fourway/internal/options"
	"github.com/fourway-routing/fourway/profile"
	"github.com/fourway-routing/fourway/profile/lua"
	"github.com/fourway-routing/fourway/routing"
)

// extractOptions are the options of osrm-extract.
type extractOptions struct {
	profile, dataVersion    *string
	threads, smallComponent *int
	conditionals            *bool
	locationData            *[]string
	noLocationCache         *bool
	maxInstructions         *int
	input, output           *string
}

// maxInstructions is what one call of a function of a profile may take unless the
// command line says otherwise: some ten seconds, and a thousand times what
// anything useful takes.
const maxInstructions = 1_000_000_000

func (t *tool) addExtractOptions() extractOptions {
	t.addGeneral()
	g := t.options.Group("Configuration")
	hidden := t.options.Hidden()
	o := extractOptions{
		profile:         options.Add(g, "profile,p", "profiles/car.lua", options.Path, "Profile in Lua"),
		dataVersion:     options.Add(g, "data_version,d", "", options.Text, "Text that answers show as data_version; osmosis for the time of the extract"),
		threads:         options.Add(g, "threads,t", runtime.GOMAXPROCS(0), options.Unsigned, "Number of threads"),
		smallComponent:  options.Add(g, "small-component-size", 1000, options.Unsigned, "Nodes that a strongly connected component needs to count as big"),
		conditionals:    options.Flag(g, "parse-conditional-restrictions", "Keep restrictions that hold at times, for later steps"),
		locationData:    options.List(g, "location-dependent-data", options.Path, "GeoJSON file with values by place"),
		noLocationCache: options.Flag(g, "disable-location-cache", "Take places of ways from the ways themselves only"),
		maxInstructions: options.Add(g, "max-instructions", maxInstructions, options.Unsigned, "Most instructions that one call of a function of the profile may take; 0 for any number"),
		output:          options.Add(g, "output,o", "", options.Path, "Path of the data set; by default that of the input"),
		input:           options.Add(hidden, "input,i", "", options.Path, ""),
	}
	options.Flag(g, "with-osm-metadata", "Accepted; what a profile asks for is read")
	options.Flag(g, "dump-nbg-graph", "Accepted; there is no such graph to dump")
	options.Flag(hidden, "generate-edge-lookup", "")
	t.options.Positional("input")
	return o
}

func runExtract(t *tool) error {
	const usage = "<input.osm/.osm.bz2/.osm.pbf> [options]"
	o := t.addExtractOptions()
	if err := t.parse(usage); err != nil {
		return err
	}
	if *o.input == "" {
		return t.usage(usage, 0)
	}
	if err := t.checkThreads(o.threads); err != nil {
		return err
	}
	if !isFile(*o.input) {
		return t.failf("Input file %s not found!", *o.input)
	}
	builtIn, err := builtInFor(*o.profile)
	if err != nil {
		return t.failf("Profile %s not found!", *o.profile)
	}
	name := dataSet(*o.input)
	if *o.output != "" {
		name = dataSet(*o.output)
	}
	t.log.infof("Input file: %s", filepath.Base(*o.input))
	t.log.infof("Profile: %s", filepath.Base(*o.profile))
	if builtIn != nil {
		t.log.infof("There is no file %s: the profile that is built in counts", *o.profile)
	}
	t.log.infof("Threads: %d", *o.threads)
	out := bufio.NewWriter(t.Out) // a profile may print a lot
	report, err := t.extract(&o, builtIn, name, out)
	if err := errors.Join(err, out.Flush()); err != nil {
		return t.extractError(err)
	}
	if n := len(*o.locationData); n > 0 {
		t.log.infof("Read %d GeoJSON polygons of %d features from %d files", report.LocationPolygons, report.LocationFeatures, n)
	}
	t.reportExtract(&report.Extract)
	t.reportBuild(report)
	return nil
}

// builtInFor returns the profile that is built in under the name of a file that is
// not there, nil if it is there: command lines with OSRM's profiles go without them.
func builtInFor(path string) (profile.Profile, error) {
	if isFile(path) {
		return nil, nil
	}
	name, ok := strings.CutSuffix(filepath.Base(path), ".lua")
	if !ok {
		return nil, fs.ErrNotExist
	}
	return profile.ByName(name)
}

func (t *tool) extract(o *extractOptions, vehicle profile.Profile, name string, out *bufio.Writer) (*routing.BuildReport, error) {
	if vehicle == nil {
		var err error
		vehicle, err = lua.Open(*o.profile, lua.Options{Trusted: true, MaxInstructions: *o.maxInstructions, Output: out, RasterRead: func(path string) {
			t.log.infof("[source loader] read %s", path)
		}})
		if err != nil {
			return nil, err
		}
	}
	defer lean.Begin(lean.Extract)()
	return routing.Extract(t.ctx, routing.BuildOptions{
		Input: *o.input, Output: name, Profile: vehicle, Workers: *o.threads,
		DataVersion: *o.dataVersion, SmallComponent: max(*o.smallComponent, 1),
		Conditionals: *o.conditionals, LocationData: *o.locationData, LocationsOnWays: *o.noLocationCache,
		Progress: t.progress(),
	})
}

// extractError says what was left out of an extract of which nothing remains.
func (t *tool) extractError(err error) error {
	var none *routing.NoRoadsError
	if !errors.As(err, &none) {
		return err
	}
	t.reportExtract(&none.Report)
	return t.failf("There are no edges remaining after parsing: %v", err)
}

func (t *tool) reportExtract(x *routing.ExtractReport) {
	t.log.infof("Parsed %d nodes, %d ways and %d relations", x.Nodes, x.Ways, x.Relations)
	t.log.infof("Used %d ways and %d turn restrictions", x.UsedWays, x.AppliedRestrictions)
	if n := x.Dropped.MissingNodes; n > 0 {
		t.log.warnf("%d node(s) referenced by ways were not found in the input data", n)
	}
	t.log.infof("Search graph: %d nodes and %d edges", x.SearchNodes, x.SearchEdges)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
