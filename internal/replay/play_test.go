package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/fourway-routing/fourway/httpapi"
	"github.com/fourway-routing/fourway/internal/synth"
	"github.com/fourway-routing/fourway/internal/workload"
	"github.com/fourway-routing/fourway/routing"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A made-up day on a small data set, in process and over HTTP: the same answers.
func TestDay(t *testing.T) {
	var extract bytes.Buffer
	_, err := synth.Country(t.Context(), &extract, synth.Options{Nodes: 12_000, Seed: 3})
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "country")
	_, err = routing.Build(t.Context(), routing.BuildOptions{Input: "country.osm.pbf", Reader: &extract, Output: name})
	require.NoError(t, err)
	var seen routing.Observation
	var mu sync.Mutex
	engine, err := routing.Open(name, routing.Options{
		Algorithm: routing.MLD, CountCells: true,
		Observe: func(o routing.Observation) {
			mu.Lock()
			seen = o
			mu.Unlock()
		},
	})
	require.NoError(t, err)
	defer engine.Close()
	places, err := workload.OpenPlaces(name)
	require.NoError(t, err)
	require.NoError(t, places.Simulate(t.Context(), engine, 20, 1))
	var log bytes.Buffer
	require.NoError(t, workload.WriteDay(t.Context(), &log, places, workload.DayOptions{Requests: 300, Seed: 1}))

	handler := httpapi.Handler(engine, httpapi.Options{MaxTableSize: 200})
	server := httptest.NewServer(handler)
	defer server.Close()
	defer server.Client().CloseIdleConnections()
	var results []*Result
	for _, target := range []Target{InProcess(handler), OverHTTP(server.Client(), server.URL)} {
		calls := 0
		r, err := Play(t.Context(), NewReader(bytes.NewReader(log.Bytes()), "day"), target, Options{
			Workers: 7, Slowest: 5, Progress: func(int) { calls++ },
		})
		require.NoError(t, err)
		require.Positive(t, calls)
		require.Equal(t, 300, r.Requests)
		require.Equal(t, uint64(300), r.All.Count())
		require.Zero(t, r.Failed, r.Failures)
		require.Greater(t, r.Answered, 250)
		require.Len(t, r.Services, 5)
		require.Len(t, r.Slowest, 5)
		require.Equal(t, r.All.Max(), r.Slowest[0].Took)
		require.GreaterOrEqual(t, r.Slowest[0].Took, r.Slowest[4].Took)
		results = append(results, r)
	}
	require.Equal(t, results[0].Answered, results[1].Answered)
	require.Equal(t, results[0].Bytes, results[1].Bytes)

	route := Slow{Request: Request{Line: 9, Path: string((&workload.Route{
		Coordinates: places.Trace(rand.New(rand.NewPCG(1, 1)))[:2],
	}).AppendPath(nil, "driving"))}}
	all, err := Explain(t.Context(), []Slow{route}, InProcess(handler), func() routing.Observation {
		mu.Lock()
		defer mu.Unlock()
		return seen
	})
	require.NoError(t, err)
	require.Positive(t, all[0].Alone)
	require.Equal(t, "route", all[0].Seen.Service)
	require.Positive(t, all[0].Seen.Cells)
	var text strings.Builder
	require.NoError(t, WriteSlow(&text, all))
	require.Regexp(t, `(?s)settled +cells.*9 /route/v1/driving`, text.String())

	text.Reset()
	report := results[0].Report(7)
	require.NoError(t, report.WriteText(&text))
	require.Regexp(t, `(?s)300 requests, 7 workers, .*requests/s.*0 failed.*99\.999%.*all +300 .*route.*rests on 0 requests.*collections`, text.String())
	encoded, err := json.Marshal(report)
	require.NoError(t, err)
	require.Contains(t, string(encoded), `"99.999":`)
}

// slowHandler answers after some time.
func slowHandler(d time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(d)
		_, _ = io.WriteString(w, "{}")
	})
}

