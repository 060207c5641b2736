package osmwrite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"
	"github.com/stretchr/testify/require"
)

// read returns a file's elements as another implementation sees them.
func read(t *testing.T, file []byte) (osmpbf.Header, []osm.Object) {
	t.Helper()
	s := osmpbf.New(context.Background(), bytes.NewReader(file), 1)
	defer s.Close()
	h, err := s.Header()
	require.NoError(t, err)
	var all []osm.Object
	for s.Scan() {
		all = append(all, s.Object())
	}
	require.NoError(t, s.Err())
	return *h, all
}

func TestElementsComeBack(t *testing.T) {
	var file bytes.Buffer
	w := New(&file, Options{Generator: "test", Bounds: [4]int64{-10, -20, 30, 40}})
	require.NoError(t, w.Node(1, 60000001, -450000007, nil))
	require.NoError(t, w.Node(7, 60000002, 450000007, []string{"highway", "stop", "name", "Ä"}))
	require.NoError(t, w.Way(5, []int64{7, 1, 7}, []string{"highway", "primary"}))
	require.NoError(t, w.Way(6, nil, nil))
	require.NoError(t, w.Relation(3, []Member{{WayMember, 5, "from"}, {NodeMember, 7, "via"}, {RelationMember, 4, "to"}},
		[]string{"type", "restriction"}))
	require.NoError(t, w.Close())

	h, all := read(t, file.Bytes())
	require.Equal(t, "test", h.WritingProgram)
	require.InDeltaSlice(t, []float64{-1e-6, -2e-6, 3e-6, 4e-6},
		[]float64{h.Bounds.MinLon, h.Bounds.MinLat, h.Bounds.MaxLon, h.Bounds.MaxLat}, 1e-12)
	require.Contains(t, h.OptionalFeatures, "Sort.Type_then_ID")
	require.Len(t, all, 5)
	n := all[1].(*osm.Node)
	require.Equal(t, osm.NodeID(7), n.ID)
	require.InDelta(t, 6.0000002, n.Lon, 1e-9)
	require.InDelta(t, 45.0000007, n.Lat, 1e-9)
	require.Equal(t, osm.Tags{{Key: "highway", Value: "stop"}, {Key: "name", Value: "Ä"}}, n.Tags)
	require.InDelta(t, -45.0000007, all[0].(*osm.Node).Lat, 1e-9)
	require.Equal(t, []osm.NodeID{7, 1, 7}, all[2].(*osm.Way).Nodes.NodeIDs())
	require.Equal(t, "primary", all[2].(*osm.Way).Tags.Find("highway"))
	r := all[4].(*osm.Relation)
	require.Equal(t, osm.Members{
		{Type: osm.TypeWay, Ref: 5, Role: "from"}, {Type: osm.TypeNode, Ref: 7, Role: "via"}, {Type: osm.TypeRelation, Ref: 4, Role: "to"},
	}, r.Members)
}

// A file of several blocks, and one whose block ends because of its size.
func TestManyBlocks(t *testing.T) {
	var file bytes.Buffer
	w := New(&file, Options{})
	const nodes, ways = 2*mostElements + 17, 60
	for i := range int64(nodes) {
		require.NoError(t, w.Node(i+1, i, -i, []string{"ref", fmt.Sprint(i)}))
	}
	refs := make([]int64, 100_000)
	for i := range refs {
		refs[i] = int64(i * 7919 % nodes)
	}
	for i := range int64(ways) {
		require.NoError(t, w.Way(i+1, refs, nil))
	}
	require.NoError(t, w.Close())
	_, all := read(t, file.Bytes())
	require.Len(t, all, nodes+ways)
	last := all[nodes-1].(*osm.Node)
	require.Equal(t, osm.NodeID(nodes), last.ID)
	require.Equal(t, fmt.Sprint(nodes-1), last.Tags.Find("ref"))
	require.Len(t, all[len(all)-1].(*osm.Way).Nodes, len(refs))
}

func TestOrderIsKept(t *testing.T) {
	w := New(&bytes.Buffer{}, Options{})
	require.NoError(t, w.Way(2, nil, nil))
	require.EqualError(t, w.Node(5, 0, 0, nil), "osmwrite: node 5 comes behind way 2")
	require.Error(t, w.Way(3, nil, nil), "the first error stays")
	w = New(&bytes.Buffer{}, Options{})
	require.NoError(t, w.Node(2, 0, 0, nil))
	require.EqualError(t, w.Node(2, 0, 0, nil), "osmwrite: node 2 comes behind node 2")
	require.Error(t, w.Close())
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk is full") }

func TestErrorsOfTheWriter(t *testing.T) {
	w := New(fullDisk{}, Options{})
	require.EqualError(t, w.Node(1, 0, 0, nil), "disk is full")
	require.EqualError(t, w.Relation(1, nil, nil), "disk is full")
	require.EqualError(t, w.Close(), "disk is full")
}
