package extract_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/region"
)

// leftOfTwo is a place up to 2 degrees east where one drives on the left.
func leftOfTwo(tb testing.TB) *region.Set {
	tb.Helper()
	s := &region.Set{}
	require.NoError(tb, s.Read("left.json", strings.NewReader(`{"type":"FeatureCollection","features":[{"type":"Feature",
		"properties":{"driving_side":"left"},"geometry":{"type":"Polygon","coordinates":[[[0,-1],[2,-1],[2,1],[0,1]]]}}]}`)))
	return s
}

// sides returns by name of the road which are driven on the left.
func sides(t *testing.T, xml string, o extract.Options) (map[string]bool, error) {
	t.Helper()
	r, err := runXML(t, xml, o)
	if err != nil {
		return nil, err
	}
	left := make(map[string]bool)
	for _, road := range r.Network.Roads {
		left[r.Network.Strings.Get(road.Name)] = road.Flags&graph.RoadLeftHand != 0
	}
	return left, nil
}

// A way is driven on the side of the place where its last node is.
func TestDrivingSideOfPlaces(t *testing.T) {
	const nodes = `<node id="4" lon="3.5" lat="0"/><node id="1" lon="0.5" lat="0"/>
		<node id="2" lon="1.5" lat="0"/><node id="3" lon="2.5" lat="0"/>`
	way := func(name, nodes string, more ...string) string {
		return `<way id="` + name + `">` + nodes + `<tag k="highway" v="primary"/><tag k="name" v="` + name + `"/>` + strings.Join(more, "") + `</way>`
	}
	ways := way("10", `<nd ref="1"/><nd ref="2"/>`) + way("11", `<nd ref="2"/><nd ref="3"/>`) + way("12", `<nd ref="4"/><nd ref="3"/><nd ref="2"/>`) +
		way("13", `<nd ref="1"/><nd ref="2"/><nd ref="99"/>`) +
		way("14", `<nd ref="1"/><nd ref="2"/>`, `<tag k="driving_side" v="right"/>`) + `<way id="15"><tag k="a" v="b"/></way><way id="16"><nd ref="7"/></way>`
	want := map[string]bool{"10": true, "11": false, "12": true, "13": false}
	o := extract.Options{Locations: leftOfTwo(t)}
	for _, xml := range []string{"<osm>" + nodes + ways + "</osm>", "<osm>" + ways + nodes + "</osm>"} {
		for _, workers := range []int{1, 3} {
			o.Workers = workers
			got, err := sides(t, xml, o)
			require.NoError(t, err)
			for name, left := range want {
				require.Equal(t, left, got[name], name)
			}
		}
	}
	// Without data no one drives on the left.
	got, err := sides(t, "<osm>"+nodes+ways+"</osm>", extract.Options{})
	require.NoError(t, err)
	require.NotContains(t, got, true)
	for _, left := range got {
		require.False(t, left)
	}

	// Ways may tell where they are.
	located := way("10", `<nd ref="1" lon="0.5" lat="0"/><nd ref="2" lon="3" lat="0"/>`) + way("11", `<nd ref="2"/><nd ref="3" lon="1" lat="0"/>`)
	o.LocationsOnWays = true
	got, err = sides(t, "<osm>"+nodes+located+"</osm>", o)
	require.NoError(t, err)
	require.False(t, got["10"])
	require.True(t, got["11"])
	_, err = sides(t, "<osm>"+nodes+ways+"</osm>", o)
	require.ErrorContains(t, err, "way 10 has an invalid location")
}
