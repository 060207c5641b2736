package plot

import (
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestChart(t *testing.T) {
	x := []float64{1e5, 1e6, 2e7}
	y := make([]float64, len(x))
	for i := range x {
		y[i] = 3e-6 * math.Pow(x[i], 1.25)
	}
	panels := []Panel{
		{Title: "Build <stages>", X: "nodes", Y: "seconds", Series: []Series{
			{Name: "contract", X: x, Y: y},
			{Name: "contract, mosaic", X: x[:2], Y: y[:2], Second: true},
		}},
		{Title: "One", Series: []Series{{Name: "lone", X: x[:1], Y: y[:1], Color: 9}}},
		{Title: "None"},
	}
	var b, again strings.Builder
	require.NoError(t, Write(&b, panels))
	require.NoError(t, Write(&again, panels))
	require.Equal(t, b.String(), again.String())
	svg := b.String()
	// What is drawn is well formed, and inside the drawing.
	dec := xml.NewDecoder(strings.NewReader(svg))
	circles, squares := 0, 0
	for {
		token, err := dec.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		if e, ok := token.(xml.StartElement); ok {
			switch e.Name.Local {
			case "circle":
				circles++
			case "rect":
				squares++
			}
		}
	}
	require.Equal(t, 3+1+1+1, circles, "points and legends")
	require.Equal(t, 1+2+1, squares)
	require.Contains(t, svg, "contract: n^1.25")
	require.Contains(t, svg, "contract, mosaic: n^1.25")
	require.Contains(t, svg, ">lone<")
	require.Contains(t, svg, "Build &lt;stages&gt;")
	require.Contains(t, svg, ">10M<")
	require.NotContains(t, svg, "NaN")
	require.NotContains(t, svg, "Inf")
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{0.001: "0.001", 5: "5", 1000: "1k", 2e7: "20M", 1e9: "1G", 1e-7: "1e-07"} {
		require.Equal(t, want, short(v))
	}
}
