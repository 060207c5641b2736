package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// lockedBuffer is written by the server while the test reads it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// served is a "fourway serve" that runs.
type served struct {
	url    string
	said   lockedBuffer
	signal context.CancelFunc
	ended  chan int
}

func startServer(t *testing.T, args ...string) *served {
	t.Helper()
	return start(t, append([]string{"serve", "--algorithm", "ch"}, args...)...)
}

// start runs a command and waits until it serves.
func start(t *testing.T, args ...string) *served {
	t.Helper()
	ctx, signal := context.WithCancel(t.Context())
	s := &served{signal: signal, ended: make(chan int, 1)}
	args = append(args, "--listen", "127.0.0.1:0")
	go func() { s.ended <- run(ctx, args, io.Discard, &s.said) }()
	ready := regexp.MustCompile(`waiting for requests on (http://\S+)`)
	require.Eventually(t, func() bool { return ready.MatchString(s.said.String()) }, 10*time.Second, time.Millisecond)
	s.url = ready.FindStringSubmatch(s.said.String())[1]
	return s
}

// stop sends the signal and checks that the server ends well.
func (s *served) stop(t *testing.T) {
	t.Helper()
	s.signal()
	require.Zero(t, <-s.ended, s.said.String())
	require.Contains(t, s.said.String(), "stopped")
}

func (s *served) get(t *testing.T, path string) (status int, body string) {
	t.Helper()
	res, err := http.Get(s.url + path)
	require.NoError(t, err)
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res.StatusCode, string(text)
}

// across is the query of a route through the town.
const across = "/6.003,45.002;6.012,45.013"

func TestServe(t *testing.T) {
	s := startServer(t, town(t))
	for _, path := range []string{"/route/v1/driving" + across, "/nearest/v1/car/6.003,45.002", "/table/v1/car" + across} {
		status, body := s.get(t, path)
		require.Equal(t, 200, status, path)
		require.Contains(t, body, `"code":"Ok"`)
	}
	status, _ := s.get(t, "/route/v1/bike"+across)
	require.Equal(t, 404, status)
	status, _ = s.get(t, "/ready")
	require.Equal(t, 200, status)
	s.stop(t)
	require.NotContains(t, s.said.String(), "msg=request")
}

func TestDemoServes(t *testing.T) {
	s := start(t, "demo", "--extract", townExtract(t))
	status, body := s.get(t, "/route/v1/driving"+across)
	require.Equal(t, 200, status, body)
	s.stop(t)
}

func TestServeSeveral(t *testing.T) {
	extract := townExtract(t)
	car := filepath.Join(t.TempDir(), "town-car")
	bike := filepath.Join(t.TempDir(), "town-bicycle")
	for profile, name := range map[string]string{"car": car, "bicycle": bike} {
		code, _, said := command(t, "build", "-q", "--algorithm", "ch", "--profile", profile, "-o", name, extract)
		require.Zero(t, code, said)
	}
	s := startServer(t, "car="+car, "bike="+bike)
	duration := func(profile string) string {
		status, body := s.get(t, "/route/v1/"+profile+across)
		require.Equal(t, 200, status, body)
		return regexp.MustCompile(`"duration":[\d.]+`).FindString(body)
	}
	require.NotEqual(t, duration("car"), duration("bike"))
	status, body := s.get(t, "/route/v1/driving"+across)
	require.Equal(t, 404, status)
	require.Contains(t, body, "bike, car")
	_, text := s.get(t, metricsPath)
	require.Regexp(t, `fourway_data_info\{algorithm="ch",.*profile="bike"\} 1`, text)
	s.stop(t)

	s = startServer(t, "--any-profile", "auto="+car, "bike="+bike)
	require.Equal(t, duration("auto"), duration("walking"))
	require.NotEqual(t, duration("bike"), duration("walking"))
	s.stop(t)
}

// unread sends a request whose body does not end before the returned function
// is called, and waits until the server reads it.
func unread(t *testing.T, url string) (answer <-chan error, end func()) {
	t.Helper()
	r, w := io.Pipe()
	reads := make(chan struct{})
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got100Continue: func() { close(reads) }})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, r)
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Expect", "100-continue")
	done := make(chan error, 1)
	go func() {
		res, err := http.DefaultClient.Do(req)
		if err == nil {
			_, err = io.Copy(io.Discard, res.Body)
			err = errors.Join(err, res.Body.Close())
			if res.StatusCode != http.StatusOK {
				err = errors.Join(err, errors.New(res.Status))
			}
		}
		done <- err
	}()
	_, err = w.Write([]byte(`{"coordinates":`))
	require.NoError(t, err)
	<-reads
	return done, func() {
		_, _ = w.Write([]byte(`[[6.003,45.002],[6.012,45.013]]}`))
		_ = w.Close()
	}
}

// TestDrain holds a request over the signal: /ready says no, everything else is
// served, and the end waits for the request.
func TestDrain(t *testing.T) {
	s := startServer(t, "--drain-time", "300ms", town(t))
	answer, end := unread(t, s.url+"/route/v1/car")
	s.signal()
	require.Eventually(t, func() bool {
		status, body := s.get(t, "/ready")
		return status == 503 && bytes.Contains([]byte(body), []byte("draining"))
	}, 200*time.Millisecond, time.Millisecond)
	status, _ := s.get(t, "/route/v1/car"+across)
	require.Equal(t, 200, status)
	time.AfterFunc(500*time.Millisecond, end)
	require.NoError(t, <-answer)
	require.Zero(t, <-s.ended, s.said.String())
}

// TestStopTimeout has a request that does not end.
func TestStopTimeout(t *testing.T) {
	s := startServer(t, "--stop-timeout", "50ms", town(t))
	answer, end := unread(t, s.url+"/route/v1/car")
	s.signal()
	require.Equal(t, 1, <-s.ended)
	require.Contains(t, s.said.String(), "requests were cancelled")
	end()
	require.Error(t, <-answer)
}

func TestReadTimeout(t *testing.T) {
	s := startServer(t, "--read-timeout", "50ms", town(t))
	answer, end := unread(t, s.url+"/route/v1/car")
	time.AfterFunc(200*time.Millisecond, end)
	require.Error(t, <-answer)
	s.stop(t)
}

func TestBoundsOfServer(t *testing.T) {
	s := startServer(t, "--timeout", "1ns", "--max-running", "1", "--max-waiting", "-1", town(t))
	status, body := s.get(t, "/route/v1/car"+across)
	require.Equal(t, 503, status)
	require.Contains(t, body, "Timeout")
	s.stop(t)
}

func TestWorkOfServer(t *testing.T) {
	s := startServer(t, "--max-work", "1", town(t))
	status, body := s.get(t, "/table/v1/car"+across)
	require.Equal(t, 400, status)
	require.Contains(t, body, "TooBig")
	s.stop(t)
}

func TestAccessLog(t *testing.T) {
	s := startServer(t, "--access-log", town(t))
	_, _ = s.get(t, "/route/v1/car"+across+"?overview=false")
	_, _ = s.get(t, "/route/v1/car/%0Afake")
	_, _ = s.get(t, "/health")
	s.stop(t)
	said := s.said.String()
	require.Regexp(t, `level=INFO msg=request remote=127\.0\.0\.1:\d+ method=GET uri="?/route/v1/car/6\S+overview=false"? status=200 code=Ok bytes=\d+ waited=\S+ took=\S+ agent=`, said)
	require.Regexp(t, `uri=/route/v1/car/%0Afake status=400 code=InvalidUrl .*error=`, said)
	require.Len(t, regexp.MustCompile(`msg=request`).FindAllString(said, -1), 2)
}
