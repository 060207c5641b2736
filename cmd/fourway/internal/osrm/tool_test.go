package osrm

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/testmap"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// result is what a tool that ended has left.
type result struct {
	code     int
	out, err string
}

func run(t *testing.T, name string, args ...string) result {
	t.Helper()
	return runWithInput(t, "", name, args...)
}

func runWithInput(t *testing.T, in, name string, args ...string) result {
	t.Helper()
	var out, errOut bytes.Buffer
	code := Run(name, &Process{Name: name, Args: args, In: strings.NewReader(in), Out: &out, Err: &errOut})
	return result{code, out.String(), errOut.String()}
}

// must runs a tool that is to succeed without warnings.
func must(t *testing.T, name string, args ...string) result {
	t.Helper()
	r := run(t, name, args...)
	require.Zero(t, r.code, "%s %v: %s", name, args, r.err)
	require.Empty(t, r.err)
	return r
}

// script is a profile in which all roads are as fast.
const script = `
api_version = 4
function setup()
  return {properties = {weight_name = 'duration'}}
end
function process_way(profile, way, result)
  result.forward_mode, result.backward_mode = mode.driving, mode.driving
  result.forward_speed, result.backward_speed = 36, 36
  result.name = way:get_value_by_key('name')
end
return {setup = setup, process_way = process_way}
`

// square takes 10 s from letter to letter.
var square = testmap.Drawing{
	Map: `
		a-b-c
		|   |
		d-e-f`,
	Ways: []testmap.Row{{"ab", ""}, {"bc", ""}, {"ad", ""}, {"def", ""}, {"fc", ""}},
}

// folder holds a map, square.osm, and a profile, p.lua.
type folder string

func newFolder(t *testing.T) folder {
	t.Helper()
	f := folder(t.TempDir())
	data, err := square.OSM()
	require.NoError(t, err)
	f.write(t, "square.osm", string(data))
	f.write(t, "p.lua", script)
	return f
}

func (f folder) path(name string) string { return filepath.Join(string(f), name) }

func (f folder) write(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(f.path(name), []byte(text), 0o600))
}

func (f folder) extract(t *testing.T, args ...string) result {
	t.Helper()
	return must(t, "osrm-extract", append(args, "-p", f.path("p.lua"), f.path("square.osm"))...)
}

// prepared is a folder with a data set for both algorithms.
func prepared(t *testing.T) folder {
	t.Helper()
	f := newFolder(t)
	f.extract(t)
	must(t, "osrm-partition", f.path("square.osrm"))
	must(t, "osrm-customize", f.path("square.osrm"))
	must(t, "osrm-contract", f.path("square.osrm"))
	return f
}

func TestTool(t *testing.T) {
	for path, want := range map[string]string{
		"osrm-extract": "osrm-extract", "/usr/bin/osrm-routed": "osrm-routed", "./OSRM-Contract.EXE": "osrm-contract",
		"osrm-customize.exe": "osrm-customize", "osrm-partition": "osrm-partition", "osrm-datastore": "osrm-datastore",
	} {
		name, ok := Tool(path)
		require.True(t, ok, path)
		require.Equal(t, want, name)
	}
	for _, path := range []string{"fourway", "osrm", "osrm-extract2", "osrm-components", ""} {
		_, ok := Tool(path)
		require.False(t, ok, path)
	}
}

var allTools = []string{"osrm-extract", "osrm-partition", "osrm-customize", "osrm-contract", "osrm-routed", "osrm-datastore"}

func TestVersion(t *testing.T) {
	for _, name := range allTools {
		for _, option := range []string{"-v", "--version", "--vers"} {
			require.Equal(t, result{0, Version + "\n", ""}, run(t, name, option), name)
		}
	}
	require.Regexp(t, `^v\d{1,2}\.\d{1,2}\.\d{1,2}$`, Version)
}

func TestHelp(t *testing.T) {
	for _, name := range allTools {
		for _, option := range []string{"-h", "--help"} {
			r := must(t, name, option)
			require.True(t, strings.HasPrefix(r.out, name+" <") || name == "osrm-datastore", r.out)
			require.Contains(t, r.out, "--verbosity")
			require.NotContains(t, r.out, "generate-edge-lookup")
		}
	}
}

func TestListInputs(t *testing.T) {
	for name, want := range map[string]string{
		"osrm-extract":   "",
		"osrm-partition": "required .osrm.graph\n",
		"osrm-customize": "required .osrm.graph\nrequired .osrm.metric\nrequired .osrm.cells\n",
		"osrm-contract":  "required .osrm.graph\nrequired .osrm.metric\n",
		"osrm-routed":    "required .osrm.graph\nrequired .osrm.metric\noptional .osrm.ch\noptional .osrm.ch.metric\noptional .osrm.mld\noptional .osrm.mld.metric\noptional .osrm.cch\noptional .osrm.cch.metric\n",
	} {
		require.Equal(t, want, must(t, name, "--list-inputs").out, name)
	}
	require.Equal(t, must(t, "osrm-routed", "--list-inputs"), must(t, "osrm-datastore", "--list-inputs"))
}

