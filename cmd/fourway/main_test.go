package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
)

// command runs fourway with args and returns what it printed.
func command(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(t.Context(), args, &o, &e)
	return code, o.String(), e.String()
}

// townExtract writes a small made-up extract and returns its path.
func townExtract(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "town.osm.pbf")
	f, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, testmap.City(f, 4000, 7))
	require.NoError(t, f.Close())
	return path
}

// town builds a small made-up data set and returns its name.
func town(t *testing.T) string {
	t.Helper()
	extract := townExtract(t)
	name := filepath.Join(filepath.Dir(extract), "town")
	code, _, said := command(t, "build", "--profile", "car", "-o", name, extract)
	require.Zero(t, code, said)
	require.Regexp(t, `(?s)expecting .* MB.*stage +wall +processor +peak memory.*extract.*contract.*wrote .*town\.ch`, said)
	return name
}

func TestCommands(t *testing.T) {
	name := town(t)
	t.Run("route", func(t *testing.T) {
		code, out, said := command(t, "route", name, "6.003,45.002", "6.012,45.013")
		require.Zero(t, code, said)
		require.Regexp(t, `(?s)place 1: 6\.00.*place 2: .*\d:\d\d:\d\d, \d+\.\d km`, out)
		require.Regexp(t, `opened in .*, route in .*, peak memory .* MB`, said)
	})
	t.Run("route steps", func(t *testing.T) {
		code, out, said := command(t, "route", "--steps", name, "6.003,45.002", "6.012,45.013")
		require.Zero(t, code, said)
		require.Regexp(t, `(?s)\d km  Start out .*Turn left onto Street .*Your destination`, out)
		code, out, said = command(t, "route", "--steps", "--language", "de", name, "6.003,45.002", "6.012,45.013")
		require.Zero(t, code, said)
		require.Regexp(t, `(?s)losfahren.*abbiegen.*Ziel`, out)
		code, _, said = command(t, "route", "--steps", "--language", "xx", name, "6.003,45.002", "6.012,45.013")
		require.Equal(t, 1, code)
		require.Contains(t, said, "choose one of de, en, fr")
	})
	t.Run("latitude first", func(t *testing.T) {
		for _, args := range [][]string{
			{"route", name, "45.002,6.003", "6.012,45.013"},
			{"table", name, "45.002,6.003", "6.012,45.013"},
			{"nearest", name, "45.002,6.003"},
		} {
			code, _, said := command(t, args...)
			require.Zero(t, code, said)
			require.Contains(t, said, "place 1 is outside the data set: places are longitude,latitude")
			require.NotContains(t, said, "place 2")
		}
	})
	t.Run("route as JSON", func(t *testing.T) {
		code, out, said := command(t, "route", "--json", "--annotations", name, "6.003,45.002", "6.012,45.013")
		require.Zero(t, code, said)
		var answer struct {
			Code   string
			Routes []struct {
				Legs []struct{ Annotation struct{ Ways []int64 } }
			}
		}
		require.NoError(t, json.Unmarshal([]byte(out), &answer))
		require.Equal(t, "Ok", answer.Code)
		require.NotEmpty(t, answer.Routes[0].Legs[0].Annotation.Ways)
	})
	t.Run("nearest", func(t *testing.T) {
		code, out, said := command(t, "nearest", "-n", "3", name, "6.003,45.002")
		require.Zero(t, code, said)
		require.Len(t, regexp.MustCompile(`(?m)way -?\d+`).FindAllString(out, -1), 3)
	})
	t.Run("western longitude is a coordinate", func(t *testing.T) {
		code, _, said := command(t, "nearest", name, "-75.52,39.74")
		require.Zero(t, code, said)
	})
	t.Run("info", func(t *testing.T) {
		code, out, said := command(t, "info", name)
		require.Zero(t, code, said)
		require.Regexp(t, `(?s)profile +car.*excludable +toll.*search nodes +\d`, out)
		code, out, _ = command(t, "info", "--json", name)
		require.Zero(t, code)
		require.True(t, json.Valid([]byte(out)))
	})
	t.Run("verify", func(t *testing.T) {
		code, _, said := command(t, "verify", name)
		require.Zero(t, code, said)
		require.Contains(t, said, "is sound")
	})
}

func TestFaults(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		code int
		said string
	}{
		{"no command", nil, 2, "expected one of"},
		{"unknown command", []string{"fly"}, 2, "fly"},
		{"no such extract", []string{"build", "nowhere.osm.pbf"}, 2, "nowhere.osm.pbf"},
		{"no data set", []string{"route", "nowhere", "1,2", "3,4"}, 1, "nowhere"},
		{"no coordinate", []string{"route", "nowhere", "1;2", "3,4"}, 1, "longitude,latitude"},
		{"no number", []string{"nearest", "nowhere", "1,x"}, 1, "no number"},
		{"unknown profile", []string{"build", "--profile", "boat", "main_test.go"}, 1, "boat"},
		{"no such script", []string{"build", "--profile", "boat.lua", "main_test.go"}, 1, "boat.lua"},
		{"negative bound", []string{"serve", "--max-running", "-1", "nowhere"}, 2, "--max-running"},
		{"long timeout", []string{"serve", "--timeout", "6m", "nowhere"}, 2, "at most 5m"},
		{"no write timeout", []string{"serve", "--write-timeout", "0s", "nowhere"}, 2, "--write-timeout"},
		{"nothing to serve", []string{"serve"}, 2, "<data>"},
		{"several without profiles", []string{"serve", "nowhere", "elsewhere"}, 1, "PROFILE=NAME"},
		{"serve no data set", []string{"serve", "car=nowhere"}, 1, "nowhere"},
		{"no extract", []string{"build", "-o", "nothing", "main_test.go"}, 1, "main_test.go"},
	} {
		t.Run(test.name, func(t *testing.T) {
			code, out, said := command(t, test.args...)
			require.Equal(t, test.code, code)
			require.Contains(t, said, test.said)
			require.Empty(t, out)
		})
	}
	require.NoFileExists(t, "nothing.graph")
}

func TestHelp(t *testing.T) {
	code, out, _ := command(t, "--help")
	require.Zero(t, code)
	require.Contains(t, out, "Serve data sets")
}

func TestDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds all of Delaware; runs without -short")
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	code, out, said := command(t, "demo", "--no-serve")
	require.Zero(t, code, said)
	require.Regexp(t, `(?s)Wilmington to Newark +0:\d\d:\d\d +\d+\.\d km  answered in`, out)
	left, err := os.ReadDir(temp)
	require.NoError(t, err)
	require.Empty(t, left, "the demo removes its files")
}

func TestBaseName(t *testing.T) {
	for path, want := range map[string]string{
		"maps/berlin.2024.osm.pbf": "berlin.2024", "andorra-latest.osm.bz2": "andorra-latest", "x.osm": "x", "x.osm.gz": "x", ".osm": "map",
	} {
		require.Equal(t, want, baseName(path))
	}
}

func TestNegativeNumbersAreNoCoordinates(t *testing.T) {
	require.Equal(t, []string{"--max-viaroute-size", "-1", " -75.5,39.7", " -.5,1"},
		shieldCoordinates([]string{"--max-viaroute-size", "-1", "-75.5,39.7", "-.5,1"}))
}

func TestWords(t *testing.T) {
	require.Equal(t, "missing nodes", words("MissingNodes"))
	require.Equal(t, "capped", words("Capped"))
}
