package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSynthOSM(t *testing.T) {
	folder := t.TempDir()
	country := filepath.Join(folder, "country.osm.pbf")
	code, _, said := command(t, "synth-osm", "--nodes", "5e3", "--seed", "3", "-o", country)
	require.Zero(t, code, said)
	require.Regexp(t, `wrote .*country.osm.pbf: \d+ nodes, \d+ ways, \d+ relations`, said)
	mosaic := filepath.Join(folder, "mosaic.osm.pbf")
	code, _, said = command(t, "synth-osm", "--mosaic", country, "--copies", "2x1", "-o", mosaic)
	require.Zero(t, code, said)
	name := filepath.Join(folder, "mosaic")
	code, _, said = command(t, "build", "-q", "-o", name, mosaic)
	require.Zero(t, code, said)
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, files, 2+4, "no temporary file stays")

	for _, test := range []struct{ args, said string }{
		{"--nodes", "9e99"}, {"--nodes", "12"}, {"--nodes", "NaN"},
	} {
		code, _, said := command(t, "synth-osm", test.args, test.said, "-o", country)
		require.Equal(t, 1, code, test.said)
		require.Contains(t, said, "nodes", test.said)
	}
	for _, copies := range []string{"2", "2x", "2x2x2", "-1x2"} {
		code, _, said := command(t, "synth-osm", "--mosaic", country, "--copies="+copies, "-o", mosaic)
		require.Equal(t, 1, code, copies)
		require.NotEmpty(t, said)
	}
	code, _, _ = command(t, "synth-osm", "-o", filepath.Join(folder, "nowhere", "x.osm.pbf"))
	require.Equal(t, 1, code)
}
