package extract_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/extracttest"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/profile"
)

var delawareTags struct {
	once   sync.Once
	result *extract.Result
}

// delawareWithTags is extracted once; nothing may change it.
func delawareWithTags(tb testing.TB) *extract.Result {
	tb.Helper()
	delawareTags.once.Do(func() {
		delawareTags.result = run(tb, osmdata.Delaware(tb), "car", extract.Options{Tags: true})
	})
	require.NotNil(tb, delawareTags.result)
	return delawareTags.result
}

func tagMap(t graph.Tags) map[string]string {
	m := map[string]string{}
	for i := range t.Len() {
		key, value := t.At(i)
		m[string(key)] = string(value)
	}
	return m
}

// TestKeptTagsAreThoseOfTheFile compares all ways and nodes with what another reader
// finds in the file.
func TestKeptTagsAreThoseOfTheFile(t *testing.T) {
	path := osmdata.Delaware(t)
	r := delawareWithTags(t)
	e := r.Elements
	require.NoError(t, e.Check())
	require.True(t, e.Tagged())
	require.Equal(t, r.Report.UsedWays, e.NumWays())
	require.Equal(t, r.Report.Places, e.NumNodes())
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	scanner := osmpbf.New(context.Background(), f, 2)
	defer scanner.Close()
	ways, nodes, tagged := 0, 0, 0
	for scanner.Scan() {
		switch o := scanner.Object().(type) {
		case *osm.Node:
			p, ok := e.FindNode(int64(o.ID))
			if !ok {
				continue
			}
			nodes++
			require.Equal(t, int64(o.ID), e.NodeID(p))
			tags := e.NodeTags(p)
			if len(o.Tags) > 0 {
				tagged++
			}
			if len(o.Tags)+tags.Len() > 0 {
				require.Equal(t, o.Tags.Map(), tagMap(tags), "node %d", o.ID)
			}
		case *osm.Way:
			w, ok := e.FindWay(int64(o.ID))
			if !ok {
				continue
			}
			ways++
			require.Equal(t, int64(o.ID), e.WayID(w))
			require.Equal(t, o.Tags.Map(), tagMap(e.WayTags(w)), "way %d", o.ID)
			refs := e.AppendWayNodes(nil, w)
			require.Len(t, refs, len(o.Nodes))
			for i, n := range o.Nodes {
				require.Equal(t, int64(n.ID), refs[i])
			}
		}
	}
	if err := scanner.Err(); err != io.EOF {
		require.NoError(t, err)
	}
	require.Equal(t, e.NumWays(), ways)
	require.Equal(t, e.NumNodes(), nodes)
	require.Len(t, e.TaggedNodes(), tagged)
	// Every segment is of a way that is there.
	for i := range r.Network.Ways.Len() {
		id := r.Network.Ways.Get(uint32(i))
		_, ok := e.FindWay(max(id, -id))
		require.True(t, ok, "way %d", id)
	}
}

// TestKeptTagsDoNotDependOnWorkers, nor does the network on them.
func TestKeptTagsDoNotDependOnWorkers(t *testing.T) {
	require.True(t, equal(delaware(t), delawareWithTags(t)))
	var city bytes.Buffer
	require.NoError(t, testmap.City(&city, 20000, 3))
	car, err := profile.ByName("car")
	require.NoError(t, err)
	var ids []graph.ID
	for workers := 1; workers <= 3; workers++ {
		f, err := osmfile.OpenReaderAt(bytes.NewReader(city.Bytes()), int64(city.Len()), "city")
		require.NoError(t, err)
		r, err := extract.Run(t.Context(), f, car, extract.Options{Tags: true, Workers: workers})
		require.NoError(t, err)
		ids = append(ids, r.Elements.EncodeTags(graph.ID{}).ID())
	}
	require.Equal(t, ids[0], ids[1])
	require.Equal(t, ids[0], ids[2])
}

// TestElementsOfTheNetworkAlone: without tags the ways are what their segments are.
func TestElementsOfTheNetworkAlone(t *testing.T) {
	r := delawareWithTags(t)
	alone := graph.ElementsOf(r.Network)
	require.NoError(t, alone.Check())
	require.False(t, alone.Tagged())
	turned, different := 0, 0
	for w := range graph.WayIndex(r.Elements.NumWays()) {
		id := r.Elements.WayID(w)
		own, ok := alone.FindWay(id)
		if !ok {
			different++
			continue
		}
		require.Zero(t, alone.WayTags(own).Len())
		want, have := r.Elements.AppendWayNodes(nil, w), alone.AppendWayNodes(nil, own)
		if !slices.Equal(want, have) {
			turned++
			slices.Sort(want)
			slices.Sort(have)
			if !slices.Equal(slices.Compact(want), slices.Compact(have)) {
				different++
			}
		}
	}
	// Loops begin elsewhere; parallel segments are missing.
	require.Less(t, turned, r.Elements.NumWays()/50)
	require.Less(t, different, 10)
}

