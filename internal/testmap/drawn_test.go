package testmap_test

import (
	"encoding/xml"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
)

func TestDrawing(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			a---b
			    |
			    1`,
		Ways:      []testmap.Row{{"ab", `name="R & D" highway=`}, {"b1", ""}},
		Nodes:     []testmap.Row{{"b", "barrier=gate"}},
		Relations: []testmap.Row{{"from=ab via=b to=b1", "restriction=no_right_turn"}},
	}
	data, err := d.OSM()
	require.NoError(t, err)
	type tags []struct {
		K string `xml:"k,attr"`
		V string `xml:"v,attr"`
	}
	var osm struct {
		Nodes []struct {
			ID       int64   `xml:"id,attr"`
			Lon, Lat float64 `xml:",attr"`
			Tags     tags    `xml:"tag"`
		} `xml:"node"`
		Ways []struct {
			Refs []struct {
				Ref int64 `xml:"ref,attr"`
			} `xml:"nd"`
			Tags tags `xml:"tag"`
		} `xml:"way"`
		Relations []struct {
			Members []struct {
				Type string `xml:"type,attr"`
				Ref  int64  `xml:"ref,attr"`
				Role string `xml:"role,attr"`
			} `xml:"member"`
			Tags tags `xml:"tag"`
		} `xml:"relation"`
	}
	require.NoError(t, xml.Unmarshal(data, &osm))
	require.Len(t, osm.Nodes, 3)
	require.Equal(t, "gate", osm.Nodes[1].Tags[0].V)
	require.Equal(t, int64(3), d.NodeID('1'))
	require.Equal(t, int64(1), osm.Ways[0].Refs[0].Ref)
	require.Len(t, osm.Ways[0].Tags, 1)
	require.Equal(t, "R & D", osm.Ways[0].Tags[0].V)
	require.Len(t, osm.Ways[1].Tags, 2)
	require.Equal(t, d.WayID("ab"), osm.Relations[0].Members[0].Ref)
	require.Equal(t, "node", osm.Relations[0].Members[1].Type)

	// Four columns are two cells of 100 m, as are two lines.
	lonA, latA, ok := d.Position('a')
	require.True(t, ok)
	lonB, latB, _ := d.Position('b')
	_, lat1, _ := d.Position('1')
	require.InDelta(t, 200, (lonB-lonA)*111303, 0.1)
	require.Equal(t, latA, latB)
	require.InDelta(t, 200, (latB-lat1)*110575, 0.1)
	_, _, ok = d.Position('x')
	require.False(t, ok)
}

func TestDrawingFaults(t *testing.T) {
	for _, d := range []testmap.Drawing{
		{Map: "a b", Ways: []testmap.Row{{"ax", ""}}},
		{Map: "a b", Ways: []testmap.Row{{"ab", "oneway"}}},
		{Map: "a b", Ways: []testmap.Row{{"ab", `name="x`}}},
		{Map: "a b", Ways: []testmap.Row{{"ab", ""}}, Relations: []testmap.Row{{"from=ba", ""}}},
	} {
		_, err := d.OSM()
		require.ErrorContains(t, err, "testmap: ")
	}
}