func TestUnknownOptions(t *testing.T) {
	for _, name := range allTools {
		r := run(t, name, "--fly")
		require.Empty(t, r.out, name)
		require.Regexp(t, `^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\] \[error\] unrecognised option '--fly'\n$`, r.err)
		if name == "osrm-datastore" {
			require.Zero(t, r.code) // as with OSRM
		} else {
			require.Equal(t, 1, r.code, name)
		}
	}
}

func TestNoInput(t *testing.T) {
	for name, code := range map[string]int{
		"osrm-extract": 0, "osrm-partition": 1, "osrm-customize": 1, "osrm-contract": 1, "osrm-routed": 0, "osrm-datastore": 0,
	} {
		r := run(t, name)
		require.Equal(t, code, r.code, name)
		require.Empty(t, r.err)
		require.Contains(t, r.out, "--version")
	}
}

func TestMissingInput(t *testing.T) {
	t.Setenv("SHM_LOCK_DIR", t.TempDir())
	f := newFolder(t)
	base := f.path("nowhere.osrm")
	for name, want := range map[string][]string{
		"osrm-extract":   {"Input file " + base + " not found!"},
		"osrm-partition": {fmt.Sprintf("Input file %q not found!", base+".graph")},
		"osrm-customize": {"[warn] Missing/Broken File: " + base + ".graph", base + ".metric", base + ".cells"},
		"osrm-contract":  {"[warn] Missing/Broken File: " + base + ".graph", base + ".metric"},
		"osrm-routed":    {"[warn] Missing/Broken File: " + base + ".graph", "[error] Required files are missing"},
		"osrm-datastore": {"[warn] Missing/Broken File: " + base + ".graph", "[error] Config contains invalid file paths."},
	} {
		r := run(t, name, base)
		require.Equal(t, 1, r.code, name)
		require.Empty(t, r.out, name)
		for _, text := range want {
			require.Contains(t, r.err, text, name)
		}
	}
	r := run(t, "osrm-extract", f.path("square.osm"), "-p", f.path("none.lua"))
	require.Equal(t, 1, r.code)
	require.Contains(t, r.err, "Profile "+f.path("none.lua")+" not found!")
}

func TestThreads(t *testing.T) {
	f := newFolder(t)
	for _, name := range []string{"osrm-extract", "osrm-partition", "osrm-customize", "osrm-contract"} {
		r := run(t, name, "-t", "0", f.path("square.osm"), "--verbosity", "error")
		require.Equal(t, 1, r.code, name)
		require.Contains(t, r.err, "Number of threads must be 1 or larger")
		require.Contains(t, run(t, name, "-t", "many", "x").err, "the argument ('many') for option '-t' is invalid")
	}
	// Scripts that were written for a large machine run on a small one.
	r := run(t, "osrm-extract", f.path("square.osm"), "-p", f.path("p.lua"), "-t", "1000000")
	require.Zero(t, r.code)
	require.Contains(t, r.err, "[warn] The recommended number of threads is")
	for _, name := range []string{"osrm-partition", "osrm-customize", "osrm-contract"} {
		r := run(t, name, "-t", "1000000", f.path("square.osrm"))
		require.Zero(t, r.code, name)
		require.Contains(t, r.err, "[warn] The recommended number of threads is")
	}
}

func TestDataSet(t *testing.T) {
	for path, want := range map[string]string{
		"x": "x.osrm", "a/x.osrm": "a/x.osrm", "x.osm.pbf": "x.osrm", "x.osm": "x.osrm", "x.osm.bz2": "x.osrm",
		"x.osm.xml": "x.osrm", "x.pbf": "x.osrm", "x.osm.gz": "x.osrm", "a.osm/x": "a.osm/x.osrm",
	} {
		require.Equal(t, want, dataSet(path), path)
	}
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
	}{
		{errors.New("x"), 1},
		{graph.ErrForeign, 2},
		{graph.ErrVersion, 3},
		{fs.ErrNotExist, 4},
		{fs.ErrPermission, 4},
		{graph.ErrTruncated, 8},
		{graph.ErrMismatch, 9},
		{graph.ErrCorrupt, 1},
	} {
		require.Equal(t, c.code, codeOf(fmt.Errorf("wrapped: %w", c.err)), "%v", c.err)
	}
	f := prepared(t)
	f.write(t, "square.osrm.graph", "this is no graph, but it is long enough to be one, were it not for what it says")
	require.Equal(t, 2, run(t, "osrm-contract", f.path("square.osrm")).code)
	require.Equal(t, 2, run(t, "osrm-routed", "--trial", f.path("square.osrm")).code)
}

func TestInterrupt(t *testing.T) {
	f := newFolder(t)
	// The script waits until the signal has come through.
	f.write(t, "p.lua", strings.Replace(script, "function setup()", "function setup() repeat until io.open('"+filepath.ToSlash(f.path("go"))+"')", 1))
	signals := make(chan os.Signal)
	go func() {
		signals <- os.Interrupt
		time.Sleep(10 * time.Millisecond)
		_ = os.WriteFile(f.path("go"), nil, 0o600)
	}()
	var out, errOut bytes.Buffer
	code := Run("osrm-extract", &Process{
		Name: "osrm-extract", Args: []string{"-p", f.path("p.lua"), f.path("square.osm")}, Out: &out, Err: &errOut, Signals: signals,
	})
	require.Equal(t, 1, code)
	require.Contains(t, errOut.String(), "interrupted")
	require.Empty(t, f.made(t, "square"))
}
