package traffic_test

import (
	"context"
	"io"
	"io/fs"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/extracttest"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/internal/traffic"
	"github.com/fourway-routing/fourway/profile"
)

// zones are around the places of drawings, which are at 1 degree east and north.
var zones = fstest.MapFS{
	"lagos.json": {Data: []byte(`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"tzid":"Africa/Lagos"},
		"geometry":{"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,2],[0,0]]]}}]}`)},
	"tokyo.json": {Data: []byte(`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"TZID":"Asia/Tokyo"},
		"geometry":{"type":"MultiPolygon","coordinates":[[[[0,0],[2,0],[2,2],[0,2],[0,0]]]]}}]}`)},
	"away.json": {Data: []byte(`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"tzid":"Africa/Lagos"},
		"geometry":{"type":"Polygon","coordinates":[[[10,0],[12,0],[12,2],[10,0]]]}}]}`)},
	"odd.json": {Data: []byte(`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"tzid":"Mars/Base"},
		"geometry":{"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,2],[0,0]]]}}]}`)},
	"nameless.json": {Data: []byte(`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"tzid":7},
		"geometry":{"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,2],[0,0]]]}}]}`)},
}

func openZone(name string) (io.ReadCloser, error) { return zones.Open(name) }

// at returns the map as it is at an instant.
func at(t *testing.T, m *extracttest.Map, instant string, files ...string) (*extracttest.Map, *traffic.Report) {
	t.Helper()
	when, err := time.Parse(time.RFC3339, instant)
	require.NoError(t, err)
	c := traffic.Conditions{At: when}
	for _, name := range files {
		require.NoError(t, c.AddZones(name, openZone))
	}
	metric, report, err := traffic.Update(context.Background(), traffic.NewIndex(m.Network), m.Metric, &traffic.Files{}, &c)
	require.NoError(t, err)
	require.NoError(t, metric.Check(m.Network))
	require.Nil(t, m.Metric.TurnClosed)
	then := *m
	then.Result = &extract.Result{Network: m.Network, Metric: metric}
	return &then, report
}

func conditional(t *testing.T, d testmap.Drawing) *extracttest.Map {
	car, err := profile.ByName("car")
	require.NoError(t, err)
	return extracttest.Extract(t, d, car, extract.Options{Conditionals: true})
}

// can tells whether a path is open: every turn of it exists and is not closed.
func can(m *extracttest.Map, path string) bool { return m.Can(path) }

func TestTurnsForbiddenAtTimes(t *testing.T) {
	m := conditional(t, testmap.Drawing{
		Map: `
			  d
			  |
			a-b-c
			  |
			e-f-g
			  |
			  h`,
		Ways: []testmap.Row{{"ab", ""}, {"bc", ""}, {"bd", ""}, {"bf", ""}, {"ef", ""}, {"fg", ""}, {"fh", ""}},
		Relations: []testmap.Row{
			{"from=ab via=b to=bd", `restriction:conditional="no_left_turn @ (Mo-Fr 07:00-09:00,16:00-18:00)"`},
			{"from=bc via=b to=bf", `restriction:motorcar:conditional="only_left_turn @ (Sa)"`},
			{"from=ab via=bf to=fg", `restriction:conditional="no_left_turn @ (07:00-08:00)"`},
			{"from=ab via=bf to=ef", `restriction=no_right_turn`},
			{"from=bf via=f to=fh", `restriction:conditional="no_straight_on @ (Mo-Fr AND weight>7)"`},
			{"from=bf via=f to=fh", `restriction:hgv:conditional="no_straight_on @ (24/7)"`},
		},
	})
	require.Equal(t, 1, m.Report.Dropped.RestrictionsUnreadClause)
	// 2017-05-02 is a Tuesday. Lagos is an hour ahead, Tokyo nine.
	for _, tc := range []struct {
		at      string
		zones   []string
		open    map[string]bool
		unzoned bool
	}{
		{"2017-05-02T07:30:00Z", nil, map[string]bool{"abd": false, "abfg": false, "abfh": true, "cbf": true, "cba": true, "bfg": true, "abfe": false}, false},
		{"2017-05-02T08:30:00Z", nil, map[string]bool{"abd": false, "abfg": true}, false},
		{"2017-05-02T09:30:00+01:00", nil, map[string]bool{"abd": true}, false},
		{"2017-05-02T08:30:00Z", []string{"lagos.json"}, map[string]bool{"abd": true, "abfg": true}, false},
		{"2017-05-02T06:30:00Z", []string{"away.json", "lagos.json"}, map[string]bool{"abd": false, "abfg": false}, false},
		{"2017-05-02T07:30:00Z", []string{"tokyo.json"}, map[string]bool{"abd": false, "abfg": true}, false},
		{"2017-05-02T07:30:00Z", []string{"away.json"}, map[string]bool{"abd": true, "abfg": true, "abfe": false}, true},
		{"2017-05-02T07:30:00Z", []string{"odd.json"}, map[string]bool{"abd": true}, true},
		{"2017-05-05T23:30:00Z", []string{"lagos.json"}, map[string]bool{"cbf": true, "cba": false, "cbd": false, "abd": true}, false},
	} {
		then, report := at(t, m, tc.at, tc.zones...)
		for path, open := range tc.open {
			require.Equal(t, open, can(then, path), "%s at %s in %v", path, tc.at, tc.zones)
		}
		require.Equal(t, tc.unzoned, report.UnzonedTurns > 0)
		// From ab to bd, from bc to ab and bd, and from the copy of bf to fg.
		require.Equal(t, 4, report.ConditionalTurns)
	}
	_, report := at(t, m, "2017-05-02T07:30:00Z", "odd.json")
	require.Equal(t, []string{"Mars/Base"}, report.UnknownZones)
	require.Zero(t, report.ClosedTurns)
	_, report = at(t, m, "2017-05-02T07:30:00Z")
	require.Equal(t, 2, report.ClosedTurns)
	require.Empty(t, report.UnknownZones)
}