func TestTagsOfADrawing(t *testing.T) {
	car, err := profile.ByName("car")
	require.NoError(t, err)
	m := extracttest.Extract(t, testmap.Drawing{
		Map: `
			a--b--c--d
			   |
			   e`,
		Ways: []testmap.Row{
			{"abcd", `highway=primary name="High Street"`},
			{"be", "highway=residential"},
			{"ae", "highway=proposed"},
		},
		Nodes: []testmap.Row{{"b", "highway=traffic_signals"}, {"c", "note=ünïcode"}},
	}, car, extract.Options{Tags: true})
	e := m.Elements
	require.NoError(t, e.Check())
	require.Equal(t, 2, e.NumWays()) // nobody drives on a proposed road
	long, ok := e.FindWay(m.WayID("abcd"))
	require.True(t, ok)
	value, ok := e.WayTags(long).Get("name")
	require.True(t, ok)
	require.Equal(t, "High Street", string(value))
	tags, ok := e.Way(m.WayID("be"))
	require.True(t, ok)
	value, ok = tags.Get("highway")
	require.True(t, ok)
	require.Equal(t, "residential", string(value))
	_, ok = tags.Get("surface")
	require.False(t, ok)
	_, ok = e.Way(m.WayID("ae"))
	require.False(t, ok)
	// c is in the middle of a chain, and still there with its tags.
	tags, ok = e.Node(m.NodeID('c'))
	require.True(t, ok)
	require.Equal(t, map[string]string{"note": "ünïcode"}, tagMap(tags))
	tags, ok = e.Node(m.NodeID('d'))
	require.True(t, ok)
	require.Zero(t, tags.Len())
	b, ok := e.FindNode(m.NodeID('b'))
	require.True(t, ok)
	var at []int64
	for _, w := range e.WaysOf(b) {
		at = append(at, e.WayID(w))
	}
	require.ElementsMatch(t, []int64{m.WayID("abcd"), m.WayID("be")}, at)
}

// TestWaysWithMissingNodes keeps the ids of nodes that the extract lacks.
func TestWaysWithMissingNodes(t *testing.T) {
	const xml = `<osm version="0.6">
		<node id="1" lat="1" lon="1"/><node id="1" lat="2" lon="2"/><node id="3" lat="1" lon="1.001"/><node id="5" lat="1" lon="1.002"/>
		<way id="9"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="5"/><nd ref="4"/><tag k="highway" v="primary"/><tag k="highway" v="secondary"/></way>
		<way id="8"><nd ref="3"/><nd ref="2"/><tag k="highway" v="service"/></way>
		<way id="9"><nd ref="3"/><nd ref="6"/><nd ref="5"/><tag k="highway" v="tertiary"/></way>
	</osm>`
	f, err := osmfile.OpenReaderAt(strings.NewReader(xml), int64(len(xml)), "test")
	require.NoError(t, err)
	car, err := profile.ByName("car")
	require.NoError(t, err)
	r, err := extract.Run(t.Context(), f, car, extract.Options{Tags: true})
	require.NoError(t, err)
	e := r.Elements
	require.NoError(t, e.Check())
	require.Equal(t, 2, e.NumWays())
	eight, ok := e.FindWay(8)
	require.True(t, ok)
	require.Equal(t, []int64{3, 2}, e.AppendWayNodes(nil, eight))
	require.Len(t, e.AppendWayCoords(nil, eight), 1)
	nine, ok := e.FindWay(9) // the last one of the id
	require.True(t, ok)
	require.Equal(t, []int64{3, 6, 5}, e.AppendWayNodes(nil, nine))
	require.Equal(t, map[string]string{"highway": "tertiary"}, tagMap(e.WayTags(nine)))
	one, ok := e.FindNode(1)
	require.True(t, ok)
	require.Equal(t, geo.FromLonLat(1, 1), r.Network.Coords[one])
	_, ok = e.FindNode(2)
	require.False(t, ok)
}
