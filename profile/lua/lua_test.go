package lua

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/profile"
)

// write writes files into a new folder and returns the path of the first one,
// profile.lua.
func write(tb testing.TB, source string, others ...string) string {
	tb.Helper()
	dir := tb.TempDir()
	put := func(name, text string) {
		path := filepath.Join(dir, name)
		require.NoError(tb, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(tb, os.WriteFile(path, []byte(text), 0o644))
	}
	put("profile.lua", source)
	for i := 0; i < len(others); i += 2 {
		put(others[i], others[i+1])
	}
	return filepath.Join(dir, "profile.lua")
}

// open opens a script that must be fine.
func open(tb testing.TB, o Options, source string, others ...string) profile.Profile {
	tb.Helper()
	p, err := Open(write(tb, source, others...), o)
	require.NoError(tb, err)
	return p
}

func newWorker(tb testing.TB, p profile.Profile) profile.Worker {
	tb.Helper()
	w, err := p.NewWorker()
	require.NoError(tb, err)
	return w
}

// tags reads "highway=primary, oneway=yes".
func tags(s string) osm.Tags {
	var list osm.Tags
	for pair := range strings.SplitSeq(s, ", ") {
		if k, v, ok := strings.Cut(pair, "="); ok {
			list = append(list, osm.Tag{Key: k, Value: v})
		}
	}
	return list
}

// version4 makes a script of version 4 of functions.
func version4(body string) string {
	return `
api_version = 4
function setup() return {properties = {}} end
` + body + `
return {
	setup = setup, process_node = process_node, process_way = process_way,
	process_relation = process_relation, process_segment = process_segment, process_turn = process_turn,
}`
}

// printed runs a script and returns what it printed.
func printed(t *testing.T, o Options, source string) string {
	t.Helper()
	var out bytes.Buffer
	o.Output = &out
	_, err := Open(write(t, version4(source)), o)
	require.NoError(t, err)
	return out.String()
}

// way evaluates a way of three nodes.
func way(t *testing.T, p profile.Profile, s string) *profile.WayResult {
	t.Helper()
	var r profile.WayResult
	w := &osm.Way{ID: 7, Version: 3, Tags: tags(s), Nodes: osm.WayNodes{{ID: 1}, {ID: 2, Lon: 1.5, Lat: 2.5}, {ID: 1}}}
	require.NoError(t, newWorker(t, p).Way(w, &r))
	return &r
}
