package batch_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/parquet-go/parquet-go"
	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/batch"
	"github.com/fourway-routing/fourway/routing"
)

// contents returns digests of the files of a folder by name.
func contents(t testing.TB, dir string) map[string]string {
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		f, err := os.Open(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		sum := sha256.New()
		_, err = io.Copy(sum, f)
		require.NoError(t, errors.Join(err, f.Close()))
		files[e.Name()] = hex.EncodeToString(sum.Sum(nil))
	}
	return files
}

// linesOf returns the lines of the files of a folder that match, in their order.
func linesOf[T any](t testing.TB, dir, pattern string) (all []T) {
	eachLine(t, dir, pattern, func(v T) { all = append(all, v) })
	return all
}

func eachLine[T any](t testing.TB, dir, pattern string, do func(T)) {
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	require.NoError(t, err)
	for _, name := range names {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		for line := range bytes.Lines(b) {
			var v T
			require.NoError(t, json.Unmarshal(line, &v))
			do(v)
		}
	}
}

// rowsOf returns the rows of the Parquet files of a folder, in their order.
func rowsOf[T any](t testing.TB, dir string) (all []T) {
	eachRow(t, dir, func(v T) { all = append(all, v) })
	return all
}

func eachRow[T any](t testing.TB, dir string, do func(T)) {
	names, err := filepath.Glob(filepath.Join(dir, "part-*.parquet"))
	require.NoError(t, err)
	for _, name := range names {
		f, err := os.Open(name)
		require.NoError(t, err)
		r := parquet.NewGenericReader[T](f)
		for left := r.NumRows(); left > 0; {
			rows := make([]T, min(left, 1<<16))
			n, err := r.Read(rows)
			if !errors.Is(err, io.EOF) {
				require.NoError(t, err)
			}
			require.Positive(t, n)
			for _, row := range rows[:n] {
				do(row)
			}
			left -= int64(n)
		}
		require.NoError(t, r.Close())
		require.NoError(t, f.Close())
	}
}

func files(t testing.TB, opt batch.Options, f batch.FileOptions) map[string]int64 {
	p, s := beam.NewPipelineWithRoot()
	_, err := batch.Files(s, pinned(t), opt, f)
	require.NoError(t, err)
	return runPipeline(t, p)
}

// The size of the full test is FOURWAY_BATCH_TRACES=10000.
func TestMatchedFilesAreWhatTheLibraryAnswers(t *testing.T) {
	e := open(t)
	requests := traces(t, e, size(t, "FOURWAY_BATCH_TRACES", 300))
	var all []any
	for _, q := range requests {
		all = append(all, q)
	}
	poison := `{"id": "poison", "coordinates": [[1, 2], [3, "x"]]}`
	all = append(all, poison, "", `{"id": "far", "coordinates": [[0, 0], [0, 0.1]]}`)
	input := lines(t, all...)

	for _, format := range []batch.Format{batch.JSONLines, batch.Parquet} {
		out := filepath.Join(t.TempDir(), "out")
		counts := files(t, batch.Options{}, batch.FileOptions{
			Service: batch.ServiceMatch, Input: input, Output: out, Format: format, PartBytes: 200_000,
		})
		require.EqualValues(t, len(requests), counts["answered"])
		require.EqualValues(t, 2, counts["failed"])
		var results []batch.MatchResult
		if format == batch.Parquet {
			results = rowsOf[batch.MatchResult](t, out)
		} else {
			results = linesOf[batch.MatchResult](t, out, "part-*")
		}
		require.Len(t, results, len(requests))
		s := e.Session()
		for i, q := range requests {
			res, err := s.Match(t.Context(), q.MatchRequest)
			require.NoError(t, err)
			require.Equal(t, q.ID, results[i].ID)
			require.Equal(t, string(res.AppendJSON(nil)), string(results[i].Response), q.ID)
		}
		s.Close()
		failures := linesOf[batch.Failure](t, out, "failures-*")
		require.Len(t, failures, 2)
		require.Equal(t, "poison", failures[0].ID)
		require.Equal(t, "InvalidQuery", failures[0].Code)
		require.Equal(t, poison, failures[0].Request)
		require.Equal(t, "far", failures[1].ID)
		done, parts, err := batch.Progress(t.Context(), out)
		require.NoError(t, err)
		require.Equal(t, parts, done)
		require.Greater(t, parts, 1)
	}
}

// The environment of a job that is run in a process of its own.
const (
	jobDataset = "FOURWAY_BATCH_JOB_DATASET"
	jobInput   = "FOURWAY_BATCH_JOB_INPUT"
	jobOutput  = "FOURWAY_BATCH_JOB_OUTPUT"
)

func jobFiles(input, output string) batch.FileOptions {
	return batch.FileOptions{Service: batch.ServiceMatch, Input: input, Output: output, PartBytes: 100_000}
}

// TestJob is the job of TestAJobThatWasKilledGoesOn.
func TestJob(t *testing.T) {
	if input := os.Getenv(jobInput); input != "" {
		files(t, batch.Options{}, jobFiles(input, os.Getenv(jobOutput)))
	}
}

