package matching

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// street is a candidate on a chain that is open in both directions.
func street(chain int, distance float64) graph.Phantom {
	p := spot(2*chain, distance)
	p.Chain = graph.ChainID(chain)
	p.Nodes[1] = p.Nodes[0] + 1
	p.Source[1], p.Target[1] = true, true
	return p
}

func TestCandidates(t *testing.T) {
	found := []graph.Phantom{street(7, 1), spot(9, 1), street(7, 2), street(3, 4)}
	turning := Candidates(append([]graph.Phantom(nil), found...), true)
	require.Equal(t, []graph.Phantom{street(7, 1), spot(9, 1), street(3, 4)}, turning)

	var nodes [][2]graph.NodeID
	for _, c := range Candidates(found, false) {
		nodes = append(nodes, c.Nodes)
		for d, v := range c.Nodes {
			require.Equal(t, v != graph.InvalidNode, c.Source[d])
			require.Equal(t, v != graph.InvalidNode, c.Target[d])
		}
	}
	const none = graph.InvalidNode
	require.Equal(t, [][2]graph.NodeID{{14, none}, {9, none}, {none, 15}, {6, none}, {none, 7}}, nodes)
	require.Empty(t, Candidates(nil, false))
}

func TestTurnsBack(t *testing.T) {
	at := func(x, y float64) geo.Coord { return geo.FromLonLat(x/1000, y/1000) }
	b := at(0, 0)
	require.True(t, TurnsBack(at(1, 0), b, at(1, 0)))
	require.True(t, TurnsBack(at(1, 0), b, at(1, 0.9)))
	require.True(t, TurnsBack(at(1, 0), b, at(1, -0.9)))
	require.False(t, TurnsBack(at(1, 0), b, at(1, 1.1)))
	require.False(t, TurnsBack(at(1, 0), b, at(-1, 0)))
	require.False(t, TurnsBack(b, b, at(1, 0)), "who stands does not turn")
}

func TestTidy(t *testing.T) {
	var places []geo.Coord
	var times []int64
	for i := range 9 {
		places = append(places, east(float64(i)*6))
		times = append(times, int64(i))
	}
	require.Equal(t, []int{0, 3, 6, 8}, Tidy(nil, places, nil), "15 m are three times 6 m")
	require.Equal(t, []int{0, 5, 8}, Tidy(nil, places, times), "and 5 s")
	require.Equal(t, []int{0, 1}, Tidy(nil, places[:2], nil), "both ends stay")
	require.Equal(t, []int{0}, Tidy(nil, places[:1], nil))
	require.Equal(t, []int{9}, Tidy([]int{9}, nil, nil))
	// The way counts, not the distance from the last place that stayed.
	back := []geo.Coord{east(0), east(8), east(0), east(8), east(8)}
	require.Equal(t, []int{0, 2, 4}, Tidy(nil, back, nil))
}
