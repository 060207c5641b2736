package main

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExportPlotIsochrone writes files of all kinds from one data set.
func TestExportPlotIsochrone(t *testing.T) {
	name := town(t)
	dir := filepath.Dir(name)
	features := func(doc string) []any {
		var all struct {
			Type     string
			Features []any
		}
		require.NoError(t, json.Unmarshal([]byte(doc), &all))
		require.Equal(t, "FeatureCollection", all.Type)
		return all.Features
	}
	read := func(path string) string {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(b)
	}
	ok := func(args ...string) string {
		code, out, said := command(t, args...)
		require.Zero(t, code, "%v: %s", args, said)
		return out
	}
	from, to := "6.003,45.002", "6.012,45.013"

	whole := features(ok("export", name))
	part := features(ok("export", name, "--box", "6.003,45.003,6.008,45.008"))
	require.Greater(t, len(whole), len(part))
	require.NotEmpty(t, part)
	tables := filepath.Join(dir, "roads")
	ok("export", name, "--format", "csv", "-o", tables)
	rows, err := csv.NewReader(strings.NewReader(read(tables + ".edges.csv"))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+len(whole))
	require.Contains(t, read(tables+".nodes.csv"), "id,lon,lat\n")
	require.Len(t, features(ok("export", name, from, to)), 3)
	require.NoError(t, xml.Unmarshal([]byte(ok("export", name, "--format", "gpx", "--steps", from, to)), new(struct{})))
	require.NotEmpty(t, strings.TrimSpace(ok("export", name, "--format", "polyline", from, to)))
	require.NotEmpty(t, features(ok("export", name, "--match", from, "6.0035,45.002")))

	require.Len(t, features(ok("isochrone", name, from, "--minutes", "1,2")), 2)
	require.Greater(t, len(features(ok("isochrone", name, from, "--meters", "300", "--reverse", "--lines", "--segments"))), 1)
	path := filepath.Join(dir, "reach.geojson")
	ok("isochrone", name, from, "--minutes", "1", "-o", path)
	require.Len(t, features(read(path)), 1)

	svg, picture := filepath.Join(dir, "a.svg"), filepath.Join(dir, "a.png")
	ok("plot", name, "-o", svg)
	require.Contains(t, read(svg), "<path")
	for _, args := range [][]string{
		{"--isochrone", from, "--minutes", "1,2", "--route", from, "--route", to},
		{"--algorithm", "mld", "--cells", "1"},
		{"--box", "6.003,45.003,6.008,45.008"},
	} {
		ok(append([]string{"plot", name, "-o", picture, "--width", "200"}, args...)...)
		f, err := os.Open(picture)
		require.NoError(t, err)
		img, err := png.Decode(f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		require.Equal(t, 200, img.Bounds().Dx())
	}
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range files {
		require.False(t, strings.HasPrefix(f.Name(), "."), "%s is left over", f.Name())
	}

	for _, c := range []struct {
		want string
		args []string
	}{
		{"--format gpx is for routes", []string{"export", name, "--format", "gpx"}},
		{"two tables", []string{"export", name, "--format", "csv"}},
		{"leave out the places", []string{"export", name, "--format", "csv", from, to}},
		{"leave out the places", []string{"export", name, "--box", "1,2,3,4", from, to}},
		{"is no rectangle", []string{"export", name, "--box", "1,2,3"}},
		{"is no rectangle", []string{"export", name, "--box", "3,2,1,4"}},
		{"is no rectangle", []string{"export", name, "--box", "nan,nan,nan,nan"}},
		{"is no rectangle", []string{"export", name, "--box=-1e308,0,1e308,1"}},
		{"is no rectangle", []string{"plot", name, "-o", "a.png", "--box=0,0,1,91"}},
		{"are for routes", []string{"export", name, "--match"}},
		{"no such file", []string{"export", name, "-o", filepath.Join(dir, "none", "x")}},
		{"say how far", []string{"isochrone", name, from}},
		{"not both", []string{"isochrone", name, from, "--minutes", "1", "--meters", "1"}},
		{"neither in .svg nor in .png", []string{"plot", name, "-o", "a.gif"}},
		{"--width", []string{"plot", name, "-o", svg, "--width", "9000"}},
		{"--cells", []string{"plot", name, "-o", svg, "--cells", "1"}},
		{"levels", []string{"plot", name, "-o", svg, "--algorithm", "mld", "--cells", "99"}},
		{"need an --isochrone", []string{"plot", name, "-o", svg, "--minutes", "5"}},
	} {
		code, _, said := command(t, c.args...)
		require.Equal(t, 1, code, "%v: %s", c.args, said)
		require.Contains(t, said, c.want)
	}
}
