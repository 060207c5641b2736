package extract_test

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/profile"
)

func runXML(t *testing.T, xml string, opts ...extract.Options) (*extract.Result, error) {
	t.Helper()
	f, err := osmfile.OpenReaderAt(strings.NewReader(xml), int64(len(xml)), "test")
	require.NoError(t, err)
	car, err := profile.ByName("car")
	require.NoError(t, err)
	opts = append(opts, extract.Options{})
	return extract.Run(t.Context(), f, car, opts[0])
}

var sampleDrawing = testmap.Drawing{
	Map: `
		a-b-c-d
		  |   |
		  e---f`,
	Ways:      []testmap.Row{{"abcd", ""}, {"be", ""}, {"ef", ""}, {"df", "oneway=yes"}},
	Nodes:     []testmap.Row{{"c", "highway=stop direction=forward"}, {"e", "barrier=gate"}},
	Relations: []testmap.Row{{"from=be via=e to=ef", "restriction=no_left_turn"}, {"from=abcd via=d to=df", "restriction=no_right_turn"}},
}

// The order of elements in the file does not matter, but for ids.
func TestOrderOfTheFile(t *testing.T) {
	data, err := sampleDrawing.OSM()
	require.NoError(t, err)
	want, err := runXML(t, string(data))
	require.NoError(t, err)
	parts := regexp.MustCompile(`(?s)<(node|way|relation) .*?</(node|way|relation)>\n`).FindAllString(string(data), -1)
	require.Len(t, parts, 12)
	var reversed strings.Builder
	reversed.WriteString("<osm>\n")
	for kind := range strings.SplitSeq("relation way node", " ") {
		for _, p := range parts {
			if strings.HasPrefix(p, "<"+kind) {
				reversed.WriteString(p)
			}
		}
	}
	reversed.WriteString("</osm>\n")
	got, err := runXML(t, reversed.String())
	require.NoError(t, err)
	require.True(t, equal(want, got))
}

func TestMissingNodes(t *testing.T) {
	data, err := sampleDrawing.OSM()
	require.NoError(t, err)
	// Without c and its neighbor d.
	cut := regexp.MustCompile(`(?s)<node id="[34]" .*?</node>\n`).ReplaceAllString(string(data), "")
	r, err := runXML(t, cut)
	require.NoError(t, err)
	require.Equal(t, 2, r.Report.Dropped.MissingNodes)
	require.Equal(t, 2, r.Report.Dropped.WaysMissingNodes)
	require.Equal(t, 3, r.Report.Dropped.SegmentsMissingNodes)
	require.Equal(t, 1, r.Report.Dropped.RestrictionsMissingNode)
	require.Equal(t, 4, r.Report.Places)
	require.Equal(t, 3, r.Report.Segments)
}

// TestMissingNodesMoveRestrictions: what stays is as if the missing nodes had
// never been named.
func TestMissingNodesMoveRestrictions(t *testing.T) {
	data, err := sampleDrawing.OSM()
	require.NoError(t, err)
	cut := regexp.MustCompile(`(?s)<node id="1" .*?</node>\n`).ReplaceAllString(string(data), "")
	got, err := runXML(t, cut)
	require.NoError(t, err)
	require.Equal(t, 1, got.Report.Dropped.MissingNodes)
	require.Zero(t, got.Report.Dropped.RestrictionsMissingNode)
	want, err := runXML(t, regexp.MustCompile(`<nd ref="1"/>\s*`).ReplaceAllString(cut, ""))
	require.NoError(t, err)
	require.True(t, equal(want, got))
}

func TestNothingToDrive(t *testing.T) {
	for _, xml := range []string{
		"<osm></osm>",
		`<osm><node id="1" lon="1" lat="1"/><way id="2"><nd ref="1"/><tag k="highway" v="primary"/></way></osm>`,
		`<osm><way id="2"><nd ref="1"/><nd ref="3"/><tag k="highway" v="primary"/></way></osm>`,
		`<osm><node id="1" lon="1" lat="1"/><way id="2"><nd ref="1"/><nd ref="1"/><tag k="highway" v="primary"/></way></osm>`,
		`<osm><node id="1" lon="1" lat="1"/><node id="3" lon="2" lat="1"/><way id="2"><nd ref="1"/><nd ref="3"/></way></osm>`,
	} {
		_, err := runXML(t, xml)
		require.ErrorIs(t, err, extract.ErrNoRoads, xml)
		var none *extract.NoRoadsError
		require.ErrorAs(t, err, &none)
		require.Equal(t, strings.Count(xml, "<node"), none.Report.Nodes, xml)
	}
}

