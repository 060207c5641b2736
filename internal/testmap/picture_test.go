package testmap

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"
)

func TestPicture(t *testing.T) {
	d := Drawing{
		Map: `
			a-b-c
			  |
			  d`,
		Ways: []Row{{"abc", `name="A & B" ref=7`}, {"bd", "highway=motorway_link"}, {"da", "highway=path oneway=-1 name="}},
	}
	position := func(letter rune) orb.Point {
		lon, lat, ok := d.Position(letter)
		require.True(t, ok)
		return orb.Point{lon, lat}
	}
	p := Picture{
		Title: "right turn <1>", Drawing: d, Line: orb.LineString{position('a'), position('b'), position('d')},
		Turns: []PictureTurn{
			{At: position('a'), After: 90, Depart: true, Text: "depart"},
			{At: position('b'), Before: 90, After: 180, Text: "turn right"},
			{At: position('d'), Before: 180, Arrive: true, Text: "arrive"},
		},
	}
	svg, err := p.SVG()
	require.NoError(t, err)
	for reader := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		if _, err := reader.Token(); err == io.EOF {
			break
		} else {
			require.NoError(t, err)
		}
	}
	for _, want := range []string{
		"right turn &lt;1&gt;", "A &amp; B 7</text>", "2. turn right", "bd →</text>", ">→</text>",
		`points="50.0,68.0 150.0,68.0 150.0,268.0 "`, // the route
		`points="124.0,68.0 150.0,68.0 150.0,94.0 "`, // the arrow of the turn
	} {
		require.Contains(t, string(svg), want)
	}
	_, err = (&Picture{Title: "x"}).SVG()
	require.ErrorContains(t, err, "no places")
	_, err = (&Picture{Drawing: Drawing{Map: "a-b", Ways: []Row{{"ax"}}}}).SVG()
	require.ErrorContains(t, err, "no x in the map")
	_, err = (&Picture{Drawing: Drawing{Map: "a-b", Ways: []Row{{"ab", "oneway"}}}}).SVG()
	require.ErrorContains(t, err, "no key=value")
}
