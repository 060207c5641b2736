package suite

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/synth"
	"github.com/fourway-routing/fourway/pool"
	"github.com/fourway-routing/fourway/routing"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// country writes a small extract and returns its path.
func country(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "country.osm.pbf")
	var file bytes.Buffer
	_, err := synth.Country(t.Context(), &file, synth.Options{Nodes: 12_000, Seed: 3})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, file.Bytes(), 0o600))
	return path
}

// Every case runs, on a data set that the stages have built.
func TestAllCases(t *testing.T) {
	opt := StageOptions{Extract: country(t), Name: filepath.Join(t.TempDir(), "country")}
	sizes := map[string]int64{}
	for _, memory := range []pool.Kind{pool.FreeLists, pool.Dropping} {
		opt.Memory = memory
		for _, stage := range Stages() {
			cost, err := RunStage(t.Context(), stage, opt)
			require.NoError(t, err, stage)
			require.Positive(t, cost.PeakMemory, stage)
			require.Positive(t, cost.Bytes, stage)
			if memory == pool.Dropping {
				require.Equal(t, sizes[stage], cost.Bytes, stage)
			}
			sizes[stage] = cost.Bytes
		}
	}
	s, err := Open(t.Context(), opt.Name, Options{Requests: 3, Traces: 5})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	seen := map[string]bool{}
	suites := map[string]bool{}
	for _, c := range s.Cases() {
		require.False(t, seen[c.FullName()], c.FullName())
		seen[c.FullName()] = true
		name, _, _ := strings.Cut(c.Name, "/")
		suites[name] = true
		require.Equal(t, c.Pooled, strings.Contains(c.FullName(), "/pool="))
		if name == "packedvector" && testing.Short() {
			continue
		}
		r, err := c.Start(t.Context())
		require.NoError(t, err)
		for range 2 {
			require.NoError(t, r.Do(), c.FullName())
		}
		require.NoError(t, r.Close())
	}
	for _, name := range []string{
		"alias", "json-render", "packedvector", "rtree", "match", "route",
		"random_nearest", "random_route", "random_table", "random_trip", "random_match",
		"binding_nearest", "binding_route", "binding_table", "binding_trip", "binding_match",
		"e2e_nearest", "e2e_route", "e2e_table", "e2e_trip", "e2e_match",
	} {
		require.True(t, suites[name], name)
	}
	require.True(t, seen["random_route/algo=mld/coordinates=3/full/pool=gc"])

	var four []Case
	for _, c := range s.Cases() {
		if c.Name == "random_route/algo=ch/coordinates=3/full" {
			four = append(four, c)
		}
	}
	all, err := Measure(t.Context(), four, 3, time.Millisecond)
	require.NoError(t, err)
	require.Len(t, all, 4)
	for i, m := range all {
		require.Equal(t, four[i].Memory.String(), m.Memory)
		require.GreaterOrEqual(t, m.Count, uint64(3))
		require.Positive(t, m.Mean)
		require.GreaterOrEqual(t, m.P99, m.P50)
		require.GreaterOrEqual(t, m.Max, m.P999)
		require.Positive(t, m.Allocations)
		require.InEpsilon(t, 1e9, m.OpsPerSecond*m.Mean, 0.01)
	}
	fails := Case{Name: "fails", start: func(_ context.Context, r *Running) error {
		r.Do = func() error { return errSum }
		return nil
	}}
	_, err = Measure(t.Context(), []Case{fails}, 1, 0)
	require.ErrorIs(t, err, errSum)

	memory, err := MeasureMemory(t.Context(), opt.Name, routing.MLD)
	require.NoError(t, err)
	require.Equal(t, "mld", memory.Algorithm)
	require.Positive(t, memory.Segments)
	require.Positive(t, memory.Heap)
}

func TestGrid(t *testing.T) {
	folder := t.TempDir()
	opt := StageOptions{Extract: filepath.Join(folder, "grid.osm.pbf"), Name: filepath.Join(folder, "grid")}
	var file bytes.Buffer
	require.NoError(t, WriteGrid(&file, GridSide))
	require.NoError(t, os.WriteFile(opt.Extract, file.Bytes(), 0o600))
	_, err := RunStage(t.Context(), "extract", opt)
	require.NoError(t, err)
	n, err := graph.OpenNetwork(opt.Name+".graph", graph.FileOptions{})
	require.NoError(t, err)
	require.Equal(t, 4480, n.NumNodes(), "as OSRM has them: corners are no crossings")
	require.NoError(t, n.Close())
}

func TestFaults(t *testing.T) {
	_, err := RunStage(t.Context(), "swap", StageOptions{})
	require.ErrorContains(t, err, "swap")
	_, err = RunStage(t.Context(), "contract", StageOptions{Name: filepath.Join(t.TempDir(), "nowhere")})
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = Open(t.Context(), filepath.Join(t.TempDir(), "nowhere"), Options{})
	require.ErrorIs(t, err, os.ErrNotExist)
}
