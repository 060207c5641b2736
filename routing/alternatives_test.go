package routing

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
)

// TestAlternatives: the first route is that without alternatives, the others differ,
// and three coordinates have one route.
func TestAlternatives(t *testing.T) {
	engines := cities(t)
	if !testing.Short() {
		engines = append(engines, delawares(t)...)
	}
	for i, e := range engines {
		t.Run(fmt.Sprint(i, " ", e.current.Load().info.Algorithm), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(21, 22))
			found := 0
			for range 60 {
				points := scatter(rng, e, 3)
				r := RouteRequest{Coordinates: points[:2]}
				alone, err := Route(t.Context(), e, r)
				if errors.Is(err, ErrNoRoute) {
					continue
				}
				require.NoError(t, err)
				r.Alternatives = 3
				res, err := Route(t.Context(), e, r)
				require.NoError(t, err)
				require.Equal(t, alone.Routes[0], res.Routes[0])
				require.LessOrEqual(t, len(res.Routes), 4)
				for i := range res.Routes[1:] {
					a := &res.Routes[1+i]
					found++
					require.Len(t, a.Legs, 1)
					require.GreaterOrEqual(t, a.Weight, res.Routes[0].Weight)
					require.LessOrEqual(t, a.Duration, 2*res.Routes[0].Duration+0.1)
					for j := range 1 + i {
						require.NotEqual(t, res.Routes[j].Geometry, a.Geometry)
					}
				}
				again, err := Route(t.Context(), e, r)
				require.NoError(t, err)
				require.Equal(t, res, again)
				r.Coordinates = points
				if res, err := Route(t.Context(), e, r); err == nil {
					require.Len(t, res.Routes, 1)
				}
			}
			require.Positive(t, found)
		})
	}
}

// An alternative that has nothing in common with the shortest way is one, however small
// the map and whatever its cells.
func TestAlternativeOfASmallMap(t *testing.T) {
	block := testmap.Drawing{
		Map: `
			    b c d
			  a   k     z
			    g h i j`,
		Cell: 400,
		Ways: []testmap.Row{
			{"ab", ""},
			{"bc", ""},
			{"cd", ""},
			{"dz", ""},
			{"ag", ""},
			{"gh", ""},
			{"ck", ""},
			{"kh", ""},
			{"hi", ""},
			{"ij", ""},
			{"jz", ""},
		},
	}
	text, err := block.OSM()
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "block")
	_, err = Extract(t.Context(), BuildOptions{Reader: bytes.NewReader(text), Input: "block.osm", Output: name, SmallComponent: 1})
	require.NoError(t, err)
	for _, sizes := range [][]int{{2, 4, 8, 16}, {16}, {1000}} {
		_, err = Partition(t.Context(), StepOptions{Input: name, CellSizes: sizes})
		require.NoError(t, err)
		_, err = Customize(t.Context(), StepOptions{Input: name})
		require.NoError(t, err)
		e, err := Open(name, Options{Algorithm: MLD})
		require.NoError(t, err)
		m := town{e, t, block}
		for _, ends := range []string{"az", "za"} {
			res := m.route(ends, func(r *RouteRequest) { r.Alternatives = 1 })
			require.Len(t, res.Routes, 2, "%s %v", ends, sizes)
		}
		require.NoError(t, e.Close())
	}
}