func TestAJobThatWasKilledGoesOn(t *testing.T) {
	e := open(t)
	var all []any
	for _, q := range traces(t, e, 400) {
		all = append(all, q)
	}
	all = append(all, "no JSON")
	input := lines(t, all...)
	whole, killed := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "killed")
	files(t, batch.Options{}, jobFiles(input, whole))
	require.NoError(t, batch.Finish(t.Context(), whole))

	cmd := exec.Command(os.Args[0], "-test.run", "^TestJob$")
	cmd.Env = append(os.Environ(), jobDataset+"="+delaware, jobInput+"="+input, jobOutput+"="+killed)
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool {
		done, _, err := batch.Progress(t.Context(), killed)
		return err == nil && done > 0
	}, time.Minute, time.Millisecond)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	done, parts, err := batch.Progress(t.Context(), killed)
	require.NoError(t, err)
	require.Less(t, done, parts, "it was killed midway")

	counts := files(t, batch.Options{}, jobFiles(input, killed))
	require.EqualValues(t, done, counts["found"])
	require.NoError(t, batch.Finish(t.Context(), killed))
	require.Equal(t, contents(t, whole), contents(t, killed))
	require.NoDirExists(t, filepath.Join(killed, "_temporary"))
}

func TestAnotherJobsFolderIsRefused(t *testing.T) {
	e := open(t)
	q := traces(t, e, 1)[0]
	input, out := lines(t, q), filepath.Join(t.TempDir(), "out")
	files(t, batch.Options{}, jobFiles(input, out))
	before := contents(t, out)
	for _, change := range []func(*batch.Options, *batch.FileOptions){
		func(o *batch.Options, _ *batch.FileOptions) { o.NoResponse = true },
		func(_ *batch.Options, f *batch.FileOptions) { f.Input = lines(t, q) },
		func(_ *batch.Options, f *batch.FileOptions) { f.Format = batch.Parquet },
	} {
		opt, f := batch.Options{}, jobFiles(input, out)
		change(&opt, &f)
		p, s := beam.NewPipelineWithRoot()
		_, err := batch.Files(s, pinned(t), opt, f)
		require.NoError(t, err)
		err = beamx.Run(t.Context(), p)
		require.ErrorContains(t, err, "another job")
	}
	require.Equal(t, before, contents(t, out))
}

func TestDeadlineIsAFailure(t *testing.T) {
	e := open(t)
	q := traces(t, e, 1)[0]
	out := filepath.Join(t.TempDir(), "out")
	files(t, batch.Options{Deadline: time.Nanosecond}, jobFiles(lines(t, q), out))
	failures := linesOf[batch.Failure](t, out, "failures-*")
	require.Len(t, failures, 1)
	require.Equal(t, batch.CodeDeadline, failures[0].Code)
}

// Prism keeps a processor busy while it waits for a stage without an output.
func TestNoStageOfFilesEndsWithoutAnOutput(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	_, err := batch.Files(s, batch.Dataset{}, batch.Options{}, jobFiles("a", "b"))
	require.NoError(t, err)
	_, err = batch.MatrixFiles(s, batch.Dataset{}, both(), batch.MatrixFileOptions{Sources: "a", Destinations: "b", Output: "c"})
	require.NoError(t, err)
	edges, _, err := p.Build()
	require.NoError(t, err)
	read := map[int]bool{}
	for _, e := range edges {
		for _, in := range e.Input {
			read[in.From.ID()] = true
		}
	}
	for _, e := range edges {
		if e.Op != graph.ParDo {
			continue
		}
		require.NotEmpty(t, e.Output, e)
		for _, out := range e.Output {
			require.True(t, read[out.To.ID()], e)
		}
	}
}

func TestWhatIsWrongWithFileOptions(t *testing.T) {
	_, s := beam.NewPipelineWithRoot()
	for _, f := range []batch.FileOptions{
		{Service: "tram", Input: "a", Output: "b"},
		{Service: batch.ServiceRoute, Output: "b"},
		{Service: batch.ServiceRoute, Input: "a"},
		{Service: batch.ServiceRoute, Input: "a", Output: "b", Format: "xml"},
		{Service: batch.ServiceRoute, Input: "a", Output: "b", PartBytes: -1},
	} {
		_, err := batch.Files(s, batch.Dataset{}, batch.Options{}, f)
		require.Error(t, err)
	}
}

func TestOtherServicesOfFiles(t *testing.T) {
	e := open(t)
	routes := lines(t, `{"id": "a", "coordinates": [[-75.5466, 39.7447], [-75.7497, 39.6837]], "steps": true}`)
	out := filepath.Join(t.TempDir(), "out")
	files(t, batch.Options{}, batch.FileOptions{Service: batch.ServiceRoute, Input: routes, Output: out})
	got := linesOf[batch.RouteResult](t, out, "part-*")
	require.Len(t, got, 1)
	want, err := routing.Route(t.Context(), e, routing.RouteRequest{Coordinates: []orb.Point{{-75.5466, 39.7447}, {-75.7497, 39.6837}}, Steps: true})
	require.NoError(t, err)
	require.Equal(t, string(want.AppendJSON(nil)), string(got[0].Response))
	require.Equal(t, want.Routes[0].Duration, got[0].Duration)
	nearest := lines(t, `{"id": "b", "coordinate": [-75.5466, 39.7447], "number": 3}`, `{"id": "c"}`)
	out = filepath.Join(t.TempDir(), "out")
	files(t, batch.Options{}, batch.FileOptions{Service: batch.ServiceNearest, Input: nearest, Output: out})
	near := linesOf[batch.NearestResult](t, out, "part-*")
	require.Len(t, near, 1)
	require.Equal(t, 3, strings.Count(string(near[0].Response), `"location"`))
	require.Len(t, linesOf[batch.Failure](t, out, "failures-*"), 1)
}
