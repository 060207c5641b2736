package plot

import (
	"bytes"
	"encoding/xml"
	"image/color"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"
)

var (
	red  = color.NRGBA{0xff, 0, 0, 0xff}
	blue = color.NRGBA{0, 0, 0xff, 0x80}
)

var unit = orb.Bound{Min: orb.Point{0, 0}, Max: orb.Point{1, 1}}

// pixels are a map's as PNG has them.
func pixels(t *testing.T, m *Map) func(x, y int) color.RGBA {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, m.WritePNG(&b))
	img, err := png.Decode(&b)
	require.NoError(t, err)
	require.Equal(t, m.Width, img.Bounds().Dx())
	require.Equal(t, m.Height, img.Bounds().Dy())
	return func(x, y int) color.RGBA { return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA) }
}

func TestMapLine(t *testing.T) {
	m := NewMap(unit, 100)
	require.Equal(t, 100, m.Width)
	require.InDelta(t, 100, m.Height, 1)
	m.Line(orb.LineString{{0.2, 0.5}, {0.8, 0.5}}, red, 6)
	m.Line(orb.LineString{{5, 5}, {6, 6}}, red, 6)
	at := pixels(t, m)
	bare := color.RGBA{paper.R, paper.G, paper.B, 0xff}
	full := color.RGBA{0xff, 0, 0, 0xff}
	require.Equal(t, full, at(50, 50))
	require.Equal(t, full, at(21, 49))
	require.Equal(t, bare, at(50, 40))
	require.Equal(t, bare, at(10, 50))
	// The rim is soft, and as much is covered as the line is wide.
	sum := 0.0
	for y := range m.Height {
		sum += float64(paper.G-at(50, y).G) / float64(paper.G)
	}
	require.InDelta(t, 6, sum, 0.1)
}

func TestMapThinLine(t *testing.T) {
	m := NewMap(unit, 100)
	m.Line(orb.LineString{{0, 0.5}, {1, 0.5}}, red, 0.5)
	at := pixels(t, m)
	most := 0
	for y := range m.Height {
		most = max(most, int(paper.G)-int(at(50, y).G))
	}
	require.Greater(t, most, 60)
	require.Less(t, most, 140)
}

// TestMapArea: an area covers as much as it should, but not its hole.
func TestMapArea(t *testing.T) {
	m := NewMap(unit, 200)
	m.Area(orb.MultiPolygon{{
		{{0.1, 0.1}, {0.9, 0.1}, {0.9, 0.9}, {0.1, 0.9}, {0.1, 0.1}},
		{{0.4, 0.4}, {0.4, 0.6}, {0.6, 0.6}, {0.6, 0.4}, {0.4, 0.4}},
	}}, blue)
	at := pixels(t, m)
	require.Equal(t, paper.R, at(100, 100).R, "the hole")
	require.Equal(t, paper.R, at(5, 100).R)
	require.InDelta(t, float64(paper.R)/2, float64(at(50, 100).R), 2, "half of it shows through")
	sum := 0.0
	for y := range m.Height {
		for x := range m.Width {
			sum += 2 * float64(int(paper.R)-int(at(x, y).R)) / float64(paper.R)
		}
	}
	require.InDelta(t, (0.64-0.04)*200*200, sum, 250)
}

// TestMapBeyond: what reaches out of the picture is cut.
func TestMapBeyond(t *testing.T) {
	m := NewMap(unit, 50)
	m.Line(orb.LineString{{-100, -80}, {100, 80}}, red, 3)
	m.Area(orb.MultiPolygon{{{{-9, -9}, {9, -9}, {9, 9}, {-9, 9}, {-9, -9}}}}, blue)
	m.Dot(orb.Point{1, 1}, red, 20)
	at := pixels(t, m)
	require.Equal(t, color.RGBA{0xff, 0, 0, 0xff}, at(49, 0))
	require.NotEqual(t, paper.R, at(3, 3).R)
}

// TestMapSizes: a map has at least a pixel, and MaxSide at most.
func TestMapSizes(t *testing.T) {
	for _, c := range []struct {
		bounds orb.Bound
		width  int
	}{
		{unit, 0},
		{unit, 1 << 20},
		{orb.Bound{}, 100},
		{orb.Bound{Min: orb.Point{0, 0}, Max: orb.Point{1e-9, 60}}, 500},
		{orb.Bound{Min: orb.Point{-180, -90}, Max: orb.Point{180, 90}}, 300},
	} {
		m := NewMap(c.bounds, c.width)
		require.Positive(t, m.Width)
		require.Positive(t, m.Height)
		require.LessOrEqual(t, max(m.Width, m.Height), MaxSide)
		require.False(t, math.IsNaN(m.Zoom()) || math.IsInf(m.Zoom(), 0))
	}
}

func TestMapSVG(t *testing.T) {
	m := NewMap(unit, 100)
	for range 3 {
		m.Line(orb.LineString{{0.2, 0.5}, {0.2001, 0.5}, {0.8, 0.5}}, red, 2)
	}
	m.Area(orb.MultiPolygon{{{{0, 0}, {1, 0}, {1, 1}, {0, 0}}}}, blue)
	m.Area(nil, blue)
	var b, again strings.Builder
	require.NoError(t, m.WriteSVG(&b))
	require.NoError(t, m.WriteSVG(&again))
	require.Equal(t, b.String(), again.String())
	paths := 0
	for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "path" {
			paths++
		}
	}
	require.Equal(t, 2, paths, "lines of one kind are one path")
	require.Contains(t, b.String(), "M20.0 50.0L80.0 50.0")
	require.Contains(t, b.String(), `opacity="0.50"`)
}

func FuzzMap(f *testing.F) {
	f.Add(0.0, 0.0, 1.0, 1.0, 3.0)
	f.Add(-500.0, 1e9, 2.0, -1e-9, 0.01)
	f.Fuzz(func(t *testing.T, x0, y0, x1, y1, width float64) {
		m := NewMap(unit, 40)
		m.Line(orb.LineString{{x0, y0}, {x1, y1}}, red, min(width, 100))
		m.Area(orb.MultiPolygon{{{{x0, y0}, {x1, y1}, {0.5, 0}, {x0, y0}}}}, blue)
		require.NoError(t, m.WritePNG(io.Discard))
		require.NoError(t, m.WriteSVG(io.Discard))
	})
}

// BenchmarkPNG draws 100,000 streets.
func BenchmarkPNG(b *testing.B) {
	m := NewMap(unit, 1000)
	for i := range 100_000 {
		x, y := float64(i%317)/317, float64(i/317)/317
		m.Line(orb.LineString{{x, y}, {x + 0.003, y + 0.002}}, red, 1.5)
	}
	b.ReportAllocs()
	for b.Loop() {
		_ = m.image()
	}
}