// Odd relations are counted and change nothing.
func TestOddRelations(t *testing.T) {
	data, err := sampleDrawing.OSM()
	require.NoError(t, err)
	want, err := runXML(t, string(data))
	require.NoError(t, err)
	odd := strings.Replace(string(data), "</osm>", `
		<relation id="90"><member type="way" ref="7" role="from"/><member type="node" ref="999" role="via"/><member type="way" ref="8" role="to"/><tag k="restriction" v="no_left_turn"/></relation>
		<relation id="91"><member type="way" ref="777" role="from"/><member type="node" ref="2" role="via"/><member type="way" ref="8" role="to"/><tag k="restriction" v="no_left_turn"/></relation>
		<relation id="92"><member type="way" ref="10" role="from"/><member type="node" ref="4" role="via"/><member type="way" ref="7" role="to"/><tag k="restriction" v="no_left_turn"/></relation>
		</osm>`, 1)
	got, err := runXML(t, odd)
	require.NoError(t, err)
	require.True(t, equal(want, got))
	require.Equal(t, 1, got.Report.Dropped.RestrictionsDisconnected)
	require.Equal(t, 1, got.Report.Dropped.RestrictionsMissingWay)
	require.Equal(t, 1, got.Report.Dropped.RestrictionsNotDrivable, "against the one-way street")
	var reasons []string
	for _, d := range got.Report.DroppedRestrictions {
		reasons = append(reasons, fmt.Sprintf("%d: %v", d.Relation, d.Fault))
	}
	require.Equal(t, []string{
		"90: its ways do not meet", "91: it names a way that is absent or not for the vehicle",
		"92: it leads over a road that is closed in that direction",
	}, reasons)
}

// A way may touch itself, have an id of another, or consist of one place.
func TestOddWays(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			a-b-c
			  | |
			  e-d`,
		Ways: []testmap.Row{{"abcdeb", ""}, {"aa", ""}, {"bb", "oneway=yes"}, {"cbc", "name=x"}},
	}
	data, err := d.OSM()
	require.NoError(t, err)
	r, err := runXML(t, strings.ReplaceAll(string(data), `<way id="7"`, `<way id="6"`))
	require.NoError(t, err)
	require.Equal(t, 2, r.Report.Dropped.LoopSegments)
	require.Equal(t, 2, r.Report.Dropped.ParallelSegments)
	require.Equal(t, 5, r.Report.Segments)
}

func TestProgressAndReport(t *testing.T) {
	data, err := sampleDrawing.OSM()
	require.NoError(t, err)
	f, err := osmfile.OpenReaderAt(bytes.NewReader(data), int64(len(data)), "test")
	require.NoError(t, err)
	car, err := profile.ByName("car")
	require.NoError(t, err)
	var stages []string
	r, err := extract.Run(t.Context(), f, car, extract.Options{
		DataVersion: "v1",
		Progress: func(stage string, done, total int64) {
			if len(stages) == 0 || stages[len(stages)-1] != stage {
				stages = append(stages, stage)
			}
			require.LessOrEqual(t, done, total)
		},
	})
	require.NoError(t, err)
	require.Equal(t, []string{"ways", "nodes", "segments", "compress", "expand", "assemble", "components", "index"}, stages)
	require.Len(t, r.Report.Stages, len(stages))
	p := r.Network.Properties
	require.Equal(t, "v1", p.DataVersion)
	require.Equal(t, "car", p.Profile)
	require.NotEmpty(t, p.Excludable)
	require.Less(t, p.Min.Lon, p.Max.Lon)
	require.Less(t, p.Min.Lat, p.Max.Lat)
}

func TestCancel(t *testing.T) {
	f, err := osmfile.Open(osmdata.Delaware(t))
	require.NoError(t, err)
	car, err := profile.ByName("car")
	require.NoError(t, err)
	for _, at := range []string{"ways", "nodes", "segments", "compress", "expand"} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err = extract.Run(ctx, f, car, extract.Options{Progress: func(stage string, _, _ int64) {
			if stage == at {
				cancel()
			}
		}})
		require.ErrorIs(t, err, context.Canceled, at)
		cancel()
	}
}
