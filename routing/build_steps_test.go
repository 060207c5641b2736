package routing

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/pool"
)

// The steps of a build, run one by one, write what Build writes.
func TestStepsAreBuild(t *testing.T) {
	drawing := testmap.Drawing{Map: `
		a b c
		d e f
	`, Ways: []testmap.Row{{"abc"}, {"def"}, {"ad"}, {"be"}, {"cf"}}}
	data, err := drawing.OSM()
	require.NoError(t, err)
	folder := t.TempDir()
	input := filepath.Join(folder, "town.osm")
	require.NoError(t, os.WriteFile(input, data, 0o600))
	whole, steps, moved := filepath.Join(folder, "whole"), filepath.Join(folder, "steps"), filepath.Join(folder, "moved")
	_, err = Build(t.Context(), BuildOptions{Input: input, Output: whole})
	require.NoError(t, err)
	written := func(r *BuildReport, err error) (names []string) {
		require.NoError(t, err)
		for _, f := range r.Files {
			names = append(names, filepath.Base(f.Path))
		}
		return names
	}
	require.Equal(t, []string{"steps.graph", "steps.metric"}, written(Extract(t.Context(), BuildOptions{Input: input, Output: steps})))
	_, err = Customize(t.Context(), StepOptions{Input: steps})
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.Equal(t, []string{"steps.cells"}, written(Partition(t.Context(), StepOptions{Input: steps})))
	require.Equal(t, []string{"steps.mld"}, written(Customize(t.Context(), StepOptions{Input: steps, Memory: pool.Plain})))
	require.Equal(t, []string{"moved.ch"}, written(Contract(t.Context(), StepOptions{Input: steps, Output: moved, Memory: pool.SyncPool})))
	for _, same := range [][2]string{
		{whole + ".graph", steps + ".graph"}, {whole + ".metric", steps + ".metric"},
		{whole + ".mld", steps + ".mld"}, {whole + ".ch", moved + ".ch"},
	} {
		want, err := os.ReadFile(same[0])
		require.NoError(t, err)
		got, err := os.ReadFile(same[1])
		require.NoError(t, err)
		require.Equal(t, want, got, same[1])
	}
	e, err := Open(steps, Options{Algorithm: MLD})
	require.NoError(t, err)
	require.NoError(t, e.Close())
	_, err = Open(steps, Options{Algorithm: CH})
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// Cells of one network are refused by another.
func TestCellsOfAnotherNetwork(t *testing.T) {
	folder := t.TempDir()
	name := func(s string) string { return filepath.Join(folder, s) }
	for file, drawing := range map[string]testmap.Drawing{
		"one": {Map: "a b c", Ways: []testmap.Row{{"abc"}}},
		"two": {Map: "a b c d", Ways: []testmap.Row{{"abcd"}, {"bc"}}},
	} {
		data, err := drawing.OSM()
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(name(file+".osm"), data, 0o600))
		_, err = Extract(t.Context(), BuildOptions{Input: name(file + ".osm"), Output: name(file)})
		require.NoError(t, err)
		_, err = Partition(t.Context(), StepOptions{Input: name(file), CellSizes: []int{2, 4}})
		require.NoError(t, err)
	}
	require.NoError(t, os.Rename(name("one.cells"), name("two.cells")))
	_, err := Customize(t.Context(), StepOptions{Input: name("two")})
	require.ErrorIs(t, err, graph.ErrMismatch)
	_, err = Customize(t.Context(), StepOptions{})
	require.ErrorContains(t, err, "Output is empty")
	_, err = Customize(t.Context(), StepOptions{Input: name("two"), Memory: 9})
	require.ErrorContains(t, err, "Memory")
}
