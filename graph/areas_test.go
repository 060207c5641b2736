package graph

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/polygon"
)

// randomAreas are squares of many sizes, which may overlap, with a hole in each.
func randomAreas(rng *rand.Rand, n int) []Area {
	var list []Area
	for range n {
		x, y, size := rng.Int32N(20_000), rng.Int32N(20_000), 300+rng.Int32N(4000)
		at := func(dx, dy int32) geo.Coord {
			return geo.Coord{Lon: x + dx*(size/6), Lat: y + dy*(size/6)}
		}
		a := Area{
			Shape: polygon.Polygon{
				Vertices: []geo.Coord{
					at(0, 0), at(3, 1), at(6, 0), at(6, 6), at(0, 6), // a dent in the south
					at(2, 2), at(3, 4), at(4, 2),
				},
				Ends: []uint32{5, 8},
			},
			Places: make([]PlaceID, 8),
			Gates:  []uint32{0, 1, 5, 6, 7},
			Speed:  1.4, Rate: 1.4,
		}
		if rng.IntN(4) > 0 {
			a.Graph = a.Shape.NewGraph()
		}
		list = append(list, a)
	}
	return list
}

func TestAreasKeepTheirParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	list := randomAreas(rng, 300)
	for i := range list {
		list[i].Name, list[i].Speed = StringID(i), float64(i+1)
	}
	a := BuildAreas(list)
	require.Equal(t, len(list), a.Len())
	for i := range a.Len() {
		id := AreaID(i)
		want := &list[a.Name(id)]
		require.Equal(t, want.Shape, a.Shape(id))
		require.Equal(t, want.Gates, a.Gates(id))
		g := a.Graph(id)
		require.Equal(t, len(want.Graph.Corners), len(g.Corners))
		for k := range g.Corners {
			require.Equal(t, want.Graph.Corners[k], g.Corners[k])
			require.Equal(t, want.Graph.Heads[want.Graph.First[k]:want.Graph.First[k+1]], g.Heads[g.First[k]:g.First[k+1]])
		}
		require.Equal(t, want.Places[3], a.Place(id, 3))
		w := a.Walk(id, 100, 2)
		require.Equal(t, Distance(10_000), w.Distance)
		require.InDelta(t, 1000/want.Speed, float64(w.Duration), 0.5)
		require.InDelta(t, 10_000/want.Rate, float64(w.Weight), 0.5)
	}
	require.Zero(t, (&Areas{}).Len())
}

func TestAppendAround(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	for _, n := range []int{0, 1, 15, 16, 17, 300} {
		a := BuildAreas(randomAreas(rng, n))
		found := 0
		for range 2000 {
			c := geo.Coord{Lon: rng.Int32N(22_000), Lat: rng.Int32N(22_000)}
			if n > 0 && rng.IntN(4) == 0 {
				v := rng.IntN(len(a.vertices) - 1)
				c = geo.Middle(a.vertices[v], a.vertices[v+1])
				if rng.IntN(2) == 0 {
					c = a.vertices[v]
				}
			}
			var want []AreaID
			for i := range a.Len() {
				s := a.Shape(AreaID(i))
				if where := s.Locate(c); where == polygon.Inside || where == polygon.OnEdge {
					want = append(want, AreaID(i))
				}
			}
			got := a.AppendAround(nil, c)
			require.Equal(t, want, got)
			require.True(t, slices.IsSorted(got))
			found += len(got)
		}
		require.Equal(t, n > 0, found > 0)
	}
}

// Each fault of the areas is found.
func TestAreasCheck(t *testing.T) {
	for name, damage := range map[string]func(a *Areas){
		"records out of order": func(a *Areas) { a.records[1].Vertex, a.records[2].Vertex = a.records[2].Vertex, a.records[1].Vertex },
		"no speed":             func(a *Areas) { a.records[1].Speed = 0 },
		"no rate":              func(a *Areas) { a.records[1].Rate = -1 },
		"name":                 func(a *Areas) { a.records[1].Name = 1 << 30 },
		"short ring":           func(a *Areas) { a.rings[2] = 2 },
		"long ring":            func(a *Areas) { a.rings[3] = 9 },
		"uncovered vertices":   func(a *Areas) { a.rings[3] = 8 - 1 },
		"place":                func(a *Areas) { a.places[5] = InvalidPlace },
		"gate":                 func(a *Areas) { a.gates[3] = 8 },
		"corner":               func(a *Areas) { a.corners[1] = 8 },
		"sight":                func(a *Areas) { a.sights[2] = 1 << 20 },
		"head":                 func(a *Areas) { a.heads[0] = 99 },
		"bounds":               func(a *Areas) { a.bounds[1].MaxX++ },
		"boxes":                func(a *Areas) { a.boxes[0].MinX-- },
		"vertices":             func(a *Areas) { a.vertices = a.vertices[1:] },
		"gates":                func(a *Areas) { a.gates = a.gates[1:] },
	} {
		n, _ := fileMap(t)
		require.NoError(t, n.Check())
		damage(&n.Areas)
		require.ErrorIs(t, n.Check(), ErrCorrupt, name)
	}
}

func TestAppendAroundDoesNotAllocate(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	a := BuildAreas(randomAreas(rng, 1000))
	around := make([]AreaID, 0, 100)
	require.Zero(t, testing.AllocsPerRun(100, func() { around = a.AppendAround(around[:0], geo.Coord{Lon: 10_000, Lat: 10_000}) }))
}

func BenchmarkAppendAround(b *testing.B) {
	rng := rand.New(rand.NewPCG(35, 36))
	a := BuildAreas(randomAreas(rng, 100_000))
	var around []AreaID
	for i := int32(0); b.Loop(); i++ {
		around = a.AppendAround(around[:0], geo.Coord{Lon: i % 22_000, Lat: i * 7 % 22_000})
	}
}
