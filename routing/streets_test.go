package routing

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/testmap"
)

var streetsTown = testmap.Drawing{
	Map: `
		a-b-c-d-e
		  |   |
		  f   g-h
		      |
		i     j`,
	Ways: []testmap.Row{
		{"abc", "highway=primary name=Main ref=1"},
		{"cde", "highway=primary name=Main ref=1"},
		{"fb", "highway=residential name=Lane oneway=yes"},
		{"gd", "highway=motorway_link oneway=yes"},
		{"gh", "highway=service"},
		{"jg", "highway=tertiary oneway=-1 name=Back"},
		{"ij", "route=ferry name=Boat"},
	},
}

// drawn writes streets as letters, their class and traits.
func (m *town) drawn(streets []Street) []string {
	var list []string
	for _, s := range streets {
		var b strings.Builder
		for _, p := range s.Line {
			for _, l := range "abcdefghij" {
				if at := m.at(l); math.Abs(at[0]-p[0])+math.Abs(at[1]-p[1]) < 1e-5 {
					b.WriteRune(l)
				}
			}
		}
		b.WriteString(" " + s.Class.String() + " " + s.Name + " " + s.Ref)
		if s.Link {
			b.WriteString(" link")
		}
		if s.OneWay {
			b.WriteString(" oneway")
		}
		list = append(list, strings.Join(strings.Fields(b.String()), " "))
	}
	return list
}

func TestStreets(t *testing.T) {
	m := draw(t, streetsTown)
	all := orb.LineString(m.points("aeij")).Bound()
	ask := func(zoom int) []string {
		res, err := Streets(t.Context(), m.Engine, StreetsRequest{Bounds: all, Zoom: zoom})
		require.NoError(t, err)
		return m.drawn(res.Streets)
	}
	detail := []string{
		"abcde primary Main 1", // of two ways
		"fb minor Lane oneway", "gj tertiary Back oneway", "ij ferry Boat",
	}
	require.ElementsMatch(t, append(detail, "gd motorway gd link oneway", "gh service gh"), ask(16))
	require.ElementsMatch(t, append(detail, "gd motorway gd link oneway"), ask(DetailZoom), "services are too small")

	// Below there are neither names nor ramps, and the straight road needs its ends alone.
	require.ElementsMatch(t, []string{"ae primary 1", "gj tertiary oneway", "ij ferry"}, ask(DetailZoom-1))
	require.Empty(t, ask(6), "less than a pixel")

	res, err := Streets(t.Context(), m.Engine, StreetsRequest{Bounds: orb.Bound{Min: orb.Point{50, 50}, Max: orb.Point{51, 51}}, Zoom: 14})
	require.NoError(t, err)
	require.Empty(t, res.Streets)
	_, err = Streets(t.Context(), m.Engine, StreetsRequest{Bounds: orb.Bound{Min: orb.Point{500, 0}}})
	require.ErrorIs(t, err, ErrInvalidOptions)
	done, cancel := context.WithCancel(t.Context())
	cancel()
	for _, zoom := range []int{11, 14} {
		_, err = Streets(done, m.Engine, StreetsRequest{Bounds: all, Zoom: zoom})
		require.ErrorIs(t, err, context.Canceled)
	}
}

// TestStreetsAreCut: only what is near the rectangle comes along.
func TestStreetsAreCut(t *testing.T) {
	m := draw(t, streetsTown)
	res, err := Streets(t.Context(), m.Engine, StreetsRequest{Bounds: orb.LineString(m.points("ab")).Bound(), Zoom: 15})
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"abc primary Main 1", "fb minor Lane oneway"}, m.drawn(res.Streets))
}

// line makes one of places, which are numbers.
func line(t streetTraits, places ...graph.PlaceID) streetLine { return streetLine{t, places} }

func TestJoinStreets(t *testing.T) {
	two, one := streetTraits{Name: 1}, streetTraits{Name: 1, OneWay: true}
	for name, c := range map[string]struct{ lines, want []streetLine }{
		"one after the other": {
			[]streetLine{line(two, 1, 2), line(two, 2, 3, 4), line(two, 4, 5)},
			[]streetLine{line(two, 1, 2, 3, 4, 5)},
		},
		"from the middle, turned": {
			[]streetLine{line(two, 3, 2), line(two, 3, 4), line(two, 1, 2)},
			[]streetLine{line(two, 4, 3, 2, 1)},
		},
		"three meet": {
			[]streetLine{line(two, 1, 2), line(two, 2, 3), line(two, 2, 4)},
			[]streetLine{line(two, 1, 2), line(two, 2, 3), line(two, 2, 4)},
		},
		"another meets": {
			[]streetLine{line(two, 1, 2), line(two, 2, 3), line(streetTraits{Name: 2}, 2, 4)},
			[]streetLine{line(two, 1, 2, 3), line(streetTraits{Name: 2}, 2, 4)},
		},
		"one way": {
			[]streetLine{line(one, 2, 3), line(one, 1, 2)},
			[]streetLine{line(one, 1, 2, 3)},
		},
		"one ways against one another": {
			[]streetLine{line(one, 1, 2), line(one, 3, 2)},
			[]streetLine{line(one, 1, 2), line(one, 3, 2)},
		},
		"a ring": {
			[]streetLine{line(two, 1, 2), line(two, 2, 3), line(two, 3, 1)},
			[]streetLine{line(two, 2, 3, 1, 2)},
		},
		"a ring of one": {
			[]streetLine{line(two, 1, 2, 3, 1)},
			[]streetLine{line(two, 1, 2, 3, 1)},
		},
		"none": {nil, []streetLine{}},
	} {
		require.Equal(t, c.want, joinStreets(c.lines), name)
	}
}

// TestJoinStreetsEnds: lines of lines end somewhere, and nothing is lost.
func TestJoinStreetsEnds(t *testing.T) {
	var lines []streetLine
	for i := range graph.PlaceID(2000) {
		lines = append(lines, line(streetTraits{}, i, i+1))
	}
	joined := joinStreets(lines)
	require.Len(t, joined, 4)
	at := graph.PlaceID(0)
	for _, l := range joined {
		require.LessOrEqual(t, len(l.places), longestStreet)
		for _, p := range l.places {
			require.Equal(t, at, p)
			at++
		}
		at--
	}
	require.EqualValues(t, 2000, at)
}

func TestCurve(t *testing.T) {
	require.EqualValues(t, 0b0101, spread(0b11))
	require.Equal(t, uint64(0x5555555555555555), spread(math.MaxUint32))
	corner := geo.FromLonLat(-180, -85)
	low := geoBox{corner, corner}
	corner = geo.FromLonLat(180, 85)
	high := geoBox{corner, corner}
	require.Less(t, low.curve(), high.curve())
}

// TestStreetsOfDelaware: each zoom shows what it should, the same twice.
func TestStreetsOfDelaware(t *testing.T) {
	e := delawares(t)[0]
	before := 0
	for zoom := range DetailZoom {
		ask := func() *StreetsResponse {
			res, err := Streets(t.Context(), e, StreetsRequest{Bounds: e.Info().Bounds, Zoom: zoom})
			require.NoError(t, err)
			return res
		}
		res := ask()
		require.Equal(t, res, ask())
		points := 0
		for _, s := range res.Streets {
			require.GreaterOrEqual(t, len(s.Line), 2)
			require.False(t, s.Link)
			points += len(s.Line)
		}
		require.GreaterOrEqual(t, points, before, zoom)
		require.Less(t, points, 60_000)
		before = points
	}
}
