package osrm

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/routing"
)

// made returns the endings of the files of a data set.
func (f folder) made(t *testing.T, name string) []string {
	t.Helper()
	paths, err := filepath.Glob(f.path(name + ".osrm*"))
	require.NoError(t, err)
	var endings []string
	for _, path := range paths {
		endings = append(endings, strings.TrimPrefix(path, f.path(name)))
	}
	slices.Sort(endings)
	return endings
}

func TestExtract(t *testing.T) {
	f := newFolder(t)
	r := f.extract(t)
	require.Contains(t, r.out, "[info] Parsed 6 nodes, 5 ways and 0 relations")
	require.Equal(t, []string{".osrm.graph", ".osrm.metric"}, f.made(t, "square"))
	f.extract(t, "--output", f.path("other.osrm"))
	require.Equal(t, []string{".osrm.graph", ".osrm.metric"}, f.made(t, "other"))
}

// What a profile prints goes to standard output at any verbosity.
func TestExtractPrints(t *testing.T) {
	f := newFolder(t)
	f.write(t, "p.lua", strings.Replace(script, "result.name", "print('way ' .. way:id()) result.name", 1))
	r := f.extract(t, "--verbosity", "NONE")
	require.Len(t, strings.Split(strings.TrimSpace(r.out), "\n"), 5)
	require.Contains(t, r.out, "way 7\n")
	require.NotContains(t, r.out, "[info]")
}

func TestExtractOptions(t *testing.T) {
	f := newFolder(t)
	f.extract(t, "-d", "of today", "--small-component-size=4", "--with-osm-metadata", "--parse-conditional-restrictions",
		"--disable-location-cache", "--dump-nbg-graph", "--generate-edge-lookup", "-t1")
	must(t, "osrm-contract", f.path("square.osrm"))
	e, err := routing.Open(f.path("square.osrm"), routing.Options{})
	require.NoError(t, err)
	require.Equal(t, "of today", e.Info().DataVersion)
	require.NoError(t, e.Close())
}

func TestExtractLocations(t *testing.T) {
	f := newFolder(t)
	const world = `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"answer":42},"geometry":{"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,2],[0,0]]]}}]}`
	f.write(t, "world.geojson", world)
	f.write(t, "p.lua", strings.Replace(script, "result.name", "print('answer ' .. way:get_location_tag('answer')) result.name", 1))
	r := f.extract(t, "--location-dependent-data", f.path("world.geojson"))
	require.Contains(t, r.out, "answer 42\n")
	require.Contains(t, r.out, "1 GeoJSON polygons")
}

func TestExtractRaster(t *testing.T) {
	f := newFolder(t)
	f.write(t, "grid.asc", "1 2\n3 4\n")
	f.write(t, "p.lua", strings.Replace(script, "function setup()", "function setup() raster:load('"+filepath.ToSlash(f.path("grid.asc"))+"', 0, 1, 0, 1, 2, 2)", 1))
	require.Contains(t, f.extract(t).out, "[source loader] read")
}

func TestExtractFaults(t *testing.T) {
	f := newFolder(t)
	for name, c := range map[string]struct{ text, want string }{
		"version": {"api_version = 5", "Invalid profile API version"},
		"broken":  {"function f(", "p.lua"},
		"nothing": {strings.ReplaceAll(script, "36", "0"), "There are no edges remaining"},
	} {
		f.write(t, "p.lua", c.text)
		r := run(t, "osrm-extract", f.path("square.osm"), "--profile", f.path("p.lua"))
		require.Equal(t, 1, r.code, name)
		require.Contains(t, r.err, c.want, name)
		require.Empty(t, f.made(t, "square"), name)
	}
	f.write(t, "p.lua", script)
	require.NoError(t, os.Mkdir(f.path("square.osrm.graph"), 0o700))
	require.Equal(t, 1, run(t, "osrm-extract", f.path("square.osm"), "-p", f.path("p.lua")).code)
}

// OSRM's profiles that are not there are built in.
func TestExtractBuiltIn(t *testing.T) {
	f := newFolder(t)
	for name, want := range map[string]string{"": "car", "/opt/bicycle.lua": "bicycle", "profiles/foot.lua": "foot"} {
		args := []string{f.path("square.osm")}
		if name != "" {
			args = append(args, "-p", name)
		}
		r := run(t, "osrm-extract", args...)
		require.Zero(t, r.code, r.err)
		require.Contains(t, r.out, "the profile that is built in counts")
		must(t, "osrm-contract", f.path("square.osrm"))
		e, err := routing.Open(f.path("square.osrm"), routing.Options{})
		require.NoError(t, err)
		require.Equal(t, want, e.Info().Profile)
		require.NoError(t, e.Close())
	}
	for _, name := range []string{"none/truck.lua", "none/car", "none"} {
		r := run(t, "osrm-extract", f.path("square.osm"), "-p", name)
		require.Equal(t, 1, r.code)
		require.Contains(t, r.err, "Profile "+name+" not found!")
	}
}

// A script that never ends is an error, wherever it does not.
func TestExtractEndlessProfile(t *testing.T) {
	f := newFolder(t)
	for name, c := range map[string]struct{ text, want string }{
		"at the top":  {"while true do end", `p\.lua:1: the script takes too many instructions`},
		"in setup":    {strings.Replace(script, "function setup()", "function setup() while true do end", 1), `p\.lua:\d+: setup: the script takes too many`},
		"for one way": {strings.Replace(script, "result.name", "while true do end result.name", 1), `way \d+: lua: .*p\.lua:\d+: process_way: the script takes too many`},
	} {
		f.write(t, "p.lua", c.text)
		r := run(t, "osrm-extract", f.path("square.osm"), "-p", f.path("p.lua"), "--max-instructions", "100000")
		require.Equal(t, 1, r.code, name)
		require.Regexp(t, c.want, r.err, name)
		require.Empty(t, f.made(t, "square"), name)
	}
	f.write(t, "p.lua", script)
	f.extract(t, "--max-instructions", "0")
	require.Contains(t, run(t, "osrm-extract", "--help").out, "(=1000000000)")
}

func TestExtractMissingNodes(t *testing.T) {
	f := newFolder(t)
	line := testmap.Drawing{Map: "a-b-c", Ways: []testmap.Row{{"abc", ""}}}
	data, err := line.OSM()
	require.NoError(t, err)
	f.write(t, "square.osm", regexp.MustCompile(`(?s)<node id="2".*?</node>`).ReplaceAllString(string(data), ""))
	r := run(t, "osrm-extract", f.path("square.osm"), "-p", f.path("p.lua"))
	require.Equal(t, 1, r.code)
	require.Contains(t, r.err, "[warn] 1 node(s) referenced by ways were not found")
}
