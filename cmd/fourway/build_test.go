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

func TestScriptTrust(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nosy.lua")
	require.NoError(t, os.WriteFile(path, []byte(`
api_version = 4
print(io.type(io.stdout))
return { setup = function() return { properties = { weight_name = 'duration' } } end, process_way = function() end }
`), 0o600))
	var said bytes.Buffer
	_, err := (&buildCmd{Profile: path}).script(&said)
	require.ErrorContains(t, err, "nosy.lua")
	v, err := (&buildCmd{Profile: path, Trust: true}).script(&said)
	require.NoError(t, err)
	require.Equal(t, "nosy", v.Name())
	require.Equal(t, "file\n", said.String(), "what it prints is shown")
}

// TestBuildConfigured builds for a van that avoids what a car uses.
func TestBuildConfigured(t *testing.T) {
	extract := townExtract(t)
	folder := t.TempDir()
	config := filepath.Join(folder, "van.json")
	require.NoError(t, os.WriteFile(config, []byte("{\n\"vehicle\": \"car\", \"name\": \"van\", \"max_speed\": 30\n}"), 0o600))
	name := filepath.Join(folder, "town")
	code, _, said := command(t, "build", "-q", "--algorithm", "ch", "--profile-config", config, "-o", name, extract)
	require.Zero(t, code, said)
	code, out, said := command(t, "info", "--json", name)
	require.Zero(t, code, said)
	require.Contains(t, out, `"van"`)
	code, out, said = command(t, "route", "--json", name, "6.003,45.002", "6.012,45.013")
	require.Zero(t, code, said)
	var answer struct {
		Routes []struct{ Distance, Duration float64 }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &answer))
	require.LessOrEqual(t, answer.Routes[0].Distance/answer.Routes[0].Duration*3.6, 30.0, "km/h")

	require.NoError(t, os.WriteFile(config, []byte("{\n\"vehicle\": \"car\",\n\"max_sped\": 30}"), 0o600))
	code, _, said = command(t, "build", "-q", "--profile-config", config, "-o", name, extract)
	require.NotZero(t, code)
	require.Contains(t, said, `van.json:3: "max_sped" is no field; the fields are access_speed`)
	code, _, said = command(t, "build", "-q", "--profile", "foot", "--profile-config", config, "-o", name, extract)
	require.NotZero(t, code)
	require.Contains(t, said, `the profile asked for is "foot"`)
	code, _, said = command(t, "build", "-q", "--profile", "testdata/scooter.lua", "--profile-config", config, "-o", name, extract)
	require.NotZero(t, code)
	require.Contains(t, said, "--profile-config is for car, bicycle and foot")
}

// TestBuildFaultyScript stops at a script that does not end, and says where.
func TestBuildFaultyScript(t *testing.T) {
	extract := townExtract(t)
	path := filepath.Join(t.TempDir(), "endless.lua")
	require.NoError(t, os.WriteFile(path, []byte(`api_version = 4
return {
	setup = function() return {properties = {weight_nam = 'x'}} end,
	process_way = function(profile, way)
		while way:id() > 0 do end
	end,
}`), 0o600))
	for _, trust := range []string{"", "--trust"} {
		arguments := []string{"build", "-q", "--max-instructions", "1000", "--profile", path, "-o", filepath.Join(t.TempDir(), "town"), extract}
		if trust != "" {
			arguments = append(arguments, trust)
		}
		code, _, said := command(t, arguments...)
		require.NotZero(t, code)
		require.Regexp(t, `extract: way \d+: lua: .*endless\.lua:5: process_way: the script takes too many instructions`, said)
		require.Contains(t, said, "nothing reads properties.weight_nam; is weight_name meant?")
	}
}
