package routing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/pool"
)

// memory is where Create writes in tests.
type memory struct {
	bytes.Buffer
	close func([]byte)
}

func (m *memory) Close() error { m.close(m.Bytes()); return nil }

// buildFS builds a drawn map into memory.
func buildFS(t testing.TB, d testmap.Drawing, workers int) fstest.MapFS {
	t.Helper()
	data, err := d.OSM()
	require.NoError(t, err)
	files := fstest.MapFS{}
	report, err := Build(t.Context(), BuildOptions{
		Input: "town.osm", Reader: bytes.NewReader(data), Output: "town", Workers: workers,
		Algorithms: []Algorithm{CH, MLD, CCH},
		Create: func(name string) (io.WriteCloser, error) {
			return &memory{close: func(b []byte) { files[name] = &fstest.MapFile{Data: slices.Clone(b)} }}, nil
		},
	})
	require.NoError(t, err)
	require.Len(t, report.Files, 5)
	return files
}

func request(d *testmap.Drawing, letters string) RouteRequest {
	var r RouteRequest
	for _, l := range letters {
		lon, lat, _ := d.Position(l)
		r.Coordinates = append(r.Coordinates, orb.Point{lon, lat})
	}
	return r
}

func TestBuildAndOpen(t *testing.T) {
	files := buildFS(t, rectangle, 1)
	for name, f := range buildFS(t, rectangle, 2) {
		require.Equal(t, files[name].Data, f.Data, "%s depends on the number of workers", name)
	}
	folder := t.TempDir()
	for name, f := range files {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), f.Data, 0o600))
	}
	want := draw(t, rectangle).route("21", nil).Routes
	for how, open := range map[string]func() (*Engine, error){
		"mld":                      func() (*Engine, error) { return Open("town", Options{FS: files, Algorithm: MLD}) },
		"cch":                      func() (*Engine, error) { return Open("town", Options{FS: files, Algorithm: CCH}) },
		"fs":                       func() (*Engine, error) { return Open("town", Options{FS: files}) },
		"map":                      func() (*Engine, error) { return Open(filepath.Join(folder, "town"), Options{}) },
		"heap":                     func() (*Engine, error) { return Open(filepath.Join(folder, "town"), Options{Load: Heap}) },
		"plain memory":             func() (*Engine, error) { return Open("town", Options{FS: files, Memory: pool.Plain}) },
		"memory kept by sync.Pool": func() (*Engine, error) { return Open("town", Options{FS: files, Memory: pool.SyncPool}) },
		"memory of MLD dropped": func() (*Engine, error) {
			return Open("town", Options{FS: files, Algorithm: MLD, Memory: pool.Dropping})
		},
	} {
		e, err := open()
		require.NoError(t, err, how)
		r := request(&rectangle, "21")
		r.Overview, r.Annotations = OverviewFull, AnnotateAll|AnnotateWays
		got, err := Route(t.Context(), e, r)
		require.NoError(t, err, how)
		require.Equal(t, want, got.Routes, how)
		require.Len(t, e.Info().GraphID, 32)
		require.NotEqual(t, e.Info().GraphID, e.Info().MetricID)
		require.NotEqual(t, e.Info().MetricID, e.Info().HierarchyID)
		require.NoError(t, e.Close())
		require.NoError(t, e.Close())
		_, err = Route(t.Context(), e, r)
		require.ErrorIs(t, err, ErrClosed, how)
	}
}

func TestBuildToFolder(t *testing.T) {
	data, err := rectangle.OSM()
	require.NoError(t, err)
	folder := t.TempDir()
	input := filepath.Join(folder, "town.osm")
	require.NoError(t, os.WriteFile(input, data, 0o600))
	var stages []string
	opt := BuildOptions{Input: input, Output: filepath.Join(folder, "town"), DataVersion: "v", Progress: func(p Progress) {
		require.Positive(t, p.ExpectedMemory)
		if len(stages) == 0 || stages[len(stages)-1] != p.Stage {
			stages = append(stages, p.Stage)
		}
	}}
	report, err := Build(t.Context(), opt)
	require.NoError(t, err)
	require.Equal(t, "v", report.Info.DataVersion)
	require.Positive(t, report.ExpectedMemory)
	require.Equal(t, 4, report.Extract.UsedWays)
	var names []string
	for _, s := range report.Stages {
		names = append(names, s.Name)
		require.Positive(t, s.Wall)
		require.Positive(t, s.PeakMemory)
		require.Contains(t, stages, s.Name)
	}
	require.Equal(t, []string{"extract", "write", "contract", "partition", "customize", "finish"}, names)
	for _, f := range report.Files {
		info, err := os.Stat(f.Path)
		require.NoError(t, err)
		require.Equal(t, info.Size(), f.Bytes)
	}
	before := listing(t, folder)
	require.Len(t, before, 5)

	// What fails leaves nothing behind, and what was there as it was.
	ctx, cancel := context.WithCancel(t.Context())
	opt.Progress = func(p Progress) {
		if p.Stage == "write" {
			cancel()
		}
	}
	_, err = Build(ctx, opt)
	require.ErrorIs(t, err, context.Canceled)
	opt.Progress = nil
	opt.Input = filepath.Join(folder, "absent.osm")
	_, err = Build(t.Context(), opt)
	require.ErrorIs(t, err, fs.ErrNotExist)
	opt.Input, opt.ProfileName = input, "hovercraft"
	_, err = Build(t.Context(), opt)
	require.ErrorContains(t, err, "hovercraft")
	opt.ProfileName, opt.Output = "", filepath.Join(folder, "absent", "town")
	opt.Progress = func(Progress) { t.Error("the folder is looked for before the work begins") }
	_, err = Build(t.Context(), opt)
	require.ErrorIs(t, err, fs.ErrNotExist)
	opt.Algorithms = []Algorithm{MLD, 7}
	_, err = Build(t.Context(), opt)
	require.ErrorContains(t, err, "Algorithms")
	opt.Output = ""
	_, err = Build(t.Context(), opt)
	require.ErrorContains(t, err, "Output")
	require.Equal(t, before, listing(t, folder))

	e, err := Open(filepath.Join(folder, "town"), Options{})
	require.NoError(t, err)
	require.Equal(t, report.Info, e.Info())
	require.NoError(t, e.Close())
}

