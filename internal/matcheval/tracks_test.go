package matcheval

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"
)

const track = `{"type":"FeatureCollection","features":[
	{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[1,2],[1.1,2]]}},
	{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1.1,2],[1.2,2,30]]}},
	{"type":"Feature","geometry":null}]}`

func TestReadFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	one := write("b-track.geojson", track)
	write("b.json", `{"profile":{"name":"car"},"expected":{"type":"LineString","coordinates":[[1,2],[1.2,2]]}}`)
	write("a-track.geojson", `{"type":"LineString","coordinates":[[0,0],[0,1]]}`)
	write("a.json", `{"type":"LineString","coordinates":[[0,0],[0,1]]}`)

	all, err := ReadFiles(dir, one)
	require.NoError(t, err)
	require.Len(t, all, 3)
	require.Equal(t, "a", all[0].Name)
	require.Equal(t, []orb.Point{{1, 2}, {1.1, 2}, {1.2, 2}}, all[1].Points)
	require.Equal(t, orb.LineString{{1, 2}, {1.2, 2}}, all[1].Way.Line)
	require.Equal(t, all[1], all[2])
	require.InDelta(t, 22239, all[1].Way.length(), 60)

	_, err = ReadFiles(filepath.Join(dir, "b.json"))
	require.ErrorContains(t, err, "ends in -track.geojson")
	_, err = ReadFiles(filepath.Join(dir, "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = ReadFiles(write("c-track.geojson", track))
	require.ErrorIs(t, err, os.ErrNotExist, "the way is missing")
	write("c.json", `{"type":"Point","coordinates":[1,2]}`)
	_, err = ReadFiles(filepath.Join(dir, "c-track.geojson"))
	require.ErrorContains(t, err, `c.json: want lines, there is a "Point"`)
}

func TestParseLineFaults(t *testing.T) {
	for text, want := range map[string]string{
		``:  "unexpected end",
		`7`: "cannot unmarshal",
		`{"type":"LineString","coordinates":[[1,2]]}`:           "two places",
		`{"type":"LineString","coordinates":[[1,2],[1,2]]}`:     "two places",
		`{"type":"LineString","coordinates":[[1,2],[181,2]]}`:   "coordinate 1",
		`{"type":"LineString","coordinates":[[1],[1,2]]}`:       "coordinate 0",
		`{"type":"LineString","coordinates":"x"}`:               "cannot unmarshal",
		`{"type":"FeatureCollection","features":[{"type":""}]}`: "feature 0",
	} {
		_, err := parseLine([]byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

func FuzzParseLine(f *testing.F) {
	f.Add([]byte(track))
	f.Add([]byte(`{"expected":{"type":"LineString","coordinates":[[1,2],[3,4]]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if line, err := parseLine(data); err == nil {
			require.GreaterOrEqual(t, len(line), 2)
		}
	})
}
