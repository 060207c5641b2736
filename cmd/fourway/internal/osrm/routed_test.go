package osrm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// buffer is a bytes.Buffer for several goroutines.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// routed is a running osrm-routed.
type routed struct {
	t        *testing.T
	url      string
	out, err buffer
	signals  chan os.Signal
	code     chan int
	client   *http.Client
}

func startRouted(t *testing.T, args ...string) *routed {
	t.Helper()
	r := &routed{t: t, signals: make(chan os.Signal, 1), code: make(chan int, 1), client: &http.Client{Transport: new(http.Transport)}}
	p := &Process{Name: "osrm-routed", Args: append(args, "-i", "127.0.0.1", "-p", "0"), Out: &r.out, Err: &r.err, Signals: r.signals}
	go func() { r.code <- Run(p.Name, p) }()
	t.Cleanup(func() { r.stop() })
	r.await("running and waiting for requests")
	r.url = "http://127.0.0.1:" + regexp.MustCompile(`IP port: (\d+)`).FindStringSubmatch(r.out.String())[1]
	return r
}

// await waits for a text on standard output.
func (r *routed) await(text string) {
	r.t.Helper()
	require.Eventually(r.t, func() bool { return strings.Contains(r.out.String(), text) }, 10*time.Second, time.Millisecond,
		"%s\n%s", &r.out, &r.err)
}

// stop ends the server by a signal and returns its exit code.
func (r *routed) stop() int {
	if r.code == nil {
		return 0
	}
	r.client.CloseIdleConnections()
	r.signals <- syscall.SIGTERM
	code := <-r.code
	r.code = nil
	return code
}

// answer is what is looked at of one.
type answer struct {
	Code        string
	DataVersion string `json:"data_version"`
	Routes      []struct{ Duration float64 }
}

// route asks for the route from a to c.
func (r *routed) route(options string) (a answer) {
	r.t.Helper()
	res, err := r.client.Get(r.url + routePath() + options)
	require.NoError(r.t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(r.t, err)
	require.NoError(r.t, json.Unmarshal(body, &a), string(body))
	return a
}

func routePath() string {
	at := func(letter rune) string {
		lon, lat, _ := square.Position(letter)
		return fmt.Sprintf("%f,%f", lon, lat)
	}
	return "/route/v1/whatever/" + at('a') + ";" + at('c')
}

func TestRouted(t *testing.T) {
	f := prepared(t)
	for _, args := range [][]string{{"-a", "CH"}, {"-a", "mld", "--mmap"}, {"--memory_file", "x", "--algorithm=MLD"}} {
		r := startRouted(t, append(args, f.path("square.osrm"))...)
		a := r.route("")
		require.Equal(t, "Ok", a.Code)
		require.InDelta(t, 20, a.Routes[0].Duration, 0.2)
		require.Equal(t, "DisabledDataset", startRouted(t, "--disable-feature-dataset", "ROUTE_STEPS", "ROUTE_GEOMETRY", f.path("square.osrm")).route("").Code)
		require.Zero(t, r.stop())
		require.Empty(t, r.err.String())
		require.Regexp(t, `\[info\] \d\d-\d\d-\d{4} \d\d:\d\d:\d\d [\d.e-]+ms 127\.0\.0\.1 - Go-http-client/1\.1 200 `+regexp.QuoteMeta(routePath())+`\n`, r.out.String())
		for _, text := range []string{"received signal 15", "initiating shutdown", "shutdown completed"} {
			require.Contains(t, r.out.String(), text)
		}
	}
}

func TestRoutedLimits(t *testing.T) {
	f := prepared(t)
	t.Setenv("DISABLE_ACCESS_LOGGING", "1")
	r := startRouted(t, f.path("square.osrm"), "--max-alternatives", "0", "--max-viaroute-size", "3", "--max-table-size=-1", "-k", "7",
		"--max-header-size", "9000", "--max-request-body-size", "9000", "--max-matching-radius", "unlimited", "--default-radius", "25", "-t", "8")
	require.Equal(t, "TooBig", r.route("?alternatives=1").Code)
	res, err := r.client.Get(r.url + routePath())
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, "timeout=7", res.Header.Get("Keep-Alive"))
	require.Zero(t, r.stop())
	require.NotContains(t, r.out.String(), "Go-http-client")
	for _, option := range []string{
		"--max-viaroute-size 2", "--max-trip-size 0", "--max-table-size -2", "--max-matching-size 1", "--max-nearest-size 0",
		"--max-alternatives -1", "--max-matching-radius 0", "--default-radius -2", "--port 65536", "-k -1",
	} {
		r := run(t, "osrm-routed", append(strings.Fields(option), f.path("square.osrm"))...)
		require.Equal(t, 1, r.code, option)
		require.Contains(t, r.err, "out of range", option)
	}
}

