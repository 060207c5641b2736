package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBuildProfiles builds for each vehicle and drives through the town.
func TestBuildProfiles(t *testing.T) {
	extract := townExtract(t)
	speed := map[string]float64{}
	for _, profile := range []string{"car", "bicycle", "foot", "testdata/scooter.lua"} {
		name := filepath.Join(t.TempDir(), "town")
		code, _, said := command(t, "build", "-q", "--algorithm", "ch", "--profile", profile, "-o", name, extract)
		require.Zero(t, code, said)
		code, out, said := command(t, "info", "--json", name)
		require.Zero(t, code, said)
		var info struct{ Profile string }
		require.NoError(t, json.Unmarshal([]byte(out), &info))
		require.Equal(t, baseProfile(profile), info.Profile)
		code, out, said = command(t, "route", "--json", name, "6.003,45.002", "6.012,45.013")
		require.Zero(t, code, said)
		var answer struct {
			Routes []struct{ Distance, Duration float64 }
		}
		require.NoError(t, json.Unmarshal([]byte(out), &answer))
		speed[info.Profile] = answer.Routes[0].Distance / answer.Routes[0].Duration * 3.6
	}
	require.Greater(t, speed["car"], speed["bicycle"])
	require.Greater(t, speed["bicycle"], speed["foot"])
	require.InDelta(t, 5, speed["foot"], 1, "km/h")
	require.InDelta(t, 20, speed["scooter"], .5, "km/h")
}

func baseProfile(path string) string {
	base := filepath.Base(path)
	return base[:len(base)-len(filepath.Ext(base))]
}

func TestVehicleTrust(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nosy.lua")
	require.NoError(t, os.WriteFile(path, []byte(`
api_version = 4
print(io.type(io.stdout))
return { setup = function() return { properties = { weight_name = 'duration' } } end, process_way = function() end }
`), 0o600))
	var said bytes.Buffer
	_, err := (&buildCmd{Profile: path}).vehicle(&said)
	require.ErrorContains(t, err, "nosy.lua")
	v, err := (&buildCmd{Profile: path, Trust: true}).vehicle(&said)
	require.NoError(t, err)
	require.Equal(t, "nosy", v.Name())
	require.Equal(t, "file\n", said.String(), "what it prints is shown")
}