// Where a condition is off, a restriction without one still holds, and the other
// way round.
func TestOverlappingConditions(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			c
			|  f
			|  |
			b--e
			|  |
			a  d`,
		Ways: []testmap.Row{{"ab", ""}, {"bc", ""}, {"be", ""}, {"de", ""}, {"ef", ""}},
		Relations: []testmap.Row{
			{"from=ab via=be to=de", `restriction:conditional="no_right_turn @ (Mo-Fr 07:00-11:00)"`},
			{"from=ab via=be to=de", `restriction=no_right_turn`},
		},
	}
	m, _ := at(t, conditional(t, d), "2017-05-02T17:00:00Z")
	require.False(t, can(m, "abed"))
	require.True(t, can(m, "cbed"))
	for condition, want := range map[string][2]bool{
		// of the path abed, then of the turn bed from anywhere
		"Mo-Fr 07:00-11:00": {false, false},
		"Mo-Fr 16:00-18:00": {false, true},
	} {
		d.Relations = []testmap.Row{
			{"from=ab via=be to=de", `restriction:conditional="no_right_turn @ (Mo-Fr 16:00-18:00)"`},
			{"from=be via=e to=de", `restriction:conditional="no_right_turn @ (Mo-Fr 07:00-11:00)"`},
		}
		if condition == "Mo-Fr 07:00-11:00" {
			m, _ = at(t, conditional(t, d), "2017-05-02T10:00:00Z")
		} else {
			m, _ = at(t, conditional(t, d), "2017-05-02T17:00:00Z")
		}
		require.Equal(t, want[0], can(m, "abed"), condition)
		require.Equal(t, want[1], can(m, "cbed"), condition)
	}
}

// Several conditions of one value are each enough.
func TestListsOfConditions(t *testing.T) {
	m := conditional(t, testmap.Drawing{
		Map: `
			  d
			  |
			a-b-c`,
		Ways: []testmap.Row{{"ab", ""}, {"bc", ""}, {"bd", ""}},
		Relations: []testmap.Row{
			{"from=ab via=b to=bd", `restriction:conditional="no_left_turn @ (Mo-Fr 07:00-09:00); no_left_turn @ (Sa 10:00-12:00)"`},
		},
	})
	for instant, open := range map[string]bool{
		"2017-05-02T08:00:00Z": false, "2017-05-02T11:00:00Z": true, "2017-05-06T11:00:00Z": false, "2017-05-06T08:00:00Z": true,
	} {
		then, _ := at(t, m, instant)
		require.Equal(t, open, can(then, "abd"), instant)
	}
	// Without an instant all are open.
	none, report, err := traffic.Update(context.Background(), traffic.NewIndex(m.Network), m.Metric, &traffic.Files{}, &traffic.Conditions{})
	require.NoError(t, err)
	require.Zero(t, report.ConditionalTurns)
	require.Nil(t, none.TurnClosed)
	require.Equal(t, graph.Bits(nil), none.TurnClosed)
}

func TestZonesWithoutName(t *testing.T) {
	var c traffic.Conditions
	require.ErrorContains(t, c.AddZones("nameless.json", openZone), "polygon 1 has no time zone")
	require.ErrorIs(t, c.AddZones("none.json", openZone), fs.ErrNotExist)
}

// Roads with bends and signals before and behind the turn change nothing.
func TestConditionsBetweenBends(t *testing.T) {
	for _, nodes := range [][]testmap.Row{nil, {{"i", "highway=traffic_signals"}, {"k", "highway=traffic_signals"}}} {
		m := conditional(t, testmap.Drawing{
			Map: `
				n
				|
				i
				|
				j-k-l-m
				|
				s`,
			Ways:      []testmap.Row{{"nij", ""}, {"js", ""}, {"jklm", ""}},
			Nodes:     nodes,
			Relations: []testmap.Row{{"from=nij via=j to=jklm", `restriction:conditional="no_left_turn @ (Mo-Fr 07:00-10:30)"`}},
		})
		for instant, open := range map[string]bool{"2017-05-02T10:00:00Z": false, "2017-05-02T11:00:00Z": true} {
			then, report := at(t, m, instant)
			require.Equal(t, open, can(then, "nijklm"), instant)
			require.True(t, can(then, "nijs"))
			require.True(t, can(then, "sjklm"))
			require.Equal(t, 1, report.ConditionalTurns)
		}
	}
}

// A rule for vehicles that does not except this one holds, and so does one that
// excepts others.
func TestConditionsThatExcept(t *testing.T) {
	m := conditional(t, testmap.Drawing{
		Map: `
			  a
			  |
			d-j-b
			  |
			  c`,
		Ways: []testmap.Row{{"aj", ""}, {"jc", ""}, {"bj", ""}, {"jd", ""}},
		Relations: []testmap.Row{
			{"from=bj via=j to=aj", `restriction:conditional="only_right_turn @ (Mo-Su 08:00-12:00)" except=motorcar`},
			{"from=jd via=j to=aj", `restriction:conditional="only_left_turn @ (Mo-Su 08:00-12:00)" except=bus`},
		},
	})
	then, report := at(t, m, "2017-05-02T10:00:00Z")
	for path, open := range map[string]bool{"bjc": true, "bja": true, "bjd": true, "djc": false, "dja": true, "djb": false} {
		require.Equal(t, open, can(then, path), path)
	}
	require.Equal(t, 2, report.ClosedTurns)
	require.Equal(t, 1, m.Report.Dropped.RestrictionsExcepted)
}