func listing(t *testing.T, folder string) map[string]string {
	files := map[string]string{}
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		require.NoError(t, err)
		files[entry.Name()] = string(data)
	}
	return files
}

func TestOpenFaults(t *testing.T) {
	files := buildFS(t, rectangle, 1)
	for name, change := range map[string]func(fstest.MapFS){
		"truncated": func(f fstest.MapFS) { f["town.ch"] = &fstest.MapFile{Data: f["town.ch"].Data[:900]} },
		"empty":     func(f fstest.MapFS) { f["town.metric"] = &fstest.MapFile{} },
		"foreign":   func(f fstest.MapFS) { f["town.graph"] = &fstest.MapFile{Data: bytes.Repeat([]byte("x"), 4096)} },
		"swapped":   func(f fstest.MapFS) { f["town.graph"], f["town.metric"] = f["town.metric"], f["town.graph"] },
		"other map": func(f fstest.MapFS) { f["town.ch"] = buildFS(t, stub, 1)["town.ch"] },
	} {
		damaged := fstest.MapFS{}
		for k, v := range files {
			damaged[k] = v
		}
		change(damaged)
		_, err := Open("town", Options{FS: damaged})
		require.ErrorIs(t, err, ErrCorrupt, name)
		require.ErrorContains(t, err, "town.", name)
	}
	_, err := Open("town", Options{FS: fstest.MapFS{}})
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = Open("town", Options{Algorithm: 7, Load: 7, Memory: 7, Workspaces: -1, WorkspaceBytes: -1, Limits: Limits{DefaultRadius: -1}})
	for _, field := range []string{"Algorithm", "Load", "Memory", "Workspaces", "WorkspaceBytes", "Limits"} {
		require.ErrorContains(t, err, field, "all faults at once")
	}
}

// TestFlippedBytes: whatever the damage, a query ends with an answer or an
// error.
func TestFlippedBytes(t *testing.T) {
	files := buildFS(t, rectangle, 1)
	rng := rand.New(rand.NewPCG(3, 4))
	names := []string{"town.graph", "town.metric", "town.ch", "town.mld"}
	const rounds = 600
	refused, corrupt := 0, 0
	for round := range rounds {
		damaged := fstest.MapFS{}
		for _, name := range names {
			damaged[name] = &fstest.MapFile{Data: slices.Clone(files[name].Data)}
		}
		data := damaged[names[rng.IntN(4)]].Data
		for range 1 + rng.IntN(8) {
			data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		}
		e, err := Open("town", Options{FS: damaged, Algorithm: Algorithm(round % 2)})
		if err != nil {
			refused++
			continue
		}
		for _, letters := range []string{"12", "21", "ac", "dab"} {
			r := request(&rectangle, letters)
			r.Steps, r.Annotations = true, AnnotateAll
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			_, err := Route(ctx, e, r)
			require.NoError(t, ctx.Err())
			cancel()
			if errors.Is(err, ErrCorrupt) {
				corrupt++
			}
		}
		require.NoError(t, e.Close())
	}
	require.Positive(t, refused)
	require.Positive(t, corrupt)
}

// TestTruncatedUnderEngine: a file that is cut while it is mapped is a memory
// fault, not the end of the process.
func TestTruncatedUnderEngine(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("a mapped file cannot be cut on this system")
		return
	}
	folder := t.TempDir()
	for name, f := range buildFS(t, rectangle, 1) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), f.Data, 0o600))
	}
	e, err := Open(filepath.Join(folder, "town"), Options{})
	require.NoError(t, err)
	s := e.Session()
	defer s.Close()
	require.NoError(t, os.Truncate(filepath.Join(folder, "town.graph"), 0))
	for range 3 {
		_, err = s.Route(t.Context(), request(&rectangle, "12"))
		require.ErrorIs(t, err, ErrCorrupt)
		require.ErrorContains(t, err, "town is damaged")
	}
	require.NoError(t, e.Close())
}

