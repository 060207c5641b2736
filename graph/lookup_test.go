package graph

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/packed"
)

// scattered makes elements of random ways between random places around a center, which
// may be where longitudes or latitudes end.
func scattered(rng *rand.Rand, center geo.Coord, spread float64, places, ways int) *Elements {
	n := &Network{}
	for range places {
		lon, lat := center.LonLat()
		lon += spread * (rng.Float64() - 0.5)
		lat += spread * (rng.Float64() - 0.5)
		if lon > 180 {
			lon -= 360
		}
		n.Coords = append(n.Coords, geo.FromLonLat(lon, max(-90, min(90, lat))))
	}
	ids := make([]int64, places)
	for i := range ids {
		ids[i] = int64(i)*1000 + rng.Int64N(1000)
	}
	n.OSMNodes = packed.NewInts(ids)
	d := ElementData{WayFirst: []uint32{0}, Tags: &TagData{
		Strings: Strings{First: []uint32{0, 0}}, SetFirst: []uint32{0, 0},
	}}
	for range ways {
		at := rng.IntN(places)
		for range 2 + rng.IntN(6) {
			if rng.IntN(20) == 0 {
				d.Refs = append(d.Refs, InvalidPlace)
				d.Missing = append(d.Missing, 1<<40+rng.Int64N(50))
				continue
			}
			d.Refs = append(d.Refs, PlaceID(at))
			at = rng.IntN(places)
		}
		d.WayIDs = append(d.WayIDs, rng.Int64N(1<<35))
		d.WayFirst = append(d.WayFirst, uint32(len(d.Refs)))
		d.Tags.WaySets = append(d.Tags.WaySets, 0)
	}
	return NewElements(n, d)
}

// TestLookupsAgainstScans compares what indexes find with a look at all, around the
// date line and the pole too.
func TestLookupsAgainstScans(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, center := range []geo.Coord{geo.FromLonLat(7, 50), geo.FromLonLat(180, -17), geo.FromLonLat(20, 89.9), geo.FromLonLat(0, 0)} {
		for _, size := range []int{1, 15, 300} {
			e := scattered(rng, center, 0.3, size, size/2)
			require.NoError(t, e.Check())
			for range 25 {
				a, b := e.Network().Coords[rng.IntN(size)], e.Network().Coords[rng.IntN(size)]
				box := Box{Min: geo.Coord{Lon: a.Lon, Lat: min(a.Lat, b.Lat)}, Max: geo.Coord{Lon: b.Lon, Lat: max(a.Lat, b.Lat)}}
				if d := int64(b.Lon) - int64(a.Lon); d < 0 && d > -180e6 || d > 180e6 { // the shorter way round
					box.Min.Lon, box.Max.Lon = b.Lon, a.Lon
				}
				radius := math.Pow(10, 5*rng.Float64())
				var nodesIn, nodesNear []PlaceID
				for p := range PlaceID(e.NumNodes()) {
					if c := e.Network().Coords[p]; c.Lat >= box.Min.Lat && c.Lat <= box.Max.Lat &&
						(box.Min.Lon <= box.Max.Lon && c.Lon >= box.Min.Lon && c.Lon <= box.Max.Lon ||
							box.Min.Lon > box.Max.Lon && (c.Lon >= box.Min.Lon || c.Lon <= box.Max.Lon)) {
						nodesIn = append(nodesIn, p)
						require.True(t, e.NodeIn(p, box))
					}
					if geo.Haversine(a, e.Network().Coords[p]) <= radius {
						nodesNear = append(nodesNear, p)
						require.True(t, e.NodeNear(p, a, radius))
					}
				}
				var waysIn, waysNear []WayIndex
				for w := range WayIndex(e.NumWays()) {
					if e.WayIn(w, box) {
						waysIn = append(waysIn, w)
					}
					// Ways over the date line are not drawn as one segment.
					if e.WayNear(w, a, radius) && math.Abs(float64(center.Lon)) < 179e6 && center.Lat < 89e6 {
						waysNear = append(waysNear, w)
					}
					for _, r := range e.Refs(w) {
						if p, ok := e.Place(r); ok && slices.Contains(nodesIn, p) {
							require.True(t, e.WayIn(w, box))
						}
					}
				}
				gotNodes, err := e.AppendNodesIn(t.Context(), nil, box)
				require.NoError(t, err)
				require.Equal(t, nodesIn, gotNodes)
				gotNodes, err = e.AppendNodesAround(t.Context(), []PlaceID{7}, a, radius)
				require.NoError(t, err)
				require.Equal(t, append([]PlaceID{7}, nodesNear...), gotNodes)
				gotWays, err := e.AppendWaysIn(t.Context(), nil, box)
				require.NoError(t, err)
				require.Equal(t, waysIn, gotWays)
				gotWays, err = e.AppendWaysAround(t.Context(), nil, a, radius)
				require.NoError(t, err)
				if math.Abs(float64(center.Lon)) < 179e6 && center.Lat < 89e6 {
					require.Equal(t, waysNear, gotWays)
				}
			}
		}
	}
}

