package extract

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
)

func TestMeet(t *testing.T) {
	any := graph.InvalidPlace
	for _, c := range []struct {
		name              string
		from, to          wayPlaces
		at                graph.PlaceID
		ok                bool
		before, via, next graph.PlaceID
	}{
		{"end to start", wayPlaces{1, 2, 3}, wayPlaces{3, 4, 5}, any, true, 2, 3, 4},
		{"end to end", wayPlaces{1, 2, 3}, wayPlaces{5, 4, 3}, any, true, 2, 3, 4},
		{"start to start", wayPlaces{3, 2, 1}, wayPlaces{3, 4, 5}, any, true, 2, 3, 4},
		{"start to end", wayPlaces{3, 2, 1}, wayPlaces{5, 4, 3}, any, true, 2, 3, 4},
		{"apart", wayPlaces{1, 2, 3}, wayPlaces{4, 5}, any, false, 0, 0, 0},
		{"in the middle", wayPlaces{1, 2, 3}, wayPlaces{2, 5}, 2, false, 0, 0, 0},
		{"elsewhere", wayPlaces{1, 2, 3}, wayPlaces{3, 4}, 1, false, 0, 0, 0},
		{"turning round at the end", wayPlaces{1, 2, 3}, wayPlaces{1, 2, 3}, 3, true, 2, 3, 2},
		{"turning round at the start", wayPlaces{1, 2, 3}, wayPlaces{1, 2, 3}, 1, true, 2, 1, 2},
	} {
		before, via, next, ok := meet(c.from, c.to, c.at)
		require.Equal(t, c.ok, ok, c.name)
		if ok {
			require.Equal(t, [3]graph.PlaceID{c.before, c.via, c.next}, [3]graph.PlaceID{before, via, next}, c.name)
		}
	}
}

func TestPathThrough(t *testing.T) {
	path := func(ways ...wayPlaces) []graph.PlaceID {
		r, ok := pathThrough(ways[0], ways[1:len(ways)-1], ways[len(ways)-1])
		if !ok {
			return nil
		}
		return append(append([]graph.PlaceID{r.from}, r.via...), r.to)
	}
	require.Equal(t, []graph.PlaceID{2, 3, 4, 5, 6}, path(wayPlaces{1, 2, 3}, wayPlaces{3, 4, 5}, wayPlaces{5, 6, 7}))
	// Every way may run against the path.
	require.Equal(t, []graph.PlaceID{2, 3, 4, 5, 6}, path(wayPlaces{3, 2, 1}, wayPlaces{5, 4, 3}, wayPlaces{7, 6, 5}))
	require.Equal(t, []graph.PlaceID{1, 2, 3, 4, 5, 6}, path(wayPlaces{1, 2}, wayPlaces{2, 3}, wayPlaces{4, 3}, wayPlaces{4, 5}, wayPlaces{6, 5}))
	require.Nil(t, path(wayPlaces{1, 2}, wayPlaces{3, 4}, wayPlaces{4, 5}))
	require.Nil(t, path(wayPlaces{1, 2}, wayPlaces{2, 3}, wayPlaces{4, 5}, wayPlaces{5, 6}))
	require.Nil(t, path(wayPlaces{1, 2}, wayPlaces{2, 3}, wayPlaces{4, 5}))
}

func TestTurnPathsFollowChains(t *testing.T) {
	p := newTurnPaths([]turnRestriction{
		{from: 2, via: []graph.PlaceID{3}, to: 4},
		{from: 4, via: []graph.PlaceID{3}, to: 2},
		{from: 9, via: []graph.PlaceID{3, 4, 5, 6}, to: 7},
	}, 10)
	p.compress(1, 2, 3)
	p.compress(3, 4, 5)
	p.compress(8, 7, 6)
	require.Equal(t, turnRestriction{from: 1, via: []graph.PlaceID{3}, to: 5}, p.restrictions[0])
	require.Equal(t, turnRestriction{from: 5, via: []graph.PlaceID{3}, to: 1}, p.restrictions[1])
	require.Equal(t, turnRestriction{from: 9, via: []graph.PlaceID{3, 5, 6}, to: 8}, p.restrictions[2])
}