func TestRoutedFaults(t *testing.T) {
	f := prepared(t)
	base := f.path("square.osrm")
	r := must(t, "osrm-routed", base, "--trial")
	require.Contains(t, r.out, "[info] starting up engines, v")
	require.Contains(t, r.out, "trial run")
	must(t, "osrm-routed", base, "--trial=yes", "-a", "MLD")
	got := run(t, "osrm-routed", base, "-a", "dijkstra")
	require.Equal(t, 10, got.code)
	require.Contains(t, got.err, "the argument ('dijkstra') for option '-a' is invalid")
	require.Equal(t, 11, run(t, "osrm-routed", base, "--disable-feature-dataset", "EVERYTHING").code)
	got = run(t, "osrm-routed", base, "--shared-memory")
	require.Zero(t, got.code)
	require.Contains(t, got.err, "Shared memory settings conflict with path settings.")
	require.NoError(t, os.Remove(base+".ch"))
	got = run(t, "osrm-routed", base, "--trial")
	require.Equal(t, 4, got.code)
	require.Contains(t, got.err, "square.osrm.ch")

	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	_, port, err := net.SplitHostPort(taken.Addr().String())
	require.NoError(t, err)
	got = run(t, "osrm-routed", base, "-a", "MLD", "-i", "127.0.0.1", "-p", port)
	require.Equal(t, 1, got.code)
	require.Contains(t, got.err, port)
}

// Bodies are in the log in one line.
func TestRoutedLogsBodies(t *testing.T) {
	f := prepared(t)
	r := startRouted(t, f.path("square.osrm"))
	lon, lat, _ := square.Position('a')
	for _, body := range []string{fmt.Sprintf("{\n  \"coordinates\": [[%f, %f], [1, 1]]\n}", lon, lat), "no\nJSON"} {
		res, err := r.client.Post(r.url+"/route/v1/car", "application/json", strings.NewReader(body))
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
	}
	require.Zero(t, r.stop())
	require.Contains(t, r.out.String(), fmt.Sprintf(` /route/v1/car {"coordinates":[[%f,%f],[1,1]]}`, lon, lat)+"\n")
	require.Contains(t, r.out.String(), ` /route/v1/car no\nJSON`+"\n")
}

// A SIGHUP loads the data set anew, or leaves the old one if that fails.
func TestRoutedReloads(t *testing.T) {
	f := prepared(t)
	r := startRouted(t, f.path("square.osrm"))
	require.Empty(t, r.route("").DataVersion)
	f.extract(t, "-d", "second")
	r.signals <- syscall.SIGHUP
	require.Eventually(t, func() bool { return strings.Contains(r.err.String(), "cannot be loaded, the old one stays") }, 10*time.Second, time.Millisecond)
	require.Empty(t, r.route("").DataVersion)
	must(t, "osrm-contract", f.path("square.osrm"))
	r.signals <- syscall.SIGHUP
	r.await("updated facade")
	require.Equal(t, "second", r.route("").DataVersion)
	require.Zero(t, r.stop())
}
