package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/batch"
	"github.com/fourway-routing/fourway/routing"
)

// asCommand in the environment makes the test's program the command.
const asCommand = "FOURWAY_BATCH_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func command(t *testing.T, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// succeed runs the command and returns what it tells.
func succeed(t *testing.T, args ...string) string {
	text, err := command(t, args...).CombinedOutput()
	require.NoError(t, err, string(text))
	return string(text)
}

// fail runs the command and returns what it tells.
func fail(t *testing.T, args ...string) string {
	text, err := command(t, args...).CombinedOutput()
	require.Error(t, err)
	return string(text)
}

func build(t *testing.T) string {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/paulmach/osm").Output()
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "delaware")
	_, err = routing.Build(t.Context(), routing.BuildOptions{
		Input:      filepath.Join(strings.TrimSpace(string(dir)), "testdata", "delaware-latest.osm.pbf"),
		Output:     name,
		Algorithms: []routing.Algorithm{routing.CH},
	})
	require.NoError(t, err)
	return name
}

func write(t *testing.T, lines ...string) string {
	name := filepath.Join(t.TempDir(), "lines.jsonl")
	require.NoError(t, os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o600))
	return name
}

// contents returns the files of a folder, by name.
func contents(t *testing.T, dir string) map[string][]byte {
	files := map[string][]byte{}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
	}
	return files
}

func TestCommand(t *testing.T) {
	dataset := build(t)
	for _, c := range []struct {
		service, good, poison string
	}{
		{"route", `{"id": "good", "coordinates": [[-75.5466, 39.7447], [-75.7497, 39.6837]]}`, `{"id": "bad", "coordinates": [[1, 2]]}`},
		{"match", `{"id": "good", "coordinates": [[-75.5466, 39.7447], [-75.5470, 39.7440]], "radiuses": [50, 50]}`, `{"id": "bad", "coordinates": [[1, 2], [3, "x"]]}`},
		{"nearest", `{"id": "good", "coordinate": [-75.5466, 39.7447]}`, `{"id": "bad"}`},
		{"isochrone", `{"id": "good", "coordinates": [[-75.5466, 39.7447]], "contours_minutes": [2]}`, `{"id": "bad", "coordinates": [[-75.5466, 39.7447]]}`},
	} {
		t.Run(c.service, func(t *testing.T) {
			input, out := write(t, c.poison, c.good, "no JSON"), filepath.Join(t.TempDir(), "out")
			told := succeed(t, c.service, "--dataset", dataset, "--input", input, "--output", out)
			require.Contains(t, told, "1 answered, 2 failed")
			require.NotContains(t, told, "INFO")
			files := contents(t, out)
			require.True(t, bytes.HasPrefix(files["part-00000-of-00001.jsonl"], []byte(`{"id":"good",`)))
			failures := strings.Split(strings.TrimSpace(string(files["failures-00000-of-00001.jsonl"])), "\n")
			require.Len(t, failures, 2)
			require.Contains(t, failures[0], `"id":"bad"`)
			require.Contains(t, files, "_SUCCESS")
			parquet := filepath.Join(t.TempDir(), "out")
			told = succeed(t, c.service, "--dataset", dataset, "--input", input, "--output", parquet, "--format", "parquet", "--no_response", "--verbose")
			require.Contains(t, told, "INFO")
			require.FileExists(t, filepath.Join(parquet, "part-00000-of-00001.parquet"))
		})
	}
	t.Run("matrix that was killed", func(t *testing.T) { matrixThatWasKilled(t, dataset) })
	t.Run("mistakes", func(t *testing.T) {
		require.Contains(t, fail(t), "route, match, nearest, isochrone and matrix")
		require.Contains(t, fail(t, "tram"), "route, match, nearest, isochrone and matrix")
		require.Contains(t, fail(t, "route"), "--dataset is missing")
		require.Contains(t, fail(t, "route", "--dataset", "nowhere", "--input", "a", "--output", "b"), "nowhere.graph")
		require.Contains(t, fail(t, "route", "--dataset", dataset, "--input", "nowhere", "--output", t.TempDir()), "nowhere")
	})
}

func matrixThatWasKilled(t *testing.T, dataset string) {
	rng := rand.New(rand.NewPCG(1, 2))
	var places []string
	for i := range 1200 {
		places = append(places, fmt.Sprintf(`{"id": "%d", "coordinate": [%f, %f]}`, i, -75.7+rng.Float64()*0.3, 38.6+rng.Float64()*1.1))
	}
	input := write(t, append(places, "no JSON", `{"id": "off", "coordinate": [400, 0]}`)...)
	args := func(out string) []string {
		return []string{"matrix", "--dataset", dataset, "--sources", input, "--output", out, "--distances", "--format", "parquet", "--rows", "100", "--columns", "100"}
	}
	whole, killed := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "killed")
	require.Contains(t, succeed(t, args(whole)...), "1440000 answered, 2 failed")

	cmd := command(t, args(killed)...)
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool {
		done, _, err := batch.Progress(context.Background(), killed)
		return err == nil && done > 0
	}, time.Minute, time.Millisecond)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	done, parts, err := batch.Progress(t.Context(), killed)
	require.NoError(t, err)
	require.Less(t, done, parts, "it was killed midway")
	require.Contains(t, succeed(t, args(killed)...), fmt.Sprintf("%d files were there from a run before", done))
	require.Equal(t, contents(t, whole), contents(t, killed))
}