// In recorded time a request that waits for a worker is charged for it.
func TestRecordedTime(t *testing.T) {
	var log strings.Builder
	for i := range 10 {
		fmt.Fprintf(&log, "%d.%d /route/v1/car/x\n", 1, i)
	}
	start := time.Now()
	r, err := Play(t.Context(), NewReader(strings.NewReader(log.String()), "log"), InProcess(slowHandler(20*time.Millisecond)), Options{
		Workers: 1, Speed: 10, Slowest: 2,
	})
	require.NoError(t, err)
	require.GreaterOrEqual(t, time.Since(start), 200*time.Millisecond)
	// Each second one is due ten milliseconds before the one before is done.
	require.Greater(t, r.All.Max(), 90*time.Millisecond)
	require.Greater(t, r.Slowest[0].Waited, 70*time.Millisecond)

	r, err = Play(t.Context(), NewReader(strings.NewReader("1 /a\n1.2 /b\n"), "log"), InProcess(slowHandler(0)), Options{Workers: 3, Speed: 4})
	require.NoError(t, err)
	require.GreaterOrEqual(t, r.Took, 50*time.Millisecond)
	require.Empty(t, r.Slowest)
	require.Equal(t, uint64(2), r.Services["other"].Count())
}

func TestOutcomes(t *testing.T) {
	answers := map[string]struct {
		status  int
		body    string
		outcome Outcome
	}{
		"/ok":      {200, strings.Repeat("x", 5000), Answered},
		"/empty":   {200, "", Answered},
		"/noroute": {400, `{"code":"NoRoute","message":"x"}`, Unanswered},
		"/toobig":  {400, `{"code":"TooBig"}`, Failed},
		"/broken":  {500, "oops", Failed},
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := answers[r.URL.Path]
		w.WriteHeader(a.status)
		for part := range strings.SplitAfterSeq(a.body, "x") {
			_, _ = io.WriteString(w, part)
		}
	})
	server := httptest.NewServer(handler)
	defer server.Close()
	defer server.Client().CloseIdleConnections()
	for _, target := range []Target{InProcess(handler), OverHTTP(server.Client(), server.URL)} {
		asker := target()
		for path, a := range answers {
			outcome, size, err := asker.Ask(t.Context(), path)
			require.Equal(t, a.outcome, outcome, path)
			require.Equal(t, int64(len(a.body)), size, path)
			require.Equal(t, a.outcome == Failed, err != nil, path)
		}
		outcome, _, err := asker.Ask(t.Context(), "/%zz")
		require.Equal(t, Failed, outcome)
		require.Error(t, err)
	}
	outcome, _, err := OverHTTP(server.Client(), "http://127.0.0.1:1")().Ask(t.Context(), "/ok")
	require.Equal(t, Failed, outcome)
	require.Contains(t, cause(err), "dial")

	r, err := Play(t.Context(), NewReader(strings.NewReader("/ok\n/toobig\n/toobig\n"), "log"), InProcess(handler), Options{Workers: 2})
	require.NoError(t, err)
	require.Equal(t, map[string]int{"status 400, code TooBig": 2}, r.Failures)
	var text strings.Builder
	require.NoError(t, r.Report(2).WriteText(&text))
	require.Contains(t, text.String(), "failed: 2 times status 400, code TooBig")
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk is full") }

func TestReplaysThatEndEarly(t *testing.T) {
	handler := InProcess(slowHandler(time.Millisecond))
	r, err := Play(t.Context(), NewReader(strings.NewReader("/ok\n1 nonsense\n"), "log"), handler, Options{Workers: 1})
	require.ErrorContains(t, err, "log:2")
	require.Equal(t, 1, r.Requests)
	require.Error(t, r.Report(1).WriteText(fullDisk{}))
	require.Error(t, WriteSlow(fullDisk{}, nil))

	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err = Play(ctx, NewReader(strings.NewReader("0 /a\n9999 /b\n"), "log"), handler, Options{Workers: 1, Speed: 1})
	require.ErrorIs(t, err, context.Canceled)
	_, err = Play(ctx, NewReader(strings.NewReader(strings.Repeat("/a\n", 100)), "log"), handler, Options{Workers: 1})
	require.ErrorIs(t, err, context.Canceled)
	_, err = Explain(ctx, make([]Slow, 1), func() Asker { return handler() }, nil)
	require.ErrorIs(t, err, context.Canceled)
}
