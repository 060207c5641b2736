package routing

import (
	"bytes"
	"context"
	"errors"
	"math"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/testmap"
)

var lookupTown = testmap.Drawing{
	Map: `
		a--b--c
		   |
		   d`,
	Ways:  []testmap.Row{{"abc", "highway=primary name=Long"}, {"bd", "highway=service"}},
	Nodes: []testmap.Row{{"b", "highway=traffic_signals"}},
}

func lookupEngine(t *testing.T, tags bool) *Engine {
	t.Helper()
	data, err := lookupTown.OSM()
	require.NoError(t, err)
	return build(t, BuildOptions{Input: "town.osm", Reader: bytes.NewReader(data), Algorithms: []Algorithm{CH}, Tags: tags}, Options{})
}

func TestLookup(t *testing.T) {
	e := lookupEngine(t, true)
	long, short := lookupTown.WayID("abc"), lookupTown.WayID("bd")
	at := func(letter rune) orb.Point {
		lon, lat, ok := lookupTown.Position(letter)
		require.True(t, ok)
		return orb.Point{lon, lat}
	}
	ids := func(letters string) (list []int64) {
		for _, l := range letters {
			list = append(list, lookupTown.NodeID(l))
		}
		return list
	}
	nearB := at('b')
	for name, c := range map[string]struct {
		request LookupRequest
		nodes   string
		ways    []int64
	}{
		"nothing":       {LookupRequest{}, "", nil},
		"ids":           {LookupRequest{Nodes: append(ids("db"), 999, lookupTown.NodeID('b')), Ways: []int64{short, -5}}, "bd", []int64{short}},
		"ways of":       {LookupRequest{WaysOf: ids("bd")}, "", []int64{long, short}},
		"bounds":        {LookupRequest{Bounds: &orb.Bound{Min: at('d'), Max: at('c')}}, "bcd", []int64{long, short}},
		"bounds, ways":  {LookupRequest{Bounds: &orb.Bound{Min: at('d'), Max: at('c')}, NoNodes: true}, "", []int64{long, short}},
		"around":        {LookupRequest{Around: &nearB, Radius: 10}, "b", []int64{long, short}},
		"around, nodes": {LookupRequest{Around: &nearB, NoWays: true}, "b", nil},
		"joined":        {LookupRequest{Around: &nearB, NoWays: true, Nodes: ids("a")}, "ab", nil},
	} {
		res, err := Lookup(t.Context(), e, c.request)
		require.NoError(t, err, name)
		var nodes, ways []int64
		for _, n := range res.Nodes {
			nodes = append(nodes, n.ID)
		}
		for _, w := range res.Ways {
			ways = append(ways, w.ID)
		}
		require.ElementsMatch(t, ids(c.nodes), nodes, name)
		require.ElementsMatch(t, c.ways, ways, name)
		require.IsIncreasing(t, append([]int64{-2, -1}, nodes...), name)
	}
	res, err := Lookup(t.Context(), e, LookupRequest{Ways: []int64{long}, Nodes: ids("b")})
	require.NoError(t, err)
	require.Equal(t, ids("abc"), res.Ways[0].Nodes)
	require.Len(t, res.Ways[0].Geometry, 3)
	require.Equal(t, []Tag{{"highway", "primary"}, {"name", "Long"}}, res.Ways[0].Tags)
	require.Equal(t, []Tag{{"highway", "traffic_signals"}}, res.Nodes[0].Tags)
	require.InDelta(t, nearB[0], res.Nodes[0].Location[0], 1e-6)
}

func TestLookupWithoutTags(t *testing.T) {
	e := lookupEngine(t, false)
	require.False(t, e.Tagged())
	res, err := Lookup(t.Context(), e, LookupRequest{Ways: []int64{lookupTown.WayID("abc")}})
	require.NoError(t, err)
	require.Equal(t, []int64{lookupTown.NodeID('a'), lookupTown.NodeID('b'), lookupTown.NodeID('c')}, res.Ways[0].Nodes)
	require.Empty(t, res.Ways[0].Tags)
	q, err := ParseOverpass("node(1);out;")
	require.NoError(t, err)
	_, err = AppendOverpass(t.Context(), e, nil, q, OverpassLimits{})
	require.ErrorIs(t, err, ErrNotImplemented)
}

func TestLookupRefuses(t *testing.T) {
	e := lookupEngine(t, true)
	here, nowhere := orb.Point{1, 1}, orb.Point{200, 1}
	for _, r := range []LookupRequest{
		{Limit: -1},
		{Radius: 5},
		{Around: &here, Radius: -1},
		{Around: &here, Radius: math.NaN()},
		{Around: &here, Radius: math.Inf(1)},
		{Around: &nowhere},
		{Bounds: &orb.Bound{Min: here, Max: nowhere}},
	} {
		_, err := Lookup(t.Context(), e, r)
		require.ErrorIs(t, err, ErrInvalidOptions, "%+v", r)
	}
	_, err := Lookup(t.Context(), e, LookupRequest{Around: &here, Radius: 1e6, Limit: 3})
	require.ErrorIs(t, err, ErrTooBig)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Lookup(gone, e, LookupRequest{})
	require.ErrorIs(t, err, context.Canceled)
	own := errors.New("own")
	require.ErrorIs(t, e.Elements(t.Context(), func(*graph.Elements) error { return own }), own)
	require.PanicsWithValue(t, "own", func() { _ = e.Elements(t.Context(), func(*graph.Elements) error { panic("own") }) })
	require.NoError(t, e.Close())
	_, err = Lookup(t.Context(), e, LookupRequest{})
	require.ErrorIs(t, err, ErrClosed)
}

// TestLookupAllocations holds what a look-up by id in the process of the caller takes.
func TestLookupAllocations(t *testing.T) {
	e := lookupEngine(t, true)
	id, sum := lookupTown.WayID("abc"), 0
	allocs := testing.AllocsPerRun(100, func() {
		require.NoError(t, e.Elements(t.Context(), func(x *graph.Elements) error {
			tags, _ := x.Way(id)
			sum += tags.Len()
			return nil
		}))
	})
	require.LessOrEqual(t, allocs, 2.0)
	require.NotZero(t, sum)
}

func BenchmarkLookup(b *testing.B) {
	var city bytes.Buffer
	require.NoError(b, testmap.City(&city, 50000, 1))
	e := build(b, BuildOptions{Input: "city", Reader: &city, Algorithms: []Algorithm{CH}, Tags: true}, Options{})
	var ids []int64
	require.NoError(b, e.Elements(b.Context(), func(x *graph.Elements) error {
		for i := range 1 << 12 {
			ids = append(ids, x.WayID(graph.WayIndex(i*7919%x.NumWays())))
		}
		return nil
	}))
	b.Run("elements", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				err := e.Elements(b.Context(), func(x *graph.Elements) error {
					if tags, ok := x.Way(ids[i&(len(ids)-1)]); !ok || tags.Len() == 0 {
						return errors.New("no such way")
					}
					return nil
				})
				if err != nil {
					b.Error(err)
				}
			}
		})
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lookups/s")
	})
	b.Run("request", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				res, err := Lookup(b.Context(), e, LookupRequest{Ways: []int64{ids[i&(len(ids)-1)]}})
				if err != nil || len(res.Ways) != 1 {
					b.Error(err)
				}
			}
		})
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lookups/s")
	})
}
