package routing

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
)

var roadsTown = testmap.Drawing{
	Map: `
		a-b-c-d
		  |   |
		  e   f
		        g-h`,
	Ways: []testmap.Row{
		{"ab", "highway=primary"},
		{"bcd", "highway=primary"},
		{"be", "highway=residential oneway=yes"},
		{"df", "highway=primary"},
		{"gh", "highway=primary"},
	},
	Nodes: []testmap.Row{{"b", "highway=traffic_signals"}},
	Relations: []testmap.Row{
		{"from=ab via=b to=be", "type=restriction restriction=no_right_turn"},
	},
}

// describe names roads by letters.
func (m *town) describe(res *RoadsResponse) []string {
	letter := func(p orb.Point) string {
		for _, l := range "abcdefgh" {
			if at := m.at(l); math.Abs(at[0]-p[0])+math.Abs(at[1]-p[1]) < 1e-6 {
				return string(l)
			}
		}
		return "?"
	}
	var list []string
	for _, r := range res.Roads {
		list = append(list, letter(r.From)+letter(r.To))
	}
	for _, t := range res.Turns {
		list = append(list, fmt.Sprintf("%s %d %+d", letter(t.Location), t.BearingIn, t.Angle))
	}
	return list
}

func TestRoads(t *testing.T) {
	m := draw(t, roadsTown)
	bound := func(letters string) orb.Bound {
		return orb.LineString(m.points(letters)).Bound()
	}
	res, err := Roads(t.Context(), m.Engine, RoadsRequest{Bounds: bound("ah")})
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"ab", "ba", "bc", "cb", "cd", "dc", "be", "df", "fd", "gh", "hg"}, m.describe(res))
	for _, r := range res.Roads {
		require.InDelta(t, 150, r.Length, 51)
		require.Positive(t, r.Duration)
		require.Equal(t, r.Duration, r.Weight)
		require.Equal(t, "lua profile", r.SpeedFrom)
		require.True(t, r.Small)
		require.True(t, r.Start)
		require.NotEqual(t, r.Nodes[0], r.Nodes[1])
	}

	// The turn from a into e is forbidden; the signal at b stands between.
	res, err = Roads(t.Context(), m.Engine, RoadsRequest{Bounds: bound("ah"), Turns: true})
	require.NoError(t, err)
	turns := m.describe(res)[len(res.Roads):]
	require.Contains(t, turns, "b 270 -90", "from c into e")
	require.NotContains(t, turns, "b 90 +90", "from a into e")
	require.Contains(t, turns, "b 90 +0")
	require.Contains(t, turns, "d 90 +90")
	require.Contains(t, turns, "d 0 -90")
	for _, turn := range res.Turns {
		require.GreaterOrEqual(t, turn.Duration, 0.0)
	}

	res, err = Roads(t.Context(), m.Engine, RoadsRequest{Bounds: bound("g"), Turns: true})
	require.NoError(t, err)
	require.Equal(t, []string{"gh", "hg"}, m.describe(res))
	names := map[int64]string{}
	for _, r := range res.Roads {
		names[r.Way] = r.Name
	}
	require.Len(t, names, 2)
	for way, name := range names {
		require.Equal(t, "gh", name)
		require.Contains(t, names, -way, "against the order of nodes")
	}

	res, err = Roads(t.Context(), m.Engine, RoadsRequest{Bounds: orb.Bound{Min: orb.Point{50, 50}, Max: orb.Point{51, 51}}})
	require.NoError(t, err)
	require.Empty(t, res.Roads)
	_, err = Roads(t.Context(), m.Engine, RoadsRequest{Bounds: orb.Bound{Min: orb.Point{500, 0}}})
	require.ErrorIs(t, err, ErrInvalidOptions)
	done, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Roads(done, m.Engine, RoadsRequest{Bounds: bound("ah")})
	require.ErrorIs(t, err, context.Canceled)
}

// TestRoadsWithinCrossings: where two split roads cross, the four pieces in the middle
// are internal.
func TestRoadsWithinCrossings(t *testing.T) {
	m := draw(t, testmap.Drawing{
		Cell: 10,
		Map: `
			    i j
			    | |
			a---b-c---d
			    | |
			e---f-g---h
			    | |
			    k l`,
		Ways: []testmap.Row{
			{"dcba", "highway=primary name=West oneway=yes"},
			{"efgh", "highway=primary name=West oneway=yes"},
			{"ibfk", "highway=primary name=North oneway=yes"},
			{"lgcj", "highway=primary name=North oneway=yes"},
		},
	})
	res, err := Roads(t.Context(), m.Engine, RoadsRequest{Bounds: orb.LineString(m.points("il")).Bound().Extend(m.at('a')).Extend(m.at('h'))})
	require.NoError(t, err)
	internal := map[string]bool{}
	for _, r := range res.Roads {
		name := func(p orb.Point) string {
			for _, l := range "abcdefghijkl" {
				if at := m.at(l); math.Abs(at[0]-p[0])+math.Abs(at[1]-p[1]) < 1e-6 {
					return string(l)
				}
			}
			return "?"
		}
		if r.Internal {
			internal[name(r.From)+name(r.To)] = true
		}
	}
	require.Equal(t, map[string]bool{"cb": true, "fg": true, "bf": true, "gc": true}, internal)
}