func TestFindIDs(t *testing.T) {
	e := scattered(rand.New(rand.NewPCG(1, 1)), geo.Coord{}, 1, 1000, 500)
	for p := range PlaceID(e.NumNodes()) {
		id := e.NodeID(p)
		found, ok := e.FindNode(id)
		require.True(t, ok)
		require.Equal(t, p, found)
		for _, other := range []int64{id - 1, id + 1} {
			found, ok := e.FindNode(other)
			require.Equal(t, ok, ok && e.NodeID(found) == other)
		}
	}
	for w := range WayIndex(e.NumWays()) {
		found, ok := e.FindWay(e.WayID(w))
		require.True(t, ok)
		require.Equal(t, w, found)
	}
	for _, id := range []int64{math.MinInt64, -1, math.MaxInt64} {
		_, ok := e.FindNode(id)
		require.False(t, ok)
		_, ok = e.FindWay(id)
		require.False(t, ok)
	}
	var none Elements
	_, ok := none.FindWay(1)
	require.False(t, ok)
}

func TestLookupsStop(t *testing.T) {
	e := scattered(rand.New(rand.NewPCG(1, 1)), geo.Coord{}, 1, 10, 10)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	all := Box{Min: geo.Coord{Lon: -180e6, Lat: -90e6}, Max: geo.Coord{Lon: 180e6, Lat: 90e6}}
	nodes, err := e.AppendNodesIn(gone, []PlaceID{1}, all)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []PlaceID{1}, nodes)
	_, err = e.AppendWaysAround(gone, nil, geo.Coord{}, 1e9)
	require.ErrorIs(t, err, context.Canceled)
	nodes, err = e.AppendNodesAround(t.Context(), nil, geo.Coord{}, math.Inf(1))
	require.NoError(t, err)
	require.Len(t, nodes, 10)
	for _, radius := range []float64{-1, math.NaN()} {
		nodes, err = e.AppendNodesAround(t.Context(), nil, geo.Coord{}, radius)
		require.NoError(t, err)
		require.Empty(t, nodes)
	}
}

// TestLookupsDoNotAllocate holds look-ups by id, and those into a caller's memory.
func TestLookupsDoNotAllocate(t *testing.T) {
	e := scattered(rand.New(rand.NewPCG(1, 1)), geo.Coord{}, 1, 500, 500)
	var (
		ids    []int64
		coords []geo.Coord
		nodes  []PlaceID
		ways   []WayIndex
		i      uint32
	)
	box := Box{Min: geo.Coord{Lon: -50000, Lat: -50000}, Max: geo.Coord{Lon: 50000, Lat: 50000}}
	look := func() {
		i = (i*7 + 1) % 500
		p, ok := e.FindNode(e.NodeID(PlaceID(i)))
		require.True(t, ok)
		_, ok = e.Node(e.NodeID(p))
		require.True(t, ok)
		w, ok := e.FindWay(e.WayID(WayIndex(i)))
		require.True(t, ok)
		_, ok = e.Way(e.WayID(w))
		require.True(t, ok)
		ids = e.AppendWayNodes(ids[:0], w)
		coords = e.AppendWayCoords(coords[:0], w)
		ways = append(ways[:0], e.WaysOf(p)...)
		nodes, _ = e.AppendNodesIn(t.Context(), nodes[:0], box)
		nodes, _ = e.AppendNodesAround(t.Context(), nodes[:0], geo.Coord{}, 3000)
		ways, _ = e.AppendWaysAround(t.Context(), ways[:0], geo.Coord{}, 300)
	}
	for range 500 {
		look() // until memory is large enough
	}
	require.Zero(t, testing.AllocsPerRun(100, look))
}

func BenchmarkFindNode(b *testing.B) {
	e := scattered(rand.New(rand.NewPCG(1, 1)), geo.Coord{}, 1, 300_000, 10)
	ids := make([]int64, 1<<16)
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range ids {
		ids[i] = e.NodeID(PlaceID(rng.IntN(e.NumNodes())))
	}
	i := 0
	for b.Loop() {
		_, ok := e.FindNode(ids[i&(len(ids)-1)])
		if !ok {
			b.Fatal(ids[i&(len(ids)-1)])
		}
		i++
	}
}
