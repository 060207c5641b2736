// Package lint holds tests of the tree itself: which package may import which.
package lint

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/fourway-routing/fourway"

// layers lists the packages from the ground up. A package imports only what
// stands in a lower layer, or beside it where the layer says so.
var layers = []struct {
	prefixes []string
	peers    bool // packages of the layer may import one another
}{
	{prefixes: []string{"internal/lint"}},
	{prefixes: []string{"pool"}},
	{prefixes: []string{"heap"}},
	{prefixes: []string{"internal/geo", "internal/packed", "internal/file", "internal/markset", "internal/parallel", "internal/sharing", "internal/measure", "internal/plot", "internal/osmdata", "internal/osmwrite", "internal/hours", "internal/region", "internal/polygon", "internal/contour"}, peers: true},
	{prefixes: []string{"graph"}},
	{prefixes: []string{"internal/oracle", "internal/testmap"}, peers: true},
	{prefixes: []string{"internal/traffic", "internal/overpass"}},
	{prefixes: []string{"profile"}, peers: true},
	{prefixes: []string{"internal/extract"}, peers: true},
	{prefixes: []string{"internal/dissect", "internal/relate"}},
	{prefixes: []string{"internal/synth"}},
	{prefixes: []string{"ch", "mld"}},
	{prefixes: []string{"matching", "internal/trip", "internal/guidance", "internal/reach"}},
	{prefixes: []string{"routing"}},
	{prefixes: []string{"internal/workload", "internal/export"}},
	{prefixes: []string{"internal/matcheval"}},
	{prefixes: []string{"httpapi"}},
	{prefixes: []string{"internal/replay", "internal/suite"}},
	{prefixes: []string{"cmd"}, peers: true},
}

// restricted lists foreign packages that only some of ours may import.
var restricted = map[string][]string{
	"github.com/paulmach/osm":                 {"internal/extract", "internal/synth", "profile"},
	"golang.org/x/exp/constraints":            {"heap"},
	"github.com/edsrzf/mmap-go":               {"internal/file"},
	"github.com/alecthomas/kong":              {"cmd"},
	"github.com/schollz/progressbar/v3":       {"cmd"},
	"net/http":                                {"httpapi", "internal/replay", "internal/suite", "cmd"},
	"log":                                     {"cmd"},
	"log/slog":                                {"cmd"},
	"google.golang.org/protobuf":              {"internal/extract", "internal/osmwrite", "httpapi"},
	"github.com/klauspost/compress":           {"internal/extract", "internal/osmwrite", "httpapi"},
	"github.com/yuin/gopher-lua":              {"profile/lua"},
	"github.com/prometheus/client_golang":     {"cmd"},
	"github.com/HdrHistogram/hdrhistogram-go": {"internal/measure"},
}

type listed struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", module+"/...")
	out, err := cmd.Output()
	require.NoError(t, err)
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		err := dec.Decode(&p)
		if err == io.EOF {
			return all
		}
		require.NoError(t, err)
		all = append(all, p)
	}
}

func under(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}

func layerOf(path string) int {
	return slices.IndexFunc(layers, func(l struct {
		prefixes []string
		peers    bool
	},
	) bool {
		return slices.ContainsFunc(l.prefixes, func(p string) bool { return under(path, p) })
	})
}

// TestImportsPointOneWay holds every package to the order of layers.
func TestImportsPointOneWay(t *testing.T) {
	for _, p := range packages(t) {
		from, ours := strings.CutPrefix(p.ImportPath, module+"/")
		if !ours {
			continue // the root has no code
		}
		at := layerOf(from)
		require.GreaterOrEqual(t, at, 0, "package %s stands in no layer: add it to layers", from)
		for _, imp := range p.Imports {
			to, ours := strings.CutPrefix(imp, module+"/")
			if !ours {
				continue
			}
			below := layerOf(to)
			top := func(s string) string { return strings.SplitN(s, "/", 2)[0] }
			same := below == at && (layers[at].peers || top(from) == top(to) && top(from) != "internal")
			require.True(t, below < at || same, "%s imports %s, which does not stand below it", from, to)
		}
	}
}

// TestForeignImports keeps each dependency where it belongs, and cgo out.
func TestForeignImports(t *testing.T) {
	for _, p := range packages(t) {
		from := strings.TrimPrefix(p.ImportPath, module+"/")
		for _, imp := range p.Imports {
			require.NotEqual(t, "C", imp, "%s uses cgo", from)
			for foreign, allowed := range restricted {
				if under(imp, foreign) {
					ok := slices.ContainsFunc(allowed, func(a string) bool { return under(from, a) })
					require.True(t, ok, "%s imports %s, which is for %v alone", from, imp, allowed)
				}
			}
		}
	}
}
