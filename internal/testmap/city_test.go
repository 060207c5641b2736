package testmap_test

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
)

func TestCityIsReadable(t *testing.T) {
	const n = 5000
	var file, again bytes.Buffer
	require.NoError(t, testmap.City(&file, n, 1))
	require.NoError(t, testmap.City(&again, n, 1))
	require.Equal(t, file.Bytes(), again.Bytes(), "the same seed gives the same file")

	scan := osmpbf.New(context.Background(), io.Reader(&file), 1)
	defer scan.Close()
	nodes, ways, relations := map[osm.NodeID]bool{}, 0, 0
	for scan.Scan() {
		switch o := scan.Object().(type) {
		case *osm.Node:
			nodes[o.ID] = true
			require.InDelta(t, 45, o.Lat, 1)
		case *osm.Way:
			ways++
			for _, ref := range o.Nodes {
				require.True(t, nodes[ref.ID], "way %d wants node %d", o.ID, ref.ID)
			}
		case *osm.Relation:
			relations++
			require.Equal(t, "restriction", o.Tags.Find("type"))
		}
	}
	require.NoError(t, scan.Err())
	require.InDelta(t, n, len(nodes), n/10)
	require.Greater(t, ways, 100)
	require.Positive(t, relations)
}
