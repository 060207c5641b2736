//go:build unix

package batch_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/batch"
	"github.com/fourway-routing/fourway/httpapi"
	"github.com/fourway-routing/fourway/routing"
)

// The benchmarks of overhead tell CPU time by trace or cell, of a job and of a plain
// loop over the library that writes the same results; -cpu is the number of workers.
// Wall time is another matter on a machine that does something else as well.

// cpuTime returns what the process has used.
func cpuTime(t testing.TB) time.Duration {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// perElement runs a job and reports its CPU time by element.
func perElement(b *testing.B, elements int, unit string, job func(out string)) {
	runtime.GC()
	before := cpuTime(b)
	for b.Loop() {
		out, err := os.MkdirTemp(b.TempDir(), "out")
		require.NoError(b, err)
		job(out)
	}
	b.ReportMetric(float64(cpuTime(b)-before)/float64(b.N)/float64(elements), "cpu-ns/"+unit)
}

func finished(b *testing.B, out string) {
	done, all, err := batch.Progress(b.Context(), out)
	require.NoError(b, err)
	require.Equal(b, all, done)
}

func BenchmarkMatchOverhead(b *testing.B) {
	e := open(b)
	n := size(b, "FOURWAY_BATCH_TRACES", 200)
	var all []any
	for _, q := range traces(b, e, n) {
		all = append(all, q)
	}
	input := lines(b, all...)
	info, err := os.Stat(input)
	require.NoError(b, err)
	part := info.Size()/8 + 1
	b.Run("batch", func(b *testing.B) {
		perElement(b, n, "trace", func(out string) {
			files(b, batch.Options{}, batch.FileOptions{Service: batch.ServiceMatch, Input: input, Output: out, PartBytes: part})
			finished(b, out)
		})
	})
	b.Run("loop", func(b *testing.B) {
		perElement(b, n, "trace", func(out string) { matchLoop(b, e, input, out) })
	})
}

// matchLoop matches the lines of a file, with a worker for each processor.
func matchLoop(b *testing.B, e *routing.Engine, input, out string) {
	text, err := os.ReadFile(input)
	require.NoError(b, err)
	all := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	workers := runtime.GOMAXPROCS(0)
	faults := make([]error, workers)
	var group sync.WaitGroup
	for k := range workers {
		group.Go(func() {
			s := e.Session()
			defer s.Close()
			faults[k] = matchLines(b.Context(), s, all[k*len(all)/workers:(k+1)*len(all)/workers], filepath.Join(out, strconv.Itoa(k)))
		})
	}
	group.Wait()
	for _, err := range faults {
		require.NoError(b, err)
	}
}

func matchLines(ctx context.Context, s *routing.Session, lines [][]byte, name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<18)
	for _, line := range lines {
		var id struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(line, &id); err != nil {
			return err
		}
		q, err := httpapi.DecodeMatch(line)
		if err != nil {
			return err
		}
		res, err := s.Match(ctx, q)
		if err != nil {
			return err
		}
		matched, duration, distance, confidence := 0, 0.0, 0.0, 1.0
		for i := range res.Matchings {
			m := &res.Matchings[i]
			duration, distance, confidence = duration+m.Duration, distance+m.Distance, min(confidence, m.Confidence)
		}
		for _, p := range res.Tracepoints {
			if p != nil {
				matched++
			}
		}
		fmt.Fprintf(w, `{"id":%q,"matchings":%d,"matched":%d,"duration":%v,"distance":%v,"confidence":%v,"response":`,
			id.ID, len(res.Matchings), matched, duration, distance, confidence)
		_, _ = w.Write(res.AppendJSON(nil)) // Flush has its error
		_, _ = w.WriteString("}\n")
	}
	return w.Flush()
}

func BenchmarkMatrixOverhead(b *testing.B) {
	e := open(b)
	n := size(b, "FOURWAY_BATCH_MATRIX", 300)
	points := somewhere(b, e, 2*n, 5)
	lists := [2][]batch.Place{}
	var all [2][]any
	for i, p := range points {
		place := batch.Place{ID: strconv.Itoa(i % n), Coordinate: p}
		lists[i/n], all[i/n] = append(lists[i/n], place), append(all[i/n], place)
	}
	from, to := lines(b, all[0]...), lines(b, all[1]...)
	// Two blocks of rows, so that two workers have something to do.
	rows := (n + 1) / 2
	b.Run("batch", func(b *testing.B) {
		perElement(b, n*n, "cell", func(out string) {
			opt := both()
			opt.Rows = rows
			matrixFiles(b, opt, batch.MatrixFileOptions{Sources: from, Destinations: to, Output: out, Format: batch.Parquet})
			finished(b, out)
		})
	})
	b.Run("loop", func(b *testing.B) {
		batch.SortByPlace(lists[0])
		batch.SortByPlace(lists[1])
		perElement(b, n*n, "cell", func(out string) {
			var group sync.WaitGroup
			turns, faults := make(chan struct{}, runtime.GOMAXPROCS(0)), [2]error{}
			for k, sources := range [2][]batch.Place{lists[0][:rows], lists[0][rows:]} {
				group.Go(func() {
					turns <- struct{}{}
					faults[k] = matrixLoop(b.Context(), e, sources, lists[1], filepath.Join(out, strconv.Itoa(k)))
					<-turns
				})
			}
			group.Wait()
			require.NoError(b, faults[0])
			require.NoError(b, faults[1])
		})
	})
}

// matrixLoop finds a matrix and writes it.
func matrixLoop(ctx context.Context, e *routing.Engine, sources, destinations []batch.Place, name string) error {
	r, numbers := both().Table, [2][]int32{}
	for i, list := range [2][]batch.Place{sources, destinations} {
		for _, p := range list {
			at := [2]*[]int{&r.Sources, &r.Destinations}[i]
			*at = append(*at, len(r.Coordinates))
			r.Coordinates = append(r.Coordinates, p.Coordinate)
			line, err := strconv.ParseInt(p.ID, 10, 32)
			if err != nil {
				return err
			}
			numbers[i] = append(numbers[i], int32(line))
		}
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := parquet.NewGenericWriter[batch.Cell](f, parquet.MaxRowsPerRowGroup(1<<20))
	s := e.Session()
	defer s.Close()
	var cells []batch.Cell
	for row, err := range s.TableRows(ctx, r) {
		if err != nil {
			return err
		}
		cells = cells[:0]
		for j := range row.Durations {
			cells = append(cells, batch.Cell{Source: numbers[0][row.Source], Destination: numbers[1][j], Duration: row.Durations[j], Distance: row.Distances[j]})
		}
		if _, err := w.Write(cells); err != nil {
			return err
		}
	}
	return w.Close()
}
