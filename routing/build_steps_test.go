package routing

import (
	"context"
	"fmt"
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
		{whole + ".graph", steps + ".graph"},
		{whole + ".metric", steps + ".metric"},
		{whole + ".mld", steps + ".mld"},
		{whole + ".ch", moved + ".ch"},
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

// Updates go on from one step to the next where that is wanted, until extraction
// begins anew.
func TestStepsContinue(t *testing.T) {
	drawing := testmap.Drawing{Map: "a-b-c", Ways: []testmap.Row{{"abc"}}}
	data, err := drawing.OSM()
	require.NoError(t, err)
	folder := t.TempDir()
	input, name, speeds := filepath.Join(folder, "town.osm"), filepath.Join(folder, "town"), filepath.Join(folder, "speeds.csv")
	require.NoError(t, os.WriteFile(input, data, 0o600))
	line := fmt.Sprintf("%d,%d,1\n", drawing.NodeID('a'), drawing.NodeID('b'))
	require.NoError(t, os.WriteFile(speeds, []byte(line), 0o600))
	step := func(run func(context.Context, StepOptions) (*BuildReport, error), opt StepOptions) {
		t.Helper()
		opt.Input = name
		_, err := run(t.Context(), opt)
		require.NoError(t, err)
	}
	metric := func(a Algorithm) string {
		t.Helper()
		e, err := Open(name, Options{Algorithm: a})
		require.NoError(t, err)
		defer e.Close()
		return e.Info().MetricID
	}
	extract := func() {
		t.Helper()
		_, err := Extract(t.Context(), BuildOptions{Input: input, Output: name})
		require.NoError(t, err)
		step(Partition, StepOptions{})
	}
	extract()
	step(Contract, StepOptions{})
	usual := metric(CH)
	step(Contract, StepOptions{Updates: Updates{SegmentSpeeds: []string{speeds}}, Continue: true})
	step(Customize, StepOptions{Continue: true})
	live := metric(CH)
	require.NotEqual(t, usual, live)
	require.Equal(t, live, metric(MLD))
	step(Customize, StepOptions{Updates: Updates{SegmentSpeeds: []string{speeds}}, Continue: true})
	require.Equal(t, live, metric(MLD), "the same updates again")
	step(Customize, StepOptions{})
	require.Equal(t, usual, metric(MLD))
	require.Equal(t, live, metric(CH))
	extract()
	step(Contract, StepOptions{Continue: true})
	require.Equal(t, usual, metric(CH))
}
