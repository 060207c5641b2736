package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

// TestBuildFrom prepares a data set anew, and another metric beside it.
func TestBuildFrom(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "town")
	code, _, said := command(t, "build", "-q", "--algorithm", "ch,cch", "-o", name, townExtract(t))
	require.Zero(t, code, said)
	code, _, said = command(t, "build", "-q", "--from", name, "--metric", "rush")
	require.Zero(t, code, said)
	for _, suffix := range []string{".rush.metric", ".rush.ch", ".rush.cch"} {
		require.FileExists(t, name+suffix)
		require.Contains(t, said, name+suffix)
	}
	require.NoFileExists(t, name+".rush.mld")
	e, err := routing.Open(name, routing.Options{Algorithm: routing.CCH, Metrics: []string{"rush"}})
	require.NoError(t, err)
	require.Len(t, e.Info().Metrics, 2)
	require.NoError(t, e.Close())
	code, _, said = command(t, "build", "-q", "--from", name)
	require.Zero(t, code, said)
	code, out, said := command(t, "info", "--json", name)
	require.Zero(t, code, said)
	var info routing.Info
	require.NoError(t, json.Unmarshal([]byte(out), &info))
	require.Len(t, info.Metrics, 1)

	week := filepath.Join(folder, "week.csv")
	require.NoError(t, os.WriteFile(week, []byte("Mo,noon,rush\n"), 0o600))
	for want, arguments := range map[string][]string{
		"--metric needs --from":      {"build", "-q", "--metric", "rush", townExtract(t)},
		"name an OpenStreetMap file": {"build", "-q"},
		"--from goes with":           {"build", "-q", "--from", name, "--tags"},
		"no name of a metric":        {"build", "-q", "--from", name, "--metric", "a b"},
		"no such file or directory":  {"build", "-q", "--from", name + "-not"},
		`week, line 1: hours "noon"`: {"serve", "--week", week, name},
	} {
		code, _, said := command(t, arguments...)
		require.NotZero(t, code)
		require.Contains(t, said, want)
	}
}
