package lua

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/profile"
)

const grid = "0 0 0 0\n0 0 0 250\n0 0 250 500\n0 0 0 250\n0 0 0 0\n"

func TestRaster(t *testing.T) {
	r, err := readRaster(strings.NewReader(grid), [4]float64{0, 0.1, 0, 0.1}, 5, 4)
	require.NoError(t, err)
	for _, tc := range []struct {
		lon, lat              float64
		nearest, interpolated int32
	}{
		{0, 0, 0, 0},
		{0.1, 0.05, 500, 500},
		{0.1, 0.1, 0, 0},
		{0.0667, 0.05, 250, 250},
		{0.09, 0.05, 500, 425},
		{0.1, 0.0625, 500, 375},
		{0.05, 0.05, 250, 125},
		{0.1001, 0.05, invalidDatum, invalidDatum},
		{0.05, -0.0001, invalidDatum, invalidDatum},
		{math.Inf(1), 0, invalidDatum, invalidDatum},
	} {
		require.Equal(t, tc.nearest, r.nearest(tc.lon, tc.lat), "%v", tc)
		require.InDelta(t, tc.interpolated, r.interpolated(tc.lon, tc.lat), 1, "%v", tc)
	}
	one, err := readRaster(strings.NewReader("7 8 9"), [4]float64{0, 1, 0, 1}, 1, 1)
	require.NoError(t, err)
	require.Equal(t, [2]int32{7, 7}, [2]int32{one.nearest(1, 1), one.interpolated(0.5, 0.5)})
}

func TestRasterErrors(t *testing.T) {
	box := [4]float64{0, 1, 0, 1}
	for _, tc := range []struct {
		text          string
		bounds        [4]float64
		rows, columns int
		want          string
	}{
		{"1", box, 0, 1, "not possible"},
		{"1", box, 1 << 20, 1 << 20, "not possible"},
		{"1", [4]float64{1, 0, 0, 1}, 1, 1, "enclose nothing"},
		{"1 2\n", box, 2, 2, "ends after 1 of 2 rows"},
		{"1 2\n3\n", box, 2, 2, "line 2: the row has 1 of 2 columns"},
		{"1 x\n", box, 1, 2, `line 1: "x" is no whole number`},
		{strings.Repeat(" ", 1<<20), box, 1, 1, "line 1"},
	} {
		_, err := readRaster(strings.NewReader(tc.text), tc.bounds, tc.rows, tc.columns)
		require.ErrorContains(t, err, tc.want)
	}
}

func TestRasterFromScripts(t *testing.T) {
	var read []string
	p := open(t, Options{RasterRead: func(path string) { read = append(read, path) }}, `
api_version = 4
return {
	setup = function()
		local first = raster:load('height.asc', 0, 0.1, 0, 0.1, 5, 4)
		assert(raster:load('height.asc', 0, 0.1, 0, 0.1, 5, 4) == first)
		return {properties = {force_split_edges = true}, heights = first}
	end,
	process_segment = function(profile, segment)
		local a = raster:query(profile.heights, segment.source.lon, segment.source.lat)
		local b = raster:interpolate(profile.heights, segment.target.lon, segment.target.lat)
		if a.datum ~= a.invalid_data() and b.datum ~= b.invalid_data() then segment.weight = b.datum - a.datum end
	end,
}`, "height.asc", grid)
	require.True(t, p.Properties().ForceSplitEdges)
	for range 2 {
		s := profile.Segment{Source: orb.Point{0, 0}, Target: orb.Point{0.1, 0.05}}
		require.NoError(t, newWorker(t, p).Segment(&s))
		require.Equal(t, 500.0, s.Weight)
		s = profile.Segment{Source: orb.Point{1, 0}, Weight: 3}
		require.NoError(t, newWorker(t, p).Segment(&s))
		require.Equal(t, 3.0, s.Weight)
	}
	require.Equal(t, []string{"height.asc"}, read)

	outside := filepath.Join(t.TempDir(), "outside.asc")
	require.NoError(t, os.WriteFile(outside, []byte("1"), 0o644))
	load := "api_version = 4 return {setup = function() raster:load('" + filepath.ToSlash(outside) + "', 0, 1, 0, 1, 1, 1) return {} end}"
	_, err := Open(write(t, load), Options{})
	require.ErrorContains(t, err, "outside.asc")
	_, err = Open(write(t, load), Options{Trusted: true})
	require.NoError(t, err)
	_, err = Open(write(t, "api_version = 4 return {setup = function() raster:query(7, 0, 0) end}"), Options{})
	require.ErrorContains(t, err, "there is no raster 7")
}
