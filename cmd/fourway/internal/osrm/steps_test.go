package osrm

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

func TestSteps(t *testing.T) {
	f := newFolder(t)
	f.extract(t)
	r := must(t, "osrm-partition", "--max-cell-sizes", "2,4,4", "--small-component-size", "1", "--balance=1.2",
		"--boundary", "0.25", "--optimizing-cuts", "10", f.path("square.osrm"))
	require.Contains(t, r.out, ".cells, ")
	must(t, "osrm-customize", f.path("square"))
	must(t, "osrm-contract", "-t", "1", f.path("square.osm.pbf"))
	require.Equal(t, []string{".osrm.cells", ".osrm.ch", ".osrm.graph", ".osrm.metric", ".osrm.mld"}, f.made(t, "square"))
	must(t, "osrm-contract", f.path("square.osrm"), "-o", f.path("other.osrm"))
	require.Equal(t, []string{".osrm.ch"}, f.made(t, "other"))
	for _, a := range []routing.Algorithm{routing.CH, routing.MLD} {
		require.InDelta(t, 20, f.drive(t, a, "a", "c"), 0.2)
	}
}

// drive returns the seconds of a route over letters of the square.
func (f folder) drive(t *testing.T, a routing.Algorithm, letters ...string) float64 {
	t.Helper()
	e, err := routing.Open(f.path("square.osrm"), routing.Options{Algorithm: a})
	require.NoError(t, err)
	defer e.Close()
	var r routing.RouteRequest
	for _, letter := range letters {
		lon, lat, ok := square.Position([]rune(letter)[0])
		require.True(t, ok)
		r.Coordinates = append(r.Coordinates, orb.Point{lon, lat})
	}
	res, err := routing.Route(t.Context(), e, r)
	require.NoError(t, err)
	return res.Routes[0].Duration
}

func TestCellSizes(t *testing.T) {
	for sizes, want := range map[string]string{
		"4,6@4,16": "the argument ('4,6@4,16') for option '--max-cell-sizes' is invalid",
		"4,64,16":  "must be sorted in non-descending order",
	} {
		r := run(t, "osrm-partition", "--max-cell-sizes", sizes, "nowhere.osrm")
		require.Equal(t, 1, r.code)
		require.Empty(t, r.out)
		require.Contains(t, r.err, want)
	}
}

// A step whose input belongs to another network is refused.
func TestStepsOfOtherNetworks(t *testing.T) {
	f, g := prepared(t), newFolder(t)
	g.write(t, "p.lua", strings.ReplaceAll(script, "36", "18"))
	g.extract(t, "-d", "other")
	for _, ending := range []string{".graph", ".metric"} {
		require.NoError(t, os.Rename(g.path("square.osrm"+ending), f.path("square.osrm"+ending)))
	}
	r := run(t, "osrm-customize", f.path("square.osrm"))
	require.Equal(t, 9, r.code)
	require.Contains(t, r.err, "square.osrm.cells")
	require.Equal(t, 9, run(t, "osrm-routed", "--trial", f.path("square.osrm")).code)
}

func TestUpdates(t *testing.T) {
	f := prepared(t)
	id := func(letter rune) string { return fmt.Sprint(square.NodeID(letter)) }
	f.write(t, "fast.csv", id('a')+","+id('b')+",360\n")
	f.write(t, "turn.csv", id('a')+","+id('b')+","+id('c')+",7\n")
	const base = 20.0
	both := map[string]routing.Algorithm{"osrm-contract": routing.CH, "osrm-customize": routing.MLD}
	for name, a := range both {
		f.extract(t) // forgets updates
		must(t, "osrm-partition", f.path("square.osrm"))
		r := run(t, name, "--segment-speed-file", f.path("fast.csv"), "--edge-weight-updates-over-factor", "2", f.path("square.osrm"))
		require.Zero(t, r.code, r.err)
		require.Contains(t, r.out, "Used 1 speeds from "+f.path("fast.csv"))
		require.Contains(t, r.err, "Edge weight update from 10s to 1s Segment: "+id('a')+","+id('b')+" based on "+f.path("fast.csv"))
		require.InDelta(t, base-9, f.drive(t, a, "a", "c"), 0.2)
		// What an update says nothing about stays, for the other tool too.
		r = must(t, name, "--turn-penalty-file", f.path("turn.csv"), f.path("square.osrm"))
		require.Contains(t, r.out, "Used 1 turn penalties")
		for name, a := range both {
			must(t, name, f.path("square.osrm"))
			require.InDelta(t, base-9+7, f.drive(t, a, "a", "c"), 0.2)
		}
	}
	for args, want := range map[string]string{
		"--segment-speed-file nowhere.csv":    "nowhere.csv",
		"--parse-conditionals-from-now=-1":    "Given UTC time is invalid: -1",
		"--segment-speed-file=square.osm":     "square.osm",
		"--edge-weight-updates-over-factor x": "is invalid",
	} {
		r := run(t, "osrm-contract", append(strings.Fields(strings.Replace(args, "square.osm", f.path("square.osm"), 1)), f.path("square.osrm"))...)
		require.NotZero(t, r.code, args)
		require.Contains(t, r.err, want)
	}
	r := must(t, "osrm-contract", "--parse-conditionals-from-now", "1493719200", "--time-zone-file", "", f.path("square.osrm"))
	require.Contains(t, r.out, "0 of 0 conditional turns are forbidden at 2017-05-02T10:00:00Z")
}
