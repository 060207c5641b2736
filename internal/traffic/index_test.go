package traffic

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/packed"
)

// Nodes are found wherever their ids lie.
func TestPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, ids := range map[string][]int64{
		"none": {}, "one": {7}, "dense": {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
		"ends": {math.MinInt64, -1, 0, 1, math.MaxInt64}, "random": nil, "clustered": nil,
	} {
		switch name {
		case "random":
			for range 1000 {
				ids = append(ids, rng.Int64N(1e10)-5e9)
			}
		case "clustered":
			for range 500 {
				ids = append(ids, rng.Int64N(3000), 1e12+rng.Int64N(1000))
			}
		}
		slices.Sort(ids)
		ids = slices.Compact(ids)
		for _, shuffled := range []bool{false, true} {
			if shuffled {
				rng.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
			}
			n := &graph.Network{Coords: make([]geo.Coord, len(ids)), OSMNodes: packed.NewInts(ids), ChainFirst: []uint32{0}}
			x := NewIndex(n)
			for i, id := range ids {
				require.Equal(t, graph.PlaceID(i), x.place(id), "%s: %d", name, id)
				for _, near := range []int64{id - 1, id + 1, id + 1000} {
					if !slices.Contains(ids, near) {
						require.Equal(t, graph.InvalidPlace, x.place(near), "%s: %d", name, near)
					}
				}
			}
			require.Equal(t, graph.InvalidPlace, x.place(123456789))
		}
	}
}
