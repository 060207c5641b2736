package routing

import (
	"io"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/profile"
)

// A build takes the options of its profile from a file.
func TestProfileConfig(t *testing.T) {
	d := testmap.Drawing{Map: "a-b-c", Ways: []testmap.Row{{"abc", ""}}}
	data, err := d.OSM()
	require.NoError(t, err)
	files := fstest.MapFS{
		"town.osm":  {Data: data},
		"van.json":  {Data: []byte(`{"vehicle": "car", "name": "van", "weight": "duration"}`)},
		"bad.json":  {Data: []byte("{\n\"vehicle\": \"car\",\n\"weight\": \"beauty\"}")},
		"huge.json": {Data: make([]byte, profile.MaxConfig+9)},
	}
	opt := BuildOptions{
		Input: "town.osm", FS: files, Output: "town", Create: func(string) (io.WriteCloser, error) { return &memory{close: func([]byte) {}}, nil },
		Algorithms: []Algorithm{CH}, ProfileConfig: "van.json",
	}
	report, err := Build(t.Context(), opt)
	require.NoError(t, err)
	require.Equal(t, "van", report.Info.Profile)
	require.Equal(t, "duration", report.Info.WeightName)

	for config, want := range map[string]string{
		"bad.json": "bad.json:3: weight is", "huge.json": "keep it below", "none.json": "none.json",
	} {
		opt.ProfileConfig = config
		_, err = Build(t.Context(), opt)
		require.ErrorContains(t, err, want)
	}
	opt.ProfileConfig, opt.ProfileName = "van.json", "foot"
	_, err = Build(t.Context(), opt)
	require.ErrorContains(t, err, `the profile asked for is "foot"`)
	opt.Profile, err = profile.ByName("car")
	require.NoError(t, err)
	_, err = Build(t.Context(), opt)
	require.ErrorContains(t, err, "leave out Profile")
}