func TestCloseWaitsForQueries(t *testing.T) {
	e, err := Open("town", Options{FS: buildFS(t, rectangle, 1)})
	require.NoError(t, err)
	var wg sync.WaitGroup
	answered, refused := make([]int, 4), make([]int, 4)
	for g := range 4 {
		wg.Go(func() {
			for {
				_, err := Route(context.Background(), e, request(&rectangle, "21"))
				if err != nil {
					if errors.Is(err, ErrClosed) {
						refused[g]++
					}
					return
				}
				answered[g]++
			}
		})
	}
	time.Sleep(20 * time.Millisecond)
	require.NoError(t, e.Close())
	wg.Wait()
	require.Equal(t, []int{1, 1, 1, 1}, refused)
}

func TestSession(t *testing.T) {
	m := draw(t, rectangle)
	s := m.Session()
	for range 3 {
		got, err := s.Route(t.Context(), request(&rectangle, "21"))
		require.NoError(t, err)
		want, err := Route(t.Context(), m.Engine, request(&rectangle, "21"))
		require.NoError(t, err)
		require.Equal(t, want, got)
		_, err = s.Nearest(t.Context(), NearestRequest{Coordinate: m.at('1')})
		require.NoError(t, err)
	}
	s.Close()
	s.Close()
	_, err := s.Route(t.Context(), request(&rectangle, "21"))
	require.ErrorIs(t, err, ErrClosed)
	_, err = s.Nearest(t.Context(), NearestRequest{})
	require.ErrorIs(t, err, ErrClosed)
	require.Zero(t, m.current.Load().workspaces.Stats().Lent)
}

func TestDoneContext(t *testing.T) {
	m := draw(t, rectangle)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Route(ctx, m.Engine, request(&rectangle, "12"))
	require.ErrorIs(t, err, context.Canceled)
	_, err = Nearest(ctx, m.Engine, NearestRequest{Coordinate: m.at('1')})
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, m.current.Load().workspaces.Stats().Lent)
}

func TestObserve(t *testing.T) {
	var seen []Observation
	m := drawWith(t, rectangle, Options{Observe: func(o Observation) { seen = append(seen, o) }})
	m.route("21", nil)
	_, err := Nearest(t.Context(), m.Engine, NearestRequest{Coordinate: m.at('1')})
	require.NoError(t, err)
	_, err = m.ask("12", func(r *RouteRequest) { r.Exclude = []string{"nonsense"} })
	require.Error(t, err)
	require.Len(t, seen, 3)
	require.Equal(t, "route", seen[0].Service)
	require.Positive(t, seen[0].Settled)
	require.Positive(t, seen[0].Snap)
	require.Positive(t, seen[0].Search)
	require.Positive(t, seen[0].Assemble)
	require.NoError(t, seen[0].Err)
	require.Zero(t, seen[0].Cells)
	require.Equal(t, "nearest", seen[1].Service)
	require.ErrorIs(t, seen[2].Err, ErrInvalidValue)

	m = drawWith(t, rectangle, Options{
		Algorithm: MLD, CountCells: true, Observe: func(o Observation) { seen = append(seen, o) },
	})
	m.route("21", nil)
	require.Positive(t, seen[3].Settled)
	require.Positive(t, seen[3].Cells)
}

// TestOwnPanicsPass: only what damaged data brings about is caught.
func TestOwnPanicsPass(t *testing.T) {
	m := drawWith(t, rectangle, Options{Observe: func(Observation) { panic("observer") }})
	require.PanicsWithValue(t, "observer", func() { _, _ = m.ask("12", nil) })
	m = draw(t, rectangle)
	s := m.Session()
	require.NoError(t, s.enter("route"))
	require.PanicsWithValue(t, "ours", func() {
		var err error
		defer s.leave(false, &err)
		s.workspace()
		panic("ours")
	})
	require.Nil(t, s.w, "it was dropped")
	s.Close()
	require.Zero(t, m.current.Load().workspaces.Stats().Kept)
}

func TestErrorText(t *testing.T) {
	err := &Error{Code: ErrNoRoute, Index: -1, Message: "between them", cause: io.EOF}
	require.EqualError(t, err, "routing: NoRoute: between them: EOF")
	require.ErrorIs(t, err, io.EOF)
	require.EqualError(t, ErrNoRoute, "routing: NoRoute")
	require.NotErrorIs(t, fmt.Errorf("x: %w", err), ErrNoSegment)
	require.True(t, strings.HasPrefix(string(err.AppendJSON(nil)), `{"code":"NoRoute"`))
}
