package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGeneratedFilesAreUpToDate(t *testing.T) {
	const dir = "../.."
	files, err := generate(dir)
	require.NoError(t, err)
	want := map[string]bool{}
	for _, f := range files {
		want[f.name] = true
		on, err := os.ReadFile(filepath.Join(dir, f.name))
		require.NoError(t, err, "run go generate in package heap")
		require.Equal(t, string(f.text), string(on), "%s: run go generate in package heap", f.name)
	}
	found, err := filepath.Glob(filepath.Join(dir, "*_gen*.go"))
	require.NoError(t, err)
	for _, path := range found {
		require.True(t, want[filepath.Base(path)], "%s is no longer generated", path)
	}
}
